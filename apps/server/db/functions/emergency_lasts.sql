-- Whether the hours of an emergency access are not over, whatever the job that ends it does. By the owner's right, and said to cost
-- little: it is asked of those alone who are in a chat by one.
create or replace function emergency_lasts(access uuid) returns boolean language sql stable security definer cost 1
set search_path = public, pg_temp as $$
  select exists (select from emergency_accesses e where e.id = access and e.ends_at > now())
$$;

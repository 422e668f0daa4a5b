-- Whether somebody holds one of these on-call roles at this instant. By the owner's right, and said to cost little: it is asked of
-- those alone who are in a chat by a role.
create or replace function holds_on_call(roles uuid[], person uuid) returns boolean language sql stable security definer cost 1
set search_path = public, pg_temp as $$
  select exists (
    select from on_call_shifts s
    where s.role_id = any (roles) and s.user_id = person and s.starts_at <= now() and s.ends_at > now()
  )
$$;

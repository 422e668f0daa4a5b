-- True for the one that is to mail the end of the chain on a day.
create or replace function take_audit_mail(p_day date) returns boolean language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  update audit_head set mailed_on = p_day where seq > 0 and (mailed_on is null or mailed_on < p_day);
  return found;
end $$;
revoke execute on function take_audit_mail from public;

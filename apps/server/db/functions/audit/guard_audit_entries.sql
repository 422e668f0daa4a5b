-- No entry is changed or removed, but for what redact_audit takes from one that is older than entries are kept: all but its number,
-- time, action and outcome.
create or replace function guard_audit_entries() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  years integer := nullif(current_setting('audit.redact_years', true), '')::integer;
  emptied audit_entries;
begin
  if tg_op = 'UPDATE' and years >= 1 and old.redacted_at is null and old.at < now() - make_interval(years => years) then
    emptied.id := old.id;
    emptied.at := old.at;
    emptied.action := old.action;
    emptied.outcome := old.outcome;
    emptied.redacted_at := now();
    if new is not distinct from emptied then return new; end if;
  end if;
  raise exception 'Rows of % are never changed.', tg_table_name using errcode = 'insufficient_privilege';
end $$;

create or replace trigger audit_entries_append_only before update or delete on audit_entries
  for each row execute function guard_audit_entries();

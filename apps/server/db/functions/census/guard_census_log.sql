-- Nothing of the log is changed, but for the text and the person of an entry that is older than its facility keeps them, and
-- that only by redact_census_log.
create or replace function guard_census_log() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare buried census_log;
begin
  if tg_op = 'UPDATE' and current_setting('census.redacts', true) = 'on' and old.redacted_at is null
      and old.at < census_log_keeps_from(old.facility_no) then
    buried := old;
    buried.actor_id := null;
    buried.redacted_at := now();
    buried.entry := census_log_tombstone(old.facility_no, old.seq,
      (select log_retention_years from census_facilities where facility_no = old.facility_no));
    if new is not distinct from buried then return new; end if;
  end if;
  raise exception 'Rows of % are never changed.', tg_table_name using errcode = 'insufficient_privilege';
end $$;

create or replace trigger census_log_guard before update or delete on census_log
  for each row execute function guard_census_log();

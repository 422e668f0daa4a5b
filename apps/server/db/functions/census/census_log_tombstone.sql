-- What stands where the text of an entry was removed. One function that is not marked parallel safe keeps a whole statement on
-- one core: the walk over a log was.
create or replace function census_log_tombstone(p_facility integer, p_seq bigint, p_years integer) returns text language sql immutable
parallel safe as $$
  select '{"facility":' || p_facility || ',"redacted_after_years":' || p_years || ',"seq":' || p_seq || '}'
$$;

-- Empties the oldest entries that are older than so many years, at most so many, by the owner's right; the only way to it. Their
-- places and hashes stay. The first that is younger ends it. The head stays held; answers up to which place, null where none.
create or replace function redact_audit(p_years integer, p_most integer) returns bigint language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  v_from bigint := (select redacted_seq from audit_head for update);
  v_to bigint;
begin
  select max(seq) into v_to from (
    select c.seq, bool_and(e.at < now() - make_interval(years => p_years)) over (order by c.seq) as is_old
    from (select seq, entry_id from audit_chain where seq > v_from order by seq limit p_most) c
    join audit_entries e on e.id = c.entry_id) walked
  where is_old;
  if p_years < 1 or v_to is null then return null; end if;
  perform set_config('audit.redact_years', p_years::text, true);
  update audit_entries e set actor_id = null, facility_id = null, object_type = null, object_id = null, ip = null,
    session_hash = null, request_id = null, detail = null, redacted_at = now()
    from audit_chain c where c.entry_id = e.id and c.seq > v_from and c.seq <= v_to;
  perform set_config('audit.redact_years', '', true);
  update audit_head set redacted_seq = v_to;
  return v_to;
end $$;
revoke execute on function redact_audit from public;

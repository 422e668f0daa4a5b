-- Counts a refusal. The first of its kind in a quarter of an hour gets an audit entry and true; the next ones raise its count.
create or replace function note_refusal(
  p_hash bytea, p_actor_id uuid, p_facility_id uuid, p_action text, p_object_type text, p_object_id uuid, p_ip inet,
  p_session_hash bytea, p_request_id text, p_detail jsonb
) returns boolean language plpgsql as $$
declare
  times integer;
  entry bigint;
begin
  insert into audit_refusal_counts as counted (refusal_hash) values (p_hash)
  on conflict (refusal_hash) do update set count = counted.count + 1, last_at = now()
  returning count into times;
  if times > 1 then
    return false;
  end if;
  insert into audit_entries
    (actor_id, facility_id, action, object_type, object_id, outcome, ip, session_hash, request_id, detail)
  values (p_actor_id, p_facility_id, p_action, p_object_type, p_object_id, 'refused', p_ip, p_session_hash, p_request_id,
    p_detail)
  returning id into entry;
  update audit_refusal_counts set entry_id = entry where refusal_hash = p_hash;
  return true;
end $$;

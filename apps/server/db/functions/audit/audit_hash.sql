-- The hash of an entry at its place in the chain: SHA-256 over the hash before it, its place and its text, which is all that the
-- entry says as JSON with times in UTC.
create or replace function audit_hash(p_before bytea, p_seq bigint, e audit_entries) returns bytea language sql stable
parallel safe as $$
  select sha256(p_before || convert_to(p_seq || ' ' || jsonb_build_object(
    'id', e.id, 'at', to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'actor_id', e.actor_id,
    'facility_id', e.facility_id, 'action', e.action, 'object_type', e.object_type, 'object_id', e.object_id,
    'outcome', e.outcome, 'ip', e.ip::text, 'session_hash', encode(e.session_hash, 'hex'), 'request_id', e.request_id,
    'detail', e.detail)::text, 'UTF8'))
$$;

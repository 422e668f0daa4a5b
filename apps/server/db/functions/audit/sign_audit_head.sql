-- Puts the signature beside the end of the chain that it was made for.
create or replace function sign_audit_head(p_seq bigint, p_mac bytea) returns void language sql security definer
set search_path = public, pg_temp as $$
  update audit_head set mac = p_mac where seq = p_seq
$$;
revoke execute on function sign_audit_head from public;

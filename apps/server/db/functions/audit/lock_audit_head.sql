-- The end of the chain, held until the commit.
create or replace function lock_audit_head() returns table (seq bigint, hash bytea, mac bytea) language sql security definer
set search_path = public, pg_temp as $$
  select h.seq, h.hash, h.mac from audit_head h for update
$$;
revoke execute on function lock_audit_head from public;

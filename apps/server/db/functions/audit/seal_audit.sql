-- Gives entries that wait their place in the chain, the oldest first, at most so many; by the owner's right, the only way to it.
-- The head stays held until the commit, and lacks its signature until the caller has given it. Answers how many.
create or replace function seal_audit(p_most integer) returns integer language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  head audit_head;
  entry audit_entries;
  sealed integer := 0;
begin
  select * into head from audit_head for update;
  for entry in
    select e.* from audit_pending p join audit_entries e on e.id = p.entry_id order by p.entry_id limit p_most
  loop
    head.seq := head.seq + 1;
    head.hash := audit_hash(head.hash, head.seq, entry);
    insert into audit_chain (seq, entry_id, hash) values (head.seq, entry.id, head.hash);
    delete from audit_pending where entry_id = entry.id;
    sealed := sealed + 1;
  end loop;
  if sealed > 0 then
    update audit_head set seq = head.seq, hash = head.hash, mac = null;
  end if;
  return sealed;
end $$;
revoke execute on function seal_audit from public;

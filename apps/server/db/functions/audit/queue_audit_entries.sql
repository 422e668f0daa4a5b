-- Every entry waits for its place in the chain from the transaction on that adds it. By the owner's right: the server's role can
-- neither put an entry here nor take one away.
create or replace function queue_audit_entries() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  insert into audit_pending (entry_id) select id from added;
  return null;
end $$;

create or replace trigger audit_entries_queue after insert on audit_entries
  referencing new table as added for each statement execute function queue_audit_entries();

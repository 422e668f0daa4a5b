-- Sync finds a change by the transaction that made it; stamped here, no write can forget it.
create or replace function stamp_change() returns trigger language plpgsql as $$
begin
  new.changed_xid := pg_current_xact_id();
  return new;
end $$;

create or replace trigger chats_stamp_change before insert or update on chats
  for each row execute function stamp_change();
create or replace trigger chat_participants_stamp_change before insert or update on chat_participants
  for each row execute function stamp_change();

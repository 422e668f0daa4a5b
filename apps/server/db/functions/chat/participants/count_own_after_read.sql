-- Keeps how many messages of their own a participant has past what they have read and past where they joined. What they
-- send is added by append_messages; counted anew only where the marker moves over such messages, or back.
create or replace function count_own_after_read() returns trigger language plpgsql as $$
begin
  new.own_after_read := (
    select count(*) from messages m
    where m.chat_id = new.chat_id and m.sender_id = new.user_id and m.seq > greatest(new.read_seq, new.joined_seq)
  );
  return new;
end $$;

create or replace trigger chat_participants_count_own_first before insert on chat_participants
  for each row execute function count_own_after_read();
create or replace trigger chat_participants_count_own before update of read_seq, joined_seq on chat_participants
  for each row when (
    greatest(new.read_seq, new.joined_seq) < greatest(old.read_seq, old.joined_seq)
    or (greatest(new.read_seq, new.joined_seq) > greatest(old.read_seq, old.joined_seq) and old.own_after_read > 0)
  ) execute function count_own_after_read();

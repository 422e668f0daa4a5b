-- The first message of a chat past a seq that was stored at a time or later; null where there is none. Seqs have no gap and
-- times rise with them, so halving finds it by the key of the seqs in 17 looks of 100,000 messages, and no send keeps another
-- index for it.
create or replace function first_message_since(of_chat uuid, past_seq bigint, since timestamptz) returns bigint
  language plpgsql stable as $$
declare
  earlier bigint := past_seq;
  later bigint;
  middle bigint;
  stored_at timestamptz;
begin
  select head_seq + 1 into later from chats where id = of_chat;
  while later - earlier > 1 loop
    middle := (earlier + later) / 2;
    select created_at into stored_at from messages where chat_id = of_chat and seq = middle;
    if stored_at >= since then later := middle; else earlier := middle; end if;
  end loop;
  return (select seq from messages where chat_id = of_chat and seq = later);
end $$;

-- Has a chat looked at after a while, for whom to tell of its messages up to this one. Those that come meanwhile are looked at
-- together: the row is held until their commit, so whoever takes it out of the queue has seen them all.
create or replace function queue_chat_notification(of_chat uuid, to_seq bigint, after_s integer) returns void language plpgsql as $$
declare
  due timestamptz := clock_timestamp() + make_interval(secs => after_s);
  is_new boolean;
begin
  insert into chat_notification_queue as queued (chat_id, last_seq, due_at) values (of_chat, to_seq, due)
    on conflict (chat_id) do update set last_seq = greatest(queued.last_seq, excluded.last_seq)
    returning xmax = 0 into is_new;
  if is_new then
    insert into jobs (id, kind, is_pressing, payload, run_at)
      values (gen_random_uuid(), 'notifications.chat', true, jsonb_build_object('chat_id', of_chat), due);
  end if;
end $$;

-- Who is in a chat by a role or an emergency access is in it no longer by the clock alone: who sends asks whether there is such a place.
create index chat_participants_ending on chat_participants (chat_id)
  where left_at is null and (role_ids is not null or emergency_id is not null);

-- What somebody waits for, or ends a right, has lanes of its own: it waits behind no mail.
alter table jobs add column is_pressing boolean not null default false;
create index jobs_pressing_idx on jobs (run_at, id) where dead_at is null and is_pressing;
update jobs set is_pressing = true where kind in ('chat.emergency.end', 'notifications.chat', 'notifications.push');

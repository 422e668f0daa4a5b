-- Who is in a chat by a role or an emergency access is in it no longer by the clock alone: who sends asks whether there is such a place.
create index chat_participants_ending on chat_participants (chat_id)
  where left_at is null and (role_ids is not null or emergency_id is not null);

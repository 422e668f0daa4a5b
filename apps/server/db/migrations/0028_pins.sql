-- Pinned messages of a chat (CHAT-11). Reasons: docs/decisions/029-pins.md

-- {at, user_id, name} of who pinned it.
alter table messages add column pinned jsonb check (jsonb_typeof(pinned) = 'object');
create index messages_pinned_idx on messages (chat_id, seq) where pinned is not null;

-- How many are, kept under the chat's lock by what pins, unpins and deletes.
alter table chats add column pin_count integer not null default 0 check (pin_count between 0 and 50);

-- Forwarded messages (CHAT-11). Reasons: docs/decisions/032-forwards.md

-- {sender: {id, name, title}, sent_at, patient: {name, identifier, born_on} | null, source: {chat_id, message_id}} of what was said
-- elsewhere; its text is the message's own. Null where it was said here.
alter table messages add column forwarded jsonb check (jsonb_typeof(forwarded) = 'object');

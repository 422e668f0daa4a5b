-- From which message a person keeps a chat as unread, a pointer of its own beside the markers, which only rise (CHAT-5).

alter table chat_participants add column marked_unread_seq bigint check (marked_unread_seq > 0);

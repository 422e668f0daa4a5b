-- A chat that a person keeps at hand: first among what is read, and under one filter. Nobody else is told.

alter table chat_participants add column is_favorite boolean not null default false;

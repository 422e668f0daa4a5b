-- Files of messages (CHAT-14). Reasons: docs/decisions/031-attachments.md

-- Another shape of the call needs another function: functions/chat make them anew.
drop function if exists send_messages(uuid, integer, uuid[], uuid[], uuid[], text[], uuid[], timestamptz[], jsonb[]);
drop function if exists append_messages(uuid, uuid[], uuid[], uuid[], text, text[], uuid[], timestamptz[], text, uuid);

-- A file from the first byte of its upload until its message is deleted.
create table attachments (
  id uuid primary key,
  chat_id uuid not null,
  facility_id uuid not null,
  uploader_id uuid not null references users,
  -- Null until it is sent.
  message_id uuid references messages,
  -- removing: nobody is given it any more, and a job takes the files away. removed: that is done.
  state text not null default 'uploading' check (state in ('uploading', 'ready', 'removing', 'removed')),
  -- Names the stored files; 16 random bytes. What was forwarded shares the files of what it was copied from.
  key text not null check (key ~ '^[A-Za-z0-9_-]{22}$'),
  copied_from uuid references attachments,
  name text not null check (char_length(name) between 1 and 200),
  -- As the upload was announced. What is stored has another size: pictures are made anew.
  upload_bytes bigint not null check (upload_bytes > 0),
  received_bytes bigint not null default 0 check (received_bytes between 0 and upload_bytes),
  bytes bigint check (bytes > 0),
  kind text check (kind in ('image', 'pdf', 'audio', 'video', 'office', 'dicom')),
  mime text,
  sha256 bytea check (octet_length(sha256) = 32),
  width integer check (width > 0),
  height integer check (height > 0),
  blurhash text,
  created_at timestamptz not null default now(),
  -- When it is removed if it was not sent by then.
  expires_at timestamptz,
  foreign key (chat_id, facility_id) references chats (id, facility_id),
  check (
    state <> 'ready'
    or (kind is not null and mime is not null and bytes is not null and sha256 is not null and received_bytes = upload_bytes)
  ),
  check ((kind = 'image') = (blurhash is not null and width is not null and height is not null)),
  check (message_id is null or state <> 'uploading')
);
create index attachments_key_idx on attachments (key);
-- What refers to a file is looked up when an unsent one is removed.
create index attachments_copied_from_idx on attachments (copied_from) where copied_from is not null;
create index attachments_message_idx on attachments (message_id) where message_id is not null;
-- How much a person has sent in a day.
create index attachments_uploader_idx on attachments (uploader_id, created_at) where copied_from is null;

alter table messages
  -- [{id, kind, name, mime, bytes, width, height, blurhash}] as the contract states them; null where there is none.
  add column attachments jsonb check (jsonb_typeof(attachments) = 'array'),
  drop constraint messages_body_check,
  -- What is deleted says nothing; everything else says something, in words or by its files.
  add constraint messages_body_check check (
    char_length(body) <= 8000
    and case when deleted_at is null then body <> '' or attachments is not null else body = '' and attachments is null end
  );

-- A message of files alone has had an empty text.
alter table message_versions
  drop constraint message_versions_body_check,
  add constraint message_versions_body_check check (char_length(body) <= 8000);

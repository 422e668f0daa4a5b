-- Places on pictures that findings point to (EXAM-2), and the pictures of a chat. Reasons: docs/decisions/064-pictures-and-regions.md

-- [{attachment_id, shape, x, y, width, height, frame?}] as the contract states them; which pictures they may name is asked when they are entered.
alter table examination_entries
  add column regions jsonb not null default '[]' check (jsonb_typeof(regions) = 'array' and jsonb_array_length(regions) <= 8);

-- A page of the pictures of a chat, the newest first; ids are made as UUIDv7.
create index attachments_pictures_idx on attachments (chat_id, id desc)
  where kind in ('image', 'dicom') and message_id is not null and state = 'ready';

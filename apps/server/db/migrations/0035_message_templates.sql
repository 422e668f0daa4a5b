-- Message templates of a facility (CHAT-10): texts that its members begin a message with. They say nothing about any patient.

create table message_templates (
  id uuid primary key,
  facility_id uuid not null references facilities,
  title text not null check (char_length(title) between 1 and 60),
  body text not null check (char_length(body) between 1 and 4000),
  version integer not null default 1,
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index message_templates_title_key on message_templates (facility_id, lower(title));
-- A page is read by facility in the order of making; ids are made as UUIDv7.
create index message_templates_page_idx on message_templates (facility_id, id);

-- The system administration (ADM-2). Reasons: docs/decisions/052-system-administration.md

-- Why an account may not sign in; gone with its being enabled.
alter table users
  add column disabled_reason text check (char_length(disabled_reason) between 3 and 300),
  add constraint users_reason_while_disabled_check check (disabled_reason is null or disabled_at is not null);
-- All accounts by name, the disabled ones too.
create index users_listed_idx on users (name collate "und-x-icu", id);
create index users_operators_idx on users (id) where is_operator;

-- Made by a system administrator for who is to administer a facility that nobody administers.
alter table invitations add column is_for_administrator boolean not null default false;

create index jobs_dead_idx on jobs (id desc) where dead_at is not null;

-- How much is stored, and how much is on its way.
create index attachments_stored_idx on attachments (bytes) where state = 'ready' and copied_from is null;
create index attachments_unfinished_idx on attachments (id) where state = 'uploading';

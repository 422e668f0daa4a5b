-- For a database that was made before migrations had checksums and has 0004_accounts, perhaps by its first text: this makes
-- what the later one made, and changes nothing where it stands already. Views follow from db/functions.

do $$
begin
  if exists (select from information_schema.columns
      where table_schema = 'public' and table_name = 'password_resets' and column_name = 'job_id') then
    return;
  end if;
  -- A link lives for half an hour: whoever waits for one asks again.
  drop table password_resets;
  create table password_resets (
    job_id uuid primary key,
    user_id uuid not null references users on delete cascade,
    token_hash bytea not null unique check (octet_length(token_hash) = 32),
    created_at timestamptz not null default now(),
    expires_at timestamptz not null
  );
  create index password_resets_user_idx on password_resets (user_id, created_at);
  create index password_resets_created_at_idx on password_resets (created_at);
  drop index invitations_facility_idx;
  create index invitations_facility_idx on invitations (facility_id, id desc);
end $$;

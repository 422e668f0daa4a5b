-- Members are listed and searched by name in the order of people, not of bytes: a page is a walk along this index.
create index users_name_idx on users (name collate "und-x-icu", id) where disabled_at is null;

-- Who is on call (CHAT-19): roles of a facility, and who holds each from when until when. A role has one holder at a time, which
-- the database itself sees to. Times are instants: neither midnight nor a change of clocks is anything to them.

alter table memberships add column phone text check (char_length(phone) between 1 and 40);

create table on_call_roles (
  id uuid primary key,
  facility_id uuid not null references facilities,
  name text not null check (char_length(name) between 1 and 80),
  unit_id uuid,
  phone text check (char_length(phone) between 1 and 40),
  version integer not null default 1,
  -- Kept, since what was told to its holders names it.
  retired_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (id, facility_id),
  foreign key (unit_id, facility_id) references units (id, facility_id)
);
create unique index on_call_roles_name_key on on_call_roles (facility_id, lower(name)) where retired_at is null;
create index on_call_roles_order_idx on on_call_roles (facility_id, name collate "und-x-icu", id) where retired_at is null;

create table on_call_shifts (
  id uuid primary key,
  facility_id uuid not null,
  role_id uuid not null,
  user_id uuid not null references users,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  foreign key (role_id, facility_id) references on_call_roles (id, facility_id),
  check (starts_at < ends_at),
  constraint on_call_shifts_one_holder exclude using gist (role_id with =, tstzrange(starts_at, ends_at) with &&)
);
-- Shifts of a role do not overlap, so the order of their ends is that of their beginnings.
create index on_call_shifts_role_idx on on_call_shifts (role_id, ends_at);
create index on_call_shifts_user_idx on on_call_shifts (user_id, ends_at);

-- Roles that exist: who talks with people sees their numbers and may be on call; who decides who belongs plans it.
update roles set permissions = permissions || '{on_call.take,phones.view}' where 'chats.create' = any(permissions);
update roles set permissions = permissions || '{on_call.manage}'
where 'members.manage' = any(permissions) or (name = 'House supervisor' and 'chats.create' = any(permissions));

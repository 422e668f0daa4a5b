-- Break-glass: a case chat is opened from outside with a reason (PERM-4). Reasons: docs/decisions/051-emergency-access.md

create table emergency_accesses (
  id uuid primary key,
  facility_id uuid not null references facilities,
  chat_id uuid not null,
  user_id uuid not null references users,
  reason text not null check (char_length(reason) between 10 and 300),
  opened_at timestamptz not null default now(),
  ends_at timestamptz not null,
  verdict text check (verdict in ('justified', 'not_justified')),
  review_note text check (char_length(review_note) between 1 and 500),
  reviewed_by uuid references users,
  reviewed_at timestamptz,
  foreign key (chat_id, facility_id) references chats (id, facility_id),
  check (ends_at > opened_at),
  check (reviewed_by <> user_id),
  check (num_nulls(verdict, reviewed_by, reviewed_at) in (0, 3)),
  check (review_note is null or verdict is not null)
);
create index emergency_accesses_list on emergency_accesses (facility_id, opened_at desc, id desc);
create index emergency_accesses_waiting on emergency_accesses (facility_id, opened_at desc, id desc) where verdict is null;

-- By which somebody is in the chat for some hours; null for everybody who was added.
alter table chat_participants add column emergency_id uuid references emergency_accesses;

-- The chats of a patient, by the number that a person has before them.
create index chats_of_patient on chats (facility_id, lower(patient_identifier)) where kind = 'case';

-- Who examines and signs may be called to a patient whose chat nobody has added them to.
update roles set permissions = permissions || '{chats.break_glass}'
where 'examinations.sign' = any(permissions) and not 'chats.break_glass' = any(permissions);

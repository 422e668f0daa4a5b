-- Urgent messages and the engine that calls on until somebody accepts them (URG-1). Reasons: docs/decisions/033-urgent-messages.md

-- What all who read the message see of its call; kept beside it so that a page of messages has it, made anew from the rows below
-- with each change.
alter table messages add column urgent jsonb check (jsonb_typeof(urgent) = 'object');
-- How many urgent messages of a chat are not over, kept under the chat's lock.
alter table chats add column urgent_count integer not null default 0 check (urgent_count >= 0);

create table escalation_ladders (
  facility_id uuid primary key references facilities,
  -- [{after_min, call}], in their order.
  steps jsonb not null check (jsonb_typeof(steps) = 'array'),
  fallback_role_id uuid,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  foreign key (fallback_role_id, facility_id) references on_call_roles (id, facility_id)
);

create table escalations (
  id uuid primary key,
  facility_id uuid not null references facilities,
  -- What is escalated, and its id there.
  subject text not null check (subject in ('message')),
  subject_id uuid not null,
  started_by uuid not null references users,
  started_at timestamptz not null,
  -- {targets, next, steps} as they were when it began: a ladder that is changed meanwhile changes nothing under way.
  plan jsonb not null check (jsonb_typeof(plan) = 'object'),
  state text not null check (state in ('calling', 'exhausted', 'accepted', 'closed', 'withdrawn')),
  version integer not null,
  step smallint not null check (step >= 0),
  reminders smallint not null default 0 check (reminders >= 0),
  -- When the clock has something to do about it; null where it has not.
  due_at timestamptz,
  unique (subject, subject_id),
  check (due_at is null or state in ('calling', 'accepted'))
);
create index escalations_due_idx on escalations (due_at) where due_at is not null;
create index escalations_open_by_idx on escalations (started_by, started_at, id)
  where state in ('calling', 'exhausted', 'accepted');

create table escalation_people (
  escalation_id uuid not null references escalations,
  user_id uuid not null references users,
  -- As whose holder the person was called first; null by name.
  role_id uuid references on_call_roles,
  called_at timestamptz not null,
  times integer not null,
  delivered_at timestamptz,
  seen_at timestamptz,
  accepted_at timestamptz,
  -- What it waits for from this person: that they accept, or that they say what was done.
  waits_for text check (waits_for in ('accept', 'act')),
  primary key (escalation_id, user_id)
);
create index escalation_people_waiting_idx on escalation_people (user_id, called_at, escalation_id) where waits_for is not null;
create index escalation_people_unseen_idx on escalation_people (user_id) where seen_at is null;

-- What happened, in order; never changed.
create table escalation_entries (
  escalation_id uuid not null references escalations,
  place integer not null,
  at timestamptz not null,
  -- When the clock should have done it; null for what a person did.
  due_at timestamptz,
  kind text not null check (kind in (
    'sent', 'repeated', 'climbed', 'exhausted', 'accepted', 'reminded', 'resumed', 'acted', 'withdrawn')),
  user_id uuid references users,
  called uuid[] not null default '{}',
  note text check (char_length(note) between 1 and 280),
  primary key (escalation_id, place)
);

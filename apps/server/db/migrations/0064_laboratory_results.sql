-- Laboratory results from the feed (HL7 v2 ORU^R01). Reasons: docs/decisions/069-laboratory-results.md

-- How a facility hears its laboratory: whose patient numbers count (PID-3.4; null: all), whom a critical result calls where the bed's unit
-- has no role of its own, and what local codes mean: [{code, loinc}].
create table laboratory_feeds (
  facility_id uuid primary key references facilities,
  version integer not null default 1,
  authority text check (char_length(authority) between 1 and 60),
  critical_role_id uuid,
  codes jsonb not null default '[]' check (jsonb_typeof(codes) = 'array' and jsonb_array_length(codes) <= 500),
  updated_at timestamptz not null default now(),
  foreign key (critical_role_id, facility_id) references on_call_roles (id, facility_id)
);

-- Each message that was taken, once: by its content, of which the control id is a part.
create table laboratory_messages (
  id uuid primary key,
  facility_id uuid not null references facilities,
  content_hash bytea not null check (octet_length(content_hash) = 32),
  control_id text not null check (char_length(control_id) <= 199),
  sender text check (char_length(sender) <= 80),
  reports integer not null check (reports >= 0),
  received_at timestamptz not null default now(),
  unique (id, facility_id),
  unique (facility_id, content_hash)
);
create index laboratory_messages_newest_idx on laboratory_messages (facility_id, id desc);

-- Each report of a message and what became of it. `report` is all that was read of it, with what came before; null once it is old and closed.
create table laboratory_results (
  id uuid primary key,
  facility_id uuid not null,
  message_id uuid not null,
  -- In its message, from 1.
  place integer not null check (place > 0),
  -- Of the same report in all its messages: the laboratory, its number, the code of what was asked for.
  report_key text not null check (char_length(report_key) between 1 and 400),
  reported_at timestamptz not null,
  report jsonb check (jsonb_typeof(report) = 'object'),
  -- filed: stands in an examination; outdated: older than what stood already; replaced: a newer one waits in its place.
  state text not null check (state in ('filed', 'unmatched', 'set_aside', 'outdated', 'replaced')),
  -- Why it matched no chat.
  why text check (char_length(why) between 1 and 300),
  examination_id uuid references examinations,
  -- Of what is filed: whose it is and how sure, as examination_imports has it of the first.
  origin jsonb check (jsonb_typeof(origin) = 'object'),
  version integer not null default 1 check (version > 0),
  received_at timestamptz not null default now(),
  closed_by uuid references users,
  closed_at timestamptz,
  reason text check (char_length(reason) between 1 and 500),
  foreign key (message_id, facility_id) references laboratory_messages (id, facility_id),
  unique (message_id, place),
  check ((state = 'filed') = (examination_id is not null) or state = 'outdated'),
  check ((closed_by is null) = (closed_at is null)),
  check (state <> 'unmatched' or (why is not null and report is not null))
);
create index laboratory_results_key_idx on laboratory_results (facility_id, report_key, id desc);
create index laboratory_results_waiting_idx on laboratory_results (facility_id, id desc) where state = 'unmatched';
create index laboratory_results_set_aside_idx on laboratory_results (facility_id, id desc) where state = 'set_aside';
create index laboratory_results_examination_idx on laboratory_results (examination_id, reported_at desc, id desc) where state = 'filed';
create index laboratory_results_closed_by_idx on laboratory_results (closed_by, id) where closed_by is not null;
-- What is old and closed is emptied by this.
create index laboratory_results_old_idx on laboratory_results (received_at)
  where report is not null and state in ('set_aside', 'outdated', 'replaced');

-- A laboratory writes the number of a patient with or without marks and 'MRN': so it is looked for.
create index chats_of_folded_patient on chats
  (facility_id, regexp_replace(regexp_replace(lower(patient_identifier), '[^[:alnum:]]', '', 'g'), '^mrn', '')) where kind = 'case';

-- Roles that exist: who signs examinations and answers for a unit's report.
update roles set permissions = permissions || '{results.assign}'
where 'examinations.sign' = any(permissions) and 'census.report_units' = any(permissions);

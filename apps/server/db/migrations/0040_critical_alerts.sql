-- Critical results: what was decided at the signature, the alert, and each read-back (EXAM-5). Reasons: docs/decisions/039-critical-results.md

-- An alert is received and read back, rightly or not.
alter table escalation_entries
  drop constraint escalation_entries_kind_check,
  add constraint escalation_entries_kind_check check (kind in (
    'sent', 'repeated', 'climbed', 'exhausted', 'received', 'misread', 'accepted', 'reminded', 'resumed', 'acted', 'withdrawn'));

-- It is called by an urgent message, whose escalation holds who was called.
create table critical_alerts (
  id uuid primary key,
  facility_id uuid not null references facilities,
  chat_id uuid not null,
  message_id uuid not null unique references messages,
  examination_id uuid not null references examinations,
  report_version integer not null,
  -- Where the patient's bed was; null where no unit has such a bed.
  unit_id uuid,
  category text not null check (category in ('minutes', 'hours', 'days')),
  state text not null check (state in (
    'identified', 'notifying', 'escalated', 'exhausted', 'received', 'read_back_ok', 'acted', 'closed', 'withdrawn')),
  version integer not null default 1 check (version > 0),
  -- [{field, label, value, unit, interpretation}], and {name, identifier, born_on}, as they were when it was raised: what a
  -- read-back is compared with.
  findings jsonb not null check (jsonb_typeof(findings) = 'array'),
  patient jsonb not null check (jsonb_typeof(patient) = 'object'),
  identified_at timestamptz not null,
  notified_at timestamptz,
  received_at timestamptz,
  read_back_at timestamptz,
  acted_at timestamptz,
  closed_at timestamptz,
  foreign key (chat_id, facility_id) references chats (id, facility_id),
  foreign key (unit_id, facility_id) references units (id, facility_id),
  foreign key (examination_id, report_version) references examination_reports (examination_id, version),
  check ((state = 'closed') = (closed_at is not null))
);
create index critical_alerts_examination_idx on critical_alerts (examination_id, id desc);
-- The times of some months of a facility are read from the index alone.
create index critical_alerts_times_idx on critical_alerts (facility_id, identified_at)
  include (unit_id, category, state, notified_at, received_at, read_back_at, acted_at);

-- What was said, and what of it did not agree: [{part, label}]. Never changed.
create table critical_read_backs (
  alert_id uuid not null references critical_alerts,
  place integer not null check (place > 0),
  user_id uuid not null references users,
  at timestamptz not null,
  is_right boolean not null,
  said jsonb not null check (jsonb_typeof(said) = 'object'),
  wrong jsonb not null check (jsonb_typeof(wrong) = 'array'),
  primary key (alert_id, place),
  check (is_right = (wrong = '[]'))
);

-- Of each signed version that brought a critical finding: the alert that was raised, or why none was. Never changed.
create table critical_decisions (
  examination_id uuid not null,
  report_version integer not null,
  decided_by uuid not null references users,
  decided_at timestamptz not null,
  alert_id uuid references critical_alerts,
  reason text check (char_length(reason) between 1 and 500),
  primary key (examination_id, report_version),
  foreign key (examination_id, report_version) references examination_reports (examination_id, version),
  check ((alert_id is null) <> (reason is null))
);

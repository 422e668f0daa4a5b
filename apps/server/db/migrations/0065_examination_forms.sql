-- Forms that a facility edits itself (EXAM-1, EXAM-2). Reasons: docs/decisions/071-examination-forms.md

-- Who published a version; null of those that come with Wardline and of those that were made of files.
alter table examination_templates add column published_by uuid references users;

-- A form of a facility and what is written of its next version. What was published stands in examination_templates, by the same id.
create table examination_forms (
  id uuid primary key,
  facility_id uuid not null references facilities,
  -- The shipped form in whose place it stands once it is published, and which of its versions was copied.
  copied_from uuid,
  copied_version integer,
  state text not null default 'in_use' check (state in ('in_use', 'retired', 'shipped_again')),
  -- The last that was published; 0 before the first.
  version integer not null default 0 check (version >= 0),
  -- Of everything that can be changed, the draft included.
  revision integer not null default 1 check (revision > 0),
  draft jsonb check (jsonb_typeof(draft -> 'fields') = 'array'),
  created_at timestamptz not null default now(),
  changed_by uuid not null references users,
  changed_at timestamptz not null default now(),
  foreign key (copied_from, copied_version) references examination_templates (id, version),
  -- Each shipped form has one copy, so that it is clear which of them stands in its place.
  unique (facility_id, copied_from),
  check ((copied_from is null) = (copied_version is null)),
  check (state <> 'shipped_again' or copied_from is not null),
  check (version > 0 or draft is not null)
);
-- The forms of a facility are listed by id.
create index examination_forms_facility_idx on examination_forms (facility_id, id);

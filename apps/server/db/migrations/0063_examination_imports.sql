-- Reports that were taken over from a FHIR file (EXAM-6). Reasons: docs/decisions/068-fhir-import.md

-- What was reported elsewhere: once in each chat, and never changed. `origin` is what the file says of it that an examination has no
-- place for: status, times, people, the signed text, who signed and who was called.
create table examination_imports (
  examination_id uuid primary key references examinations,
  chat_id uuid not null,
  facility_id uuid not null,
  identifier text not null check (char_length(identifier) between 1 and 1000),
  -- Of the report in its file: another version of the same report has the same.
  report_id uuid not null,
  origin jsonb not null check (jsonb_typeof(origin) = 'object'),
  imported_by uuid not null references users,
  imported_at timestamptz not null,
  foreign key (chat_id, facility_id) references chats (id, facility_id),
  unique (chat_id, identifier)
);
create index examination_imports_report_idx on examination_imports (chat_id, report_id);

-- A form that was made of a file is nothing that anybody begins by: the list of forms reads the others alone.
create index examination_templates_begun_idx on examination_templates (id, version desc) where not (definition ? 'is_imported');

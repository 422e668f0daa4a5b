-- Messages that cite findings (EXAM-1). Reasons: docs/decisions/045-cited-findings.md

alter table messages
  -- [{examination_id, title, field, label, value, unit, interpretation, report_version, now}] as the contract states them: what was
  -- said when it was cited, and what became of it. Null where there is none.
  add column citations jsonb check (jsonb_typeof(citations) = 'array');

-- Which messages cite what; gone with what a deleted message said.
create table message_citations (
  message_id uuid not null references messages,
  -- From 1, in the order in which they were chosen.
  place integer not null check (place > 0),
  examination_id uuid not null,
  field text not null check (char_length(field) between 1 and 60),
  report_version integer not null,
  -- Of the message, for the order of a page.
  seq bigint not null,
  primary key (message_id, place),
  unique (message_id, examination_id, field),
  foreign key (examination_id, report_version) references examination_reports (examination_id, version)
);
create index message_citations_examination_idx on message_citations (examination_id, seq desc);

-- When a finding was made, where the laboratory or a file says another time for it than for its report (EXAM-2). Reasons: docs/decisions/069-laboratory-results.md

alter table examination_entries add column observed_at timestamptz;

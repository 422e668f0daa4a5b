-- A facility that a system administrator has closed. Reasons: docs/decisions/062-deactivating-a-facility.md

-- Since when nothing of it is given to anybody; null while it is open.
alter table facilities add column deactivated_at timestamptz;

-- A reason for a head count belongs to the numbers it was given for, and to whoever gave it.

-- Has all columns of the table, and is made again from its file.
drop view if exists reported_unit_census;

alter table unit_census
  -- By how many the head count differed from who should have been there.
  add column variance_for smallint,
  add column variance_by uuid references users,
  add column counted_by uuid references users;

-- What was handed in was right for its numbers, or explained by a restatement; of drafts the numbers that stand there are known alone.
update unit_census set variance_for = counted - (closing - on_leave) where variance_reason is not null;

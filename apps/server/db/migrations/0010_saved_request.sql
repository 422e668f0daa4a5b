-- Whose entry a report is, and by which of their requests: what replaces that request, since its answer was lost, is no
-- conflict. Null where an act has changed the report since, or it was written before this was noted.

-- Has all columns of the table, and is made again from its file.
drop view if exists reported_unit_census;

alter table unit_census add column saved_by uuid references users, add column saved_request uuid;

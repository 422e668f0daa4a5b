-- Unusual counts that whoever submitted the report was asked about and said to be right: [{field, count, least, most}].
alter table unit_census add column confirmed jsonb;

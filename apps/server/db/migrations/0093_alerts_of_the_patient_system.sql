-- A patient system that has fallen silent, or whose messages are refused, raises an alert of the whole facility.
alter table census_alerts drop constraint census_alerts_rule_check;
alter table census_alerts add constraint census_alerts_rule_check check (rule in ('over_high', 'over_staffed', 'report_missing',
  'transfer_gap', 'head_count_variance', 'often_restated', 'forecast_breach', 'feed_silent', 'feed_refused')) not valid;
alter table census_alerts validate constraint census_alerts_rule_check;

-- A refused message that comes again is found by its number.
create index adt_rejects_control_idx on adt_rejects (facility_no, control_id);

-- When a facility's patient system was heard last is asked every minute, also of one that has been silent for months.
create index adt_events_heard_idx on adt_events (facility_no, received_at);

-- From which census date on the patient system says something of the reports; null: it is heard, and not told of yet. Before
-- that date those who are in are brought in, or the feed would begin with empty units.
alter table census_facilities add column feed_live_from date;
-- Where it was told of before there was a start, it goes on.
update census_facilities f set feed_live_from = m.first
  from (select facility_no, min(census_date) as first from adt_movements group by facility_no) m
  where m.facility_no = f.facility_no;

-- What a refused message is found by and mended with, none of it about a patient.
alter table adt_rejects
  add column answer text not null default 'AE' check (answer in ('AE', 'AR')),
  -- HL7 table 0357; 207 of those that came before codes were told apart.
  add column code smallint not null default 207 check (code between 100 and 299),
  -- MSH-3 and MSH-4, MSH-9, and when it says that it was sent.
  add column sender text check (char_length(sender) <= 80),
  add column kind text check (char_length(kind) <= 40),
  -- False where more came than is kept: it cannot be tried again.
  add column is_whole boolean not null default true,
  add column tries integer not null default 1 check (tries > 0),
  add column tried_at timestamptz not null default now();
update adt_rejects set is_whole = char_length(message) < 65536, tried_at = received_at;
drop index adt_rejects_facility_idx;
create index adt_rejects_facility_idx on adt_rejects (facility_no, id);

-- Somebody whom the patient system moved or discharged, and never admitted. It counts nothing until a person says that they
-- were in, or it tells of the admission after all.
create table adt_unknown_stays (
  id uuid primary key,
  facility_no integer not null references census_facilities,
  visit_key bytea not null check (octet_length(visit_key) = 32),
  -- MSH-10: by this the patient system finds of whom it spoke.
  control_id text not null check (char_length(control_id) between 1 and 199),
  kind text not null check (kind in ('discharge', 'death', 'transfer')),
  at timestamptz not null,
  census_date date not null,
  -- Where they were, as far as the message says; of a transfer also where they went.
  unit_no integer references census_units,
  to_unit_no integer references census_units,
  class census_class not null,
  state text not null default 'open' check (state in ('open', 'agreed', 'taken', 'dismissed')),
  version integer not null default 1,
  raised_at timestamptz not null default now(),
  closed_at timestamptz,
  closed_by uuid references users,
  reason text check (char_length(reason) <= 500),
  constraint closed_has_time check ((state = 'open') = (closed_at is null)),
  constraint dismissed_says_why check (
    state <> 'dismissed' or (closed_by is not null and coalesce(char_length(btrim(reason)), 0) >= 5)),
  constraint taken_has_unit check (state <> 'taken' or (closed_by is not null and unit_no is not null))
);
create unique index adt_unknown_stays_open_key on adt_unknown_stays (facility_no, visit_key) where state = 'open';
create unique index adt_unknown_stays_message_key on adt_unknown_stays (facility_no, visit_key, control_id);
create index adt_unknown_stays_list_idx on adt_unknown_stays (facility_no, state, id);

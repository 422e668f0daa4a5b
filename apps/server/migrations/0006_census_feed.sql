-- What a patient system tells by HL7 v2: events of visits, kept without a name. They pre-fill and cross-check the reports.

create table adt_events (
  event_no bigint generated always as identity primary key,
  facility_no integer not null references census_facilities,
  -- MSH-10: a message that comes again is the same message.
  control_id text not null check (char_length(control_id) between 1 and 199),
  -- Keyed hash of the visit number; the number itself is not kept.
  visit_key bytea not null check (octet_length(visit_key) = 32),
  trigger text not null check (trigger ~ '^A\d\d$'),
  at timestamptz not null,
  unit_no integer references census_units,
  class census_class not null,
  is_birth boolean not null default false,
  is_death boolean not null default false,
  received_at timestamptz not null default now()
);
-- A swap of two patients is one message about two visits.
create unique index adt_events_message_key on adt_events (facility_no, control_id, visit_key);
create index adt_events_visit_idx on adt_events (facility_no, visit_key, at, event_no);
create index adt_events_received_idx on adt_events (received_at);

-- A merge (A40) says that one visit is another: all that came and comes under the first key belongs to the second.
create table adt_merges (
  facility_no integer not null references census_facilities,
  from_key bytea not null check (octet_length(from_key) = 32),
  into_key bytea not null check (octet_length(into_key) = 32),
  control_id text not null,
  received_at timestamptz not null default now(),
  primary key (facility_no, from_key),
  check (from_key <> into_key)
);
create index adt_merges_into_idx on adt_merges (facility_no, into_key);

-- What the events of a visit come to; written anew whenever one of them comes.
create table adt_movements (
  facility_no integer not null references census_facilities,
  visit_key bytea not null,
  place smallint not null,
  at timestamptz not null,
  census_date date not null,
  kind text not null check (kind in ('admission', 'birth', 'transfer_in', 'transfer_out', 'discharge', 'death')),
  unit_no integer not null references census_units,
  partner_unit_no integer references census_units,
  class census_class not null,
  is_same_day boolean not null default false,
  is_under_48h boolean not null default false,
  primary key (facility_no, visit_key, place)
);
create index adt_movements_day_idx on adt_movements (facility_no, census_date, unit_no);

create table adt_stays (
  facility_no integer not null references census_facilities,
  visit_key bytea not null,
  place smallint not null,
  unit_no integer not null references census_units,
  class census_class not null,
  is_leave boolean not null,
  during tstzrange not null check (not isempty(during)),
  primary key (facility_no, visit_key, place)
);
create index adt_stays_unit_idx on adt_stays using gist (unit_no, during);

-- Beds that nobody can lie in now (A20), by the patient system.
create table adt_beds (
  facility_no integer not null references census_facilities,
  unit_no integer not null references census_units,
  bed text not null check (char_length(bed) between 1 and 60),
  -- HL7 table 0116.
  status text not null check (status in ('C', 'H', 'I', 'K', 'O', 'U')),
  at timestamptz not null,
  primary key (unit_no, bed)
);

-- What could not be taken, as it came, until somebody has looked at it; purged after a while, since it names people.
create table adt_rejects (
  id uuid primary key,
  facility_no integer not null references census_facilities,
  control_id text,
  reason text not null check (char_length(reason) between 1 and 300),
  message text not null check (char_length(message) <= 65536),
  received_at timestamptz not null default now()
);
create index adt_rejects_received_idx on adt_rejects (received_at);
create index adt_rejects_facility_idx on adt_rejects (facility_no, received_at desc);

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

-- One message about a visit at a time: a later one waits for the commit of the one before.
create function lock_adt_visit(p_facility integer, p_visit bytea) returns void language sql as $$
  select pg_advisory_xact_lock(p_facility, ('x' || encode(substring(p_visit for 4), 'hex'))::bit(32)::integer)
$$;

-- All that is kept of a visit: its events, and what was made of them.
create function known_adt_visit(p_facility integer, p_visit bytea)
returns table (visit_key bytea, events json, movements json, stays json) language sql stable as $$
  select p_visit,
    (select coalesce(json_agg(e), '[]') from (
      select trigger, at, event_no, unit_no, class, is_birth, is_death from adt_events
      where facility_no = p_facility and visit_key = p_visit) e),
    (select coalesce(json_agg(m order by m.place), '[]') from (
      select place, at, census_date, kind, unit_no, partner_unit_no, class, is_same_day, is_under_48h from adt_movements
      where facility_no = p_facility and visit_key = p_visit) m),
    (select coalesce(json_agg(s order by s.place), '[]') from (
      select place, unit_no, class, is_leave, lower(during) as since, upper(during) as until from adt_stays
      where facility_no = p_facility and visit_key = p_visit) s)
$$;

-- Keeps an event under the visit that its visit is now, at the end of the chain of merges, and answers all that is known of
-- that one; nothing where this message is there already. In one round trip: what follows the lock sees what it waited for.
create function keep_adt_event(p_facility integer, p_control text, p_visit bytea, p_trigger text, p_at timestamptz,
  p_unit integer, p_class text, p_birth boolean, p_death boolean)
returns table (visit_key bytea, events json, movements json, stays json) language plpgsql
-- A plan that was made while the tables were small would read all of a facility for ever.
set plan_cache_mode = force_custom_plan as $$
declare v_visit bytea;
begin
  perform lock_adt_visit(p_facility, p_visit);
  with recursive chain(key, depth) as (
    select p_visit, 0
    union all
    select m.into_key, c.depth + 1 from chain c
    join adt_merges m on m.facility_no = p_facility and m.from_key = c.key where c.depth < 50)
  insert into adt_events as e (facility_no, control_id, visit_key, trigger, at, unit_no, class, is_birth, is_death)
  select p_facility, p_control, key, p_trigger, p_at, p_unit, p_class, p_birth, p_death
  from chain order by depth desc limit 1
  on conflict do nothing returning e.visit_key into v_visit;
  if v_visit is not null then
    return query select * from known_adt_visit(p_facility, v_visit);
  end if;
end $$;

-- Puts what a visit comes to in the place of what stood there; rows that stay as they are are not written.
create function store_adt_outcome(p_facility integer, p_visit bytea, p_movements jsonb, p_stays jsonb)
returns void language plpgsql set plan_cache_mode = force_custom_plan as $$
begin
  delete from adt_movements
    where facility_no = p_facility and visit_key = p_visit and place >= jsonb_array_length(p_movements);
  insert into adt_movements as old (facility_no, visit_key, place, at, census_date, kind, unit_no, partner_unit_no, class,
    is_same_day, is_under_48h)
  select p_facility, p_visit, m.place, m.at, m.census_date, m.kind, m.unit_no, m.partner_unit_no, m.class, m.is_same_day,
    m.is_under_48h
  from jsonb_to_recordset(p_movements) as m (place smallint, at timestamptz, census_date date, kind text, unit_no integer,
    partner_unit_no integer, class text, is_same_day boolean, is_under_48h boolean)
  on conflict (facility_no, visit_key, place) do update set at = excluded.at, census_date = excluded.census_date,
    kind = excluded.kind, unit_no = excluded.unit_no, partner_unit_no = excluded.partner_unit_no, class = excluded.class,
    is_same_day = excluded.is_same_day, is_under_48h = excluded.is_under_48h
  where old is distinct from excluded;
  delete from adt_stays where facility_no = p_facility and visit_key = p_visit and place >= jsonb_array_length(p_stays);
  insert into adt_stays as old (facility_no, visit_key, place, unit_no, class, is_leave, during)
  select p_facility, p_visit, s.place, s.unit_no, s.class, s.is_leave, tstzrange(s.since, s.until)
  from jsonb_to_recordset(p_stays) as s (place smallint, unit_no integer, class text, is_leave boolean, since timestamptz,
    until timestamptz)
  on conflict (facility_no, visit_key, place) do update set unit_no = excluded.unit_no, class = excluded.class,
    is_leave = excluded.is_leave, during = excluded.during
  where old is distinct from excluded;
end $$;

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

-- Up to which census date visits have been forgotten: of those dates the patient system says nothing any more.
alter table census_facilities add column feed_forgotten_to date;

-- What came after a day was signed and changes what the patient system says of one of its reports: a proposed correction. It
-- changes nothing until somebody takes it.
create table census_proposals (
  id uuid primary key,
  facility_no integer not null,
  unit_no integer not null,
  census_date date not null,
  class census_class not null,
  -- The same counts by name: as the report was signed, and as the patient system says them now.
  signed jsonb not null,
  told jsonb not null,
  state text not null default 'open' check (state in ('open', 'agreed', 'taken', 'dismissed')),
  version integer not null default 1,
  raised_at timestamptz not null default now(),
  told_at timestamptz not null default now(),
  closed_at timestamptz,
  closed_by uuid references users,
  reason text check (char_length(reason) <= 500),
  foreign key (unit_no, facility_no) references census_units (unit_no, facility_no),
  foreign key (unit_no, census_date, class) references unit_census (unit_no, census_date, class),
  constraint closed_has_time check ((state = 'open') = (closed_at is null)),
  constraint dismissed_says_why check (
    state <> 'dismissed' or (closed_by is not null and coalesce(char_length(btrim(reason)), 0) >= 5))
);
create unique index census_proposals_open_key on census_proposals (unit_no, census_date, class) where state = 'open';
create index census_proposals_list_idx on census_proposals (facility_no, state, id);

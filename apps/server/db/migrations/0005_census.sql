-- The inpatient census: what units report, what a facility signs, and the log of all of it.
-- Census rows are many and small, so they are keyed by whole numbers; the ids of facilities and units stay in the addresses.
-- A CHECK whose expression is null passes: every rule below that meets nulls says what they mean.

create extension if not exists btree_gist;

-- The product's own voice, for what its clock says in a chat. It belongs nowhere and is disabled for ever, so that it cannot
-- sign in, be mailed a new password, be a member or be found.
insert into users (id, name, email, password_hash, disabled_at)
  values ('00000000-0000-7000-8000-000000000001', 'Wardline', 'wardline@server.invalid', '', now());
alter table users add constraint server_never_signs_in
  check (id <> '00000000-0000-7000-8000-000000000001' or (disabled_at is not null and not is_operator and not is_demo));
alter table memberships add constraint server_is_no_member check (user_id <> '00000000-0000-7000-8000-000000000001');

create domain census_class as text check (value in ('adult_child', 'newborn'));
create domain census_count as smallint check (value between 0 and 9999);

create table census_facilities (
  facility_no integer generated always as identity primary key,
  facility_id uuid not null unique references facilities,
  sign_off_time time not null default '11:00',
  lock_after_days integer not null default 14 check (lock_after_days between 0 and 366),
  four_eyes boolean not null default true,
  denominator text not null default 'staffed' check (denominator in ('licensed', 'physical', 'staffed')),
  target_percent smallint not null default 85 check (target_percent between 1 and 200),
  high_percent smallint not null default 92 check (high_percent between 1 and 200),
  full_percent smallint not null default 100 check (full_percent between 1 and 200),
  -- Which acts ask for their own permission here; the others fall back to census.report_summary.
  split_permissions text[] not null default '{}'
    check (split_permissions <@ array['census.approve', 'census.reopen', 'census.configure', 'census.import', 'census.export']),
  -- From how many hours on a patient who waits in the emergency department for a bed is boarding.
  boarding_hours smallint not null default 4 check (boarding_hours between 0 and 48),
  -- Entries of the log that are older lose their text; null keeps them.
  log_retention_years smallint check (log_retention_years between 1 and 100),
  -- Who gets the head of the log by email with each day that is signed.
  log_head_emails text[] not null default '{}' check (cardinality(log_head_emails) <= 5),
  -- Where the clock says what asks to be looked at.
  chat_id uuid references chats,
  -- When the nightly check last went through.
  checked_at timestamptz,
  version integer not null default 1,
  unique (facility_no, facility_id),
  check (target_percent <= high_percent and high_percent <= full_percent)
);

-- From which census date on the facility counts at which hour, by which clock. Past rows are never changed.
create table census_hours (
  facility_no integer not null references census_facilities,
  from_date date not null,
  time_zone text not null,
  census_time time not null default '00:00' check (extract(second from census_time) = 0),
  grace_minutes integer not null default 60 check (grace_minutes between 0 and 1440),
  primary key (facility_no, from_date)
);

create table census_units (
  unit_no integer generated always as identity primary key,
  unit_id uuid not null unique,
  facility_no integer not null,
  facility_id uuid not null,
  classes text[] not null default '{adult_child}'
    check (classes <@ array['adult_child', 'newborn'] and cardinality(classes) between 1 and 2
      and (cardinality(classes) = 1 or classes[1] <> classes[2])),
  counts_in_census boolean not null default true,
  -- False for a place without beds of its own, such as boarders in the emergency department.
  counts_in_occupancy boolean not null default true,
  hsloc text check (char_length(hsloc) between 1 and 20),
  safr_group text check (char_length(safr_group) between 1 and 40),
  -- The census dates on which it reports.
  active daterange not null,
  -- From which date on a class is reported that was added later; null: since the unit does.
  adult_child_from date,
  newborn_from date,
  unique (unit_no, facility_no),
  foreign key (unit_id, facility_id) references units (id, facility_id),
  foreign key (facility_no, facility_id) references census_facilities (facility_no, facility_id)
);
create index census_units_facility_idx on census_units (facility_no);

insert into census_facilities (facility_id) select id from facilities order by created_at, id;
insert into census_hours (facility_no, from_date, time_zone)
  select c.facility_no, '1900-01-01', f.time_zone from census_facilities c join facilities f on f.id = c.facility_id;
insert into census_units (unit_id, facility_no, facility_id, active)
  select u.id, c.facility_no, u.facility_id, '[,)'
  from units u join census_facilities c on c.facility_id = u.facility_id order by u.facility_id, u.position, u.id;

-- Which class a unit reports on which dates: with counts_in_census the one source of what is expected of whom.
create view unit_classes as
select u.facility_no, u.unit_no, k.class,
  u.active * daterange(case k.class when 'newborn' then u.newborn_from else u.adult_child_from end, null) as during
from census_units u cross join lateral unnest(u.classes) as k(class);

-- The census date that is under way in a facility, by the clock that holds there today. The hour 00:00 ends its date.
create function running_census_date(p_facility integer) returns date language sql stable as $$
  select case when h.census_time = '00:00' or l.local::time < h.census_time then l.local::date else l.local::date + 1 end
  from census_hours h cross join lateral (select now() at time zone h.time_zone as local) l
  where h.facility_no = p_facility and h.from_date <= l.local::date order by h.from_date desc limit 1
$$;

-- A facility takes a census and a unit reports it until somebody says otherwise: a new one from the date under way on, so that
-- what was complete stays complete.
create function start_facility_census() returns trigger language plpgsql as $$
declare made integer;
begin
  insert into census_facilities (facility_id) values (new.id) returning facility_no into made;
  insert into census_hours (facility_no, from_date, time_zone) values (made, '1900-01-01', new.time_zone);
  insert into census_log_heads (facility_no) values (made);
  return null;
end $$;
create trigger facilities_start_census after insert on facilities
  for each row execute function start_facility_census();
create function start_unit_census() returns trigger language plpgsql as $$
begin
  insert into census_units (unit_id, facility_no, facility_id, active)
    select new.id, c.facility_no, new.facility_id, daterange(running_census_date(c.facility_no), null) from census_facilities c where c.facility_id = new.facility_id;
  return null;
end $$;
create trigger units_start_census after insert on units
  for each row execute function start_unit_census();

-- Who reports for a unit. With it goes the permission, which is asked for as well.
create table census_assignments (
  unit_no integer not null references census_units,
  user_id uuid not null references users on delete cascade,
  primary key (unit_no, user_id)
);
create index census_assignments_user_idx on census_assignments (user_id, unit_no);

create table bed_complements (
  id bigint generated always as identity primary key,
  facility_no integer not null,
  unit_no integer not null,
  class census_class not null default 'adult_child',
  valid daterange not null check (not isempty(valid)),
  licensed census_count not null,
  physical census_count not null,
  staffed census_count not null,
  surge census_count not null default 0,
  reason text check (char_length(reason) between 1 and 200),
  foreign key (unit_no, facility_no) references census_units (unit_no, facility_no),
  check (staffed <= physical + surge),
  exclude using gist (unit_no with =, (class::text) with =, valid with &&)
);

-- One census date of a facility. Made when the date begins to be expected, with the clock as it was then.
create table facility_days (
  facility_no integer not null references census_facilities,
  census_date date not null,
  time_zone text not null,
  utc_offset_minutes smallint not null,
  census_at timestamptz not null,
  due_at timestamptz not null,
  units_expected smallint not null default 0 check (units_expected >= 0),
  units_submitted smallint not null default 0,
  units_approved smallint not null default 0,
  units_on_time smallint not null default 0,
  transfer_gap integer not null default 0 check (transfer_gap >= 0),
  census_days integer not null default 0,
  service_days integer not null default 0,
  occupancy_service_days integer not null default 0,
  licensed_bed_days integer not null default 0,
  physical_bed_days integer not null default 0,
  staffed_bed_days integer not null default 0,
  status text not null default 'open' check (status in ('open', 'approved', 'locked', 'reopened')),
  override_reason text,
  reopen_reason text,
  reopen_code text,
  signed_by uuid references users,
  signed_at timestamptz,
  locked_at timestamptz,
  -- The newest entry of the log when the day was signed; a printed sheet carries it.
  log_seq bigint,
  log_hash bytea check (octet_length(log_hash) = 32),
  version integer not null default 1,
  primary key (facility_no, census_date),
  check (units_submitted between 0 and units_expected and units_approved <= units_submitted
    and units_on_time <= units_submitted),
  constraint signed_is_complete check (
    status in ('open', 'reopened')
    or (units_approved = units_expected and signed_by is not null and signed_at is not null
      and (transfer_gap = 0 or coalesce(char_length(btrim(override_reason)), 0) >= 5))),
  constraint locked_has_time check (status <> 'locked' or locked_at is not null),
  constraint reopened_has_reason check (
    status <> 'reopened' or coalesce(char_length(btrim(reopen_reason)), 0) >= 5)
);
create index facility_days_open_idx on facility_days (due_at) where status in ('open', 'reopened');
create index facility_days_unlocked_idx on facility_days (census_at) where status = 'approved';

create table census_restatements (
  restatement_no integer generated always as identity primary key,
  facility_no integer not null,
  unit_no integer not null,
  class census_class not null,
  from_date date not null,
  reason_code text not null,
  reason text not null check (char_length(btrim(reason)) >= 5),
  rows integer not null default 0,
  created_by uuid not null references users,
  approved_by uuid references users,
  created_at timestamptz not null default now(),
  unique (restatement_no, unit_no, class),
  foreign key (unit_no, facility_no) references census_units (unit_no, facility_no)
);
create index census_restatements_facility_idx on census_restatements (facility_no, restatement_no);

create table unit_census (
  facility_no integer not null,
  unit_no integer not null,
  census_date date not null,
  class census_class not null default 'adult_child',
  -- Null is 'not given', 0 is none.
  opening census_count,
  admissions census_count,
  births census_count,
  transfers_in census_count,
  discharges census_count,
  deaths census_count,
  deaths_u48 census_count,
  transfers_out census_count,
  ad_same_day census_count,
  on_leave census_count,
  observation census_count,
  closing smallint generated always as (
    (opening + admissions + births + transfers_in - discharges - deaths - transfers_out)::smallint) stored,
  service_days smallint generated always as (
    (opening + admissions + births + transfers_in - discharges - deaths - transfers_out - on_leave + ad_same_day)::smallint
  ) stored,
  -- Heads counted at the census hour.
  counted census_count,
  -- As they were on the day: a later change of the complement does not move history.
  beds_licensed census_count not null default 0,
  beds_physical census_count not null default 0,
  beds_staffed census_count not null default 0,
  beds_surge census_count not null default 0,
  beds_blocked census_count not null default 0,
  status text not null default 'draft'
    check (status in ('draft', 'submitted', 'returned', 'approved', 'locked', 'amending')),
  source text not null default 'manual' check (source in ('manual', 'adt', 'import')),
  -- The date whose closing the opening is; null for a unit's first report, whose opening is given.
  opening_from date check (opening_from < census_date),
  is_on_time boolean,
  version integer not null default 1 check (version > 0),
  restatement_no integer,
  submitted_at timestamptz,
  submitted_by uuid references users,
  -- Set when somebody who may approve has looked at it: then it cannot be withdrawn any more.
  reviewed_at timestamptz,
  approved_at timestamptz,
  approved_by uuid references users,
  variance_reason text check (char_length(variance_reason) <= 500),
  capacity_reason text check (char_length(capacity_reason) <= 500),
  last_reason text check (char_length(last_reason) <= 500),
  -- Why a signed report is open for a correction, until it is approved again.
  amend_code text,
  amend_reason text check (char_length(amend_reason) <= 500),
  note text check (char_length(note) <= 500),
  -- With what a year of days is drawn from: it is read from the key alone, and not from a page for each day.
  primary key (unit_no, census_date, class) include (status, closing, service_days, on_leave, is_on_time,
    restatement_no, beds_licensed, beds_physical, beds_staffed),
  foreign key (unit_no, facility_no) references census_units (unit_no, facility_no),
  foreign key (facility_no, census_date) references facility_days (facility_no, census_date),
  foreign key (restatement_no, unit_no, class) references census_restatements (restatement_no, unit_no, class),
  constraint closing_is_count check (
    opening + admissions + births + transfers_in - discharges - deaths - transfers_out between 0 and 9999),
  constraint same_day_is_part check (
    ad_same_day <= discharges + deaths and ad_same_day <= admissions + births + transfers_in),
  constraint deaths_u48_is_part check (deaths_u48 <= deaths),
  constraint leave_is_part check (
    on_leave <= opening + admissions + births + transfers_in - discharges - deaths - transfers_out),
  constraint births_are_newborn check (coalesce(births, 0) = 0 or class = 'newborn'),
  constraint complete_when_submitted check (
    status in ('draft', 'returned', 'amending')
    or num_nulls(opening, admissions, births, transfers_in, discharges, deaths, deaths_u48, transfers_out, ad_same_day,
      on_leave, observation, counted, submitted_at, submitted_by) = 0),
  constraint counted_agrees_or_says_why check (
    status in ('draft', 'returned', 'amending')
    or counted = opening + admissions + births + transfers_in - discharges - deaths - transfers_out - on_leave
    or coalesce(char_length(btrim(variance_reason)), 0) >= 5),
  constraint capacity_or_says_why check (
    status in ('draft', 'returned', 'amending') or beds_physical = 0
    or opening + admissions + births + transfers_in - discharges - deaths - transfers_out - on_leave + beds_blocked
      <= beds_physical
    or coalesce(char_length(btrim(capacity_reason)), 0) >= 5),
  constraint approved_by_somebody check (
    status not in ('approved', 'locked') or (approved_at is not null and approved_by is not null)),
  constraint blocked_are_beds check (beds_blocked <= beds_physical + beds_surge)
);
-- Reading from the key alone needs pages that are known to be whole, soon after they were written.
alter table unit_census set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
create index unit_census_facility_idx on unit_census (facility_no, census_date);
create index unit_census_open_idx on unit_census (facility_no, census_date)
  where status in ('draft', 'submitted', 'returned', 'amending');
create index unit_census_restated_idx on unit_census (facility_no, census_date) where restatement_no is not null;

-- The row as it was before each later version.
create table unit_census_revisions (
  unit_no integer not null,
  census_date date not null,
  class census_class not null,
  version integer not null,
  row_data jsonb not null,
  changed_by uuid references users,
  changed_at timestamptz not null default now(),
  reason_code text,
  reason text,
  primary key (unit_no, census_date, class, version),
  foreign key (unit_no, census_date, class) references unit_census
);
create trigger unit_census_revisions_append_only before update or delete on unit_census_revisions
  for each row execute function refuse_change();
create trigger unit_census_revisions_no_truncate before truncate on unit_census_revisions
  for each statement execute function refuse_change();
-- Those that were opened for a correction, or restated by one.
create index unit_census_revisions_reason_idx on unit_census_revisions (unit_no, census_date) where reason_code is not null;

-- How many patients somebody takes to be in a unit whose report is missing past its deadline. Beside the reports and not among
-- them, so that no sum and no opening can count it, and a draft of the unit stays as it is.
create table census_estimates (
  facility_no integer not null,
  unit_no integer not null,
  census_date date not null,
  class census_class not null,
  census census_count not null,
  reason text not null check (char_length(reason) <= 500 and char_length(btrim(reason)) >= 5),
  estimated_by uuid not null references users,
  estimated_at timestamptz not null,
  primary key (unit_no, census_date, class),
  foreign key (unit_no, facility_no) references census_units (unit_no, facility_no),
  foreign key (facility_no, census_date) references facility_days (facility_no, census_date)
);
create index census_estimates_facility_idx on census_estimates (facility_no, census_date);

create table unit_transfers (
  facility_no integer not null,
  census_date date not null,
  from_unit integer not null,
  to_unit integer not null,
  class census_class not null default 'adult_child',
  -- What each side says; null: nothing.
  out_count census_count,
  in_count census_count,
  primary key (census_date, from_unit, to_unit, class),
  check (from_unit <> to_unit),
  check (num_nulls(out_count, in_count) < 2),
  foreign key (from_unit, facility_no) references census_units (unit_no, facility_no),
  foreign key (to_unit, facility_no) references census_units (unit_no, facility_no)
);
create index unit_transfers_facility_idx on unit_transfers (facility_no, census_date);
create index unit_transfers_gap_idx on unit_transfers (facility_no, census_date)
  where coalesce(out_count, 0) <> coalesce(in_count, 0);
create index unit_transfers_to_idx on unit_transfers (census_date, to_unit);

create table census_snapshots (
  id uuid primary key,
  facility_no integer not null,
  unit_no integer not null,
  class census_class not null,
  taken_at timestamptz not null,
  occupied census_count not null,
  blocked census_count not null,
  staffed census_count not null,
  taken_by uuid not null references users,
  created_at timestamptz not null default now(),
  foreign key (unit_no, facility_no) references census_units (unit_no, facility_no)
);
create index census_snapshots_unit_idx on census_snapshots (unit_no, class, taken_at desc);

-- The talk about a report.
create table census_threads (
  unit_no integer not null references census_units,
  census_date date not null,
  class census_class not null,
  chat_id uuid not null references chats,
  last_reminded_at timestamptz,
  primary key (unit_no, census_date, class)
);

-- What the clock has said of a report that is owed; each once.
create table census_notices (
  unit_no integer not null references census_units,
  census_date date not null,
  class census_class not null,
  kind text not null check (kind in ('due_soon', 'due', 'missing', 'long_missing')),
  at timestamptz not null,
  primary key (unit_no, census_date, class, kind)
);

create table census_alerts (
  id uuid primary key,
  facility_no integer not null references census_facilities,
  unit_no integer,
  census_date date not null,
  rule text not null check (rule in ('over_high', 'over_staffed', 'report_missing', 'transfer_gap', 'head_count_variance',
    'often_restated', 'forecast_breach')),
  message text not null check (char_length(message) between 1 and 300),
  raised_at timestamptz not null default now(),
  cleared_at timestamptz,
  acknowledged_at timestamptz,
  acknowledged_by uuid references users,
  foreign key (unit_no, facility_no) references census_units (unit_no, facility_no)
);
create index census_alerts_facility_idx on census_alerts (facility_no, raised_at desc);
create unique index census_alerts_open_key on census_alerts (facility_no, rule, coalesce(unit_no, 0), census_date)
  where cleared_at is null;

-- Sums of whole numbers only; rates are divided when they are shown.
create table unit_months (
  facility_no integer not null,
  unit_no integer not null,
  month date not null check (extract(day from month) = 1),
  class census_class not null,
  days_reported smallint not null,
  days_on_time smallint not null,
  census_days integer not null,
  service_days integer not null,
  licensed_bed_days integer not null,
  physical_bed_days integer not null,
  staffed_bed_days integer not null,
  blocked_bed_days integer not null,
  admissions integer not null,
  births integer not null,
  transfers_in integer not null,
  transfers_out integer not null,
  discharges integer not null,
  deaths integer not null,
  deaths_u48 integer not null,
  ad_same_day integer not null,
  on_leave integer not null,
  observation integer not null,
  primary key (unit_no, month, class),
  foreign key (unit_no, facility_no) references census_units (unit_no, facility_no)
);
create index unit_months_facility_idx on unit_months (facility_no, month);

create table facility_months (
  facility_no integer not null references census_facilities,
  month date not null check (extract(day from month) = 1),
  class census_class not null,
  units_reported integer not null,
  units_on_time integer not null,
  census_days integer not null,
  service_days integer not null,
  occupancy_service_days integer not null,
  licensed_bed_days integer not null,
  physical_bed_days integer not null,
  staffed_bed_days integer not null,
  blocked_bed_days integer not null,
  admissions integer not null,
  births integer not null,
  transfers_in integer not null,
  transfers_out integer not null,
  discharges integer not null,
  deaths integer not null,
  deaths_u48 integer not null,
  ad_same_day integer not null,
  on_leave integer not null,
  observation integer not null,
  primary key (facility_no, month, class)
);
create index facility_months_month_idx on facility_months (month);

-- Hours of direct care that nurses worked in a unit in a month; null is 'not given', 0 is none.
create table nursing_hours (
  facility_no integer not null,
  unit_no integer not null,
  month date not null check (extract(day from month) = 1),
  rn_hours numeric(9,2) check (rn_hours between 0 and 250000),
  -- Of practical nurses and of aides.
  other_hours numeric(9,2) check (other_hours between 0 and 250000),
  note text check (char_length(note) between 1 and 500),
  version integer not null default 1 check (version > 0),
  entered_by uuid not null references users,
  entered_at timestamptz not null default now(),
  primary key (unit_no, month),
  foreign key (unit_no, facility_no) references census_units (unit_no, facility_no)
);
create index nursing_hours_facility_idx on nursing_hours (facility_no, month);

-- Only what was handed in is summed.
create view reported_unit_census as
select c.*, u.counts_in_occupancy,
  case when u.counts_in_occupancy then c.service_days else 0 end as occupancy_service_days,
  case when u.counts_in_occupancy then c.beds_licensed else 0 end as licensed_bed_days,
  case when u.counts_in_occupancy then c.beds_physical else 0 end as physical_bed_days,
  case when u.counts_in_occupancy then c.beds_staffed else 0 end as staffed_bed_days,
  case when u.counts_in_occupancy then c.beds_blocked else 0 end as blocked_bed_days
from unit_census c
join census_units u on u.unit_no = c.unit_no and u.facility_no = c.facility_no and u.counts_in_census
where c.status in ('submitted', 'approved', 'locked', 'amending') and c.closing is not null;

-- By how many patients the two sides of a move differ. Before both have handed in their reports nobody can say: what is not
-- told yet is not told differently.
create view census_transfers as
select x.*, s.is_both_in,
  case when coalesce(x.out_count, 0) = coalesce(x.in_count, 0) or not s.is_both_in then 0
    else abs(coalesce(x.out_count, 0)::integer - coalesce(x.in_count, 0)) end as gap
from unit_transfers x
cross join lateral (
  select (select count(*) = 2 from unit_census c
    where c.unit_no in (x.from_unit, x.to_unit) and c.census_date = x.census_date and c.class = x.class
      and c.status in ('submitted', 'approved', 'locked', 'amending')) as is_both_in) s;

-- The unit-months and facility-months that hold these dates of one unit, from the reports.
create function refresh_census_months(p_facility integer, p_unit integer, p_class text, p_from date, p_to date)
returns void language plpgsql
-- A plan that was made while the tables were small would read all of them for ever.
set plan_cache_mode = force_custom_plan as $$
declare v_month date;
begin
  -- One at a time in a facility: what two of them delete and insert is the same.
  perform from census_log_heads where facility_no = p_facility for update;
  for v_month in
    select generate_series(date_trunc('month', p_from), date_trunc('month', p_to), interval '1 month')::date
  loop
    delete from unit_months where unit_no = p_unit and month = v_month and class = p_class;
    insert into unit_months
    select r.facility_no, r.unit_no, v_month, r.class, count(*), count(*) filter (where r.is_on_time),
      sum(r.closing), sum(r.service_days), sum(r.licensed_bed_days), sum(r.physical_bed_days), sum(r.staffed_bed_days),
      sum(r.blocked_bed_days), sum(r.admissions), sum(r.births), sum(r.transfers_in), sum(r.transfers_out),
      sum(r.discharges), sum(r.deaths), sum(r.deaths_u48), sum(r.ad_same_day), sum(r.on_leave), sum(r.observation)
    from reported_unit_census r
    where r.unit_no = p_unit and r.class = p_class
      and r.census_date >= v_month and r.census_date < v_month + interval '1 month'
    group by r.facility_no, r.unit_no, r.class;

    delete from facility_months where facility_no = p_facility and month = v_month and class = p_class;
    insert into facility_months
    select m.facility_no, v_month, m.class, sum(m.days_reported), sum(m.days_on_time), sum(m.census_days),
      sum(m.service_days), coalesce(sum(m.service_days) filter (where u.counts_in_occupancy), 0), sum(m.licensed_bed_days),
      sum(m.physical_bed_days), sum(m.staffed_bed_days), sum(m.blocked_bed_days), sum(m.admissions), sum(m.births),
      sum(m.transfers_in), sum(m.transfers_out), sum(m.discharges), sum(m.deaths), sum(m.deaths_u48), sum(m.ad_same_day),
      sum(m.on_leave), sum(m.observation)
    from unit_months m join census_units u on u.unit_no = m.unit_no and u.facility_no = m.facility_no
    where m.facility_no = p_facility and m.month = v_month and m.class = p_class
    group by m.facility_no, m.class;
  end loop;
end $$;

-- All sums that these dates of one unit are part of; in the transaction of the change.
create function refresh_census_sums(p_facility integer, p_unit integer, p_class text, p_from date, p_to date)
returns void language plpgsql as $$
begin
  perform refresh_census_months(p_facility, p_unit, p_class, p_from, p_to);
  perform refresh_facility_days(p_facility, p_from, p_to);
end $$;

-- What a facility's days come to, from the reports and transfers of those days.
create function refresh_facility_days(p_facility integer, p_from date, p_to date)
returns void language sql set plan_cache_mode = force_custom_plan as $$
  update facility_days d set
    -- What a signed day expected stays: a unit that opens or closes later does not undo the signature.
    units_expected = case when d.status in ('approved', 'locked') then d.units_expected else coalesce(e.expected, 0) end,
    units_submitted = coalesce(r.submitted, 0),
    units_approved = coalesce(r.approved, 0), units_on_time = coalesce(r.on_time, 0),
    transfer_gap = coalesce(t.gap, 0), census_days = coalesce(r.census_days, 0), service_days = coalesce(r.service_days, 0),
    occupancy_service_days = coalesce(r.occupancy_service_days, 0), licensed_bed_days = coalesce(r.licensed, 0),
    physical_bed_days = coalesce(r.physical, 0), staffed_bed_days = coalesce(r.staffed, 0)
  from facility_days k
  left join lateral (
    -- Also what was reported when its unit was still expected to.
    select count(*) as expected from (
      select u.unit_no, x.class from census_units u join unit_classes x on x.unit_no = u.unit_no and x.during @> k.census_date
      where u.facility_no = k.facility_no and u.counts_in_census
      union
      select c.unit_no, c.class from reported_unit_census c
      where c.facility_no = k.facility_no and c.census_date = k.census_date) reports) e on true
  left join lateral (
    select count(*) as submitted, count(*) filter (where c.status in ('approved', 'locked')) as approved,
      count(*) filter (where c.is_on_time) as on_time,
      sum(c.closing) as census_days, sum(c.service_days) as service_days,
      sum(c.occupancy_service_days) as occupancy_service_days, sum(c.licensed_bed_days) as licensed,
      sum(c.physical_bed_days) as physical, sum(c.staffed_bed_days) as staffed
    from reported_unit_census c where c.facility_no = k.facility_no and c.census_date = k.census_date) r on true
  left join lateral (
    select sum(x.gap) as gap
    from census_transfers x where x.facility_no = k.facility_no and x.census_date = k.census_date) t on true
  where d.facility_no = k.facility_no and d.census_date = k.census_date
    and k.facility_no = p_facility and k.census_date between p_from and p_to
$$;

-- After many rows have come at once nothing is known of them to whoever plans a query, or something that was true before. What
-- is large already is looked at by the database itself. Only an owner may analyse, hence by the owner's right.
create function analyze_census() returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if (select reltuples from pg_class where oid = 'public.unit_census'::regclass) > 1e6 then return; end if;
  analyze units, census_facilities, census_units, bed_complements, facility_days, unit_census, unit_transfers, unit_months,
    facility_months;
end $$;

-- The log. Each entry's hash is SHA-256 over the hash before it and its text: canonical JSON of all that it says.
create table census_log_heads (
  facility_no integer primary key references census_facilities,
  seq bigint not null default 0,
  hash bytea not null default decode(repeat('00', 32), 'hex') check (octet_length(hash) = 32),
  -- Up to which entry the texts were removed for their age: always the oldest, without a gap.
  redacted_seq bigint not null default 0 check (redacted_seq between 0 and seq)
);
insert into census_log_heads (facility_no) select facility_no from census_facilities;

create table census_log (
  facility_no integer not null references census_facilities,
  seq bigint not null check (seq > 0),
  at timestamptz not null,
  actor_id uuid,
  action text not null,
  outcome text not null check (outcome in ('done', 'refused')),
  unit_no integer,
  census_date date,
  class census_class,
  after_approval boolean not null default false,
  has_reason boolean not null default false,
  -- What the hash is over; the columns beside it repeat parts of it for finding.
  entry text not null,
  prev_hash bytea not null check (octet_length(prev_hash) = 32),
  hash bytea not null check (octet_length(hash) = 32),
  -- When its text was removed for its age; a tombstone stands there since, and nobody beside it.
  redacted_at timestamptz check (redacted_at is null or actor_id is null),
  primary key (facility_no, seq),
  foreign key (unit_no, facility_no) references census_units (unit_no, facility_no)
);
create index census_log_date_idx on census_log (facility_no, census_date, seq desc);
create index census_log_unit_idx on census_log (facility_no, unit_no, seq desc);
create index census_log_actor_idx on census_log (facility_no, actor_id, seq desc);
create index census_log_action_idx on census_log (facility_no, action, seq desc);
create index census_log_late_idx on census_log (facility_no, seq desc) where after_approval;
create index census_log_reason_idx on census_log (facility_no, seq desc) where has_reason;

-- What stands where the text of an entry was removed.
create function census_log_tombstone(p_facility integer, p_seq bigint, p_years integer) returns text language sql immutable as $$
  select '{"facility":' || p_facility || ',"redacted_after_years":' || p_years || ',"seq":' || p_seq || '}'
$$;

-- Entries from before this instant may lose their text: whole days on the facility's clock. Null where all is kept.
create function census_log_keeps_from(p_facility integer) returns timestamptz language sql stable as $$
  select (date_trunc('day', now() at time zone f.time_zone) - make_interval(years => c.log_retention_years)) at time zone f.time_zone
  from census_facilities c join facilities f on f.id = c.facility_id where c.facility_no = p_facility
$$;

-- Nothing of the log is changed, but for the text and the person of an entry that is older than its facility keeps them, and
-- that only by redact_census_log.
create function guard_census_log() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare buried census_log;
begin
  if tg_op = 'UPDATE' and current_setting('census.redacts', true) = 'on' and old.redacted_at is null
      and old.at < census_log_keeps_from(old.facility_no) then
    buried := old;
    buried.actor_id := null;
    buried.redacted_at := now();
    buried.entry := census_log_tombstone(old.facility_no, old.seq,
      (select log_retention_years from census_facilities where facility_no = old.facility_no));
    if new is not distinct from buried then return new; end if;
  end if;
  raise exception 'Rows of % are never changed.', tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger census_log_guard before update or delete on census_log
  for each row execute function guard_census_log();

-- The only way to it, by the owner's right: removes the oldest texts up to an entry, which all must be older than the facility
-- keeps them. Whoever calls it holds the head.
create function redact_census_log(p_facility integer, p_to bigint) returns void language plpgsql
security definer set search_path = public, pg_temp set census.redacts = 'on' as $$
declare
  v_years integer := (select log_retention_years from census_facilities where facility_no = p_facility);
  v_from bigint := (select redacted_seq from census_log_heads where facility_no = p_facility for update);
begin
  if p_to <= v_from or not exists (select from census_log where facility_no = p_facility and seq = p_to) then
    raise exception 'Entries are removed from the oldest on, up to one that is there.' using errcode = 'invalid_parameter_value';
  end if;
  update census_log set entry = census_log_tombstone(facility_no, seq, v_years), actor_id = null, redacted_at = now()
    where facility_no = p_facility and seq > v_from and seq <= p_to;
  update census_log_heads set redacted_seq = p_to where facility_no = p_facility;
end $$;
revoke execute on function redact_census_log from public;
create trigger census_log_no_truncate before truncate on census_log
  for each statement execute function refuse_change();

create table census_log_verifications (
  facility_no integer primary key references census_facilities,
  verified_at timestamptz not null,
  entries bigint not null,
  took_ms integer not null,
  head_seq bigint not null,
  head_hash bytea not null,
  broken_at bigint
);

-- A repeat of a request finds what the first one did.
create table census_requests (
  user_id uuid not null references users on delete cascade,
  client_id uuid not null,
  -- SHA-256 of method, address and body: another request under the same id is refused.
  request_hash bytea not null check (octet_length(request_hash) = 32),
  at timestamptz not null default now(),
  primary key (user_id, client_id)
);
create index census_requests_at_idx on census_requests (at);

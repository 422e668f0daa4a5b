-- For a database that was made before migrations had checksums and has 0005_census and 0006_census_feed, perhaps by earlier
-- texts: this makes what the later ones made, and changes nothing where it stands already. Functions, views and their
-- triggers follow from db/functions.

alter table census_facilities
  add column if not exists boarding_hours smallint not null default 4 check (boarding_hours between 0 and 48),
  add column if not exists log_retention_years smallint check (log_retention_years between 1 and 100),
  add column if not exists log_head_emails text[] not null default '{}' check (cardinality(log_head_emails) <= 5),
  add column if not exists feed_forgotten_to date;

do $$
begin
  -- No build ever wrote 'estimate' here.
  if exists (select from pg_constraint where conrelid = 'unit_census'::regclass and conname = 'unit_census_source_check'
      and pg_get_constraintdef(oid) like '%estimate%') then
    alter table unit_census drop constraint unit_census_source_check,
      add constraint unit_census_source_check check (source in ('manual', 'adt', 'import'));
  end if;
  if exists (select from pg_constraint where conrelid = 'unit_census'::regclass and contype = 'p'
      and pg_get_constraintdef(oid) ~ '\msource\M') then
    alter table unit_census_revisions drop constraint unit_census_revisions_unit_no_census_date_class_fkey;
    alter table unit_census drop constraint unit_census_pkey,
      add primary key (unit_no, census_date, class) include (status, closing, service_days, on_leave, is_on_time,
        restatement_no, beds_licensed, beds_physical, beds_staffed);
    alter table unit_census_revisions add constraint unit_census_revisions_unit_no_census_date_class_fkey
      foreign key (unit_no, census_date, class) references unit_census;
  end if;
end $$;

create table if not exists census_estimates (
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
create index if not exists census_estimates_facility_idx on census_estimates (facility_no, census_date);

create table if not exists nursing_hours (
  facility_no integer not null,
  unit_no integer not null,
  month date not null check (extract(day from month) = 1),
  rn_hours numeric(9,2) check (rn_hours between 0 and 250000),
  other_hours numeric(9,2) check (other_hours between 0 and 250000),
  note text check (char_length(note) between 1 and 500),
  version integer not null default 1 check (version > 0),
  entered_by uuid not null references users,
  entered_at timestamptz not null default now(),
  primary key (unit_no, month),
  foreign key (unit_no, facility_no) references census_units (unit_no, facility_no)
);
create index if not exists nursing_hours_facility_idx on nursing_hours (facility_no, month);

alter table census_log_heads
  add column if not exists redacted_seq bigint not null default 0 check (redacted_seq between 0 and seq);
alter table census_log
  add column if not exists redacted_at timestamptz check (redacted_at is null or actor_id is null);
-- census_log_guard takes its place.
drop trigger if exists census_log_append_only on census_log;

create table if not exists census_proposals (
  id uuid primary key,
  facility_no integer not null,
  unit_no integer not null,
  census_date date not null,
  class census_class not null,
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
create unique index if not exists census_proposals_open_key on census_proposals (unit_no, census_date, class) where state = 'open';
create index if not exists census_proposals_list_idx on census_proposals (facility_no, state, id);

-- 0008 marks it.
create or replace function census_log_tombstone(p_facility integer, p_seq bigint, p_years integer) returns text language sql immutable as $$
  select '{"facility":' || p_facility || ',"redacted_after_years":' || p_years || ',"seq":' || p_seq || '}'
$$;

-- A unit that was added by mistake can be deleted while nothing refers to it but the log (ADM-1). The entries of the log stay as
-- they are; which unit they are of is kept here, since that is compared when the log is verified.

create table deleted_units (
  unit_no integer primary key,
  facility_no integer not null references census_facilities,
  unit_id uuid not null unique,
  code text not null check (char_length(code) between 1 and 12),
  name text not null check (char_length(name) between 1 and 80),
  deleted_at timestamptz not null default now()
);
create index deleted_units_facility_idx on deleted_units (facility_no);

alter table census_log drop constraint census_log_unit_no_facility_no_fkey;

-- What a day said when it was signed: a sheet prints it as it was, however it was restated since. The log's entry of the
-- signature says the hash. A day that is signed anew has one more; what was signed before stays.

create table signed_days (
  facility_no integer not null,
  -- The entry of the log that tells of the signature.
  log_seq bigint not null check (log_seq > 0),
  census_date date not null,
  signed_at timestamptz not null,
  signed_by uuid not null references users,
  -- Canonical JSON, and SHA-256 of its UTF-8.
  figures text not null,
  hash bytea not null check (octet_length(hash) = 32),
  primary key (facility_no, log_seq),
  foreign key (facility_no, census_date) references facility_days (facility_no, census_date)
);
create index signed_days_date_idx on signed_days (facility_no, census_date, log_seq desc);

-- The first day of which a verification found that what was signed was changed since; null: none.
alter table census_log_verifications add column changed_day date;

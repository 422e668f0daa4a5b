-- How a facility writes times and dates. Until it says otherwise as the texts that are stored already do: hours to 23, the day
-- before the month.

alter table facilities
  add column hour_cycle text not null default 'h23' check (hour_cycle in ('h23', 'h12')),
  add column date_order text not null default 'dmy' check (date_order in ('dmy', 'mdy'));

-- When the shifts of a facility begin (HAND-1). Reasons: docs/decisions/074-handover-list.md

alter table facilities
  -- By their times, each with its name; 1 to 4 of them, `HH:MM` on the facility's clock.
  add column shift_starts jsonb not null default '[{"name": "Day", "time": "07:00"}, {"name": "Night", "time": "19:00"}]',
  add constraint facilities_shift_starts check (
    jsonb_typeof(shift_starts) = 'array' and jsonb_array_length(shift_starts) between 1 and 4
  );

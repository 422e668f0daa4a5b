-- The facilities of which the session of whoever this connection works for is shown nothing.
create or replace function wall_closed() returns uuid[] language sql stable parallel safe as $$
  select coalesce(nullif(current_setting('wardline.closed', true), ''), '{}')::uuid[]
$$;

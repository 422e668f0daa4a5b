-- Whom this connection works for (platform/db/stated-actor.ts); null where it said nobody, or the system.
create or replace function wall_actor() returns uuid language sql stable parallel safe as $$
  select nullif(current_setting('wardline.actor', true), '')::uuid
$$;

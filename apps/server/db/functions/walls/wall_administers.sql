-- needs: wall_actor
-- True where this connection does what only whoever runs the installation may, for somebody who is that by now.
create or replace function wall_administers() returns boolean language plpgsql stable parallel safe cost 1 as $$
begin
  if current_setting('wardline.system', true) is distinct from 'administration' then return false; end if;
  return exists (select from users where id = wall_actor() and is_operator and disabled_at is null);
end $$;

-- needs: wall_actor
-- True where this connection does what only whoever runs the installation may, for somebody who is that by now.
create or replace function wall_administers() returns boolean language plpgsql stable parallel safe cost 1 as $$
begin
  return current_setting('wardline.system', true) = 'administration'
    and exists (select from users where id = wall_actor() and is_operator and disabled_at is null);
end $$;

-- What the census log, whose rows are never changed, calls a population, as everything else calls it now.
create or replace function present_population(p_stored text) returns text language sql immutable as $$
  select case p_stored when 'adult_child' then 'adult_and_child' else p_stored end
$$;

-- After many rows have come at once nothing is known of them to whoever plans a query, or something that was true before. What
-- is large already is looked at by the database itself. Only an owner may analyse, hence by the owner's right.
create or replace function analyze_census() returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if (select reltuples from pg_class where oid = 'public.unit_census'::regclass) > 1e6 then return; end if;
  analyze units, census_facilities, census_units, bed_complements, facility_days, unit_census, unit_transfers, unit_months,
    facility_months;
end $$;

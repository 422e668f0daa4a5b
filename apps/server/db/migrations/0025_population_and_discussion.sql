-- One word for each thing, in the database as on the pages: whom a report counts is a population (adult_and_child, newborn), and
-- a chat that a feature opens a discussion. Names change here alone: what is hashed, the census log with its column `class` and
-- the figures of signed days, keeps every byte, and is given the new names where it is read.

drop view if exists census_transfers, reported_unit_census, unit_classes;
create domain census_population as text check (value in ('adult_and_child', 'newborn'));

-- A key and what refers to it cannot change one after the other.
alter table unit_census drop constraint unit_census_restatement_no_unit_no_class_fkey;
alter table unit_census_revisions drop constraint unit_census_revisions_unit_no_census_date_class_fkey;
alter table census_proposals drop constraint census_proposals_unit_no_census_date_class_fkey;

-- The type carries the values over, past the triggers that refuse a change of what was reported.
do $$
declare
  v_table regclass;
  v_has_default boolean;
begin
  for v_table, v_has_default in
    select a.attrelid::regclass, a.atthasdef from pg_attribute a
    where a.atttypid = 'census_class'::regtype and a.attrelid <> 'census_log'::regclass
      and exists (select from pg_class c where c.oid = a.attrelid and c.relkind = 'r')
    order by a.attrelid::regclass::text
  loop
    if v_has_default then execute format('alter table %s alter column class drop default', v_table); end if;
    execute format('alter table %s alter column class type census_population
      using replace(class::text, ''adult_child'', ''adult_and_child'')', v_table);
    if v_has_default then execute format('alter table %s alter column class set default ''adult_and_child''', v_table); end if;
    execute format('alter table %s rename column class to population', v_table);
  end loop;
end $$;

alter table census_alerts
  drop constraint census_alerts_class_check,
  alter column class type text using replace(class, 'adult_child', 'adult_and_child');
alter table census_alerts rename column class to population;
alter table census_alerts
  add constraint census_alerts_population_check check (population in ('adult_and_child', 'newborn'));

alter table census_units drop constraint census_units_classes_check, alter column classes drop default;
update census_units set classes = array_replace(classes, 'adult_child', 'adult_and_child');
alter table census_units rename column classes to populations;
alter table census_units rename column adult_child_from to adult_and_child_from;
alter table census_units
  alter column populations set default '{adult_and_child}',
  add constraint census_units_populations_check check (populations <@ array['adult_and_child', 'newborn']
    and cardinality(populations) between 1 and 2
    and (cardinality(populations) = 1 or populations[1] <> populations[2]));

alter table census_threads rename to census_discussions;

-- Constraints are called after their columns.
do $$
declare
  v_table regclass;
  v_name text;
  v_new text;
begin
  for v_table, v_name in
    select c.conrelid::regclass, c.conname from pg_constraint c
    where c.connamespace = 'public'::regnamespace and c.conrelid <> 0 and c.conrelid <> 'census_log'::regclass
      and c.conname ~ '(_class(es)?_|^census_threads_)' and c.contype <> 't'
    order by 1, 2
  loop
    v_new := regexp_replace(regexp_replace(v_name, '^census_threads_', 'census_discussions_'), '_class(es)?_', '_population\1_');
    v_new := replace(v_new, '_populationes_', '_populations_');
    if v_new <> v_name then execute format('alter table %s rename constraint %I to %I', v_table, v_name, v_new); end if;
  end loop;
end $$;

alter table unit_census add foreign key (restatement_no, unit_no, population)
  references census_restatements (restatement_no, unit_no, population);
alter table unit_census_revisions add foreign key (unit_no, census_date, population) references unit_census;
alter table census_proposals add foreign key (unit_no, census_date, population)
  references unit_census (unit_no, census_date, population);

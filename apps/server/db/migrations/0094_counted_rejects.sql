-- What is not taken here, whatever is in it (AR), is kept once for each sender, kind and code, counted and without its text. A
-- patient system that sends every kind of event sends thousands a day, each with a patient at whom nobody would look.
with kinds as (
  select id, row_number() over kind_of as place, sum(tries) over (kind_of rows between unbounded preceding and unbounded following) as tries,
    max(tried_at) over (kind_of rows between unbounded preceding and unbounded following) as tried_at
  from adt_rejects where answer = 'AR'
  window kind_of as (partition by facility_no, code, coalesce(sender, ''), coalesce(kind, '') order by id desc)
), others as (
  delete from adt_rejects r using kinds k where k.id = r.id and k.place > 1
)
update adt_rejects r set tries = k.tries, tried_at = k.tried_at, message = '', is_whole = false
  from kinds k where k.id = r.id and k.place = 1;
create unique index adt_rejects_kind_key on adt_rejects (facility_no, code, coalesce(sender, ''), coalesce(kind, ''))
  where answer = 'AR' and message = '';

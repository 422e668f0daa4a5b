-- True where whoever this connection works for sees one of these: what an address of the API names by an id of its own.
create or replace function wall_sees(ids uuid[]) returns boolean language sql stable as $$
  select exists (select from chats where id = any (ids)) or exists (select from messages where id = any (ids))
    or exists (select from attachments where id = any (ids)) or exists (select from examinations where id = any (ids))
    or exists (select from critical_alerts where id = any (ids)) or exists (select from handovers where id = any (ids))
    or exists (select from units where id = any (ids))
$$;

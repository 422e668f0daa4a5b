-- How many bytes somebody has begun to upload within a day. By the owner's right: whoever has left a chat since sees its files
-- no more, and would begin the day anew.
create or replace function begun_bytes_of_day(person uuid) returns bigint language sql stable security definer
set search_path = public, pg_temp as $$
  select coalesce(sum(upload_bytes), 0)::bigint from attachments
  where uploader_id = person and copied_from is null and created_at > now() - interval '1 day'
$$;

-- What a list row shows of a message; the contract calls it LastMessage.
create or replace function last_message_of(message messages) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'seq', message.seq,
    'sender_id', message.sender_id,
    'sender_name', (select name from users where id = message.sender_id),
    'kind', message.kind,
    'excerpt', case when message.forwarded is not null and message.deleted_at is null then
        -- A value without its patient is dangerous, in a list too.
        'Forwarded' || coalesce(' about ' || (message.forwarded #>> '{patient,name}'), '') || ': '
      else '' end || translate(
        left(
          coalesce(
            nullif(message.body, ''),
            files_label(message.attachments),
            ''
          ),
          160
        ),
        E'\n\r\t', '   '
      ),
    'created_at', to_char(message.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  ) || case when message.deleted_at is null then '{}' else '{"is_deleted": true}'::jsonb end
    || case when message.is_expired then '{"is_expired": true}'::jsonb else '{}' end
$$;

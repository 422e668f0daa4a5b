-- Files as a message states them, in the order of their ids; the contract calls one Attachment. Null for null.
create or replace function attachments_of(ids jsonb) returns jsonb language sql stable strict as $$
  select jsonb_agg(
    jsonb_build_object(
      'id', a.id, 'kind', a.kind, 'name', a.name, 'mime', a.mime, 'bytes', a.bytes, 'width', a.width, 'height', a.height,
      'blurhash', a.blurhash
    )
    || case a.scan
      when 'pending' then '{"held": "checking"}'::jsonb
      when 'infected' then '{"held": "malware"}'
      when 'unchecked' then '{"held": "unchecked"}'
      else '{}'
    end
    || case when a.duration_ms is null then '{}' else
      jsonb_build_object('voice', jsonb_build_object('duration_ms', a.duration_ms, 'peaks', to_jsonb(a.peaks)))
    end
    order by asked.place
  )
  from jsonb_array_elements_text(ids) with ordinality as asked (id, place) join attachments a on a.id = asked.id::uuid
$$;

-- What stands for the files of a message without words where there is room for a line alone; the client's filesLabel.
create or replace function files_label(files jsonb) returns text language sql immutable as $$
  select case
    when files is null or jsonb_array_length(files) = 0 then null
    when jsonb_array_length(files) > 1 then
      jsonb_array_length(files)
        || case when files @? '$[*] ? (@.kind != "image")' then ' files' else ' photos' end
    else case files -> 0 ->> 'kind'
      when 'image' then 'Photo'
      when 'video' then 'Video'
      when 'audio' then 'Audio'
      else 'File: ' || (files -> 0 ->> 'name')
    end
  end
$$;

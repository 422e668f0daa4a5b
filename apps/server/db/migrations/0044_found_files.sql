-- Files found by their names (CHAT-15). Reasons: docs/decisions/047-files-found-by-name.md

-- The keys of a file's name, as search_keys makes those of a message (0026). A name runs words together (CTscan1, ChestXRay): what is
-- left of a word of five letters and more is a key from the second letter on.
create function file_keys(chat uuid, name text) returns tsvector language plpgsql immutable strict parallel restricted cost 5000 as $$
declare
  chat_key text := right(chat::text, 8);
  tokens text[] := public.text_tokens(name);
begin
  return array_to_tsvector(array(
    select chat_key || '=' || left(word, 40) from unnest(tokens) as word
    union all
    select chat_key || '~' || substr(left(word, 40), place) from unnest(tokens) as word
    cross join generate_series(2, least(char_length(word), 40) - 3) as place
  ));
end $$;

-- What may be given to somebody, and nothing else: a file that waits for its look, or was found bad, or lost its message, is in no index.
create index attachments_search_idx on attachments using gin (file_keys(chat_id, name)) with (fastupdate = off)
  where message_id is not null and state = 'ready' and (scan is null or scan = 'clean');

-- Search over messages (CHAT-15). Every key of the index begins with the chat it belongs to, so that a search reads what was said
-- in one's own chats and nothing else. Reasons: docs/decisions/027-search.md
-- The index stands on these functions, so they are part of it and not of db/functions: another text needs another index. They name
-- each other with their schema, since an index is built without a search path.

-- A text as searches compare it: without case and accents. The server folds what is searched for in the same way
-- (apps/server/src/features/chat/search/search-terms.ts).
create function fold_text(said text) returns text language sql immutable strict parallel safe as $$
  select case when octet_length(said) = char_length(said) then lower(said collate "C") collate "und-x-icu"
    else replace(replace(replace(replace(translate(
      lower(regexp_replace(normalize(said, NFKD), '[\u0300-\u036f]+', '', 'g') collate "und-x-icu"),
      'øłđðıς', 'olddiσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
  end
$$;

-- The words of a text in their order: runs of letters and digits.
create function text_tokens(said text) returns text[] language sql immutable strict parallel safe as $$
  select array_remove(regexp_split_to_array(public.fold_text(said) collate "und-x-icu", '[^[:alnum:]]+'), '')
$$;

-- The keys of a message: its words (=), and what is left of words of eight letters and more where one begins to read inside them
-- (~), from the third letter on, so that a part of a word is the beginning of a key. Shorter words have no parts that anybody looks
-- for, and each key is paid for with every message.
create function search_keys(chat uuid, said text) returns tsvector language plpgsql immutable strict parallel safe cost 5000 as $$
declare
  chat_key text := right(chat::text, 8);
  tokens text[] := public.text_tokens(said);
begin
  return array_to_tsvector(array(
    select chat_key || '=' || left(word, 40) from unnest(tokens) as word
    union all
    select chat_key || '~' || substr(left(word, 40), place) from unnest(tokens) as word
    cross join generate_series(3, least(char_length(word), 40) - 3) as place
    where char_length(word) >= 8
  ));
end $$;

-- Without a list of what is pending, which every chat of a search would read through.
create index messages_search_idx on messages using gin (search_keys(chat_id, body)) with (fastupdate = off)
  where deleted_at is null and kind = 'text';

-- The index may be built by several processes; a search that starts some waits longer for them than it takes alone.
alter function search_keys parallel restricted;

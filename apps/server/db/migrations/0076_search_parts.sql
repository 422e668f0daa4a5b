-- The keys of the search name the part of the chat too, of 16,384 messages each: the newest part is looked at first, and a frequent
-- word in a chat of a million messages costs what it costs in one of some thousands (PERF-3). Builds the index of the search anew: some
-- minutes for millions of messages. Reasons: docs/decisions/027-search.md

-- How the keys of a part of a chat begin, the first as before there were parts.
create function search_place(chat uuid, part bigint) returns text language sql immutable strict parallel safe as $$
  select right(chat::text, 8) || case when part > 0 then '.' || part else '' end
$$;

drop index messages_search_idx;
drop function search_keys(uuid, text);

-- The keys of a message: its words (=), and what is left of words of eight letters and more where one begins to read inside them
-- (~), from the third letter on, so that a part of a word is the beginning of a key. Shorter words have no parts that anybody looks
-- for, and each key is paid for with every message.
create function search_keys(chat uuid, seq bigint, said text) returns tsvector language plpgsql immutable strict parallel safe cost 5000 as $$
declare
  place text := public.search_place(chat, seq >> 14);
  tokens text[] := public.text_tokens(said);
begin
  return array_to_tsvector(array(
    select place || '=' || left(word, 40) from unnest(tokens) as word
    union all
    select place || '~' || substr(left(word, 40), start) from unnest(tokens) as word
    cross join generate_series(3, least(char_length(word), 40) - 3) as start
    where char_length(word) >= 8
  ));
end $$;

create index messages_search_idx on messages using gin (search_keys(chat_id, seq, body)) with (fastupdate = off)
  where deleted_at is null and kind = 'text';

-- The index may be built by several processes; a search that starts some waits longer for them than it takes alone.
alter function search_keys(uuid, bigint, text) parallel restricted;

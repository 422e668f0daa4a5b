/** A word of the vocabulary by its rank: a few clinical ones, else letters out of a hash, mostly short as in English. */
export const WORD = `case n when 8 then 'patient' when 60 then 'potassium' when 90 then 'K' when 300 then 'drain' when 1500 then 'hyperkalemia'
  when 5000 then 'pericarditis' else substr(translate(md5(n::text), '0123456789', 'aeioulmnrs'), 1, 2 + n % 5 + n % 3 * (n % 7) / 3) end`;

/**
 * 2,000 people; 20,000 chats, from 30 messages to 10,000 and five of 50,000, two million messages in all, of 5 to 17 words, whose
 * frequency falls as a language's does, over 700 days. Without triggers, so that it is quick.
 */
export const FILL: readonly string[] = [
  `set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '256MB';
  insert into facilities (id, name, code, time_zone) values (gen_random_uuid(), 'Bench', 'BN', 'Europe/Dublin');
  insert into users (id, name, email, password_hash)
    select gen_random_uuid(), 'Person ' || n, n || '@people.test', '' from generate_series(1, 2000) n;
  create table person as
    select id, row_number() over (order by id) - 1 as n from users where email like '%@people.test';
  insert into memberships (id, facility_id, user_id) select gen_random_uuid(), f.id, p.id from facilities f, person p;
  create table made as
    select gen_random_uuid() as id, n, case when n < 5 then 50000 else ceil(64000 / power(n + 10, 0.8))::int end as size
    from generate_series(0, 19999) n;
  insert into chats (id, facility_id, kind, title, created_by, client_id, head_seq)
    select m.id, f.id, 'group', 'Chat ' || m.n, p.id, m.id, m.size from made m join person p on p.n = m.n % 2000, facilities f;
  insert into chat_participants (chat_id, user_id, facility_id, access)
    select m.id, p.id, f.id, 'write'
    from made m cross join generate_series(0, 4) k join person p on p.n = 2 + (m.n * 7 + k * 131) % 1998, facilities f
    on conflict do nothing;
  insert into chat_participants (chat_id, user_id, facility_id, access)
    select m.id, p.id, f.id, 'write' from made m join person p on p.n = 0, facilities f where m.n % 100 = 53;
  insert into chat_participants (chat_id, user_id, facility_id, access)
    select m.id, p.id, f.id, 'write' from made m join person p on p.n = 1, facilities f where m.n < 5 or m.n % 67 = 23;`,
  `insert into messages (id, chat_id, facility_id, seq, client_id, sender_id, kind, body, created_at)
    select uuidv7(at - now()), m.id, f.id, seq, gen_random_uuid(), p.id, 'text',
      array_to_string(array(
        select ${WORD} from (
          select 1 + floor(30000 * power(random(), 5))::int as n from generate_series(1, 5 + (m.seq % 13)::int)
        ) as drawn
      ), ' '), at
    from (
      select m.*, seq, now() - (1 - seq::float / m.size) * interval '700 days' - random() * interval '1 second' as at
      from made m cross join generate_series(1, m.size) seq order by 5
    ) as m
    join person p on p.n = 2 + (m.n * 7 + seq % 5 * 131) % 1998, facilities f;
  set session_replication_role = origin;`,
];

/** A million files, one with every second message: photos of a phone, scans and letters. */
export const FILL_FILES = `set session_replication_role = replica;
  insert into attachments
    (id, chat_id, facility_id, uploader_id, message_id, state, key, name, upload_bytes, received_bytes, bytes, kind, mime, sha256)
    select gen_random_uuid(), m.chat_id, m.facility_id, m.sender_id, m.id, 'ready', substr(replace(gen_random_uuid()::text, '-', ''), 1, 22),
      case m.n % 5 when 0 then 'Discharge letter ' || m.n || '.pdf' when 1 then 'CTscan' || m.n || '.dcm' when 2 then 'ChestXRay_' || m.n || '.jpg'
        else 'IMG_' || m.n || '.jpg' end,
      9, 9, 9, 'pdf', 'application/pdf', sha256('file')
    from (select *, row_number() over () as n from messages) as m where m.n % 2 = 0;
  set session_replication_role = origin;`;

/** As the migration makes it, over the full table. */
export const FILES_INDEX = `
  create index attachments_search_idx on attachments using gin (file_keys(chat_id, name)) with (fastupdate = off)
    where message_id is not null and state = 'ready' and (scan is null or scan = 'clean');`;

/** As the migration makes it, over the full table. */
export const INDEX = `
  alter function search_keys(uuid, bigint, text) parallel safe;
  create index messages_search_idx on messages using gin (search_keys(chat_id, seq, body)) with (fastupdate = off)
    where deleted_at is null and kind = 'text';
  alter function search_keys(uuid, bigint, text) parallel restricted;`;

/** 5,000 messages in 100 chats; those of kind 'system' are not in the index. */
export const STORE = (kind: string, round: number): string => `
  insert into messages (id, chat_id, facility_id, seq, client_id, sender_id, kind, body)
    select gen_random_uuid(), m.id, f.id, 1000000 + 100 * g + ${kind === 'text' ? 0 : 1}, gen_random_uuid(), p.id, '${kind}', said.body
    from made m cross join generate_series(1, 50) g join person p on p.n = 7
    join messages as said on said.chat_id = m.id and said.seq = 1 + g % 20, facilities f
    where m.n between ${6000 + 100 * round} and ${6099 + 100 * round}`;

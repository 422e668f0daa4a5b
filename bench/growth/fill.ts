import { WORD } from '../search/fill.ts';

/** Messages in the chats of the person who is measured: the same in every size. */
export const OWN = { chats: 200, messagesEach: 50 } as const;

/**
 * Person 0 has the same 200 chats of 50 messages in every size; the others, 2,000 people, have what is left of `messages`, in chats of 500.
 * One chat of person 0 (the last) has a tenth of all messages. Rows stand in the order of time, as they were written: those of one chat lie
 * far apart. Without triggers, so that it is quick; afterwards what the triggers keep is made.
 */
export function fill(messages: number): readonly string[] {
  const others = Math.floor((messages * 0.9 - OWN.chats * OWN.messagesEach) / 500);
  return [
    `set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '1GB'; set work_mem = '512MB';
    insert into facilities (id, name, code, time_zone) values (gen_random_uuid(), 'Bench', 'BN', 'Europe/Dublin');
    insert into users (id, name, email, password_hash)
      select gen_random_uuid(), 'Person ' || n, n || '@people.test', '' from generate_series(1, 2000) n;
    create table person as
      select id, row_number() over (order by id) - 1 as n from users where email like '%@people.test';
    create unique index on person (n);
    insert into memberships (id, facility_id, user_id) select gen_random_uuid(), f.id, p.id from facilities f, person p;
    create table texts as select n, array_to_string(array(
        select ${WORD} from (select 1 + floor(30000 * power(random(), 5))::int as n from generate_series(1, 5 + t.n % 13)) as drawn
      ), ' ') as body from generate_series(0, 99999) as t(n);
    create unique index on texts (n);
    create table made as
      select gen_random_uuid() as id, n,
        case when n < ${OWN.chats} then ${OWN.messagesEach} when n = ${OWN.chats} then ${Math.floor(messages / 10)} else 500 end as size
      from generate_series(0, ${OWN.chats + Math.max(0, others)}) n;
    insert into chats (id, facility_id, kind, title, created_by, client_id, head_seq, updated_at)
      select m.id, f.id, 'group', 'Chat ' || m.n, p.id, m.id, m.size, now() - random() * interval '1 day'
      from made m join person p on p.n = m.n % 2000, facilities f;
    insert into chat_participants (chat_id, user_id, facility_id, access, read_seq, delivered_seq)
      select m.id, p.id, f.id, 'write', greatest(0, m.size - (m.n + k) % 21), m.size
      from made m cross join generate_series(0, 4) k join person p on p.n = 1 + (m.n * 7 + k * 131) % 1999, facilities f
      on conflict do nothing;
    insert into chat_participants (chat_id, user_id, facility_id, access, read_seq, delivered_seq)
      select m.id, p.id, f.id, 'write', greatest(0, m.size - m.n % 21), m.size
      from made m join person p on p.n = 0, facilities f where m.n <= ${OWN.chats};`,
    `insert into messages (id, chat_id, facility_id, seq, client_id, sender_id, kind, body, created_at)
      select gen_random_uuid(), m.id, f.id, m.seq, gen_random_uuid(), p.id, 'text', t.body, m.at
      from (
        select made.id, made.n, seq, now() - (1 - (seq - random()) / made.size) * interval '700 days' as at
        from made cross join generate_series(1, made.size) seq order by at
      ) as m
      join texts t on t.n = (m.n * 7919 + m.seq * 31) % 100000
      join person p on p.n = 1 + (m.n * 7 + m.seq % 5 * 131) % 1999, facilities f;`,
    `update chats set participant_count = present.count
      from (select chat_id, count(*) as count from chat_participants group by chat_id) as present where present.chat_id = chats.id;
    set session_replication_role = origin;`,
  ];
}

/** 2,000 people, 5 in each chat, one of them in 200 more; 50 messages a chat; markers anywhere. Without triggers, so that it is quick. */
export const FILL = `
  set session_replication_role = replica;
  insert into facilities (id, name, code, time_zone) values (gen_random_uuid(), 'Bench', 'BN', 'Europe/Dublin');
  insert into users (id, name, email, password_hash)
    select gen_random_uuid(), 'Person ' || n, n || '@people.test', '' from generate_series(1, 2000) n;
  create temp table person as
    select id, row_number() over (order by id) - 1 as n from users where email like '%@people.test';
  insert into memberships (id, facility_id, user_id) select gen_random_uuid(), f.id, p.id from facilities f, person p;
  create temp table made as select gen_random_uuid() as id, n from generate_series(0, 19999) n;
  insert into chats (id, facility_id, kind, title, created_by, client_id, updated_at, head_seq)
    select m.id, f.id, 'group', 'Chat ' || m.n, p.id, m.id, now() - random() * interval '90 days', 50
    from made m join person p on p.n = m.n % 2000, facilities f;
  insert into chat_participants (chat_id, user_id, facility_id, access, read_seq, delivered_seq)
    select m.id, p.id, f.id, 'write', (m.n * 13 + k * 7) % 51, 50
    from made m cross join generate_series(0, 4) k join person p on p.n = (m.n * 7 + k * 131) % 2000, facilities f
    on conflict do nothing;
  insert into chat_participants (chat_id, user_id, facility_id, access, read_seq, delivered_seq)
    select m.id, p.id, f.id, 'write', m.n % 51, 50 from made m join person p on p.n = 0, facilities f where m.n % 100 = 3
    on conflict do nothing;
  insert into messages (id, chat_id, facility_id, seq, client_id, sender_id, kind, body)
    select gen_random_uuid(), m.id, f.id, seq, gen_random_uuid(), p.id, 'text', 'Bed 9 is clean; potassium 4.1 at noon.'
    from made m cross join generate_series(1, 50) seq
    join person p on p.n = case when seq % 9 = 0 then 0 else (m.n * 7 + seq % 5 * 131) % 2000 end, facilities f;
  update chats set participant_count = present.count
    from (select chat_id, count(*) as count from chat_participants group by chat_id) as present where present.chat_id = chats.id;
  update chat_participants p set own_after_read = said.count from (
    select p.chat_id, p.user_id, count(*) as count from chat_participants p
    join messages m on m.chat_id = p.chat_id and m.sender_id = p.user_id and m.seq > p.read_seq
    group by p.chat_id, p.user_id
  ) as said where said.chat_id = p.chat_id and said.user_id = p.user_id;
  set session_replication_role = origin;`;

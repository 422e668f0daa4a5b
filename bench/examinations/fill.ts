/** In the chats of the person who is measured: as many examinations in each, in so many chats. */
export const FEW = { chats: 40, each: 5 } as const;
export const MANY = { chats: 40, each: 500 } as const;
const EACH_OF_OTHERS = 50;

const LABORATORY = '00000000-0000-7000-8000-0000000000e1';
const VITAL_SIGNS = '00000000-0000-7000-8000-0000000000e2';

/**
 * A facility of 200 people with `examinations` signed ones: in chats of 5 and of 500 with person 0, and in chats of 50 without. Three in
 * five are laboratory results, the others vital signs; each has its values, its report, a line in the chat and who read it, and ten
 * messages were said beside each chat's. Without triggers, so that it is quick.
 */
export function fill(examinations: number): readonly string[] {
  const own = FEW.chats * FEW.each + MANY.chats * MANY.each;
  const others = Math.max(0, Math.ceil((examinations - own) / EACH_OF_OTHERS));
  return [
    `set session_replication_role = replica; set synchronous_commit = off; set work_mem = '256MB';
    insert into facilities (id, name, code, time_zone) values (gen_random_uuid(), 'Bench', 'BN', 'Europe/Dublin');
    insert into users (id, name, email, password_hash)
      select gen_random_uuid(), 'Person ' || n, n || '@people.test', '' from generate_series(1, 200) n;
    create table person as select id, row_number() over (order by id) - 1 as n from users where email like '%@people.test';
    create unique index on person (n);
    insert into memberships (id, facility_id, user_id) select gen_random_uuid(), f.id, p.id from facilities f, person p;
    create table made as
      select gen_random_uuid() as id, n, case
        when n < ${FEW.chats} then ${FEW.each} when n < ${FEW.chats + MANY.chats} then ${MANY.each} else ${EACH_OF_OTHERS} end as size
      from generate_series(0, ${FEW.chats + MANY.chats + others - 1}) n;
    insert into chats (id, facility_id, kind, title, created_by, client_id, head_seq, updated_at, patient_name, patient_identifier,
        patient_born_on)
      select m.id, f.id, 'case', 'Chat ' || m.n, p.id, m.id, m.size + 10, now() - random() * interval '1 day', 'Patient ' || m.n,
        'P' || m.n, date '1960-01-01' + m.n
      from made m join person p on p.n = 1 + m.n % 199, facilities f;
    insert into chat_participants (chat_id, user_id, facility_id, access)
      select m.id, p.id, f.id, 'manage' from made m cross join generate_series(0, 4) k join person p on p.n = 1 + (m.n + k) % 199, facilities f;
    insert into chat_participants (chat_id, user_id, facility_id, access)
      select m.id, p.id, f.id, 'manage' from made m join person p on p.n = 0, facilities f where m.n < ${FEW.chats + MANY.chats};
    update chats set participant_count = present.count
      from (select chat_id, count(*) as count from chat_participants group by chat_id) as present where present.chat_id = chats.id;`,
    // In the order of time, so that those of one chat lie far apart.
    `create table examined as
      select uuidv7(d.at - now()) as id, d.*
      from (
        select m.id as chat_id, m.n, k as place, now() - (1 - (k - random()) / m.size) * interval '60 days' as at,
          case when k % 5 < 3 then '${LABORATORY}'::uuid else '${VITAL_SIGNS}'::uuid end as template_id
        from made m cross join generate_series(1, m.size) k order by at
      ) as d;
    insert into examinations (id, chat_id, facility_id, client_id, template_id, template_version, state, version, report_version,
        created_by, created_at, requested_by, requested_at, updated_at)
      select e.id, e.chat_id, f.id, gen_random_uuid(), e.template_id, t.version, 'reported', 4, 1, p.id, e.at, p.id, e.at, e.at
      from examined e join person p on p.n = 1 + e.n % 199
      join (select id, max(version) as version from examination_templates group by id) t on t.id = e.template_id, facilities f;
    insert into examination_entries (examination_id, field, value, changed_by, changed_at, version)
      select e.id, v.field, v.value, p.id, e.at, 3
      from examined e join person p on p.n = 1 + e.n % 199
      cross join lateral (
        select * from (values ('potassium', (3.0 + e.place % 40 / 10.0)::text), ('sodium', (130 + e.place % 20)::text),
          ('urea', (2 + e.place % 12)::text), ('creatinine', (40 + e.place % 90)::text), ('impression', 'As last time.')) as l
        where e.template_id = '${LABORATORY}'
        union all
        select * from (values ('respiration', (10 + e.place % 16)::text), ('spo2', (90 + e.place % 10)::text), ('spo2_scale', '1'),
          ('oxygen', 'air'), ('systolic', (95 + e.place % 60)::text), ('pulse', (50 + e.place % 70)::text), ('consciousness', 'A'),
          ('temperature', (36 + e.place % 3)::text)) as s
        where e.template_id = '${VITAL_SIGNS}'
      ) as v (field, value);
    insert into examination_reports (examination_id, version, signed_by, signed_at, content, sha256)
      select id, 1, signer, at, content, sha256(convert_to(content, 'UTF8'))
      from (
        select e.id, p.id as signer, e.at, jsonb_build_object('examination', e.id, 'version', 1,
          'template', jsonb_build_object('id', e.template_id, 'version', x.template_version, 'name', 'Form'),
          'patient', jsonb_build_object('name', 'Patient ' || e.n, 'identifier', 'P' || e.n, 'born_on', null), 'patient_sex', null,
          'signed_by', jsonb_build_object('user_id', p.id, 'name', 'Person'),
          'signed_at', to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'reason', null,
          'entries', (select jsonb_agg(jsonb_build_object('field', v.field, 'value', v.value, 'interpretation', null, 'comparison', null,
            'regions', '[]'::jsonb)) from examination_entries v where v.examination_id = e.id))::text as content
        from examined e join examinations x on x.id = e.id join person p on p.n = 1 + e.n % 199
      ) as said;
    insert into examination_receipts (examination_id, user_id, version, kind, at)
      select e.id, p.id, 1, 'read', e.at from examined e join person p on p.n = 0
      where e.n < ${FEW.chats + MANY.chats} and e.place % 2 = 0;
    insert into messages (id, chat_id, facility_id, seq, client_id, sender_id, kind, body, created_at, act_kind, act_id)
      select gen_random_uuid(), e.chat_id, f.id, e.place, gen_random_uuid(), p.id, 'system', 'signed the report', e.at, 'examination', e.id
      from examined e join person p on p.n = 1 + e.n % 199, facilities f;
    insert into messages (id, chat_id, facility_id, seq, client_id, sender_id, kind, body, created_at)
      select gen_random_uuid(), m.id, f.id, m.size + k, gen_random_uuid(), p.id, 'text', 'Thanks, seen.', now() - (10 - k) * interval '1 minute'
      from made m cross join generate_series(1, 10) k join person p on p.n = 1 + m.n % 199, facilities f;
    set session_replication_role = origin;`,
  ];
}

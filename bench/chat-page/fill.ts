import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { createPasswords } from '../../apps/server/src/features/auth/index.ts';
import { newToken } from '../../apps/server/src/features/auth/sessions/start-session.ts';
import { hashSecret } from '../../apps/server/src/platform/http/session-cookie.ts';

export const SIZES = { people: 12, chats: 20, messagesEach: 50, large: 100_000 } as const;

export interface Ward {
  /** Signs in at a browser. */
  readonly reader: { readonly email: string; readonly password: string };
  /** Bearer tokens of who writes. */
  readonly writers: readonly string[];
  /** Of 50 messages each. */
  readonly chatIds: readonly string[];
  /** Of 100,000. */
  readonly largeId: string;
  readonly facilityId: string;
}

/** A ward whose twelve people are all in twenty chats and in a large one, all of which was read. */
export async function fillWard(connectionString: string, appKey: string): Promise<Ward> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const [facilityId, largeId] = [randomUUID(), randomUUID()];
  const chatIds = Array.from({ length: SIZES.chats }, () => randomUUID());
  const people = Array.from({ length: SIZES.people }, () => randomUUID());
  const writers = people.slice(1).map(() => newToken());
  const password = randomBytes(12).toString('base64url');
  const passwordHash = await createPasswords(Buffer.from(appKey)).hash(password);
  await client.query('set session_replication_role = replica');
  await client.query(`insert into facilities (id, name, code, time_zone) values ($1, 'Bench', 'BN', 'Europe/Dublin')`, [
    facilityId,
  ]);
  await client.query(
    `insert into users (id, name, email, password_hash, email_verified_at)
     select id, 'Person ' || n, 'person-' || n || '@people.test', $2, now()
     from unnest($1::uuid[]) with ordinality as given (id, n)`,
    [people, passwordHash],
  );
  await client.query(
    'insert into memberships (id, facility_id, user_id) select gen_random_uuid(), $1, id from unnest($2::uuid[]) as id',
    [facilityId, people],
  );
  await client.query(
    `insert into access_tokens (id, user_id, name, abilities, token_hash, expires_at)
     select gen_random_uuid(), id, 'bench', '{*}', hash, now() + interval '1 day'
     from unnest($1::uuid[], $2::bytea[]) as given (id, hash)`,
    [people.slice(1), writers.map(hashSecret)],
  );
  await client.query(
    `insert into chats (id, facility_id, kind, title, created_by, client_id, head_seq, participant_count, updated_at)
     select id, $1, 'group', 'Chat ' || n, $2, id, case id when $4 then $5::int else $6::int end, $7, now() - n * interval '1 minute'
     from unnest($3::uuid[]) with ordinality as given (id, n)`,
    [facilityId, people[0], [largeId, ...chatIds], largeId, SIZES.large, SIZES.messagesEach, SIZES.people],
  );
  await client.query(
    `insert into chat_participants (chat_id, user_id, facility_id, access, read_seq, delivered_seq)
     select c.id, person, $1, 'write', c.head_seq, c.head_seq from chats c cross join unnest($2::uuid[]) as person`,
    [facilityId, people],
  );
  // Of one line to eight, as people write.
  await client.query(
    `insert into messages (id, chat_id, facility_id, seq, client_id, sender_id, kind, body, created_at)
     select gen_random_uuid(), c.id, $1, seq, gen_random_uuid(), ($2::uuid[])[1 + seq % 12], 'text',
       'Message ' || seq || repeat(' of the ward about bed and blood pressure', (seq * 7919 % 13)::int),
       now() - (c.head_seq - seq + 1) * interval '4 minutes'
     from chats c cross join lateral generate_series(1, c.head_seq) as seq`,
    [facilityId, people],
  );
  await client.query('set session_replication_role = origin');
  await client.query('vacuum analyze');
  await client.end();
  return { reader: { email: 'person-1@people.test', password }, writers, chatIds, largeId, facilityId };
}

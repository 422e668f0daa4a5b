import { createHash, randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';

export interface Member {
  readonly userId: string;
  readonly token: string;
}

export interface Hospital {
  readonly members: readonly Member[];
  readonly chatIds: readonly string[];
}

/** Messages that stand in each chat. */
export const SAID_BEFORE = 2_000;

/** People with a bearer token each, all of them in each of the chats. */
export async function openHospital(
  connectionString: string,
  { people, chats }: { people: number; chats: number },
): Promise<Hospital> {
  const facilityId = randomUUID();
  const members = Array.from({ length: people }, () => ({
    userId: randomUUID(),
    token: `wardline_${randomBytes(32).toString('base64url')}`,
  }));
  const chatIds = Array.from({ length: chats }, () => randomUUID());
  const userIds = members.map(({ userId }) => userId);
  const hashes = members.map(({ token }) => createHash('sha256').update(token).digest());
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  // Each with a short name of its own.
  await client.query(
    `insert into facilities (id, name, code, time_zone)
     select $1, 'Bench', upper(to_hex(256 + count(*))), 'Europe/Dublin' from facilities`,
    [facilityId],
  );
  await client.query(
    `insert into users (id, name, email, password_hash)
     select id, 'Bench', id || '@people.test', '' from unnest($1::uuid[]) as id`,
    [userIds],
  );
  await client.query(
    `insert into memberships (id, facility_id, user_id)
     select gen_random_uuid(), $1, id from unnest($2::uuid[]) as id`,
    [facilityId, userIds],
  );
  await client.query(
    `insert into access_tokens (id, user_id, name, abilities, token_hash, expires_at)
     select gen_random_uuid(), id, 'bench', '{*}', hash, now() + interval '1 day'
     from unnest($1::uuid[], $2::bytea[]) as given (id, hash)`,
    [userIds, hashes],
  );
  await client.query(
    `insert into chats (id, facility_id, kind, title, created_by, client_id)
     select id, $1, 'group', 'Bench', $2, id from unnest($3::uuid[]) as id`,
    [facilityId, userIds[0], chatIds],
  );
  await client.query(
    `insert into chat_participants (chat_id, user_id, facility_id, access)
     select chat, person, $1, 'write' from unnest($2::uuid[]) as chat cross join unnest($3::uuid[]) as person`,
    [facilityId, chatIds, userIds],
  );
  // What a ward said before: the plans that a server keeps are made for tables that hold something.
  await client.query(
    `select count(*)
     from unnest($1::uuid[]) as chat,
       lateral (
         select array_agg(gen_random_uuid()) as ids, array_agg(gen_random_uuid()) as client_ids,
           array_agg(($2::uuid[])[1 + n % cardinality($2::uuid[])]) as senders
         from generate_series(1, $3::integer) as n
         -- For each chat anew.
         where chat is not null
       ) as said,
       append_messages(chat, ids, senders, client_ids, 'text', array_fill('Said before'::text, array[$3::integer]),
         array_fill(null::uuid, array[$3::integer]), array_fill(null::timestamptz, array[$3::integer]))`,
    [chatIds, userIds, SAID_BEFORE],
  );
  await client.query('analyze');
  await client.end();
  return { members, chatIds };
}

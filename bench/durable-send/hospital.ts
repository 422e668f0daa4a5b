import { createHash, randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';

export interface Sender {
  readonly userId: string;
  readonly facilityId: string;
  readonly chatId: string;
  readonly token: string;
}

/** People with a bearer token each, `perChat` of them together in a chat; the first of a chat is listed first. */
export async function openHospital(
  connectionString: string,
  { people, perChat }: { people: number; perChat: number },
): Promise<Sender[]> {
  const facilityId = randomUUID();
  let chatId = '';
  const senders = Array.from({ length: people }, (_, index): Sender => {
    if (index % perChat === 0) chatId = randomUUID();
    return { userId: randomUUID(), facilityId, chatId, token: `wardline_${randomBytes(32).toString('base64url')}` };
  });
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  // Each with a short name of its own.
  await client.query(
    `insert into facilities (id, name, code, time_zone)
     select $1, 'Bench', upper(to_hex(256 + count(*))), 'Europe/Dublin' from facilities`,
    [facilityId],
  );
  for (const { userId, chatId: chat, token } of senders) {
    const tokenHash = createHash('sha256').update(token).digest();
    await client.query('begin');
    const email = `${userId}@people.test`;
    await client.query(`insert into users (id, name, email, password_hash) values ($1, 'Bench', $2, '')`, [
      userId,
      email,
    ]);
    await client.query('insert into memberships (id, facility_id, user_id) values (gen_random_uuid(), $1, $2)', [
      facilityId,
      userId,
    ]);
    await client.query(
      `insert into access_tokens (id, user_id, name, abilities, token_hash, expires_at)
       values (gen_random_uuid(), $1, 'bench', '{*}', $2, now() + interval '1 day')`,
      [userId, tokenHash],
    );
    await client.query(
      `insert into chats (id, facility_id, kind, title, created_by, client_id)
       values ($1, $2, 'group', 'Bench', $3, $1) on conflict do nothing`,
      [chat, facilityId, userId],
    );
    await client.query(
      `insert into chat_participants (chat_id, user_id, facility_id, access) values ($1, $2, $3, 'write')`,
      [chat, userId, facilityId],
    );
    await client.query('commit');
  }
  await client.end();
  return senders;
}

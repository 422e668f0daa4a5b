import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Sender } from './hospital.ts';

const RAISE = {
  name: 'raise',
  text: 'update chats set head_seq = head_seq + 1, updated_at = now(), last_message = $2 where id = $1 returning head_seq',
};
const INSERT = {
  name: 'insert',
  text: `insert into messages (id, chat_id, facility_id, seq, client_id, sender_id, kind, body)
    values ($1, $2, $3, $4, $5, $6, 'text', $7)`,
};
const AUDIT = {
  name: 'audit',
  text: `insert into audit_entries (actor_id, facility_id, action, object_type, object_id, ip, session_hash, request_id, detail)
    values ($1, $2, 'chat.message.send', 'message', $3, '127.0.0.1', $4, $5, $6)`,
};

/** The least that stores the same rows: prepared statements on an open connection, no question asked. */
export async function connectBareSender(connectionString: string, sender: Sender) {
  const client = new pg.Client({ connectionString });
  // When the run fails the server stops first; its goodbye must not hide the failure.
  client.on('error', () => {});
  await client.connect();
  const sessionHash = randomBytes(32);
  return {
    async send(body: string): Promise<void> {
      const id = randomUUID();
      const excerpt = JSON.stringify({
        seq: 0,
        sender_id: sender.userId,
        sender_name: 'bench',
        kind: 'text',
        excerpt: body,
      });
      await client.query('begin');
      const { rows } = await client.query({ ...RAISE, values: [sender.chatId, excerpt] });
      const seq = rows[0]?.head_seq;
      await client.query({
        ...INSERT,
        values: [id, sender.chatId, sender.facilityId, seq, randomUUID(), sender.userId, body],
      });
      const detail = JSON.stringify({ chat: sender.chatId, seq });
      await client.query({
        ...AUDIT,
        values: [sender.userId, sender.facilityId, id, sessionHash, randomUUID(), detail],
      });
      await client.query('commit');
    },
    close: () => client.end(),
  };
}

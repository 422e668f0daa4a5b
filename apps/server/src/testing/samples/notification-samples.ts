import { createECDH, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { World } from './contract-world.ts';
import type { Sample } from './sample.ts';

/** As a browser gives it, each time another. */
function newSubscription() {
  const ecdh = createECDH('prime256v1');
  return {
    endpoint: `https://updates.push.services.mozilla.com/wpush/v2/${randomBytes(12).toString('hex')}`,
    keys: { p256dh: ecdh.generateKeys('base64url'), auth: randomBytes(16).toString('base64url') },
  };
}

async function notify({ server, ours }: World): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into chat_notifications (chat_id, user_id, seq) values (${ours.chatId}, ${ours.entitled.id}, 1)
    on conflict (chat_id, user_id) do update set seq = excluded.seq returning id`.execute(server.db);
  return rows[0]?.id ?? '';
}

/** For each endpoint of how one is told of messages a request about oneself, or about what told who has the right. */
export const NOTIFICATION_SAMPLES: Readonly<Record<string, (world: World) => Promise<Sample>>> = {
  getNotificationSettings: async () => ({}),
  updateNotificationSettings: async () => ({
    body: {
      sounds: { routine: 'soft', urgent: 'loud' },
      mail_digest: 'daily',
      quiet_hours: { from: '22:00', until: '06:30' },
      quiet_off_call: true,
    },
  }),
  subscribePush: async () => ({ body: newSubscription() }),
  unsubscribePush: async () => ({}),
  testPush: async () => ({}),
  openNotification: async (world) => ({ params: { notification: await notify(world) } }),
  noteNotificationDelivered: async (world) => ({ params: { notification: await notify(world) } }),
};

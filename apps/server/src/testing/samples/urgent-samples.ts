import { randomUUID } from 'node:crypto';
import { makeMembership } from '#/testing/factories/facilities.ts';
import { makePasskey, makeUser } from '#/testing/factories/users.ts';
import { signedIn } from '#/testing/test-client.ts';
import type { World } from './contract-world.ts';
import type { Sample } from './sample.ts';

/** An urgent message of somebody to another in our chat. */
async function newUrgent(world: World, { from, to }: { from: string; to: string }): Promise<Sample> {
  const { server, ours } = world;
  const client = await signedIn(server, from);
  const targets = { people: [to], role_id: null };
  const body = { client_id: randomUUID(), body: `Come ${ours.marker}`, urgent: { targets } };
  const sent = await client.send('POST', `/api/chats/${ours.chatId}/messages`, { body });
  if (sent.statusCode !== 201) throw new Error(`no urgent message: ${sent.body}`);
  return { params: { chat: ours.chatId, message: sent.json().id } };
}

/** Who writes in our chat and has no other right. */
async function newWriter({ server: { db }, ours: { chatId, facility, marker } }: World): Promise<string> {
  const { id } = await makeUser(db, { name: `Writer ${marker}` });
  await makePasskey(db, id);
  await makeMembership(db, { userId: id, facility, title: `Title ${marker}` });
  const participant = { chat_id: chatId, user_id: id, facility_id: facility.id, access: 'write' };
  await db.insertInto('chat_participants').values(participant).execute();
  return id;
}

/** One that calls who is entitled. */
async function urgentForEntitled(world: World): Promise<Sample> {
  return newUrgent(world, { from: await newWriter(world), to: world.ours.entitled.id });
}

/** For each endpoint of urgent messages a request about our facility. */
export const URGENT_SAMPLES: Readonly<Record<string, (world: World) => Promise<Sample>>> = {
  noteUrgentDelivered: urgentForEntitled,
  acceptUrgent: urgentForEntitled,
  closeUrgent: async (world) => ({ ...(await urgentForEntitled(world)), body: { note: `Done ${world.ours.marker}` } }),
  withdrawUrgent: async (world) => ({
    ...(await newUrgent(world, { from: world.ours.entitled.id, to: world.ours.reader.id })),
    body: { note: `Not needed ${world.ours.marker}` },
  }),
  listUrgent: async () => ({ query: { of: 'me', limit: '5' } }),
  getUrgentLadder: async ({ ours }) => ({ params: { facility: ours.facility.id } }),
  setUrgentLadder: async ({ server, ours }) => {
    const found = server.db
      .selectFrom('escalation_ladders')
      .select('version')
      .where('facility_id', '=', ours.facility.id);
    return {
      params: { facility: ours.facility.id },
      body: {
        expected_version: (await found.executeTakeFirst())?.version ?? 0,
        steps: [
          { after_min: 5, call: 'again' },
          { after_min: 10, call: 'everyone' },
        ],
        fallback_role_id: null,
      },
    };
  },
};

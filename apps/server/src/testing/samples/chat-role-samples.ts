import { randomUUID } from 'node:crypto';
import { makeOnCallRole } from '#/testing/factories/on-call.ts';
import type { World } from './contract-world.ts';
import type { Sample } from './sample.ts';

/** A role of our facility that nobody holds. */
export function newRole({ server, ours }: World): Promise<string> {
  const name = `Role ${ours.marker} ${randomUUID().slice(0, 8)}`;
  return makeOnCallRole(server.db, { facilityId: ours.facility.id, name });
}

/** One that is in our chat. */
async function roleInChat(world: World): Promise<{ chat: string; role: string }> {
  const { chatId: chat, facility, entitled } = world.ours;
  const role = await newRole(world);
  await world.server.db
    .insertInto('chat_roles')
    .values({
      ...{
        chat_id: chat,
        role_id: role,
        facility_id: facility.id,
        access: 'write',
        joined_seq: 0,
        added_by: entitled.id,
      },
    })
    .execute();
  return { chat, role };
}

/** For each endpoint of on-call roles in chats a request about our chat or facility. */
export const CHAT_ROLE_SAMPLES: Readonly<Record<string, (world: World) => Promise<Sample>>> = {
  // The world is one for all: a role that stays would fill the chat.
  listChatRoles: async (world) => ({ params: { chat: world.ours.chatId } }),
  addChatRole: async (world) => {
    await world.server.db.deleteFrom('chat_roles').where('chat_id', '=', world.ours.chatId).execute();
    return {
      params: { chat: world.ours.chatId, role: await newRole(world) },
      body: { access: 'read', history: 'now' },
    };
  },
  removeChatRole: async (world) => ({ params: await roleInChat(world) }),
  sendRoleMessage: async (world) => ({
    params: { facility: world.ours.facility.id, role: await newRole(world) },
    body: { client_id: randomUUID(), body: `Said ${world.ours.marker}`, device_time: '2026-01-02T03:04:05Z' },
  }),
};

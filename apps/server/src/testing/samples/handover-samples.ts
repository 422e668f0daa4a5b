import { randomUUID } from 'node:crypto';
import { type HandoverOptions, makeHandover } from '#/testing/factories/handovers.ts';
import { newMember, type World } from './contract-world.ts';
import type { Sample } from './sample.ts';

/** A hand-over in our chat that says our marker: to who is entitled, unless it is said otherwise. */
async function newHandover({ server, ours, former }: World, given: Partial<HandoverOptions> = {}) {
  const { chatId, facility, entitled, marker } = ours;
  const about = { chatId, facilityId: facility.id, givenBy: former.id, to: entitled.id, text: `Watch ${marker}` };
  const { id, actionId } = await makeHandover(server.db, { ...about, ...given });
  return { params: { handover: id }, actionId };
}

async function newSheet(world: World): Promise<object> {
  const { marker, messageId } = world.ours;
  return {
    sheet: {
      ...{ format: 'ipass', severity: 'unstable' },
      lines: [
        { section: 'summary', text: `Sepsis ${marker}`, source: { kind: 'message', id: messageId } },
        { section: 'awareness', text: `If the pressure falls ${marker}` },
      ],
      actions: [{ id: randomUUID(), text: `Lactate ${marker}`, owner: marker, due_at: '2026-11-25T02:00:00Z' }],
    },
    to: { user_id: await newMember(world), role_id: null },
    hands_over_chat: true,
  };
}

/** For each endpoint of hand-overs a request about our facility. */
export const HANDOVER_SAMPLES: Readonly<Record<string, (world: World) => Promise<Sample>>> = {
  listHandoverSuggestions: async ({ ours }) => ({ params: { chat: ours.chatId } }),
  giveHandover: async (world) => ({
    params: { chat: world.ours.chatId },
    body: { client_id: randomUUID(), ...(await newSheet(world)) },
  }),
  listHandovers: async (world) => {
    await newHandover(world);
    return { params: { chat: world.ours.chatId }, query: { limit: '5' } };
  },
  listWaitingHandovers: async (world) => {
    await newHandover(world);
    return { query: { limit: '5' } };
  },
  getHandover: async (world) => ({ params: (await newHandover(world, { state: 'received' })).params }),
  moveHandover: async (world) => ({
    params: (await newHandover(world)).params,
    body: { event: 'receive', expected_version: 1, text: `Understood ${world.ours.marker}` },
  }),
  correctHandover: async (world) => {
    const { entitled, reader } = world.ours;
    return {
      params: (await newHandover(world, { givenBy: entitled.id, to: reader.id })).params,
      body: { expected_version: 1, reason: `Wrong dose ${world.ours.marker}`, ...(await newSheet(world)) },
    };
  },
  setHandoverAction: async (world) => {
    const { params, actionId } = await newHandover(world, { state: 'received' });
    return { params: { ...params, action: actionId }, body: { is_done: true } };
  },
  // The bed of our patient fits no unit.
  listUnitHandovers: async (world) => {
    await newHandover(world);
    return { params: { facility: world.ours.facility.id }, query: { unit: 'none', limit: '5' } };
  },
  noteHandoverListPrint: async ({ ours }) => ({
    params: { facility: ours.facility.id },
    body: { unit: 'none', since: '2026-01-01T00:00:00Z' },
  }),
  exportHandover: async (world) => ({ params: (await newHandover(world, { state: 'received' })).params }),
  noteHandoverPrint: async (world) => ({ params: (await newHandover(world)).params }),
};

import { randomUUID } from 'node:crypto';
import { CHAT_KINDS } from '@wardline/contract/chat/chat.ts';
import type { World } from './contract-world.ts';
import type { Sample } from './sample.ts';

const rules = CHAT_KINDS.map((kind) => ({ kind, mode: 'keep', days: null }));
const inFacility = ({ ours }: World) => ({ params: { facility: ours.facility.id } });
const reasonOf = ({ ours }: World) => `For the lawsuit of ${ours.marker}`;

/** For each endpoint of the record a request about our facility. */
export const RECORD_SAMPLES: Readonly<Record<string, (world: World) => Promise<Sample>>> = {
  getRetention: async (world) => inFacility(world),
  previewRetention: async (world) => ({ ...inFacility(world), body: { rules } }),
  setRetention: async (world) => {
    const policy = await world.server.db
      .selectFrom('retention_policies')
      .select('version')
      .where('facility_id', '=', world.ours.facility.id)
      .executeTakeFirst();
    const version = policy?.version ?? 0;
    const asked = rules.map((rule) =>
      rule.kind === 'group' ? { ...rule, mode: 'delete', days: 9_000 - version } : rule,
    );
    return { ...inFacility(world), body: { expected_version: version, rules: asked } };
  },
  listUnexportedChats: async (world) => ({ ...inFacility(world), query: { limit: '5' } }),
  listLegalHolds: async (world) => ({ ...inFacility(world), query: { state: 'all', limit: '5' } }),
  listHoldablePeople: async (world) => ({ ...inFacility(world), query: { q: '', limit: '5' } }),
  placeLegalHold: async (world) => ({
    ...inFacility(world),
    body: {
      client_id: randomUUID(),
      subject: { kind: 'patient', identifier: `No ${world.ours.marker}` },
      reason: reasonOf(world),
    },
  }),
  liftLegalHold: async (world) => {
    const { facility, entitled, chatId } = world.ours;
    const id = randomUUID();
    const row = { id, facility_id: facility.id, chat_id: chatId, reason: reasonOf(world), placed_by: entitled.id };
    await world.server.db.insertInto('legal_holds').values(row).execute();
    return { params: { facility: facility.id, legal_hold: id }, body: { reason: reasonOf(world) } };
  },
  getChatRecord: async ({ ours }) => ({ params: { chat: ours.chatId } }),
  exportChatRecord: async (world) => ({ params: { chat: world.ours.chatId }, body: { reason: reasonOf(world) } }),
  exportPatientRecord: async (world) => ({
    ...inFacility(world),
    body: { identifier: `No ${world.ours.marker}`, born_on: '1950-02-03', reason: reasonOf(world) },
  }),
};

import { randomUUID } from 'node:crypto';
import { makeChat } from '#/testing/factories/chats.ts';
import { newMember, type World } from './contract-world.ts';
import type { Sample } from './sample.ts';

/** A chat about a patient of our facility, which somebody else is in. */
async function newCase(world: World) {
  const { facility, marker } = world.ours;
  const patient = {
    name: `Patient ${marker}`,
    identifier: `Case ${marker} ${randomUUID().slice(0, 8)}`,
    bornOn: '1950-02-03',
  };
  const participants = [{ userId: await newMember(world) }];
  const chat = { facilityId: facility.id, kind: 'case', title: `Case ${marker}`, patient, participants } as const;
  const { id } = await makeChat(world.server.db, chat);
  return { id, identifier: patient.identifier, born_on: patient.bornOn };
}

/** For each endpoint of emergency access a request about our facility. */
export const EMERGENCY_SAMPLES: Readonly<Record<string, (world: World) => Promise<Sample>>> = {
  findPatientChats: async ({ ours }) => ({
    params: { facility: ours.facility.id },
    body: { identifier: `No ${ours.marker}`, born_on: '1950-02-03' },
  }),
  openInEmergency: async (world) => {
    const { id, ...patient } = await newCase(world);
    const reason = `Called to the patient ${world.ours.marker}`;
    return {
      params: { facility: world.ours.facility.id },
      body: { client_id: randomUUID(), chat_id: id, ...patient, reason },
    };
  },
  listEmergencyAccesses: async ({ ours }) => ({ params: { facility: ours.facility.id }, query: { review: 'waiting' } }),
  countEmergencyAccesses: async ({ ours }) => ({ params: { facility: ours.facility.id } }),
  reviewEmergencyAccess: async (world) => {
    const { server, ours } = world;
    const userId = await newMember(world);
    const id = randomUUID();
    const row = { id, facility_id: ours.facility.id, chat_id: ours.chatId, user_id: userId };
    await server.db
      .insertInto('emergency_accesses')
      .values({ ...row, reason: `Called to the patient ${ours.marker}`, ends_at: new Date(Date.now() + 3_600_000) })
      .execute();
    return {
      params: { facility: ours.facility.id, emergency_access: id },
      body: { verdict: 'justified', note: `Seen ${ours.marker}` },
    };
  },
};

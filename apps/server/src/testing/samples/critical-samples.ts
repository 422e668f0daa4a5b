import { makeExamination } from '#/testing/factories/examinations.ts';
import { makeMembership } from '#/testing/factories/facilities.ts';
import { makePasskey, makeUser } from '#/testing/factories/users.ts';
import { signedIn } from '#/testing/test-client.ts';
import type { World } from './contract-world.ts';
import type { Sample } from './sample.ts';

/** A critical alert in our chat that calls who is entitled, raised by another who may sign. */
async function newAlert(world: World): Promise<Sample> {
  const { server, ours } = world;
  const { chatId, facility, entitled, marker } = ours;
  const signer = await makeUser(server.db, { name: `Signer ${marker}` });
  await makePasskey(server.db, signer.id);
  await makeMembership(server.db, { userId: signer.id, facility, roles: ['clinician'], title: `Title ${marker}` });
  const participant = { chat_id: chatId, user_id: signer.id, facility_id: facility.id, access: 'write' };
  await server.db.insertInto('chat_participants').values(participant).execute();
  const examination = await makeExamination(server.db, {
    ...{ chatId, facilityId: facility.id, userId: signer.id, state: 'in_progress' },
    ...{ values: { potassium: '6.8' }, impression: `Impression ${marker}` },
  });
  const client = await signedIn(server, signer.id);
  const targets = { people: [entitled.id], role_id: null };
  const critical = { kind: 'alert', category: 'minutes', targets };
  const signed = await client.send('POST', `/api/examinations/${examination}/transitions`, {
    body: { to: 'reported', expected_version: 1, critical },
  });
  if (signed.statusCode !== 200) throw new Error(`no critical alert: ${signed.body}`);
  return { params: { chat: chatId, message: signed.json().critical_alerts[0].message_id } };
}

const months = async ({ ours }: World): Promise<Sample> => ({
  params: { facility: ours.facility.id },
  query: { from: '2026-01', to: '2026-12' },
});

/** For each endpoint of critical results a request about our facility. */
export const CRITICAL_SAMPLES: Readonly<Record<string, (world: World) => Promise<Sample>>> = {
  receiveCritical: newAlert,
  readBackCritical: async (world) => ({
    ...(await newAlert(world)),
    body: {
      findings: [{ field: 'potassium', value: '6.80', unit: 'mmol/L' }],
      patient: { name: `Name ${world.ours.marker}`, identifier: `ID ${world.ours.marker}`, born_on: '1948-03-14' },
    },
  }),
  listCriticalTimes: months,
  exportCriticalTimes: months,
  listInterruptions: months,
  exportInterruptions: months,
};

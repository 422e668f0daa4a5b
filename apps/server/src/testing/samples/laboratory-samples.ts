import { createHash, randomUUID } from 'node:crypto';
import { newId } from '#/platform/new-id.ts';
import type { World } from './contract-world.ts';
import type { Sample } from './sample.ts';

/** A result of our facility that matched nobody and says our marker. */
async function newResult({ server, ours }: World): Promise<string> {
  const { facility, marker } = ours;
  const [id, messageId] = [newId(), newId()];
  const of = { facility_id: facility.id };
  const content_hash = createHash('sha256').update(messageId).digest();
  await server.db
    .insertInto('laboratory_messages')
    .values({ id: messageId, ...of, content_hash, control_id: marker, sender: marker, reports: 1 })
    .execute();
  const report = {
    ...{ key: id, title: `Potassium ${marker}`, loinc: null, laboratory: marker, placer: null, number: marker },
    ...{ status: 'final', observedAt: null, reportedAt: '2025-03-01T10:00:00.000Z', note: null },
    patient: { name: `Patient ${marker}`, bornOn: '1950-02-03', identifiers: [{ value: marker, authority: null }] },
    findings: [
      {
        ...{
          key: 'K',
          label: `Potassium ${marker}`,
          code: 'K',
          loinc: null,
          kind: 'quantity',
          value: '4.4',
          unit: null,
        },
        ...{ range: null, interpretation: null, note: null, isWithdrawn: false },
      },
    ],
  };
  await server.db
    .insertInto('laboratory_results')
    .values({
      ...{ id, ...of, message_id: messageId, place: 1, report_key: id, reported_at: report.reportedAt },
      ...{ report: JSON.stringify(report), state: 'unmatched', why: `No chat about ${marker}.` },
    })
    .execute();
  return id;
}

async function facilityWithResult(world: World): Promise<Sample> {
  await newResult(world);
  return { params: { facility: world.ours.facility.id } };
}

/** For each endpoint of laboratory results a request about our facility. */
export const LABORATORY_SAMPLES: Readonly<Record<string, (world: World) => Promise<Sample>>> = {
  listLaboratoryResults: facilityWithResult,
  listLaboratoryMessages: facilityWithResult,
  assignLaboratoryResult: async (world) => ({
    params: { facility: world.ours.facility.id, result: await newResult(world) },
    body: { version: 1, chat_id: world.ours.chatId, reason: `Because ${world.ours.marker}` },
  }),
  setAsideLaboratoryResult: async (world) => ({
    params: { facility: world.ours.facility.id, result: await newResult(world) },
    body: { version: 1, reason: `Because ${world.ours.marker}` },
  }),
  getLaboratoryFeed: async ({ ours }) => ({ params: { facility: ours.facility.id } }),
  setLaboratoryFeed: async ({ server, ours }) => {
    const feed = server.db.selectFrom('laboratory_feeds').select('version').where('facility_id', '=', ours.facility.id);
    const { version } = (await feed.executeTakeFirst()) ?? { version: 0 };
    const codes = [{ code: randomUUID().slice(0, 8), loinc: '2823-3' }];
    return {
      params: { facility: ours.facility.id },
      body: { version, authority: ours.marker, critical_role_id: null, codes },
    };
  },
};

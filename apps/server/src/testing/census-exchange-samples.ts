import { randomUUID } from 'node:crypto';
import type { World } from './contract-world.ts';
import { makeUnit } from './factories/facilities.ts';
import type { Sample } from './sample.ts';

const range = { from: '2025-03-01', to: '2025-03-02' };

/** A unit of its own, so that no other sample's chain of openings is met. */
async function newUnit({ server, ours }: World): Promise<string> {
  const code = randomUUID().slice(0, 8).toUpperCase();
  await makeUnit(server.db, { facilityId: ours.facility.id, name: `Unit ${code}`, code, activeFrom: range.from });
  return code;
}

function admission(unitCode: string): string {
  const id = randomUUID();
  return [
    `MSH|^~\\&|ADT|H1|CENSUS|H1|20250301101500+0000||ADT^A01|${id}|P|2.5.1`,
    'EVN|A01|20250301101500+0000||||20250301101500+0000',
    `PID|1||${id}`,
    `PV1|1|I|${unitCode}^1^1||||||||||||||||${id}`,
  ].join('\r');
}

/** Requests about files and messages of the census. */
export const CENSUS_EXCHANGE_SAMPLES: Readonly<Record<string, (world: World) => Promise<Sample>>> = {
  exportCensus: async ({ ours }) => ({
    params: { kind: 'unit-days' },
    query: { facility: ours.facility.id, ...range },
  }),
  importCensus: async (world) => ({
    query: { facility: world.ours.facility.id, apply: 'true' },
    file: Buffer.from(`unit_code,census_date,opening,admissions\n${await newUnit(world)},2025-03-01,4,1`),
  }),
  receiveHl7: async (world) => ({
    body: { facility: world.ours.facility.id, message: admission(await newUnit(world)) },
  }),
};

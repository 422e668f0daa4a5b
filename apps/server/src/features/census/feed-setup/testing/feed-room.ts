import { randomUUID } from 'node:crypto';
import type { CensusFeed, RefusedMessage, UnknownStay } from '@wardline/contract/census/feed.ts';
import { ticking } from '#/features/census/clock/testing/ticking.ts';
import { receiveByMllp } from '#/features/census/hl7/receive-hl7.ts';
import type { CensusFixture, Person, Place } from '#/features/census/reports/testing/census-fixture.ts';
import { deriveKey } from '#/platform/config/derive-key.ts';
import { multipart } from '#/testing/multipart.ts';
import { TEST_APP_KEY } from '#/testing/test-server.ts';

let sent = 0;
let codes = 0;

export interface Said {
  readonly visit: string;
  readonly unit: string;
  /** YYYYMMDDHHMM in UTC. */
  readonly at: string;
  /** The unit before a move (PV1-6). */
  readonly from?: string;
  /** PV1-44, as `at`. */
  readonly admittedAt?: string;
  readonly disposition?: string;
  readonly head?: string;
}

export function adtOf(trigger: string, said: Said): string {
  const time = `${said.at}00+0000`;
  const visit: string[] = ['PV1', '1', 'I', `${said.unit}^1^1`, '', '', said.from ? `${said.from}^2^1` : ''];
  visit[19] = said.visit;
  visit[36] = said.disposition ?? '';
  visit[44] = said.admittedAt ? `${said.admittedAt}00+0000` : '';
  return [
    said.head ?? `MSH|^~\\&|ADT|H1|CENSUS|H1|${time}||ADT^${trigger}|R${++sent}|P|2.5.1`,
    `EVN|${trigger}|${time}||||${time}`,
    `PID|1||P${said.visit}||Reyes^Ana`,
    Array.from({ length: 45 }, (_, index) => visit[index] ?? '').join('|'),
  ].join('\r');
}

/** A facility whose patient system is not counted yet, and what is asked of it by HTTP. */
export async function openFeedRoom(ward: CensusFixture, place: Place) {
  const { deps, published } = ticking(ward);
  // As the server has it: what comes by MLLP and by HTTP is about the same visits.
  const take = receiveByMllp({ ...deps, feedSecret: deriveKey(Buffer.from(TEST_APP_KEY), 'census feed') });
  const code = `S${++codes}`;
  await ward.server.db.updateTable('facilities').set({ code }).where('id', '=', place.facility.id).execute();
  const base = `/api/census/facilities/${place.facility.id}/feed`;
  const get = async (person: Person, path: string) => person.client.send('GET', `${base}${path}`);
  const post = async (person: Person, path: string, body: object = {}) =>
    person.client.send('POST', `${base}${path}`, { body: { client_id: randomUUID(), ...body } });
  return {
    base,
    get,
    post,
    published,
    /** By MLLP: the acknowledgement. */
    hand: (text: string) => take({ facilityCode: code, text, ip: '10.9.8.7' }),
    status: async (person: Person): Promise<CensusFeed> => (await get(person, '')).json(),
    refused: async (person: Person, query = ''): Promise<{ data: RefusedMessage[]; next_cursor: string | null }> =>
      (await get(person, `/refused${query}`)).json(),
    unknown: async (person: Person, query = ''): Promise<UnknownStay[]> =>
      (await get(person, `/unknown-stays${query}`)).json().data,
    async upload(person: Person, text: string, apply = false) {
      const form = multipart([{ name: 'file', value: text, filename: 'in.csv', type: 'text/csv' }]);
      return (await person.client.send('POST', `${base}/stays?apply=${apply}`, form)).json();
    },
  };
}

export type FeedRoom = Awaited<ReturnType<typeof openFeedRoom>>;

/** A file of who is in. */
export function stayFile(...lines: readonly string[]): string {
  return ['unit_code,bed,visit_number,admitted_at,population', ...lines].join('\n');
}

import type { Proposal } from '@wardline/contract/census/proposals.ts';
import { ticking } from '#/features/census/clock/testing/ticking.ts';
import { receiveByMllp } from '#/features/census/hl7/receive-hl7.ts';
import {
  act,
  type CensusFixture,
  entry,
  type FixtureUnit,
  type Person,
  type Place,
  put,
  read,
} from '#/features/census/reports/testing/census-fixture.ts';
import type { Publication } from '#/platform/http/publish.ts';
import { startFeed } from './adt-room.ts';

export interface Told {
  readonly visit: string;
  readonly unit: FixtureUnit;
  /** YYYYMMDDHHMM in UTC. */
  readonly at: string;
  /** N of PV1-4: born here. */
  readonly kind?: 'N';
}

export interface FeedFixture {
  /** What was published of the messages. */
  readonly published: Publication[];
  /** Hands a message in as the patient system does; fails loudly where it is not taken. */
  tell(trigger: string, event: Told): Promise<void>;
}

let sent = 0;
let fed = 0;

/** The patient system of a facility; it counts, as if it had for long. */
export async function openFeedFixture(ward: CensusFixture, { facility }: Place): Promise<FeedFixture> {
  const { deps, published } = ticking(ward);
  const take = receiveByMllp(deps);
  // The patient system names its facility by the code, which no other of the database has then.
  const code = `F${++fed}`;
  await ward.server.db.updateTable('facilities').set({ code }).where('id', '=', facility.id).execute();
  await startFeed(ward.server.db, facility.id);
  return {
    published,
    async tell(trigger, { visit, unit, at, kind = '' }) {
      const time = `${at}00+0000`;
      const message = [
        `MSH|^~\\&|ADT|H1|CENSUS|H1|${time}||ADT^${trigger}|F${++sent}|P|2.5.1`,
        `EVN|${trigger}|${time}||||${time}`,
        `PID|1||P${visit}`,
        `PV1|1|I|${unit.code}^1^1|${kind}|||||||||||||||${visit}`,
      ].join('\r');
      const answer = await take({ facilityCode: code, text: message, ip: '10.9.8.7' });
      if (!answer.includes('MSA|AA|')) throw new Error(answer);
    },
  };
}

export function proposalsUrl({ facility }: Place): string {
  return `/api/census/facilities/${facility.id}/proposals`;
}

export async function listed(person: Person, place: Place, query = ''): Promise<Proposal[]> {
  const response = await person.client.send('GET', `${proposalsUrl(place)}${query}`);
  if (response.statusCode !== 200) throw new Error(`${response.statusCode}: ${response.payload}`);
  return response.json().data;
}

interface Correction {
  readonly unit: FixtureUnit;
  readonly date: string;
  readonly counts: Parameters<typeof entry>[0];
  readonly reason: string;
}

/** Opens a report for a correction, hands it in with other counts and has it approved. */
export async function correct(
  { nurse, approver }: { nurse: Person; approver: Person },
  { unit, date, counts, reason }: Correction,
): Promise<void> {
  const which = { unit, date };
  const { version } = await read(approver, which);
  const open = await act(approver, which, ['amend', { version, reason_code: 'patient_system', reason }]);
  const given = await put(nurse, which, entry(counts, { version: open.day.version, submit: true }));
  const done = await act(approver, which, ['approve', { version: given.day.version }]);
  if (done.status !== 200) throw new Error(`${done.status}: ${open.message} ${given.message} ${done.message}`);
}

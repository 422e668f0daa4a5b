import { randomUUID } from 'node:crypto';
import { nilCounts } from '@wardline/census/balance.ts';
import type { UnitDay } from '@wardline/contract/census/unit.ts';
import fc from 'fast-check';
import {
  act,
  type CensusFixture,
  type FixtureUnit,
  type Person,
  type Place,
  put,
  read,
  type Which,
} from '#/features/census/reports/testing/census-fixture.ts';
import { ticking } from '../clock/testing/ticking.ts';
import { actOnDay, dayUrl, getDay } from '../day/testing/days.ts';

/** A hospital of three units, two nurses who report for all of them, and two who compile it. */
export interface Hospital {
  readonly ward: CensusFixture;
  readonly place: Place;
  readonly units: readonly [FixtureUnit, FixtureUnit, FixtureUnit];
  readonly nurses: readonly [Person, Person];
  readonly officers: readonly [Person, Person];
}

export async function openHospital(ward: CensusFixture): Promise<Hospital> {
  const place = await ward.elsewhere();
  const unit = (code: string) => ward.unit(code, {}, place);
  const units = [await unit('MED'), await unit('SUR'), await unit('ICU')] as const;
  const nurse = () => ward.person(['chargeNurse'], units, place);
  const officer = () => ward.person(['censusOfficer'], [], place);
  return {
    ward,
    place,
    units,
    nurses: [await nurse(), await nurse()],
    officers: [await officer(), await officer()],
  };
}

/** The dates of which there may be reports; all of them are counted. */
export const DATES = ['2026-11-17', '2026-11-18', '2026-11-19'] as const;
export const NOW = '2026-11-20T02:00:00Z';
/** By then the days of DATES lock that were signed. */
const LOCKING = '2026-12-03T20:00:00Z';

const ONE_REPORT = ['save', 'hand in', 'submit', 'withdraw', 'read', 'approve', 'return', 'amend'] as const;
const ONE_DAY = ['sign', 'lock', 'reopen', 'close', 'correct'] as const;

/** What somebody tries, with all that any act could need. */
const Attempt = fc.record({
  kind: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...ONE_REPORT) },
    { weight: 5, arbitrary: fc.constantFrom(...ONE_DAY) },
    { weight: 1, arbitrary: fc.constant('wait for the clock' as const) },
  ),
  who: fc.constantFrom(0, 1),
  unit: fc.constantFrom(0, 1, 2),
  date: fc.constantFrom(...DATES),
  admissions: fc.nat(3),
  discharges: fc.nat(3),
  sent: fc.constantFrom(0, 0, 0, 1, 2),
  received: fc.constantFrom(0, 0, 0, 1, 2),
  /** Made from a version that is not the newest. */
  isStale: fc.constantFrom(false, false, false, false, true),
  /** The device sends it again before it has an answer. */
  isTwice: fc.constantFrom(false, false, true),
});
type Attempt = typeof Attempt extends fc.Arbitrary<infer Value> ? Value : never;

/** One moment after the other; in each somebody tries something, or up to three do at once. */
export const moments = fc.array(fc.array(Attempt, { minLength: 1, maxLength: 3 }), { minLength: 15, maxLength: 30 });

interface Answer {
  readonly status: number;
  readonly body: object;
}

const WHY = { reason_code: 'late_slip', reason: 'Late slip' };

const REASONS: Readonly<Record<string, object>> = { amend: WHY, return: { reason: 'Once more' } };

/** Tries it. What comes back is an answer for each thing that was asked, a repeat beside its first. */
export async function tryAct(hospital: Hospital, attempt: Attempt): Promise<Answer[][]> {
  const { kind, unit, date } = attempt;
  const which = { unit: hospital.units[unit], date };
  switch (kind) {
    case 'wait for the clock':
      await ticking(hospital.ward).at(LOCKING);
      return [];
    case 'read':
      await read(hospital.officers[attempt.who], which);
      return [];
    case 'sign':
    case 'lock':
    case 'reopen':
      return [await changeDay(hospital, attempt, kind)];
    case 'close':
      return close(hospital, attempt);
    case 'correct':
      return correct(hospital, attempt, which);
    case 'save':
    case 'hand in':
      return [await write(hospital, attempt, which)];
    default:
      return [await changeReport(hospital, attempt, which)];
  }
}

async function changeReport(hospital: Hospital, attempt: Attempt, which: Which): Promise<Answer[]> {
  const { kind, who } = attempt;
  const isOfUnit = kind === 'submit' || kind === 'withdraw';
  const person = isOfUnit ? hospital.nurses[who] : hospital.officers[who];
  const body = { client_id: randomUUID(), version: await versionOf(hospital, attempt, which), ...REASONS[kind] };
  return sendEach(attempt, () => act(person, which, [kind, body]));
}

async function sendEach({ isTwice }: Attempt, send: () => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(isTwice ? [send(), send()] : [send()]);
}

/** Nurses approve nothing: that they look at a report does not keep it from being withdrawn. */
const lookAt = ({ nurses }: Hospital, which: Which): Promise<UnitDay> => read(nurses[0], which);

async function versionOf(hospital: Hospital, { isStale }: Attempt, which: Which): Promise<number> {
  const { version } = await lookAt(hospital, which);
  return isStale ? Math.max(0, version - 1) : version;
}

async function changeDay({ place, officers }: Hospital, attempt: Attempt, verb: 'sign' | 'lock' | 'reopen') {
  const { who, date, isStale } = attempt;
  const officer = officers[who];
  const { version } = (await getDay(officer, place, date)).day;
  const more = verb === 'reopen' ? WHY : verb === 'sign' ? { lock: isStale, override_reason: 'Moved at 23:58' } : {};
  const body = { client_id: randomUUID(), version: isStale ? Math.max(1, version - 1) : version, ...more };
  return sendEach(attempt, () => actOnDay(officer, `${dayUrl(place, date)}/${verb}`, body));
}

async function write(hospital: Hospital, attempt: Attempt, which: Which): Promise<Answer[]> {
  const { who, kind, unit, admissions, discharges, sent, received } = attempt;
  const partner = hospital.units[(unit + 1 + who) % 3]?.id;
  const transfers = [
    ...(sent > 0 ? [{ unit_id: partner, direction: 'out', count: sent }] : []),
    ...(received > 0 ? [{ unit_id: partner, direction: 'in', count: received }] : []),
  ];
  const body = {
    client_id: randomUUID(),
    version: await versionOf(hospital, attempt, which),
    counts: { ...nilCounts(0), admissions, discharges, transfers_in: received, transfers_out: sent },
    transfers,
    submit: kind === 'hand in',
    variance_reason: `Heads are not the point ${randomUUID()}`,
    ...(await seedOf(hospital, which)),
  };
  return sendEach(attempt, () => put(hospital.nurses[who], which, body));
}

async function seedOf(hospital: Hospital, which: Which): Promise<{ seed?: number }> {
  return (await lookAt(hospital, which)).opening_from === null ? { seed: 6 } : {};
}

/** A day of every unit that has to report, agreeing with its partners; then all of it approved and signed. */
async function close(hospital: Hospital, attempt: Attempt): Promise<Answer[][]> {
  const answers: Answer[][] = [];
  for (const unit of hospital.units) {
    const which = { unit, date: attempt.date };
    answers.push(...(await handInAgreeing(hospital, attempt, which)));
    const body = { version: (await lookAt(hospital, which)).version };
    answers.push([await act(hospital.officers[attempt.who], which, ['approve', body])]);
  }
  return [...answers, await changeDay(hospital, { ...attempt, isStale: false }, 'sign')];
}

/** A report of a day that may be signed is opened and handed in again; now and then it waits there for its approval. */
async function correct(hospital: Hospital, attempt: Attempt, which: Which): Promise<Answer[][]> {
  const officer = hospital.officers[attempt.who];
  const reopened = await changeDay(hospital, attempt, 'reopen');
  const { version } = await lookAt(hospital, which);
  const opened = await act(officer, which, ['amend', { version, ...WHY }]);
  const given = await handInAgreeing(hospital, attempt, which);
  const answers = [reopened, [opened], ...given];
  if (attempt.discharges > 1) return answers;
  const body = { version: (await lookAt(hospital, which)).version };
  return [...answers, [await act(officer, which, ['approve', body])]];
}

async function handInAgreeing(hospital: Hospital, { admissions }: Attempt, which: Which): Promise<Answer[][]> {
  const { may, version, transfers } = await lookAt(hospital, which);
  if (!may.submit) return [];
  const agreed = transfers.map(({ unit_id, direction, mine, theirs }) => ({
    unit_id,
    direction,
    count: theirs ?? mine ?? 0,
  }));
  const total = (of: 'in' | 'out') =>
    agreed.filter(({ direction }) => direction === of).reduce((sum, { count }) => sum + count, 0);
  const body = {
    client_id: randomUUID(),
    version,
    counts: { ...nilCounts(0), admissions, transfers_in: total('in'), transfers_out: total('out') },
    transfers: agreed,
    submit: true,
    variance_reason: `Heads are not the point ${randomUUID()}`,
    ...(await seedOf(hospital, which)),
  };
  return [[await put(hospital.nurses[0], which, body)]];
}

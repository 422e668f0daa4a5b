import { randomUUID } from 'node:crypto';
import type { FacilityDay } from '@wardline/contract/census/day.ts';
import {
  act,
  type CensusFixture,
  type FixtureUnit,
  type Person,
  type Place,
  report,
} from '#/features/census/reports/testing/census-fixture.ts';

export interface DayAnswer {
  readonly status: number;
  readonly codes: readonly string[];
  readonly messages: readonly string[];
  readonly day: FacilityDay;
  readonly body: { readonly errors?: Record<string, string[]>; readonly code?: string; readonly message?: string };
}

export function dayUrl({ facility }: Place, date: string): string {
  return `/api/census/facilities/${facility.id}/days/${date}`;
}

export async function getDay(person: Person, place: Place, date: string): Promise<DayAnswer> {
  return answerOf(await person.client.send('GET', dayUrl(place, date)));
}

/** Signs, locks or reopens a day as the page would: with a new id and the version that it was shown. */
export async function actOnDay(
  person: Person,
  url: string,
  body: Readonly<Record<string, unknown>> = {},
): Promise<DayAnswer> {
  const given = { client_id: randomUUID(), ...(url.endsWith('/sign') && { lock: false }), ...body };
  return answerOf(await person.client.send('POST', url, { body: given }));
}

function answerOf(response: { statusCode: number; json: () => DayAnswer['body'] }): DayAnswer {
  const body = response.json();
  const findings = (body as { findings?: { code: string; message: string }[] }).findings ?? [];
  return {
    status: response.statusCode,
    codes: findings.map(({ code }) => code),
    messages: findings.map(({ message }) => message),
    day: body as unknown as FacilityDay,
    body,
  };
}

export interface ReportedUnit {
  readonly unit: FixtureUnit;
  readonly seed: number;
}

/** Every unit hands in a quiet day, and somebody else approves it. */
export async function approveAll(
  { nurse, approver }: { nurse: Person; approver: Person },
  { units, date }: { units: readonly ReportedUnit[]; date: string },
): Promise<void> {
  for (const { unit, seed } of units) {
    const { version } = await report(nurse, { unit, date }, { seed });
    const approved = await act(approver, { unit, date }, ['approve', { version }]);
    if (approved.status !== 200) throw new Error(`${approved.status}: ${approved.message}`);
  }
}

/** What the log of a facility says was done, the oldest first. */
export async function actionsOf({ server }: CensusFixture, { facilityNo }: Place): Promise<string[]> {
  const rows = await server.db
    .selectFrom('census_log')
    .select(['action', 'outcome'])
    .where('facility_no', '=', facilityNo)
    .orderBy('seq')
    .execute();
  return rows.map(({ action, outcome }) => (outcome === 'done' ? action : `${action} ${outcome}`));
}

type Both = { readonly ana: Person; readonly ruth: Person; readonly med: FixtureUnit; readonly icu: FixtureUnit };

/** Both units hand in and are approved: 24 and 8 patients are in. */
export function approveBoth({ ana, ruth, med, icu }: Both, date: string) {
  const units = [
    { unit: med, seed: 24 },
    { unit: icu, seed: 8 },
  ];
  return approveAll({ nurse: ana, approver: ruth }, { units, date });
}

/** How each report of a date stands, by the units' numbers. */
export async function reportStatuses(ward: CensusFixture, { facilityNo }: Place, date: string): Promise<string[]> {
  const reports = ward.server.db.selectFrom('unit_census').select('status').where('facility_no', '=', facilityNo);
  const rows = await reports.where('census_date', '=', date).orderBy('unit_no').execute();
  return rows.map(({ status }) => status);
}

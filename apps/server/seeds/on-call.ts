import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { makeOnCallRole, makeShift, makeStatement } from '#/testing/factories/on-call.ts';
import { idOf, type PersonKey } from './people.ts';

interface DemoRole {
  readonly at: 'brigid' | 'harbour';
  readonly name: string;
  readonly unit?: string;
  readonly phone?: string;
  /** Who holds it one after the other, the first since three hours; each so long. */
  readonly people: readonly PersonKey[];
  readonly hours: number;
}

const ROLES: readonly DemoRole[] = [
  { at: 'brigid', name: 'Medical registrar on call', phone: '4701', people: ['mira', 'yusuf', 'mira'], hours: 12 },
  { at: 'brigid', name: 'Surgeon on call', unit: 'SUR 2B', phone: '4702', people: ['samuel'], hours: 24 },
  { at: 'brigid', name: 'Bed coordinator', phone: '4710', people: ['ana', 'kofi', 'ana'], hours: 12 },
  { at: 'brigid', name: 'Night pharmacist', people: ['priya'], hours: 8 },
  { at: 'brigid', name: 'Radiographer on call', phone: '4720', people: ['hana'], hours: 12 },
  { at: 'brigid', name: 'Paediatric charge nurse', unit: 'PED', people: ['ines', 'elena'], hours: 12 },
  { at: 'brigid', name: 'Biochemist on call', people: [], hours: 0 },
  { at: 'harbour', name: 'Clinic physician on call', phone: '+353 1 555 0177', people: ['tomas'], hours: 24 },
];

/** Numbers of people; 555 01 is nobody's. */
const PHONES: Partial<Record<PersonKey, string>> = {
  mira: '+353 1 555 0101',
  ana: '+353 1 555 0102',
  samuel: '+353 1 555 0103',
  owen: '+353 1 555 0104',
  kofi: '4733',
  hana: '4721',
};

/** What people of the hospital say of their own duty: on duty for so many hours, busy for so many minutes. */
const STATED: Partial<Record<PersonKey, { hours?: number; busy?: { minutes: number; reason: string } }>> = {
  leila: { hours: 9 },
  ruth: { hours: 4 },
  yusuf: { hours: 6, busy: { minutes: 90, reason: 'ward_round' } },
  samuel: { busy: { minutes: 150, reason: 'in_theatre' } },
};

/** How many hours ago the others used the product last. */
const SEEN_HOURS_AGO: Partial<Record<PersonKey, number>> = { owen: 0.5, priya: 3, kofi: 26, elena: 76, ines: 5 };

const HOUR_MS = 3_600_000;

interface OnCallCast {
  readonly facilities: Readonly<Record<'brigid' | 'harbour', { readonly id: string }>>;
  readonly ids: ReadonlyMap<PersonKey, string>;
  readonly now: Date;
}

/** Who is on call in the demo hospital, and under which numbers people are reached. */
export async function seedOnCall(tx: DatabaseTransaction, { facilities, ids, now }: OnCallCast): Promise<void> {
  const begin = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS - 3 * HOUR_MS;
  for (const { at, name, unit, phone = null, people, hours } of ROLES) {
    const facilityId = facilities[at].id;
    const units = tx.selectFrom('units').select('id').where('facility_id', '=', facilityId);
    const found = unit === undefined ? undefined : await units.where('code', '=', unit).executeTakeFirstOrThrow();
    const roleId = await makeOnCallRole(tx, { facilityId, name, phone, unitId: found?.id ?? null });
    for (const [index, key] of people.entries()) {
      const startsAt = new Date(begin + index * hours * HOUR_MS);
      const endsAt = new Date(startsAt.getTime() + hours * HOUR_MS);
      await makeShift(tx, { facilityId, roleId, userId: idOf(ids, key), startsAt, endsAt });
    }
  }
  await seedPresence(tx, { facilityId: facilities.brigid.id, ids, now });
  for (const [key, phone] of Object.entries(PHONES) as [PersonKey, string][]) {
    await tx.updateTable('memberships').set({ phone }).where('user_id', '=', idOf(ids, key)).execute();
  }
}

interface PresenceCast extends Pick<OnCallCast, 'ids' | 'now'> {
  readonly facilityId: string;
}

async function seedPresence(tx: DatabaseTransaction, { facilityId, ids, now }: PresenceCast): Promise<void> {
  const inHours = (hours: number) => new Date(now.getTime() + hours * HOUR_MS);
  for (const [key, { hours, busy }] of Object.entries(STATED) as [
    PersonKey,
    NonNullable<(typeof STATED)[PersonKey]>,
  ][]) {
    await makeStatement(tx, {
      ...{ facilityId, userId: idOf(ids, key) },
      ...(hours !== undefined && { onDutyUntil: inHours(hours) }),
      ...(busy && { busyUntil: inHours(busy.minutes / 60), busyReason: busy.reason }),
    });
  }
  for (const [key, hours] of Object.entries(SEEN_HOURS_AGO) as [PersonKey, number][])
    await tx
      .insertInto('last_seen')
      .values({ user_id: idOf(ids, key), seen_at: inHours(-hours) })
      .execute();
}

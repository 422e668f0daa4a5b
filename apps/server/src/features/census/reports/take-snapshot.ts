import { censusDateOf } from '@wardline/census/calendar.ts';
import type { Finding } from '@wardline/contract/census/census.ts';
import type { takeSnapshot as endpoint, Snapshot } from '@wardline/contract/census/unit.ts';
import { sql } from 'kysely';
import { appendAfter, lockHead, loggedUnit } from '#/features/census/core/append-log.ts';
import { authorOf } from '#/features/census/core/author.ts';
import { brokenRules } from '#/features/census/core/broken-rules.ts';
import { censusChanged } from '#/features/census/core/change-events.ts';
import type { UnitConfig } from '#/features/census/core/config-queries.ts';
import { withRefusalLogging } from '#/features/census/core/log-refusal.ts';
import { reportUnit } from '#/features/census/core/policy.ts';
import { isKnownRepeat, isRepeat } from '#/features/census/core/request-once.ts';
import { requireUnitOn, unitSubject } from '#/features/census/core/require-unit.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { invalidField } from '#/platform/http/app-error.ts';
import { authorize } from '#/platform/http/authorization/authorize.ts';
import { authorizeNow } from '#/platform/http/authorization/authorize-now.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { newId } from '#/platform/new-id.ts';
import { findComplement, type UnitDayKey } from './unit-day/unit-day-queries.ts';

type Endpoint = typeof endpoint;
type Body = InputOf<Endpoint>['body'];

const MINUTE_MS = 60_000;
/** A device's clock may be a little ahead. */
const AHEAD_MS = 5 * MINUTE_MS;
/** A count is of now; one that a device kept while it was offline may be this old. */
const OLDEST_MS = 24 * 60 * MINUTE_MS;

/** Stores a count of the unit at an hour of the day. It never enters the balance. */
export async function takeSnapshot(ctx: RequestContext, { params, body }: InputOf<Endpoint>): Promise<Snapshot> {
  const { actor } = ctx;
  const takenAt = new Date(body.taken_at);
  const age = Date.now() - takenAt.getTime();
  const request = { userId: actor.userId, endpoint: 'takeSnapshot', params, body };
  // Of one that was stored the answer may have been lost for days.
  const isTimely = (age >= -AHEAD_MS && age <= OLDEST_MS) || (await isKnownRepeat(ctx.db, request));
  const today = new Date(isTimely ? takenAt : Date.now());
  const asked = { actor, unitId: params.unit, date: today.toISOString().slice(0, 10) };
  const near = await requireUnitOn(ctx.db, asked);
  const dateNear = censusDateOf(today, near);
  const place = dateNear === asked.date ? near : await requireUnitOn(ctx.db, { ...asked, date: dateNear });
  const date = censusDateOf(today, place);
  const key = { facilityNo: place.facility_no, unitNo: place.unit_no, date, population: body.population };
  const entry = { action: 'snapshot.take', unit: loggedUnit(place), date, population: body.population } as const;
  const refused = { facilityNo: place.facility_no, facilityId: place.facility_id, entry };
  return withRefusalLogging(ctx, refused, async () => {
    authorize(actor, reportUnit, unitSubject(place));
    if (!isTimely) throw invalidField('taken_at', 'This is not a time of the last 24 hours.');
    return ctx.write('census.snapshot.take', async (tx) => {
      const head = await lockHead(tx, place.facility_no);
      // Who waited may report for the unit no more.
      const asIs = await requireUnitOn(tx, { ...asked, date });
      await authorizeNow(tx, actor, reportUnit, unitSubject(asIs));
      const by = { takenAt, takenBy: actor.userId };
      if (await isRepeat(tx, request)) return { result: await stored(tx, { place, key, by }), audit: null };
      await store(tx, { place: asIs, key, by, body });
      const { occupied, blocked } = body;
      const author = authorOf(ctx, place.facility_id);
      const taken = { ...entry, after: { occupied, blocked, taken_at: takenAt } };
      await appendAfter(tx, head, { facilityNo: place.facility_no, author, entries: [taken] });
      const { facility_id: facilityId, unit_id: unitId } = place;
      return {
        result: await stored(tx, { place, key, by }),
        audit: { facilityId, objectType: 'unit', objectId: unitId, detail: { population: body.population } },
        publish: censusChanged(facilityId, [{ dates: [date], unitId }]),
      };
    });
  });
}

interface Taking {
  readonly place: UnitConfig;
  readonly key: UnitDayKey;
  readonly by: { readonly takenAt: Date; readonly takenBy: string };
}

async function store(tx: Transaction, { place, key, by, body }: Taking & { readonly body: Body }): Promise<void> {
  const beds = await findComplement(tx, key);
  const findings: Finding[] = [];
  if (!place.populations.includes(key.population)) {
    findings.push({ code: 'UNIT_INACTIVE', field: null, message: `${place.unit_code} does not report this now.` });
  }
  if (body.blocked > beds.physical + beds.surge) {
    const message = 'More beds are blocked than there are.';
    findings.push({ code: 'BLOCKED_EXCEEDS_BEDS', field: 'blocked', message });
  }
  if (findings.length > 0) throw brokenRules(findings);
  const { occupied, blocked } = body;
  await insertSnapshot(tx, key, { ...by, occupied, blocked, staffed: beds.staffed });
}

async function stored(tx: Transaction, { place, key, by }: Taking): Promise<Snapshot> {
  const found = await findSnapshot(tx, key, by);
  if (!found) throw new Error('a snapshot was not stored');
  const { taken_by, taken_by_name, taken_at, ...counts } = found;
  return {
    ...counts,
    unit_id: place.unit_id,
    taken_at: taken_at.toISOString(),
    taken_by: { id: taken_by, name: taken_by_name },
  };
}

interface NewSnapshot extends Pick<Snapshot, 'occupied' | 'blocked' | 'staffed'> {
  readonly takenAt: Date;
  readonly takenBy: string;
}

async function insertSnapshot(tx: DatabaseTransaction, key: UnitDayKey, taken: NewSnapshot): Promise<void> {
  await tx
    .insertInto('census_snapshots')
    .values({
      id: newId(),
      facility_no: key.facilityNo,
      unit_no: key.unitNo,
      population: key.population,
      taken_at: taken.takenAt,
      occupied: taken.occupied,
      blocked: taken.blocked,
      staffed: taken.staffed,
      taken_by: taken.takenBy,
    })
    .execute();
}

interface SnapshotRow extends Omit<Snapshot, 'unit_id' | 'taken_at' | 'taken_by'> {
  readonly taken_at: Date;
  readonly taken_by: string;
  readonly taken_by_name: string;
}

/** The last count that this person stored of the unit for this instant. */
async function findSnapshot(
  tx: DatabaseTransaction,
  key: UnitDayKey,
  { takenAt, takenBy }: Pick<NewSnapshot, 'takenAt' | 'takenBy'>,
): Promise<SnapshotRow | undefined> {
  const found = await sql<SnapshotRow>`
    select s.id, s.population, s.taken_at, s.occupied, s.blocked, s.staffed, s.taken_by, u.name as taken_by_name
    from census_snapshots s join users u on u.id = s.taken_by
    where s.unit_no = ${key.unitNo} and s.population = ${key.population} and s.taken_at = ${takenAt} and s.taken_by = ${takenBy}
    order by s.id desc limit 1`.execute(tx);
  return found.rows[0];
}

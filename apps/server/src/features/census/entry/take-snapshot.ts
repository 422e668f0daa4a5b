import { censusDateOf } from '@wardline/census/calendar.ts';
import type { Finding } from '@wardline/contract/census.ts';
import type { takeSnapshot as endpoint, Snapshot } from '@wardline/contract/census-unit.ts';
import { must } from '#/platform/authorise/can.ts';
import type { RequestContext, Transaction } from '#/platform/context.ts';
import { invalidField } from '#/platform/http/app-error.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { authorOf } from '../author.ts';
import { brokenRules } from '../broken-rules.ts';
import { censusChanged } from '../census-news.ts';
import { appendLog, loggedUnit } from '../log/append-log.ts';
import { lockHead } from '../log/log-queries.ts';
import { notingRefusals } from '../log-refusal.ts';
import type { UnitPlace } from '../place-queries.ts';
import { reportUnit } from '../policy.ts';
import { isRepeat } from '../request-once.ts';
import { requireUnitOn, unitFacts } from './require-unit.ts';
import { findSnapshot, insertSnapshot } from './snapshot-queries.ts';
import { findComplement, type UnitDayKey } from './unit-day-queries.ts';

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
  const isRecent = age >= -AHEAD_MS && age <= OLDEST_MS;
  const today = new Date(isRecent ? takenAt : Date.now());
  const asked = { actor, unitId: params.unit, date: today.toISOString().slice(0, 10) };
  const near = await requireUnitOn(ctx.db, asked);
  const place = await requireUnitOn(ctx.db, { ...asked, date: censusDateOf(today, near) });
  const date = censusDateOf(today, place);
  const key = { facilityNo: place.facility_no, unitNo: place.unit_no, date, class: body.class };
  const entry = { action: 'snapshot.take', unit: loggedUnit(place), date, class: body.class } as const;
  const refused = { facilityNo: place.facility_no, facilityId: place.facility_id, entry };
  return notingRefusals(ctx, refused, async () => {
    must(actor, reportUnit, unitFacts(place));
    if (!isRecent) throw invalidField('taken_at', 'This is not a time of the last 24 hours.');
    return ctx.write('census.snapshot.take', async (tx) => {
      await lockHead(tx, place.facility_no);
      const by = { takenAt, takenBy: actor.userId };
      const isDone = await isRepeat(tx, { userId: actor.userId, endpoint: 'takeSnapshot', params, body });
      if (isDone) return { result: await stored(tx, { place, key, by }), audit: null };
      await store(tx, { place, key, by, body });
      const { occupied, blocked } = body;
      const author = authorOf(ctx, place.facility_id);
      const taken = { ...entry, after: { occupied, blocked, taken_at: takenAt } };
      await appendLog(tx, { facilityNo: place.facility_no, author, entries: [taken] });
      const { facility_id: facilityId, unit_id: unitId } = place;
      return {
        result: await stored(tx, { place, key, by }),
        audit: { facilityId, objectType: 'unit', objectId: unitId, detail: { class: body.class } },
        publish: [censusChanged({ facility_id: facilityId, census_date: date, unit_id: unitId })],
      };
    });
  });
}

interface Taking {
  readonly place: UnitPlace;
  readonly key: UnitDayKey;
  readonly by: { readonly takenAt: Date; readonly takenBy: string };
}

async function store(tx: Transaction, { place, key, by, body }: Taking & { readonly body: Body }): Promise<void> {
  const beds = await findComplement(tx, key);
  const findings: Finding[] = [];
  if (!place.classes.includes(key.class)) {
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

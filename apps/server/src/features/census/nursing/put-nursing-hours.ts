import { newestCensusDate } from '@wardline/census/calendar.ts';
import { hoursText, hundredthsOf } from '@wardline/census/nursing-hours.ts';
import type { putNursingHours as endpoint, NursingMonth } from '@wardline/contract/census/nursing.ts';
import { formatMonth } from '@wardline/format/periods.ts';
import { sql } from 'kysely';
import { appendAfter, type LogHead, lockHead, loggedUnit } from '#/features/census/core/append-log.ts';
import { authorOf } from '#/features/census/core/author.ts';
import { brokenRule } from '#/features/census/core/broken-rules.ts';
import { censusChanged } from '#/features/census/core/change-events.ts';
import type { UnitConfig } from '#/features/census/core/config-queries.ts';
import { withRefusalLogging } from '#/features/census/core/log-refusal.ts';
import { enterNursingHours } from '#/features/census/core/policy.ts';
import { isKnownRepeat, isRepeat } from '#/features/census/core/request-once.ts';
import { requireUnitOn, unitSubject } from '#/features/census/core/require-unit.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import type { AppError } from '#/platform/http/app-error.ts';
import { authorize } from '#/platform/http/authorization/authorize.ts';
import { authorizeNow } from '#/platform/http/authorization/authorize-now.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { firstDayOf, lastDayOf } from './month-days.ts';
import type { NursingRow } from './nursing-queries.ts';
import { requireNursingMonth } from './serialize-nursing-month.ts';

type Input = InputOf<typeof endpoint>;
type Hours = Pick<NursingMonth, 'rn_hours' | 'other_hours' | 'note'>;

const FIELDS = ['rn_hours', 'other_hours', 'note'] as const;

/** Says what nurses worked in a unit in a month that has ended. */
export async function putNursingHours(ctx: RequestContext, { params, body }: Input): Promise<NursingMonth> {
  const { actor } = ctx;
  const asked = { actor, unitId: params.unit, date: firstDayOf(params.month) };
  const place = await requireUnitOn(ctx.db, asked);
  const entry = { action: 'nursing_hours.save', unit: loggedUnit(place) } as const;
  const refused = { facilityNo: place.facility_no, facilityId: place.facility_id, entry };
  return withRefusalLogging(ctx, refused, async () => {
    authorize(actor, enterNursingHours, unitSubject(place));
    mustHaveEnded(place, params.month);
    const request = { userId: actor.userId, endpoint: 'putNursingHours', params, body };
    // Nobody waits for a refusal: asked before the facility is held, and again under the lock.
    if (!(await isKnownRepeat(ctx.db, request))) {
      const standing = await requireNursingMonth(ctx.db, place, params.month);
      if (standing.version !== body.version) throw stale(standing, body.version);
    }
    return ctx.write('census.nursing_hours.save', async (tx) => {
      const head = await lockHead(tx, place.facility_no);
      const asIs = await requireUnitOn(tx, asked);
      await authorizeNow(tx, actor, enterNursingHours, unitSubject(asIs));
      const isDone = await isRepeat(tx, request);
      const standing = await requireNursingMonth(tx, place, params.month);
      if (isDone) return { result: standing, audit: null };
      if (standing.version !== body.version) throw stale(standing, body.version);
      return change(ctx, tx, { place, head, standing, body });
    });
  });
}

interface Change {
  readonly place: UnitConfig;
  readonly head: LogHead;
  readonly standing: NursingMonth;
  readonly body: Input['body'];
}

async function change(ctx: RequestContext, tx: Transaction, { place, head, standing, body }: Change) {
  const next = givenHours(body, standing);
  const changed = FIELDS.filter((field) => standing[field] !== next[field]);
  if (changed.length === 0) return { result: standing, audit: null };
  const { facility_no: facilityNo, facility_id: facilityId, unit_id: unitId } = place;
  const { month } = standing;
  const first = firstDayOf(month);
  const { userId, name } = ctx.actor;
  const at = new Date();
  const version = await storeNursingHours(tx, {
    facilityNo,
    unitNo: place.unit_no,
    month: first,
    ...next,
    by: userId,
    at,
  });
  const entered = { entered_at: at.toISOString(), entered_by: { id: userId, name } };
  const result: NursingMonth = { ...standing, ...next, ...entered, version };
  const pick = (state: Hours) => ({ month, ...Object.fromEntries(changed.map((field) => [field, state[field]])) });
  const said = {
    action: 'nursing_hours.save',
    unit: loggedUnit(place),
    before: standing.version === 0 ? null : pick(standing),
    after: pick(next),
  } as const;
  await appendAfter(tx, head, { facilityNo, author: authorOf(ctx, facilityId), entries: [said] });
  return {
    result,
    audit: { facilityId, objectType: 'unit', objectId: unitId, detail: { month, version: result.version } },
    publish: censusChanged(facilityId, [{ dates: [first, lastDayOf(month)], unitId }]),
  };
}

function givenHours({ rn_hours, other_hours, note }: Input['body'], standing: Hours): Hours {
  return {
    rn_hours: exact(rn_hours),
    other_hours: exact(other_hours),
    note: note === undefined ? standing.note : note?.trim() || null,
  };
}

/** With two decimals, as the database gives it back. */
function exact(hours: string | null): string | null {
  const hundredths = hours === null ? null : hundredthsOf(hours);
  return hundredths === null ? null : hoursText(hundredths);
}

function mustHaveEnded(place: UnitConfig, month: string): void {
  if (lastDayOf(month) <= newestCensusDate(new Date(), place)) return;
  const message = `${formatMonth(month)} has not ended. Its hours can be entered after its last day.`;
  throw brokenRule({ code: 'NOT_YET_DUE', field: 'month', message });
}

function stale({ version, unit_code }: NursingMonth, given: number): AppError {
  const message = `The nursing hours of ${unit_code} are at version ${version} now; this was made from version ${given}.`;
  return brokenRule({ code: 'VERSION_CONFLICT', field: 'version', message }, 'conflict');
}

interface NewHours extends Pick<NursingRow, 'rn_hours' | 'other_hours' | 'note'> {
  readonly facilityNo: number;
  readonly unitNo: number;
  /** The first day of the month. */
  readonly month: string;
  readonly by: string;
  readonly at: Date;
}

/** Puts the hours in the place of what was given for the month. Returns the version, which rises. */
export async function storeNursingHours(tx: DatabaseTransaction, hours: NewHours): Promise<number> {
  const { facilityNo, unitNo, month, rn_hours, other_hours, note, by, at } = hours;
  const stored = await sql<{ version: number }>`
    insert into nursing_hours as h (facility_no, unit_no, month, rn_hours, other_hours, note, entered_by, entered_at)
    values (${facilityNo}, ${unitNo}, ${month}, ${rn_hours}, ${other_hours}, ${note}, ${by}, ${at})
    on conflict (unit_no, month) do update set rn_hours = excluded.rn_hours, other_hours = excluded.other_hours,
      note = excluded.note, entered_by = excluded.entered_by, entered_at = excluded.entered_at,
      version = h.version + 1
    returning h.version`.execute(tx);
  const [row] = stored.rows;
  if (!row) throw new Error('the nursing hours were not stored');
  return row.version;
}

import { afterAct, type UnitDayAct } from '@wardline/census/states.ts';
import type { Population, UnitDayStatus } from '@wardline/contract/census/census.ts';
import type { CensusAction } from '@wardline/contract/census/logs.ts';
import type { UnitDay } from '@wardline/contract/census/unit.ts';
import {
  appendAfter,
  type LogHead,
  lockHead,
  loggedUnit,
  type NewLogEntry,
} from '#/features/census/core/append-log.ts';
import { authorOf } from '#/features/census/core/author.ts';
import { brokenRule, brokenRules } from '#/features/census/core/broken-rules.ts';
import { type CensusChange, censusChanged } from '#/features/census/core/change-events.ts';
import {
  type ChangedReports,
  ensureFacilityDay,
  refreshSums,
  type UnitConfig,
} from '#/features/census/core/config-queries.ts';
import type { CensusDeps } from '#/features/census/core/deps.ts';
import { newFacilityDay } from '#/features/census/core/facility-day-clock.ts';
import { formatDay } from '#/features/census/core/labels.ts';
import { withRefusalLogging } from '#/features/census/core/log-refusal.ts';
import { isKnownRepeat, isRepeat } from '#/features/census/core/request-once.ts';
import { requireUnitOn, unitSubject } from '#/features/census/core/require-unit.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { type Action, authorize } from '#/platform/http/authorization/authorize.ts';
import { actorNow } from '#/platform/http/authorization/authorize-now.ts';
import type { AuditSubject, RequestContext, Transaction } from '#/platform/http/context.ts';
import type { Publication } from '#/platform/http/publish.ts';
import { serializeUnitDay } from './unit-day/serialize-unit-day.ts';
import {
  isSigned,
  loadUnitDay,
  type UnitDayState,
  type UnitDayUpdate,
  updatedUnitDay,
} from './unit-day/unit-day-state.ts';

const LABELS: Readonly<Record<UnitDayStatus, string>> = {
  draft: 'a draft',
  submitted: 'submitted',
  returned: 'returned',
  approved: 'approved',
  locked: 'locked',
  amending: 'being corrected',
};

/** Where an act leads from here; refused where it leads nowhere (CEN-R12 for what is locked). */
export function transition({ report, key, place }: UnitDayState, act: UnitDayAct): UnitDayStatus {
  const status = report?.status ?? 'draft';
  const next = afterAct(status, act);
  if (next) return next;
  const said = `The report of ${formatDay(key.date, place)} is ${LABELS[status]}`;
  if (status === 'locked') {
    throw brokenRule({ code: 'LOCKED', field: null, message: `${said}. It must be opened for a correction first.` });
  }
  throw brokenRule({ code: 'WRONG_STATUS', field: null, message: `${said}; that is not possible now.` });
}

interface UnitDayRequest {
  readonly params: { readonly unit: string; readonly date: string; readonly population: Population };
  readonly body: {
    readonly client_id: string;
    readonly version?: number;
    readonly device_time?: string | undefined;
    readonly replaces?: readonly string[] | undefined;
    readonly submit?: boolean;
  };
}

type UnitOptions = ReturnType<typeof unitSubject>;

/** One of the acts on a report. */
export interface UnitDayChange {
  readonly endpoint: string;
  readonly action: CensusAction;
  /** The right to it; the act may ask for more when it knows the report. */
  readonly right: Action<UnitOptions>;
  /**
   * Refuses what cannot be done. Asked before the facility is held, so that nobody waits for a refusal; `act` asks it again
   * under the lock.
   */
  readonly check: (at: CheckContext) => void | Promise<void>;
  /** Does it; null where there is nothing to change. */
  readonly act: (at: ActContext) => Promise<ActResult | null>;
}

export interface ActContext {
  readonly tx: Transaction;
  readonly unitDay: UnitDayState;
  readonly actor: Actor;
  readonly deps: CensusDeps;
  readonly now: Date;
}

/** The same before the facility is held: for reading. */
export type CheckContext = Omit<ActContext, 'tx'> & { readonly tx: Transaction | RequestContext['db'] };

type Entry = Omit<NewLogEntry, 'unit' | 'population' | 'deviceTime'>;

/** What was done. */
export interface ActResult {
  /** Of this report, or of `date` where another day is meant; at least one. */
  readonly entries: readonly Entry[];
  /** What of the report's state is known after it; the report itself is read again unless it is given. */
  readonly update?: UnitDayUpdate;
  /** The dates of the reports that changed besides this one, in order. */
  readonly moved?: readonly string[];
  /** No page but the report itself says anything else now. */
  readonly isUnseen?: boolean;
  readonly publish?: readonly Publication[];
}

/**
 * The frame of every change to a report. What is refused is refused before anything is held. In one transaction: the
 * facility's census is held, so that changes to neighbouring days and units come one after the other; rights are asked
 * again; the request is done once; the report is read once; signature and version are looked at; the act is done, written
 * into the log, and summed up.
 */
export async function changeUnitDay(
  ctx: RequestContext,
  deps: CensusDeps,
  { request, change }: { request: UnitDayRequest; change: UnitDayChange },
): Promise<UnitDay> {
  const { params } = request;
  const asked = { actor: ctx.actor, unitId: params.unit, date: params.date };
  const place = await requireUnitOn(ctx.db, asked);
  const { facility_no: facilityNo, facility_id: facilityId } = place;
  const entry = { action: change.action, unit: loggedUnit(place), date: params.date, population: params.population };
  return withRefusalLogging(ctx, { facilityNo, facilityId, entry }, async () => {
    authorize(ctx.actor, change.right, unitSubject(place));
    await checkUnheld(ctx, deps, { request, change, place });
    return ctx.write(`census.${change.action}`, async (tx) => {
      const head = await lockHead(tx, facilityNo);
      const now = new Date();
      const actor = await actorNow(tx, ctx.actor, facilityId);
      const placeNow = await requireUnitOn(tx, asked);
      authorize(actor, change.right, unitSubject(placeNow));
      const isDone = await isRepeat(tx, { ...request, userId: actor.userId, endpoint: change.endpoint });
      const stored = await loadUnitDay(tx, placeNow, params);
      const answerOf = (unitDay: UnitDayState) => serializeUnitDay({ actor, db: tx, now }, unitDay);
      if (isDone) return { result: await answerOf(stored), audit: null };
      const holding = { tx, head, request, change, now, unitDay: stored };
      const { unitDay, audit, publish, changes, toSum } = await changeHeld({ ...ctx, actor }, deps, holding);
      if (toSum) await refreshSums(tx, toSum);
      return { result: await answerOf(unitDay), audit, publish: [...publish, ...censusChanged(facilityId, changes)] };
    });
  });
}

/** Everything is read at one moment, so that what is refused here would have been refused then. */
async function checkUnheld(
  { actor, db }: RequestContext,
  deps: CensusDeps,
  { request, change, place }: { request: UnitDayRequest; change: UnitDayChange; place: UnitConfig },
): Promise<void> {
  const { params, body } = request;
  const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  await snapshot.execute(async (tx) => {
    if (await isKnownRepeat(tx, { userId: actor.userId, endpoint: change.endpoint, params, body })) return;
    const unitDay = await loadUnitDay(tx, place, params);
    guardSignature(unitDay);
    if (!isOwnEntry(unitDay, body, actor.userId)) guardVersion(unitDay, body.version);
    await change.check({ tx, unitDay, actor, deps, now: new Date() });
  });
}

interface LockedContext {
  readonly tx: Transaction;
  readonly request: UnitDayRequest;
  readonly change: Pick<UnitDayChange, 'act'>;
  readonly unitDay: UnitDayState;
  readonly now: Date;
  /** Where the log ends. */
  readonly head: LogHead;
}

/** A change that is made; whoever holds the transaction sums it up, and tells what it changed in one event for all. */
interface HeldChange {
  /** The report as it is then. */
  readonly unitDay: UnitDayState;
  readonly audit: AuditSubject | null;
  readonly publish: readonly Publication[];
  readonly changes: readonly CensusChange[];
  /** Null where nothing changed. */
  readonly toSum: ChangedReports | null;
  /** Where the log ends after it. */
  readonly head: LogHead;
}

/** The change itself by who has the right to it, in a transaction that holds the facility's census. */
export async function changeHeld(
  ctx: RequestContext,
  deps: CensusDeps,
  { tx, request, change, unitDay, now, head }: LockedContext,
): Promise<HeldChange> {
  const { params, body } = request;
  const { actor } = ctx;
  const { place } = unitDay;
  guardSignature(unitDay);
  if (!isOwnEntry(unitDay, body, actor.userId)) guardVersion(unitDay, body.version);
  const done = await change.act({ tx, unitDay, actor, deps, now });
  if (!done) return { unitDay, audit: null, publish: [], changes: [], toSum: null, head };
  const dates = [params.date, ...(done.moved ?? [])];
  const unit = { unit: loggedUnit(place), population: params.population, deviceTime: body.device_time ?? null };
  const entries = done.entries.map((entry): NewLogEntry => ({ date: params.date, ...entry, ...unit }));
  const author = authorOf(ctx, place.facility_id);
  const headAfter = await appendAfter(tx, head, { facilityNo: place.facility_no, author, entries });
  const after = await updatedUnitDay(tx, unitDay, done.update ?? {});
  const version = after.report?.version ?? 0;
  return {
    unitDay: after,
    audit: {
      facilityId: place.facility_id,
      objectType: 'unit_day',
      objectId: place.unit_id,
      detail: { date: params.date, population: params.population, version, moved: done.moved?.length ?? 0 },
    },
    publish: done.publish ?? [],
    changes: [{ dates, unitId: place.unit_id, ...(done.isUnseen && { isDraft: true }) }],
    toSum: { ...unitDay.key, from: params.date, to: dates.at(-1) ?? params.date },
    head: headAfter,
  };
}

function guardSignature(unitDay: UnitDayState): void {
  if (!isSigned(unitDay)) return;
  const message = `${formatDay(unitDay.key.date, unitDay.place)} is signed. It must be reopened before anything of it changes.`;
  throw brokenRule({ code: 'LOCKED', field: null, message });
}

/**
 * What is stored is one's own: by a request that this one replaces, since its answer was lost; or the draft of the report that
 * is handed in now.
 */
function isOwnEntry(
  { report }: UnitDayState,
  { version = 0, replaces = [], submit }: UnitDayRequest['body'],
  userId: string,
): boolean {
  if (!report || report.saved_by !== userId || version > report.version) return false;
  const isReplaced = report.saved_request !== null && replaces.includes(report.saved_request);
  return isReplaced || (submit === true && report.status === 'draft');
}

/** Two who begin the same report at once are told that there is only one (CEN-R9). */
function guardVersion({ report, place }: UnitDayState, version: number | undefined): void {
  const stored = report?.version ?? 0;
  // What is beside the report is not made from a version of it.
  if (version === undefined || stored === version) return;
  const stale = {
    code: 'VERSION_CONFLICT',
    field: 'version',
    message: `The report is at version ${stored} now; this was made from version ${version}.`,
  } as const;
  const twice = {
    code: 'DUPLICATE',
    field: null,
    message: `Someone has begun this report of ${place.unit_code} already.`,
  } as const;
  throw brokenRules(version === 0 ? [stale, twice] : [stale], 'conflict');
}

/** Makes the facility's day when its first report begins; how many are expected is counted with the sums. */
export async function makeDay(tx: Transaction, { place, key, isDayMade }: UnitDayState): Promise<void> {
  if (!isDayMade) await ensureFacilityDay(tx, newFacilityDay(place, key.date));
}

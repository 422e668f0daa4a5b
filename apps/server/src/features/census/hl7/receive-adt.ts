import { createHmac, randomBytes } from 'node:crypto';
import { appendLog, type LogAuthor } from '#/features/census/core/append-log.ts';
import type { FacilityConfig } from '#/features/census/core/config-queries.ts';
import type { Transaction } from '#/platform/http/context.ts';
import { type DatedClock, eventDate } from './event-date.ts';
import { findLoggedUnits, insertReject, storeBed } from './feed-queries.ts';
import { isSameOutcome, movedLeaves, type Outcome, touchedCounts } from './outcome.ts';
import { isAnyHandedIn } from './proposal-queries.ts';
import { type ProposedDay, proposeCorrections, type Told } from './propose-corrections.ts';
import {
  type AdtBed,
  AdtError,
  type AdtMessage,
  type AdtVisit,
  controlIdOf,
  type Merge,
  quoted,
  readAdt,
  type StayName,
} from './read-adt.ts';
import { type Movement, replayVisit, type VisitEvent } from './replay.ts';
import {
  findMergedInto,
  findVisit,
  insertEvent,
  type KnownVisit,
  lockVisit,
  mergeVisits,
  storeOutcome,
} from './visit-queries.ts';

export interface Feed {
  readonly place: FacilityConfig;
  /** Unit codes as {@link unitKey} spells them → unit_no. */
  readonly units: ReadonlyMap<string, number>;
  /** The newest first: what happened under an earlier one stays on its date. */
  readonly clocks: readonly DatedClock[];
  /** The key of the hashes under which visits are kept. */
  readonly secret: Buffer;
  readonly author: LogAuthor;
}

/** What became of a message: taken (also when it came before), or kept as one that could not be. */
export interface Received {
  readonly code: 'AA' | 'AE';
  readonly controlId: string | null;
  readonly reason: string | null;
  /** Census dates of which the patient system now says something else. */
  readonly dates: readonly string[];
  /** The proposed corrections that came, changed or closed. */
  readonly proposals: readonly ProposedDay[];
}

/** A unit's code as it is compared: letters and digits alone, in capitals. */
export function unitKey(code: string): string {
  return code.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase();
}

/**
 * Takes one ADT message, in the caller's transaction: nothing is acknowledged that is not stored. A message that cannot be
 * taken is stored as it came, with the reason, and named in the log.
 */
export async function receiveAdt(tx: Transaction, feed: Feed, given: string): Promise<Received> {
  const text = storable(given);
  try {
    const message = readAdt(text, feed.place.time_zone);
    const told = await store(tx, feed, message);
    const proposals = await proposeCorrections(tx, feed, told);
    return { code: 'AA', controlId: message.controlId, reason: null, dates: datesOf(feed, told), proposals };
  } catch (error) {
    if (!(error instanceof AdtError)) throw error;
    const controlId = controlIdOf(text)?.slice(0, 199) ?? null;
    const { facility_no: facilityNo } = feed.place;
    const id = await insertReject(tx, { facilityNo, controlId, reason: error.message, message: text });
    const after = { message: id, code: 'AE' };
    const entry = { action: 'feed.receive', outcome: 'refused', after, reason: error.message } as const;
    await appendLog(tx, { facilityNo, author: feed.author, entries: [entry] });
    return { code: 'AE', controlId, reason: error.message, dates: [], proposals: [] };
  }
}

function datesOf({ clocks }: Feed, told: readonly Told[]): string[] {
  const dates = told.flatMap(({ touched, leaves }) => [
    ...touched.map(({ date }) => date),
    ...leaves.map(({ from }) => eventDate(from, clocks)),
  ]);
  return [...new Set(dates)].sort();
}

/** PostgreSQL has no place for NUL, and a message that is never answered would be sent again for ever. */
function storable(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD').toWellFormed();
}

async function store(tx: Transaction, feed: Feed, message: AdtMessage): Promise<Told[]> {
  if (message.bed !== null) return storeBedStatus(tx, feed, { ...message.bed, at: message.at });
  if (message.merge !== null) return mergeStays(tx, feed, { ...message.merge, controlId: message.controlId });
  const visits = message.visits.map((visit) => ({
    message,
    visit,
    visitKey: keyOf(feed, visit.stay),
    unitNo: unitOf(feed, message, visit),
  }));
  if (visits.length > 1) {
    await lockVisits(
      tx,
      feed,
      visits.map(({ visitKey }) => visitKey),
    );
  }
  const changes: Told[] = [];
  for (const visit of visits) changes.push(...(await storeEvent(tx, feed, visit)));
  return changes;
}

/** All that a message is about before anything else is held, and always in one order, so that no two wait for each other. */
async function lockVisits(tx: Transaction, { place }: Feed, keys: readonly Buffer[]): Promise<void> {
  const { facility_no: facilityNo } = place;
  for (const visitKey of [...keys].sort(Buffer.compare)) await lockVisit(tx, { facilityNo, visitKey });
}

interface VisitPart {
  readonly message: AdtMessage;
  readonly visit: AdtVisit;
  readonly visitKey: Buffer;
  readonly unitNo: number | null;
}

async function storeEvent(
  tx: Transaction,
  feed: Feed,
  { message, visit, visitKey, unitNo }: VisitPart,
): Promise<Told[]> {
  const known = await insertEvent(tx, {
    facilityNo: feed.place.facility_no,
    visitKey,
    controlId: message.controlId,
    trigger: countedTrigger(message, visit),
    at: message.at,
    unitNo,
    class: visit.class,
    isBirth: visit.isBirth,
    isDeath: visit.isDeath,
  });
  if (!known) return [];
  if (message.trigger === 'A08') await flagUpdate(tx, feed, known.events);
  return recount(tx, feed, known);
}

/** The admission of somebody who is no inpatient is a registration to the census, and so is an update that says so. */
function countedTrigger({ trigger }: AdtMessage, { patientClass }: AdtVisit): string {
  const isOutpatient = patientClass !== 'I' && (trigger === 'A01' || (trigger === 'A08' && patientClass !== ''));
  return isOutpatient ? 'A04' : trigger;
}

/** An update counts nothing. What it changes in silence is written down, once, for those who look why the counts differ. */
async function flagUpdate(tx: Transaction, feed: Feed, events: KnownVisit['events']): Promise<void> {
  const change = silentChange(events);
  if (change === null) return;
  const { facility_no: facilityNo } = feed.place;
  const { unitNo, namedUnitNo, at } = change;
  const units = await findLoggedUnits(tx, facilityNo);
  const unit = units.get(unitNo);
  const named = namedUnitNo === null ? undefined : units.get(namedUnitNo)?.unitCode;
  const event = named ? `A08 names ${named}, no transfer told of it` : 'A08 says that a patient here is no inpatient';
  const entry = {
    action: 'feed.receive',
    ...(unit && { unit }),
    date: eventDate(at, feed.clocks),
    after: { event },
  } as const;
  await appendLog(tx, { facilityNo, author: feed.author, entries: [entry] });
}

/** Works the visit out anew from all that is known of it; what comes to the same is not written again. */
async function recount(
  tx: Transaction,
  { place, clocks }: Feed,
  { visitKey, events, outcome, merged = NOTHING }: KnownVisit & { readonly merged?: Outcome },
): Promise<Told[]> {
  const { movements, stays } = replayVisit(events);
  const dated = movements.map((movement) => ({ ...movement, date: eventDate(movement.at, clocks) }));
  const next: Outcome = {
    movements: dated.map((movement, index) => ({ ...movement, isSameDay: isSameDay(dated, index) })),
    stays,
  };
  const before = {
    movements: [...outcome.movements, ...merged.movements],
    stays: [...outcome.stays, ...merged.stays],
  };
  const touched = touchedCounts(before, next);
  const isAnyIn = isSameOutcome(outcome, next)
    ? await isAnyHandedIn(tx, touched)
    : await storeOutcome(tx, { facilityNo: place.facility_no, visitKey, ...next }, touched);
  return [{ touched, leaves: movedLeaves(before, next), isAnyIn }];
}

const NOTHING: Outcome = { movements: [], stays: [] };

/** Separated on the census date of the admission that it ends. */
function isSameDay(movements: readonly (Movement & { date: string })[], index: number): boolean {
  const movement = movements[index];
  if (movement?.kind !== 'discharge' && movement?.kind !== 'death') return false;
  const admitted = movements.slice(0, index).findLast(({ kind }) => kind === 'admission' || kind === 'birth');
  return admitted?.date === movement.date;
}

async function mergeStays(tx: Transaction, feed: Feed, merge: Merge & { controlId: string }): Promise<Told[]> {
  const { facility_no: facilityNo } = feed.place;
  const { controlId } = merge;
  const keys = [keyOf(feed, merge.from), keyOf(feed, merge.into)] as const;
  await lockVisits(tx, feed, keys);
  const [from, into] = await Promise.all(keys.map((visitKey) => findMergedInto(tx, { facilityNo, visitKey })));
  if (!from || !into || from.equals(into)) return [];
  const { outcome: merged } = await findVisit(tx, { facilityNo, visitKey: from });
  await mergeVisits(tx, { facilityNo, from, into, controlId });
  return recount(tx, feed, { ...(await findVisit(tx, { facilityNo, visitKey: into })), merged });
}

async function storeBedStatus(tx: Transaction, feed: Feed, said: AdtBed & { readonly at: Date }): Promise<Told[]> {
  const { unitCode, bed, status, at } = said;
  const unitNo = unitCode === null ? undefined : feed.units.get(unitKey(unitCode));
  if (!bed || !unitNo) throw new AdtError('NPU-1 names no bed of a unit that is known');
  if (!/^[CHIKOU]$/.test(status)) throw new AdtError(`NPU-2 is ${quoted(status) || 'missing'}, not of table 0116`);
  await storeBed(tx, { facilityNo: feed.place.facility_no, unitNo, bed: bed.slice(0, 60), status, at });
  return [];
}

const NEEDS_UNIT = new Set(['A01', 'A02', 'A06', 'A17']);

function unitOf({ units }: Feed, { trigger }: AdtMessage, { unitCode }: AdtVisit): number | null {
  if (unitCode === null) {
    if (NEEDS_UNIT.has(trigger)) throw new AdtError('PV1-3 is missing');
    return null;
  }
  const unitNo = units.get(unitKey(unitCode));
  if (unitNo === undefined && NEEDS_UNIT.has(trigger))
    throw new AdtError(`PV1-3 names the unit ${quoted(unitCode)}, which is not known`);
  return unitNo ?? null;
}

/** Under this a visit is kept: without the secret nobody gets from it to a number, or from a number to it. */
function keyOf({ secret, place }: Feed, stay: StayName): Buffer {
  return createHmac('sha256', secret).update(`${place.facility_no}\u0000${stay}`).digest();
}

type Answered = Pick<Received, 'code' | 'controlId' | 'reason'>;

/** The acknowledgement (MSH, MSA, and ERR where it was not taken), in original mode. */
export function acknowledgement({ code, controlId, reason }: Answered, now: Date): string {
  const time = `${now.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}+0000`;
  const id = randomBytes(8).toString('hex').toUpperCase();
  const segments = [
    `MSH|^~\\&|WARDLINE|CENSUS|||${time}||ACK|${id}|P|2.5.1`,
    `MSA|${code}|${escaped(controlId ?? '')}`,
    ...(reason === null ? [] : [`ERR|||207^Application internal error^HL70357|E||||${escaped(reason)}`]),
  ];
  return `${segments.join('\r')}\r`;
}

function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\E\\')
    .replaceAll('|', '\\F\\')
    .replaceAll('^', '\\S\\')
    .replaceAll('&', '\\T\\')
    .replaceAll('~', '\\R\\')
    .replaceAll(/\p{Cc}/gu, ' ');
}

/** An update that tells of a move, or of an end as an inpatient, which no event of its own told. */
interface SilentChange {
  readonly at: Date;
  /** Where the visit is by all that was told. */
  readonly unitNo: number;
  /** The unit that the update names; null: it says that the visit is no inpatient's. */
  readonly namedUnitNo: number | null;
}

/** What the newest event, an update, says otherwise than the moves of its visit; null where it does not, or one before it did. */
function silentChange(events: readonly VisitEvent[]): SilentChange | null {
  const update = events.reduce((newest, event) => (event.eventNo > newest.eventNo ? event : newest));
  const stay = replayVisit(events).stays.find(({ from, to }) => from <= update.at && (to === null || update.at < to));
  if (!stay) return null;
  const isSame = ({ trigger, unitNo }: VisitEvent) =>
    trigger === update.trigger && (trigger !== 'A08' || unitNo === update.unitNo);
  if (events.some((event) => event !== update && event.at >= stay.from && isSame(event))) return null;
  const told = { at: update.at, unitNo: stay.unitNo };
  if (update.trigger !== 'A08') return { ...told, namedUnitNo: null };
  const isElsewhere = update.unitNo !== null && update.unitNo !== stay.unitNo;
  return isElsewhere ? { ...told, namedUnitNo: update.unitNo } : null;
}

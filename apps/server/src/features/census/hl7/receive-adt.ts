import { appendLog } from '#/features/census/core/append-log.ts';
import type { Answered } from '#/platform/hl7/acknowledgement.ts';
import { Hl7Error, quoted } from '#/platform/hl7/hl7-error.ts';
import { readHead } from '#/platform/hl7/read-message.ts';
import type { Transaction } from '#/platform/http/context.ts';
import { eventDate } from './event-date.ts';
import { type Feed, isLiveAt, unitKey, visitKeyOf } from './feed.ts';
import { countReject, deleteReject, findLoggedUnits, keepReject, storeBed } from './feed-queries.ts';
import { type ProposedDay, proposeCorrections, type Told } from './propose-corrections.ts';
import { type AdtBed, type AdtMessage, type AdtVisit, type Merge, readAdt } from './read-adt.ts';
import { recount } from './recount-visit.ts';
import { IN_BEFORE, replayVisit, type VisitEvent } from './replay.ts';
import { settleUnknownStay } from './unknown-stays.ts';
import {
  findMergedInto,
  findVisit,
  insertEvent,
  isToldEvent,
  type KnownVisit,
  lockVisit,
  mergeVisits,
} from './visit-queries.ts';

/** What became of a message. */
export interface Received extends Answered {
  /** Census dates of which the patient system now says something else. */
  readonly dates: readonly string[];
  /** The proposed corrections that came, changed or closed. */
  readonly proposals: readonly ProposedDay[];
}

/** A sender's clock may go wrong by this much; an event past it has not happened. */
const CLOCK_TOLERANCE_MS = 10 * 60_000;

/**
 * Takes one ADT message, in the caller's transaction: nothing is acknowledged that is not stored. A message that cannot be
 * taken is stored as it came, with the reason, and named in the log.
 */
export async function receiveAdt(tx: Transaction, feed: Feed, given: string): Promise<Received> {
  const text = storable(given);
  try {
    const received = await takeAdt(tx, feed, text);
    await deleteReject(tx, { facilityNo: feed.place.facility_no, head: readHead(text), message: text });
    return received;
  } catch (error) {
    if (!(error instanceof Hl7Error)) throw error;
    return keepRefused(tx, feed, { text, error });
  }
}

interface Refused {
  readonly text: string;
  readonly error: Hl7Error;
}

/**
 * Stores a message as it came, with why it was not taken, and names it in the log; once, however often its sender repeats it.
 * Of what is not taken at all (AR) once a kind: a patient system that sends every event would fill both.
 */
export async function keepRefused(tx: Transaction, feed: Feed, { text, error }: Refused): Promise<Received> {
  const head = readHead(text);
  const { facility_no: facilityNo } = feed.place;
  const reject = { facilityNo, head, error, message: text };
  const message = error.answer === 'AR' ? await countReject(tx, reject) : await keepReject(tx, reject);
  if (message !== undefined) {
    const after = { message, code: error.answer, error: error.code };
    const entry = { action: 'feed.receive', outcome: 'refused', after, reason: error.message } as const;
    await appendLog(tx, { facilityNo, author: feed.author, entries: [entry] });
  }
  const { code, place, message: reason } = error;
  const controlId = head.controlId?.slice(0, 199) ?? null;
  return { code: error.answer, controlId, error: { code, place, reason }, dates: [], proposals: [] };
}

/** Takes a message whose text can be stored, or throws {@link Hl7Error} before anything of it is written. */
export async function takeAdt(tx: Transaction, feed: Feed, text: string): Promise<Received> {
  const message = readAdt(text, feed.place.time_zone);
  if (message.at.getTime() > feed.now.getTime() + CLOCK_TOLERANCE_MS) {
    const at = message.at.toISOString().slice(0, 16);
    throw new Hl7Error(102, `the event is of ${at}Z, which is still to come`, 'EVN^1^6');
  }
  const told = await store(tx, feed, message);
  const proposals = await proposeCorrections(tx, feed, told);
  return { code: 'AA', controlId: message.controlId, error: null, dates: datesOf(feed, told), proposals };
}

function datesOf({ clocks }: Feed, told: readonly Told[]): string[] {
  const dates = told.flatMap(({ touched, leaves, asked }) => [
    ...touched.map(({ date }) => date),
    ...(asked === null ? [] : [asked]),
    ...leaves.map(({ from }) => eventDate(from, clocks)),
  ]);
  return [...new Set(dates)].sort();
}

/** PostgreSQL has no place for NUL, and a message that is never answered would be sent again for ever. */
export function storable(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD').toWellFormed();
}

async function store(tx: Transaction, feed: Feed, message: AdtMessage): Promise<Told[]> {
  if (message.bed !== null) return storeBedStatus(tx, feed, { ...message.bed, at: message.at });
  if (message.merge !== null) return mergeStays(tx, feed, { ...message.merge, controlId: message.controlId });
  const visits = message.visits.map((visit) => ({
    message,
    visit,
    visitKey: visitKeyOf(feed, visit.stay),
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
  const { controlId } = message;
  const { trigger, at } = countedEvent(feed, message, visit);
  const known = await insertEvent(tx, {
    facilityNo: feed.place.facility_no,
    visitKey,
    controlId,
    trigger,
    at,
    unitNo,
    population: visit.population,
    isBirth: visit.isBirth,
    isDeath: visit.isDeath,
  });
  if (!known) return guardRepeat(tx, feed, { message, trigger, at });
  if (message.trigger === 'A08') await flagUpdate(tx, feed, known.events);
  const { priorUnitCode } = visit;
  const priorUnitNo = priorUnitCode === null ? null : (feed.units.get(unitKey(priorUnitCode)) ?? null);
  return recount(tx, feed, { ...known, said: { controlId, priorUnitNo } });
}

/** The same message again counts nothing. Another event under its number would be lost as if it were the same. */
async function guardRepeat(
  tx: Transaction,
  feed: Feed,
  { message, ...event }: Pick<VisitEvent, 'trigger' | 'at'> & { readonly message: AdtMessage },
): Promise<Told[]> {
  const { controlId, trigger } = message;
  // What comes of an update hangs on whether the patient system counted by then; it moves nobody. Of a swap one half may be new.
  if (trigger === 'A04' || trigger === 'A08' || message.visits.length > 1) return [];
  const told = { facilityNo: feed.place.facility_no, controlId, ...event };
  if (await isToldEvent(tx, told)) return [];
  throw new Hl7Error(205, `MSH-10 ${quoted(controlId)} was another event of this visit`, 'MSH^1^10');
}

/** What a message comes to: before the patient system counts, an update or a registration says who is in, and since when. */
function countedEvent(feed: Feed, message: AdtMessage, visit: AdtVisit): Pick<VisitEvent, 'trigger' | 'at'> {
  const { inSince, at } = message;
  const unitNo = visit.unitCode === null ? undefined : feed.units.get(unitKey(visit.unitCode));
  const saysWhoIsIn = inSince !== null && inSince <= at && visit.patientClass === 'I' && unitNo !== undefined;
  if (saysWhoIsIn && !isLiveAt(feed, at)) return { trigger: IN_BEFORE, at: inSince };
  return { trigger: countedTrigger(message, visit), at };
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

async function mergeStays(tx: Transaction, feed: Feed, merge: Merge & { controlId: string }): Promise<Told[]> {
  const { facility_no: facilityNo } = feed.place;
  const { controlId } = merge;
  const keys = [visitKeyOf(feed, merge.from), visitKeyOf(feed, merge.into)] as const;
  await lockVisits(tx, feed, keys);
  const [from, into] = await Promise.all(keys.map((visitKey) => findMergedInto(tx, { facilityNo, visitKey })));
  if (!from || !into || from.equals(into)) return [];
  const { outcome: merged } = await findVisit(tx, { facilityNo, visitKey: from });
  await mergeVisits(tx, { facilityNo, from, into, controlId });
  await settleUnknownStay(tx, feed, { visitKey: from, unknown: null, said: undefined });
  return recount(tx, feed, { ...(await findVisit(tx, { facilityNo, visitKey: into })), merged });
}

async function storeBedStatus(tx: Transaction, feed: Feed, said: AdtBed & { readonly at: Date }): Promise<Told[]> {
  const { unitCode, bed, status, at } = said;
  const unitNo = unitCode === null ? undefined : feed.units.get(unitKey(unitCode));
  if (!bed) throw new Hl7Error(101, 'NPU-1 names no bed', 'NPU^1^1');
  if (!unitNo) throw new Hl7Error(103, 'NPU-1 names no bed of a unit that is known', 'NPU^1^1');
  if (status === '') throw new Hl7Error(101, 'NPU-2 is missing', 'NPU^1^2');
  if (!/^[CHIKOU]$/.test(status)) throw new Hl7Error(103, `NPU-2 is ${quoted(status)}, not of table 0116`, 'NPU^1^2');
  await storeBed(tx, { facilityNo: feed.place.facility_no, unitNo, bed: bed.slice(0, 60), status, at });
  return [];
}

const NEEDS_UNIT = new Set(['A01', 'A02', 'A06', 'A17']);

function unitOf({ units }: Feed, { trigger }: AdtMessage, { unitCode }: AdtVisit): number | null {
  if (unitCode === null) {
    if (NEEDS_UNIT.has(trigger)) throw new Hl7Error(101, 'PV1-3 is missing', 'PV1^1^3');
    return null;
  }
  const unitNo = units.get(unitKey(unitCode));
  if (unitNo === undefined && NEEDS_UNIT.has(trigger))
    throw new Hl7Error(103, `PV1-3 names the unit ${quoted(unitCode)}, which is not known`, 'PV1^1^3');
  return unitNo ?? null;
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

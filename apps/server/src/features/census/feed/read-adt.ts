import { Hl7Message, type Hl7Segment } from '@medplum/core';
import { firstInstant, isCalendarDate } from '@wardline/census/calendar.ts';
import type { CensusClass } from '@wardline/contract/census.ts';

/** Why a message cannot be taken, in words for the sender's log. */
export class AdtError extends Error {
  override readonly name = 'AdtError';
}

const LONGEST_QUOTE = 40;

/** What a message says, as a reason repeats it: the log keeps reasons for years, so not more of it than shows what is meant. */
export function quoted(text: string): string {
  return text.length <= LONGEST_QUOTE ? text : `${text.slice(0, LONGEST_QUOTE).toWellFormed()}…`;
}

/** One visit's part of a message: who is where. */
export interface AdtVisit {
  /** PV1-19, else the patient's id: what names the stay. Never stored as it is. */
  readonly visitNumber: string;
  /** Point of care of PV1-3; null where the message gives none. */
  readonly unitCode: string | null;
  /** Bed of PV1-3, for bed statuses. */
  readonly bed: string | null;
  readonly class: CensusClass;
  readonly isBirth: boolean;
  readonly isInpatient: boolean;
  readonly isDeath: boolean;
  /** PV1-40: table 0116. */
  readonly bedStatus: string | null;
}

/** An ADT message as far as a census needs it. */
export interface AdtMessage {
  readonly controlId: string;
  /** A01 … A53. */
  readonly trigger: string;
  /** When it happened; not when it was sent. */
  readonly at: Date;
  readonly visits: readonly AdtVisit[];
  /** Of a merge: the number whose events belong to the visit. */
  readonly mergedNumber: string | null;
}

const TAKEN = new Set('A01 A02 A03 A04 A05 A06 A07 A08 A11 A12 A13 A17 A20 A21 A22 A40 A52 A53'.split(' '));
/** Codes of PV1-36 that mean died (user table 0112, as UB-04 uses it). */
const DIED = new Set(['20', '40', '41', '42']);
const NEWBORN = 'N';

/** The control id of a message that may be broken otherwise, for the answer to it. */
export function controlIdOf(text: string): string | null {
  try {
    return Hl7Message.parse(normalised(text)).header?.getField(10)?.toString().trim() || null;
  } catch {
    return null;
  }
}

/** Reads a message. Times without an offset are the facility's. Throws {@link AdtError} for what is malformed or lacks a part. */
export function readAdt(text: string, timeZone: string): AdtMessage {
  const message = parse(text);
  const header = message.header;
  const controlId = header?.getField(10)?.toString().trim() ?? '';
  if (controlId === '' || controlId.length > 199) throw new AdtError('MSH-10 is missing');
  const kind = component(header, 9, 1);
  if (kind !== 'ADT') throw new AdtError(`MSH-9 is ${quoted(kind) || 'missing'}, not ADT`);
  const trigger = component(header, 9, 2) || component(message.getSegment('EVN'), 1, 1);
  if (!TAKEN.has(trigger)) throw new AdtError(`the event ${quoted(trigger) || '(none)'} is not taken`);
  const event = message.getSegment('EVN');
  if (!event) throw new AdtError('EVN is missing');
  const visits = visitsOf(message, trigger);
  const firstVisit = message.getSegment('PV1');
  const said = [
    event.getField(6)?.toString(),
    trigger === 'A01' || trigger === 'A06' ? firstVisit?.getField(44)?.toString() : undefined,
    trigger === 'A03' ? firstVisit?.getField(45)?.toString() : undefined,
    event.getField(2)?.toString(),
    header?.getField(7)?.toString(),
  ].find((time) => time !== undefined && time !== '');
  if (said === undefined) throw new AdtError('the message has no time');
  return { controlId, trigger, at: readTime(said, timeZone), visits, mergedNumber: mergedOf(message, trigger) };
}

function parse(text: string): Hl7Message {
  try {
    return Hl7Message.parse(normalised(text));
  } catch {
    throw new AdtError('this is not an HL7 v2 message');
  }
}

/** Segments end with a carriage return; files and hands often make line feeds of it. */
function normalised(text: string): string {
  return text.replaceAll(/\r\n|\n/g, '\r');
}

function component(segment: Hl7Segment | undefined, field: number, at: number): string {
  return segment?.getComponent(field, at)?.trim() ?? '';
}

/** A swap (A17) names two patients, every other message one: each PV1 belongs to the PID before it. */
function visitsOf(message: Hl7Message, trigger: string): AdtVisit[] {
  const visits: AdtVisit[] = [];
  let patient: Hl7Segment | undefined;
  for (const segment of message.segments) {
    if (segment.name === 'PID') patient = segment;
    if (segment.name === 'PV1') visits.push(readVisit(segment, patient));
  }
  if (trigger === 'A40' && visits.length === 0 && patient) visits.push(visitOfPatient(patient));
  if (visits.length === 0) throw new AdtError('PV1 is missing');
  const wanted = trigger === 'A17' ? 2 : 1;
  if (visits.length !== wanted) throw new AdtError(`${trigger} has ${visits.length} PV1, not ${wanted}`);
  if (trigger !== 'A20' && visits.some(({ visitNumber }) => visitNumber === ''))
    throw new AdtError('PV1-19 is missing');
  return visits;
}

function readVisit(segment: Hl7Segment, patient: Hl7Segment | undefined): AdtVisit {
  const isBirth = component(segment, 4, 1) === NEWBORN;
  return {
    visitNumber: component(segment, 19, 1) || component(patient, 18, 1) || component(patient, 3, 1),
    unitCode: component(segment, 3, 1) || null,
    bed: [component(segment, 3, 2), component(segment, 3, 3)].filter(Boolean).join('-') || null,
    class: isBirth ? 'newborn' : 'adult_child',
    isBirth,
    isInpatient: component(segment, 2, 1) === 'I',
    isDeath: DIED.has(component(segment, 36, 1)),
    bedStatus: component(segment, 40, 1) || null,
  };
}

function visitOfPatient(patient: Hl7Segment): AdtVisit {
  return {
    visitNumber: component(patient, 18, 1) || component(patient, 3, 1),
    unitCode: null,
    bed: null,
    class: 'adult_child',
    isBirth: false,
    isInpatient: true,
    isDeath: false,
    bedStatus: null,
  };
}

/** MRG-5, else the prior account or the prior patient. */
function mergedOf(message: Hl7Message, trigger: string): string | null {
  if (trigger !== 'A40') return null;
  const merge = message.getSegment('MRG');
  const number = component(merge, 5, 1) || component(merge, 3, 1) || component(merge, 1, 1);
  if (number === '') throw new AdtError('MRG names nothing to merge');
  return number;
}

const TIME = /^(\d{4})(\d{2})(\d{2})(?:(\d{2})(\d{2})(?:(\d{2})(?:\.\d{1,4})?)?)?([+-]\d{4})?$/;

function readTime(text: string, timeZone: string): Date {
  const [whole, year, month, day, hour = '00', minute = '00', second = '00', offset] = TIME.exec(text.trim()) ?? [];
  const date = `${year}-${month}-${day}`;
  const isClock = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
  if (whole === undefined || !isCalendarDate(date) || !isClock) throw new AdtError(`${quoted(text)} is not a time`);
  if (offset !== undefined) {
    const at = new Date(`${date}T${hour}:${minute}:${second}${offset.slice(0, 3)}:${offset.slice(3)}`);
    if (Number.isNaN(at.getTime())) throw new AdtError(`${quoted(text)} is not a time`);
    return at;
  }
  return new Date(firstInstant(date, `${hour}:${minute}`, timeZone).getTime() + Number(second) * 1000);
}

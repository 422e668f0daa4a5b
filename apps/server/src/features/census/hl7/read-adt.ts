import type { Hl7Message, Hl7Segment } from '@medplum/core';
import type { Population } from '@wardline/contract/census/census.ts';
import { Hl7Error, quoted } from '#/platform/hl7/hl7-error.ts';
import {
  component,
  guardHead,
  offsetIn,
  parseMessage,
  readControlId,
  readTime,
  textOf,
} from '#/platform/hl7/read-message.ts';

/** What names a stay: the number of the visit or of its account, else the patient's; one is never taken for the other. */
export type StayName = `visit ${string}` | `patient ${string}`;

/** One visit's part of a message: who is where. */
export interface AdtVisit {
  /** Never stored as it is. */
  readonly stay: StayName;
  /** Point of care of PV1-3; null where the message gives none. */
  readonly unitCode: string | null;
  /** The same of PV1-6: where somebody was before a move. */
  readonly priorUnitCode: string | null;
  readonly population: Population;
  readonly isBirth: boolean;
  /** PV1-2: `I` for an inpatient. */
  readonly patientClass: string;
  readonly isDeath: boolean;
}

/** What a message about a bed says; each part as it stands there. */
export interface AdtBed {
  readonly unitCode: string | null;
  /** Room and bed. */
  readonly bed: string | null;
  /** Of table 0116. */
  readonly status: string;
}

/** What came as one stay belongs to another. */
export interface Merge {
  readonly from: StayName;
  readonly into: StayName;
}

/** An ADT message as far as a census needs it. */
export interface AdtMessage {
  readonly controlId: string;
  /** A01 … A53. */
  readonly trigger: string;
  /** When it happened; not when it was sent. */
  readonly at: Date;
  /** Of an update or a registration: since when somebody who is still in has been in (PV1-44 without PV1-45). */
  readonly inSince: Date | null;
  /** None where the message is a merge or about a bed. */
  readonly visits: readonly AdtVisit[];
  readonly merge: Merge | null;
  readonly bed: AdtBed | null;
}

const TAKEN = new Set('A01 A02 A03 A04 A05 A06 A07 A08 A11 A12 A13 A17 A20 A21 A22 A40 A52 A53'.split(' '));
/** Codes of PV1-36 that mean died (user table 0112, as UB-04 uses it). */
const DIED = new Set(['20', '40', '41', '42']);
const NEWBORN = 'N';

/**
 * Reads a message. Times without an offset have that of MSH-7, else the facility's. Throws {@link Hl7Error} for what is
 * malformed or lacks a part.
 */
export function readAdt(text: string, timeZone: string): AdtMessage {
  const message = parseMessage(text);
  const header = message.header;
  const controlId = readControlId(header);
  const trigger = readTrigger(message);
  guardHead(header);
  const event = message.getSegment('EVN');
  if (!event) throw new Hl7Error(100, 'EVN is missing');
  const timed = { event, trigger, timeZone };
  const [isMerge, isAboutBed] = [trigger === 'A40', trigger === 'A20'];
  return {
    controlId,
    trigger,
    at: timeOf(message, timed),
    inSince: trigger === 'A04' || trigger === 'A08' ? inSince(message, timed) : null,
    visits: isMerge || isAboutBed ? [] : visitsOf(message, trigger),
    merge: isMerge ? mergeOf(message) : null,
    bed: isAboutBed ? bedOf(message) : null,
  };
}

function readTrigger(message: Hl7Message): string {
  const { header } = message;
  const kind = component(header, 9, 1);
  if (kind === '') throw new Hl7Error(101, 'MSH-9 is missing', 'MSH^1^9');
  if (kind !== 'ADT') throw new Hl7Error(200, `MSH-9 is ${quoted(kind)}, not ADT`, 'MSH^1^9');
  const trigger = component(header, 9, 2) || component(message.getSegment('EVN'), 1, 1);
  if (trigger === '') throw new Hl7Error(101, 'MSH-9 names no event', 'MSH^1^9');
  if (!TAKEN.has(trigger)) throw new Hl7Error(201, `the event ${quoted(trigger)} is not taken`, 'MSH^1^9');
  return trigger;
}

interface Timed {
  readonly event: Hl7Segment;
  readonly trigger: string;
  readonly timeZone: string;
}

/** When it happened, as nearly as the message says. */
function timeOf(message: Hl7Message, { event, trigger, timeZone }: Timed): Date {
  const visit = message.getSegment('PV1');
  const sentAt = textOf(message.header?.getField(7));
  const said = [
    timeAt(event, 6),
    trigger === 'A01' || trigger === 'A06' ? timeAt(visit, 44) : null,
    trigger === 'A03' ? timeAt(visit, 45) : null,
    timeAt(event, 2),
    timeAt(message.header, 7),
  ].find((time) => time !== null);
  if (!said) throw new Hl7Error(101, 'the message has no time', 'EVN^1^2');
  const { segment, field, text } = said;
  try {
    return readTime(text, { timeZone, offset: offsetIn(sentAt) });
  } catch (error) {
    // Of five fields the sender is to know which one is meant.
    if (!(error instanceof Hl7Error)) throw error;
    throw new Hl7Error(error.code, `${segment}-${field}: ${error.message}`, `${segment}^1^${field}`);
  }
}

function timeAt(segment: Hl7Segment | undefined, field: number) {
  const text = textOf(segment?.getField(field));
  return segment && text !== '' ? { segment: segment.name, field, text } : null;
}

/** A time that cannot be read says nothing here: an update is not refused for it. */
function inSince(message: Hl7Message, { timeZone }: Timed): Date | null {
  const visit = message.getSegment('PV1');
  const [admitted, discharged] = [textOf(visit?.getField(44)), textOf(visit?.getField(45))];
  if (admitted === '' || discharged !== '') return null;
  try {
    return readTime(admitted, { timeZone, offset: offsetIn(textOf(message.header?.getField(7))) });
  } catch {
    return null;
  }
}

/** A swap (A17) names two patients, every other message one: each PV1 belongs to the PID before it. */
function visitsOf(message: Hl7Message, trigger: string): AdtVisit[] {
  const visits: AdtVisit[] = [];
  let patient: Hl7Segment | undefined;
  for (const segment of message.segments) {
    if (segment.name === 'PID') patient = segment;
    if (segment.name === 'PV1') visits.push(readVisit(segment, patient));
  }
  if (visits.length === 0) throw new Hl7Error(100, 'PV1 is missing');
  if (trigger === 'A01' && visits[0]?.patientClass === '') {
    // As no inpatient it would count nothing, and nobody would know why.
    throw new Hl7Error(101, 'PV1-2 is missing', 'PV1^1^2');
  }
  const wanted = trigger === 'A17' ? 2 : 1;
  if (visits.length !== wanted) throw new Hl7Error(100, `${trigger} has ${visits.length} PV1, not ${wanted}`);
  return visits;
}

function readVisit(segment: Hl7Segment, patient: Hl7Segment | undefined): AdtVisit {
  const isBirth = component(segment, 4, 1) === NEWBORN;
  const stay = visitName(segment, patient) ?? patientName(patient);
  if (stay === null) throw new Hl7Error(101, 'PV1-19 is missing', 'PV1^1^19');
  return {
    stay,
    unitCode: component(segment, 3, 1) || null,
    priorUnitCode: component(segment, 6, 1) || null,
    population: isBirth ? 'newborn' : 'adult_and_child',
    isBirth,
    patientClass: component(segment, 2, 1),
    isDeath: DIED.has(component(segment, 36, 1)),
  };
}

/** NPU names the bed (1) and its status (2); some senders say the same in PV1, of a bed without a patient. */
function bedOf(message: Hl7Message): AdtBed {
  const [named, visit] = [message.getSegment('NPU'), message.getSegment('PV1')];
  if (!named && !visit) throw new Hl7Error(100, 'NPU is missing');
  const [segment, place, status] = named ? ([named, 1, 2] as const) : ([visit, 3, 40] as const);
  return {
    unitCode: component(segment, place, 1) || null,
    bed: [component(segment, place, 2), component(segment, place, 3)].filter(Boolean).join('-') || null,
    status: component(segment, status, 1),
  };
}

function visitName(visit: Hl7Segment | undefined, patient: Hl7Segment | undefined): StayName | null {
  const number = component(visit, 19, 1) || component(patient, 18, 1);
  return number === '' ? null : `visit ${number}`;
}

function patientName(patient: Hl7Segment | undefined): StayName | null {
  const number = component(patient, 3, 1);
  return number === '' ? null : `patient ${number}`;
}

/** Visits (or their accounts) where both are named, else patients: a patient's number is nobody's visit. */
function mergeOf(message: Hl7Message): Merge {
  const [merge, patient] = [message.getSegment('MRG'), message.getSegment('PID')];
  const visit = component(merge, 5, 1) || component(merge, 3, 1);
  const person = component(merge, 1, 1);
  const [ofVisit, ofPerson] = [visitName(message.getSegment('PV1'), patient), patientName(patient)];
  if (visit !== '' && ofVisit !== null) return { into: ofVisit, from: `visit ${visit}` };
  if (person !== '' && ofPerson !== null) return { into: ofPerson, from: `patient ${person}` };
  throw new Hl7Error(101, 'MRG and PID name nothing to merge', 'MRG^1^1');
}

import { type Hl7Field, Hl7Message, type Hl7Segment } from '@medplum/core';
import { firstInstant, isCalendarDate } from '@wardline/census/calendar.ts';
import type { Population } from '@wardline/contract/census/census.ts';
import { AdtError, quoted } from './adt-error.ts';

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

/** What the head of a message says, though the rest of it may be broken. */
export interface AdtHead {
  readonly controlId: string | null;
  /** Application and facility. */
  readonly sender: string | null;
  /** As `ADT^A01`. */
  readonly kind: string | null;
}

/** Reads the head alone, for the answer to a message and for whoever looks why it was refused. */
export function readHead(text: string): AdtHead {
  try {
    const { header } = Hl7Message.parse(normalised(text));
    const joined = (parts: readonly string[], mark: string) => parts.filter(Boolean).join(mark) || null;
    return {
      controlId: textOf(header?.getField(10)) || null,
      sender: joined([component(header, 3, 1), component(header, 4, 1)], ' · '),
      kind: joined([component(header, 9, 1), component(header, 9, 2)], '^'),
    };
  } catch {
    return { controlId: null, sender: null, kind: null };
  }
}

/**
 * Reads a message. Times without an offset have that of MSH-7, else the facility's. Throws {@link AdtError} for what is
 * malformed or lacks a part.
 */
export function readAdt(text: string, timeZone: string): AdtMessage {
  const message = parse(text);
  const header = message.header;
  const controlId = readControlId(header);
  const trigger = readTrigger(message);
  guardHead(header);
  const event = message.getSegment('EVN');
  if (!event) throw new AdtError(100, 'EVN is missing');
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

function readControlId(header: Hl7Segment | undefined): string {
  const controlId = textOf(header?.getField(10));
  if (controlId === '') throw new AdtError(101, 'MSH-10 is missing', 'MSH^1^10');
  if (controlId.length > 199) throw new AdtError(102, 'MSH-10 is longer than 199 characters', 'MSH^1^10');
  return controlId;
}

function readTrigger(message: Hl7Message): string {
  const { header } = message;
  const kind = component(header, 9, 1);
  if (kind === '') throw new AdtError(101, 'MSH-9 is missing', 'MSH^1^9');
  if (kind !== 'ADT') throw new AdtError(200, `MSH-9 is ${quoted(kind)}, not ADT`, 'MSH^1^9');
  const trigger = component(header, 9, 2) || component(message.getSegment('EVN'), 1, 1);
  if (trigger === '') throw new AdtError(101, 'MSH-9 names no event', 'MSH^1^9');
  if (!TAKEN.has(trigger)) throw new AdtError(201, `the event ${quoted(trigger)} is not taken`, 'MSH^1^9');
  return trigger;
}

/** Some senders leave both out. A message for training is about nobody who lies in a bed. */
function guardHead(header: Hl7Segment | undefined): void {
  const processing = component(header, 11, 1);
  if (processing !== '' && processing !== 'P') {
    throw new AdtError(202, `MSH-11 is ${quoted(processing)}; only P, production, is taken`, 'MSH^1^11');
  }
  const version = component(header, 12, 1);
  if (version !== '' && !/^2(\.|$)/.test(version)) {
    throw new AdtError(203, `MSH-12 is ${quoted(version)}; version 2 is taken`, 'MSH^1^12');
  }
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
    textOf(event.getField(6)),
    trigger === 'A01' || trigger === 'A06' ? textOf(visit?.getField(44)) : '',
    trigger === 'A03' ? textOf(visit?.getField(45)) : '',
    textOf(event.getField(2)),
    sentAt,
  ].find((time) => time !== '');
  if (said === undefined) throw new AdtError(101, 'the message has no time', 'EVN^1^2');
  return readTime(said, { timeZone, offset: offsetIn(sentAt) });
}

function offsetIn(time: string): string | undefined {
  return /[+-]\d{4}$/.exec(time)?.[0];
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

function parse(text: string): Hl7Message {
  try {
    return Hl7Message.parse(normalised(text));
  } catch {
    throw new AdtError(100, 'this is not an HL7 v2 message');
  }
}

/** Segments end with a carriage return; files and hands often make line feeds of it. */
function normalised(text: string): string {
  return text.replaceAll(/\r\n|\n/g, '\r');
}

function component(segment: Hl7Segment | undefined, field: number, at: number): string {
  return segment ? plain(segment.getComponent(field, at), segment) : '';
}

function textOf(field: Hl7Field | undefined): string {
  return field ? plain(field.toString(), field) : '';
}

/** Two quotes say that there is no value: they name nobody and no time. */
const NO_VALUE = '""';
const ESCAPED = /(.)([FSRTE])\1/gsu;

/** A value without its spaces and escapes: `M\T\S` is `M&S`. */
function plain(text: string, { context }: Pick<Hl7Segment, 'context'>): string {
  const meant: Readonly<Record<string, string>> = {
    F: context.fieldSeparator,
    S: context.componentSeparator,
    R: context.repetitionSeparator,
    T: context.subcomponentSeparator,
    E: context.escapeCharacter,
  };
  const said = text.trim();
  if (said === NO_VALUE) return '';
  return said.replaceAll(ESCAPED, (whole: string, mark: string, code: string) =>
    mark === context.escapeCharacter ? (meant[code] ?? whole) : whole,
  );
}

/** A swap (A17) names two patients, every other message one: each PV1 belongs to the PID before it. */
function visitsOf(message: Hl7Message, trigger: string): AdtVisit[] {
  const visits: AdtVisit[] = [];
  let patient: Hl7Segment | undefined;
  for (const segment of message.segments) {
    if (segment.name === 'PID') patient = segment;
    if (segment.name === 'PV1') visits.push(readVisit(segment, patient));
  }
  if (visits.length === 0) throw new AdtError(100, 'PV1 is missing');
  const wanted = trigger === 'A17' ? 2 : 1;
  if (visits.length !== wanted) throw new AdtError(100, `${trigger} has ${visits.length} PV1, not ${wanted}`);
  return visits;
}

function readVisit(segment: Hl7Segment, patient: Hl7Segment | undefined): AdtVisit {
  const isBirth = component(segment, 4, 1) === NEWBORN;
  const stay = visitName(segment, patient) ?? patientName(patient);
  if (stay === null) throw new AdtError(101, 'PV1-19 is missing', 'PV1^1^19');
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
  if (!named && !visit) throw new AdtError(100, 'NPU is missing');
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
  throw new AdtError(101, 'MRG and PID name nothing to merge', 'MRG^1^1');
}

const TIME = /^(\d{4})(\d{2})(\d{2})(?:(\d{2})(?:(\d{2})(?:(\d{2})(?:\.\d{1,4})?)?)?)?([+-]\d{4})?$/;
/** Days are counted up to here; a little past it there is no day in some zone any more. */
const LAST_YEAR = 9998;

/** A time without an offset has the one that is given, else the facility's clock. */
function readTime(text: string, { timeZone, offset: usual }: { timeZone: string; offset: string | undefined }): Date {
  const [whole, year, month, day, hour = '00', minute = '00', second = '00', offset = usual] = TIME.exec(text) ?? [];
  const date = `${year}-${month}-${day}`;
  const isClock = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
  const isDay = isCalendarDate(date) && Number(year) <= LAST_YEAR;
  if (whole === undefined || !isDay || !isClock) throw new AdtError(102, `${quoted(text)} is not a time`);
  if (offset !== undefined) {
    const at = new Date(`${date}T${hour}:${minute}:${second}${offset.slice(0, 3)}:${offset.slice(3)}`);
    if (Number.isNaN(at.getTime())) throw new AdtError(102, `${quoted(text)} is not a time`);
    return at;
  }
  return new Date(firstInstant(date, `${hour}:${minute}`, timeZone).getTime() + Number(second) * 1000);
}

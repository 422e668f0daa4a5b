import { type Hl7Field, Hl7Message, type Hl7Segment } from '@medplum/core';
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

/** What names a stay: the number of the visit or of its account, else the patient's; one is never taken for the other. */
export type StayName = `visit ${string}` | `patient ${string}`;

/** One visit's part of a message: who is where. */
export interface AdtVisit {
  /** Never stored as it is. */
  readonly stay: StayName;
  /** Point of care of PV1-3; null where the message gives none. */
  readonly unitCode: string | null;
  readonly class: CensusClass;
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
  /** None where the message is a merge or about a bed. */
  readonly visits: readonly AdtVisit[];
  readonly merge: Merge | null;
  readonly bed: AdtBed | null;
}

const TAKEN = new Set('A01 A02 A03 A04 A05 A06 A07 A08 A11 A12 A13 A17 A20 A21 A22 A40 A52 A53'.split(' '));
/** Codes of PV1-36 that mean died (user table 0112, as UB-04 uses it). */
const DIED = new Set(['20', '40', '41', '42']);
const NEWBORN = 'N';

/** The control id of a message that may be broken otherwise, for the answer to it. */
export function controlIdOf(text: string): string | null {
  try {
    return textOf(Hl7Message.parse(normalised(text)).header?.getField(10)) || null;
  } catch {
    return null;
  }
}

/**
 * Reads a message. Times without an offset have that of MSH-7, else the facility's. Throws {@link AdtError} for what is
 * malformed or lacks a part.
 */
export function readAdt(text: string, timeZone: string): AdtMessage {
  const message = parse(text);
  const header = message.header;
  const controlId = textOf(header?.getField(10));
  if (controlId === '' || controlId.length > 199) throw new AdtError('MSH-10 is missing');
  const kind = component(header, 9, 1);
  if (kind !== 'ADT') throw new AdtError(`MSH-9 is ${quoted(kind) || 'missing'}, not ADT`);
  const trigger = component(header, 9, 2) || component(message.getSegment('EVN'), 1, 1);
  if (!TAKEN.has(trigger)) throw new AdtError(`the event ${quoted(trigger) || '(none)'} is not taken`);
  const event = message.getSegment('EVN');
  if (!event) throw new AdtError('EVN is missing');
  const [isMerge, isAboutBed] = [trigger === 'A40', trigger === 'A20'];
  return {
    controlId,
    trigger,
    at: timeOf(message, { event, trigger, timeZone }),
    visits: isMerge || isAboutBed ? [] : visitsOf(message, trigger),
    merge: isMerge ? mergeOf(message) : null,
    bed: isAboutBed ? bedOf(message) : null,
  };
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
  if (said === undefined) throw new AdtError('the message has no time');
  return readTime(said, { timeZone, offset: /[+-]\d{4}$/.exec(sentAt)?.[0] });
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
  if (visits.length === 0) throw new AdtError('PV1 is missing');
  const wanted = trigger === 'A17' ? 2 : 1;
  if (visits.length !== wanted) throw new AdtError(`${trigger} has ${visits.length} PV1, not ${wanted}`);
  return visits;
}

function readVisit(segment: Hl7Segment, patient: Hl7Segment | undefined): AdtVisit {
  const isBirth = component(segment, 4, 1) === NEWBORN;
  const stay = visitName(segment, patient) ?? patientName(patient);
  if (stay === null) throw new AdtError('PV1-19 is missing');
  return {
    stay,
    unitCode: component(segment, 3, 1) || null,
    class: isBirth ? 'newborn' : 'adult_child',
    isBirth,
    patientClass: component(segment, 2, 1),
    isDeath: DIED.has(component(segment, 36, 1)),
  };
}

/** NPU names the bed (1) and its status (2); some senders say the same in PV1, of a bed without a patient. */
function bedOf(message: Hl7Message): AdtBed {
  const [named, visit] = [message.getSegment('NPU'), message.getSegment('PV1')];
  if (!named && !visit) throw new AdtError('NPU is missing');
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
  throw new AdtError('MRG and PID name nothing to merge');
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
  if (whole === undefined || !isDay || !isClock) throw new AdtError(`${quoted(text)} is not a time`);
  if (offset !== undefined) {
    const at = new Date(`${date}T${hour}:${minute}:${second}${offset.slice(0, 3)}:${offset.slice(3)}`);
    if (Number.isNaN(at.getTime())) throw new AdtError(`${quoted(text)} is not a time`);
    return at;
  }
  return new Date(firstInstant(date, `${hour}:${minute}`, timeZone).getTime() + Number(second) * 1000);
}

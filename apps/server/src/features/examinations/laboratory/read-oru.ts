import type { Hl7Message, Hl7Segment } from '@medplum/core';
import type { LaboratoryStatus } from '@wardline/contract/examinations/laboratory.ts';
import { Hl7Error, quoted } from '#/platform/hl7/hl7-error.ts';
import {
  component,
  guardHead,
  offsetIn,
  parseMessage,
  partOf,
  readControlId,
  readHead,
  readTime,
  textOf,
  valuesOf,
} from '#/platform/hl7/read-message.ts';
import type { LaboratoryFinding, LaboratoryMessage, LaboratoryReport, NamedPatient } from './laboratory-report.ts';
import { findingOf, LOINC_CODE } from './read-finding.ts';

const MOST_REPORTS = 50;
export const MOST_FINDINGS = 200;
const LONGEST_NOTE = 4000;
/** A sender's clock may go wrong by this much. */
const CLOCK_TOLERANCE_MS = 10 * 60_000;

/** What reading a message hangs on beside its text. */
export interface ReadingPlace {
  readonly timeZone: string;
  readonly now: Date;
  /** LOINC by the laboratory's own code. */
  readonly codes: ReadonlyMap<string, string>;
}

/**
 * Reads an ORU^R01. Times without an offset have that of MSH-7, else the facility's. Throws {@link Hl7Error} for what is malformed or
 * lacks a part; nothing of such a message is taken.
 */
export function readOru(text: string, place: ReadingPlace): LaboratoryMessage {
  const message = parseMessage(text);
  const { header } = message;
  const controlId = readControlId(header);
  const [kind, trigger] = [component(header, 9, 1), component(header, 9, 2)];
  if (kind !== 'ORU') throw new Hl7Error(200, `MSH-9 is ${quoted(kind)}, not ORU`, 'MSH^1^9');
  if (trigger !== 'R01') throw new Hl7Error(201, `the event ${quoted(trigger)} is not taken`, 'MSH^1^9');
  guardHead(header);
  // A byte that is none of the character set may stand for a µ, or a letter of a name.
  if (text.includes('\uFFFD')) throw new Hl7Error(102, 'the text is not in the character set of MSH-18', 'MSH^1^18');
  const reports = groupsOf(message).flatMap(
    (group, index) => reportOf(group, { ...place, header, nth: index + 1 }) ?? [],
  );
  const keys = new Set(reports.map(({ key }) => key));
  if (keys.size < reports.length)
    throw new Hl7Error(102, 'the same report (OBR-3, OBR-4) stands in it twice', 'OBR^2^3');
  return { controlId, sender: readHead(text).sender?.slice(0, 80) ?? null, reports };
}

/** An OBR with what belongs to it. */
interface Group {
  readonly patient: Hl7Segment;
  readonly visit: Hl7Segment | undefined;
  readonly order: Hl7Segment | undefined;
  readonly request: Hl7Segment;
  readonly findings: { readonly segment: Hl7Segment; readonly notes: string[] }[];
  readonly notes: string[];
}

/** A note (NTE) belongs to the OBX or OBR before it; before any OBR it speaks of the patient. */
function groupsOf(message: Hl7Message): Group[] {
  const groups: Group[] = [];
  let [patient, visit, order]: (Hl7Segment | undefined)[] = [];
  for (const segment of message.segments) {
    const group = groups.at(-1);
    switch (segment.name) {
      case 'PID':
        [patient, visit, order] = [segment, undefined, undefined];
        break;
      case 'PV1':
        visit = segment;
        break;
      case 'ORC':
        order = segment;
        break;
      case 'OBR':
        if (patient === undefined) throw new Hl7Error(100, 'PID is missing');
        groups.push({ patient, visit, order, request: segment, findings: [], notes: [] });
        order = undefined;
        break;
      case 'OBX':
        if (group === undefined) throw new Hl7Error(100, 'an OBX stands before the first OBR');
        group.findings.push({ segment, notes: [] });
        break;
      case 'NTE':
        (group?.findings.at(-1)?.notes ?? group?.notes)?.push(valuesOf(segment, 3).join('\n'));
        break;
    }
  }
  if (groups.length === 0) throw new Hl7Error(100, 'OBR is missing');
  if (groups.length > MOST_REPORTS) throw new Hl7Error(102, `more than ${MOST_REPORTS} reports (OBR) in one message`);
  return groups;
}

interface Reading extends ReadingPlace {
  readonly header: Hl7Segment;
  /** Of the OBR in its message, from 1. */
  readonly nth: number;
}

/** Null of an order that has no result yet. */
function reportOf(
  { patient, visit, order, request, findings, notes }: Group,
  reading: Reading,
): LaboratoryReport | null {
  const { header, nth, codes, now } = reading;
  const [placer, filler] = [2, 3].map((field) => component(request, field, 1) || component(order, field, 1));
  const number = filler || placer || '';
  if (number === '') throw new Hl7Error(101, 'OBR-2 and OBR-3 are both empty', `OBR^${nth}^3`);
  const code = partOf(request, [4, 1]) || partOf(request, [4, 4]);
  const title = (partOf(request, [4, 2]) || partOf(request, [4, 5]) || code).slice(0, 200);
  if (title === '') throw new Hl7Error(101, 'OBR-4 is missing', `OBR^${nth}^4`);
  if (findings.length > MOST_FINDINGS) {
    throw new Hl7Error(102, `more than ${MOST_FINDINGS} findings (OBX) in one report`, `OBR^${nth}`);
  }
  const read = joinLines(
    findings.map(({ segment, notes }) => {
      const finding = findingOf(segment, {
        codes,
        now: new Date(now.getTime() + CLOCK_TOLERANCE_MS),
        zone: zoneOf(reading),
      });
      return { ...finding, note: joined([finding.note ?? '', ...notes]) };
    }),
  );
  const note = joined(notes);
  if (read.length === 0 && note === null) return null;
  guardDocuments(read, note, nth);
  const authority = component(request, 3, 2) || component(header, 4, 1) || component(header, 3, 1);
  const laboratory = component(header, 4, 1) || component(header, 3, 1) || 'Laboratory';
  return {
    ...{ key: [authority, number, code].join('|').slice(0, 400), title, loinc: loincOf(request, codes) },
    ...{ laboratory: laboratory.slice(0, 80), placer: placer || null, number: number.slice(0, 199) },
    status: statusOf(
      request,
      findings.map(({ segment }) => segment),
      nth,
    ),
    ...timesOf(request, reading),
    patient: patientOf(patient, visit),
    findings: read.map(({ isDocument: _, ...finding }) => finding),
    note,
  };
}

type Read = LaboratoryFinding & { readonly isDocument: boolean };

function joined(notes: readonly string[]): string | null {
  const text = notes.filter(Boolean).join('\n').trim();
  return text === '' ? null : text.slice(0, LONGEST_NOTE);
}

/** A report that is one document and nothing else says nothing here: its sender is told so. */
function guardDocuments(read: readonly Read[], note: string | null, nth: number): void {
  if (note === null && read.length > 0 && read.every(({ isDocument }) => isDocument)) {
    throw new Hl7Error(102, 'the report is a document (ED, RP); only values and text are taken', `OBX^${nth}^2`);
  }
}

/** A text often comes line by line, each in an OBX of the same code: it is one finding. Of other values the last one counts. */
function joinLines(read: readonly Read[]): Read[] {
  const found = new Map<string, Read>();
  for (const finding of read) {
    const before = found.get(finding.key);
    const isText = before?.kind === 'text' && finding.kind === 'text' && !before.isWithdrawn && !finding.isWithdrawn;
    const value = isText ? `${before.value}\n${finding.value}` : finding.value;
    const note = joined([before?.note ?? '', finding.note ?? '']);
    found.set(finding.key, { ...finding, value, note });
  }
  return [...found.values()];
}

function loincOf(request: Hl7Segment, codes: ReadonlyMap<string, string>): string | null {
  const code = partOf(request, [4, 1]);
  if (/^(LN|LOINC)$/i.test(partOf(request, [4, 3])) && LOINC_CODE.test(code)) return code;
  return codes.get(code) ?? null;
}

/** HL7 table 0123. */
const REPORTED: Readonly<Record<string, LaboratoryStatus | undefined>> = {
  ...{ P: 'preliminary', A: 'preliminary', R: 'preliminary', I: 'preliminary', S: 'preliminary', O: 'preliminary' },
  ...{ F: 'final', C: 'corrected', X: 'cancelled' },
};

/** Where the report does not say it, by its findings (table 0085). */
function statusOf(request: Hl7Segment, findings: readonly Hl7Segment[], nth: number): LaboratoryStatus {
  const said = component(request, 25, 1);
  const reported = REPORTED[said];
  if (reported) return reported;
  if (said !== '') throw new Hl7Error(103, `OBR-25 is ${quoted(said)}, not of table 0123`, `OBR^${nth}^25`);
  const each = new Set(findings.map((segment) => component(segment, 11, 1)));
  if (['C', 'D', 'W'].some((status) => each.has(status))) return 'corrected';
  return ['P', 'R', 'S', 'I'].some((status) => each.has(status)) ? 'preliminary' : 'final';
}

/** Of times without an offset. */
function zoneOf({ header, timeZone }: Reading) {
  return { timeZone, offset: offsetIn(textOf(header.getField(7))) };
}

/** When it was taken and when it was reported (OBR-22, else when the message was sent). */
function timesOf(request: Hl7Segment, reading: Reading) {
  const { header, now, nth } = reading;
  const sentAt = textOf(header.getField(7));
  const zone = zoneOf(reading);
  const said = component(request, 22, 1) || sentAt;
  if (said === '') throw new Hl7Error(101, 'OBR-22 and MSH-7 are both empty', `OBR^${nth}^22`);
  const reportedAt = readTime(said, zone);
  if (reportedAt.getTime() > now.getTime() + CLOCK_TOLERANCE_MS) {
    const at = reportedAt.toISOString().slice(0, 16);
    throw new Hl7Error(102, `the report is of ${at}Z, which is still to come`, `OBR^${nth}^22`);
  }
  const observed = component(request, 7, 1);
  return {
    reportedAt: reportedAt.toISOString(),
    observedAt: observed === '' ? null : readTime(observed, zone).toISOString(),
  };
}

const MOST_IDENTIFIERS = 20;

function patientOf(patient: Hl7Segment, visit: Hl7Segment | undefined): NamedPatient {
  const numbers = valuesOf(patient, 3).map((_, repetition) => ({
    value: partOf(patient, [3, 1, repetition]),
    authority: partOf(patient, [3, 4, repetition]).split(patient.context.subcomponentSeparator)[0] || null,
  }));
  const others = [partOf(patient, [2, 1]), partOf(patient, [18, 1]), partOf(visit, [19, 1])];
  const identifiers = [...numbers, ...others.map((value) => ({ value, authority: null }))]
    .filter(({ value }) => value !== '' && value.length <= 60)
    .slice(0, MOST_IDENTIFIERS);
  const [family, given, middle] = [1, 2, 3].map((at) => partOf(patient, [5, at]).split('&')[0] ?? '');
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})/.exec(partOf(patient, [7, 1])) ?? [];
  return {
    name: [given, middle, family].filter(Boolean).join(' ').slice(0, 200) || 'No name',
    bornOn: year ? `${year}-${month}-${day}` : null,
    identifiers,
  };
}

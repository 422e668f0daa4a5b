import type { Citation } from '@wardline/contract/chat/citations.ts';
import type { Urgent } from '@wardline/contract/chat/urgent.ts';
import { formatBytes } from '@wardline/format/bytes.ts';
import { formatDate } from '@wardline/format/dates.ts';
import type { FacilityFormat } from '@wardline/format/facility-format.ts';
import { formatIdentifier, formatList } from '@wardline/format/names.ts';
import { formatQuantity } from '@wardline/format/numbers.ts';
import { formatExact } from '@wardline/format/times.ts';
import { formatUrgentEntry } from '@wardline/format/urgent-entry.ts';
import type { ExportedChat, RecordMessage } from './record-queries.ts';

/** What is said of a message beside its text. */
export interface RecordNote {
  readonly label: string;
  readonly text: string;
}

/** A message as people read it in the record, on a page or on paper: the same words in both. */
export interface WrittenMessage {
  readonly seq: number;
  readonly author: string;
  /** What they are, as whose holder they wrote, and when. */
  readonly about: string;
  /** Empty where it was deleted: a note says so. */
  readonly body: string;
  readonly notes: readonly RecordNote[];
}

/** An instant (ISO 8601) as the facility writes it, with seconds and what its clock was. */
export type Moment = (instant: string) => string;

export function createMoment(facility: FacilityFormat & { readonly time_zone: string }): Moment {
  return (instant) => formatExact(facility.time_zone, Date.parse(instant), facility);
}

/** The patient with both identifiers, or what the chat is called. */
export function chatName({ patient, title, kind }: Pick<ExportedChat, 'patient' | 'title' | 'kind'>): string {
  return patient ? patientName(patient) : title || kindNames[kind];
}

export const kindNames: Readonly<Record<ExportedChat['kind'], string>> = {
  case: 'Patient chat',
  group: 'Team chat',
  direct: 'Direct chat',
  announcement: 'Announcements',
};

export const stateNames: Readonly<Record<ExportedChat['state'], string>> = {
  open: 'Open',
  handed_over: 'Handed over',
  closed: 'Closed',
  archived: 'Archived',
};

interface NamedPatient {
  readonly name: string;
  readonly identifier: string;
  readonly born_on: string | null;
}

function patientName({ name, identifier, born_on }: NamedPatient): string {
  const born = born_on ? `, born ${formatDate(born_on, 'dmy')}` : '';
  return `${isolated(name)}, ${isolated(formatIdentifier(identifier))}${born}`;
}

const TURNS = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/;

/** A name in a sentence of ours: Arabic, Hebrew and marks of direction in it turn nothing around that stands beside it. */
export function isolated(text: string): string {
  return TURNS.test(text) ? `\u2068${text}\u2069` : text;
}

/** The clock of a device is told where it was further off than a slow network is. */
const LATE_MS = 60_000;

export function writeMessage(message: RecordMessage, moment: Moment): WrittenMessage {
  const { seq, sender, sender_role, body, created_at } = message;
  const title = sender.title ? `, ${isolated(sender.title)}` : '';
  const role = sender_role ? `, as ${isolated(sender_role)}` : '';
  return {
    ...{ seq, body, author: isolated(sender.name), about: `${title}${role} · ${moment(created_at)}` },
    notes: [
      ...whereFrom(message, moment),
      ...whatAbout(message),
      ...(message.urgent ? urgentNotes(message.urgent, moment) : []),
      ...whatBecameOfIt(message, moment),
      ...filesOf(message),
    ],
  };
}

function note(label: string, text: string | null | undefined | false): RecordNote[] {
  return text ? [{ label, text }] : [];
}

function whereFrom({ forwarded, reply_to_seq, device_time, created_at }: RecordMessage, moment: Moment): RecordNote[] {
  const patient = forwarded?.patient ? `, about ${patientName(forwarded.patient)}` : '';
  const isLate = device_time && Math.abs(Date.parse(created_at) - Date.parse(device_time)) > LATE_MS;
  return [
    ...note('Forwarded', forwarded && `${isolated(forwarded.sender.name)}, ${moment(forwarded.sent_at)}${patient}`),
    ...note('Answers', reply_to_seq != null && `message ${reply_to_seq}`),
    ...note('Time on the device', isLate && moment(device_time)),
  ];
}

function whatAbout({ mentions = [], citations = [], act }: RecordMessage): RecordNote[] {
  const called = mentions.map(({ kind, name }) => (kind === 'all' ? 'everyone in this chat' : isolated(name)));
  return [
    ...note('Mentions', formatList(called)),
    ...citations.flatMap((citation) => note('Cites', formatCitation(citation))),
    ...note('About', act && `${actNames[act.kind]} ${act.id}`),
  ];
}

const actNames = {
  ...{ 'census.alert': 'census alert', examination: 'examination', handover: 'handover' },
  laboratory_result: 'laboratory result',
} as const;

const interpretationNames: Readonly<Record<string, string>> = {
  ...{ L: 'low', H: 'high', LL: 'critically low', HH: 'critically high', A: 'abnormal', AA: 'critically abnormal' },
  ...{ POS: 'positive', NEG: 'negative', IND: 'indeterminate' },
};

function formatCitation({ title, label, value, unit, interpretation, report_version, now }: Citation): string {
  const judged = (by: string | null) => (by && interpretationNames[by] ? ` (${interpretationNames[by]})` : '');
  const since =
    now &&
    (now.state === 'entered_in_error'
      ? '; entered in error since'
      : `; ${now.value ?? 'no value'}${judged(now.interpretation)} in version ${now.report_version}`);
  const said = `${formatQuantity(value, unit)}${judged(interpretation)}`;
  return `${isolated(title)}, ${isolated(label)}: ${isolated(said)}, report version ${report_version}${since ?? ''}`;
}

const urgentStates: Readonly<Record<string, string>> = {
  calling: 'calling, not acknowledged',
  exhausted: 'not acknowledged, nobody left to call',
  accepted: 'acknowledged',
  closed: 'acknowledged and closed',
  withdrawn: 'withdrawn',
};

function urgentNotes({ state, targets, people = [], entries = [], critical }: Urgent, moment: Moment): RecordNote[] {
  const asked = [targets?.role?.name, ...(targets?.people ?? []).map(({ name }) => name)].filter(
    (name) => name != null,
  );
  const findings = critical?.findings.map(
    ({ label, value, unit, interpretation }) =>
      `${label}: ${formatQuantity(value, unit?.label)} (${interpretationNames[interpretation] ?? interpretation})`,
  );
  return [
    ...note(
      'Urgent',
      `${urgentStates[state] ?? state}${asked.length > 0 ? `; sent to ${formatList(asked.map(isolated))}` : ''}`,
    ),
    ...note('Critical result', critical && `${isolated(critical.title)}: ${findings?.join('; ')}`),
    ...entries.map((entry) => ({
      label: moment(entry.at),
      text: formatUrgentEntry(entry, undefined, Boolean(critical)) ?? entry.kind,
    })),
    ...people.flatMap(({ name, role, called_at, times, seen_at, accepted_at }) =>
      note(
        'Called',
        `${isolated(name)}${role ? ` as ${isolated(role)}` : ''}, ${moment(called_at)}${times > 1 ? `, ${times} times` : ''}${seen_at ? `; seen ${moment(seen_at)}` : ''}${accepted_at ? `; acknowledged ${moment(accepted_at)}` : ''}`,
      ),
    ),
  ];
}

function whatBecameOfIt(message: RecordMessage, moment: Moment): RecordNote[] {
  const { edited_at, deleted, earlier, reactions = [], pinned } = message;
  return [
    ...note('Edited', edited_at && moment(edited_at)),
    ...note(
      'Deleted',
      deleted && `${moment(deleted.at)}: ${deleted.reason || 'old enough by the rule of the facility'}`,
    ),
    ...earlier.map(({ version, written_at, body }) => ({
      label: `Version ${version}, ${moment(written_at)}`,
      text: body,
    })),
    ...reactions.map(({ name, code, at }) => ({
      label: 'Reaction',
      text: `${isolated(name)}: ${code.replaceAll('_', ' ')}, ${moment(at)}`,
    })),
    ...note('Pinned', pinned && `${isolated(pinned.name)}, ${moment(pinned.at)}`),
  ];
}

const heldReasons: Readonly<Record<string, string>> = {
  checking: 'it was not looked at for malware yet',
  malware: 'malware was found in it',
  unchecked: 'it could not be looked at for malware',
};

function filesOf({ files, attachments = [], deleted }: RecordMessage): RecordNote[] {
  const known = new Set(files.map(({ id }) => id));
  const withheld = deleted ? [] : attachments.filter(({ id }) => !known.has(id));
  return [
    ...files.map(({ name, path, bytes, sha256 }) => ({
      label: 'File',
      text: `${isolated(name)} (${path}, ${formatBytes(bytes)}, SHA-256 ${sha256})`,
    })),
    ...withheld.map(({ name, held }) => ({
      label: 'File that is not in the archive',
      text: `${isolated(name)}: ${heldReasons[held ?? ''] ?? 'it was removed'}`,
    })),
  ];
}

/** A line of a signed report as people read it; what is in a list stands further in. */
export interface ReportLine extends RecordNote {
  readonly isInList: boolean;
}

/** The signed text of a report, which is JSON, line by line: every name and value of it in its order. Any other text is one line. */
export function writeReport(content: string): ReportLine[] {
  const report = parseObject(content);
  if (report === null) return [{ label: '', text: content, isInList: false }];
  return Object.entries(report).flatMap(([key, value]): ReportLine[] => {
    const label = key.replaceAll('_', ' ');
    const isList = Array.isArray(value) && value.some((item) => typeof item === 'object');
    if (!isList) return [{ label, text: inLine(value), isInList: false }];
    const items = value.map((item) => ({ label: '', text: inLine(item), isInList: true }));
    return [{ label, text: '', isInList: false }, ...items];
  });
}

function parseObject(content: string): object | null {
  try {
    const value: unknown = JSON.parse(content);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function inLine(value: unknown): string {
  if (value === null || value === '') return '–';
  if (Array.isArray(value)) return value.map(inLine).join('; ') || '–';
  if (typeof value !== 'object') return isolated(String(value));
  return Object.entries(value)
    .map(([key, inner]) => {
      const isNested = typeof inner === 'object' && inner !== null;
      return `${key.replaceAll('_', ' ')}: ${isNested ? `(${inLine(inner)})` : inLine(inner)}`;
    })
    .join(', ');
}

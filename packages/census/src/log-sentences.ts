import { COUNT_FIELDS, type CountField } from '@wardline/contract/census.ts';
import type { CensusAction, LogEntry } from '@wardline/contract/census-logs.ts';
import { changesOf, type LogChange } from './log-changes.ts';
import {
  countWords,
  filterWords,
  formatWords,
  importWords,
  monthWords,
  numberWords,
  rangeWords,
  type Said,
  type SayDate,
  withoutStop,
} from './log-details.ts';
import { reasonWords, refusalWords } from './log-words.ts';

/** What a sentence is made from; a part of a log entry. */
export type SentenceFacts = Pick<
  LogEntry,
  | 'seq'
  | 'redacted_after_years'
  | 'actor_name'
  | 'action'
  | 'outcome'
  | 'unit_code'
  | 'census_date'
  | 'class'
  | 'before'
  | 'after'
  | 'after_approval'
  | 'reason_code'
  | 'reason'
>;

/** A piece of a sentence; the strong ones say what it is about. '→' stands between a value and the one after it. */
export interface SentencePart {
  readonly text: string;
  readonly isStrong: boolean;
}

/** What was written down, in one plain sentence: 'Ana Reyes changed discharges 4 → 5 on MED 3A, Tue 17 Nov: late slip.' */
export function logSentence(facts: SentenceFacts, sayDate: SayDate = isoDate): SentencePart[] {
  if (facts.redacted_after_years !== null) return joined([...removed(facts.seq, facts.redacted_after_years), '.']);
  const about = aboutOf(facts, sayDate);
  const pieces = facts.outcome === 'refused' ? refused(about) : SENTENCES[facts.action](about);
  return joined([...pieces, '.']);
}

/** The same as text. */
export function sentenceText(parts: readonly SentencePart[]): string {
  return parts.map(({ text }) => text).join('');
}

type Piece = string | SentencePart;

interface About {
  readonly facts: SentenceFacts;
  readonly who: string;
  /** 'MED 3A, Tue 17 Nov', as far as it is known. */
  readonly place: readonly Piece[];
  /** The same for a sentence that cannot do without: 'a report' where it is not known. */
  readonly spot: readonly Piece[];
  /** The same where something else is the news. */
  readonly plainPlace: string;
  readonly unit: SentencePart;
  readonly date: SentencePart;
  readonly sayDate: SayDate;
  readonly after: Said;
  /** ': late slip', or nothing. */
  readonly because: string;
}

const isoDate: SayDate = (date) => date;
const strong = (text: string): SentencePart => ({ text, isStrong: true });

function aboutOf(facts: SentenceFacts, sayDate: SayDate): About {
  const { unit_code, census_date, class: ofClass } = facts;
  const unit = unit_code === null ? null : `${unit_code}${ofClass === 'newborn' ? ' newborn' : ''}`;
  const date = census_date === null ? null : sayDate(census_date);
  const why = reasonWords(facts);
  const place = [
    ...(unit === null ? [] : [strong(unit)]),
    ...(unit !== null && date !== null ? [', '] : []),
    ...(date === null ? [] : [unit === null ? strong(date) : date]),
  ];
  return {
    facts,
    who: facts.actor_name,
    place,
    spot: place.length > 0 ? place : [facts.action.startsWith('unit_day') ? 'a report' : 'a day'],
    plainPlace: [unit, date].filter((part) => part !== null).join(', '),
    unit: strong(unit ?? 'the facility'),
    date: strong(date ?? 'the day'),
    sayDate,
    after: facts.after ?? {},
    because: why === null ? '' : `: ${why}`,
  };
}

const SENTENCES: Readonly<Record<CensusAction, (about: About) => readonly Piece[]>> = {
  'unit_day.save': saved,
  'unit_day.submit': submitted,
  'unit_day.withdraw': ({ who, spot }) => [`${who} took `, ...spot, ' back'],
  'unit_day.return': ({ who, spot, because }) => [`${who} returned `, ...spot, because],
  'unit_day.approve': ({ who, spot }) => [`${who} approved `, ...spot],
  'unit_day.amend': ({ who, spot, because }) => [`${who} opened `, ...spot, ` for a correction${because}`],
  'unit_day.restate': restated,
  'unit_day.lock': ({ who, spot }) => [`${who} locked `, ...spot],
  'unit_day.estimate': estimated,
  'unit_day.estimate_withdraw': ({ who, spot, facts }) => [
    `${who} took back the estimate${ofCount(facts.before?.['estimate'])} for `,
    ...spot,
  ],
  'unit_day.estimate_replace': ({ who, spot, facts, after }) => [
    `${who} replaced the estimate${ofCount(facts.before?.['estimate'])} for `,
    ...spot,
    ` with the report${ofCount(after.present)}`,
  ],
  'transfer.override': ({ who, spot, because }) => [`${who} accepted the transfer gap of `, ...spot, because],
  'snapshot.take': counted,
  'nursing_hours.save': worked,
  'facility_day.sign': signed,
  'facility_day.lock': ({ who, spot }) => [`${who} locked `, ...spot],
  'facility_day.reopen': ({ who, spot, because }) => [`${who} reopened `, ...spot, because],
  'reminder.send': ({ who, unit, date }) => [`${who} reminded `, unit, ` about ${date.text}`],
  'alert.acknowledge': ({ who, place, after }) => [
    `${who} acknowledged the alert`,
    ...(place.length > 0 ? [' on ', ...place] : []),
    typeof after.message === 'string' ? `: ${withoutStop(after.message)}` : '',
  ],
  'settings.change': configured,
  'log.view': ({ who, after, sayDate }) => [`${who} viewed `, strong('the log'), filterWords(after, sayDate)],
  'log.verify': verified,
  'log.export': ({ who, after, sayDate }) => [
    `${who} exported `,
    strong('the log'),
    `${formatWords(after)}${countWords(after.entries, ['entry', 'entries'])}${filterWords(after, sayDate)}`,
  ],
  'log.redact': redacted,
  'data.export': ({ who, after, sayDate, place }) => [
    `${who} exported `,
    ...whatOf(after, place, sayDate),
    `${formatWords(after)}${countWords(after.unit_days, ['unit-day', 'unit-days'])}`,
  ],
  'data.import': ({ who, after }) => [`${who} imported `, strong('reports'), importWords(after)],
  'data.check': ({ who, after }) => [
    `${who} checked the stored sums`,
    `${countWords(after.differences, ['difference', 'differences'])}`,
  ],
  'feed.receive': ({ who, place, after }) => [
    `${who} heard from the patient system`,
    ...(place.length > 0 ? [' about ', ...place] : []),
    typeof after.event === 'string' ? `: ${after.event}` : '',
  ],
  'proposal.raise': ({ who, spot, facts }) => [
    `${who} proposed a correction of `,
    ...spot,
    ...proposedWords(facts),
    ', as the patient system says',
  ],
  'proposal.agree': ({ who, spot }) => [
    `${who} closed the proposed correction of `,
    ...spot,
    ': the patient system agrees with the report again',
  ],
  'proposal.take': ({ who, spot, facts }) => [
    `${who} took the proposed correction of `,
    ...spot,
    ...proposedWords(facts),
  ],
  'proposal.dismiss': ({ who, spot, because }) => [`${who} dismissed the proposed correction of `, ...spot, because],
  print: ({ who, after, place, sayDate }) => [`${who} printed `, ...whatOf(after, place, sayDate)],
};

function removed(seq: number, years: number): Piece[] {
  return [strong(`Entry ${numberWords(seq)}`), ` was removed after ${years} ${years === 1 ? 'year' : 'years'}`];
}

function saved({ who, spot, plainPlace, facts, because }: About): Piece[] {
  const changes = changesOf(facts).filter((change) => !change.isComputed);
  const shown = facts.before === null ? [] : changes;
  const end = `${facts.after_approval ? ', after approval' : ''}${because}`;
  if (shown.length === 0) return [facts.before === null ? `${who} began ` : `${who} saved `, ...spot, end];
  const first = shown.slice(0, SAID);
  const rest = shown.length - first.length;
  return [
    `${who} changed `,
    ...first.flatMap((change, index) => [index === 0 ? '' : ', ', strong(changeWords(change))]),
    rest > 0 ? ` and ${rest} more` : '',
    plainPlace === '' ? '' : ` on ${plainPlace}`,
    end,
  ];
}

/** So many changes are said in a sentence; the table under it has all. */
const SAID = 3;

function changeWords({ key, label, before, after }: LogChange): string {
  const said = (COUNT_FIELDS as readonly string[]).includes(key as CountField) ? lowered(label) : nameWords(label);
  return isShort(before) && isShort(after) ? `${said} ${before} → ${after}` : `the ${said}`;
}

/** A label within a sentence: its first letter small, unless it begins with a short form such as 'RN'. */
function nameWords(label: string): string {
  return /^[A-Z][a-z]/.test(label) ? lowered(label) : label;
}

function lowered(label: string): string {
  return `${label.charAt(0).toLowerCase()}${label.slice(1)}`;
}

function isShort(text: string): boolean {
  return text.length <= 24;
}

function submitted({ who, spot, after }: About): Piece[] {
  const closing = typeof after.closing === 'number' ? `, closing ${after.closing}` : '';
  const heads = typeof after.counted === 'number' ? `, counted ${after.counted}` : '';
  return [`${who} submitted `, ...spot, `${closing}${heads}${after.is_on_time === false ? ', late' : ''}`];
}

function estimated({ who, spot, facts, after, because }: About): Piece[] {
  const [was, is] = [facts.before?.['estimate'], after.estimate];
  const instead = typeof was === 'number' && was !== is ? ` instead of ${was}` : '';
  return [`${who} estimated `, ...spot, typeof is === 'number' ? ` at ${is}${instead}` : '', because];
}

/** ' of 21', where it is told. */
function ofCount(count: unknown): string {
  return typeof count === 'number' ? ` of ${count}` : '';
}

function restated({ who, spot, facts, after, because }: About): Piece[] {
  const opening = changesOf(facts).find(({ key }) => key === 'opening');
  const batch = after.restatement_no;
  const within = typeof batch === 'number' ? ` in batch ${batch}` : '';
  if (!opening) return [`${who} restated `, ...spot, `${within}${because}`];
  return ['Opening of ', ...spot, `, restated ${opening.before} → ${opening.after}${within}, by ${who}${because}`];
}

function counted({ who, unit, after }: About): Piece[] {
  const blocked = typeof after.blocked === 'number' && after.blocked > 0 ? `, ${after.blocked} blocked` : '';
  return [`${who} counted `, unit, typeof after.occupied === 'number' ? `: ${after.occupied} occupied${blocked}` : ''];
}

function worked({ who, unit, facts, after }: About): Piece[] {
  const month = monthWords(after.month);
  const place: Piece[] = [strong('nursing hours'), ' of ', unit, month === '' ? '' : `, ${month}`];
  const changes = changesOf(facts).filter(({ isComputed }) => !isComputed);
  if (changes.length === 0) return [`${who} saved `, ...place];
  const isFirst = facts.before === null;
  const said = changes
    .map((change) => (isFirst ? `${nameWords(change.label)} ${change.after}` : changeWords(change)))
    .join(', ');
  return [`${who} ${isFirst ? 'entered' : 'changed'} `, ...place, `: ${said}`];
}

function signed({ who, spot, after, because }: About): Piece[] {
  const { units_submitted: given, units_expected: expected, transfer_gap: gap } = after;
  const facts = [
    ...(typeof given === 'number' && typeof expected === 'number' ? [`${given} of ${expected} units`] : []),
    ...(typeof gap === 'number' ? [`transfer gap ${gap}`] : []),
  ].join(', ');
  const end = facts === '' ? because : `: ${facts}${because.replace(': ', ', accepted: ')}`;
  return [`${who} signed${after.status === 'locked' ? ' and locked' : ''} `, ...spot, end];
}

function configured({ who, unit, facts, because }: About): Piece[] {
  const changes = changesOf(facts).filter(({ isComputed }) => !isComputed);
  const of = facts.unit_code === null ? [] : [' of ', unit];
  if (changes.length === 0) return [`${who} changed the settings`, ...of, because];
  const said = changes.slice(0, SAID).map(changeWords).join(', ');
  const rest = changes.length > SAID ? ` and ${changes.length - SAID} more` : '';
  return [`${who} changed the settings`, ...of, `: ${said}${rest}${because}`];
}

function verified({ who, after }: About): Piece[] {
  const count = countWords(after.entries, ['entry', 'entries']).replace(/^, /, ': ');
  const found = typeof after.broken_at === 'number' ? `a break at ${numberWords(after.broken_at)}` : 'no break found';
  return [`${who} verified `, strong('the chain'), `${count === '' ? ': ' : `${count}, `}${found}`];
}

function redacted({ who, after, sayDate }: About): Piece[] {
  const { entries, years } = after;
  const count =
    typeof entries === 'number' ? `${numberWords(entries)} ${entries === 1 ? 'entry' : 'entries'}` : 'entries';
  return [
    `${who} removed the text of `,
    strong(count),
    typeof after.to === 'string' ? ` up to ${sayDate(after.to)}` : '',
    typeof years === 'number' ? `, after ${years} ${years === 1 ? 'year' : 'years'}` : '',
  ];
}

/** ': discharges 4 → 5', as far as it is told. */
function proposedWords(facts: SentenceFacts): Piece[] {
  const changes = changesOf(facts);
  if (changes.length === 0) return [];
  const rest = changes.length > SAID ? ` and ${changes.length - SAID} more` : '';
  return [': ', strong(changes.slice(0, SAID).map(changeWords).join(', ')), rest];
}

const ACTS: Readonly<Record<CensusAction, string>> = {
  'unit_day.save': 'A save',
  'unit_day.submit': 'Submitting',
  'unit_day.withdraw': 'Taking back',
  'unit_day.return': 'Returning',
  'unit_day.approve': 'Approving',
  'unit_day.amend': 'A correction',
  'snapshot.take': 'A count',
  'nursing_hours.save': 'A change of nursing hours',
  'transfer.override': 'Accepting a transfer gap',
  'facility_day.sign': 'Signing',
  'facility_day.lock': 'Locking',
  'facility_day.reopen': 'Reopening',
  'reminder.send': 'A reminder',
  'alert.acknowledge': 'Acknowledging an alert',
  'settings.change': 'A change of the settings',
  'log.view': 'A view of the log',
  'log.verify': 'A verification of the log',
  'log.export': 'An export of the log',
  'log.redact': 'A removal from the log',
  'data.export': 'An export',
  'data.import': 'An import',
  'data.check': 'A check of the sums',
  'feed.receive': 'A message',
  'proposal.raise': 'A proposed correction',
  'proposal.agree': 'Closing a proposed correction',
  'proposal.take': 'Taking a proposed correction',
  'proposal.dismiss': 'Dismissing a proposed correction',
  'unit_day.restate': 'A restatement',
  'unit_day.lock': 'Locking',
  'unit_day.estimate': 'An estimate',
  'unit_day.estimate_withdraw': 'Taking back an estimate',
  'unit_day.estimate_replace': 'Replacing an estimate',
  print: 'A print',
};

function refused({ facts, who, place }: About): Piece[] {
  const why = refusalWords(facts);
  return [
    `${ACTS[facts.action]} by ${who} was refused`,
    ...(place.length > 0 ? [' on ', ...place] : []),
    why === null ? '' : `: ${why}`,
  ];
}

/** What was exported or printed: as it is called, else the place. */
function whatOf(after: Said, place: readonly Piece[], sayDate: SayDate): readonly Piece[] {
  const name = after.file ?? after.kind;
  const range = rangeWords(after, sayDate);
  if (typeof name === 'string' && name !== '') {
    return [strong(name.replaceAll(/[-_]/g, ' ')), range === '' ? '' : ` of ${range}`];
  }
  if (place.length > 0) return place;
  return [strong(range === '' ? 'the census' : range)];
}

function joined(pieces: readonly Piece[]): SentencePart[] {
  const parts: SentencePart[] = [];
  for (const piece of pieces) {
    const part = typeof piece === 'string' ? { text: piece, isStrong: false } : piece;
    const last = parts.at(-1);
    if (part.text === '') continue;
    if (last?.isStrong === part.isStrong) parts[parts.length - 1] = { ...last, text: last.text + part.text };
    else parts.push(part);
  }
  return parts;
}

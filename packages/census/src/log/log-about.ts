import type { LogEntry } from '@wardline/contract/census/logs.ts';
import type { Said, SayDate } from './log-details.ts';
import { formatReason } from './log-labels.ts';

/** What a sentence is made from; a part of a log entry. */
export type LogSentenceInput = Pick<
  LogEntry,
  | 'seq'
  | 'redacted_after_years'
  | 'actor_name'
  | 'action'
  | 'outcome'
  | 'unit_code'
  | 'census_date'
  | 'population'
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

/** A piece as sentences are put together: text, or a strong part. */
export type Piece = string | SentencePart;

/** What an entry is about, ready to be said. */
export interface About {
  readonly entry: LogSentenceInput;
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

/** A strong part. */
export function strong(text: string): SentencePart {
  return { text, isStrong: true };
}

/** Reads what an entry is about. */
export function aboutOf(entry: LogSentenceInput, sayDate: SayDate): About {
  const { unit_code, census_date, population } = entry;
  const unit = unit_code === null ? null : `${unit_code}${population === 'newborn' ? ' newborn' : ''}`;
  const date = census_date === null ? null : sayDate(census_date);
  const why = formatReason(entry);
  const place = [
    ...(unit === null ? [] : [strong(unit)]),
    ...(unit !== null && date !== null ? [', '] : []),
    ...(date === null ? [] : [unit === null ? strong(date) : date]),
  ];
  return {
    entry,
    who: entry.actor_name,
    place,
    spot: place.length > 0 ? place : [entry.action.startsWith('unit_day') ? 'a report' : 'a day'],
    plainPlace: [unit, date].filter((part) => part !== null).join(', '),
    unit: strong(unit ?? 'the facility'),
    date: strong(date ?? 'the day'),
    sayDate,
    after: entry.after ?? {},
    because: why === null ? '' : `: ${why}`,
  };
}

import type { CensusAction } from '@wardline/contract/census/logs.ts';
import { formatCount as formatWhole } from '@wardline/format/counts.ts';
import { type About, aboutOf, type LogSentenceInput, type Piece, type SentencePart, strong } from './log-about.ts';
import { formatCount, formatFileFormat, formatFilter, formatImport, type SayDate, withoutStop } from './log-details.ts';
import { configured, formatProposed, signed } from './log-facility-sentences.ts';
import { refused } from './log-refusals.ts';
import { counted, estimated, ofCount, restated, saved, submitted, worked } from './log-report-sentences.ts';
import { redacted, removed, verified, whatOf } from './log-upkeep-sentences.ts';

export type { LogSentenceInput, SentencePart };

/** What was written down, in one plain sentence: 'Ana Reyes changed discharges 4 → 5 on MED 3A, Tue 17 Nov: late slip.' */
export function logSentence(entry: LogSentenceInput, sayDate: SayDate = isoDate): SentencePart[] {
  if (entry.redacted_after_years !== null) return joined([...removed(entry.seq, entry.redacted_after_years), '.']);
  const about = aboutOf(entry, sayDate);
  const pieces = entry.outcome === 'refused' ? refused(about) : SENTENCES[entry.action](about);
  return joined([...pieces, '.']);
}

/** The same as text. */
export function sentenceText(parts: readonly SentencePart[]): string {
  return parts.map(({ text }) => text).join('');
}

/** What is said of an entry whose own text says nothing any more, because somebody changed it past the server. */
export function formatUnreadable(seq: number): string {
  return `Entry ${formatWhole(seq)} cannot be read: its text was changed past the server.`;
}

const isoDate: SayDate = (date) => date;

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
  'unit_day.estimate_withdraw': ({ who, spot, entry }) => [
    `${who} took back the estimate${ofCount(entry.before?.['estimate'])} for `,
    ...spot,
  ],
  'unit_day.estimate_replace': ({ who, spot, entry, after }) => [
    `${who} replaced the estimate${ofCount(entry.before?.['estimate'])} for `,
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
  'log.view': ({ who, after, sayDate }) => [`${who} viewed `, strong('the log'), formatFilter(after, sayDate)],
  'log.verify': verified,
  'log.export': ({ who, after, sayDate }) => [
    `${who} exported `,
    strong('the log'),
    `${formatFileFormat(after)}${formatCount(after.entries, ['entry', 'entries'])}${formatFilter(after, sayDate)}`,
  ],
  'log.redact': redacted,
  'data.export': ({ who, after, sayDate, place }) => [
    `${who} exported `,
    ...whatOf(after, place, sayDate),
    `${formatFileFormat(after)}${formatCount(after.unit_days, ['unit-day', 'unit-days'])}`,
  ],
  'data.import': ({ who, after }) => [
    `${who} imported `,
    strong(after.kind === 'stays' ? 'who is in' : 'reports'),
    formatImport(after),
  ],
  'data.check': ({ who, after }) => [
    `${who} checked the stored sums`,
    `${formatCount(after.differences, ['difference', 'differences'])}`,
  ],
  'feed.receive': ({ who, place, after }) => [
    `${who} heard from the patient system`,
    ...(place.length > 0 ? [' about ', ...place] : []),
    typeof after.event === 'string' ? `: ${after.event}` : '',
  ],
  'proposal.raise': ({ who, spot, entry }) => [
    `${who} proposed a correction of `,
    ...spot,
    ...formatProposed(entry),
    ', as the patient system says',
  ],
  'proposal.agree': ({ who, spot }) => [
    `${who} closed the proposed correction of `,
    ...spot,
    ': the patient system agrees with the report again',
  ],
  'proposal.take': ({ who, spot, entry }) => [
    `${who} took the proposed correction of `,
    ...spot,
    ...formatProposed(entry),
  ],
  'proposal.dismiss': ({ who, spot, because }) => [`${who} dismissed the proposed correction of `, ...spot, because],
  'stay.ask': ({ who, spot, after }) => [
    `${who} heard of a ${typeof after.event === 'string' ? after.event : 'move'} on `,
    ...spot,
    ' of somebody who was never admitted',
  ],
  'stay.settle': ({ who, spot }) => [`${who} heard of the admission that was missing on `, ...spot],
  'stay.accept': ({ who, spot, after }) => [
    `${who} counted the ${typeof after.event === 'string' ? after.event : 'move'} of an unknown patient on `,
    ...spot,
  ],
  'stay.dismiss': ({ who, spot, because }) => [`${who} left an unknown patient out on `, ...spot, because],
  print: ({ who, after, place, sayDate }) => [`${who} printed `, ...whatOf(after, place, sayDate)],
};

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

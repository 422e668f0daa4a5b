import { formatCount as formatWhole } from '@wardline/format/counts.ts';
import { type About, type Piece, strong } from './log-about.ts';
import { formatCount, formatRange, type Said, type SayDate } from './log-details.ts';

/** The text of this very entry is gone. */
export function removed(seq: number, years: number): Piece[] {
  return [strong(`Entry ${formatWhole(seq)}`), ` was removed after ${years} ${years === 1 ? 'year' : 'years'}`];
}

/** The chain was walked. */
export function verified({ who, after, sayDate }: About): Piece[] {
  const count = formatCount(after.entries, ['entry', 'entries']).replace(/^, /, ': ');
  const found = typeof after.broken_at === 'number' ? `a break at ${formatWhole(after.broken_at)}` : 'no break found';
  const changed =
    typeof after.changed_day === 'string' ? `; the signed figures of ${sayDate(after.changed_day)} were changed` : '';
  return [`${who} verified `, strong('the chain'), `${count === '' ? ': ' : `${count}, `}${found}${changed}`];
}

/** Texts of old entries were removed. */
export function redacted({ who, after, sayDate }: About): Piece[] {
  const { entries, years } = after;
  const count =
    typeof entries === 'number' ? `${formatWhole(entries)} ${entries === 1 ? 'entry' : 'entries'}` : 'entries';
  return [
    `${who} removed the text of `,
    strong(count),
    typeof after.to === 'string' ? ` up to ${sayDate(after.to)}` : '',
    typeof years === 'number' ? `, after ${years} ${years === 1 ? 'year' : 'years'}` : '',
  ];
}

/** What the files are called where they are taken. */
const FILES: Readonly<Record<string, string>> = {
  'unit-days': 'unit reports',
  template: 'the template of reports due',
  'saner-measure-report': 'FHIR MeasureReport, SANER',
  'saner-csv': 'bed capacity, SANER',
  'safr-measure-report': 'FHIR MeasureReport, US SAFR',
  'nhsn-csv': 'bed capacity, NHSN',
};

/** What was exported or printed: as it is called, else the place. */
export function whatOf(after: Said, place: readonly Piece[], sayDate: SayDate): readonly Piece[] {
  const name = after.file ?? after.kind;
  const range = formatRange(after, sayDate);
  if (typeof name === 'string' && name !== '') {
    return [strong(FILES[name] ?? name.replaceAll(/[-_]/g, ' ')), range === '' ? '' : ` of ${range}`];
  }
  if (place.length > 0) return place;
  return [strong(range === '' ? 'the census' : range)];
}

import { firstInstant, isCalendarDate } from '@wardline/census/calendar.ts';
import type { Population } from '@wardline/contract/census/census.ts';
import { STAY_COLUMNS, type StayColumn } from '@wardline/contract/census/feed.ts';
import { isStorableText } from '@wardline/contract/values.ts';
import { presentColumn, readPopulation } from '#/features/census/import-export/population-column.ts';
import type { CellProblem } from '#/features/census/import-export/read-unit-day-file.ts';
import { fromPlainCell } from '#/platform/files/csv.ts';
import { readCsv } from '#/platform/files/read-csv.ts';
import { invalidField } from '#/platform/http/app-error.ts';

const MOST_LINES = 2_000;
/** Spreadsheets leave blank lines behind. */
const MOST_LOOKED_AT = 5_000;
const MOST_BYTES = 1024 * 1024;
const LONGEST: Readonly<Record<'bed' | 'visit_number', number>> = { bed: 60, visit_number: 100 };
const NEEDED: readonly StayColumn[] = ['unit_code', 'visit_number', 'admitted_at'];

/** Somebody who is in a bed, as a line of the file says. */
export interface StayLine {
  /** As a spreadsheet counts: the head is line 1. */
  readonly line: number;
  readonly unit_code: string | null;
  readonly bed: string | null;
  readonly visit_number: string | null;
  readonly admitted_at: Date | null;
  readonly population: Population;
  readonly problems: readonly CellProblem[];
}

/**
 * Reads a CSV file of who is in (unit_code, bed, visit_number, admitted_at, population). A time without an offset is the
 * facility's. Throws 422 at `file` where it is not such a file; what is wrong with a cell is told with its line.
 */
export function readStayFile(file: Buffer, timeZone: string): StayLine[] {
  if (file.length > MOST_BYTES) throw invalidField('file', 'The file is larger than 1 MB.');
  const [head = [], ...body] = readCsv(file, MOST_LOOKED_AT);
  const columns = readHead(head);
  const lines = body.map((cells, index) => ({ line: index + 2, cells })).filter(({ cells }) => cells.some(isGiven));
  if (lines.length === 0) throw invalidField('file', 'The file has no lines below its header.');
  if (lines.length > MOST_LINES) throw invalidField('file', `The file has more than ${MOST_LINES} lines.`);
  return lines.map(({ line, cells }) => {
    const text = (column: StayColumn) => fromPlainCell(cells[columns.indexOf(column)] ?? '').trim() || null;
    const read = readLine(line, text, timeZone);
    return cells.slice(columns.length).some(isGiven) ? { ...read, problems: [TOO_MANY_CELLS, ...read.problems] } : read;
  });
}

const TOO_MANY_CELLS: CellProblem = {
  column: null,
  code: 'TOO_MANY_CELLS',
  message: 'This line has more cells than the header. Text with a comma needs quotes.',
};

function isGiven(cell: string): boolean {
  return cell.trim() !== '';
}

function readHead(head: readonly string[]): StayColumn[] {
  const names = head.map((cell) => presentColumn(cell.replace('\uFEFF', '').trim().toLowerCase()));
  while (names.at(-1) === '') names.pop();
  const unknown = names.find((name) => !STAY_COLUMNS.includes(name as StayColumn));
  if (unknown !== undefined) throw invalidField('file', `This column is not known: ${unknown || '(blank)'}.`);
  if (new Set(names).size < names.length) throw invalidField('file', 'A column is in the header twice.');
  const missing = NEEDED.find((column) => !names.includes(column));
  if (missing) throw invalidField('file', `The column ${missing} is missing.`);
  return names as StayColumn[];
}

function readLine(line: number, text: (column: StayColumn) => string | null, timeZone: string): StayLine {
  const problems: CellProblem[] = [];
  const add = (column: StayColumn, code: string, message: string) => problems.push({ column, code, message });
  for (const column of ['unit_code', 'visit_number', 'admitted_at'] as const) {
    if (text(column) === null) add(column, 'MISSING_VALUE', `${WORDS[column]} is missing.`);
  }
  for (const column of ['bed', 'visit_number'] as const) {
    const given = text(column) ?? '';
    if (given.length > LONGEST[column]) add(column, 'INVALID_TEXT', `At most ${LONGEST[column]} characters.`);
    else if (!isStorableText(given)) add(column, 'INVALID_TEXT', 'This text has characters that cannot be stored.');
  }
  const time = text('admitted_at');
  const admitted_at = time === null ? null : readTime(time, timeZone);
  if (time !== null && admitted_at === null) add('admitted_at', 'INVALID_TIME', 'Write the time as YYYY-MM-DD HH:MM.');
  const population = readPopulation(text('population'));
  if (population === null) add('population', 'INVALID_TEXT', 'Write adult_and_child or newborn.');
  return {
    ...{ line, unit_code: text('unit_code'), bed: text('bed'), visit_number: text('visit_number'), admitted_at },
    ...{ population: population ?? 'adult_and_child', problems },
  };
}

const WORDS = {
  unit_code: 'The unit',
  visit_number: 'The visit number',
  admitted_at: 'The time of admission',
} as const;

const TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2}))?)?(Z|[+-]\d{2}:?\d{2})?$/;
const LAST_YEAR = '9998';

/** Null for what is no time. A date alone is its first moment. */
function readTime(text: string, timeZone: string): Date | null {
  const [whole, date = '', clock = '00:00', second = '00', offset] = TIME.exec(text) ?? [];
  if (whole === undefined || !isCalendarDate(date) || date > LAST_YEAR) return null;
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(clock) || second > '59') return null;
  if (offset === undefined) return new Date(firstInstant(date, clock, timeZone).getTime() + Number(second) * 1000);
  const at = new Date(`${date}T${clock}:${second}${offset === 'Z' ? offset : offset.replace(/:?(\d\d)$/, ':$1')}`);
  return Number.isNaN(at.getTime()) ? null : at;
}

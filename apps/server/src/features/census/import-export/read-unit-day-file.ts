import { parseCount } from '@wardline/census/balance.ts';
import { addDays, isCalendarDate } from '@wardline/census/calendar.ts';
import { COUNT_FIELDS, mostOf, type Population } from '@wardline/contract/census/census.ts';
import { UNIT_DAY_COLUMNS, type UnitDayColumn } from '@wardline/contract/census/exchange.ts';
import { isStorableText } from '@wardline/contract/values.ts';
import { fromPlainCell } from '#/platform/files/csv.ts';
import { invalidFile, readCsv } from '#/platform/files/read-csv.ts';
import { invalidField } from '#/platform/http/app-error.ts';
import { presentColumn, readPopulation } from './population-column.ts';
import { CellWithoutValue, type RawCell, readWorkbook, type Sheet, USUAL_DAY_ZERO } from './read-workbook.ts';

const MOST_LINES = 2_000;
/** Spreadsheets leave blank lines behind; so many lines are looked at, blank ones and the head counted. */
const MOST_LOOKED_AT = 20_000;
const LONGEST_TEXT = 500;
const NEEDED: readonly UnitDayColumn[] = ['unit_code', 'census_date'];
const WHOLE: readonly UnitDayColumn[] = ['opening', ...COUNT_FIELDS, 'beds_staffed', 'beds_blocked'];
const LABELS = ['note', 'variance_reason', 'capacity_reason'] as const;
/** What a unit says of its day. */
const REPORTED: readonly UnitDayColumn[] = [...WHOLE, ...LABELS, 'transfers_from', 'transfers_to'];
const READ: readonly UnitDayColumn[] = [
  'facility_code',
  'unit_code',
  'census_date',
  'population',
  'closing',
  ...REPORTED,
];

/** What is wrong with a cell, or with the whole line where there is no column. */
export interface CellProblem {
  readonly column: string | null;
  readonly code: string;
  readonly message: string;
}

/** A partner of a transfer, as the file names it. */
export interface NamedTransfer {
  readonly unit_code: string;
  readonly count: number;
}

/** A line as it was read; a value that is not there was blank: not given, which is not 0. */
export interface FileLine {
  /** As a spreadsheet counts: the head is line 1. */
  readonly line: number;
  readonly facility_code: string | null;
  readonly unit_code: string | null;
  readonly census_date: string | null;
  readonly population: Population;
  readonly counts: Readonly<Partial<Record<UnitDayColumn, number>>>;
  readonly notes: Readonly<Partial<Record<(typeof LABELS)[number], string>>>;
  readonly transfers_from: readonly NamedTransfer[] | null;
  readonly transfers_to: readonly NamedTransfer[] | null;
  /** Tells what somebody took the unit to have, and nothing that a unit reports. */
  readonly is_mere_estimate: boolean;
  readonly problems: readonly CellProblem[];
}

type RawLine = ReadonlyMap<UnitDayColumn, RawCell>;

/**
 * Reads a file of unit-days: CSV (UTF-8 with or without BOM; comma, semicolon or tab) or XLSX, by its first bytes. Throws 422 at
 * `file` where it is not such a file; what is wrong with a cell is told with its line.
 */
export async function readUnitDayFile(file: Buffer): Promise<FileLine[]> {
  const sheet = isZip(file) ? await readXlsx(file) : { lines: readCsv(file, MOST_LOOKED_AT), dayZero: USUAL_DAY_ZERO };
  const [head = [], ...body] = sheet.lines;
  const columns = readHead(head);
  const lines = body.map((cells, index) => ({ line: index + 2, cells })).filter(({ cells }) => cells.some(isGiven));
  if (lines.length === 0) throw invalidField('file', 'The file has no lines below its header.');
  if (lines.length > MOST_LINES) throw invalidField('file', `The file has more than ${MOST_LINES} lines.`);
  if (sheet.lines.length >= MOST_LOOKED_AT) {
    throw invalidField('file', 'The file has too many blank lines. Save it with the lines of the reports alone.');
  }
  return lines.map(({ line, cells }) => {
    const read = readLine(line, new Map(columns.map((column, at) => [column, cells[at]])), sheet.dayZero);
    return cells.slice(columns.length).some(isGiven) ? { ...read, problems: [TOO_MANY_CELLS, ...read.problems] } : read;
  });
}

/** What stands after them may have been pushed there by a comma within a number or a text. */
const TOO_MANY_CELLS: CellProblem = {
  column: null,
  code: 'TOO_MANY_CELLS',
  message: 'This line has more cells than the header. In CSV, text with a comma needs quotes.',
};

function isGiven(cell: RawCell): boolean {
  return cell !== null && cell !== undefined && String(cell).trim() !== '';
}

function isZip(file: Buffer): boolean {
  return file.subarray(0, 4).equals(Buffer.from([0x50, 0x4b, 0x03, 0x04]));
}

async function readXlsx(file: Buffer): Promise<Sheet> {
  try {
    return await readWorkbook(file, MOST_LOOKED_AT);
  } catch (error) {
    throw invalidFile('The workbook could not be read, or is too large.', error);
  }
}

function readHead(head: readonly RawCell[]): UnitDayColumn[] {
  const names = head.map((cell) =>
    presentColumn(
      String(cell ?? '')
        .trim()
        .toLowerCase(),
    ),
  );
  while (names.at(-1) === '') names.pop();
  const unknown = names.filter((name) => !UNIT_DAY_COLUMNS.includes(name as UnitDayColumn));
  if (unknown.length > 0) throw invalidField('file', `This column is not known: ${unknown[0] || '(blank)'}.`);
  if (new Set(names).size < names.length) throw invalidField('file', 'A column is in the header twice.');
  const missing = NEEDED.find((column) => !names.includes(column));
  if (missing) throw invalidField('file', `The column ${missing} is missing.`);
  return names as UnitDayColumn[];
}

function readLine(line: number, cells: RawLine, dayZero: string): FileLine {
  const problems = READ.flatMap((column) => valueProblem(column, cells.get(column)));
  const text = (column: UnitDayColumn) => textOf(cells.get(column));
  const counts: Partial<Record<UnitDayColumn, number>> = {};
  for (const column of [...WHOLE, 'closing'] as const) {
    const count = readCount(cells.get(column), column);
    if (typeof count === 'string') problems.push({ column, code: 'INVALID_COUNT', message: count });
    else if (count !== null) counts[column] = count;
  }
  const notes = Object.fromEntries(LABELS.flatMap((column) => (text(column) ? [[column, text(column)]] : [])));
  for (const [column, said] of Object.entries(notes)) {
    const message = errorIn(said ?? '');
    if (message !== null) problems.push({ column, code: 'INVALID_TEXT', message });
  }
  const partners = (column: 'transfers_from' | 'transfers_to') => {
    const read = readPartners(text(column));
    if (read !== 'unreadable') return read;
    problems.push({ column, code: 'INVALID_COUNT', message: 'Write partners as UNIT:count, e.g. ICU:1 ED:2.' });
    return null;
  };
  const census_date = readDate(cells.get('census_date'), dayZero);
  if (census_date === null && !(cells.get('census_date') instanceof CellWithoutValue)) {
    problems.push({ column: 'census_date', code: 'NO_SUCH_DATE', message: 'Write the date as YYYY-MM-DD.' });
  }
  if (!text('unit_code') && !(cells.get('unit_code') instanceof CellWithoutValue))
    problems.push({ column: 'unit_code', code: 'MISSING_VALUE', message: 'The unit is missing.' });
  const population = readPopulation(text('population'));
  if (population === null)
    problems.push({ column: 'population', code: 'INVALID_COUNT', message: 'Write adult_and_child or newborn.' });
  return {
    line,
    facility_code: text('facility_code'),
    unit_code: text('unit_code'),
    census_date,
    population: population ?? 'adult_and_child',
    counts,
    notes,
    transfers_from: partners('transfers_from'),
    transfers_to: partners('transfers_to'),
    is_mere_estimate: text('estimate') !== null && REPORTED.every((column) => text(column) === null),
    problems,
  };
}

function valueProblem(column: UnitDayColumn, cell: RawCell): CellProblem[] {
  if (!(cell instanceof CellWithoutValue)) return [];
  const message =
    cell.error === null
      ? 'This formula has no value. Open the file in a spreadsheet and save it.'
      : `This cell holds the error ${cell.error}.`;
  return [{ column, code: 'NO_VALUE', message }];
}

function textOf(cell: RawCell): string | null {
  if (cell === null || cell === undefined || cell instanceof CellWithoutValue) return null;
  if (cell instanceof Date) return dateText(cell);
  return fromPlainCell(String(cell)).trim() || null;
}

/** Why a text cannot be stored; a workbook can spell what no text may hold. */
function errorIn(text: string): string | null {
  if (!isStorableText(text)) return 'This text has characters that cannot be stored.';
  return text.length > LONGEST_TEXT ? `At most ${LONGEST_TEXT} characters.` : null;
}

/** A count, null for blank, or the sentence that says why it is none. */
function readCount(cell: RawCell, column: UnitDayColumn): number | null | string {
  const text = textOf(cell);
  if (text === null) return null;
  const count = parseCount(text, column);
  if (count !== undefined) return count;
  if (/^\d{1,3}([.,\s’']\d{3})+$/.test(text)) return `“${text}” has a separator. Write the digits alone.`;
  return `“${text}” is not a whole number from 0 to ${mostOf(column)}.`;
}

/** ISO dates, dates of a workbook, and the serial numbers that spreadsheets make of them. */
function readDate(cell: RawCell, dayZero: string): string | null {
  const text = textOf(cell);
  if (text === null) return null;
  if (isCalendarDate(text)) return text;
  return /^\d{5}$/.test(text) ? addDays(dayZero, Number(text)) : null;
}

/** A workbook can format a number as a date that is past every one. */
function dateText(date: Date): string {
  return Number.isNaN(date.getTime()) ? String(date) : date.toISOString().replace(/T.*$/, '');
}

function readPartners(text: string | null): NamedTransfer[] | null | 'unreadable' {
  if (text === null) return null;
  const parts = text.matchAll(/\s*(.+?):(\d{1,4})(?=\s|$)/gy);
  const partners: NamedTransfer[] = [];
  let end = 0;
  for (const part of parts) {
    partners.push({ unit_code: part[1] ?? '', count: Number(part[2]) });
    end = part.index + part[0].length;
  }
  return text.slice(end).trim() === '' ? partners : 'unreadable';
}

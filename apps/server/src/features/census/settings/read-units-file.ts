import { parseCount } from '@wardline/census/balance.ts';
import { isCalendarDate } from '@wardline/census/calendar.ts';
import type { Population } from '@wardline/contract/census/census.ts';
import { UNIT_COLUMNS, type UnitColumn, type UnitRow } from '@wardline/contract/census/settings.ts';
import { isStorableText } from '@wardline/contract/values.ts';
import { readCsv } from '#/platform/files/read-csv.ts';
import { invalidField } from '#/platform/http/app-error.ts';

const MOST_LINES = 500;
const BEDS = ['licensed', 'physical', 'staffed'] as const;
const LONGEST: Readonly<Partial<Record<UnitColumn, number>>> = { code: 12, name: 80, kind: 40 };
const POPULATIONS: Readonly<Record<string, Population>> = {
  '': 'adult_and_child',
  adult_and_child: 'adult_and_child',
  newborn: 'newborn',
};

export interface UnitLine {
  /** As a spreadsheet counts: the head is line 1. */
  readonly line: number;
  readonly code: string;
  /** Blank where the unit keeps what it has. */
  readonly name: string;
  readonly kind: string;
  readonly population: Population;
  /** Blank for the census date under way. */
  readonly from: string;
  readonly beds: Readonly<Record<'licensed' | 'physical' | 'staffed' | 'surge', number>> | null;
  readonly problems: UnitRow['problems'];
}

/** The lines of a CSV file of units and beds. Throws 422 at `file` for what is none; what is wrong in a cell is told with its line. */
export function readUnitsFile(file: Buffer): UnitLine[] {
  const [head = [], ...body] = readCsv(file, MOST_LINES + 2);
  const columns = head.map((name) => name.trim().toLowerCase());
  const unknown = columns.find((name) => !UNIT_COLUMNS.some((column) => column === name));
  if (!columns.includes('code')) {
    throw invalidField('file', `The first line names the columns: ${UNIT_COLUMNS.join(', ')}. Only code is needed.`);
  }
  if (unknown !== undefined) throw invalidField('file', `There is no column “${unknown}”: ${UNIT_COLUMNS.join(', ')}.`);
  if (new Set(columns).size < columns.length) throw invalidField('file', 'A column is there twice.');
  if (body.length > MOST_LINES) throw invalidField('file', `The file has more than ${MOST_LINES} lines.`);
  const lines = body.map((cells, index) => ({ line: index + 2, cells })).filter(({ cells }) => cells.some(isGiven));
  if (lines.length === 0) throw invalidField('file', 'The file has no lines below its header.');
  return lines.map(({ line, cells }) => {
    const read = readLine(line, (column) => (cells[columns.indexOf(column)] ?? '').trim());
    const rest = cells.slice(columns.length).some(isGiven);
    return rest
      ? { ...read, problems: [problem(null, 'This line has more cells than columns.'), ...read.problems] }
      : read;
  });
}

const isGiven = (cell: string) => cell.trim() !== '';

function readLine(line: number, cell: (column: UnitColumn) => string): UnitLine {
  const problems: UnitRow['problems'] = [];
  if (cell('code') === '') problems.push(problem('code', 'The code of the unit is missing.'));
  for (const column of ['code', 'name', 'kind'] as const) {
    const text = cell(column);
    if (!isStorableText(text)) problems.push(problem(column, 'This text has characters that cannot be stored.'));
    const longest = LONGEST[column] ?? 0;
    if (text.length > longest) problems.push(problem(column, `At most ${longest} characters.`));
  }
  const population = POPULATIONS[cell('population').toLowerCase()];
  if (population === undefined) problems.push(problem('population', 'Either adult_and_child or newborn.'));
  const from = cell('from');
  if (from !== '' && !isCalendarDate(from)) problems.push(problem('from', 'This is not a date, such as 2026-11-23.'));
  const beds = readBeds(cell, problems);
  const [code, name, kind] = [cell('code'), cell('name'), cell('kind')];
  return { line, code, name, kind, population: population ?? 'adult_and_child', from, beds, problems };
}

/** All three numbers or none; without surge there are none of those. */
function readBeds(cell: (column: UnitColumn) => string, problems: UnitRow['problems']): UnitLine['beds'] {
  const kinds = [...BEDS, 'surge'] as const;
  if (kinds.every((kind) => cell(kind) === '')) {
    if (cell('from') !== '') problems.push(problem('from', 'A date, but no beds from then on.'));
    return null;
  }
  const read = kinds.map((kind) => {
    const text = kind === 'surge' ? cell(kind) || '0' : cell(kind);
    const value = parseCount(text) ?? -1;
    if (value < 0 || value > 9999) problems.push(problem(kind, 'A whole number from 0 to 9999.'));
    return [kind, value] as const;
  });
  return Object.fromEntries(read) as NonNullable<UnitLine['beds']>;
}

function problem(column: UnitColumn | null, message: string): UnitRow['problems'][number] {
  return { column, code: 'INVALID', message };
}

import {
  MOST_PEOPLE,
  PEOPLE_COLUMNS,
  type PeopleColumn,
  type PersonRow,
} from '@wardline/contract/facilities/invitation-imports.ts';
import { Email, isStorableText } from '@wardline/contract/values.ts';
import { formatCount } from '@wardline/format/counts.ts';
import { fromPlainCell } from '#/platform/files/csv.ts';
import { readCsv } from '#/platform/files/read-csv.ts';
import { invalidField } from '#/platform/http/app-error.ts';

/** Spreadsheets leave blank lines behind. */
const MOST_LOOKED_AT = 5_000;
const MOST_BYTES = 512 * 1024;
const LONGEST = { name: 120, title: 80 } as const;

/** What a column may be called besides its name, in any case. */
const SYNONYMS: Readonly<Record<string, PeopleColumn>> = {
  'e-mail': 'email',
  mail: 'email',
  'email address': 'email',
  'e-mail address': 'email',
  'full name': 'name',
  roles: 'role',
  'role name': 'role',
  'job title': 'title',
  position: 'title',
};

/** Somebody to invite, as a line of the file says. */
export interface PersonLine {
  /** As a spreadsheet counts: the head is line 1. */
  readonly line: number;
  readonly email: string | null;
  readonly name: string | null;
  readonly title: string | null;
  /** One role by its name, or several with a semicolon between. */
  readonly role: string | null;
  readonly problems: PersonRow['problems'];
}

/**
 * Reads a CSV file of people (email, role; name and title where they are known). Throws 422 at `file` where it is not such a
 * file; what is wrong with a cell is told with its line.
 */
export function readPeopleFile(file: Buffer): PersonLine[] {
  if (file.length > MOST_BYTES) throw invalidField('file', 'The file is larger than 512 kB.');
  const [head = [], ...body] = readCsv(file, MOST_LOOKED_AT);
  const columns = readHead(head);
  const lines = body.map((cells, index) => ({ line: index + 2, cells })).filter(({ cells }) => cells.some(isGiven));
  if (lines.length === 0) throw invalidField('file', 'The file has no lines below its header.');
  if (lines.length > MOST_PEOPLE) {
    throw invalidField('file', `The file has more than ${formatCount(MOST_PEOPLE)} lines.`);
  }
  const firstWith = new Map<string, number>();
  return lines.map(({ line, cells }) => {
    const problems: PersonRow['problems'] = [];
    if (cells.slice(columns.length).some(isGiven)) {
      problems.push(problem(null, 'TOO_MANY_CELLS', 'This line has more cells than the header.'));
    }
    const read = readLine(line, (column) => textOf(cells[columns.indexOf(column)]), problems);
    const earlier = read.email === null ? undefined : firstWith.get(read.email);
    if (earlier !== undefined) {
      problems.push(problem('email', 'REPEATED', `This address is in line ${earlier} already.`));
    } else if (read.email !== null) firstWith.set(read.email, line);
    return read;
  });
}

function textOf(cell: string | undefined): string | null {
  return fromPlainCell(cell ?? '').trim() || null;
}

function isGiven(cell: string): boolean {
  return cell.trim() !== '';
}

function readHead(head: readonly string[]): PeopleColumn[] {
  const said = head.map((cell) => cell.replace('\uFEFF', '').trim().toLowerCase());
  while (said.at(-1) === '') said.pop();
  const names = said.map((name) => SYNONYMS[name] ?? name);
  const known = `The columns are ${PEOPLE_COLUMNS.join(', ')}.`;
  const unknown = names.find((name) => !PEOPLE_COLUMNS.some((column) => column === name));
  if (unknown !== undefined) {
    throw invalidField('file', `This column is not known: ${unknown.slice(0, 40) || '(blank)'}. ${known}`);
  }
  if (new Set(names).size < names.length) throw invalidField('file', 'A column is in the header twice.');
  const missing = (['email', 'role'] as const).find((column) => !names.includes(column));
  if (missing) throw invalidField('file', `The column ${missing} is missing. ${known}`);
  return names as PeopleColumn[];
}

function readLine(
  line: number,
  text: (column: PeopleColumn) => string | null,
  problems: PersonRow['problems'],
): PersonLine {
  const [email, role] = [text('email'), text('role')];
  const address = Email.safeParse(email ?? '');
  if (email === null) problems.push(problem('email', 'MISSING_VALUE', 'The email address is missing.'));
  else if (!address.success) problems.push(problem('email', 'INVALID_TEXT', 'This is not an email address.'));
  if (role === null) problems.push(problem('role', 'MISSING_VALUE', 'The role is missing.'));
  for (const column of ['name', 'title'] as const) {
    const given = text(column) ?? '';
    if (given.length > LONGEST[column]) {
      problems.push(problem(column, 'INVALID_TEXT', `At most ${LONGEST[column]} characters.`));
    } else if (!isStorableText(given)) {
      problems.push(problem(column, 'INVALID_TEXT', 'This text has characters that cannot be stored.'));
    }
  }
  return {
    ...{ line, email: address.data ?? null, name: text('name'), title: text('title'), role, problems },
  };
}

export function problem(column: PeopleColumn | null, code: string, message: string): PersonRow['problems'][number] {
  return { column, code, message };
}

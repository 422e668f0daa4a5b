import readSheets from 'read-excel-file/universal';
import { unpackArchive } from '#/platform/files/unpack-archive.ts';

const MOST_UNPACKED_BYTES = 64 * 1024 * 1024;
const DAY_MS = 86_400_000;
/** What the two ways of numbering days are apart. */
const DAYS_TO_1904 = 1_462;

/** A cell that holds no value: an error such as `#REF!`, or a formula whose result was not stored. */
export class CellWithoutValue {
  /** Null of a formula. */
  readonly error: string | null;

  constructor(error: string | null) {
    this.error = error;
  }

  toString(): string {
    return this.error ?? 'formula';
  }
}

export type RawCell = string | number | boolean | Date | CellWithoutValue | null | undefined;

/** The lines of a file as they stand there, the head first. */
export interface Sheet {
  readonly lines: readonly (readonly RawCell[])[];
  /** The date that the serial number 0 stands for. */
  readonly dayZero: string;
}

/** Serial numbers count from 1900 with its 29 February, which never was. */
export const USUAL_DAY_ZERO = '1899-12-30';

/** The first sheet of an XLSX file, at most so many lines of it with errors; throws for what is none, or too large. */
export async function readWorkbook(file: Buffer, mostLines: number): Promise<Sheet> {
  const files = unpackArchive(file, MOST_UNPACKED_BYTES);
  if (files === null) throw new RangeError('this is no archive, or too large');
  // By the archive's directory, whose sizes it checks: the reader for Node trusts what each entry says of itself.
  const [sheet] = await readSheets(new Blob([new Uint8Array(file)]));
  const lines = (sheet?.data ?? []) as RawCell[][];
  for (const { row, column, error } of cellsWithoutValue(firstSheet(files))) {
    if (row >= mostLines) continue;
    while (lines.length <= row) lines.push([]);
    const line = lines[row] ?? [];
    line[column] = new CellWithoutValue(error);
  }
  const [, counts1904] = /<(?:\w+:)?workbookPr\s[^>]*?date1904="(1|true)"/.exec(textOf(files, 'xl/workbook.xml')) ?? [];
  if (counts1904 === undefined) return { lines, dayZero: USUAL_DAY_ZERO };
  // The reader knows the mark as 1 and not as true, as LibreOffice writes it.
  return { lines: counts1904 === '1' ? lines : lines.map((line) => line.map(daysLater)), dayZero: '1904-01-01' };
}

function daysLater(cell: RawCell): RawCell {
  return cell instanceof Date ? new Date(cell.getTime() + DAYS_TO_1904 * DAY_MS) : cell;
}

function textOf(files: ReadonlyMap<string, Buffer>, name: string): string {
  return files.get(name)?.toString('utf8') ?? '';
}

function attributeOf(tag: string, name: string): string {
  return new RegExp(`\\s(?:\\w+:)?${name}="([^"]*)"`).exec(` ${tag}`)?.[1] ?? '';
}

/** The XML of the sheet that the workbook names first. */
function firstSheet(files: ReadonlyMap<string, Buffer>): string {
  const [sheet = ''] = /<(?:\w+:)?sheet\s[^>]*>/.exec(textOf(files, 'xl/workbook.xml')) ?? [];
  const id = attributeOf(sheet, 'id');
  const related = [...textOf(files, 'xl/_rels/workbook.xml.rels').matchAll(/<(?:\w+:)?Relationship\s[^>]*>/g)];
  const target = attributeOf(related.find(([tag]) => attributeOf(tag, 'Id') === id)?.[0] ?? '', 'Target');
  return textOf(files, target.startsWith('/') ? target.slice(1) : `xl/${target}`);
}

const CELL = /<(?:\w+:)?c\s([^>]*?)(?:\/>|>(.*?)<\/(?:\w+:)?c>)/gs;
const FORMULA = /<(?:\w+:)?f[\s/>]/;
const VALUE = /<(?:\w+:)?v(?:\s[^>]*)?(?:\/>|>([^<]*)<)/;

/** The reader of workbooks takes these for blank, and blank says that nothing was given. */
function* cellsWithoutValue(sheet: string): Generator<{ row: number; column: number; error: string | null }> {
  for (const [, attributes = '', holds = ''] of sheet.matchAll(CELL)) {
    const type = attributeOf(attributes, 't');
    const value = VALUE.exec(holds);
    const isUnread = FORMULA.test(holds) && !value?.[1] && !(type === 'str' && value !== null);
    if (type !== 'e' && !isUnread) continue;
    const place = placeOf(attributeOf(attributes, 'r'));
    if (place) yield { ...place, error: type === 'e' ? (value?.[1] || '#ERROR!').slice(0, 20) : null };
  }
}

/** `C2` is row 1, column 2, counted from 0. */
function placeOf(address: string): { row: number; column: number } | null {
  const [, letters, row] = /^([A-Z]{1,3})([1-9]\d{0,6})$/.exec(address) ?? [];
  if (letters === undefined) return null;
  const column = [...letters].reduce((count, letter) => count * 26 + letter.charCodeAt(0) - 64, 0);
  return { row: Number(row) - 1, column: column - 1 };
}

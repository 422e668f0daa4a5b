import { isCalendarDate } from '@wardline/census/calendar.ts';
import { mostOf } from '@wardline/contract/census/census.ts';
import { UNIT_DAY_COLUMNS } from '@wardline/contract/census/exchange.ts';
import { isStorableText } from '@wardline/contract/values.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AppError } from '#/platform/http/app-error.ts';
import { runs } from '#/testing/nightly.ts';
import { readUnitDayFile } from './read-unit-day-file.ts';
import { type WorkbookCell, workbook } from './testing/workbook.ts';

const read = (text: string) => readUnitDayFile(Buffer.from(text));
const refusal = (text: string) => read(text).catch((error) => error.fields.file[0]);

it('CEN-R3 CEN-8 a line with more cells than the head is refused: a separator of thousands may have moved its counts', async () => {
  const head = 'unit_code,census_date,admissions,discharges';
  const [line] = await read(`${head}\nMED,2026-11-19,1,234,5`);
  expect(line?.problems).toEqual([
    {
      column: null,
      code: 'TOO_MANY_CELLS',
      message: 'This line has more cells than the header. In CSV, text with a comma needs quotes.',
    },
  ]);
  const [noted] = await read('unit_code,census_date,note\nMED,2026-11-19,two in theatre, one late');
  expect(noted?.problems).toMatchObject([{ code: 'TOO_MANY_CELLS' }]);
  const [padded] = await read(`${head}\nMED,2026-11-19,1,2,,, `);
  expect(padded).toMatchObject({ counts: { admissions: 1, discharges: 2 }, problems: [] });
});

it('CEN-8 a file of an earlier export is read: what it calls class is the population', async () => {
  const lines = await read(
    'unit_code,census_date,class\nMED,2026-11-19,adult_child\nNUR,2026-11-19,newborn\nSUR,2026-11-19,',
  );
  expect(lines.map(({ population, problems }) => [population, problems])).toEqual([
    ['adult_and_child', []],
    ['newborn', []],
    ['adult_and_child', []],
  ]);
  expect(await refusal('unit_code,census_date,class,population\nMED,2026-11-19,,')).toContain('in the header twice');
});

it('CEN-8 a file whose lines end in two ways loses none of them in silence', async () => {
  const [line, ...others] = await read('unit_code,census_date,note\r\nMED,2026-11-19,one\nSUR,2026-11-19,two\n');
  expect(line?.problems).toMatchObject([{ code: 'TOO_MANY_CELLS' }]);
  expect(others).toEqual([]);
});

it('CEN-8 quotes that make no sense are refused with their line', async () => {
  const lines = ['unit_code,census_date,note', 'MED,2026-11-18,', 'MED,2026-11-19,he said "no"'];
  expect(await refusal(lines.join('\n'))).toBe('The file is not well-formed CSV: see the quotes in line 3.');
  expect(await refusal(lines.join('\n').replace('no"', 'no'))).toContain('line 3.');
  const open = 'The file is not well-formed CSV: a quote from line';
  expect(await refusal(`${lines[0]}\n"MED,2026-11-19,1`)).toBe(`${open} 2 on is never closed.`);
  expect(await refusal(`${lines[0]}\n"M\nED",2026-11-18,\nMED,"2026\nMED,1`)).toBe(`${open} 4 on is never closed.`);
  expect(await refusal('"unit_code')).toBe(`${open} 1 on is never closed.`);
});

const ODD = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '5',
    '-1',
    '1,234',
    '1e3',
    'newborn',
    '2026-11-19',
    '46345',
    '99999',
    '"',
    "'=1",
    'ICU:1',
    'MED',
  ),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const TABLE = fc.array(fc.array(ODD, { maxLength: 8 }), { maxLength: 6 });
const HEAD = fc
  .oneof(
    { weight: 4, arbitrary: fc.shuffledSubarray([...UNIT_DAY_COLUMNS], { minLength: 1 }) },
    fc.array(ODD, { maxLength: 6 }),
  )
  .map((columns) => [
    'unit_code',
    'census_date',
    ...columns.filter((column) => !/^(unit_code|census_date)$/.test(column)),
  ]);

/** A file is read, or refused as a whole in words: nothing else comes of it, and no line says what cannot be stored. */
async function expectLinesOrText(file: Buffer): Promise<void> {
  const lines = await readUnitDayFile(file).catch((error: unknown) => {
    expect(error).toBeInstanceOf(AppError);
    return [];
  });
  for (const line of lines.filter(({ problems }) => problems.length === 0)) {
    expect(isCalendarDate(line.census_date ?? '')).toBe(true);
    for (const [column, count] of Object.entries(line.counts)) {
      expect(Number.isInteger(count) && count >= 0 && count <= mostOf(column), column).toBe(true);
    }
    expect(Object.values(line.notes).every((said) => isStorableText(said) && said.length <= 500)).toBe(true);
  }
}

it('CEN-8 whatever bytes come as CSV, they are read or refused in words', async () => {
  const separator = fc.constantFrom(',', ';', '\t');
  const ending = fc.constantFrom('\n', '\r\n', '\r');
  const text = fc
    .tuple(HEAD, TABLE, separator, ending)
    .map(([head, table, between, end]) => [head, ...table].map((cells) => cells.join(between)).join(end));
  await fc.assert(
    fc.asyncProperty(text, (csv) => expectLinesOrText(Buffer.from(csv))),
    { numRuns: runs(150) },
  );
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map((raw) => Buffer.from(raw)),
    text.map((csv) => Buffer.from(csv, 'utf16le')),
    text.map((csv) => Buffer.from(csv, 'latin1')),
  );
  await fc.assert(fc.asyncProperty(bytes, expectLinesOrText), { numRuns: runs(100) });
});

const xml = (text: string) => text.replaceAll(/[<&\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, ' ');
const CELL: fc.Arbitrary<WorkbookCell> = fc.oneof(
  ODD.map(xml),
  fc.record({
    attributes: fc.constantFrom('', 's="1"', 's="9"', 't="e"', 't="b"', 't="str"', 't="s"', 't="d"', 't="x"'),
    holds: fc.oneof(
      ODD.map((value) => `<v>${xml(value)}</v>`),
      fc.double().map((value) => `<v>${value}</v>`),
      fc.constantFrom('', '<v/>', '<f>A1</f>', '<f>A1</f><v></v>', '<f>A1</f><v>#REF!</v>', '<is/>'),
    ),
  }),
);

it('CEN-8 whatever a workbook holds, it is read or refused in words', async () => {
  const book = fc
    .tuple(
      HEAD,
      fc.array(fc.array(CELL, { maxLength: 8 }), { maxLength: 6 }),
      fc.constantFrom('', '<workbookPr date1904="1"/>'),
    )
    .map(([head, rows, about]) => workbook([head.map(xml).slice(0, 26), ...rows], '', about));
  await fc.assert(fc.asyncProperty(book, expectLinesOrText), { numRuns: runs(100) });
  const broken = fc
    .tuple(book, fc.nat(), fc.nat(255))
    .map(([file, at, byte]) => file.fill(byte, at % file.length, Math.min(file.length, (at % file.length) + 3)));
  await fc.assert(fc.asyncProperty(broken, expectLinesOrText), { numRuns: runs(100) });
});

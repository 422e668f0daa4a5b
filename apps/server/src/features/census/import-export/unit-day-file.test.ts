import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { UNIT_DAY_COLUMNS } from '@wardline/contract/census/exchange.ts';
import readSheets from 'read-excel-file/node';
import { expect, it } from 'vitest';
import { csvLine } from '#/platform/files/csv.ts';
import { workbookOf } from '#/platform/files/workbook-stream.ts';
import { readUnitDayFile } from './read-unit-day-file.ts';
import { unitDayRow } from './testing/unit-day-row.ts';
import { dateCell, workbook } from './testing/workbook.ts';
import { unitDayCells, unitDayLine } from './unit-day-file.ts';

const rows = [
  unitDayRow({
    note: '=1+1',
    transfers_from: 'ICU:1 ED:2',
    transfers_to: 'SUR 2B:3',
    variance_reason: 'two in theatre, "late"',
  }),
  unitDayRow({
    unit_code: 'NUR',
    population: 'newborn',
    births: 4,
    note: '+49 30 1234\nsecond line',
    counted: null,
    status: 'draft',
  }),
  unitDayRow({ unit_code: '@ICU', note: "'quoted'" }),
  unitDayRow({ note: "'=café" }),
];
const lines = rows.map((row) => unitDayLine('SB', row));
const csv = [UNIT_DAY_COLUMNS, ...lines.map(unitDayCells)].map(csvLine).join('');
const workbookOfLines = () =>
  buffer(Readable.from(workbookOf({ sheet: 'Unit days', head: UNIT_DAY_COLUMNS, pages: [lines.map(unitDayCells)] })));
const file = (text: string) => Buffer.from(text, 'utf8');
const head = 'unit_code,census_date,admissions';
const firstProblems = async (text: string) => (await readUnitDayFile(file(text)))[0]?.problems;

it('CEN-8 what is exported is read back cell by cell, as CSV and as a workbook', async () => {
  const workbook = await workbookOfLines();
  for (const read of [await readUnitDayFile(file(csv)), await readUnitDayFile(workbook)]) {
    expect(read).toHaveLength(4);
    for (const [index, row] of rows.entries()) {
      expect(read[index]).toMatchObject({
        line: index + 2,
        facility_code: 'SB',
        unit_code: row.unit_code,
        census_date: row.census_date,
        population: row.population,
        problems: [],
        notes: { note: row.note },
      });
      expect(read[index]?.counts['opening']).toBe(row.opening);
      expect(read[index]?.counts['beds_blocked']).toBe(row.beds_blocked);
    }
    expect(read[0]?.transfers_from).toEqual([
      { unit_code: 'ICU', count: 1 },
      { unit_code: 'ED', count: 2 },
    ]);
    expect(read[0]?.transfers_to).toEqual([{ unit_code: 'SUR 2B', count: 3 }]);
    expect(read[0]?.notes.variance_reason).toBe('two in theatre, "late"');
    expect(read[1]?.counts).not.toHaveProperty('counted');
    expect(read[1]?.counts['births']).toBe(4);
  }
});

it('CEN-8 a spreadsheet finds numbers as numbers and no formula', async () => {
  const [sheet] = await readSheets(await workbookOfLines());
  expect(sheet?.data[0]).toEqual([...UNIT_DAY_COLUMNS]);
  const at = (column: (typeof UNIT_DAY_COLUMNS)[number]) => sheet?.data[1]?.[UNIT_DAY_COLUMNS.indexOf(column)];
  expect(at('opening')).toBe(24);
  expect(at('census_date')).toBe('2026-11-19');
  expect(at('note')).toBe("'=1+1");
  expect(sheet?.data[3]?.[1]).toBe("'@ICU");
});

it('CEN-8 no cell of a CSV begins as a formula', () => {
  expect(csv).toContain("'=1+1");
  expect(csv).toContain('"\'+49 30 1234\nsecond line"');
  expect(csv).not.toMatch(/(^|,)"?[=+@]/m);
});

it.each([
  ['a byte order mark', `\uFEFF${head}\nMED,2026-11-19,5`],
  ['semicolons', `${head.replaceAll(',', ';')}\r\nMED;2026-11-19;5`],
  ['tabs', `${head.replaceAll(',', '\t')}\nMED\t2026-11-19\t5\n\n`],
  ['the serial number of a spreadsheet', `${head}\nMED,46345,5`],
])('CEN-8 %s in a file does not disturb', async (_, text) => {
  expect(await readUnitDayFile(file(text))).toMatchObject([
    { line: 2, unit_code: 'MED', census_date: '2026-11-19', counts: { admissions: 5 }, problems: [] },
  ]);
});

it.each([
  ['-1', 'INVALID_COUNT'],
  ['2.5', 'INVALID_COUNT'],
  ['3a', 'INVALID_COUNT'],
  ['1e3', 'INVALID_COUNT'],
  ['10000', 'INVALID_COUNT'],
])('CEN-R3 CEN-8 the cell %s is refused at its column', async (cell, code) => {
  expect(await firstProblems(`${head}\nMED,2026-11-19,${cell}`)).toMatchObject([{ column: 'admissions', code }]);
});

it('CEN-R3 CEN-8 a separator of thousands is refused by name, a blank is not given and not 0', async () => {
  expect(await firstProblems(`${head}\nMED,2026-11-19,"1,234"`)).toMatchObject([
    { message: '“1,234” has a separator. Write the digits alone.' },
  ]);
  const [line] = await readUnitDayFile(file(`${head}\nMED,2026-11-19,`));
  expect(line?.counts).toEqual({});
  expect(line?.problems).toEqual([]);
});

it('CEN-R15 CEN-8 dates that are none are refused at their cell', async () => {
  for (const date of ['2027-02-29', '19/11/2026', '', '2026-11-31']) {
    expect(await firstProblems(`${head}\nMED,${date},5`)).toMatchObject([
      { column: 'census_date', code: 'NO_SUCH_DATE' },
    ]);
  }
});

it('CEN-R15 CEN-8 a date of a workbook is read, and a number past every date is refused at its cell', async () => {
  const read = (serial: number) =>
    readUnitDayFile(
      workbook([
        ['unit_code', 'census_date'],
        ['MED', dateCell(serial)],
      ]),
    );
  expect(await read(46_345)).toMatchObject([{ census_date: '2026-11-19', problems: [] }]);
  for (const serial of [0, 2_958_466, 1e12, -1e9]) {
    expect((await read(serial))[0]?.problems).toMatchObject([{ column: 'census_date', code: 'NO_SUCH_DATE' }]);
  }
});

it('A41 CEN-8 words that cannot be stored, and words that are too long, are refused at their cell', async () => {
  const noted = (note: string) => firstProblems(`unit_code,census_date,note\nMED,2026-11-19,${note}`);
  const unfit = [{ column: 'note', code: 'INVALID_TEXT', message: 'This text has characters that cannot be stored.' }];
  expect(await noted('two\u0000in theatre')).toEqual(unfit);
  const half = workbook([
    ['unit_code', 'census_date', 'note'],
    ['MED', '2026-11-19', 'half &#xD83D; of a sign'],
  ]);
  expect((await readUnitDayFile(half))[0]?.problems).toEqual(unfit);
  expect(await noted('x'.repeat(500))).toEqual([]);
  expect(await noted('x'.repeat(501))).toMatchObject([{ column: 'note', message: 'At most 500 characters.' }]);
});

it('A40 CEN-8 blank lines are passed over, and a file of nothing but blank lines is given up', async () => {
  const line = 'MED,2026-11-19,5';
  const padded = await readUnitDayFile(file(`${head}\n${line}${'\n,,'.repeat(5_000)}\n${line}`));
  expect(padded.map((read) => read.line)).toEqual([2, 5_003]);
  const refused = async (text: string) => readUnitDayFile(file(text)).catch((error) => error.fields.file[0]);
  expect(await refused(`${head}\n${line}${'\n'.repeat(4_000_000)}`)).toBe(
    'The file has too many blank lines. Save it with the lines of the reports alone.',
  );
  expect(await refused([head, ...Array.from({ length: 2_001 }, () => line)].join('\n'))).toBe(
    'The file has more than 2000 lines.',
  );
});

it('CEN-8 a file that is none, a foreign column, a column twice and no lines are refused at the file', async () => {
  const refused = async (content: Buffer) => readUnitDayFile(content).catch((error) => error.fields.file[0]);
  expect(await refused(file('unit_code,census_date,patients\nMED,2026-11-19,1'))).toBe(
    'This column is not known: patients.',
  );
  expect(await refused(file('unit_code,census_date,unit_code\nMED,2026-11-19,1'))).toBe(
    'A column is in the header twice.',
  );
  expect(await refused(file('unit_code,admissions\nMED,1'))).toBe('The column census_date is missing.');
  expect(await refused(file(head))).toBe('The file has no lines below its header.');
  expect(await refused(file(`${head}\n"MED,2026-11-19,1`))).toBe(
    'The file is not well-formed CSV: a quote from line 2 on is never closed.',
  );
  expect(await refused(Buffer.from([0xff, 0xfe, 0x41, 0x00]))).toBe(
    'The file is not text in UTF-8. Save it as “CSV UTF-8”.',
  );
  expect(await refused(Buffer.from('PK\u0003\u0004 not a workbook'))).toBe(
    'The workbook could not be read, or is too large.',
  );
});

it('CEN-8 partners that cannot be read are refused at their cell', async () => {
  expect(await firstProblems('unit_code,census_date,transfers_from\nMED,2026-11-19,ICU 1')).toMatchObject([
    { column: 'transfers_from' },
  ]);
});

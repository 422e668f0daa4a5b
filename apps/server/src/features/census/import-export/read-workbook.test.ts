import { expect, it } from 'vitest';
import { readUnitDayFile } from './read-unit-day-file.ts';
import { dateCell, type WorkbookCell, workbook } from './testing/workbook.ts';

const HEAD = ['unit_code', 'census_date', 'admissions', 'note', 'service_days'];
const failed = (error: string): WorkbookCell => ({ attributes: 't="e"', holds: `<f>A1</f><v>${error}</v>` });
const formula = (holds: string, attributes = ''): WorkbookCell => ({ attributes, holds: `<f>B1+1</f>${holds}` });
const number = (value: number): WorkbookCell => ({ attributes: '', holds: `<v>${value}</v>` });
const readRows = (...rows: WorkbookCell[][]) => readUnitDayFile(workbook([HEAD, ...rows]));
const UNSAVED = 'This formula has no value. Open the file in a spreadsheet and save it.';

it.each(['#REF!', '#N/A', '#DIV/0!'])(
  'CEN-R3 CEN-8 a cell that holds %s is refused there by name, and is not blank',
  async (error) => {
    const [line] = await readRows(['MED', '2026-11-19', failed(error), failed(error)]);
    const problem = { code: 'NO_VALUE', message: `This cell holds the error ${error}.` };
    expect(line?.problems).toEqual([
      { column: 'admissions', ...problem },
      { column: 'note', ...problem },
    ]);
    expect((await readRows([failed(error), failed(error)]))[0]?.problems).toEqual([
      { column: 'unit_code', ...problem },
      { column: 'census_date', ...problem },
    ]);
  },
);

it('CEN-R3 CEN-8 a formula whose value was not stored is refused, one whose value is empty is blank, one with a value is that', async () => {
  const read = async (cell: WorkbookCell) => {
    const [line] = await readRows(['MED', '2026-11-19', cell]);
    return [line?.counts['admissions'], line?.problems.map(({ message }) => message)];
  };
  for (const holds of ['', '<v/>', '<v></v>']) expect(await read(formula(holds))).toEqual([undefined, [UNSAVED]]);
  expect(await read(formula('', 't="str"'))).toEqual([undefined, [UNSAVED]]);
  expect(await read(formula('<v></v>', 't="str"'))).toEqual([undefined, []]);
  expect(await read(formula('<v>5</v>'))).toEqual([5, []]);
});

it('CEN-8 an error in a column that an import passes over, and one in the head, are told apart', async () => {
  expect(await readRows(['MED', '2026-11-19', '5', '', failed('#REF!')])).toMatchObject([{ problems: [] }]);
  const file = workbook([
    ['unit_code', failed('#NAME?')],
    ['MED', '2026-11-19'],
  ]);
  await expect(readUnitDayFile(file)).rejects.toMatchObject({
    fields: { file: ['This column is not known: #name?.'] },
  });
});

it('CEN-8 a line of nothing but errors is a line, also below all others', async () => {
  const lines = await readRows(['MED', '2026-11-19', '5'], [], [failed('#REF!')]);
  expect(lines.map(({ line, problems }) => [line, problems.length])).toEqual([
    [2, 0],
    [4, 2],
  ]);
});

it.each(['1', 'true'])('CEN-R15 CEN-8 a workbook whose dates begin in 1904 (%s) keeps its dates', async (mark) => {
  const dates = [dateCell(44_883), number(44_883), '44883', '2026-11-19'];
  const file = workbook(
    [HEAD.slice(0, 2), ...dates.map((date) => ['MED', date])],
    '',
    `<workbookPr backupFile="false" date1904="${mark}"/>`,
  );
  expect((await readUnitDayFile(file)).map(({ census_date }) => census_date)).toEqual(dates.map(() => '2026-11-19'));
});

it('CEN-8 a date where a count or a text belongs is said as a date', async () => {
  const [line] = await readRows(['MED', '2026-11-19', dateCell(46_345), dateCell(46_345)]);
  expect(line?.notes.note).toBe('2026-11-19');
  expect(line?.problems).toMatchObject([
    { column: 'admissions', message: '“2026-11-19” is not a whole number from 0 to 9999.' },
  ]);
});

it('A23 CEN-8 an entry that says of itself that it is far larger than it is, is read as large as it is', async () => {
  const file = workbook([HEAD, ['MED', '2026-11-19', '5']]);
  const sheet = file.lastIndexOf('PK\u0003\u0004');
  expect(file.toString('latin1', sheet + 30, sheet + 54)).toBe('xl/worksheets/sheet1.xml');
  file.writeUInt32LE(10_000_000, sheet + 22);
  expect(await readUnitDayFile(file)).toMatchObject([{ counts: { admissions: 5 }, problems: [] }]);
});

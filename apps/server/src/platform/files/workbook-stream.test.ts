import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import readSheets from 'read-excel-file/node';
import { expect, it } from 'vitest';
import { type Cell, csvLine, Decimal } from './csv.ts';
import { unpackArchive } from './unpack-archive.ts';
import { workbookOf } from './workbook-stream.ts';

const head = ['name', 'count', 'rate'];
const workbook = (pages: readonly (readonly (readonly Cell[])[])[]) =>
  buffer(Readable.from(workbookOf({ sheet: 'A & B', head, pages })));

it('F-N18 a workbook is read back as it was written: numbers as numbers, exact figures with their places', async () => {
  const file = await workbook([
    [['ICU', 3, new Decimal('90.00')]],
    [],
    [['<b> & "c"\n\u0007é', null, new Decimal('-0.86')]],
  ]);
  const [sheet] = await readSheets(file);
  expect(sheet?.sheet).toBe('A & B');
  expect(sheet?.data).toEqual([head, ['ICU', 3, 90], ['<b> & "c"\né', null, -0.86]]);
  expect(unpackArchive(file, 1_000_000)?.get('xl/worksheets/sheet1.xml')?.toString()).toContain('<v>90.00</v>');
});

it('F-N18 no text of a file becomes a formula, and a negative figure stays a figure', async () => {
  const texts = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1'];
  const sheet = unpackArchive(await workbook([texts.map((text) => [text])]), 1_000_000)?.get(
    'xl/worksheets/sheet1.xml',
  );
  expect(sheet?.toString()).not.toMatch(/<f[ >]/);
  expect(sheet?.toString().match(/>'[=+\-@\t]/g)).toHaveLength(texts.length);
  expect(csvLine([new Decimal('-0.86'), '-0.86'])).toBe("-0.86,'-0.86\r\n");
  expect(() => new Decimal('=1')).toThrow(RangeError);
});

it('F-N18 a page is asked for when the one before has been taken, and none after the reader has gone', async () => {
  let made = 0;
  let isEnded = false;
  async function* pages() {
    try {
      for (;;) {
        made += 1;
        // Random, so that it does not pack: what is written leaves at once.
        yield Array.from({ length: 500 }, () => [String(Math.random()), Math.random(), null]);
      }
    } finally {
      isEnded = true;
    }
  }
  let bytes = 0;
  for await (const part of workbookOf({ sheet: 'Long', head, pages: pages() })) {
    bytes += part.length;
    if (bytes > 500_000) break;
  }
  expect(made).toBeLessThan(100);
  await expect.poll(() => isEnded).toBe(true);
});

it('F-N18 lines that cannot be read break the file off, so that nobody takes it for whole', async () => {
  async function* pages() {
    yield [['ICU', 3, null]];
    throw new Error('the database has gone');
  }
  const file = buffer(Readable.from(workbookOf({ sheet: 'Broken', head, pages: pages() })));
  await expect(file).rejects.toThrow('the database has gone');
});

it('F-N18 the same lines make the same bytes', async () => {
  const lines = [[['ICU', 3, new Decimal('90.00')]]];
  expect((await workbook(lines)).equals(await workbook(lines))).toBe(true);
});

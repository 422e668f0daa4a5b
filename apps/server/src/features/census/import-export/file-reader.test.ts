import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import writeSheet from 'write-excel-file/node';
import { createLog } from '#/platform/log.ts';
import { isNightly } from '#/testing/nightly.ts';
import { createFileReader, type FileReader } from './file-reader.ts';
import { workbook } from './testing/workbook.ts';

const log = createLog('silent');
const HEAD = ['unit_code', 'census_date'];
const TOO_MUCH = 'The file takes too much to read. Copy its lines into a new file and choose that.';
const good = workbook([HEAD, ['MED', '2026-11-19']]);
let folder: string;
let reader: FileReader;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'wardline-files-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(() => reader.close());

const refusalOf = (file: Buffer) =>
  reader.read(file).then(
    () => 'read',
    (error) => error.fields?.file[0] ?? error.code,
  );

it('CEN-8 a file is read in a process of its own, and what is wrong with one is said at the file', async () => {
  reader = createFileReader({ log });
  expect(await reader.read(good)).toMatchObject([{ line: 2, unit_code: 'MED', census_date: '2026-11-19' }]);
  expect(await refusalOf(Buffer.from('unit_code,patients'))).toBe('This column is not known: patients.');
});

it.runIf(isNightly)('CEN-8 a workbook of as many lines as are taken, all cells filled, is read whole', async () => {
  reader = createFileReader({ log });
  const cells = (...values: string[]) => values.map((value) => ({ type: String, value }));
  const lines = Array.from({ length: 2_000 }, (_, at) => cells('MED', '2026-11-19', `${at} ${'long '.repeat(90)}`));
  const read = await reader.read(await writeSheet([cells(...HEAD, 'note'), ...lines]).toBuffer());
  expect(read).toHaveLength(2_000);
  expect(read.at(-1)).toMatchObject({
    line: 2_001,
    notes: { note: expect.stringMatching(/^1999 long/) },
    problems: [],
  });
});

it.runIf(isNightly)(
  'A23 CEN-8 a small workbook that asks for a cell a million lines down is refused, and the next file is read',
  async () => {
    reader = createFileReader({ log });
    const far = workbook([HEAD], '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>');
    expect(far.length).toBeLessThan(4_000);
    expect(await refusalOf(far)).toBe(TOO_MUCH);
    expect(await reader.read(good)).toHaveLength(1);
  },
  60_000,
);

it('A40 CEN-8 a file that takes too long is given up', async () => {
  const file = path.join(folder, 'hangs.mjs');
  await writeFile(file, `process.on('message', () => { for (;;); });`);
  reader = createFileReader({ log, program: { file, execArgv: [] }, timeoutMs: 300 });
  expect(await refusalOf(good)).toBe(TOO_MUCH);
});

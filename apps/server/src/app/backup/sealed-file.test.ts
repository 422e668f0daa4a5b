import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { open, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { everyNth } from '#/testing/nightly.ts';
import type { KeyRing } from './backup-key.ts';
import { createSealedWriter, readSealed } from './sealed-file.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'wardline-sealed-'));
afterAll(() => rmSync(folder, { recursive: true }));

const KEY = 'a key of backups that is only for tests';
const HEADER = 56;
const SEALED_CHUNK = 64 * 1024 + 16;

async function seal(pieces: readonly Uint8Array[]): Promise<string> {
  const place = path.join(folder, `${randomBytes(4).toString('hex')}.backup`);
  const file = await open(place, 'wx');
  const writer = await createSealedWriter(file, KEY);
  for (const piece of pieces) await writer.write(piece);
  const length = await writer.end();
  expect((await file.stat()).size).toBe(length);
  await file.close();
  return place;
}

async function read(place: string, keys: KeyRing = [KEY]): Promise<Buffer> {
  const file = await open(place, 'r');
  try {
    const pieces: Buffer[] = [];
    for await (const piece of readSealed(file, keys)) pieces.push(piece);
    return Buffer.concat(pieces);
  } finally {
    await file.close();
  }
}

/** The same file after a change of its bytes. */
async function changed(place: string, change: (bytes: Buffer) => Uint8Array): Promise<string> {
  const other = `${place}.changed`;
  await writeFile(other, change(await readFile(place)));
  return other;
}

test.each([0, 1, 65_535, 65_536, 65_537, 3 * 65_536, 200_000])(
  'A49 %i bytes come back as they were written',
  async (length) => {
    const bytes = randomBytes(length);
    expect((await read(await seal([bytes]))).equals(bytes)).toBe(true);
    const inPieces = [bytes.subarray(0, 7), bytes.subarray(7, 70_000), bytes.subarray(70_000)];
    expect((await read(await seal(inPieces))).equals(bytes)).toBe(true);
  },
);

test('A49 nothing of what is written is readable in the file, and no two files are alike', async () => {
  const text = Buffer.from('MARKER of a patient '.repeat(100));
  const [one, other] = [await readFile(await seal([text])), await readFile(await seal([text]))];
  expect(one.includes('MARKER')).toBe(false);
  expect(one.subarray(HEADER).equals(other.subarray(HEADER))).toBe(false);
});

test('A49 a flipped bit anywhere is refused', async () => {
  const place = await seal([randomBytes(150_000)]);
  const { length } = await readFile(place);
  const places = [
    0,
    15,
    16,
    23,
    24,
    55,
    HEADER,
    HEADER + 65_535,
    HEADER + 65_536,
    HEADER + SEALED_CHUNK,
    length - 17,
    length - 1,
  ];
  for (const at of everyNth([...places, ...Array.from({ length: 60 }, (_, n) => Math.floor((n * length) / 60))], 3)) {
    const flipped = await changed(place, (bytes) => {
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      return bytes;
    });
    await expect(read(flipped), `byte ${at}`).rejects.toThrow(/changed|another key|no backup|newer build/);
  }
});

test('A49 R17 a file that was cut off is refused, between chunks too', async () => {
  const place = await seal([randomBytes(3 * 65_536)]);
  const { length } = await readFile(place);
  const cuts = [0, 10, HEADER - 1, HEADER, HEADER + 1, HEADER + SEALED_CHUNK, HEADER + 2 * SEALED_CHUNK, length - 1];
  for (const cut of cuts) {
    const shorter = await changed(place, (bytes) => bytes.subarray(0, cut));
    await expect(read(shorter), `cut at ${cut}`).rejects.toThrow(/cut off|no backup/);
  }
  const between = await changed(place, (bytes) => bytes.subarray(0, HEADER + 2 * SEALED_CHUNK));
  await expect(read(between)).rejects.toThrow(
    `The backup is cut off at byte ${HEADER + SEALED_CHUNK}: its end is missing.`,
  );
});

test('A49 chunks that change places, come twice, or are added are refused', async () => {
  const place = await seal([randomBytes(4 * 65_536)]);
  const chunk = (bytes: Buffer, n: number) =>
    bytes.subarray(HEADER + n * SEALED_CHUNK, HEADER + (n + 1) * SEALED_CHUNK);
  const head = (bytes: Buffer) => bytes.subarray(0, HEADER);
  const ways: ((bytes: Buffer) => Buffer[])[] = [
    (bytes) => [head(bytes), chunk(bytes, 1), chunk(bytes, 0), chunk(bytes, 2), chunk(bytes, 3)],
    (bytes) => [head(bytes), chunk(bytes, 0), chunk(bytes, 0), chunk(bytes, 1), chunk(bytes, 2), chunk(bytes, 3)],
    (bytes) => [head(bytes), chunk(bytes, 0), chunk(bytes, 2), chunk(bytes, 3)],
    (bytes) => [bytes, chunk(bytes, 3)],
    (bytes) => [bytes, Buffer.from('x')],
  ];
  for (const way of ways) {
    await expect(read(await changed(place, (bytes) => Buffer.concat(way(bytes))))).rejects.toThrow(
      /changed|behind the end/,
    );
  }
});

test('A49 a backup of before opens with an older key of the ring, and with none of a ring that has lost it', async () => {
  const before = await seal([Buffer.from('of last year')]);
  const newer = 'a newer key that is only for tests, too';
  expect(String(await read(before, [newer, KEY]))).toBe('of last year');
  await expect(read(before, [newer, `${newer}!`])).rejects.toThrow(
    /^This backup was made with another key \([0-9a-f]{16}; given: [0-9a-f]{16}, [0-9a-f]{16}\)/,
  );
});

test('A49 another key, another format and another file are named', async () => {
  const place = await seal([Buffer.from('x')]);
  await expect(read(place, ['another key that is only for tests, too'])).rejects.toThrow(
    /^This backup was made with another key \([0-9a-f]{16};/,
  );
  const newer = await changed(place, (bytes) => {
    bytes.write('2', 15);
    return bytes;
  });
  await expect(read(newer)).rejects.toThrow('made by a newer build, in another format');
  await expect(
    read(await changed(place, () => Buffer.from('PK\u0003\u0004 an archive of another kind'))),
  ).rejects.toThrow('This is no backup of Wardline.');
});

import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { BackupError } from './backup-error.ts';
import type { KeyRing } from './backup-key.ts';
import { createFileSum, type Measured, measuring } from './measure.ts';
import { About, Manifest, type Part, readParts, readText } from './parts.ts';
import { readSealed } from './sealed-file.ts';

/** Takes what a backup holds, in its order; each must read what it is given to its end. */
export interface Sink {
  about(about: About): Promise<void>;
  table(name: string, rows: AsyncIterable<Uint8Array>): Promise<void>;
  file(name: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
}

export interface Walked {
  readonly about: About;
  readonly manifest: Manifest;
  /** Of the backup itself. */
  readonly bytes: number;
}

async function passOver(_name: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _bytes of bytes);
}

/** Reads all of it and keeps nothing. */
export const LOOK: Sink = { about: async () => undefined, table: passOver, file: passOver };

/** What opens a backup: its keys, and what ends the reading of it before its end. */
export interface Opening {
  readonly keys: KeyRing;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads a backup from front to end, each chunk opened and each row and file counted and hashed, and gives its parts to the sink. Throws a
 * BackupError that names what is wrong; what the sink was given until then is worth nothing.
 */
export async function walkBackup(path: string, { keys, signal }: Opening, sink: Sink): Promise<Walked> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new BackupError(`${path} cannot be read (${error.code ?? error.message}).`);
  });
  try {
    if (!(await file.stat()).isFile()) throw new BackupError(`${path} is no file. Name one backup.`);
    const parts = readParts(readUntil(readSealed(file, keys), signal));
    const about = await readAbout(parts);
    await sink.about(about);
    const tables = new Map<string, Measured>();
    const files = createFileSum();
    for await (const { head, body } of parts) {
      if (head.kind === 'table')
        tables.set(requireNext(head.name, about, tables), await takeTable(head.name, body, sink));
      else if (head.kind === 'file') {
        const { bytes, measured } = measuring(body);
        await sink.file(head.name, bytes);
        files.add(head.name, measured());
      } else if (head.kind === 'end') {
        const manifest = await readText(Manifest, body);
        if (!(await parts.next()).done) throw new BackupError('Something stands behind the end of the backup.');
        compare(about, manifest, { tables, files: files.sum() });
        return { about, manifest, bytes: (await file.stat()).size };
      } else throw new BackupError('The backup begins twice.');
    }
    throw new BackupError('The backup does not say what must be in it: its end is missing.');
  } finally {
    await file.close();
  }
}

async function* readUntil(chunks: AsyncIterable<Buffer>, signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    signal?.throwIfAborted();
    yield chunk;
  }
}

async function readAbout(parts: AsyncGenerator<Part>): Promise<About> {
  const first = await parts.next();
  if (first.done || first.value.head.kind !== 'about') throw new BackupError('The backup does not say what it is of.');
  return readText(About, first.value.body);
}

/** Each table comes once, and only those that were announced. */
function requireNext(name: string, about: About, tables: ReadonlyMap<string, Measured>): string {
  if (!about.tables.some((table) => table.name === name) || tables.has(name)) {
    throw new BackupError(`Table ${name}: was not announced, or comes twice.`);
  }
  return name;
}

async function takeTable(name: string, body: AsyncIterable<Buffer>, sink: Sink): Promise<Measured> {
  let measured: Measured | null = null;
  await pipeline(body, createGunzip(), async (unpacked: AsyncIterable<Buffer>) => {
    const rows = measuring(unpacked);
    await sink.table(name, rows.bytes);
    measured = rows.measured();
  }).catch((error: unknown) => {
    const isPacking = String((error as NodeJS.ErrnoException).code).startsWith('Z_');
    throw isPacking ? new BackupError(`Table ${name}: its rows cannot be unpacked.`) : error;
  });
  if (measured === null) throw new BackupError(`Table ${name}: has no rows and no end.`);
  return measured;
}

interface Found {
  readonly tables: ReadonlyMap<string, Measured>;
  readonly files: Manifest['files'];
}

function compare(about: About, manifest: Manifest, found: Found): void {
  if (about.tables.length !== manifest.tables.length)
    throw new BackupError('The tables that were announced are not those at the end.');
  for (const { name, rows, sha256 } of manifest.tables) {
    const table = found.tables.get(name);
    if (table === undefined) throw new BackupError(`Table ${name}: is missing.`);
    if (table.rows !== rows) throw new BackupError(`Table ${name}: has ${table.rows} rows in the place of ${rows}.`);
    if (table.sha256 !== sha256) throw new BackupError(`Table ${name}: its rows are others than were kept.`);
  }
  const { files } = manifest;
  if (found.files.count !== files.count)
    throw new BackupError(`Files: ${found.files.count} in the place of ${files.count}.`);
  if (found.files.sha256 !== files.sha256) throw new BackupError('Files: they are others than were kept.');
}

import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, constants, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { AppError } from '#/platform/http/app-error.ts';

/**
 * Keeps whole files under names that the program makes itself: folders and a file of letters, digits, `-` and `_`, with an
 * ending. A name that is put together otherwise is a mistake of the program and throws.
 */
export interface FileStore {
  /** Resolves when the file would survive a loss of power; until then nobody reads any of it. */
  put(name: string, source: FileSource): Promise<void>;
  /** Null when there is no such file. */
  get(name: string): Promise<Buffer | null>;
  /** The same in parts, for what is handed on, or from byte to byte of it; null when there is no such file. */
  read(name: string, range?: ByteRange): Promise<Readable | null>;
  /** How many bytes it has; null when there is no such file. */
  size(name: string): Promise<number | null>;
  remove(name: string): Promise<void>;
  /** Every file in a folder and below it. */
  list(folder: string): AsyncIterable<StoredFile>;
  /**
   * Writes what comes at this place of a file that is not whole yet, and goes on from there. Resolves with its length when that
   * would survive a loss of power. Throws a PartLostError where what comes before it is not there.
   */
  append(name: string, at: number, source: AsyncIterable<Uint8Array>): Promise<number>;
  /** What was appended, up to this length; null where not so much of it is there. */
  readUnfinished(name: string, bytes: number): Promise<AsyncIterable<Buffer> | null>;
  removeUnfinished(name: string): Promise<void>;
  /** Throws where files could not be read or written now. */
  probe(): Promise<void>;
}

/** All of a file at once, or piece by piece. */
export type FileSource = Uint8Array | AsyncIterable<Uint8Array>;

/** Both ends are part of it. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface StoredFile {
  readonly name: string;
  readonly modifiedAtMs: number;
}

/** Of a file that is not whole yet less is there than was kept: it has to come again from its beginning. */
export class PartLostError extends Error {}

const NAME = /^([A-Za-z0-9_-]+\/)*[A-Za-z0-9_-]+\.[a-z0-9]+$/;

/** The same name; throws where it is none. */
export function requireFileName(name: string): string {
  if (!NAME.test(name)) throw new Error('This is not the name of a stored file.');
  return name;
}

/** A store in a folder of this machine, which is made when the first file comes. */
export function createDiskStore(root: string): FileStore {
  const placeOf = (name: string) => path.join(root, ...requireFileName(name).split('/'));
  const sizeOf = async (name: string) => {
    try {
      return (await stat(placeOf(name))).size;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  };
  const store = async <Result>(place: string, write: () => Promise<Result>): Promise<Result> => {
    const folder = path.dirname(place);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const written = await write();
      await settle(folder);
      return written;
    } catch (error) {
      const isFull = ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
      throw isFull ? new AppError('storage_full', { retryAfterS: 30, cause: error }) : error;
    }
  };
  return {
    async put(name, source) {
      const place = placeOf(name);
      await store(place, () => writeWhole(place, source));
    },
    async append(name, at, source) {
      const place = placeOf(name);
      return store(place, () => writePart(place, at, source));
    },
    async read(name, range) {
      try {
        return (await open(placeOf(name), 'r')).createReadStream(range && { ...range });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    },
    size: sizeOf,
    async get(name) {
      try {
        return await readFile(placeOf(name));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    },
    async remove(name) {
      await rm(placeOf(name), { force: true });
    },
    list: (folder) => listFolder(root, folder),
    async readUnfinished(name, bytes) {
      const size = await sizeOf(name);
      if (size === null || size < bytes || (await isFolder(placeOf(name)))) return null;
      return createReadStream(placeOf(name), { end: bytes - 1 });
    },
    async removeUnfinished(name) {
      await rm(placeOf(name), { force: true, recursive: true });
    },
    async probe() {
      await mkdir(root, { recursive: true, mode: 0o700 });
      await access(root, constants.R_OK | constants.W_OK);
    },
  };
}

async function* listFolder(root: string, folder: string): AsyncGenerator<StoredFile> {
  const entries = await readdir(path.join(root, folder), { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      yield* listFolder(root, name);
    } else {
      const stats = await stat(path.join(root, name)).catch(() => null);
      if (stats) yield { name, modifiedAtMs: stats.mtimeMs };
    }
  }
}

/** Written aside and renamed, so that nobody ever reads a part of it. */
async function writeWhole(place: string, source: FileSource): Promise<void> {
  const draft = `${place}.${randomBytes(6).toString('hex')}.draft`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await writeFile(file, source);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, place);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

const isFolder = async (place: string) => (await stat(place).catch(() => null))?.isDirectory() === true;

/** A bucket keeps an unfinished file as a folder of pieces, which came along where its objects were copied back. */
async function removePieces(place: string): Promise<void> {
  if (await isFolder(place)) await rm(place, { recursive: true, force: true });
}

async function writePart(place: string, at: number, source: AsyncIterable<Uint8Array>): Promise<number> {
  await removePieces(place);
  const file = await open(place, constants.O_RDWR | constants.O_CREAT, 0o600);
  try {
    // What is missing before it would be read as zeros.
    if ((await file.stat()).size < at) throw new PartLostError('A stored file is shorter than what is added to it.');
    await file.truncate(at);
    let size = at;
    for await (const bytes of source) {
      for (let written = 0; written < bytes.length; ) {
        written += (await file.write(bytes, written, bytes.length - written, size + written)).bytesWritten;
      }
      size += bytes.length;
    }
    await file.sync();
    return size;
  } finally {
    await file.close();
  }
}

/** The new name itself lies in the folder, which has to reach the disk as well. */
async function settle(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

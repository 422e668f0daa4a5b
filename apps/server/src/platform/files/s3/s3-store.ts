import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { S3Settings } from '#/platform/config/s3-settings.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { Log } from '#/platform/log.ts';
import { type ByteRange, type FileSource, type FileStore, requireFileName, type StoredFile } from '../file-store.ts';
import { completeUpload, type ListedObject, readErrorCode, readListing, readUploadId } from './s3-answers.ts';
import { createS3Client, type S3Client, S3Error, type S3Limits } from './s3-client.ts';

/** What is longer is sent in parts of this size, the only piece of it in memory. S3 wants 5 MB at least. */
const PART_BYTES = 8 * 1024 * 1024;
/** An unfinished file lies in pieces of at most this size. */
const PIECE_BYTES = 1024 * 1024;
const AT_ONCE = 8;

export interface S3Store extends FileStore {
  /** As `put`, with a hash (SHA-256, hex) that is kept beside it. */
  putHashed(name: string, source: FileSource, sha256: string): Promise<void>;
  /** Its length and the hash that was given with it; null when there is no such file. */
  describe(name: string): Promise<{ readonly bytes: number; readonly sha256: string | null } | null>;
  close(): void;
}

/**
 * A store in a bucket. Nothing of it is on this machine, unfinished files included: several servers share one bucket, and what one
 * of them acknowledged any other goes on with.
 */
export function createS3Store(settings: S3Settings, log: Log, limits?: S3Limits): S3Store {
  const client = createS3Client(settings, log, limits);
  const named = { client, settings };
  const describe = async (name: string) => {
    const found = await orNull(client.head({ method: 'HEAD', name: requireFileName(name) }));
    if (found === null) return null;
    const { 'content-length': bytes, 'x-amz-meta-sha256': sha256 } = found;
    return { bytes: Number(bytes), sha256: typeof sha256 === 'string' ? sha256 : null };
  };
  const put = async (name: string, source: FileSource, headers: Readonly<Record<string, string>> = {}) =>
    said(putWhole(client, requireFileName(name), source, headers));
  return {
    put,
    putHashed: (name, source, sha256) => put(name, source, { 'x-amz-meta-sha256': sha256 }),
    describe: (name) => said(describe(name)),
    size: async (name) => (await said(describe(name)))?.bytes ?? null,
    read: (name, range) => said(readResuming(client, requireFileName(name), range)),
    async get(name) {
      const stream = await this.read(name);
      return stream && said(buffer(stream));
    },
    remove: (name) => said(removeObject(client, requireFileName(name))),
    list: (folder) => listFiles(named, folder),
    append: (name, at, source) => said(appendPieces(client, requireFileName(name), at, source)),
    readUnfinished: (name, bytes) => said(readPieces(named, requireFileName(name), bytes)),
    async removeUnfinished(name) {
      await said(removePieces(named, requireFileName(name)));
    },
    async probe() {
      await client.text({ method: 'GET', query: { 'list-type': '2', 'max-keys': '1' } });
    },
    close: client.close,
  };
}

interface Named {
  readonly client: S3Client;
  readonly settings: S3Settings;
}

/** To those who asked it is one of ours: no room, or not available for now. */
async function said<Result>(asked: Promise<Result>): Promise<Result> {
  return asked.catch((error: unknown) => {
    if (!(error instanceof S3Error)) throw error;
    const isFull = error.status === 507 || /QuotaExceeded|StorageFull|InsufficientCapacity/.test(error.code);
    if (isFull) throw new AppError('storage_full', { retryAfterS: 30, cause: error });
    throw new AppError('unavailable', { retryAfterS: 5, cause: error });
  });
}

async function orNull<Result>(asked: Promise<Result>): Promise<Result | null> {
  return asked.catch((error: unknown) => {
    if (error instanceof S3Error && error.status === 404 && error.code !== 'NoSuchBucket') return null;
    throw error;
  });
}

/** In one request, or where it is long in parts: nobody reads a part of it, since it is there when all are. */
async function putWhole(client: S3Client, name: string, source: FileSource, headers: Readonly<Record<string, string>>) {
  const parts = chunksOf(source, PART_BYTES);
  try {
    const first = (await parts.next()).value ?? Buffer.alloc(0);
    const second = await parts.next();
    if (second.done) await client.head({ method: 'PUT', name, body: first, headers });
    else await putParts(client, { name, headers, first, second: second.value, parts });
  } finally {
    await parts.return(undefined);
  }
}

interface Parts {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly first: Buffer;
  readonly second: Buffer;
  readonly parts: AsyncIterable<Buffer>;
}

async function putParts(client: S3Client, { name, headers, first, second, parts }: Parts): Promise<void> {
  const uploadId = readUploadId(await client.text({ method: 'POST', name, query: { uploads: '' }, headers }));
  if (uploadId === null) throw new S3Error({ status: null, code: 'no upload id' });
  try {
    const etags: string[] = [];
    const sendPart = async (body: Buffer) => {
      const query = { partNumber: String(etags.length + 1), uploadId };
      const { etag = '' } = await client.head({ method: 'PUT', name, query, body });
      etags.push(etag);
    };
    await sendPart(first);
    await sendPart(second);
    for await (const part of parts) await sendPart(part);
    await finishParts(client, { name, uploadId, etags });
  } catch (error) {
    // What could not be finished would be paid for and never read; a rule of the bucket takes what stays behind.
    await client.head({ method: 'DELETE', name, query: { uploadId } }).catch(() => undefined);
    throw error;
  }
}

interface Sent {
  readonly name: string;
  readonly uploadId: string;
  readonly etags: readonly string[];
}

/** S3 begins to answer before it knows how it ends. Where the answer was lost and the upload is gone, it went well if the file is there. */
async function finishParts(client: S3Client, { name, uploadId, etags }: Sent): Promise<void> {
  const finish = async () => {
    const text = await client.text({ method: 'POST', name, query: { uploadId }, body: completeUpload(etags) });
    const code = readErrorCode(text);
    if (code !== null) throw new S3Error({ status: 500, code });
  };
  const unlessThere = async (error: unknown) => {
    if (!(error instanceof S3Error) || error.code !== 'NoSuchUpload') throw error;
    const found = await orNull(client.head({ method: 'HEAD', name }));
    if (!found?.etag?.includes(`-${etags.length}`)) throw error;
  };
  await finish().catch((error: unknown) => {
    if (error instanceof S3Error && error.isPassing) return finish().catch(unlessThere);
    return unlessThere(error);
  });
}

/** As many bytes at a time, the rest last; nothing for nothing. */
async function* chunksOf(source: FileSource, bytes: number): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  for await (let piece of source instanceof Uint8Array ? [source] : source) {
    while (size + piece.length >= bytes) {
      const cut = bytes - size;
      yield Buffer.concat([...waiting, piece.subarray(0, cut)]);
      [waiting, size, piece] = [[], 0, piece.subarray(cut)];
    }
    // A copy: who gives the pieces may use their memory again.
    if (piece.length > 0) waiting.push(Buffer.from(piece));
    size += piece.length;
  }
  if (size > 0) yield Buffer.concat(waiting, size);
}

async function removeObject(client: S3Client, name: string): Promise<void> {
  await orNull(client.head({ method: 'DELETE', name }));
}

/** Where the connection breaks, it is asked for on from there, as long as it is the same file and more comes each time. */
async function readResuming(client: S3Client, name: string, range?: ByteRange): Promise<Readable | null> {
  const start = range?.start ?? 0;
  const askFrom = (from: number, etag?: string) => {
    const isPart = range !== undefined || from > 0;
    const asked = isPart ? { range: `bytes=${from}-${range?.end ?? ''}` } : {};
    return client.open({ method: 'GET', name, headers: { ...asked, ...(etag && { 'if-match': etag }) } });
  };
  const first = await orNull(askFrom(start));
  if (first === null) return null;
  const { etag } = first.headers;
  let answer = first;
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let at = start; ; ) {
      const before = at;
      try {
        for await (const piece of client.piecesOf(answer)) {
          at += piece.length;
          yield piece;
        }
        return;
      } catch (error) {
        if (!(error instanceof S3Error) || at === before) throw error;
        answer = await askFrom(at, etag);
      }
    }
  }
  const stream = Readable.from(pieces(), { objectMode: false });
  // Also where nobody has begun to read.
  stream.once('close', () => answer.destroy());
  return stream;
}

async function* listObjects({ client, settings }: Named, under: string): AsyncGenerator<ListedObject> {
  for (let next: string | null = ''; next !== null; ) {
    const query = {
      ...{ 'list-type': '2', prefix: `${settings.prefix}${under}` },
      ...(next !== '' && { 'continuation-token': next }),
    };
    const page = readListing(await client.text({ method: 'GET', query }));
    for (const object of page.objects) yield { ...object, key: object.key.slice(settings.prefix.length) };
    next = page.next;
  }
}

async function* listFiles(named: Named, folder: string): AsyncGenerator<StoredFile> {
  for await (const { key: name, modifiedAtMs } of listObjects(named, `${folder}/`)) yield { name, modifiedAtMs };
}

// An unfinished file is a folder of pieces, each named for the bytes it holds. A piece is never changed: of two requests that write
// the same place, through whichever servers, none takes away what the other was told is kept.

const PLACE = /\/(\d{12})-(\d{12})\.piece$/;
const digits = (place: number) => String(place).padStart(12, '0');

async function appendPieces(
  client: S3Client,
  name: string,
  at: number,
  source: AsyncIterable<Uint8Array>,
): Promise<number> {
  let size = at;
  for await (const body of chunksOf(source, PIECE_BYTES)) {
    const piece = `${name}/${digits(size)}-${digits(size + body.length)}.piece`;
    await client.head({ method: 'PUT', name: piece, body });
    size += body.length;
  }
  return size;
}

interface Piece {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

async function findPieces(named: Named, name: string): Promise<Piece[]> {
  const pieces: Piece[] = [];
  for await (const { key } of listObjects(named, `${name}/`)) {
    const [, from, to] = PLACE.exec(key) ?? [];
    if (from !== undefined && to !== undefined) pieces.push({ name: key, from: Number(from), to: Number(to) });
  }
  return pieces;
}

/** The pieces that together are the file up to its length, each from the place that those before it reach; null where one is missing. */
function cover(pieces: readonly Piece[], bytes: number): (Piece & ByteRange)[] | null {
  const chosen: (Piece & ByteRange)[] = [];
  for (let at = 0; at < bytes; ) {
    const reaching = pieces.filter(({ from, to }) => from <= at && to > at);
    const [first, ...others] = reaching;
    if (first === undefined) return null;
    const best = others.reduce((longest, piece) => (piece.to > longest.to ? piece : longest), first);
    const to = Math.min(best.to, bytes);
    chosen.push({ ...best, start: at - best.from, end: to - best.from - 1 });
    at = to;
  }
  return chosen;
}

async function readPieces(named: Named, name: string, bytes: number): Promise<AsyncIterable<Buffer> | null> {
  const chosen = cover(await findPieces(named, name), bytes);
  if (chosen === null) return null;
  return (async function* () {
    for (const { name: piece, start, end } of chosen) {
      const stream = await said(readResuming(named.client, piece, { start, end }));
      if (stream === null) throw new AppError('unavailable', { retryAfterS: 5 });
      yield* stream as AsyncIterable<Buffer>;
    }
  })();
}

async function removePieces(named: Named, name: string): Promise<void> {
  const pieces = await findPieces(named, name);
  for (let at = 0; at < pieces.length; at += AT_ONCE) {
    await Promise.all(pieces.slice(at, at + AT_ONCE).map((piece) => removeObject(named.client, piece.name)));
  }
}

/** Of what is read, in hex. */
export async function sha256Of(source: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of source) hash.update(piece);
  return hash.digest('hex');
}

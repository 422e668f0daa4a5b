import * as z from 'zod/mini';
import { requireFileName } from '#/platform/files/file-store.ts';
import { BackupError } from './backup-error.ts';
import type { SealedWriter } from './sealed-file.ts';

// What lies inside the sealed file, one part after the other: a head as JSON, then a body in blocks, ended by an empty one. There is no
// table of contents to believe: whoever reads goes from front to end.

const Name = z.string().check(z.regex(/^[a-z_][a-z0-9_]{0,62}$/, 'is not a name'));
const Sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/, 'is not a hash'));
const Count = z.int().check(z.gte(0));

/** Only what the program would name so itself: nothing can lead out of the store. */
const StoredName = z.string().check(
  z.maxLength(200),
  z.refine((name) => /^(attachments|avatars)\//.test(name) && isFileName(name), 'is not the name of a stored file'),
);

const Head = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('about') }),
  z.strictObject({ kind: z.literal('table'), name: Name }),
  z.strictObject({ kind: z.literal('file'), name: StoredName }),
  z.strictObject({ kind: z.literal('end') }),
]);
export type Head = z.output<typeof Head>;

/** Stands first: of which build it is, and what will come. */
export const About = z.strictObject({
  version: z.string().check(z.maxLength(40)),
  made_at: z.iso.datetime(),
  migrations: z.array(z.strictObject({ name: z.string().check(z.maxLength(200)), checksum: Sha256 })),
  tables: z.array(z.strictObject({ name: Name, columns: z.array(Name) })),
  sequences: z.array(
    z.strictObject({ name: Name, last_value: z.string().check(z.regex(/^-?\d{1,19}$/)), is_called: z.boolean() }),
  ),
  /** The key of the installation, where it lay beside the data; null where the operator gave it. */
  app_key: z.nullable(z.string().check(z.minLength(32), z.maxLength(1024))),
  /** Tells one app key from another. */
  app_key_print: Sha256,
});
export type About = z.output<typeof About>;

/** Stands last: what must have come. */
export const Manifest = z.strictObject({
  tables: z.array(z.strictObject({ name: Name, rows: Count, sha256: Sha256 })),
  files: z.strictObject({ count: Count, bytes: Count, sha256: Sha256 }),
  /** Files that the database names and nobody could read; the first of them. */
  faults: z.array(z.strictObject({ name: StoredName, what: z.enum(['missing', 'changed']) })),
});
export type Manifest = z.output<typeof Manifest>;

const HEAD_LIMIT = 4096;
const BLOCK_LIMIT = 1024 * 1024;
const TEXT_LIMIT = 8 * 1024 * 1024;

function isFileName(name: string): boolean {
  try {
    return requireFileName(name) === name;
  } catch {
    return false;
  }
}

/** Writes one part as its body comes. */
export async function writePart(sealed: SealedWriter, head: Head, body: AsyncIterable<Uint8Array>): Promise<void> {
  const text = Buffer.from(JSON.stringify(head));
  await sealed.write(lengthOf(text.length));
  await sealed.write(text);
  for await (const bytes of body) {
    for (let at = 0; at < bytes.length; at += BLOCK_LIMIT) {
      const block = bytes.subarray(at, at + BLOCK_LIMIT);
      await sealed.write(lengthOf(block.length));
      await sealed.write(block);
    }
  }
  await sealed.write(lengthOf(0));
}

function lengthOf(length: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  return bytes;
}

export interface Part {
  readonly head: Head;
  /** To be read before the next part is asked for; what is left of it is passed over. */
  readonly body: AsyncIterable<Buffer>;
}

/** Reads the parts one after the other; nothing longer than a block is in memory. */
export async function* readParts(plain: AsyncIterator<Buffer>): AsyncGenerator<Part> {
  const source = createSource(plain);
  for (;;) {
    const first = await source.take(4);
    if (first === null) return;
    const length = first.readUInt32BE();
    if (length > HEAD_LIMIT) throw damaged('a head is too long');
    const head = readJson(Head, await source.require(length));
    const body = readBody(source);
    yield { head, body };
    for await (const _rest of body);
  }
}

async function* readBody(source: Source): AsyncGenerator<Buffer> {
  for (;;) {
    let left = (await source.require(4)).readUInt32BE();
    if (left === 0) return;
    if (left > BLOCK_LIMIT) throw damaged('a block is too long');
    while (left > 0) {
      const piece = await source.some(left);
      left -= piece.length;
      yield piece;
    }
  }
}

/** A body that is one JSON text. */
export async function readText<Shape extends z.ZodMiniType>(
  shape: Shape,
  body: AsyncIterable<Buffer>,
): Promise<z.output<Shape>> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > TEXT_LIMIT) throw damaged('a text is too long');
    pieces.push(Buffer.from(piece));
  }
  return readJson(shape, Buffer.concat(pieces));
}

function readJson<Shape extends z.ZodMiniType>(shape: Shape, bytes: Buffer): z.output<Shape> {
  const read = shape.safeParse(parse(bytes));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw damaged(`${issue?.path.join('.') || 'a head'} ${issue?.message ?? 'is wrong'}`);
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Opened by the right key, and still not what a backup is. */
function damaged(what: string): BackupError {
  return new BackupError(`The backup holds what no build of Wardline writes: ${what}.`);
}

interface Source {
  /** Exactly so many bytes; null where it ends before the first of them. */
  take(bytes: number): Promise<Buffer | null>;
  require(bytes: number): Promise<Buffer>;
  /** What is there of so many bytes, one at least. */
  some(most: number): Promise<Buffer>;
}

function createSource(plain: AsyncIterator<Buffer>): Source {
  let rest: Buffer = Buffer.alloc(0);
  const fill = async () => {
    while (rest.length === 0) {
      const next = await plain.next();
      if (next.done) return false;
      rest = next.value;
    }
    return true;
  };
  const some = async (most: number) => {
    if (!(await fill())) throw damaged('it ends inside a part');
    const piece = rest.subarray(0, most);
    rest = rest.subarray(piece.length);
    return piece;
  };
  const require = async (bytes: number) => {
    const pieces: Buffer[] = [];
    for (let left = bytes; left > 0; ) {
      const piece = await some(left);
      pieces.push(piece);
      left -= piece.length;
    }
    return Buffer.concat(pieces);
  };
  return { some, require, take: async (bytes) => ((await fill()) ? require(bytes) : null) };
}

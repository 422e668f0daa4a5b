import { inflateRawSync } from 'node:zlib';

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_ENTRY = 0x04034b50;
const STORED = 0;
const DEFLATED = 8;

/**
 * The files of a ZIP archive by name; null where together they unpack to more than so many bytes, and for what is no archive of
 * stored or deflated entries. It is given up at the limit: what the archive says of its own sizes may be a lie.
 */
export function unpackArchive(archive: Buffer, mostBytes: number): ReadonlyMap<string, Buffer> | null {
  try {
    const files = new Map<string, Buffer>();
    let left = mostBytes;
    for (const { name, method, data } of entriesOf(archive)) {
      if (method !== STORED && method !== DEFLATED) return null;
      const file = method === STORED ? data : inflateRawSync(data, { maxOutputLength: Math.max(1, left + 1) });
      left -= file.length;
      if (left < 0) return null;
      files.set(name, file);
    }
    return files;
  } catch {
    return null;
  }
}

function* entriesOf(archive: Buffer): Generator<{ name: string; method: number; data: Buffer }> {
  const end = archive.lastIndexOf(signature(END_OF_DIRECTORY));
  if (end === -1) throw new RangeError('this is not an archive');
  const count = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    if (archive.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new RangeError('this is not an archive');
    const method = archive.readUInt16LE(at + 10);
    const packed = archive.readUInt32LE(at + 20);
    const local = archive.readUInt32LE(at + 42);
    if (archive.readUInt32LE(local) !== LOCAL_ENTRY) throw new RangeError('this is not an archive');
    const from = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const name = archive.toString('utf8', at + 46, at + 46 + archive.readUInt16LE(at + 28));
    yield { name, method, data: archive.subarray(from, from + packed) };
    at += 46 + archive.readUInt16LE(at + 28) + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** Tags of an ICC profile (ICC.1:2001-04): each as its signature and its bytes, a multiple of four. */
type IccTag = readonly [string, Buffer];

const HEADER_BYTES = 128;
const ENTRY_BYTES = 12;
/** D50 in 1/65536, which every profile is measured against. */
const D50 = [0xf6d6, 0x10000, 0xd32d] as const;
/** 2.2 in 1/256 */
const GAMMA = 0x0233;
/** The red, green and blue of sRGB as D50 sees them, in 1/65536. */
const PRIMARIES = [
  ['r', [0x6fa2, 0x38f5, 0x0390]],
  ['g', [0x6299, 0xb785, 0x18da]],
  ['b', [0x24a0, 0x0f84, 0xb6cf]],
] as const;

/** An ICC profile that says what the colours of a document are: the primaries of sRGB with a gamma of 2.2. PDF/A asks for one; no package has one this small. */
export function screenProfile(): Buffer {
  const curve = Buffer.concat([signature('curv'), Buffer.from([0, 0, 0, 1, GAMMA >> 8, GAMMA & 255, 0, 0])]);
  const tags: IccTag[] = [
    ['desc', description('sRGB primaries, gamma 2.2')],
    ['cprt', text('No copyright, use freely')],
    ['wtpt', numbers('XYZ ', D50)],
    ...PRIMARIES.map(([name, place]): IccTag => [`${name}XYZ`, numbers('XYZ ', place)]),
    ...PRIMARIES.map(([name]): IccTag => [`${name}TRC`, curve]),
  ];
  let at = HEADER_BYTES + 4 + tags.length * ENTRY_BYTES;
  const entries = tags.map(([name, { length }]) => {
    const entry = Buffer.alloc(ENTRY_BYTES);
    entry.write(name, 'latin1');
    entry.writeUInt32BE(at, 4);
    entry.writeUInt32BE(length, 8);
    at += length;
    return entry;
  });
  const count = Buffer.alloc(4);
  count.writeUInt32BE(tags.length);
  return Buffer.concat([header(at), count, ...entries, ...tags.map(([, bytes]) => bytes)]);
}

function header(bytes: number): Buffer {
  const head = Buffer.alloc(HEADER_BYTES);
  head.writeUInt32BE(bytes);
  head.writeUInt32BE(0x02100000, 8);
  head.write('mntrRGB XYZ ', 12, 'latin1');
  for (const [index, part] of [2026, 1, 1].entries()) head.writeUInt16BE(part, 24 + index * 2);
  head.write('acsp', 36, 'latin1');
  for (const [index, value] of D50.entries()) head.writeUInt32BE(value, 68 + index * 4);
  return head;
}

function signature(name: string): Buffer {
  return Buffer.concat([Buffer.from(name, 'latin1'), Buffer.alloc(4)]);
}

function numbers(name: string, values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return Buffer.concat([signature(name), bytes]);
}

function text(said: string): Buffer {
  return padded(Buffer.concat([signature('text'), Buffer.from(`${said}\0`, 'latin1')]));
}

/** With the empty places that a description has for Unicode and for old systems. */
function description(said: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(said.length + 1);
  return padded(
    Buffer.concat([signature('desc'), length, Buffer.from(`${said}\0`, 'latin1'), Buffer.alloc(8 + 3 + 67)]),
  );
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}

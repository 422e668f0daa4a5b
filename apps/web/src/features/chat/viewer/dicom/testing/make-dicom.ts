/** What a made DICOM file says and has; the rest as a scanner writes it. */
export interface MadeDicom {
  readonly rows?: number;
  readonly columns?: number;
  readonly frames?: number;
  readonly bits?: 8 | 16;
  readonly storedBits?: number;
  readonly isSigned?: boolean;
  readonly photometric?: string;
  readonly samples?: number;
  readonly transferSyntax?: string;
  /** Tags as group and element, with what stands there as text (DS, IS, CS). */
  readonly texts?: Readonly<Record<string, string>>;
  /** Sequences by tag, as made by `item`. */
  readonly sequences?: Readonly<Record<string, Uint8Array>>;
  /** Of all frames, little-endian; or the fragments of compressed frames. */
  readonly pixels: Uint8Array | readonly Uint8Array[];
}

const LONG = new Set(['OB', 'OW', 'SQ', 'UN']);

/** A DICOM file with explicit value representations, in its own order of bytes. */
export function makeDicom(made: MadeDicom): Uint8Array<ArrayBuffer> {
  const { rows = 4, columns = 4, bits = 16, storedBits = bits, samples = 1, frames = 1, pixels } = made;
  const syntax = made.transferSyntax ?? '1.2.840.10008.1.2.1';
  const isBig = syntax === '1.2.840.10008.1.2.2';
  const us = (tag: string, value: number) => [tag, element(tag, 'US', short(value, isBig), isBig)] as const;
  const cs = (tag: string, value: string) => [tag, element(tag, 'CS', text(value), isBig)] as const;
  const all = [
    us('00280002', samples),
    cs('00280004', made.photometric ?? 'MONOCHROME2'),
    us('00280010', rows),
    us('00280011', columns),
    us('00280100', bits),
    us('00280101', storedBits),
    us('00280102', storedBits - 1),
    us('00280103', made.isSigned ? 1 : 0),
    ['00280008', element('00280008', 'IS', text(String(frames)), isBig)] as const,
    ...(samples > 1 ? [us('00280006', 0)] : []),
    ...Object.entries(made.texts ?? {}).map(([tag, value]) => [tag, element(tag, 'DS', text(value), isBig)] as const),
    ...Object.entries(made.sequences ?? {}).map(([tag, items]) => [tag, element(tag, 'SQ', items, isBig)] as const),
  ].sort(([a], [b]) => (a < b ? -1 : 1));
  return joined([
    new Uint8Array(128),
    text('DICM'),
    element('00020010', 'UI', text(syntax), false),
    ...all.map(([, bytes]) => bytes),
    pixels instanceof Uint8Array ? element('7fe00010', 'OW', pixels, isBig) : encapsulated(pixels),
  ]);
}

/** One item of a sequence, with elements of texts, or of sequences in it. */
export function item(elements: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  const inside = joined(
    Object.entries(elements).map(([tag, value]) =>
      typeof value === 'string' ? element(tag, 'DS', text(value), false) : element(tag, 'SQ', value, false),
    ),
  );
  return joined([tagBytes('fffee000', false), long(inside.length, false), inside]);
}

/** Stored numbers as a file has them. */
export function shorts(values: ArrayLike<number>, isBig = false): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.length * 2));
  for (let at = 0; at < values.length; at++) view.setUint16(at * 2, (values[at] ?? 0) & 0xffff, !isBig);
  return new Uint8Array(view.buffer);
}

function encapsulated(fragments: readonly Uint8Array[]): Uint8Array {
  const items = fragments.map((bytes) =>
    joined([tagBytes('fffee000', false), long(even(bytes).length, false), even(bytes)]),
  );
  const head = [tagBytes('7fe00010', false), text('OB'), new Uint8Array(2), long(0xffff_ffff, false)];
  const noOffsets = [tagBytes('fffee000', false), long(0, false)];
  return joined([...head, ...noOffsets, ...items, tagBytes('fffee0dd', false), long(0, false)]);
}

function element(tag: string, kind: string, value: Uint8Array, isBig: boolean): Uint8Array {
  const bytes = even(value);
  const length = LONG.has(kind) ? joined([new Uint8Array(2), long(bytes.length, isBig)]) : short(bytes.length, isBig);
  return joined([tagBytes(tag, isBig), text(kind), length, bytes]);
}

function tagBytes(tag: string, isBig: boolean): Uint8Array {
  return joined([short(Number.parseInt(tag.slice(0, 4), 16), isBig), short(Number.parseInt(tag.slice(4), 16), isBig)]);
}

function short(value: number, isBig: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(2));
  view.setUint16(0, value & 0xffff, !isBig);
  return new Uint8Array(view.buffer);
}

function long(value: number, isBig: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint32(0, value, !isBig);
  return new Uint8Array(view.buffer);
}

function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

function even(bytes: Uint8Array): Uint8Array {
  return bytes.length % 2 === 0 ? bytes : joined([bytes, new Uint8Array(1)]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

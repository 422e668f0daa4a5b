import { DicomError } from '../dicom-error.ts';
import type { PixelFormat } from '../read-dicom.ts';
import { BitReader } from './bit-reader.ts';
import { checkHead } from './decoded-picture.ts';
import { frameHead, MARKER, type Segment, segmentsOf } from './jpeg-segments.ts';

/** For each 16 bits that may be next: the code's length above its eight bits of value; 0 where no code begins like that. */
type CodeTable = Uint16Array;

/** What is known of a picture while its scans are read. */
interface Picture {
  readonly width: number;
  readonly height: number;
  readonly precision: number;
  /** Their numbers in the file, in the order of the samples. */
  readonly ids: readonly number[];
  readonly samples: Uint16Array;
  readonly done: Set<number>;
}

interface Scan {
  readonly components: readonly { readonly place: number; readonly table: CodeTable }[];
  readonly predictor: number;
  readonly pointTransform: number;
  /** Rows between two restart marks. */
  readonly restartRows: number;
}

/**
 * Lossless JPEG (ITU-T T.81, process 14 with any predictor): each sample is its difference to what its neighbours left and above
 * let expect, in a Huffman code.
 */
export function decodeLosslessJpeg(bytes: Uint8Array, format: PixelFormat): Uint16Array {
  const tables: CodeTable[] = [];
  let picture: Picture | null = null;
  let restartInterval = 0;
  for (const segment of segmentsOf(bytes)) {
    const { marker, body } = segment;
    if (marker === MARKER.DHT) readTables(body, tables);
    else if (marker === MARKER.DRI) restartInterval = ((body[0] ?? 0) << 8) | (body[1] ?? 0);
    else if (marker === MARKER.SOF3 && !picture) picture = pictureOf(body, format);
    else if (isFrameHead(marker)) throw new DicomError('damaged');
    else if (marker === MARKER.SOS) {
      if (!picture) throw new DicomError('damaged');
      readScan(new BitReader(segment.scan), picture, scanOf(segment, picture, { tables, restartInterval }));
    }
  }
  if (!picture || picture.done.size !== picture.ids.length) throw new DicomError('damaged');
  return picture.samples;
}

/** Any SOF: of baseline, progressive or arithmetic JPEG. */
function isFrameHead(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![MARKER.DHT, 0xc8, 0xcc].includes(marker);
}

function pictureOf(body: Uint8Array, format: PixelFormat): Picture {
  const head = frameHead(body);
  checkHead(head, format);
  const { width, height, precision, components } = head;
  const each = Array.from({ length: components }, (_, place) => body.subarray(6 + place * 3, 9 + place * 3));
  // Colours of half the size are none that DICOM allows here.
  if (components > 1 && each.some(([, sampling]) => sampling !== 0x11)) throw new DicomError('unknown_pixels');
  const samples = new Uint16Array(width * height * components);
  return { width, height, precision, samples, ids: each.map(([id = 0]) => id), done: new Set() };
}

function readTables(body: Uint8Array, tables: CodeTable[]): void {
  let at = 0;
  while (at < body.length) {
    const place = body[at] ?? 0;
    const lengths = body.subarray(at + 1, at + 17);
    const count = lengths.reduce((sum, each) => sum + each, 0);
    const values = body.subarray(at + 17, at + 17 + count);
    if (place > 3 || lengths.length < 16 || values.length < count) throw new DicomError('damaged');
    tables[place] = codeTable(lengths, values);
    at += 17 + count;
  }
}

function codeTable(lengths: Uint8Array, values: Uint8Array): CodeTable {
  const table = new Uint16Array(65_536);
  let [code, next] = [0, 0];
  for (let length = 1; length <= 16; length++) {
    const span = 1 << (16 - length);
    for (let count = lengths[length - 1] ?? 0; count > 0; count--) {
      const value = values[next++] ?? 0;
      // Seventeen sizes of a difference, and no more codes than bits can tell apart.
      if (value > 16 || code + span > table.length) throw new DicomError('damaged');
      table.fill((length << 8) | value, code, code + span);
      code += span;
    }
  }
  return table;
}

function scanOf(
  { body }: Segment,
  picture: Picture,
  { tables, restartInterval }: { readonly tables: readonly CodeTable[]; readonly restartInterval: number },
): Scan {
  const count = body[0] ?? 0;
  const [predictor = 0, , transform = 0] = body.subarray(1 + count * 2);
  if (count === 0 || body.length !== 4 + count * 2) throw new DicomError('damaged');
  const components = Array.from({ length: count }, (_, index) => {
    const [id = -1, tableNumber = 0] = body.subarray(1 + index * 2);
    const [place, table] = [picture.ids.indexOf(id), tables[tableNumber >> 4]];
    if (place < 0 || picture.done.has(place) || !table) throw new DicomError('damaged');
    picture.done.add(place);
    return { place, table };
  });
  const pointTransform = transform & 15;
  const isKnown = predictor >= 1 && predictor <= 7 && pointTransform < picture.precision;
  if (!isKnown || restartInterval % picture.width !== 0) throw new DicomError('damaged');
  const restartRows = restartInterval / picture.width || Number.POSITIVE_INFINITY;
  return { components, predictor, pointTransform, restartRows };
}

function readScan(reader: BitReader, picture: Picture, scan: Scan): void {
  const { components, pointTransform, restartRows } = scan;
  for (let y = 0; y < picture.height; y++) {
    if (y > 0 && y % restartRows === 0) reader.restart((y / restartRows - 1) & 7);
    readRow(reader, picture, scan, y);
  }
  if (pointTransform > 0) scaleUp(picture.samples, components, { across: picture.ids.length, pointTransform });
}

function readRow(reader: BitReader, picture: Picture, scan: Scan, y: number): void {
  const { width, samples, precision, ids } = picture;
  const [across, down] = [ids.length, ids.length * width];
  const isStart = y % scan.restartRows === 0;
  const predict = isStart ? LEFT : (PREDICTORS[scan.predictor] ?? LEFT);
  const bits = precision - scan.pointTransform;
  for (let x = 0; x < width; x++) {
    for (const { place, table } of scan.components) {
      const at = y * down + x * across + place;
      const above = samples[at - down] ?? 0;
      // The first of a row goes by the one above it, the very first by the middle of what is possible.
      const first = isStart ? 1 << (bits - 1) : above;
      const expected = x === 0 ? first : predict(samples[at - across] ?? 0, above, samples[at - down - across] ?? 0);
      const value = (expected + difference(reader, table)) & 0xffff;
      if (value >>> bits !== 0) throw new DicomError('damaged');
      samples[at] = value;
    }
  }
}

type Predict = (left: number, above: number, corner: number) => number;
const LEFT: Predict = (left) => left;
/** Table H.1, by its numbers; the corner is above the left one. 0 is for no picture that stands alone. */
const PREDICTORS: readonly Predict[] = [
  LEFT,
  LEFT,
  (_left, above) => above,
  (_left, _above, corner) => corner,
  (left, above, corner) => left + above - corner,
  (left, above, corner) => left + ((above - corner) >> 1),
  (left, above, corner) => above + ((left - corner) >> 1),
  (left, above) => (left + above) >> 1,
];

function difference(reader: BitReader, table: CodeTable): number {
  const entry = table[reader.peek()] ?? 0;
  if (entry === 0) throw new DicomError('damaged');
  reader.skip(entry >> 8);
  const size = entry & 0xff;
  if (size === 0) return 0;
  if (size === 16) return 32_768;
  const bits = reader.take(size);
  return bits < 1 << (size - 1) ? bits - (1 << size) + 1 : bits;
}

/** The bits that were left out below come back as zeros. */
function scaleUp(
  samples: Uint16Array,
  components: Scan['components'],
  { across, pointTransform }: { readonly across: number; readonly pointTransform: number },
): void {
  for (const { place } of components) {
    for (let at = place; at < samples.length; at += across) samples[at] = (samples[at] ?? 0) << pointTransform;
  }
}

import { DicomError } from '../dicom-error.ts';

export const MARKER = { SOF3: 0xc3, DHT: 0xc4, SOI: 0xd8, EOI: 0xd9, SOS: 0xda, DRI: 0xdd, SOF55: 0xf7 } as const;

/** One part of a JPEG or JPEG-LS file. */
export interface Segment {
  readonly marker: number;
  readonly body: Uint8Array;
  /** Of a scan (SOS) what follows its header: the picture itself, with its restart marks. */
  readonly scan: Uint8Array;
}

const NOTHING = new Uint8Array(0);

/** The parts up to the end mark, or to where the bytes end. Throws a DicomError where something else stands between them. */
export function* segmentsOf(bytes: Uint8Array): Generator<Segment, void, void> {
  if (bytes[0] !== 0xff || bytes[1] !== MARKER.SOI) throw new DicomError('damaged');
  let at = 2;
  while (at < bytes.length) {
    if (bytes[at] !== 0xff) throw new DicomError('damaged');
    while (bytes[at] === 0xff) at++;
    const marker = bytes[at++];
    if (marker === MARKER.EOI || marker === undefined) return;
    const length = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
    const end = at + length;
    if (length < 2 || end > bytes.length) throw new DicomError('damaged');
    const body = bytes.subarray(at + 2, end);
    at = marker === MARKER.SOS ? scanEnd(bytes, end) : end;
    yield { marker, body, scan: marker === MARKER.SOS ? bytes.subarray(end, at) : NOTHING };
  }
}

/** The next mark that is neither a stuffed zero nor a restart. */
function scanEnd(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    const isData = next === 0 || (next >= 0xd0 && next <= 0xd7);
    if (!isData && next !== 0xff) return at;
  }
  return bytes.length;
}

/** Precision, height, width and the number of components, as SOF3 and SOF55 have them. */
export function frameHead(body: Uint8Array) {
  const [precision = 0, y1 = 0, y0 = 0, x1 = 0, x0 = 0, components = 0] = body;
  if (body.length !== 6 + components * 3) throw new DicomError('damaged');
  return { precision, height: (y1 << 8) | y0, width: (x1 << 8) | x0, components, isSigned: false };
}

import { DicomError } from './dicom-error.ts';
import type { PixelFormat } from './read-dicom.ts';

const HEAD_BYTES = 64;

/** Bytes in runs (DICOM PS3.5, annex G): one segment for each byte of each sample, the highest byte first. */
export function unpackRle(packed: Uint8Array, { rows, columns, samples, bits, isPlanar }: PixelFormat): Uint8Array {
  const pixels = rows * columns;
  const bytesEach = bits / 8;
  if (packed.length < HEAD_BYTES) throw new DicomError('damaged');
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const segments = view.getUint32(0, true);
  if (segments !== samples * bytesEach) throw new DicomError('damaged');
  const unpacked = new Uint8Array(pixels * samples * bytesEach);
  for (let segment = 0; segment < segments; segment++) {
    const start = view.getUint32(4 + segment * 4, true);
    const end = segment + 1 < segments ? view.getUint32(8 + segment * 4, true) : packed.length;
    if (start < HEAD_BYTES || end < start || end > packed.length) throw new DicomError('damaged');
    const sample = Math.floor(segment / bytesEach);
    // The others are little-endian from here on.
    const byte = bytesEach - 1 - (segment % bytesEach);
    const [first, step] = isPlanar
      ? [sample * pixels * bytesEach, bytesEach]
      : [sample * bytesEach, samples * bytesEach];
    unpackRuns(
      packed.subarray(start, end),
      (at, value) => {
        unpacked[first + byte + at * step] = value;
      },
      pixels,
    );
  }
  return unpacked;
}

/** No more than so many bytes are made, however many the runs would give. */
function unpackRuns(runs: Uint8Array, put: (at: number, value: number) => void, length: number): void {
  let at = 0;
  let from = 0;
  while (at < length) {
    const head = runs[from++];
    if (head === undefined) throw new DicomError('damaged');
    if (head === 128) continue;
    const isLiteral = head < 128;
    const count = isLiteral ? head + 1 : 257 - head;
    const taken = isLiteral ? count : 1;
    if (from + taken > runs.length) throw new DicomError('damaged');
    const end = Math.min(length, at + count);
    for (let source = from; at < end; source += Number(isLiteral)) put(at++, runs[source] ?? 0);
    from += taken;
  }
}

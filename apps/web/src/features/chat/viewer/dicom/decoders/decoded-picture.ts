import { DicomError } from '../dicom-error.ts';
import type { PixelFormat } from '../read-dicom.ts';

/** What a compressed picture says of itself. */
export interface PictureHead {
  readonly width: number;
  readonly height: number;
  readonly components: number;
  /** Bits of a sample. */
  readonly precision: number;
  readonly isSigned: boolean;
}

/** Samples side by side: red, green and blue of a pixel after each other. Above their precision is nothing but their sign. */
export type Samples = Uint8Array | Int8Array | Uint16Array | Int16Array;

/**
 * Throws a DicomError where a compressed picture is not the one that its file speaks of. Asked before anything is made for
 * its pixels: the file's own rows and columns have been looked at.
 */
export function checkHead(head: PictureHead, format: PixelFormat): void {
  const { rows, columns, samples, bits, storedBits, shift, isSigned } = format;
  const isSame = head.width === columns && head.height === rows && head.components === samples;
  const holdsAll = head.precision >= 1 && head.precision <= bits;
  if (!isSame || !holdsAll) throw new DicomError('damaged');
  // A number below zero is known by its highest bit, which is there only where all stored bits are.
  if (isSigned && !head.isSigned && head.precision < storedBits) throw new DicomError('unknown_pixels');
  if (head.isSigned && !isSigned) throw new DicomError('unknown_pixels');
  if (shift > 0 && head.precision !== bits) throw new DicomError('unknown_pixels');
}

/** The samples as a file that is not compressed has them, little-endian. */
export function nativeBytes(samples: Samples, format: PixelFormat): Uint8Array<ArrayBuffer> {
  const { rows, columns, samples: each, bits } = format;
  const count = rows * columns * each;
  if (samples.length !== count) throw new DicomError('damaged');
  if (format.isLossy) limit(samples, format);
  const bytes = new Uint8Array(count * (bits / 8));
  if (bits === 8) {
    bytes.set(samples);
    return bytes;
  }
  for (let at = 0; at < count; at++) {
    const value = samples[at] ?? 0;
    bytes[at * 2] = value;
    bytes[at * 2 + 1] = value >> 8;
  }
  return bytes;
}

/** A white that came out a little brighter is white: without its highest bit it would be black. */
function limit(samples: Samples, { storedBits, isSigned }: PixelFormat): void {
  // The bits of numbers below zero, as numbers without a sign: which of them are too large cannot be told.
  if (isSigned && (samples instanceof Uint8Array || samples instanceof Uint16Array)) return;
  const [low, high] = isSigned ? [-(2 ** (storedBits - 1)), 2 ** (storedBits - 1) - 1] : [0, 2 ** storedBits - 1];
  for (let at = 0; at < samples.length; at++) samples[at] = Math.min(high, Math.max(low, samples[at] ?? 0));
}

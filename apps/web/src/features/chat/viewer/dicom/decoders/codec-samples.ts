import { DicomError } from '../dicom-error.ts';
import type { PictureHead, Samples } from './decoded-picture.ts';

/** What codecs of Emscripten have in common. */
interface Codec {
  getEncodedBuffer(length: number): Uint8Array;
  decode(): void;
  getDecodedBuffer(): Uint8Array;
}

/** Decodes with a codec that was written in C++; whatever it throws is a number of its own. */
export function codecSamples(codec: Codec, bytes: Uint8Array, head: PictureHead): Samples {
  try {
    codec.getEncodedBuffer(bytes.length).set(bytes);
    codec.decode();
  } catch (error) {
    throw new DicomError('damaged', { cause: error });
  }
  // A copy: the codec's own memory is none that stays.
  const { buffer } = codec.getDecodedBuffer().slice();
  const [isWide, { isSigned }] = [head.precision > 8, head];
  if (buffer.byteLength !== head.width * head.height * head.components * (isWide ? 2 : 1)) {
    throw new DicomError('damaged');
  }
  if (isWide) return isSigned ? new Int16Array(buffer) : new Uint16Array(buffer);
  return isSigned ? new Int8Array(buffer) : new Uint8Array(buffer);
}

import type { PixelFormat } from '../read-dicom.ts';
import type { WorkerCoding } from '../transfer-syntax.ts';
import { nativeBytes, type Samples } from './decoded-picture.ts';
import { decodeLosslessJpeg } from './jpeg-lossless.ts';

/** One compressed frame, and what its file says of it. */
export interface CompressedFrame {
  readonly coding: WorkerCoding;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly format: PixelFormat;
  /** OpenJPEG as WebAssembly, where it could be loaded. */
  readonly wasm: ArrayBuffer | null;
}

/** Its pixels as a file that is not compressed has them: little-endian, colours side by side. Rejects with a DicomError. */
export async function decodeFrame(frame: CompressedFrame): Promise<Uint8Array<ArrayBuffer>> {
  return nativeBytes(await samplesOf(frame), frame.format);
}

async function samplesOf({ coding, bytes, format, wasm }: CompressedFrame): Promise<Samples> {
  switch (coding) {
    case 'jpeg-lossless':
      return decodeLosslessJpeg(bytes, format);
    case 'jpeg-ls':
      return (await import('./jpeg-ls.ts')).decodeJpegLs(bytes, format);
    case 'jpeg-2000':
      return (await import('./jpeg-2000.ts')).decodeJpeg2000(bytes, format, wasm);
  }
}

import loadCharLs from '@cornerstonejs/codec-charls/decode';
import { DicomError } from '../dicom-error.ts';
import type { PixelFormat } from '../read-dicom.ts';
import { codecSamples } from './codec-samples.ts';
import { checkHead, type PictureHead, type Samples } from './decoded-picture.ts';
import { frameHead, MARKER, segmentsOf } from './jpeg-segments.ts';

const PLANE_AFTER_PLANE = 0;
const charLs = loadCharLs({ print: () => {}, printErr: () => {} });

/** JPEG-LS (ITU-T T.87), lossless or near to it. Without its end mark CharLS may look for it for ever. */
export async function decodeJpegLs(bytes: Uint8Array, format: PixelFormat): Promise<Samples> {
  const head = headOf(bytes);
  checkHead(head, format);
  if (!hasEnd(bytes)) throw new DicomError('damaged');
  const { JpegLSDecoder } = await charLs;
  const codec = new JpegLSDecoder();
  try {
    const samples = codecSamples(codec, bytes, head);
    return codec.getInterleaveMode() === PLANE_AFTER_PLANE ? sideBySide(samples, head.components) : samples;
  } finally {
    codec.delete();
  }
}

function headOf(bytes: Uint8Array): PictureHead {
  for (const { marker, body } of segmentsOf(bytes)) if (marker === MARKER.SOF55) return frameHead(body);
  throw new DicomError('damaged');
}

/** A frame of odd length has one byte more. */
function hasEnd(bytes: Uint8Array): boolean {
  return [2, 3].some((back) => bytes.at(-back) === 0xff && bytes.at(1 - back) === MARKER.EOI);
}

function sideBySide(planes: Samples, components: number): Samples {
  if (components === 1) return planes;
  const plane = planes.length / components;
  const samples = planes.slice();
  for (let at = 0; at < samples.length; at++) {
    samples[at] = planes[(at % components) * plane + Math.floor(at / components)] ?? 0;
  }
  return samples;
}

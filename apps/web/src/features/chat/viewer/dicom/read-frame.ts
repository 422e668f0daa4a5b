import {
  createJPEGBasicOffsetTable,
  type DataSet,
  readEncapsulatedImageFrame,
  readEncapsulatedPixelDataFromFragments,
} from 'dicom-parser';
import { DicomError } from './dicom-error.ts';
import type { DicomHead, PixelFormat } from './read-dicom.ts';
import { isWorkerCoding, type WorkerCoding } from './transfer-syntax.ts';
import { unpackRle } from './unpack-rle.ts';

/** One picture: its values as they were measured, or its colours. */
export type DicomFrame =
  | { readonly kind: 'grey'; readonly values: Int16Array | Uint16Array }
  /** Red, green, blue and opacity, side by side. */
  | { readonly kind: 'colour'; readonly rgba: Uint8ClampedArray<ArrayBuffer> };

/** Who decodes what is compressed. */
export interface Decoders {
  /** Makes red, green, blue and opacity of a JPEG with 8 bits: the browser itself. */
  readonly jpeg: (
    bytes: Uint8Array<ArrayBuffer>,
  ) => Promise<{ readonly width: number; readonly height: number; readonly rgba: Uint8ClampedArray<ArrayBuffer> }>;
  /** Gives the pixels as a file that is not compressed has them, little-endian, colours side by side. */
  readonly other: (frame: {
    readonly coding: WorkerCoding;
    readonly bytes: Uint8Array<ArrayBuffer>;
    readonly format: PixelFormat;
  }) => Promise<Uint8Array>;
}

/** The pixels of one frame. Rejects with a DicomError where there are fewer than the file says. */
export async function readFrame(head: DicomHead, index: number, decoders: Decoders): Promise<DicomFrame> {
  const { coding, format } = head;
  if (coding === 'jpeg') return readJpeg(head, index, decoders);
  if (coding === 'rle') return toFrame(format, unpackRle(packed(head, index), format));
  if (!isWorkerCoding(coding)) return toFrame(format, native(head, index));
  return toFrame(format, await decoders.other({ coding, bytes: new Uint8Array(packed(head, index)), format }));
}

async function readJpeg(head: DicomHead, index: number, { jpeg }: Decoders): Promise<DicomFrame> {
  const { format } = head;
  const { width, height, rgba } = await jpeg(new Uint8Array(packed(head, index))).catch((error: unknown) => {
    throw new DicomError('damaged', { cause: error });
  });
  if (width !== format.columns || height !== format.rows) throw new DicomError('damaged');
  if (format.samples === 3) return { kind: 'colour', rgba };
  const values = new Uint16Array(width * height);
  for (let at = 0; at < values.length; at++) values[at] = rgba[at * 4] ?? 0;
  return { kind: 'grey', values };
}

function native({ dataSet, format }: DicomHead, index: number): Uint8Array {
  const length = format.rows * format.columns * format.samples * (format.bits / 8);
  const { element, bytes } = pixelData(dataSet);
  const start = element.dataOffset + index * length;
  const end = start + length;
  if (element.encapsulatedPixelData || end > element.dataOffset + element.length || end > bytes.length) {
    throw new DicomError('damaged');
  }
  return bytes.subarray(start, end);
}

function packed({ dataSet, geometry }: DicomHead, index: number): Uint8Array {
  const { element } = pixelData(dataSet);
  const { fragments = [], basicOffsetTable = [] } = element;
  try {
    if (basicOffsetTable.length > 0) return toBytes(readEncapsulatedImageFrame(dataSet, element, index));
    if (geometry.frames === 1)
      return toBytes(readEncapsulatedPixelDataFromFragments(dataSet, element, 0, fragments.length));
    if (fragments.length === geometry.frames)
      return toBytes(readEncapsulatedPixelDataFromFragments(dataSet, element, index));
    const offsets = createJPEGBasicOffsetTable(dataSet, element);
    return toBytes(readEncapsulatedImageFrame(dataSet, element, index, offsets));
  } catch (error) {
    throw new DicomError('damaged', { cause: error });
  }
}

function toBytes(given: Uint8Array): Uint8Array {
  return new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
}

function pixelData(dataSet: DataSet) {
  const element = dataSet.elements['x7fe00010'];
  if (!element) throw new DicomError('no_picture');
  return { element, bytes: toBytes(dataSet.byteArray) };
}

function toFrame(format: PixelFormat, bytes: Uint8Array): DicomFrame {
  return format.samples === 3
    ? { kind: 'colour', rgba: toColours(format, bytes) }
    : { kind: 'grey', values: toValues(format, bytes) };
}

/** Only the bits that are stored count: above them there may be anything, as overlays of old files. */
function toValues({ rows, columns, bits, storedBits, shift, isSigned, isBigEndian }: PixelFormat, bytes: Uint8Array) {
  const count = rows * columns;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values = isSigned ? new Int16Array(count) : new Uint16Array(count);
  const up = 32 - storedBits;
  for (let at = 0; at < count; at++) {
    const raw = bits === 8 ? view.getUint8(at) : view.getUint16(at * 2, !isBigEndian);
    const stored = (raw >>> shift) << up;
    values[at] = isSigned ? stored >> up : stored >>> up;
  }
  return values;
}

function toColours({ rows, columns, isPlanar, photometric }: PixelFormat, bytes: Uint8Array) {
  const count = rows * columns;
  const rgba = new Uint8ClampedArray(count * 4);
  const [step, plane] = isPlanar ? [1, count] : [3, 1];
  const isYbr = photometric === 'YBR_FULL';
  for (let at = 0; at < count; at++) {
    const from = at * step;
    const [a = 0, b = 0, c = 0] = [bytes[from], bytes[from + plane], bytes[from + 2 * plane]];
    rgba[at * 4] = isYbr ? a + 1.402 * (c - 128) : a;
    rgba[at * 4 + 1] = isYbr ? a - 0.344136 * (b - 128) - 0.714136 * (c - 128) : b;
    rgba[at * 4 + 2] = isYbr ? a + 1.772 * (b - 128) : c;
    rgba[at * 4 + 3] = 255;
  }
  return rgba;
}

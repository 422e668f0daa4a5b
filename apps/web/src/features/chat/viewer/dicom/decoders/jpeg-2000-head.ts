import { DicomError } from '../dicom-error.ts';
import type { PictureHead } from './decoded-picture.ts';

const SOC = 0xff4f;
const SIZ = 0xff51;
const SOT = 0xff90;
const EOC = 0xffd9;
/** Of SOT, with its marker. */
const SOT_BYTES = 12;

/**
 * What a JPEG 2000 codestream (ITU-T T.800, annex A) says of itself. Throws a DicomError where a tile is missing, or not whole: its
 * decoder would draw what is there.
 */
export function readJpeg2000Head(bytes: Uint8Array): PictureHead {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (view.getUint16(0) !== SOC || view.getUint16(2) !== SIZ) throw new DicomError('damaged');
    const { head, tiles } = readSize(view);
    if (tilesFrom(view, firstTile(view)).size !== tiles) throw new DicomError('damaged');
    return head;
  } catch (error) {
    // A RangeError: read beyond the end.
    throw error instanceof DicomError ? error : new DicomError('damaged', { cause: error });
  }
}

function readSize(view: DataView): { readonly head: PictureHead; readonly tiles: number } {
  const long = (index: number) => view.getUint32(8 + index * 4);
  const [right, bottom, left, top] = [long(0), long(1), long(2), long(3)];
  const [tileWidth, tileHeight, tileLeft, tileTop] = [long(4), long(5), long(6), long(7)];
  const components = view.getUint16(40);
  const depth = view.getUint8(42);
  for (let each = 0; each < components; each++) {
    const isSame = view.getUint8(42 + each * 3) === depth;
    const isWhole = view.getUint8(43 + each * 3) === 1 && view.getUint8(44 + each * 3) === 1;
    if (!isSame || !isWhole) throw new DicomError('unknown_pixels');
  }
  const isPossible = tileWidth > 0 && tileHeight > 0 && tileLeft <= left && tileTop <= top;
  if (!isPossible) throw new DicomError('damaged');
  const tiles = Math.ceil((right - tileLeft) / tileWidth) * Math.ceil((bottom - tileTop) / tileHeight);
  const head = { width: right - left, height: bottom - top, components, precision: (depth & 0x7f) + 1 };
  return { head: { ...head, isSigned: depth >= 0x80 }, tiles };
}

/** Where the first tile begins, behind the segments that hold for all of them. */
function firstTile(view: DataView): number {
  let at = 2;
  while (view.getUint16(at) !== SOT) {
    if (view.getUint8(at) !== 0xff) throw new DicomError('damaged');
    at += 2 + Math.max(2, view.getUint16(at + 2));
  }
  return at;
}

/** The numbers of the tiles that are there, each part of one as long as it says. */
function tilesFrom(view: DataView, start: number): Set<number> {
  const tiles = new Set<number>();
  let at = start;
  // Some leave out the end mark; a frame of odd length has one byte more.
  while (at + 1 < view.byteLength && view.getUint16(at) !== EOC) {
    if (view.getUint16(at) !== SOT) throw new DicomError('damaged');
    const length = view.getUint32(at + 6);
    // 0: the last one, up to the end mark.
    const end = length === 0 ? endMark(view) : at + length;
    if (end < at + SOT_BYTES || end > view.byteLength) throw new DicomError('damaged');
    tiles.add(view.getUint16(at + 4));
    at = end;
  }
  return tiles;
}

function endMark(view: DataView): number {
  for (const back of [2, 3]) {
    if (view.getUint16(view.byteLength - back) === EOC) return view.byteLength - back;
  }
  throw new DicomError('damaged');
}

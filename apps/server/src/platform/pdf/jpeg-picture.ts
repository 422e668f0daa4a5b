/** A JPEG as a PDF carries it: its bytes as they are, its size in pixels, and how many colours each has. */
export interface JpegPicture {
  readonly jpeg: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly colors: 1 | 3;
}

const FIRST_FRAME = 0xc0;
const LAST_FRAME = 0xcf;
/** Tables and extensions that stand among the frames. */
const NO_FRAMES = [0xc4, 0xc8, 0xcc];

/** Reads the head of a JPEG (ITU T.81, B.2.2); null where it has none, or colours for printing. */
export function readJpegPicture(jpeg: Buffer): JpegPicture | null {
  for (let at = 2; at + 10 <= jpeg.length && jpeg[at] === 0xff; at += 2 + jpeg.readUInt16BE(at + 2)) {
    const marker = jpeg[at + 1] ?? 0;
    if (marker < FIRST_FRAME || marker > LAST_FRAME || NO_FRAMES.includes(marker)) continue;
    const colors = jpeg[at + 9];
    if (colors !== 1 && colors !== 3) return null;
    return { jpeg, colors, height: jpeg.readUInt16BE(at + 5), width: jpeg.readUInt16BE(at + 7) };
  }
  return null;
}

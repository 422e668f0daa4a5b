import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type MadeDicom, shorts } from './make-dicom.ts';

const [ROWS, COLUMNS] = [18, 24];

/** A disc on a slope with stripes, so that no two rows are alike; of colours and frames each is another one. */
function phantomValues(count: number, { low, high }: { readonly low: number; readonly high: number }): number[] {
  return Array.from({ length: ROWS * COLUMNS }, (_, at) => {
    const [x, y] = [at % COLUMNS, Math.floor(at / COLUMNS)];
    const share = Math.hypot(x - 12, y - 9) <= 6 ? 0.9 - count * 0.2 : (x + y) / 60 + ((x * y + count) % 7) / 40;
    return Math.round(low + share * (high - low));
  });
}

const frames = (range: { low: number; high: number }, count: number) =>
  Array.from({ length: count }, (_, index) => phantomValues(index, range)).flat();
const size = { rows: ROWS, columns: COLUMNS };
const colours = [0, 1, 2].map((count) => phantomValues(count, { low: 0, high: 255 }));

/** The pictures that the files in `compressed` were made of, not compressed. */
export const PHANTOMS = {
  grey12: { ...size, storedBits: 12, pixels: shorts(phantomValues(0, { low: 0, high: 4095 })) },
  grey16: { ...size, isSigned: true, pixels: shorts(phantomValues(0, { low: -32_768, high: 32_767 })) },
  grey8: { ...size, bits: 8, frames: 3, pixels: new Uint8Array(frames({ low: 0, high: 255 }, 3)) },
  colour: {
    ...{ ...size, bits: 8, samples: 3, photometric: 'RGB' },
    pixels: new Uint8Array(phantomValues(0, { low: 0, high: 0 }).flatMap((_, at) => colours.map((of) => of[at] ?? 0))),
  },
} as const satisfies Record<string, MadeDicom>;

/** A file that another toolkit compressed: how is in the README beside it. */
export function compressedFile(name: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(path.join(import.meta.dirname, 'compressed', name)));
}

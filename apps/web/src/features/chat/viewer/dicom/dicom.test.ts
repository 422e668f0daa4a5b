import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatLength } from '#/features/chat/viewer/measure.ts';
import { adjusted, drawGrey, greyOf, wholeWindow } from './grey.ts';
import { drawFrame } from './open-dicom.ts';
import { readDicom } from './read-dicom.ts';
import { type DicomFrame, readFrame } from './read-frame.ts';
import { item, type MadeDicom, makeDicom, shorts } from './testing/make-dicom.ts';

const none = () => Promise.reject(new Error('no decoder here'));
const decoders = { jpeg: none, other: none };
const as = { brightness: 1, contrast: 1 };

async function greysOf(made: MadeDicom, index = 0): Promise<number[]> {
  const head = readDicom(makeDicom(made));
  const { rgba } = drawFrame(head, await readFrame(head, index, decoders), as);
  return Array.from({ length: rgba.length / 4 }, (_, at) => rgba[at * 4] ?? 0);
}
async function valuesOf(made: MadeDicom, index = 0): Promise<number[]> {
  const frame = await readFrame(readDicom(makeDicom(made)), index, decoders);
  return frame.kind === 'grey' ? [...frame.values] : [];
}
/** A disc of 40 mm across in the middle of a picture of 256 × 128 pixels, each 0.5 mm wide and 1 mm high. */
const SIDE = { rows: 128, columns: 256, spacing: { x: 0.5, y: 1 } };
function disc(inside: number, outside: number): number[] {
  return Array.from({ length: SIDE.rows * SIDE.columns }, (_, at) => {
    const [x, y] = [((at % SIDE.columns) + 0.5 - 128) * 0.5, Math.floor(at / SIDE.columns) + 0.5 - 64];
    return Math.hypot(x, y) <= 20 ? inside : outside;
  });
}
const phantom = (change: Partial<MadeDicom> = {}): MadeDicom => ({
  ...{ rows: SIDE.rows, columns: SIDE.columns, storedBits: 12, pixels: shorts(disc(1064, 1024)) },
  // Down comes first; water is 0, the disc 40.
  texts: { '00280030': '1\\0.5', '00281050': '40', '00281051': '80', '00281052': '-1024', '00281053': '1' },
  ...change,
});

describe('EXAM-7 a DICOM picture', () => {
  it('EXAM-7 a disc of 40 mm measures 40 mm across and down, though its pixels are not square', async () => {
    const greys = await greysOf(phantom());
    const { geometry } = readDicom(makeDicom(phantom()));
    expect(geometry).toEqual({ width: 256, height: 128, frames: 1, spacing: { x: 0.5, y: 1 } });
    const seen = greys.flatMap((grey, at) => (grey > 64 ? [{ x: at % 256, y: Math.floor(at / 256) }] : []));
    const ends = (axis: 'x' | 'y', size: number) => {
      const all = seen.map((place) => place[axis]);
      return [Math.min(...all) / size, (Math.max(...all) + 1) / size] as const;
    };
    const [left, right] = ends('x', 256);
    const [top, bottom] = ends('y', 128);
    expect(formatLength({ from: { x: left, y: 0.5 }, to: { x: right, y: 0.5 } }, geometry)).toBe('40.0 mm');
    expect(formatLength({ from: { x: 0.5, y: top }, to: { x: 0.5, y: bottom } }, geometry)).toBe('40.0 mm');
    expect(seen.length * 0.5).toBeCloseTo(Math.PI * 400, -2);
  });

  it('EXAM-7 measures in pixels where only the detector’s spacing is known, or none that can be', () => {
    const spacingOf = (texts: Record<string, string>) => readDicom(makeDicom(phantom({ texts }))).geometry.spacing;
    expect(spacingOf({ '00181164': '0.2\\0.2' })).toBeNull();
    expect(spacingOf({ '00280030': '0\\0.5' })).toBeNull();
    expect(spacingOf({ '00280030': '-1\\x' })).toBeNull();
    expect(spacingOf({ '00280030': '0.7' })).toBeNull();
  });

  it('EXAM-7 draws values by the window that the file asks for, after slope and intercept', async () => {
    const greys = await greysOf(phantom());
    const at = (x: number, y: number) => greys[y * 256 + x];
    // 0 is the lower end of 40 ± 40, and 40 its middle.
    expect([at(2, 2), at(128, 64)]).toEqual([0, 129]);
    const steep = { '00281050': '3000', '00281051': '8000', '00281052': '-1024', '00281053': '4' };
    const middle = greyOf(1064 * 4 - 1024, { center: 3000, width: 8000, shape: 'LINEAR' });
    expect((await greysOf(phantom({ texts: steep })))[64 * 256 + 128]).toBe(Math.round(middle));
  });

  it('EXAM-7 of MONOCHROME1 the smallest value is white', async () => {
    const [plain, inverted] = [await greysOf(phantom()), await greysOf(phantom({ photometric: 'MONOCHROME1' }))];
    expect(inverted).toEqual(plain.map((grey) => 255 - grey));
  });

  it('EXAM-7 without a window all that was measured lies between black and white; padding is nothing measured', async () => {
    const made = { rows: 1, columns: 4, pixels: shorts([100, 300, 500, 0]) };
    expect(await greysOf(made)).toEqual([51, 153, 255, 0]);
    const head = readDicom(makeDicom(made));
    const frame: DicomFrame = { kind: 'grey', values: new Uint16Array([100, 300, 500, 0]) };
    const window = wholeWindow(frame, { ...head, padding: 0 });
    expect([...drawGrey(frame, head, window)].filter((_, at) => at % 4 === 0)).toEqual([0, 128, 255, 0]);
  });

  it('EXAM-7 signed numbers, big-endian ones, eight bits, and bits above those that are stored', async () => {
    const small = { rows: 1, columns: 2 };
    expect(await valuesOf({ ...small, isSigned: true, pixels: shorts([-1000, 1000]) })).toEqual([-1000, 1000]);
    const big = { transferSyntax: '1.2.840.10008.1.2.2', pixels: shorts([258, 4095], true) };
    expect(await valuesOf({ ...small, ...big })).toEqual([258, 4095]);
    expect(await valuesOf({ ...small, bits: 8, pixels: new Uint8Array([7, 255]) })).toEqual([7, 255]);
    expect(await valuesOf({ ...small, storedBits: 12, pixels: shorts([0xf123, 0x8fff]) })).toEqual([0x123, 0xfff]);
    expect(await valuesOf({ ...small, storedBits: 12, isSigned: true, pixels: shorts([0x0800, 0xf7ff]) })).toEqual([
      -2048, 2047,
    ]);
  });

  it('EXAM-7 each of many frames has its own pixels', async () => {
    const made: MadeDicom = {
      ...{ rows: 64, columns: 64, frames: 300, texts: { '00281050': '150', '00281051': '300' } },
      pixels: shorts(Array.from({ length: 300 * 64 * 64 }, (_, at) => Math.floor(at / (64 * 64)))),
    };
    expect(new Set(await valuesOf(made, 299))).toEqual(new Set([299]));
    expect(new Set(await valuesOf(made, 17))).toEqual(new Set([17]));
    await expect(valuesOf(made, 300)).rejects.toThrow('damaged');
  });

  it('EXAM-7 an enhanced file says spacing, slope and window for all of its frames at once', () => {
    const groups = item({
      '00289110': item({ '00280030': '0.8\\0.4' }),
      '00289132': item({ '00281050': '50', '00281051': '400' }),
      '00289145': item({ '00281052': '-1000', '00281053': '2' }),
    });
    const head = readDicom(makeDicom(phantom({ texts: {}, sequences: { '52009229': groups } })));
    expect([head.geometry.spacing, head.slope, head.intercept]).toEqual([{ x: 0.4, y: 0.8 }, 2, -1000]);
    expect(head.window).toEqual({ center: 50, width: 400, shape: 'LINEAR' });
  });

  it('EXAM-7 runs (RLE) are unpacked, of 16 bits and of colours', async () => {
    const rle = '1.2.840.10008.1.2.5';
    const head = (...starts: number[]) => {
      const view = new DataView(new ArrayBuffer(64));
      [starts.length, ...starts].forEach((value, at) => void view.setUint32(at * 4, value, true));
      return [...new Uint8Array(view.buffer)];
    };
    // Four times 1, then literally 2, 3, 4, 5 as high bytes; low bytes all 9.
    const packed = new Uint8Array([...head(64, 72), 253, 1, 3, 2, 3, 4, 5, 128, 249, 9]);
    const sixteen = { rows: 2, columns: 4, transferSyntax: rle, pixels: [packed] };
    expect(await valuesOf(sixteen)).toEqual([265, 265, 265, 265, 521, 777, 1033, 1289]);
    const colours = new Uint8Array([...head(64, 66, 68), 255, 200, 255, 100, 255, 50]);
    const made: MadeDicom = {
      rows: 1,
      columns: 2,
      bits: 8,
      samples: 3,
      photometric: 'RGB',
      transferSyntax: rle,
      pixels: [colours],
    };
    const frame = await readFrame(readDicom(makeDicom(made)), 0, decoders);
    expect(frame.kind === 'colour' && [...frame.rgba]).toEqual([200, 100, 50, 255, 200, 100, 50, 255]);
    await expect(valuesOf({ ...sixteen, pixels: [packed.slice(0, 70)] })).rejects.toThrow('damaged');
  });

  it('EXAM-7 what the browser makes of a JPEG is what is shown, and must have the size that the file says', async () => {
    const made: MadeDicom = {
      rows: 1,
      columns: 2,
      bits: 8,
      transferSyntax: '1.2.840.10008.1.2.4.50',
      pixels: [new Uint8Array([255, 216])],
    };
    const head = readDicom(makeDicom(made));
    const rgba = new Uint8ClampedArray([10, 10, 10, 255, 20, 20, 20, 255]);
    const frame = await readFrame(head, 0, { ...decoders, jpeg: () => Promise.resolve({ width: 2, height: 1, rgba }) });
    expect(frame.kind === 'grey' && [...frame.values]).toEqual([10, 20]);
    const turned = { ...decoders, jpeg: () => Promise.resolve({ width: 1, height: 2, rgba }) };
    await expect(readFrame(head, 0, turned)).rejects.toThrow('damaged');
    await expect(readFrame(head, 0, decoders)).rejects.toThrow('damaged');
  });

  it('EXAM-7 more contrast narrows the window, brighter moves it down', () => {
    const window = { center: 40, width: 400, shape: 'LINEAR' } as const;
    expect(adjusted(window, { brightness: 1, contrast: 2 })).toEqual({ ...window, width: 200 });
    expect(adjusted(window, { brightness: 1.5, contrast: 1 })).toEqual({ ...window, center: -160 });
    const edges = [greyOf(-160.5, window), greyOf(40, window), greyOf(239.5, window)];
    expect(edges.map(Math.round)).toEqual([0, 128, 255]);
  });
});

describe('EXAM-7 A22 what is not shown says why', () => {
  it.each([
    ['1.2.840.10008.1.2.4.51', 'JPEG with 12 bits'],
    ['1.2.840.10008.1.2.4.92', 'JPEG 2000 across images'],
    ['1.2.840.10008.1.2.4.201', 'high-throughput JPEG 2000'],
    ['1.2.840.10008.1.2.4.102', 'video'],
    ['1.2.3.4', '“1.2.3.4”'],
  ])('EXAM-7 %s is compressed as %s', (transferSyntax, name) => {
    expect(() => readDicom(makeDicom(phantom({ transferSyntax, pixels: [new Uint8Array(4)] })))).toThrow(
      `It is compressed as ${name}, which this viewer can’t show.`,
    );
  });

  it('EXAM-7 A22 a picture of 65,535 × 65,535, one without pixels, and kinds of pixels that nobody draws', () => {
    expect(() => readDicom(makeDicom(phantom({ rows: 65_535, columns: 65_535 })))).toThrow('too large');
    expect(() => readDicom(makeDicom(phantom({ rows: 0 })))).toThrow('no picture');
    expect(() => readDicom(makeDicom(phantom({ photometric: 'PALETTE COLOR' })))).toThrow('kind of pixels');
    expect(() => readDicom(makeDicom(phantom({ storedBits: 20 })))).toThrow('damaged');
  });

  it('EXAM-7 A22 fewer pixels than a file says are no picture of it', async () => {
    await expect(greysOf(phantom({ pixels: shorts([1, 2, 3]) }))).rejects.toThrow('damaged');
    await expect(greysOf(phantom({ frames: 4_000 }), 3_999)).rejects.toThrow('damaged');
  });

  it('EXAM-7 A22 cut off or changed anywhere, a file is shown or refused in words, and never anything else', async () => {
    const whole = makeDicom(
      phantom({ rows: 8, columns: 8, pixels: shorts(Array.from({ length: 64 }, (_, at) => at)) }),
    );
    const flips = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length), flips, async (length, changes) => {
        const bytes = whole.slice(0, length);
        for (const [at, value] of changes) if (at < length) bytes[at] = value;
        try {
          const head = readDicom(bytes);
          const frame = await readFrame(head, 0, decoders);
          expect(frame.kind === 'grey' ? frame.values.length * 4 : frame.rgba.length).toBe(
            head.geometry.width * head.geometry.height * 4,
          );
        } catch (error) {
          expect((error as Error).name).toBe('DicomError');
        }
      }),
      { numRuns: 500 },
    );
  });
});

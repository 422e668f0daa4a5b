import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFrameDecoder, type DecodeWorker } from '../frame-decoder.ts';
import { inflateDicom } from '../inflate-dicom.ts';
import { readDicom } from '../read-dicom.ts';
import { type DicomFrame, readFrame } from '../read-frame.ts';
import { compressedFile, PHANTOMS } from '../testing/compressed-phantoms.ts';
import { encodeLosslessJpeg } from '../testing/encode-lossless-jpeg.ts';
import { type MadeDicom, makeDicom, shorts } from '../testing/make-dicom.ts';
import { type CompressedFrame, decodeFrame } from './decode-frame.ts';
import { nativeBytes } from './decoded-picture.ts';
import { decodeLosslessJpeg } from './jpeg-lossless.ts';

const jpeg = () => Promise.reject(new Error('no JPEG here'));
const other = (frame: Omit<CompressedFrame, 'wasm'>) => decodeFrame({ ...frame, wasm: null });

async function framesOf(bytes: Uint8Array<ArrayBuffer>): Promise<DicomFrame[]> {
  const head = readDicom(await inflateDicom(bytes));
  return Promise.all(
    Array.from({ length: head.geometry.frames }, (_, index) => readFrame(head, index, { jpeg, other })),
  );
}
const numbersOf = (frames: readonly DicomFrame[]) =>
  frames.flatMap((frame) => [...(frame.kind === 'grey' ? frame.values : frame.rgba)]);
const wanted = async (made: MadeDicom) => numbersOf(await framesOf(makeDicom(made)));

describe('EXAM-7 compressed DICOM files that other toolkits made', () => {
  it.each([
    ['grey12-jpeg-sv1.dcm', PHANTOMS.grey12],
    ['grey16-jpeg-p14.dcm', PHANTOMS.grey16],
    ['grey8-jpeg-sv1.dcm', PHANTOMS.grey8],
    ['colour-jpeg-p14.dcm', PHANTOMS.colour],
    ['grey12-jls.dcm', PHANTOMS.grey12],
    ['grey16-jls.dcm', PHANTOMS.grey16],
    ['grey8-jls.dcm', PHANTOMS.grey8],
    ['colour-jls.dcm', PHANTOMS.colour],
    ['colour-jls-planes.dcm', PHANTOMS.colour],
    ['grey16-j2k.dcm', PHANTOMS.grey16],
    ['grey8-j2k.dcm', PHANTOMS.grey8],
    ['grey12-j2k-tiles.dcm', PHANTOMS.grey12],
    ['colour-j2k.dcm', PHANTOMS.colour],
    ['grey12-deflate.dcm', PHANTOMS.grey12],
  ])('EXAM-7 %s has each value that was compressed', async (name, phantom) => {
    expect(numbersOf(await framesOf(compressedFile(name)))).toEqual(await wanted(phantom));
  });

  it.each([
    ['grey12-jls-near.dcm', 3],
    ['grey12-j2k-lossy.dcm', 62],
  ])('EXAM-7 %s is off by no more than was allowed: %i of 4,095', async (name, allowed) => {
    const [values, exact] = [numbersOf(await framesOf(compressedFile(name))), await wanted(PHANTOMS.grey12)];
    const off = values.map((value, at) => Math.abs(value - (exact[at] ?? 0)));
    expect(Math.max(...off)).toBeLessThanOrEqual(allowed);
    expect(Math.max(...off)).toBeGreaterThan(0);
  });

  it.each([
    ['colour-mct.j2k', 'YBR_RCT', 0],
    ['colour-lossy.j2k', 'YBR_ICT', 8],
  ])('EXAM-7 JPEG 2000 takes back what it made of colours: %s, %s', async (name, photometric, allowed) => {
    const made = { ...PHANTOMS.colour, photometric, pixels: [compressedFile(name)] };
    const values = numbersOf(await framesOf(makeDicom({ ...made, transferSyntax: '1.2.840.10008.1.2.4.91' })));
    const exact = await wanted(PHANTOMS.colour);
    expect(Math.max(...values.map((value, at) => Math.abs(value - (exact[at] ?? 0))))).toBeLessThanOrEqual(allowed);
    expect(values).toHaveLength(exact.length);
  });
});

it('EXAM-7 A21 JPEG 2000 has the same values by WebAssembly, and where a policy forbids that', async () => {
  const file = createRequire(import.meta.url).resolve('@cornerstonejs/codec-openjpeg/decodewasm');
  const wasm = new Uint8Array(readFileSync(file)).buffer;
  const compile = vi.spyOn(WebAssembly, 'compile');
  const valuesBy = async (): Promise<number[]> => {
    const by = (frame: Omit<CompressedFrame, 'wasm'>) => decodeFrame({ ...frame, wasm });
    return numbersOf([await readFrame(readDicom(compressedFile('grey16-j2k.dcm')), 0, { jpeg, other: by })]);
  };
  expect(await valuesBy()).toEqual(await wanted(PHANTOMS.grey16));
  expect(compile).toHaveBeenCalledOnce();
  vi.resetModules();
  const { decodeJpeg2000 } = await import('./jpeg-2000.ts');
  compile.mockRejectedValue(new WebAssembly.CompileError('refused by the policy'));
  const { format } = readDicom(makeDicom(PHANTOMS.colour));
  const pixels = await decodeJpeg2000(compressedFile('colour-mct.j2k'), format, wasm);
  expect([...pixels]).toEqual([...PHANTOMS.colour.pixels]);
  compile.mockRestore();
});

describe('EXAM-7 lossless JPEG', () => {
  const picture = fc
    .record({
      ...{ width: fc.integer({ min: 1, max: 9 }), height: fc.integer({ min: 1, max: 9 }) },
      ...{ components: fc.constantFrom(1, 3), precision: fc.integer({ min: 2, max: 16 }) },
      ...{ predictor: fc.integer({ min: 1, max: 7 }), pointTransform: fc.constantFrom(0, 0, 1) },
      ...{ restartRows: fc.integer({ min: 0, max: 3 }), seed: fc.array(fc.nat(65_535), { minLength: 1 }) },
    })
    .map(({ seed, ...made }) => {
      const [count, step] = [made.width * made.height * made.components, 1 << made.pointTransform];
      const samples = Array.from({ length: count }, (_, at) => (seed[at % seed.length] ?? 0) % 2 ** made.precision);
      return { ...made, samples: samples.map((sample) => sample - (sample % step)) };
    });

  it('EXAM-7 gives back each value, with each predictor, precision, number of colours and restart marks', () => {
    fc.assert(
      fc.property(picture, (made) => {
        const { width, height, components, precision, samples } = made;
        const format = readDicom(
          makeDicom({
            ...{ rows: height, columns: width, samples: 1, storedBits: precision, pixels: new Uint8Array(2) },
          }),
        ).format;
        const decoded = decodeLosslessJpeg(encodeLosslessJpeg(made), { ...format, samples: components });
        expect([...decoded]).toEqual(samples);
      }),
      { numRuns: 300 },
    );
  });
});

describe('EXAM-7 A22 damaged files', () => {
  /** The same changes each time: what hangs in a codec no limit of a test would end. On the page its worker is ended. */
  const SEED = 65;
  const NAMES = ['grey12-jpeg-sv1.dcm', 'grey16-jls.dcm', 'grey16-j2k.dcm', 'grey12-deflate.dcm'];

  it.each(NAMES.slice(0, 3))(
    'EXAM-7 A22 a picture of %s cut off anywhere is refused, never shown in part',
    async (name) => {
      const given: Omit<CompressedFrame, 'wasm'>[] = [];
      const keep = (frame: Omit<CompressedFrame, 'wasm'>) => {
        given.push(frame);
        return other(frame);
      };
      await readFrame(readDicom(compressedFile(name)), 0, { jpeg, other: keep });
      const [frame] = given;
      if (!frame) throw new Error('it has no compressed frame');
      const whole = await other(frame);
      await fc.assert(
        fc.asyncProperty(fc.nat(frame.bytes.length), fc.constantFrom([], [0xff, 0xd9]), async (length, end) => {
          const bytes = new Uint8Array([...frame.bytes.subarray(0, length), ...end]);
          const pixels = await other({ ...frame, bytes }).catch((error: Error) => error);
          // Without its end mark alone nothing of a picture is missing.
          const isWhole = pixels instanceof Uint8Array && length >= frame.bytes.length - 3;
          expect(isWhole ? pixels : (pixels as Error).name).toEqual(isWhole ? whole : 'DicomError');
        }),
        { numRuns: 60 },
      );
    },
  );

  it('EXAM-7 A22 a deflated file cut off anywhere is refused', async () => {
    const whole = compressedFile('grey12-deflate.dcm');
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 2), async (length) => {
        await expect(framesOf(whole.slice(0, length))).rejects.toHaveProperty('name', 'DicomError');
      }),
      { numRuns: 60 },
    );
  });

  it.each(NAMES)(
    'EXAM-7 A22 %s changed anywhere is shown or refused in words, and never anything else',
    async (name) => {
      const whole = compressedFile(name);
      const flips = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 });
      await fc.assert(
        fc.asyncProperty(flips, async (changes) => {
          const bytes = whole.slice();
          for (const [at, value] of changes) bytes[at] = value;
          try {
            const head = readDicom(await inflateDicom(bytes));
            const frame = await readFrame(head, 0, { jpeg, other });
            expect(numbersOf([frame])).toHaveLength(
              head.geometry.width * head.geometry.height * (frame.kind === 'grey' ? 1 : 4),
            );
          } catch (error) {
            expect((error as Error).name).toBe('DicomError');
          }
        }),
        { numRuns: 150, seed: SEED },
      );
    },
  );

  it('EXAM-7 A22 a picture inside that is not as large, or has not as many colours, as its file says', async () => {
    const as = (change: Partial<MadeDicom>) => {
      const made = { ...PHANTOMS.colour, pixels: [compressedFile('colour-mct.j2k')], ...change };
      return framesOf(makeDicom({ ...made, transferSyntax: '1.2.840.10008.1.2.4.90' }));
    };
    await expect(as({ rows: 17 })).rejects.toThrow('damaged');
    await expect(as({ columns: 48 })).rejects.toThrow('damaged');
    await expect(as({ samples: 1, photometric: 'MONOCHROME2' })).rejects.toThrow('damaged');
  });

  it('EXAM-7 a white that came out brighter than its bits can hold stays white', () => {
    const { format } = readDicom(makeDicom({ rows: 1, columns: 3, storedBits: 12, pixels: shorts([0, 0, 0]) }));
    const lossy = { ...format, isLossy: true };
    expect([...nativeBytes(new Uint16Array([4098, 4095, 3]), lossy)]).toEqual([255, 15, 255, 15, 3, 0]);
    const signed = nativeBytes(new Int16Array([2050, -2050, -1]), { ...lossy, isSigned: true });
    expect([...new Int16Array(signed.buffer)]).toEqual([2047, -2048, -1]);
  });

  it('EXAM-7 A22 what unpacks to more than a phone can hold is refused before it is unpacked', async () => {
    await expect(inflateDicom(compressedFile('grey12-deflate.dcm'), 500)).rejects.toThrow('too large');
  });
});

describe('EXAM-7 A22 the decoder', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
  const { format } = readDicom(makeDicom({ pixels: shorts(new Array(16).fill(0)) }));
  const frame = (): CompressedFrame => ({ coding: 'jpeg-ls', bytes: new Uint8Array(1), format, wasm: null });
  const wait = new AbortController().signal;

  /** A worker that answers as it is told to. */
  function played() {
    const workers: (DecodeWorker & { reply(data: object): void })[] = [];
    const decoder = createFrameDecoder(() => {
      const worker = {
        ...{ postMessage: vi.fn(), terminate: vi.fn(), onerror: null },
        onmessage: null as DecodeWorker['onmessage'],
        reply: (data: object) => worker.onmessage?.call(worker as unknown as Worker, { data } as MessageEvent),
      };
      workers.push(worker);
      return worker;
    });
    return { decoder, workers };
  }

  it('EXAM-7 A22 a file that keeps its worker for ever ends with it, and the next frame has a new one', async () => {
    const { decoder, workers } = played();
    const [started, cleared] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')];
    const [hung, next] = [decoder.decode(frame(), wait), decoder.decode(frame(), wait)];
    hung.catch(() => {});
    await vi.advanceTimersByTimeAsync(60_000);
    await expect(hung).rejects.toThrow('takes too long');
    expect(workers[0]?.terminate).toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(0);
    workers[1]?.reply({ pixels: new Uint8Array([7]) });
    expect(await next).toEqual(new Uint8Array([7]));
    // Not by the count of timers: what earlier files of this worker left under way may start some.
    const limits = started.mock.results.filter((_, at) => started.mock.calls[at]?.[1] === 60_000);
    expect(limits).toHaveLength(2);
    expect(cleared).toHaveBeenCalledWith(limits[1]?.value);
  });

  it('EXAM-7 a frame that nobody waits for any more is not decoded; damaged ones say so', async () => {
    const { decoder, workers } = played();
    const gone = new AbortController();
    const first = decoder.decode(frame(), wait);
    const [passed, last] = [decoder.decode(frame(), gone.signal), decoder.decode(frame(), wait)];
    for (const each of [first, passed, last]) each.catch(() => {});
    gone.abort();
    await vi.advanceTimersByTimeAsync(0);
    workers[0]?.reply({ problem: 'damaged' });
    await expect(first).rejects.toThrow('damaged');
    await expect(passed).rejects.toThrow('aborted');
    await vi.advanceTimersByTimeAsync(0);
    expect(workers[1]?.postMessage).toHaveBeenCalledOnce();
    workers[1]?.reply({ problem: null });
    await expect(last).rejects.toThrow('no decoder');
  });
});

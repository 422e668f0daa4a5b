import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkImage, ImageError } from './check-image.ts';
import { readImageHeader } from './image-header.ts';
import { withoutEnlargement } from './image-order.ts';
import { animation, chunksOf, picture, plainPng, pngOf } from './testing/pictures.ts';

function faultOf(bytes: Buffer): string | null {
  try {
    checkImage(bytes);
    return null;
  } catch (error) {
    return error instanceof ImageError ? error.fault : String(error);
  }
}

describe('the head of a picture', () => {
  it.each(['jpeg', 'png', 'webp'] as const)('A20 says format and size of a %s', async (format) => {
    const bytes = await picture({ width: 300, height: 201, format });
    expect(readImageHeader(bytes)).toEqual({ format, width: 300, height: 201, isAnimated: false });
  });

  it('A20 says it of a WebP with transparency, which has another kind of head', async () => {
    const { default: sharp } = await import('sharp');
    const clear = sharp({ create: { width: 30, height: 21, channels: 4, background: '#00000080' } });
    for (const lossless of [true, false]) {
      const bytes = await clear.clone().webp({ lossless }).toBuffer();
      expect(readImageHeader(bytes)).toEqual({ format: 'webp', width: 30, height: 21, isAnimated: false });
    }
  });

  it('A20 of other bytes is none, whatever they are', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.constantFrom('', '\x89PNG\r\n\x1a\n', '\xff\xd8\xff'),
        (rest, start) => {
          const header = readImageHeader(Buffer.concat([Buffer.from(start, 'latin1'), rest]));
          if (start === '' && rest[0] !== 0xff) expect(header).toBeNull();
          else expect(header === null || Number.isInteger(header.width)).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('A22 that is cut off anywhere is no error of the server', async () => {
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      const bytes = await picture({ width: 300, height: 201, format });
      for (let length = 0; length < 200; length++) readImageHeader(bytes.subarray(0, length));
    }
  });
});

describe('what is refused before it is decoded', () => {
  it('A22 a PNG of 14,000 by 14,000 in 30 kB, by its head alone', () => {
    const bomb = plainPng(14_000, 14_000);
    expect(bomb.length).toBeLessThan(64_000);
    expect(faultOf(bomb)).toBe('too_large');
    // The pixels are not looked at: without them it is refused for the same reason.
    expect(faultOf(bomb.subarray(0, 40))).toBe('too_large');
  });

  it('A22 a line of 1 by 65,000, one of 16,000 by 1, and a side longer than WebP can have', () => {
    expect(faultOf(plainPng(1, 65_000))).toBe('too_large');
    expect(faultOf(plainPng(16_000, 1))).toBe('too_large');
    expect(faultOf(plainPng(300, 20_000))).toBe('too_large');
  });

  it('A22 a picture without width or height', () => {
    expect(faultOf(plainPng(0, 10))).toBe('unreadable');
  });

  it('A22 what moves: a GIF, a WebP and a PNG of several pictures', async () => {
    expect(faultOf(await animation('gif', 40))).toBe('not_an_image');
    expect(faultOf(await animation('webp', 3))).toBe('animated');
    const [head, ...rest] = chunksOf(plainPng(8, 8));
    const control = Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]);
    expect(faultOf(pngOf([head ?? ['', Buffer.alloc(0)], ['acTL', control], ...rest]))).toBe('animated');
  });

  it('A22 takes a photograph of 24 million pixels and none of more', () => {
    expect(faultOf(plainPng(6_000, 4_000))).toBeNull();
    expect(faultOf(plainPng(6_000, 4_001))).toBe('too_large');
  });
});

describe('sizes', () => {
  it.each([
    [
      { width: 640, height: null },
      { width: 640, height: null },
    ],
    [
      { width: 1280, height: null },
      { width: 1000, height: null },
    ],
    [
      { width: null, height: 1000 },
      { width: null, height: 500 },
    ],
    [
      { width: 1000, height: 1000 },
      { width: 500, height: 500 },
    ],
    [
      { width: 2000, height: 500 },
      { width: 1000, height: 250 },
    ],
    [
      { width: null, height: null },
      { width: null, height: null },
    ],
  ])('IMG-1 of %j a picture of 1000 by 500 gives %j: nothing is enlarged, proportions stay', (asked, made) => {
    expect(withoutEnlargement(asked, { width: 1000, height: 500 })).toEqual(made);
  });
});

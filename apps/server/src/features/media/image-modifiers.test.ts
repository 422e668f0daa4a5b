import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AppError } from '#/platform/http/app-error.ts';
import { readModifiers } from './image-modifiers.ts';

const NONE = { width: null, height: null, fit: 'cover', format: null, quality: 80, background: null };

it.each([
  ['_', {}],
  ['w_640&f_webp&q_80', { width: 640, format: 'webp', quality: 80 }],
  ['f_webp&q_80&s_96x48', { width: 96, height: 48, format: 'webp' }],
  ['w_640%26f_jpeg%26q_100', { width: 640, format: 'jpeg', quality: 100 }],
  ['w%5F3072', { width: 3072 }],
  ['h_16&fit_inside&b_FFF', { height: 16, fit: 'inside', background: 'ffffff' }],
  ['b_0a1b2c&fit_contain', { fit: 'contain', background: '0a1b2c' }],
])('IMG-1 reads %s', (segment, wanted) => {
  expect(readModifiers(segment)).toEqual({ ...NONE, ...wanted });
});

it.each([
  '',
  'w',
  'w_',
  'w_641',
  'w_0',
  'w_-16',
  'w_1e3',
  'w_0640',
  'w_4096',
  'w_640.0',
  'w_١٦',
  's_640',
  's_640x',
  's_640x480x1',
  's_640x479',
  'f_gif',
  'f_svg',
  'f_auto',
  'q_0',
  'q_101',
  'q_08',
  'fit_fill',
  'b_red',
  'b_url(x)',
  'blur_3',
  'rotate_90',
  'enlarge_true',
  '__proto___x',
  'constructor_x',
  '_&w_640',
  'w_640&',
  'w_640&&f_webp',
  'w_640&w_320',
  'w_640&s_640x640',
  'w_640%2526f_webp',
  '%',
  '%ff',
  'w_640,f_webp',
])('IMG-1 refuses %j with 400', (segment) => {
  expect(() => readModifiers(segment)).toThrow(new AppError('bad_request', { message: 'Unknown modifier.' }));
});

it('IMG-1 A28 of whatever is sent only what is on the closed list is taken', () => {
  const part = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc
      .tuple(fc.constantFrom('w', 'h', 's', 'f', 'q', 'b', 'fit'), fc.string({ maxLength: 8 }))
      .map((pair) => pair.join('_')),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
      try {
        const { width, height, quality, background } = readModifiers(parts.join('&'));
        for (const side of [width, height]) expect(side === null || (side >= 16 && side <= 3072)).toBe(true);
        expect(quality).toBeGreaterThanOrEqual(1);
        expect(background ?? '000000').toMatch(/^[0-9a-f]{6}$/);
      } catch (error) {
        expect(error).toBeInstanceOf(AppError);
      }
    }),
    { numRuns: 2_000 },
  );
});

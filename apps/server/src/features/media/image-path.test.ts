import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AppError } from '#/platform/http/app-error.ts';
import { mediaUrl, readImagePath } from './image-path.ts';

const HOST = 'https://media.example';

it.each([
  ['storage/a.png', `${HOST}/a.png`],
  ['storage/wards/3%20A/plan.webp', `${HOST}/wards/3%20A/plan.webp`],
  ['storage/%C3%A9t%C3%A9.jpg', `${HOST}/%C3%A9t%C3%A9.jpg`],
])('IMG-1 %s lies at %s on the media host', (raw, url) => {
  const { place, segments } = readImagePath(raw);
  expect([place, mediaUrl(HOST, segments).href]).toEqual(['storage', url]);
});

it.each([
  ['img/x.png', ['img', 'x.png']],
  ['icons/Ward%203.png', ['icons', 'Ward 3.png']],
  ['storage.evil.example/a.png', ['storage.evil.example', 'a.png']],
  ['storag%65/a.png', ['storage', 'a.png']],
])('F-C3 IMG-1 %s is a file of this site, whatever it is called', (raw, segments) => {
  expect(readImagePath(raw)).toEqual({ place: 'site', segments });
});

it.each([
  'https://evil.example/a.png',
  'HTTPS://evil.example/a.png',
  'http:evil.example',
  '//evil.example/a.png',
  '/storage/a.png',
  'storage//evil.example/a.png',
  'storage/x@evil.example',
  'storage/x%40evil.example',
  'storage/http://evil.example',
  'storage/a%3Ab',
  'data:image/png;base64,AAAA',
  'file:///etc/passwd',
])('A25 %j is a host that is not allowed: 403', (raw) => {
  expect(() => readImagePath(raw)).toThrow(new AppError('forbidden', { message: 'Forbidden host' }));
});

it.each([
  'storage',
  'storage/',
  'storage/a/',
  'storage/..',
  'storage/../secret.png',
  'storage/%2e%2e/secret.png',
  'storage/.',
  'storage/...',
  'storage/..%2fsecret.png',
  'storage/a%2Fb.png',
  'storage/a%5cb.png',
  'storage/a\\b.png',
  'storage/a%00.png',
  'storage/a%0d%0aHost:%20x',
  'storage/%252e%252e/x.png',
  'storage/a%.png',
  'storage/%ff.png',
  'storage/%E2%80%AEgnp.exe',
  'storage/a?x=1',
  '',
  'img/../a.png',
  'img/..%2fa.png',
  'img/%2e%2e/a.png',
  'img/a%00.png',
  'storage/a#x',
  'storage/<script>.png',
  `storage/${'a'.repeat(256)}`,
  `storage/${'a/'.repeat(20)}b`,
])('A25 %j is no path: 400 or 403', (raw) => {
  expect(() => readImagePath(raw)).toThrow(AppError);
});

it('A25 whatever the path is, the address stays on the media host', () => {
  const piece = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.constantFrom('..', '%2e', '%2f', '@', ':', '//', '\\', 'evil.example', '?', '#', '%00', ';'),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      try {
        const url = mediaUrl(HOST, readImagePath(`storage/${pieces.join('')}`).segments);
        expect(url.origin).toBe(HOST);
        expect(url.href).not.toMatch(/\/\.\.?(\/|$)|%2f|%5c|%00|[?#@]/i);
      } catch (error) {
        expect(error).toBeInstanceOf(AppError);
      }
    }),
    { numRuns: 5_000 },
  );
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeRedirect } from './safe-redirect.ts';

const fallback = '/dashboard';

const hostile: unknown[] = [
  undefined,
  null,
  0,
  {},
  [],
  ['/chats'],
  '',
  ' ',
  'chats',
  './chats',
  '../chats',
  '?redirect=/chats',
  '#chats',
  'http://evil.example',
  'https://evil.example/chats',
  'HTTPS://evil.example',
  'https:evil.example',
  'https:/evil.example',
  'http:///evil.example',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'blob:https://evil.example/1',
  'file:///etc/passwd',
  'mailto:a@evil.example',
  '//evil.example',
  '///evil.example',
  '////evil.example',
  '//evil.example/chats',
  '//evil.example:443',
  '//user@evil.example',
  '//evil.example%2F..',
  '/\\evil.example',
  '\\/evil.example',
  '\\\\evil.example',
  '\\evil.example',
  '/\\/evil.example',
  '/\\\\evil.example',
  '/chats\\..\\evil',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r/evil.example',
  '/\r\n/evil.example',
  '\t//evil.example',
  '\u0000//evil.example',
  '/\u0000/evil.example',
  '/ /evil.example',
  '/\u00a0/evil.example',
  '/\u2028/evil.example',
  '/\ufeff/evil.example',
  '\ufeff//evil.example',
  '/.//evil.example',
  '/./\u002fevil.example',
  '/..//evil.example',
  '/a/..//evil.example',
  '/a/../..//evil.example',
  '/%2e//evil.example',
  '/%2e%2e//evil.example',
  '/a/%2E%2E//evil.example',
  '//',
  '///',
  '/sign-in',
  '/sign-in?redirect=/sign-in',
  '/./sign-in',
  `/${'a'.repeat(2048)}`,
];

describe('NAV-6 A38 a redirect is followed only inside this site', () => {
  it(`refuses ${hostile.length} hostile values`, () => {
    expect(hostile.length).toBeGreaterThanOrEqual(60);
    for (const value of hostile) expect([value, safeRedirect(value, fallback)]).toEqual([value, fallback]);
  });

  it.each([
    ['/chats', '/chats'],
    ['/', '/'],
    ['/chat/f-1/c-2?from=mail&x=1#m-7', '/chat/f-1/c-2?from=mail&x=1#m-7'],
    ['/chats?next=https://evil.example', '/chats?next=https://evil.example'],
    ['/a/../chats', '/chats'],
    ['/%2F%2Fevil.example', '/%2F%2Fevil.example'],
    ['/census?unit=Ä', '/census?unit=%C3%84'],
  ])('follows %s', (wanted, followed) => {
    expect(safeRedirect(wanted, fallback)).toBe(followed);
  });

  it('never leaves the site, whatever it is given', () => {
    const alphabet = fc.constantFrom(
      '/',
      '\\',
      '.',
      ':',
      '@',
      '?',
      '#',
      '%',
      '2',
      'f',
      'e',
      'a',
      '\t',
      '\n',
      ' ',
      '\u0000',
      'ä',
    );
    const path = fc.oneof(
      fc.string(),
      fc.array(alphabet, { maxLength: 14 }).map((parts) => `/${parts.join('')}`),
    );
    fc.assert(
      fc.property(path, (wanted) => {
        const answer = safeRedirect(wanted, fallback);
        expect(answer).toMatch(/^\/(?!\/)/);
        expect(new URL(answer, 'https://ward.example').origin).toBe('https://ward.example');
        expect(safeRedirect(answer, fallback)).toBe(answer);
      }),
      { numRuns: 2000 },
    );
  });
});

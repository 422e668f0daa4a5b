import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linkParts } from './link-parts.ts';

const links = (body: string) => linkParts(body).flatMap((part) => (part.href ? [part.text] : []));

describe('CHAT-10 a message is text, and links in it are safe', () => {
  it.each([
    ['see https://bnf.example/insulin.', ['https://bnf.example/insulin']],
    ['(https://a.example/x_(y))', ['https://a.example/x_(y)']],
    ['http://a.example, https://b.example!', ['http://a.example', 'https://b.example']],
    ['javascript:alert(1) data:text/html,x ftp://a.example', []],
    ['https://bank.example@evil.example/x', []],
    ['https://', []],
    ['<script>alert(1)</script>', []],
  ])('%s', (body, expected) => {
    expect(links(body)).toEqual(expected);
  });

  it.each([
    ['see www.bnf.example/insulin.', [['www.bnf.example/insulin', 'https://www.bnf.example/insulin']]],
    ['ask lab@stbrigid.example, please', [['lab@stbrigid.example', 'mailto:lab@stbrigid.example']]],
    ['ring +49 (30) 901-820 now', [['+49 (30) 901-820', 'tel:+4930901820']]],
    ['Bleep 020 7946 0018.', [['020 7946 0018', 'tel:02079460018']]],
    ['MRN 40-118-236, K 6.8, 0.5 mg, 12:30, 2026-11-20, 02:45 00123', []],
    ['www.bank.example@evil.example', []],
    ['at 09:00 and 10:00', []],
  ])('F-U5 links addresses, mail and telephone numbers, and no figures of a patient: %s', (body, expected) => {
    expect(linkParts(body).flatMap(({ text, href }) => (href ? [[text, href]] : []))).toEqual(expected);
  });

  it('loses and adds no character', () => {
    const word = fc.constantFrom(
      'https://a.example/',
      'http://b',
      '.',
      ')',
      '(',
      ' ',
      '\n',
      'K 6.8',
      '<b>',
      '@',
      'www.a.example',
      'a@b.example',
      '+49 30 123456',
    );
    fc.assert(
      fc.property(fc.array(word), (text) => {
        const body = text.join('');
        expect(
          linkParts(body)
            .map((part) => part.text)
            .join(''),
        ).toBe(body);
      }),
    );
  });
});

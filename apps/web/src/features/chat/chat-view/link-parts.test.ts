import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linkParts } from './link-parts.ts';

const links = (body: string) => linkParts(body).flatMap((part) => (part.href ? [part.text] : []));

describe('CHAT-10 a message is text, and links in it are http(s) only', () => {
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

  it('loses and adds no character', () => {
    const word = fc.constantFrom('https://a.example/', 'http://b', '.', ')', '(', ' ', '\n', 'K 6.8', '<b>', '@');
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

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Block, type Inline, plainText, readMarkdown } from './message-markdown.ts';

/** As one would read it aloud, marks and all: for tests to compare. */
const show = (content: readonly Inline[]): string =>
  content
    .map((piece) => {
      switch (piece.type) {
        case 'text':
          return piece.text;
        case 'code':
          return `<code>${piece.text}</code>`;
        case 'link':
          return `<a ${piece.href}>${piece.text}</a>`;
        default:
          return `<${piece.type}>${show(piece.children)}</${piece.type}>`;
      }
    })
    .join('');
const showBlock = (block: Block): string => {
  if (block.type === 'code') return `[code]${block.text}`;
  if (block.type !== 'list') return (block.type === 'quote' ? '[quote]' : '') + show(block.content);
  return block.items.map(({ number, content }) => `[${number ?? '•'}]${show(content)}`).join('\n');
};
const read = (body: string) => readMarkdown(body).map(showBlock).join('\n');

describe('CHAT-22 a message knows a little Markdown', () => {
  it.each([
    ['**stop** the drip', '<strong>stop</strong> the drip'],
    ['*now*, or _soon_.', '<emphasis>now</emphasis>, or <emphasis>soon</emphasis>.'],
    ['**call _me_ now**', '<strong>call <emphasis>me</emphasis> now</strong>'],
    ['say `rm -rf *` twice', 'say <code>rm -rf *</code> twice'],
    ['see [the chart](https://a.example/x_(y)) now', 'see <a https://a.example/x_(y)>the chart</a> now'],
    ['**see www.a.example/_x_ now**', '<strong>see <a https://www.a.example/_x_>www.a.example/_x_</a> now</strong>'],
    ['- one\n- **two**\nthen', '[•]one\n[•]<strong>two</strong>\nthen'],
    ['3. third\n4) fourth', '[3.]third\n[4)]fourth'],
    ['> she said\n> no\nwell', '[quote]she said\nno\nwell'],
    ['```\nK  6.8\n*Na* 140\n```\nok', '[code]K  6.8\n*Na* 140\nok'],
    ['**كلمة** هنا', '<strong>كلمة</strong> هنا'],
  ])('%s', (body, expected) => {
    expect(read(body)).toBe(expected);
  });

  it.each([
    '5*3*2 mg, 2 *3* 4 and 2**3**2',
    'a_b_c, file_name_2.txt, __init__',
    '> 38.5 call me\n>140 too\n> .5',
    '- 5 mmol/L base excess\n- 3',
    'pH < 7.2, K > 6 * and ** alone, *** and ____',
    '* not closed\nhere* and **nor\nhere**',
    '`not closed',
    '```\nnor this',
    '<b>bold</b> <img src=x onerror=alert(1)>',
    '[words](javascript:alert(1)) [words](/local) [](https://a.example)',
  ])('leaves alone what only looks like it: %s', (body) => {
    const text = readMarkdown(body).map((block) =>
      block.type === 'code' ? '' : showBlock(block).replaceAll(/<a [^>]*>|<\/a>/g, ''),
    );
    expect(text.join('\n').replaceAll('[•]', '* ')).toBe(body);
  });

  it.each([
    '[https://bank.example](https://evil.example)',
    '[bank.example](https://evil.example)',
    '[lab@bank.example](https://evil.example)',
    '[words](https://bank.example@evil.example)',
  ])('shows no link under the name of another address: %s', (body) => {
    expect(read(body)).not.toMatch(/<a https:\/\/[^>]*evil[^>]*>(?!https:\/\/evil)/u);
  });

  const piece = fc.constantFrom(
    '*',
    '**',
    '_',
    '`',
    '```',
    '\n',
    ' ',
    '> ',
    '- ',
    '1. ',
    '[',
    '](',
    ')',
    'https://a.example/',
    'K',
    '6.8',
    'mg',
    'é',
    '5',
    '-',
    '<',
    '\uFFFC',
  );

  it('loses no letter and no figure, adds none, and changes no order', () => {
    const kept = (text: string) => text.replaceAll(/[^\p{L}\p{N}]/gu, '');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const body = pieces.join('');
        const links: string[] = [];
        const textOf = (content: readonly Inline[]): string =>
          content
            .map((part) => {
              if ('children' in part) return textOf(part.children);
              if (part.type === 'link' && part.href !== part.text) links.push(part.href);
              return part.text;
            })
            .join('');
        const shown = readMarkdown(body)
          .map((block) => {
            if (block.type === 'code') return block.text;
            if (block.type === 'list')
              return block.items.map((item) => (item.number ?? '') + textOf(item.content)).join('');
            return textOf(block.content);
          })
          .join('');
        // The address of a link with words of its own is the one thing that is not shown.
        const hidden = links.reduce((sum, href) => sum + kept(href).length, 0);
        expect(kept(shown).length + hidden).toBeGreaterThanOrEqual(kept(body).length);
        expect(kept(body).length).toBeGreaterThanOrEqual(kept(shown).length);
      }),
    );
  });

  it('CHAT-22 is told without its marks where there is one line for it, and no sign of a dose is lost', () => {
    expect(plainText('**K 6.1** for *bed 4*\n- repeat `now`\n1) call\n> as said')).toBe(
      'K 6.1 for bed 4\n• repeat now\n1) call\nas said',
    );
    for (const body of ['5*3*2 mg', '> 140 systolic', 'a_b', '- 5 mmol']) expect(plainText(body)).toBe(body);
  });

  it('reads the longest message of nothing but marks at once', () => {
    for (const unit of ['*a ', '**', '_a_', '`', '[a](', '> ', '- x\n', '**a', '*a*']) {
      const body = unit.repeat(Math.floor(8000 / unit.length));
      expect(readMarkdown(body).length).toBeGreaterThan(0);
    }
  });
});

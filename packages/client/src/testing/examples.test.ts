import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as examples from './examples.tsx';

const doc = readFileSync(new URL('../../../../docs/client-package.md', import.meta.url), 'utf8');
const source = readFileSync(new URL('./examples.tsx', import.meta.url), 'utf8');
const quotes = [...doc.matchAll(/^```tsx?\n([\s\S]*?)^```$/gm)].map(([, quote = '']) => quote);

it('what the document of this package shows is what the compiler has seen', () => {
  expect(quotes.length).toBeGreaterThan(5);
  for (const quote of quotes) expect(source).toContain(quote);
});

it('every example is shown in the document of this package', () => {
  for (const name of Object.keys(examples)) expect(quotes.join('')).toMatch(new RegExp(`export .*\\b${name}\\b`));
});

import { expect, test } from 'vitest';
import { findFormats } from './find-formats.mjs';

const FILE = 'apps/web/src/features/census/board/board-labels.ts';
const found = (code, file = FILE) => findFormats(file, code).length;

test.each([
  `new Intl.DateTimeFormat('en-GB', { hour: '2-digit' })`,
  `const formats = new Map<string, Intl.NumberFormat>();`,
  `count.toLocaleString('en-GB')`,
  `new Date(at).toLocaleTimeString()`,
  `value.toFixed(1)`,
  `new Date(at).toDateString()`,
  `String(hour).padStart(2, '0')`,
  `const MONTHS = ['Jan', 'Feb'];`,
  `return \`\${share} %\`;`,
  `return \`\${parts.join()}, \${share}%\`;`,
  '<span>{formatDecimal(share)} %</span>',
  '`Less than 90 % of reports`',
])('F-N16 %s is written past packages/format, and found', (code) => {
  expect(found(code)).toBe(1);
});

test.each([
  `const style = { transform: \`translateX(-\${100 - percent}%)\` };`,
  `const share = (size: number) => \`\${(100 * size) / most}%\`;`,
  `const part = \`%\${word}%\`;`,
  'const even = index % 2 === 0;',
  'formatPercent(share)',
  '/** `81.63 %`, as Intl.NumberFormat would write it. */',
  '// value.toFixed(1)',
  `id.padStart(12, '0')`,
])('F-N16 %s is no date, time or number for a person', (code) => {
  expect(found(code)).toBe(0);
});

test('F-N16 packages/format, tests and tools are free; line and remedy are told', () => {
  for (const file of ['packages/format/src/numbers.ts', 'apps/web/src/a.test.ts', 'tools/a.mjs', 'e2e/support/a.ts']) {
    expect(found('value.toFixed(1)', file), file).toBe(0);
  }
  expect(findFormats('apps/server/seeds/a.ts', '\n value.toFixed(1)')).toEqual([
    { line: 2, text: 'value.toFixed(1)', instead: 'formatRounded' },
  ]);
});

import { expect, test } from 'vitest';
import { excerptOf } from './excerpt.ts';
import { toTerms } from './search-terms.ts';

/** The excerpt with what was found between brackets. */
function shown(body: string, typed: string): string {
  const { excerpt, ranges } = excerptOf(body, toTerms(typed));
  return [...ranges]
    .reverse()
    .reduce((text, { start, end }) => `${text.slice(0, start)}[${text.slice(start, end)}]${text.slice(end)}`, excerpt);
}

test('CHAT-15 an excerpt marks what was found, in the text as it was written', () => {
  expect(shown('Fièvre à 39, K 5.2 and ok', 'fievre k')).toBe('[Fièvre] à 39, [K] 5.2 and ok');
  expect(shown('Hyperkalemia again', 'kalem')).toBe('Hyper[kalem]ia again');
  expect(shown('Pottery, potassium', 'potas')).toBe('Pottery, [potas]sium');
  expect(shown('Bed 9, then bed 10; bed  9', '"bed 9"')).toBe('[Bed 9], then bed 10; [bed  9]');
  expect(shown('K 3,8 at noon, 38 later', '3.8')).toBe('K [3,8] at noon, 38 later');
  expect(shown('Straße und ﬁbrillation', 'strasse fibril')).toBe('[Straße] und [ﬁbril]lation');
});

test('CHAT-15 an excerpt is one line around the first find, cut between words, with places that still fit', () => {
  const body = `${'Long before. '.repeat(20)}\nPotassium\t5.2 now. ${'And after. '.repeat(40)}potassium`;
  const { excerpt, ranges } = excerptOf(body, toTerms('potassium'));
  expect(excerpt).toMatch(/^…[A-Z ].* Potassium 5\.2 now\. .*[a-z.]…$/);
  expect(excerpt.length).toBeLessThanOrEqual(182);
  expect(ranges.map(({ start, end }) => excerpt.slice(start, end))).toEqual(['Potassium']);
});

test('CHAT-15 an excerpt cuts no sign in half, and finds marks that overlap once', () => {
  const { excerpt } = excerptOf(`k ${'😀'.repeat(200)}`, toTerms('k'));
  expect(excerpt.isWellFormed()).toBe(true);
  expect(shown('potassium', 'potas tassium')).toBe('[potassium]');
  expect(shown('Nothing of it', 'zzz')).toBe('Nothing of it');
});

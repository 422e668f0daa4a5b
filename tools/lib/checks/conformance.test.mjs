import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inRoot } from '../paths.mjs';
import { compareIds, idsOfList, listOfIds } from './conformance.mjs';

test('F-S8 an id that lost its last test and an id that is new are both named', () => {
  expect(compareIds(['A1', 'CEN-R2', 'R1'], ['R10', 'A1', 'R1'])).toEqual({
    ids: ['A1', 'R1', 'R10'],
    lost: ['CEN-R2'],
    added: ['R10'],
  });
});

test('the list is sorted by number, each id once, one a line, and read back as it was', () => {
  const text = listOfIds(['R10', 'CEN-10', 'R2', 'CEN-2', 'R10']);
  expect(text).toBe('CEN-2\nCEN-10\nR2\nR10\n');
  expect(idsOfList(text)).toEqual(['CEN-2', 'CEN-10', 'R2', 'R10']);
});

test('what docs/safeguards.md is shown by are requirements that have a test', () => {
  const rows = readFileSync(inRoot('docs', 'safeguards.md'), 'utf8').matchAll(/^\|.*\|([^|]*)\|$/gm);
  const named = [...rows].flatMap(([, last = '']) => last.match(/\b[A-Z]+(-[A-Z]*)?\d+\b/g) ?? []);
  expect(named.length).toBeGreaterThan(30);
  const known = idsOfList(readFileSync(inRoot('docs', 'requirements.txt'), 'utf8'));
  expect(named.filter((id) => !known.includes(id))).toEqual([]);
});

import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { SHARED_FILES, sharedFiles } from './shared-files.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const all = Object.entries(SHARED_FILES).flatMap(([file, parts]) => parts.map((part) => ({ file, part })));
const sources = (part: string) =>
  part.endsWith('/') ? [part] : ['.ts', '.tsx', '.js', '.mjs'].map((ending) => part + ending);

it('PERF-4 every part that is to share a file exists, and is named once', () => {
  const gone = all.filter(({ part }) => !sources(part).some((source) => existsSync(path.join(ROOT, source))));
  expect(gone).toEqual([]);
  expect(new Set(all.map(({ part }) => part)).size).toBe(all.length);
});

it('PERF-4 a part is known by its whole name, whatever ending and place it has', () => {
  const testOf = (file: string) => sharedFiles.flatMap((one) => (one.name === file && 'test' in one ? [one.test] : []));
  const [census] = testOf('census');
  expect(census?.test('/any/place/packages/census/src/balance.ts')).toBe(true);
  expect(census?.test('/any/place/packages/census/src/balance.test.ts')).toBe(false);
  expect(census?.test('/any/place/packages/contract/src/census/day.ts')).toBe(false);
  const [page] = testOf('page');
  expect(page?.test('/any/place/packages/ui/src/tooltip/use-tip.ts')).toBe(true);
});

import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { inRoot } from '../paths.mjs';
import { allTestFiles, filesWithOwnModules } from './test-files.mjs';
import { LONGEST, TestOrder } from './test-order.mjs';

describe('OPS-2 the order of the tests', () => {
  // As by day, whatever order this run is in.
  beforeEach(() => void vi.stubEnv('WARDLINE_ORDER', ''));
  afterEach(() => void vi.unstubAllEnvs());

  test('OPS-2 each file that is named as long exists', () => {
    const names = allTestFiles().map((file) => basename(file));
    expect(LONGEST.filter((name) => !names.includes(name))).toEqual([]);
  });

  test('OPS-2 files of one project and environment stand together, the longest first', async () => {
    const specification = (project, file) => ({ project: { name: project }, moduleId: inRoot('apps', file) });
    const board = 'web/src/features/census/board';
    const files = [
      specification('web', join(board, 'forecast-labels.test.ts')),
      specification('server', 'server/src/app/listen.test.ts'),
      specification('web', join(board, 'board-pictures.test.tsx')),
      specification('web', 'web/src/features/chat/core/link-parts.test.ts'),
      specification('server', 'server/src/app/csrf.test.ts'),
      specification('web', join(board, 'board-screen.test.tsx')),
    ];
    const sorted = await TestOrder.prototype.sort(files);
    expect(sorted.map(({ moduleId }) => basename(moduleId))).toEqual([
      'board-screen.test.tsx',
      'board-pictures.test.tsx',
      'forecast-labels.test.ts',
      'csrf.test.ts',
      'listen.test.ts',
      'link-parts.test.ts',
    ]);
  });

  test('OPS-2 WARDLINE_ORDER makes another order, the same each time, in which kinds still stand together', async () => {
    const files = allTestFiles().map((file) => ({ project: { name: 'one' }, moduleId: file }));
    const orderOf = async (seed) => {
      vi.stubEnv('WARDLINE_ORDER', seed);
      return (await TestOrder.prototype.sort(files)).map(({ moduleId }) => moduleId);
    };
    const [usual, first, again, second] = [
      await orderOf(''),
      await orderOf('1'),
      await orderOf('1'),
      await orderOf('2'),
    ];
    expect(again).toEqual(first);
    expect(new Set([usual, first, second].map((order) => order.join())).size).toBe(3);
    expect(first.toSorted()).toEqual(usual.toSorted());
    const inBrowser = first.map((file) => /^.*happy-dom/.test(readFileSync(file, 'utf8')));
    expect(inBrowser.filter((is, index) => is !== inBrowser[index - 1])).toHaveLength(2);
  });

  test('OPS-2 a file that replaces modules is known as one, and no other is', () => {
    const mocking = filesWithOwnModules('apps/server').map((file) => basename(file));
    expect(mocking).toContain('sign-in.test.ts');
    expect(mocking).not.toContain('csrf.test.ts');
  });
});

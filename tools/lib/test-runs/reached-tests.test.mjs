import { describe, expect, test } from 'vitest';
import { askedByImport, reachedTests } from './reached-tests.mjs';

const TESTS = [
  'apps/server/src/features/census/core/day.test.ts',
  'apps/server/src/features/chat/messages/send.test.ts',
  'apps/server/src/features/chat/chat.test.ts',
  'apps/web/src/features/chat/list.test.tsx',
  'packages/census/src/rules.test.ts',
];

describe('OPS-2 the tests that a change reaches', () => {
  test('OPS-2 a file of the server reaches the tests of its folder and those below, and no other feature', () => {
    expect(reachedTests(['apps/server/src/features/chat/routes.ts'], TESTS)).toEqual([TESTS[1], TESTS[2]]);
    expect(reachedTests(['apps/server/src/features/chat/messages/send.ts'], TESTS)).toEqual([TESTS[1]]);
  });

  test('OPS-2 a changed test reaches itself, and a file at the top of an app no more than what lies beside it', () => {
    expect(reachedTests([TESTS[4]], TESTS)).toEqual([TESTS[4]]);
    expect(reachedTests(['apps/web/vite.config.ts', 'README.md'], TESTS)).toEqual([]);
  });

  test('OPS-2 imports are asked of for the client and the packages', () => {
    const changed = ['apps/web/src/app/a.tsx', 'packages/ui/src/a.css', 'apps/server/src/a.ts', 'packages/ui/src/b.ts'];
    expect(askedByImport(changed)).toEqual(['apps/web/src/app/a.tsx', 'packages/ui/src/b.ts']);
  });
});

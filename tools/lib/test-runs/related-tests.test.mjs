import { expect, test } from 'vitest';
import { createRelatedTests } from './related-tests.mjs';

const files = {
  'packages/one/src/a.ts': '',
  'packages/one/src/a.test.ts': "import { a } from './a.ts';",
  'packages/one/src/far/c.test.ts': "import { b } from '#/b.ts';",
  'packages/one/src/b.ts': "import {\n  a,\n} from './a.ts';",
  'packages/one/src/b.test.ts': "import { b } from './b.ts';",
  'packages/one/src/near.test.ts': "const a = await import('./a.ts');",
  'apps/two/src/d.ts': "export { a } from '@wardline/one/a.ts';",
  'apps/two/src/d.test.ts': "import { d } from '#/d.ts';",
  'apps/two/src/stranger.test.ts': "import pg from 'pg';",
};
const testsOf = createRelatedTests(Object.keys(files), (file) => files[file]);

test('the test beside a file comes first, then those that import it themselves, then the nearest', () => {
  expect(testsOf('packages/one/src/a.ts')).toEqual([
    'packages/one/src/a.test.ts',
    'packages/one/src/near.test.ts',
    'packages/one/src/b.test.ts',
    'packages/one/src/far/c.test.ts',
    'apps/two/src/d.test.ts',
  ]);
});

test('what nobody imports has no tests', () => {
  expect(testsOf('apps/two/src/d.ts')).toEqual(['apps/two/src/d.test.ts']);
  expect(testsOf('apps/two/src/new.ts')).toEqual([]);
});

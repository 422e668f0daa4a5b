import { expect, test } from 'vitest';
import { crowdedFolders, idleExceptions } from './crowded-folders.mjs';

const FOLDER = 'apps/web/src/features/census/board';
const inFolder = (count, ending = '.ts', folder = FOLDER) =>
  Array.from({ length: count }, (_, at) => `${folder}/part-${at}${ending}`);

test('20 files are a folder, one more has to be split', () => {
  expect(crowdedFolders(inFolder(20), {})).toEqual([]);
  expect(crowdedFolders(inFolder(21), {})).toEqual([{ folder: FOLDER, count: 21, most: 20 }]);
});

test.each([
  ['tests', inFolder(5, '.test.ts')],
  ['style sheets of components', [...inFolder(1, '.tsx', `${FOLDER}/card`), `${FOLDER}/part-0.module.css`]],
  ['what lies in a folder below', inFolder(5, '.ts', `${FOLDER}/cards`)],
  ['what is made', inFolder(5, '.gen.ts')],
  ['texts and recorded plans', [...inFolder(5, '.md'), ...inFolder(5, '.1.txt')]],
])('%s do not count', (_what, more) => {
  expect(crowdedFolders([...inFolder(20, '.tsx'), ...more], {})).toEqual([]);
});

test.each([
  ['a journey', [`${FOLDER}/board.spec.ts`]],
  ['a style sheet without a component', [`${FOLDER}/board.module.css`]],
  ['a function of the database', [`${FOLDER}/count_beds.sql`]],
])('%s counts', (_what, more) => {
  expect(crowdedFolders([...inFolder(20, '.tsx'), ...more], {})).toHaveLength(1);
});

test('migrations and fixtures only grow, and are free', () => {
  expect(crowdedFolders(inFolder(90, '.sql', 'apps/server/db/migrations'), {})).toEqual([]);
  expect(crowdedFolders(inFolder(90, '.ts', 'packages/census/fixtures/days'), {})).toEqual([]);
});

test('an exception has a limit of its own, and goes when it is not needed', () => {
  const exceptions = { [FOLDER]: { most: 24, reason: 'one file a card' } };
  expect(crowdedFolders(inFolder(24), exceptions)).toEqual([]);
  expect(crowdedFolders(inFolder(25), exceptions)).toEqual([{ folder: FOLDER, count: 25, most: 24 }]);
  expect(idleExceptions(inFolder(21), exceptions)).toEqual([]);
  expect(idleExceptions(inFolder(20), exceptions)).toEqual([FOLDER]);
});

import { expect, test } from 'vitest';
import { requirementIds, testTitles } from './test-titles.mjs';

test.each([
  ["test('one', () => {})", ['one']],
  ["describe('all', { timeout: 5 }, () => { it('one', run); });", ['one']],
  ["test.skipIf(!isRoot || !f())(\n  'below',\n  async () => {},\n)", ['below']],
  ["test.each([\n  ['a (b', 1],\n  ['c', f(2)],\n])('of %s', run)", ['of %s']],
  ['test.each`a | b\n1 | 2`("table $a", run)', ['table $a']],
  ["test.each<[string]>([['x']])('typed %s', run)", ['typed %s']],
  ['test("it\'s", run); test(`tick`, run)', ["it's", 'tick']],
  ["context.test('no', run); const test = 1; contest('no')", []],
  ["await test.step('a step', run)", ['a step']],
])('finds the titles in %j', (source, titles) => {
  expect(testTitles(source)).toEqual(titles);
});

test.each([
  ['CHAT-1 NAV-3: sent once', ['CHAT-1', 'NAV-3']],
  ['A16, R5 and I1 hold', ['A16', 'R5', 'I1']],
  ['RT-1 RT-G1 RTA-2 PERF-2 AUTH-1 HTTP-3', ['RT-1', 'RT-G1', 'RTA-2', 'PERF-2', 'AUTH-1', 'HTTP-3']],
  ['stores UTF-8 and SHA-256, answers HTTP-404, by ISO-8601', []],
  ['R1 twice R1', ['R1']],
  ['CEN-3 CEN-R7 A16 a refusal of the census', ['CEN-3', 'CEN-R7', 'A16']],
  ['CEN-8 R23 a goal of reliability beside a CEN id', ['CEN-8', 'R23']],
  ['F-S8 F-N14 found in use', ['F-S8', 'F-N14']],
  ['CEN-6 divides last (fixtures A13, A15), and A46 stays', ['CEN-6', 'A46']],
])('reads the ids of %j', (title, ids) => {
  expect(requirementIds(title)).toEqual(ids);
});

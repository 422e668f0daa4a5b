import { expect, it } from 'vitest';
import { formatChange } from './log-change-labels.ts';

const LONG = 'Two beds of bay 3 are closed.';

it('CEN-7 a change is said with what was and what is, and of a long text only that it changed', () => {
  const change = { key: 'remark', label: 'Remark', before: '3', after: '4', isComputed: false };
  expect(formatChange(change)).toBe('remark 3 → 4');
  expect(formatChange({ ...change, before: LONG })).toBe('the remark');
  expect(formatChange({ ...change, after: LONG })).toBe('the remark');
  expect(formatChange({ ...change, label: 'Why the head count differs', after: LONG })).toBe(
    'why the head count differs',
  );
  expect(formatChange({ ...change, key: 'rn_hours', label: 'RN hours' })).toBe('RN hours 3 → 4');
});

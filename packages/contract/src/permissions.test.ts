import { expect, it } from 'vitest';
import { canGrant, PERMISSIONS } from './permissions.ts';

it('PERM-1 permissions are names with a dot, each once; the four of the census’s pages are as the specification fixes them', () => {
  for (const name of PERMISSIONS) expect(name).toMatch(/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/);
  expect(new Set(PERMISSIONS).size).toBe(PERMISSIONS.length);
  expect(PERMISSIONS).toEqual(
    expect.arrayContaining(['census.view', 'census.logs', 'census.report_units', 'census.report_summary']),
  );
});

it.each([
  ['with nothing, a role that allows nothing', [], [], true],
  ['with nothing, one that allows anything', [], ['census.view'], false],
  ['what one has oneself', ['audit.view'], ['audit.view'], true],
  ['the everyday, who manages members', ['members.manage'], ['census.approve', 'examinations.sign'], true],
  [
    'what decides over others, who manages members alone',
    ['members.manage'],
    ['census.view', 'facility.manage'],
    false,
  ],
  ['the keeping of records, who manages members alone', ['members.manage'], ['records.manage'], false],
])('PERM-2 may be given: %s', (_what, own, role, isAllowed) => {
  expect(canGrant(own, role)).toBe(isAllowed);
});

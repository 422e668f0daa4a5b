// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { fakeSums } from '#/features/census/summary/testing/fake-summary.tsx';
import { measureGroups } from './measure-rows.ts';

/** The rows of all patients, of whom so many were there for observation only. */
function rowsWith(observation: number, from?: string, to?: string) {
  const summary = fakeSums(from, to);
  const adults = { ...summary.total.adult_and_child, observation };
  const [all] = measureGroups({ ...summary, total: { ...summary.total, adult_and_child: adults } });
  return (all?.rows ?? []).map(({ label, value, from: text }) => [label, value, text]);
}

describe('CEN-6 patients who are there for observation only', () => {
  it('CEN-6 1.3 of a day are in one figure and not in the other', () => {
    expect(rowsWith(3).slice(0, 4)).toEqual([
      ['Inpatients at the census hour', '49', '40 adults and children + 9 newborn'],
      ['Inpatients without observation', '46', '49 − 3 observation patients'],
      ['Inpatient service days', expect.anything(), expect.anything()],
      ['Service days without observation', expect.anything(), expect.anything()],
    ]);
  });

  it('CEN-6 1.3 of a period are told by their service days, and where there are none nothing is said', () => {
    const labels = rowsWith(1, '2026-11-01', '2026-11-30').map(([label]) => label);
    expect(labels.slice(0, 2)).toEqual(['Inpatient service days', 'Service days without observation']);
    expect(rowsWith(0).map(([label]) => label)).not.toContain('Inpatients without observation');
  });
});

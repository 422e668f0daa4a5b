// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { screen } from '@testing-library/react';
import type { SignedDay, SignedRestatement } from '@wardline/contract/census/day.ts';
import { getCensusSummary } from '@wardline/contract/census/summary.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { date, fakeDay, fakeSigned, fakeSums, ids, owen, setUpSummary, signed } from '../testing/fake-summary.tsx';

beforeEach(() => void vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-GB']));

/** ICU is in, and SUR 2B was counted one short. */
function completeDay() {
  const day = fakeDay({ ...signed, units_submitted: 4 });
  const units = day.units.map((unit) => {
    const { counts } = unit;
    if (unit.unit_id === ids.sur) return { ...unit, status: 'approved' as const, counts: { ...counts, counted: 17 } };
    if (unit.unit_id !== ids.icu) return unit;
    const figures = { opening: 9, closing: 9, present: 9, service_days: 9 };
    return { ...unit, ...figures, status: 'approved' as const, counts: { ...counts, admissions: 0, counted: 9 } };
  });
  return { ...day, units };
}

const restated: SignedRestatement = {
  unit_id: ids.med,
  unit_code: 'MED 3A',
  population: 'adult_and_child',
  at: '2026-11-21T10:05:00Z',
  by: owen,
  reason: 'A discharge slip came late',
  reason_code: 'late_slip',
  changes: [
    { field: 'opening', from: 24, to: 23 },
    { field: 'closing', from: 22, to: 21 },
    { field: 'present', from: 22, to: 21 },
    { field: 'service_days', from: 22, to: 21 },
    { field: 'variance', from: 0, to: 1 },
    { field: 'variance_reason', from: null, to: 'The opening was restated: A discharge slip came late' },
  ],
};

/** The day as it is now: MED 3A opened with one less. */
function dayNow() {
  const day = completeDay();
  const now = { opening: 23, closing: 21, present: 21, service_days: 21 };
  return { ...day, units: day.units.map((unit) => (unit.unit_id === ids.med ? { ...unit, ...now } : unit)) };
}

async function sheetsOf(print: 'day' | 'units', signedDay: SignedDay, day = dayNow()): Promise<HTMLElement[]> {
  setUpSummary({ day, signedDay, search: `by=day&from=${date}&to=${date}&print=${print}` }).draw();
  return screen.findAllByRole('article');
}

const rowsOf = (sheet: HTMLElement | undefined, table: number) =>
  [...(sheet?.querySelectorAll('table')[table]?.querySelectorAll('tr') ?? [])].map(({ children }) =>
    [...children].map(({ textContent }) => textContent),
  );
const textsOf = (sheet: HTMLElement | undefined) =>
  [...(sheet?.querySelectorAll('.sheet-body p') ?? [])].map(({ textContent }) => textContent);

describe('F-N1 CEN-6 the sheet of a signed day', () => {
  it('F-N1 CEN-6 prints line by line what was signed, with head counts and variances, and beside it what was restated since', async () => {
    const [sheet] = await sheetsOf('day', fakeSigned(completeDay(), [restated]));
    expect(rowsOf(sheet, 0)).toEqual([
      [
        'Unit',
        'Opening',
        'Adm.',
        'Births',
        'Trf in',
        'Disch.',
        'Deaths',
        '<48 h',
        'Trf out',
        'Closing',
        'Leave',
        'Counted',
        'Var.',
        'Same day',
        'Service days',
        'Staffed',
        'Occ. %',
        'Report',
      ],
      [
        'MED 3A',
        '24',
        '5',
        '0',
        '1',
        '4',
        '1',
        '0',
        '3',
        '22',
        '0',
        '22',
        '0',
        '0',
        '22',
        '28',
        '78.57',
        'approved, 00:44; restated since',
      ],
      [
        'SUR 2B',
        '18',
        '2',
        '0',
        '2',
        '3',
        '0',
        '0',
        '1',
        '18',
        '0',
        '17',
        '−1',
        '0',
        '18',
        '28',
        '64.29',
        'approved, late, 01:52',
      ],
      ['ICU', '9', '0', '0', '0', '0', '0', '0', '0', '9', '0', '9', '0', '0', '9', '28', '32.14', 'approved'],
      ['NUR', '8', '0', '4', '0', '3', '0', '0', '0', '9', '0', '9', '0', '0', '9', '14', '64.29', 'approved, 00:44'],
      [
        'Reports that are in',
        '59',
        '7',
        '4',
        '3',
        '10',
        '1',
        '0',
        '4',
        '58',
        '0',
        '57',
        '−1',
        '0',
        '58',
        '98',
        '',
        '4 of 4',
      ],
    ]);
    const why = ['Sat 21 Nov 2026, 10:05:00 UTC+00:00, Owen Hart', 'late slip: A discharge slip came late'];
    expect(rowsOf(sheet, 1)).toEqual([
      ['Unit', 'Figure', 'Was', 'Restated to', 'When, by whom', 'Why'],
      ['MED 3A', 'Opening', '24', '23', ...why],
      ['MED 3A', 'Closing', '22', '21', ...why],
      ['MED 3A', 'Present', '22', '21', ...why],
      ['MED 3A', 'Service days', '22', '21', ...why],
      ['MED 3A', 'Variance', '0', '+1', ...why],
      ['MED 3A', 'Why the head count differs', '–', 'The opening was restated: A discharge slip came late', ...why],
      ['All units', 'Opening', '59', '58', '', ''],
      ['All units', 'Closing', '58', '57', '', ''],
      ['All units', 'Present', '58', '57', '', ''],
      ['All units', 'Service days', '58', '57', '', ''],
    ]);
    expect(textsOf(sheet)).toEqual([
      '4 of 4 units in; 1 late.',
      'SUR 2B, head count −1: One patient left at 23:58.',
      'Signed by Owen Hart, Fri 20 Nov 2026, 09:12:00 UTC+00:00. The figures are those that were signed.',
    ]);
    const foot = sheet?.querySelector('footer')?.textContent;
    expect(foot).toContain('Complete: 4 of 4 reports, 100.00 %.');
    expect(foot).toContain(`: ab12cd34. SHA-256 of what was signed: ${'ef56'.repeat(16)}`);
  });

  it('F-N1 CEN-6 the measures on it are of what was signed', async () => {
    const [sheet] = await sheetsOf('day', fakeSigned(completeDay(), [restated]));
    const measure = (name: string) =>
      [...(sheet?.querySelectorAll('.sum-figures tr') ?? [])].find(({ textContent }) => textContent?.startsWith(name));
    expect(measure('Inpatients at the census hour')?.textContent).toContain('49 adults and children + 9 newborn');
    expect(measure('Occupancy, staffed beds')?.textContent).toContain('49 service days ÷ 84 staffed bed days');
  });

  it('F-N1 CEN-6 the sheet of a unit prints what was signed of it, and what was restated of it alone', async () => {
    const [med, sur] = await sheetsOf('units', fakeSigned(completeDay(), [restated]));
    const figures = new Map(rowsOf(med, 0).map(([label = '', figure]) => [label, figure]));
    expect([figures.get('Opening'), figures.get('Head count'), figures.get('Closing')]).toEqual(['24', '22', '22']);
    expect(figures.get('Variance of the head count')).toBe('0');
    expect(rowsOf(med, 1).map(([unit, figure, was, to]) => [unit, figure, was, to])).toContainEqual([
      'MED 3A',
      'Closing',
      '22',
      '21',
    ]);
    expect(
      new Map(rowsOf(sur, 0).map(([label = '', figure]) => [label, figure])).get('Variance of the head count'),
    ).toBe('−1');
    expect(textsOf(sur)).toContain('Nothing of it was restated since.');
  });

  it.each([
    ['rebuilt', /^Signed by Owen Hart, .* The figures were rebuilt: .* come to the totals of the signature/, '22'],
    ['unknown', /^Signed by Owen Hart, .* The figures are today’s, not those that were signed: /, '21'],
    ['changed', /^Signed by Owen Hart, .* Those kept with the signature were changed since/, '21'],
  ] as const)('F-N1 CEN-6 says so where what was signed is %s', async (source, sentence, closing) => {
    const figures = source === 'rebuilt' ? completeDay() : dayNow();
    const { signed: kept } = fakeSigned(figures);
    const [sheet] = await sheetsOf('day', { signed: kept && { ...kept, source }, earlier: [] });
    expect(textsOf(sheet).some((text) => sentence.test(text ?? ''))).toBe(true);
    expect(textsOf(sheet).includes('Nothing of it was restated since.')).toBe(source === 'rebuilt');
    expect(rowsOf(sheet, 0)[1]?.[9]).toBe(closing);
  });

  it('F-N1 CEN-3 of a reopened day says why, and which signature does not hold any more', async () => {
    const reopened = { ...dayNow(), ...{ signed_at: null, signed_by: null, log_head: null } };
    const day = { ...reopened, status: 'reopened' as const, reopen_reason: 'A slip came late' };
    const earlier = [{ signed_at: '2026-11-20T09:12:00Z', signed_by: owen, hash: 'cd34' }];
    const [sheet] = await sheetsOf('day', { signed: null, earlier }, day);
    expect(textsOf(sheet)).toEqual(
      expect.arrayContaining([
        'Reopened, not signed again: A slip came late',
        'Signed before, by Owen Hart, Fri 20 Nov 2026, 09:12:00 UTC+00:00, and reopened since. SHA-256 of what was signed then: cd34',
      ]),
    );
    expect(sheet?.textContent).not.toContain('The figures are those that were signed.');
  });

  it.each(['month', 'doh'])(
    'F-N1 CEN-6 the sheet of a period (%s) says how many reports are not what was signed',
    async (print) => {
      const { api, draw } = setUpSummary({ search: `by=month&from=2026-11-01&print=${print}` });
      api.on(getCensusSummary, ({ query }) => ({ ...fakeSums(query.from, query.to), amended_since_signed: 2 }));
      draw();
      const sheet = await screen.findByRole('article');
      expect(sheet.textContent).toContain('2 reports were corrected or restated since the day was signed.');
    },
  );
});

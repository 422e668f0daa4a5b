// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { fakeDay, fakeSums, ids } from '#/features/census/summary/testing/fake-summary.tsx';
import { dayTransfers, gapOf, periodTransfers, transferPictures } from './transfer-labels.ts';

const [med, sur] = ['med', 'sur'];
const units = [
  { unit_id: med, unit_code: 'MED 3A', population: 'adult_and_child' as const, isIncomplete: false, isOut: false },
  { unit_id: sur, unit_code: 'SUR 2B', population: 'adult_and_child' as const, isIncomplete: false, isOut: false },
];
const moves = (out: number, into: number, gap: number) => [
  { from_unit_id: med, to_unit_id: sur, population: 'adult_and_child' as const, out_count: out, in_count: into, gap },
];

it('CEN-6 a unit of which nothing is in is told to the matrix, of a day and of a longer period', () => {
  const toIcu = [
    {
      from_unit_id: ids.med,
      to_unit_id: ids.icu,
      population: 'adult_and_child' as const,
      out_count: 1,
      in_count: null,
      gap: 0,
    },
  ];
  const outIn = (pictures: ReturnType<typeof dayTransfers>) =>
    pictures.flatMap((picture) => picture.units.map(({ label, isOut }) => [label, isOut]));
  const expected = [
    ['MED 3A', false],
    ['ICU', true],
  ];
  expect(outIn(dayTransfers({ ...fakeDay(), transfers: toIcu }))).toEqual(expected);
  const sums = fakeSums();
  expect(outIn(periodTransfers({ ...sums, transfers: toIcu }))).toEqual(expected);
  const partly = sums.units.map((unit) => ({ ...unit, sums: { ...unit.sums, units_reported: 1, units_expected: 31 } }));
  expect(outIn(periodTransfers({ ...sums, units: partly, transfers: toIcu }))[1]).toEqual(['ICU', false]);
});

describe('CEN-6 CEN-R7 the gaps of transfers', () => {
  it.each([
    [6, 5, 1, 'MED 3A sent 6, SUR 2B received 5'],
    [5, 5, 2, 'MED 3A sent 5, SUR 2B received 5; on single days they differ by 2 in all'],
    [6, 5, 3, 'MED 3A sent 6, SUR 2B received 5; on single days they differ by 3 in all'],
  ])('CEN-6 CEN-R7 %i sent and %i received with a gap of %i are told as %j', (out, into, gap, text) => {
    const pictures = transferPictures(moves(out, into, gap), units);
    expect(pictures[0]?.gaps.map((one) => one.text)).toEqual([text]);
    expect(pictures[0]?.cells).toMatchObject([{ out, in: into, gap, isMissing: false }]);
    expect(gapOf(pictures)).toBe(gap);
  });
});

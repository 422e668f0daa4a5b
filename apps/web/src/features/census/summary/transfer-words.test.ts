// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { gapOf, transferPictures } from './transfer-words.ts';

beforeEach(() => void vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-GB']));

const [med, sur] = ['med', 'sur'];
const units = [
  { unit_id: med, unit_code: 'MED 3A', class: 'adult_child' as const, isIncomplete: false },
  { unit_id: sur, unit_code: 'SUR 2B', class: 'adult_child' as const, isIncomplete: false },
];
const moves = (out: number, into: number, gap: number) => [
  { from_unit_id: med, to_unit_id: sur, class: 'adult_child' as const, out_count: out, in_count: into, gap },
];

describe('CEN-6 R7 the gaps of transfers', () => {
  it.each([
    [6, 5, 1, 'MED 3A sent 6, SUR 2B received 5'],
    [5, 5, 2, 'MED 3A sent 5, SUR 2B received 5; on single days they differ by 2 in all'],
    [6, 5, 3, 'MED 3A sent 6, SUR 2B received 5; on single days they differ by 3 in all'],
  ])('CEN-6 R7 %i sent and %i received with a gap of %i are told as %j', (out, into, gap, words) => {
    const pictures = transferPictures(moves(out, into, gap), units);
    expect(pictures[0]?.gaps.map((one) => one.words)).toEqual([words]);
    expect(pictures[0]?.cells).toMatchObject([{ out, in: into, gap, isMissing: false }]);
    expect(gapOf(pictures)).toBe(gap);
  });
});

import type { Region } from '@wardline/contract/examinations/regions.ts';
import { describe, expect, it } from 'vitest';
import { isSameRegions, regionError } from './regions.ts';

const region = (over: Partial<Region>): Region => ({
  ...{ attachment_id: '01890000-0000-7000-8000-000000000001', shape: 'rectangle' as const },
  ...{ x: 0.1, y: 0.1, width: 0.2, height: 0.2 },
  ...over,
});

describe('a marked place', () => {
  it.each<[string, Partial<Region>]>([
    ['a part of the picture', {}],
    ['all of it', { x: 0, y: 0, width: 1, height: 1 }],
    ['up to the edge, by shares that were rounded', { x: 0.7, width: 0.1 + 0.2 }],
    ['a point at the edge', { shape: 'point', x: 1, y: 1, width: 0, height: 0 }],
  ])('EXAM-3 can be %s', (_what, over) => {
    expect(regionError(region(over))).toBeNull();
  });

  it.each<[string, Partial<Region>]>([
    ['A marked place has no size.', { width: 0 }],
    ['A marked place has no size.', { height: 0 }],
    ['A point has no size.', { shape: 'point', height: 0 }],
    ['A point has no size.', { shape: 'point', width: 0 }],
    ['A marked place lies outside its picture.', { x: 0.9 }],
    ['A marked place lies outside its picture.', { y: 0.9 }],
  ])('EXAM-3 is refused with “%s” for %o', (error, over) => {
    expect(regionError(region(over))).toBe(error);
  });

  it('EXAM-3 is the same as another where every part is, in the same order', () => {
    const [one, other] = [region({}), region({ x: 0.3 })];
    expect(isSameRegions()).toBe(true);
    expect(isSameRegions([], undefined)).toBe(true);
    expect(isSameRegions([one, other], [region({}), region({ x: 0.3 })])).toBe(true);
    expect(isSameRegions([one, other], [other, one])).toBe(false);
    expect(isSameRegions([one], [one, other])).toBe(false);
    expect(isSameRegions([one], [region({ frame: 2 })])).toBe(false);
  });
});

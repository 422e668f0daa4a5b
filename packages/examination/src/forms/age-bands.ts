import type { PatientSex, ReferenceRange } from '@wardline/contract/examinations/examinations.ts';
import type { Age } from '../age.ts';

/** In years and months of the same length: exact among days, and among months and years. */
const DAYS: Readonly<Record<Age['unit'], number>> = { d: 1, mo: 30.4375, a: 365.25 };
const NAMES: Readonly<Record<Age['unit'], readonly [one: string, more: string]>> = {
  d: ['day', 'days'],
  mo: ['month', 'months'],
  a: ['year', 'years'],
};

const toDays = ({ value, unit }: Age) => value * DAYS[unit];

/** An age in words: `28 days`. */
export function formatAge({ value, unit }: Age): string {
  return `${value} ${NAMES[unit][value === 1 ? 0 : 1]}`;
}

/** For whom a range is, in words: `women, 18 years and over`; `everybody` where it says nobody. */
export function formatBand({ sex, age_from, age_to }: ReferenceRange): string {
  const ages =
    age_from && age_to
      ? `${formatAge(age_from)} to under ${formatAge(age_to)}`
      : age_from
        ? `${formatAge(age_from)} and over`
        : age_to
          ? `under ${formatAge(age_to)}`
          : null;
  const who = sex === 'female' ? 'female' : sex === 'male' ? 'male' : null;
  return [who, ages].filter(Boolean).join(', ') || 'everybody';
}

/** True where a band ends before it begins, or where it begins. */
export function isEmptyBand({ age_from, age_to }: ReferenceRange): boolean {
  return age_from !== undefined && age_to !== undefined && toDays(age_from) >= toDays(age_to);
}

/** True where somebody is in both: only one of them would ever be used. */
export function bandsOverlap(a: ReferenceRange, b: ReferenceRange): boolean {
  if (a.sex && b.sex && a.sex !== b.sex) return false;
  return begin(a) < end(b) && begin(b) < end(a);
}

const begin = ({ age_from }: ReferenceRange) => (age_from ? toDays(age_from) : 0);
const end = ({ age_to }: ReferenceRange) => (age_to ? toDays(age_to) : Number.POSITIVE_INFINITY);

/** For whom no range holds although the field has some, each in words. */
export function missingBands(ranges: readonly ReferenceRange[]): string[] {
  if (ranges.length === 0) return [];
  const [women, men] = [gapsOf(ranges, 'female'), gapsOf(ranges, 'male')];
  const both = women.filter((gap) => men.includes(gap));
  return [
    ...both,
    ...women.filter((gap) => !both.includes(gap)).map((gap) => `female, ${gap}`),
    ...men.filter((gap) => !both.includes(gap)).map((gap) => `male, ${gap}`),
  ];
}

function gapsOf(all: readonly ReferenceRange[], sex: PatientSex): string[] {
  const bands = all
    .filter((range) => range.sex === undefined || range.sex === sex)
    .toSorted((a, b) => begin(a) - begin(b));
  if (bands.length === 0) return ['any age'];
  const gaps: string[] = [];
  let reached: ReferenceRange | null = null;
  for (const band of bands) {
    if (begin(band) > (reached ? end(reached) : 0)) {
      gaps.push(formatBand({ ...(reached?.age_to && { age_from: reached.age_to }), age_to: band.age_from }));
    }
    if (reached === null || end(band) > end(reached)) reached = band;
  }
  if (reached?.age_to) gaps.push(formatBand({ age_from: reached.age_to }));
  return gaps;
}

import { exactRatio } from '../ratio.ts';

/** What a point of a control chart gives away: the rules of Shewhart that are used with individual values. */
export type Signal = 'beyond_limits' | 'one_side' | 'trend';

/** A line of the chart: as exact text with two decimals, and as the nearest number to draw it at. */
export interface ControlLine {
  readonly text: string;
  readonly value: number;
}

/** An XmR chart: each value, and how far it lies from the one before, with the limits that both keep by chance. */
export interface ControlChart {
  readonly values: readonly (number | null)[];
  /** Each value’s distance to the day before; null for the first and beside a gap. */
  readonly ranges: readonly (number | null)[];
  readonly mean: ControlLine;
  readonly meanRange: ControlLine;
  readonly upper: ControlLine;
  readonly lower: ControlLine;
  readonly rangeLimit: ControlLine;
  /** The places of ranges past their limit: a jump from one value to the next that is more than chance. */
  readonly jumps: readonly number[];
  /** Where the chart says that more than chance was at work, by place; the last point of a run names it. */
  readonly signals: readonly { readonly index: number; readonly signal: Signal }[];
}

const RUN_ON_ONE_SIDE = 8;
const RUN_OF_TREND = 6;
const HUNDREDTHS = 100;

/**
 * The chart of whole numbers, one a day; null where nothing was reported, which ends every run. Limits are the mean ±
 * 2.66 × mean moving range, the ranges’ limit 3.267 × it (Wheeler, Understanding Variation, 1993: 3 ÷ 1.128 and D4 for two).
 * Null where no two days follow each other.
 */
export function controlChart(values: readonly (number | null)[]): ControlChart | null {
  return chartOf(values, 1);
}

/**
 * The chart of what is left of each day when the mean of its weekday is taken away, in hundredths of a patient. The census
 * has a weekly rhythm, which alone would break the rules of a plain chart. `values` are one a day without a missing place.
 */
export function weekdayChart(values: readonly (number | null)[]): ControlChart | null {
  return chartOf(weekdayResiduals(values), HUNDREDTHS);
}

/** Each value less the mean of its weekday, in whole hundredths, half away from zero; index 7 is the weekday of index 0. */
export function weekdayResiduals(values: readonly (number | null)[]): (number | null)[] {
  return values.map((value, index) => {
    if (value === null) return null;
    const same = values.filter((other, day): other is number => other !== null && (day - index) % 7 === 0);
    const residual = exactRatio(value * same.length - sumOf(same), same.length, { factor: HUNDREDTHS, places: 0 });
    return Number(residual);
  });
}

/** The chart of one weekday: every seventh value, with limits of its own; null where no two of them follow each other. */
export interface WeekdayControl {
  /** Monday is 0. */
  readonly weekday: number;
  /** The places of its values among all. */
  readonly indices: readonly number[];
  readonly chart: ControlChart | null;
}

/** Seven charts of whole numbers, Monday to Sunday. `values` are one a day without a missing place, `first` is the weekday of the first. */
export function weekdayControls(values: readonly (number | null)[], first: number): WeekdayControl[] {
  return Array.from({ length: 7 }, (_, weekday) => {
    const indices = [...values.keys()].filter((index) => (first + index) % 7 === weekday);
    return { weekday, indices, chart: controlChart(indices.map((index) => values[index] ?? null)) };
  });
}

/** `values` count in parts: whole patients (1) or hundredths of one (100). All comparing is between whole numbers. */
function chartOf(values: readonly (number | null)[], parts: number): ControlChart | null {
  const ranges = values.map((value, index) => {
    const before = values[index - 1];
    return value === null || before === null || before === undefined ? null : Math.abs(value - before);
  });
  const known = values.filter((value) => value !== null);
  const knownRanges = ranges.filter((range) => range !== null);
  if (knownRanges.length === 0) return null;
  const [sum, n] = [sumOf(known), known.length];
  const [sumRanges, m] = [sumOf(knownRanges), knownRanges.length];
  const line = (numerator: number, denominator: number) => lineOf(numerator, denominator * parts);
  // mean ± 2.66 × mean range over one denominator, 100 n m.
  const centre = sum * 100 * m;
  const reach = 266 * sumRanges * n;
  const whole = 100 * n * m;
  const sides = values.map((value) => (value === null ? null : Math.sign(value * n - sum)));
  const isBeyond = values.map((value) => value !== null && Math.abs(value * whole - centre) > reach);
  return {
    values: values.map((value) => (value === null ? null : value / parts)),
    ranges: ranges.map((range) => (range === null ? null : range / parts)),
    mean: line(sum, n),
    meanRange: line(sumRanges, m),
    upper: line(centre + reach, whole),
    lower: line(centre - reach, whole),
    rangeLimit: line(3267 * sumRanges, 1000 * m),
    jumps: ranges.flatMap((range, index) => (range !== null && range * 1000 * m > 3267 * sumRanges ? [index] : [])),
    signals: signalsOf(values, sides, isBeyond),
  };
}

function signalsOf(
  values: readonly (number | null)[],
  sides: readonly (number | null)[],
  isBeyond: readonly boolean[],
): ControlChart['signals'] {
  const steps = values.map((value, index) => {
    const before = values[index - 1];
    return value === null || before === null || before === undefined ? null : Math.sign(value - before);
  });
  const sideRuns = runLengths(sides);
  const stepRuns = runLengths(steps);
  return values.flatMap((_, index) => [
    ...(isBeyond[index] ? [{ index, signal: 'beyond_limits' as const }] : []),
    ...(sideRuns[index] === RUN_ON_ONE_SIDE ? [{ index, signal: 'one_side' as const }] : []),
    // Six points that rise or fall make five steps.
    ...(stepRuns[index] === RUN_OF_TREND - 1 ? [{ index, signal: 'trend' as const }] : []),
  ]);
}

/** How many equal signs end at each place; 0 for a gap and for a value on the line. */
function runLengths(signs: readonly (number | null)[]): number[] {
  let length = 0;
  return signs.map((sign, index) => {
    if (sign === null || sign === 0) length = 0;
    else length = sign === signs[index - 1] ? length + 1 : 1;
    return length;
  });
}

function lineOf(numerator: number, denominator: number): ControlLine {
  return { text: exactRatio(numerator, denominator) ?? '', value: numerator / denominator };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

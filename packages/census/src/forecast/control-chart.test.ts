import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { XMR } from '../testing/fixtures.ts';
import { controlChart, type Signal, weekdayChart, weekdayControls, weekdayResiduals } from './control-chart.ts';

const signals = (values: readonly (number | null)[], signal: Signal) =>
  controlChart(values)
    ?.signals.filter((one) => one.signal === signal)
    .map(({ index }) => index);

describe('the control chart', () => {
  it('CEN-9 has the limits that were worked out by hand (fixture A16)', () => {
    const chart = controlChart(XMR.values);
    expect({
      mean: chart?.mean.text,
      meanRange: chart?.meanRange.text,
      upper: chart?.upper.text,
      lower: chart?.lower.text,
      rangeLimit: chart?.rangeLimit.text,
    }).toEqual({
      mean: XMR.mean,
      meanRange: XMR.meanRange,
      upper: XMR.upper,
      lower: XMR.lower,
      rangeLimit: XMR.rangeLimit,
    });
    expect(chart?.ranges).toEqual([null, 2, 1, 3, 1, 4, 2, 1, 1, 3, 2, 3, 2, 1]);
    expect(chart?.signals).toEqual([]);
    expect(chart?.jumps).toEqual([]);
    expect(chart?.upper.value).toBeCloseTo(47.677, 3);
  });

  it('CEN-9 names a jump past the limit of the ranges, up and down, and none on it', () => {
    const steady = Array.from({ length: 20 }, (_, day) => 10 + (day % 2));
    const jump = steady.map((value, day) => (day === 10 ? value + 7 : value));
    expect(controlChart(jump)?.jumps).toEqual([10, 11]);
    expect(controlChart(steady)?.jumps).toEqual([]);
    // Ranges 3267, 0, 0 and 733 have the mean 1000.
    expect(controlChart([0, 3267, 3267, 3267, 4000])?.jumps).toEqual([]);
    expect(controlChart([0, 3268, 3268, 3268, 4001])?.jumps).toEqual([1]);
  });

  it('CEN-9 names a point beyond the limits, above and below, and none on them', () => {
    const steady = [10, 11, 10, 11, 10, 11, 10, 11, 10, 11];
    expect(signals([...steady, 20], 'beyond_limits')).toEqual([10]);
    expect(signals([...steady, 1], 'beyond_limits')).toEqual([10]);
    expect(signals([5, 5, 5, 5], 'beyond_limits')).toEqual([]);
  });

  it('CEN-9 names the eighth point in a row on one side of the mean, not the seventh', () => {
    const low = [1, 2, 1, 2, 1, 2, 1, 2];
    const high = [9, 8, 9, 8, 9, 8, 9, 8];
    expect(signals([...low, ...high], 'one_side')).toEqual([7, 15]);
    expect(signals([...low.slice(1), ...high.slice(1)], 'one_side')).toEqual([]);
    expect(signals([3, 7, 7, 7, 7, 5, 7, 7, 7, 3, 2], 'one_side')).toEqual([]);
  });

  it('CEN-9 names the sixth point in a row that rises or falls, not the fifth', () => {
    expect(signals([5, 1, 2, 3, 4, 5, 6, 2], 'trend')).toEqual([6]);
    expect(signals([5, 6, 5, 4, 3, 2, 1, 9], 'trend')).toEqual([6]);
    expect(signals([5, 1, 2, 3, 4, 5, 5, 6], 'trend')).toEqual([]);
  });

  it('CEN-9 a day without a report has no range and ends every run', () => {
    const chart = controlChart([1, 2, null, 3, 4]);
    expect(chart?.values).toEqual([1, 2, null, 3, 4]);
    expect(chart?.ranges).toEqual([null, 1, null, null, 1]);
    expect(chart?.mean.text).toBe('2.50');
    expect(chart?.meanRange.text).toBe('1.00');
    expect(signals([1, 2, 3, null, 4, 5, 6, 7], 'trend')).toEqual([]);
    expect(signals([3, null, 1, 2, 3, 4, 5, 2], 'trend')).toEqual([]);
    const low = [1, 2, 1, 2, null, 1, 2, 1, 2];
    expect(signals([...low, 9, 8, 9, 8, 9, 8, 9], 'one_side')).toEqual([]);
  });

  it('CEN-9 there is none without two days that follow each other', () => {
    expect(controlChart([])).toBeNull();
    expect(controlChart([4])).toBeNull();
    expect(controlChart([4, null, 5, null])).toBeNull();
    expect(controlChart([null, null])).toBeNull();
    expect(controlChart([4, 4])?.upper.text).toBe('4.00');
  });

  it('CEN-9 moves with its values: as many more on every day lift every line by as many', () => {
    const days = fc.array(fc.option(fc.nat(80)), { minLength: 2, maxLength: 60 });
    fc.assert(
      fc.property(days, fc.nat(50), (values, more) => {
        const [chart, lifted] = [values, values.map((value) => (value === null ? null : value + more))].map(
          controlChart,
        );
        if (!chart || !lifted) return;
        expect(lifted.mean.value).toBeCloseTo(chart.mean.value + more, 6);
        expect(lifted.upper.value).toBeCloseTo(chart.upper.value + more, 6);
        expect(lifted.lower.value).toBeCloseTo(chart.lower.value + more, 6);
        expect(lifted.signals).toEqual(chart.signals);
      }),
    );
  });
});

describe('the chart without the rhythm of the week', () => {
  const week = [20, 30, 31, 32, 31, 28, 21];

  it('CEN-9 sees nothing in a rhythm that breaks the rules of a plain chart', () => {
    const weeks = Array.from({ length: 12 }, () => [20, 22, 24, 26, 28, 30, 31]).flat();
    expect(signals(weeks, 'trend')).toHaveLength(12);
    const chart = weekdayChart(weeks);
    expect(chart?.values.every((value) => value === 0)).toBe(true);
    expect(chart?.signals).toEqual([]);
  });

  it('CEN-9 takes from each day the mean of its weekday, to the hundredth', () => {
    expect(weekdayResiduals([...week, 21, 30, null, 32, 31, 28, 21, 23])).toEqual([
      -133,
      0,
      0,
      0,
      0,
      0,
      0,
      -33,
      0,
      null,
      0,
      0,
      0,
      0,
      167,
    ]);
  });

  it('CEN-9 has seven charts by weekday, Monday first, each with limits of its own', () => {
    // From a Thursday on: Thursdays alternate, Sundays stand still but for the last.
    const days = Array.from({ length: 8 }, (_, index) => [
      20 + (index % 2),
      26,
      15,
      index === 7 ? 19 : 10,
      30,
      31,
      32,
    ]).flat();
    const controls = weekdayControls(days, 3);
    expect(controls.map(({ chart }) => chart?.mean.text)).toEqual([
      '30.00',
      '31.00',
      '32.00',
      '20.50',
      '26.00',
      '15.00',
      '11.13',
    ]);
    expect(controls[3]).toMatchObject({ weekday: 3, indices: [0, 7, 14, 21, 28, 35, 42, 49] });
    expect([controls[3]?.chart?.lower.text, controls[3]?.chart?.upper.text]).toEqual(['17.84', '23.16']);
    expect(controls[6]?.chart?.signals).toEqual([{ index: 7, signal: 'beyond_limits' }]);
    expect(controls[0]?.chart?.signals).toEqual([]);
  });

  it('CEN-9 has no limits of a weekday of which no two are known in a row', () => {
    const controls = weekdayControls([5, 5, 5, 5, 5, 5, 5, 6, 5, 5, 5, 5, 5, null, 5], 0);
    expect(controls[6]).toEqual({ weekday: 6, indices: [6, 13], chart: null });
    expect(controls[0]?.chart?.mean.text).toBe('5.33');
  });

  it('CEN-9 still sees the one day that was unlike its weekday, in patients', () => {
    const days = Array.from({ length: 8 }, (_, index) => week.map((value) => value + (index % 2))).flat();
    days[24] = (days[24] ?? 0) + 20;
    const chart = weekdayChart(days);
    expect(chart?.signals.filter(({ signal }) => signal === 'beyond_limits')).toEqual([
      { index: 24, signal: 'beyond_limits' },
    ]);
    expect(chart?.mean.text).toBe('0.00');
    expect(chart?.values[24]).toBe(18);
  });
});

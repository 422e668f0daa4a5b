import { expect, it } from 'vitest';
import { bandPath, lineScale, spreadLabels, stepPath } from '#/chart/line-scale.ts';

const frame = { width: 100, height: 100, left: 0, right: 100, top: 0, bottom: 100 };

it('CEN-9 the scale reaches past all values with round numbers, and under zero only where a value does', () => {
  expect(lineScale([0, 3, null], 3, frame).ticks[0]).toBe(0);
  const { ticks, y } = lineScale([87, 112], 2, frame);
  expect([y(ticks[0] ?? 0), y(ticks[ticks.length - 1] ?? 0)]).toEqual([100, 0]);
  expect(ticks[0]).toBeLessThan(87);
  expect(ticks[ticks.length - 1]).toBeGreaterThan(112);
  expect(lineScale([-4, 2], 2, frame).ticks[0]).toBeLessThan(-4);
});

it('CEN-9 counts are read off at whole numbers, however small they are, and shares of them between', () => {
  const small = [[], [0], [1], [0, 1], [2, 3], [5, 5], [-1, 1], [0, 6]].map(
    (values) => lineScale(values, values.length, frame).ticks,
  );
  expect(small.flat().every(Number.isInteger)).toBe(true);
  expect(Math.min(...small.map(({ length }) => length))).toBe(2);
  expect(lineScale([0.5, 1.5], 2, frame).ticks).toContain(0.5);
});

it('CEN-9 values that never change, one alone and none at all are drawn too', () => {
  for (const values of [[42, 42], [42], []]) {
    const { x, y } = lineScale(values, values.length, frame);
    expect([x(0), y(42)].every(Number.isFinite)).toBe(true);
  }
});

it('CEN-9 names at the ends of lines keep apart, in the order of the lines and inside the picture', () => {
  expect(spreadLabels([50, 52, 10], 15, 100)).toEqual([50, 65, 10]);
  expect(spreadLabels([99, 98], 15, 100)).toEqual([100, 85]);
});

it('CEN-9 steps hold halfway to the next point, and a band stops where one of its bounds is missing', () => {
  const scale = lineScale([0, 100], 3, frame);
  expect(stepPath([0, 100, null], scale)).toMatch(/^M0 .*H25V.*H75$/);
  expect(bandPath([0, null, 0], [100, 100, 100], scale).match(/M/g)).toHaveLength(2);
});

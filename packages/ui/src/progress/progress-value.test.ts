import { describe, expect, it } from 'vitest';
import { progressPercent, readProgress } from '#/progress/progress-value.ts';

describe('how far', () => {
  it.each([
    [null, 100, null],
    [undefined, 100, null],
    [Number.NaN, 100, null],
    [0, 100, 0],
    [33, 100, 33],
    [1, 3, 33],
    [2, 3, 67],
    [7, 7, 100],
    [-5, 100, 0],
    [250, 200, 100],
  ])('PROG-1 %s of %s is %s percent, rounded and kept between 0 and 100', (value, max, percent) => {
    expect(progressPercent(value, max)).toBe(percent);
  });

  it.each([
    [null, undefined, 'indeterminate', null, 100],
    [undefined, 8, 'indeterminate', null, 8],
    [0, 8, 'loading', 0, 8],
    [7, 8, 'loading', 7, 8],
    [8, 8, 'complete', 8, 8],
    [100, undefined, 'complete', 100, 100],
  ])('PROG-1 %s of %s is %s', (value, max, state, told, toldMax) => {
    expect(readProgress(value, max)).toMatchObject({ state, value: told, max: toldMax, complaints: [] });
  });
});

describe('what is wrong', () => {
  const complaintOf = (value: string) =>
    `Invalid prop \`value\` of value \`${value}\` supplied to \`ProgressRoot\`. The \`value\` prop must be: - a positive number - less than the value passed to \`max\` (or 100 if no \`max\` prop is set) - \`null\` or \`undefined\` if the progress is indeterminate. Defaulting to \`null\`.`;

  it.each([
    [Number.NaN, 'NaN', null],
    [-1, '-1', 0],
    [101, '101', 100],
  ])('PROG-1 a value of %s is complained about and told as null', (value, text, percent) => {
    expect(readProgress(value)).toEqual({
      value: null,
      max: 100,
      state: 'indeterminate',
      percent,
      complaints: [complaintOf(text)],
    });
  });

  it('PROG-1 a value that is no number at all is complained about and told as null', () => {
    const text: unknown = '50';
    expect(readProgress(text as number)).toMatchObject({ value: null, percent: null, complaints: [complaintOf('50')] });
  });

  it.each([
    [0, '0'],
    [-3, '-3'],
    [Number.NaN, 'NaN'],
  ])('PROG-1 a max of %s is complained about and counts as 100', (max, text) => {
    expect(readProgress(50, max)).toEqual({
      value: 50,
      max: 100,
      state: 'loading',
      percent: 50,
      complaints: [
        `Invalid prop \`max\` of value \`${text}\` supplied to \`ProgressRoot\`. Only numbers greater than 0 are valid max values. Defaulting to \`100\`.`,
      ],
    });
  });
});

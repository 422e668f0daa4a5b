export type ProgressState = 'indeterminate' | 'loading' | 'complete';

export type ProgressReading = {
  /** What assistive technology is told; null while nobody can say how far it is. */
  value: number | null;
  max: number;
  state: ProgressState;
  /** What is drawn and written: rounded, 0 to 100, also for a number that is out of bounds; null where there is none. */
  percent: number | null;
  /** What was wrong with the values, for whoever wrote them. */
  complaints: readonly string[];
};

const DEFAULT_MAX = 100;

/** How far `value` is on the way to `max`: rounded and kept between 0 and 100; null for null or what is no number. */
export function progressPercent(value: number | null | undefined, max: number = DEFAULT_MAX): number | null {
  if (value === null || value === undefined || Number.isNaN(value)) return null;
  if (value < 0) return 0;
  if (value > max) return 100;
  return Math.round((value / max) * 100);
}

/**
 * Reads what a caller handed over. A value that is no number, negative or beyond `max` is told as null (indeterminate),
 * a max of 0 or less counts as 100; each is complained about in the words of the first client's library.
 */
export function readProgress(value: number | null | undefined, max: number | undefined = DEFAULT_MAX): ProgressReading {
  const complaints: string[] = [];
  const isMaxValid = isNumber(max) && max > 0;
  if (!isMaxValid) complaints.push(invalidMax(max));
  const validMax = isMaxValid ? max : DEFAULT_MAX;

  const isGiven = value !== null && value !== undefined;
  const isValid = isNumber(value) && value >= 0 && value <= validMax;
  if (isGiven && !isValid) complaints.push(invalidValue(value));
  const validValue = isValid ? value : null;

  return {
    value: validValue,
    max: validMax,
    state: validValue === null ? 'indeterminate' : validValue === validMax ? 'complete' : 'loading',
    percent: isNumber(value) ? progressPercent(value, validMax) : null,
    complaints,
  };
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && !Number.isNaN(value);
}

function invalidValue(value: unknown): string {
  return (
    `Invalid prop \`value\` of value \`${value}\` supplied to \`ProgressRoot\`. The \`value\` prop must be: ` +
    '- a positive number - less than the value passed to `max` (or 100 if no `max` prop is set) ' +
    '- `null` or `undefined` if the progress is indeterminate. Defaulting to `null`.'
  );
}

function invalidMax(max: unknown): string {
  return (
    `Invalid prop \`max\` of value \`${max}\` supplied to \`ProgressRoot\`. ` +
    'Only numbers greater than 0 are valid max values. Defaulting to `100`.'
  );
}

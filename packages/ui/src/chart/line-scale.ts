import { extent, ticks } from 'd3-array';

/** The room of a picture in pixels, and within it the part for the lines. */
export type LineFrame = {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
};

export type LineScale = {
  readonly frame: LineFrame;
  /** Values at which a line across stands. */
  readonly ticks: readonly number[];
  readonly x: (index: number) => number;
  readonly y: (value: number) => number;
};

/** Places `count` points side by side, and values between the ticks around the smallest and the largest. */
export function lineScale(values: Iterable<number | null>, count: number, frame: LineFrame): LineScale {
  const marks = ticksAround(values);
  const [from, to] = [marks[0] ?? 0, marks[marks.length - 1] ?? 1];
  const step = (frame.right - frame.left) / Math.max(1, count - 1);
  return {
    frame,
    ticks: marks,
    x: (index) => (count === 1 ? (frame.left + frame.right) / 2 : frame.left + index * step),
    y: (value) => frame.bottom - ((value - from) / Math.max(1e-9, to - from)) * (frame.bottom - frame.top),
  };
}

/** The values at which lines across stand, from below the smallest to above the largest; whole numbers where all values are. */
export function ticksAround(values: Iterable<number | null>): number[] {
  const known = [...values].filter((value) => value !== null);
  const [least = 0, most = 1] = extent(known);
  const room = Math.max(1, (most - least) * 0.1);
  const [low, high] = [least >= 0 ? Math.max(0, least - room) : least - room, most + room];
  const wholeNumbers = Math.floor(high) - Math.ceil(low);
  return roundTicks(low, high, known.every(Number.isInteger) ? Math.min(4, wholeNumbers) : 4);
}

/** How many pixels the widest number beside the lines across takes. */
export function axisRoom(values: Iterable<number | null>, format: (value: number) => string): number {
  return 12 + 7.5 * Math.max(...ticksAround(values).map((tick) => format(tick).length));
}

/** Some `count` round numbers that reach from below `low` to above `high`. */
function roundTicks(low: number, high: number, count: number): number[] {
  const inner = ticks(low, high, count);
  const step = (inner[1] ?? 1) - (inner[0] ?? 0) || 1;
  const first = inner[0] ?? 0;
  const last = inner[inner.length - 1] ?? 1;
  return [...(first > low ? [first - step] : []), ...inner, ...(last < high ? [last + step] : [])];
}

/** A line through the points, with a break where one is missing; a lone point becomes a dot by the round cap. */
export function linePath(values: readonly (number | null)[], { x, y }: LineScale): string {
  let path = '';
  let isDown = false;
  for (const [index, value] of values.entries()) {
    if (value === null) {
      isDown = false;
      continue;
    }
    path += `${isDown ? 'L' : 'M'}${round(x(index))} ${round(y(value))}`;
    if (!isDown && (values[index + 1] ?? null) === null) path += 'h0.01';
    isDown = true;
  }
  return path;
}

/** A line of steps: each value holds from halfway after the point before to halfway before the next. */
export function stepPath(values: readonly (number | null)[], { x, y, frame }: LineScale): string {
  const half = values.length > 1 ? (x(1) - x(0)) / 2 : 0;
  let path = '';
  let isDown = false;
  for (const [index, value] of values.entries()) {
    if (value === null) {
      isDown = false;
      continue;
    }
    const from = Math.max(frame.left, x(index) - half);
    path += isDown ? `V${round(y(value))}` : `M${round(from)} ${round(y(value))}`;
    path += `H${round(Math.min(frame.right, x(index) + half))}`;
    isDown = true;
  }
  return path;
}

/** The area between two lines, one for each stretch where both have a value. */
export function bandPath(
  low: readonly (number | null)[],
  high: readonly (number | null)[],
  { x, y }: LineScale,
): string {
  const stretches: number[][] = [];
  let isOpen = false;
  for (const index of low.keys()) {
    const has = (low[index] ?? null) !== null && (high[index] ?? null) !== null;
    if (has && isOpen) stretches[stretches.length - 1]?.push(index);
    if (has && !isOpen) stretches.push([index]);
    isOpen = has;
  }
  const points = (indices: readonly number[], values: readonly (number | null)[]) =>
    indices.map((index) => `${round(x(index))} ${round(y(values[index] ?? 0))}`).join('L');
  return stretches.map((part) => `M${points(part, high)}L${points([...part].reverse(), low)}Z`).join('');
}

/** Sentences at these heights moved apart, each by as little as it takes, so that none lies over another. */
export function spreadLabels(heights: readonly number[], gap: number, lowest: number): number[] {
  const order = heights.map((height, index) => ({ height, index })).sort((a, b) => a.height - b.height);
  const placed: number[] = [];
  for (const { height } of order) placed.push(Math.max(height, (placed[placed.length - 1] ?? -Infinity) + gap));
  for (let index = placed.length - 1, limit = lowest; index >= 0; index -= 1) {
    placed[index] = Math.min(placed[index] ?? limit, limit);
    limit = (placed[index] ?? limit) - gap;
  }
  const result = [...heights];
  for (const [place, { index }] of order.entries()) result[index] = placed[place] ?? 0;
  return result;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

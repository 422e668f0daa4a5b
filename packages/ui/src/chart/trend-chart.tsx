import './styles/chart.css';
import { weekdayIndex } from '@wardline/format/dates.ts';
import { LineAxes } from '#/chart/line-axes.tsx';
import { LineKey, type LineLabel, LineLabels, labelRoom } from '#/chart/line-labels.tsx';
import { axisRoom, bandPath, type LineScale, linePath, lineScale, stepPath } from '#/chart/line-scale.ts';
import { useWidth } from '#/chart/use-width.ts';

export type TrendSeries = {
  key: string;
  label: string;
  values: readonly (number | null)[];
  /** 'step' is a denominator, whose changes are named; 'band-low' and 'band-high' bound an area. */
  kind: 'line' | 'mean' | 'step' | 'band-low' | 'band-high';
};

export type TrendChartProps = {
  label?: string | undefined;
  /** YYYY-MM-DD, one a point. */
  days: readonly string[];
  /** A day as the facility writes it: 'Thu 19 Nov'. */
  dayName: (day: string) => string;
  series: readonly TrendSeries[];
  /** Which points are not complete: hatched. */
  missing: readonly boolean[];
  format: (value: number) => string;
};

const HEIGHT = 232;
const NARROW = 560;

/** Lines over days, each named at its end; gaps stay gaps. */
export function TrendChart({ label, days, dayName, series, missing, format }: TrendChartProps) {
  const [box, width] = useWidth<HTMLDivElement>(760);
  const isNarrow = width < NARROW;
  const dayNames = days.map((day) => dayName(day));
  const labels = labelsOf(series, format);
  const drawn = series.flatMap(({ values }) => values);
  const frame = {
    width,
    height: HEIGHT,
    left: axisRoom(drawn, format),
    right: Math.max(120, width - (isNarrow ? 12 : labelRoom(labels))),
    top: 12,
    bottom: HEIGHT - 32,
  };
  const scale = lineScale(drawn, days.length, frame);
  const low = series.find(({ kind }) => kind === 'band-low');
  const high = series.find(({ kind }) => kind === 'band-high');
  return (
    <div ref={box} className="ln-box">
      <svg
        className="ln"
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={label ?? nameOf(dayNames, labels)}
        preserveAspectRatio="xMidYMid meet"
      >
        <LineAxes scale={scale} format={format} marks={dayMarks(days, dayNames, scale)} missing={indicesOf(missing)} />
        {low && high && <path className="ln-band" d={bandPath(low.values, high.values, scale)} />}
        {series.map((one) => (
          <Line key={one.key} series={one} dayNames={dayNames} scale={scale} />
        ))}
        {!isNarrow && <LineLabels scale={scale} labels={labels} />}
      </svg>
      {isNarrow && <LineKey labels={labels} />}
    </div>
  );
}

type LineProps = { series: TrendSeries; dayNames: readonly string[]; scale: LineScale };

function Line({ series: { kind, values }, dayNames, scale }: LineProps) {
  if (kind === 'band-low' || kind === 'band-high') return null;
  if (kind === 'mean') return <path className="ln-mean" d={linePath(values, scale)} />;
  if (kind === 'step') {
    return (
      <>
        <path className="ln-step" d={stepPath(values, scale)} />
        {formatStep(values, dayNames, scale).map(({ key, x, y, text }) => (
          <text key={key} className="ln-axis" x={x} y={y}>
            {text}
          </text>
        ))}
      </>
    );
  }
  const last = values.findLastIndex((value) => value !== null);
  return (
    <>
      <path className="ln-line" d={linePath(values, scale)} />
      {last >= 0 && <circle className="ln-dot" cx={scale.x(last)} cy={scale.y(values[last] ?? 0)} r="3.5" />}
    </>
  );
}

/** In pixels; what a change says is about so wide and high. */
const LABELS = { width: 100, height: 14 };

/** What each change says, beside its step or, near the end of the line, over it; of two that would lie over each other the later. */
function formatStep(values: readonly (number | null)[], dayNames: readonly string[], { x, y, frame }: LineScale) {
  const placed = changesOf(values).map(({ index, by }) => {
    const [beside, last] = [x(index) + 4, frame.right - 90];
    const value = values[index] ?? 0;
    return {
      key: index,
      x: Math.min(beside, last),
      // Clear of the step's upright.
      y: y(beside > last ? Math.max(value, value - by) : value) - 8,
      text: `${by > 0 ? '+' : '−'}${Math.abs(by)}, ${dayNames[index] ?? ''}`,
    };
  });
  return placed.filter(
    (one, place) =>
      !placed
        .slice(place + 1)
        .some((later) => later.x - one.x < LABELS.width && Math.abs(later.y - one.y) < LABELS.height),
  );
}

const LOOKS = { line: 'is-line', mean: 'is-mean', step: 'is-step', 'band-low': 'is-band', 'band-high': 'is-band' };

function labelsOf(series: readonly TrendSeries[], format: (value: number) => string): LineLabel[] {
  return series.flatMap(({ key, label, values, kind }) => {
    const value = values.findLast((one) => one !== null) ?? null;
    if (value === null || kind === 'band-low' || kind === 'band-high') return [];
    return [{ key, value, text: `${label} ${format(value)}`, look: LOOKS[kind] }];
  });
}

function nameOf(dayNames: readonly string[], labels: readonly LineLabel[]): string {
  const [first, last] = [dayNames[0], dayNames[dayNames.length - 1]];
  const range = first && last ? ` from ${first} to ${last}` : '';
  return `Trend${range}: ${labels.map(({ text }) => text).join(', ')}`;
}

/** Where a denominator became another one. Few changes are named; more would lie over each other. */
function changesOf(values: readonly (number | null)[]): { index: number; by: number }[] {
  const changes: { index: number; by: number }[] = [];
  let before: number | null = null;
  for (const [index, value] of values.entries()) {
    if (value === null) continue;
    if (before !== null && value !== before) changes.push({ index, by: value - before });
    before = value;
  }
  return changes.length <= 4 ? changes : [];
}

/** Mondays, as many as have room. */
function dayMarks(
  days: readonly string[],
  dayNames: readonly string[],
  { x }: LineScale,
): { index: number; label: string }[] {
  const mondays = [...days.keys()].filter((index) => weekdayIndex(days[index] ?? '') === 0);
  const width = x(7) - x(0);
  const every = Math.max(1, Math.ceil(84 / Math.max(1, width)));
  const shown = mondays.length > 0 ? mondays.filter((_, place) => (mondays.length - 1 - place) % every === 0) : [0];
  return shown.flatMap((index) => {
    const label = dayNames[index];
    return label === undefined ? [] : [{ index, label }];
  });
}

function indicesOf(flags: readonly boolean[]): number[] {
  return [...flags.keys()].filter((index) => flags[index] === true);
}

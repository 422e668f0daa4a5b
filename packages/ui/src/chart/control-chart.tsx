import './styles/chart.css';
import { counted } from '@wardline/format/counts.ts';
import { LineAxes } from '#/chart/line-axes.tsx';
import { LineKey, type LineLabel, LineLabels, labelRoom } from '#/chart/line-labels.tsx';
import { axisRoom, type LineScale, linePath, lineScale } from '#/chart/line-scale.ts';
import { useWidth } from '#/chart/use-width.ts';

export type ControlPoint = { label: string; value: number | null };
/** A point that breaks a rule of the chart, and which. */
export type ControlSignal = { index: number; rule: string };

export type ControlChartProps = {
  label?: string | undefined;
  points: readonly ControlPoint[];
  mean: number;
  upper: number;
  lower: number;
  /** The beds there are: another thing than the limits, and drawn apart from them. */
  capacity?: number | undefined;
  signals: readonly ControlSignal[];
  format?: ((value: number) => string) | undefined;
};

const HEIGHT = 232;
const NARROW = 560;

/** Single values with their mean and natural limits (XmR); points that break a rule are ringed and named below. */
export function ControlChart(props: ControlChartProps) {
  const { label, points, mean, upper, lower, capacity, signals, format = String } = props;
  const [box, width] = useWidth<HTMLDivElement>(760);
  const isNarrow = width < NARROW;
  const values = points.map(({ value }) => value);
  const labels = labelsOf({ mean, upper, lower, capacity }, format);
  const right = Math.max(120, width - (isNarrow ? 12 : labelRoom(labels)));
  const drawn = [...values, ...labels.map(({ value }) => value)];
  const frame = { width, height: HEIGHT, left: axisRoom(drawn, format), right, top: 12, bottom: HEIGHT - 32 };
  const scale = lineScale(drawn, points.length, frame);
  return (
    <div ref={box} className="ln-box">
      <svg
        className="ln"
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={label ?? `Control chart: ${labels.map(({ text }) => text).join(', ')}; ${formatSignal(signals)}`}
        preserveAspectRatio="xMidYMid meet"
      >
        <LineAxes
          scale={scale}
          format={format}
          marks={pointMarks(points, scale)}
          missing={[...values.keys()].filter((index) => values[index] === null)}
        />
        {labels.map(({ key, value, look }) => (
          <path key={key} className={`ln-level ${look}`} d={`M${frame.left} ${scale.y(value)}H${frame.right}`} />
        ))}
        <path className="ln-line" d={linePath(values, scale)} />
        <ControlPoints values={values} signals={signals} scale={scale} />
        {!isNarrow && <LineLabels scale={scale} labels={labels} />}
      </svg>
      {isNarrow && <LineKey labels={labels} />}
      {signals.length > 0 && (
        <ul className="ln-signals">
          {signals.map(({ index, rule }) => (
            <li key={`${index} ${rule}`}>
              <b>{points[index]?.label}</b> {rule}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

type PointsProps = {
  values: readonly (number | null)[];
  signals: readonly ControlSignal[];
  scale: LineScale;
  isSmall?: boolean | undefined;
};

/** A dot for each value, a ring for one that breaks a rule. */
export function ControlPoints({ values, signals, scale, isSmall = false }: PointsProps) {
  const ringed = new Set(signals.map(({ index }) => index));
  return [...values.entries()].map(([index, value]) =>
    value === null ? null : (
      <circle
        key={index}
        className={ringed.has(index) ? 'ln-signal' : 'ln-dot'}
        cx={scale.x(index)}
        cy={scale.y(value)}
        r={(ringed.has(index) ? 5.5 : 2.5) * (isSmall ? 0.7 : 1)}
      />
    ),
  );
}

type Levels = { mean: number; upper: number; lower: number; capacity: number | undefined };

function labelsOf({ mean, upper, lower, capacity }: Levels, format: (value: number) => string): LineLabel[] {
  const labels: LineLabel[] = [
    { key: 'upper', value: upper, text: `Upper limit ${format(upper)}`, look: 'is-limit' },
    { key: 'mean', value: mean, text: `Mean ${format(mean)}`, look: 'is-mean' },
    { key: 'lower', value: lower, text: `Lower limit ${format(lower)}`, look: 'is-limit' },
  ];
  if (capacity !== undefined) {
    labels.push({ key: 'capacity', value: capacity, text: `Capacity ${format(capacity)}`, look: 'is-step' });
  }
  return labels;
}

function pointMarks(points: readonly ControlPoint[], { x }: LineScale): { index: number; label: string }[] {
  const every = Math.max(1, Math.ceil(84 / Math.max(1, x(1) - x(0))));
  return points.flatMap(({ label }, index) =>
    (points.length - 1 - index) % every === Math.floor(every / 2) % every ? [{ index, label }] : [],
  );
}

/** How many points break a rule, in words. */
export function formatSignal(signals: readonly ControlSignal[]): string {
  const count = new Set(signals.map(({ index }) => index)).size;
  if (count === 0) return 'no point breaks a rule';
  return counted(count, 'point breaks a rule', 'points break a rule');
}

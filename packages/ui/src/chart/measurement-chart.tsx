import './styles/chart.css';
import { ControlPoints } from '#/chart/control-chart.tsx';
import { LineAxes } from '#/chart/line-axes.tsx';
import { axisRoom, type LineScale, linePath, lineScale } from '#/chart/line-scale.ts';
import { useWidth } from '#/chart/use-width.ts';

export type Measurement = {
  /** Milliseconds of the epoch. */
  at: number;
  value: number;
  /** It is ringed, as one that is critical. */
  isMarked: boolean;
};

export type MeasurementChartProps = {
  label: string;
  /** The oldest first. */
  points: readonly Measurement[];
  /** What is normal lies between these, where they are known. */
  band: { low: number | null; high: number | null };
  format: (value: number) => string;
  /** A moment in a few letters: '19 Nov 14:05'. */
  timeName: (at: number) => string;
};

const HEIGHT = 216;

/** Single measurements where they stand in time, over the band of what is normal. */
export function MeasurementChart({ label, points, band, format, timeName }: MeasurementChartProps) {
  const [box, width] = useWidth<HTMLDivElement>(420);
  const values = points.map(({ value }) => value);
  const drawn = [...values, ...[band.low, band.high].filter((limit) => limit !== null)];
  const frame = {
    ...{ width, height: HEIGHT, left: axisRoom(drawn, format) + 24 },
    ...{ right: Math.max(120, width - 56), top: 12, bottom: HEIGHT - 32 },
  };
  const even = lineScale(drawn, points.length, frame);
  const scale = { ...even, x: inTime(points, even) };
  return (
    <div ref={box} className="ln-box">
      <svg className="ln" viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={label}>
        <path className="ln-band" d={bandOf(band, scale)} />
        <LineAxes scale={scale} format={format} marks={timeMarks(points, scale, timeName)} missing={[]} />
        <path className="ln-line" d={linePath(values, scale)} />
        <ControlPoints
          values={values}
          signals={points.flatMap(({ isMarked }, index) => (isMarked ? [{ index, rule: '' }] : []))}
          scale={scale}
        />
      </svg>
    </div>
  );
}

/** Two of one day stand close to each other, and a week apart from the next. */
function inTime(points: readonly Measurement[], { frame, x }: LineScale): (index: number) => number {
  const [first = 0, last = 0] = [points[0]?.at, points[points.length - 1]?.at];
  if (last <= first) return x;
  return (index) => frame.left + (((points[index]?.at ?? last) - first) / (last - first)) * (frame.right - frame.left);
}

function bandOf({ low, high }: MeasurementChartProps['band'], { frame, y }: LineScale): string {
  if (low === null && high === null) return '';
  const [top, bottom] = [high === null ? frame.top : y(high), low === null ? frame.bottom : y(low)];
  return `M${frame.left} ${top}H${frame.right}V${bottom}H${frame.left}Z`;
}

/** The newest, and of those before it as many as have room. */
function timeMarks(
  points: readonly Measurement[],
  { x }: LineScale,
  timeName: MeasurementChartProps['timeName'],
): { index: number; label: string }[] {
  const marks: { index: number; label: string }[] = [];
  let next = Number.POSITIVE_INFINITY;
  for (let index = points.length - 1; index >= 0; index -= 1) {
    const point = points[index];
    if (point === undefined || next - x(index) < 128) continue;
    marks.push({ index, label: timeName(point.at) });
    next = x(index);
  }
  return marks;
}

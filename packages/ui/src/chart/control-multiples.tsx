import './styles/chart.css';
import { type ControlPoint, ControlPoints, type ControlSignal, formatSignal } from '#/chart/control-chart.tsx';
import { LineAxes } from '#/chart/line-axes.tsx';
import { axisRoom, linePath, lineScale } from '#/chart/line-scale.ts';
import { useWidth } from '#/chart/use-width.ts';

export type ControlMultiple = {
  key: string;
  title: string;
  points: readonly ControlPoint[];
  /** Null where too little is known for limits. */
  limits: { mean: number; upper: number; lower: number } | null;
  signals: readonly ControlSignal[];
};

export type ControlMultiplesProps = {
  items: readonly ControlMultiple[];
  format: (value: number) => string;
  /** Which of them is shown large elsewhere. */
  openKey: string | null;
  /** One was pressed: it is to be shown large, or not any more (null). */
  onOpen: (key: string | null) => void;
};

const HEIGHT = 128;

/** Control charts side by side, small and on one scale, each with its own limits. */
export function ControlMultiples({ items, format, openKey, onOpen }: ControlMultiplesProps) {
  const values = items.flatMap(({ points, limits }) => [
    ...points.map(({ value }) => value),
    ...(limits ? [limits.upper, limits.lower] : []),
  ]);
  const length = Math.max(...items.map(({ points }) => points.length));
  return (
    <div className="ln-many-box">
      <ul className="ln-many">
        {items.map((item) => (
          <li key={item.key}>
            <button
              type="button"
              className="ln-small"
              aria-expanded={item.key === openKey}
              onClick={() => onOpen(item.key === openKey ? null : item.key)}
            >
              <SmallHead item={item} format={format} />
              <SmallChart item={item} format={format} values={values} length={length} />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

type SmallProps = { item: ControlMultiple; format: (value: number) => string };

function SmallHead({ item: { title, limits, signals }, format }: SmallProps) {
  return (
    <span className="ln-small-head">
      <span className="ln-small-title">{title}</span>
      <span className="muted">
        {limits ? `${format(limits.mean)}, ${format(limits.lower)} to ${format(limits.upper)}` : 'No limits yet'}
      </span>
      <span className="sr">{formatSignal(signals)}</span>
    </span>
  );
}

type SmallChartProps = SmallProps & { values: readonly (number | null)[]; length: number };

function SmallChart({ item: { points, limits, signals }, format, values, length }: SmallChartProps) {
  const [box, width] = useWidth<HTMLSpanElement>(140);
  const place = { width, height: HEIGHT, right: width - 6, top: 8, bottom: HEIGHT - 8 };
  const left = axisRoom(values, format);
  const frame = { ...place, left, right: Math.max(left + 24, place.right) };
  const scale = lineScale(values, length, frame);
  const own = points.map(({ value }) => value);
  return (
    <span ref={box} className="ln-box">
      <svg className="ln" viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true" preserveAspectRatio="xMidYMid meet">
        <LineAxes
          scale={{ ...scale, ticks: scale.ticks.filter((_, index) => index % 2 === 0) }}
          format={format}
          marks={[]}
          missing={[...own.keys()].filter((index) => own[index] === null)}
        />
        {limits &&
          (['upper', 'mean', 'lower'] as const).map((name) => (
            <path
              key={name}
              className={`ln-level ${name === 'mean' ? 'is-mean' : 'is-limit'}`}
              d={`M${frame.left} ${scale.y(limits[name])}H${frame.right}`}
            />
          ))}
        <path className="ln-line" d={linePath(own, scale)} />
        <ControlPoints values={own} signals={signals} scale={scale} isSmall />
      </svg>
    </span>
  );
}

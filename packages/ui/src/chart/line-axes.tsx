import { useId } from 'react';
import type { LineScale } from '#/chart/line-scale.ts';

export type LineAxesProps = {
  scale: LineScale;
  format: (value: number) => string;
  /** Sentences under some of the points. */
  marks: ReadonlyArray<{ index: number; label: string }>;
  /** Points of which nothing is known: hatched from top to bottom. */
  missing: readonly number[];
};

/** Lines across with their values, words under the points, and a hatch over what is missing. */
export function LineAxes({ scale, format, marks, missing }: LineAxesProps) {
  const { frame, ticks, x, y } = scale;
  const id = useId();
  const width = Math.max(4, x(1) - x(0));
  return (
    <>
      <defs>
        <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect className="ln-hatch-ground" width="6" height="6" />
          <path className="ln-hatch" d="M0 0V6" strokeWidth="3" />
        </pattern>
      </defs>
      {ticks.map((tick) => (
        <g key={tick}>
          <path className="ln-grid" d={`M${frame.left} ${y(tick)}H${frame.right}`} />
          <text className="ln-axis" x={frame.left - 8} y={y(tick) + 4} textAnchor="end">
            {format(tick)}
          </text>
        </g>
      ))}
      {missing.map((index) => (
        <rect
          key={index}
          x={Math.max(frame.left, x(index) - width / 2)}
          y={frame.top}
          width={Math.min(frame.right, x(index) + width / 2) - Math.max(frame.left, x(index) - width / 2)}
          height={frame.bottom - frame.top}
          fill={`url(#${id})`}
        />
      ))}
      {marks.map(({ index, label }) => (
        <text key={index} className="ln-axis" x={x(index)} y={frame.bottom + 20} textAnchor="middle">
          {label}
        </text>
      ))}
    </>
  );
}

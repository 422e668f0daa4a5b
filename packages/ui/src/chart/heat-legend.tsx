import './styles/chart.css';
import { formatLevel, type OccupancyBands } from '#/chart/occupancy-level.ts';

export type HeatLegendProps = {
  bands: OccupancyBands;
  ofWhat: string;
};

/** What the colours of a heat map mean, with the target between those under it and those from it on. */
export function HeatLegend({ bands, ofWhat }: HeatLegendProps) {
  const steps = formatLevel(bands).map((text, index) => ({ text, level: index + 1 }));
  const show = (from: number, to: number) =>
    steps.slice(from, to).map(
      ({ text, level }) =>
        text !== null && (
          <span key={level} className={`hm-step occ-${level}`}>
            {text}
          </span>
        ),
    );
  return (
    <div className="hm-legend">
      <span className="muted">% of {ofWhat}</span>
      {show(0, 3)}
      <span className="hm-break">target {bands.target}</span>
      {show(3, 6)}
      <span className="hm-sign">
        <i className="hm-swatch hatch" />
        missing
      </span>
      <span className="hm-sign">
        <i className="hm-swatch occ-3 is-restated" />
        restated
      </span>
    </div>
  );
}

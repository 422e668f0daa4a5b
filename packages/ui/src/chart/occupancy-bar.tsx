import './styles/chart.css';
import { classNames } from '#/class-names.ts';

export type OccupancyBarProps = {
  /** Null: nobody has counted. */
  occupied: number | null;
  blocked: number;
  staffed: number;
  /** The same in words. */
  label: string;
};

/** Beds in one line: occupied, blocked, free; what lies past the staffed beds stands behind a mark. */
export function OccupancyBar({ occupied, blocked, staffed, label }: OccupancyBarProps) {
  const isMissing = occupied === null;
  const inBeds = Math.min(occupied ?? 0, Math.max(0, staffed));
  const over = (occupied ?? 0) - inBeds;
  const blockedBeds = Math.min(blocked, staffed - inBeds);
  const parts = [
    { look: 'occ', size: inBeds },
    { look: 'blk', size: blockedBeds },
    { look: 'free', size: staffed - inBeds - blockedBeds },
    { look: 'over', size: over },
  ].filter(({ size }) => size > 0);
  return (
    <div className={classNames('bedbar', isMissing && 'is-missing')} role="img" aria-label={label}>
      {isMissing || parts.length === 0 ? (
        <span className={isMissing ? undefined : 'free chart-all'} />
      ) : (
        parts.map(({ look, size }) => <span key={look} className={look} style={{ flexGrow: size }} />)
      )}
    </div>
  );
}

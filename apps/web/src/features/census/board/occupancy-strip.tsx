import '#/features/census/core/dashboard.css';
import type { BoardUnit } from '@wardline/contract/census/board.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { SectionHead } from '@wardline/ui/card/section-head.tsx';
import { OccupancyBar } from '@wardline/ui/chart/occupancy-bar.tsx';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Clock, OctagonAlert, TriangleAlert } from 'lucide-react';
import { counted, formatCount, formatPercent } from '#/features/census/core/format-figure.ts';
import { Panel } from '#/features/census/core/panel.tsx';
import { shortDay } from '#/features/census/core/period/period.ts';
import { countedWhen } from '#/features/census/core/report-labels.ts';
import { namesOf, reportKey } from '#/features/census/core/unit-names.ts';
import { useNow } from '#/shared/time/use-now.ts';
import { formatSince, useBoardAge } from './board-age.ts';
import { formatPressure, isMissing, occupancyOf, totalsOf } from './board-figures.ts';
import { formatBar, formatLastKnown } from './board-labels.ts';
import { type Board, useBoard, useBoardChanges } from './use-board.ts';

/** The dashboard's line of how full each unit of a facility is. */
export function OccupancyStrip({ facility }: { facility: Facility }) {
  const isFollowing = useBoardChanges(facility.id);
  const board = useBoard(facility.id, { isFollowing });
  const now = useNow();
  const age = useBoardAge(board, now);
  if (board.data?.units.length === 0) return null;
  return (
    <section aria-labelledby="occupancy-now" className="dc-wide">
      <SectionHead
        id="occupancy-now"
        title={board.data && age.isOld ? 'Occupancy' : 'Occupancy now'}
        context={
          board.data === undefined
            ? facility.name
            : age.isOld
              ? `${facility.name} · as of ${formatSince(board.data.time_zone, age.at, now)}`
              : `${facility.name} · ${completeness(board.data)}`
        }
        link={{ href: '/census', label: 'Open the board' }}
      />
      <Panel query={board} what="the occupancy" shape="tiles">
        {(data) => <Tiles board={data} />}
      </Panel>
    </section>
  );
}

function Tiles({ board }: { board: Board }) {
  const nameOf = namesOf(board.units);
  return (
    <ul className="card dc-strip">
      {board.units.map((unit) => (
        <li key={reportKey(unit)} className="dc-tile">
          <b className="t13 strong clip">{nameOf(unit)}</b>
          <span>
            <b className={unit.occupied === null ? 'dc-number num muted' : 'dc-number num strong'}>
              {formatCount(unit.occupied ?? unit.last_known?.present ?? null)}
            </b>{' '}
            <span className="t12 muted num">
              {unit.counts_in_occupancy ? `of ${formatCount(unit.beds.staffed)}` : 'waiting'}
            </span>
          </span>
          {unit.counts_in_occupancy && (
            <OccupancyBar
              occupied={unit.occupied}
              blocked={unit.beds.blocked}
              staffed={unit.beds.staffed}
              label={formatBar(unit)}
            />
          )}
          <State board={board} unit={unit} />
        </li>
      ))}
    </ul>
  );
}

function State({ board, unit }: { board: Board; unit: BoardUnit }) {
  const pressure = formatPressure(unit, board.bands);
  const share = occupancyOf(unit);
  if (unit.occupied === null) {
    const last = unit.last_known;
    return (
      <span className={isMissing(unit) ? 'dc-state c-error' : 'dc-state'}>
        <Icon of={isMissing(unit) ? OctagonAlert : Clock} size="sm" />
        {isMissing(unit) ? 'Missing' : 'Not in yet'}
        {last && `, ${formatLastKnown(last, board)}`}
      </span>
    );
  }
  if (pressure) {
    return (
      <span className={`dc-state c-${pressure.tone}`}>
        <Icon of={pressure.tone === 'error' ? OctagonAlert : TriangleAlert} size="sm" />
        {pressure.text}
      </span>
    );
  }
  return <span className="dc-state num">{share === null ? 'without a unit bed' : formatPercent(share)}</span>;
}

/** `5 of 8 units in, end of Sat 21 Nov`. */
function completeness(board: Board): string {
  const { unitsIn, units: all } = totalsOf(board.units);
  return `${formatCount(unitsIn)} of ${counted(all, 'unit')} in, ${countedWhen(board, shortDay(board.census_date))}`;
}

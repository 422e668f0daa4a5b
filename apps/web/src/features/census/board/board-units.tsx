import type { BoardUnit } from '@wardline/contract/census/board.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { SectionHead } from '@wardline/ui/card/section-head.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { Segments } from '@wardline/ui/tabs/segments.tsx';
import { CloudOff } from 'lucide-react';
import { useState } from 'react';
import { reportPath } from '#/features/census/core/census-paths.ts';
import { namesOf, reportKey } from '#/features/census/core/unit-names.ts';
import { useUnits } from '#/features/census/core/use-units.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { formatClock } from '#/shared/time/format-clock.ts';
import { AlertList } from './alert-list.tsx';
import { type BoardAge, formatSince } from './board-age.ts';
import { byPressure } from './board-figures.ts';
import { TotalStrip } from './total-strip.tsx';
import { UnitCard } from './unit-card.tsx';
import { UnitTable } from './unit-table.tsx';
import type { Board } from './use-board.ts';

interface BoardUnitsProps {
  readonly facility: Facility;
  readonly board: Board;
  readonly now: number;
  readonly age: BoardAge;
  readonly onCalendar: (unit: BoardUnit) => void;
}

/** The facility's total, what is missing, the units by pressure, and what asks to be looked at. */
export function BoardUnits({ facility, board, now, age, onCalendar }: BoardUnitsProps) {
  const [view, setView] = useState<'cards' | 'table'>('cards');
  const nameOf = namesOf(board.units);
  const kinds = new Map(useUnits(facility.id).data?.data.map(({ id, kind }) => [id, kind]));
  const mayRemind = facility.permissions.includes('census.report_summary');
  const mayReport = facility.permissions.includes('census.report_units');
  const hrefOf = (unit: BoardUnit) =>
    mayReport ? reportPath({ unit: unit.unit_id, date: board.census_date, population: unit.population }) : null;
  // What is late is late as of then: nobody knows what came in since.
  const asAt = age.isOld ? age.at : now;
  const asOf = age.isOld ? `as of ${formatClock(board.time_zone, age.at, now)}` : null;
  return (
    <>
      <Staleness age={age} zone={board.time_zone} now={now} />
      <TotalStrip board={board} asOf={asOf} />
      <section aria-labelledby="units-by-pressure" className={asOf === null ? '' : 'bd-old'}>
        <SectionHead
          id="units-by-pressure"
          title="Units by pressure"
          context={
            <span className="row row-3 wrap">
              {asOf !== null && <span className="bd-as-of">{asOf}</span>}
              <BarKey />
            </span>
          }
          mark={
            <Segments
              label="View"
              value={view}
              onValueChange={setView}
              choices={[
                { value: 'cards', label: 'Cards' },
                { value: 'table', label: 'Table' },
              ]}
            />
          }
        />
        {view === 'table' ? (
          <UnitTable board={board} now={now} nameOf={nameOf} hrefOf={hrefOf} />
        ) : (
          <ul className="bd-cards">
            {byPressure(board.units).map((unit) => (
              <UnitCard
                key={reportKey(unit)}
                board={board}
                unit={unit}
                name={nameOf(unit)}
                kind={kinds.get(unit.unit_id)}
                now={now}
                asAt={asAt}
                asOf={asOf}
                href={hrefOf(unit)}
                mayRemind={mayRemind}
                onCalendar={() => onCalendar(unit)}
              />
            ))}
          </ul>
        )}
      </section>
      <AlertList board={board} now={now} />
    </>
  );
}

function BarKey() {
  return (
    <span className="bd-key">
      <i className="bd-swatch is-occupied" /> occupied
      <i className="bd-swatch is-blocked" /> blocked
      <i className="bd-swatch is-free" /> free
    </span>
  );
}

/** What is shown is not what is, where the board could not be asked again. */
function Staleness({ age, zone, now }: { age: BoardAge; zone: string; now: number }) {
  if (!age.isOld) return null;
  const asOf = `As of ${formatSince(zone, age.at, now)}`;
  return age.failure !== null && age.isOnline ? (
    <Banner tone="warning" announce="status" title="Not up to date.">
      {asOf}. {formatFailure(age.failure)}
    </Banner>
  ) : (
    <Banner tone="neutral" icon={CloudOff} announce="status" title="Not up to date.">
      {asOf}; {age.isOnline ? 'updating.' : 'offline. It updates when you’re back online.'}
    </Banner>
  );
}

import { useRouter } from '@tanstack/react-router';
import type { CensusDate } from '@wardline/census/calendar.ts';
import type { BoardUnit } from '@wardline/contract/census/board.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { type ReactNode, useRef, useState } from 'react';
import type { HeatUnit } from '#/features/census/charts/heat-card.tsx';
import { TrendCard } from '#/features/census/charts/trend-card.tsx';
import { reportPath } from '#/features/census/core/census-paths.ts';
import { Panel } from '#/features/census/core/panel.tsx';
import { periodAround, periodSearch } from '#/features/census/core/period/period.ts';
import { reportKey } from '#/features/census/core/unit-names.ts';
import { CalendarPanel } from './calendar-panel.tsx';
import { ForecastPanel } from './forecast-panel.tsx';
import { HeatPanel, MONTH_DAYS } from './heat-panel.tsx';
import { trendPoints } from './trend-points.ts';
import { type Board, useForecast, useHeatmap } from './use-board.ts';

type ReportName = Pick<BoardUnit, 'unit_id' | 'population'>;

interface BoardPicturesProps {
  readonly facility: Facility;
  readonly board: Board;
  /** Whether the page hears what changes. */
  readonly isFollowing: boolean;
  /** What stands above; it may ask for the calendar of a unit. */
  readonly children: (showCalendar: (unit: BoardUnit) => void) => ReactNode;
}

/** CEN-9: how it came to this and where it goes: heat map, trend, calendar, forecast. */
export function BoardPictures({ facility, board, isFollowing, children }: BoardPicturesProps) {
  const [days, setDays] = useState(MONTH_DAYS);
  const [unitKey, setUnitKey] = useState<string | null>(null);
  const calendar = useRef<HTMLDivElement>(null);
  const month = useHeatmap(facility.id, board.census_date, { days: MONTH_DAYS, isFollowing });
  const heat = useHeatmap(facility.id, board.census_date, { days, isFollowing });
  const forecast = useForecast(facility.id, board.census_date, { isFollowing });
  const openDay = useOpenDay(facility);
  const showCalendar = (unit: ReportName) => {
    setUnitKey(reportKey(unit));
    calendar.current?.focus();
    calendar.current?.scrollIntoView({ block: 'start' });
  };
  return (
    <>
      {children(showCalendar)}
      <HeatPanel heat={heat} date={board.census_date} days={days} onDays={setDays} onOpen={openDay ?? showCalendar} />
      <div className="bd-pictures">
        <Panel query={month} what="the trend" shape="chart">
          {(data) => <TrendCard points={trendPoints(data)} by="day" denominator={data.denominator} />}
        </Panel>
        <div ref={calendar} tabIndex={-1} className="bd-calendar">
          <Panel query={month} what="the calendar" shape="chart">
            {(data) => <CalendarPanel heat={data} unitKey={unitKey} onUnit={setUnitKey} onOpen={openDay} />}
          </Panel>
        </div>
        <Panel query={forecast} what="the forecast" shape="chart">
          {(data) => <ForecastPanel forecast={data} />}
        </Panel>
      </div>
    </>
  );
}

/** Goes to a day's report, or else to the day; null for who may open neither. */
function useOpenDay({ permissions }: Facility): ((unit: HeatUnit, date: CensusDate) => void) | null {
  const router = useRouter();
  const mayReport = permissions.includes('census.report_units');
  if (!mayReport && !permissions.includes('census.report_summary')) return null;
  return (unit, date) => {
    const report = reportPath({ unit: unit.unit_id, date, population: unit.population });
    const day = `/census-summary?${periodSearch(periodAround('day', date))}`;
    void router.navigate({ href: mayReport ? report : day });
  };
}

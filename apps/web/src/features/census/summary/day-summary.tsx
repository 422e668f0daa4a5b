import { addDays } from '@wardline/census/calendar.ts';
import type { FacilityDay, TransferCell, UnitOfDay } from '@wardline/contract/census/day.ts';
import type { CensusSummary } from '@wardline/contract/census/summary.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { BedDouble } from 'lucide-react';
import type { ReactNode } from 'react';
import { seriesOf } from '#/features/census/charts/daily-series.ts';
import { FacilityCalendar } from '#/features/census/charts/facility-calendar.tsx';
import { TrendCard } from '#/features/census/charts/trend-card.tsx';
import { useFacilityDay, useSummary } from '#/features/census/core/changes/summary-queries.ts';
import { SummaryLoading } from '#/features/census/core/loading-shapes.tsx';
import { Panel } from '#/features/census/core/panel.tsx';
import type { Period } from '#/features/census/core/period/period.ts';
import { namesOf, reportKey } from '#/features/census/core/unit-names.ts';
import { PanelBoundary } from '#/shared/errors/panel-boundary.tsx';
import { ProposalsCard } from '../proposals/proposals-card.tsx';
import { UnknownStaysCard } from '../proposals/unknown-stays.tsx';
import { CompareCard } from './cards/compare-card.tsx';
import { DayCompleteness } from './cards/completeness-card.tsx';
import { ControlCard } from './cards/control-card.tsx';
import { hasNewborn, MeasuresCard, NewbornCard } from './cards/measures-card.tsx';
import { NotesCard } from './cards/notes-card.tsx';
import { dayTransfers } from './cards/transfer-labels.ts';
import { TRANSFERS_ID, TransfersCard } from './cards/transfers-card.tsx';
import { DayUnits } from './cards/units-card.tsx';
import { WaterfallCard } from './cards/waterfall-card.tsx';
import { ReportDialog } from './report-dialog.tsx';
import { Resources } from './summary-parts.tsx';

export interface SummaryPartProps {
  readonly facility: Facility;
  readonly period: Period;
  readonly newest: string;
  readonly onOpenDay: (date: string) => void;
}

/** How many days a day's lines reach back. */
const TREND_DAYS = 31;
const CONTROL_DAYS = 84;

interface DaySummaryProps extends SummaryPartProps {
  /** The `reportKey` of the report that stands open over the page. */
  readonly openReport: string | null;
  readonly onOpenReport: (key: string | null) => void;
}

/** One census date: compiled, reviewed and signed here. */
export function DaySummary(props: DaySummaryProps) {
  const { facility, period } = props;
  const day = useFacilityDay(facility.id, period.from);
  if (day.isLoading) return <SummaryLoading />;
  return (
    <Panel query={day} what="the day">
      {(data) =>
        data.units.length === 0 ? (
          <EmptyState icon={BedDouble} title="No unit reports for this date">
            A facility administrator says which units hold inpatients, and from when.
          </EmptyState>
        ) : (
          <Day {...props} day={data} />
        )
      }
    </Panel>
  );
}

function Day(props: DaySummaryProps & { day: FacilityDay }) {
  const { facility, period, newest, onOpenDay, openReport, onOpenReport, day } = props;
  const summary = useSummary(facility.id, period, 'day');
  const open = day.units.find((unit) => reportKey(unit) === openReport);
  const show = (unit: UnitOfDay) => onOpenReport(reportKey(unit));
  const showSide = (unitId: string, { population: name }: TransferCell) =>
    onOpenReport(reportKey({ unit_id: unitId, population: name }));
  return (
    <>
      {day.status === 'reopened' && (
        <Banner tone="warning" title="Reopened." announce="none">
          {day.reopen_reason}
        </Banner>
      )}
      <DayCompleteness day={day} onOpen={show} />
      <ProposalsCard facilityId={facility.id} newest={newest} />
      <UnknownStaysCard facilityId={facility.id} newest={newest} />
      {/* Which parts there are is known with the figures. */}
      {summary.isLoading && <SummaryLoading />}
      <Resources
        parts={[
          {
            id: 'measures',
            label: 'Measures',
            also: { id: TRANSFERS_ID, label: 'Transfers' },
            isFixed: true,
            content: <Figures day={day} summary={summary} onOpenSide={showSide} />,
          },
          {
            id: 'trend',
            label: 'Trend',
            content: (
              <Series {...{ facility, newest }} date={period.from}>
                {(points, denominator) => (
                  <TrendCard points={points.slice(-TREND_DAYS)} by="day" denominator={denominator} />
                )}
              </Series>
            ),
          },
          hasNewborn(summary.data) && {
            id: 'newborn',
            label: 'Newborn',
            content: summary.data && <NewbornCard summary={summary.data} />,
          },
          { id: 'balance', label: 'Balance', content: <WaterfallCard day={day} /> },
          { id: 'units', label: 'Units', content: <DayUnits day={day} onOpen={show} /> },
          {
            id: 'days',
            label: 'Days',
            content: <FacilityCalendar facility={facility} date={period.from} newest={newest} onOpenDay={onOpenDay} />,
          },
          {
            id: 'unusual',
            label: 'Unusual days',
            content: (
              <Series {...{ facility, newest }} date={period.from}>
                {(points, denominator) => <ControlCard points={points} denominator={denominator} />}
              </Series>
            ),
          },
          summary.data !== undefined && {
            id: 'compare',
            label: 'Compare',
            content: <CompareCard facility={facility} period={period} summary={summary.data} />,
          },
          summary.data !== undefined && {
            id: 'notes',
            label: 'Notes',
            content: <NotesCard summary={summary.data} onOpenDay={onOpenDay} />,
          },
        ]}
      />
      {open && (
        <ReportDialog
          day={day}
          unit={open}
          name={namesOf(day.units)(open)}
          mayOpenPage={facility.permissions.includes('census.report_units')}
          onClose={() => onOpenReport(null)}
        />
      )}
    </>
  );
}

interface FiguresProps {
  readonly day: FacilityDay;
  readonly summary: ReturnType<typeof useSummary>;
  /** Shows the report of one side of a move. */
  readonly onOpenSide: (unitId: string, move: TransferCell) => void;
}

/** The measures, and beside them who moved. */
function Figures({ day, summary, onOpenSide }: FiguresProps) {
  return (
    <div className="sum-two">
      <Panel query={summary} what="the measures">
        {(data) => <MeasuresCard summary={data} />}
      </Panel>
      <PanelBoundary of={day.census_date}>
        <TransfersCard pictures={dayTransfers(day)} onOpen={onOpenSide} />
      </PanelBoundary>
    </div>
  );
}

interface SeriesProps {
  readonly facility: Facility;
  readonly date: string;
  readonly newest: string;
  readonly children: (points: ReturnType<typeof seriesOf>, denominator: CensusSummary['denominator']) => ReactNode;
}

/** The days up to this one. */
function Series({ facility, date, newest, children }: SeriesProps) {
  const query = useSummary(facility.id, { from: addDays(date, 1 - CONTROL_DAYS), to: date }, 'day');
  return (
    <Panel query={query} what="the trend">
      {(data) => <PanelBoundary of={date}>{children(seriesOf(data.steps, newest), data.denominator)}</PanelBoundary>}
    </Panel>
  );
}

import { daysBetween } from '@wardline/census/calendar.ts';
import type { CensusSummary } from '@wardline/contract/census/summary.ts';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { FileSpreadsheet } from 'lucide-react';
import { controlOf, seriesOf } from '#/features/census/charts/daily-series.ts';
import { FacilityCalendar } from '#/features/census/charts/facility-calendar.tsx';
import { HeatCard } from '#/features/census/charts/heat-card.tsx';
import { TrendCard } from '#/features/census/charts/trend-card.tsx';
import { stepOf, useHeatmap, useSummary } from '#/features/census/core/changes/summary-queries.ts';
import { SummaryLoading } from '#/features/census/core/loading-shapes.tsx';
import { Panel } from '#/features/census/core/panel.tsx';
import { PanelBoundary } from '#/shared/errors/panel-boundary.tsx';
import { NursingButton } from '../nursing/nursing-button.tsx';
import { ProposalsCard } from '../proposals/proposals-card.tsx';
import { UnknownStaysCard } from '../proposals/unknown-stays.tsx';
import { CompareCard } from './cards/compare-card.tsx';
import { PeriodCompleteness } from './cards/completeness-card.tsx';
import { ControlCard } from './cards/control-card.tsx';
import { MeasuresCard, NewbornCard } from './cards/measures-card.tsx';
import { NotesCard } from './cards/notes-card.tsx';
import { periodTransfers } from './cards/transfer-labels.ts';
import { TRANSFERS_ID, TransfersCard } from './cards/transfers-card.tsx';
import { PeriodUnits } from './cards/units-card.tsx';
import { FEWEST_DAYS, WeekdayCard } from './cards/weekday-card.tsx';
import type { SummaryPartProps } from './day-summary.tsx';
import { Resources } from './summary-parts.tsx';

/** Cells narrower than this cannot hold their number; the board shows a year. */
const WIDEST_HEAT_MAP = 93;

/** A month, quarter, year or range: sums of its days, divided last. */
export function PeriodSummary(props: SummaryPartProps) {
  const { facility, period } = props;
  const query = useSummary(facility.id, period, stepOf(period));
  if (query.isLoading) return <SummaryLoading />;
  return (
    <Panel query={query} what="the summary">
      {(summary) =>
        summary.total.adult_and_child.days === 0 ? (
          <EmptyState icon={FileSpreadsheet} title="No data yet">
            No unit has counted in this period yet.
          </EmptyState>
        ) : (
          <Compiled {...props} summary={summary} />
        )
      }
    </Panel>
  );
}

function Compiled({ facility, period, newest, onOpenDay, summary }: SummaryPartProps & { summary: CensusSummary }) {
  const by = stepOf(period);
  const points = seriesOf(summary.steps, newest);
  const hasHeatMap = daysBetween(period.from, period.to) < WIDEST_HEAT_MAP;
  const heat = useHeatmap(facility.id, period, { isWanted: hasHeatMap });
  return (
    <PanelBoundary of={`${period.from} ${period.to}`}>
      <PeriodCompleteness summary={summary} />
      <ProposalsCard facilityId={facility.id} newest={newest} />
      <UnknownStaysCard facilityId={facility.id} newest={newest} />
      <Resources
        parts={[
          {
            id: 'measures',
            label: 'Measures',
            also: { id: TRANSFERS_ID, label: 'Transfers' },
            isFixed: true,
            content: <Figures facility={facility} newest={newest} summary={summary} />,
          },
          hasHeatMap && {
            id: 'occupancy',
            label: 'Occupancy',
            content: (
              <Panel query={heat} what="the heat map">
                {(data) => <HeatCard heat={data} newest={newest} onOpenDay={onOpenDay} />}
              </Panel>
            ),
          },
          period.kind === 'month' && {
            id: 'days',
            label: 'Days',
            content: <FacilityCalendar facility={facility} date={period.from} newest={newest} onOpenDay={onOpenDay} />,
          },
          {
            id: 'trend',
            label: 'Trend',
            content: <TrendCard points={points} by={by} denominator={summary.denominator} />,
          },
          by === 'day' &&
            controlOf(points) !== null && {
              id: 'unusual',
              label: 'Unusual days',
              content: <ControlCard points={points} denominator={summary.denominator} />,
            },
          by === 'day' &&
            points.length >= FEWEST_DAYS && {
              id: 'weekdays',
              label: 'Weekdays',
              content: <WeekdayCard points={points} />,
            },
          { id: 'units', label: 'Units', content: <PeriodUnits summary={summary} /> },
          {
            id: 'compare',
            label: 'Compare',
            content: <CompareCard facility={facility} period={period} summary={summary} />,
          },
          { id: 'notes', label: 'Notes', content: <NotesCard summary={summary} onOpenDay={onOpenDay} /> },
        ]}
      />
    </PanelBoundary>
  );
}

type FiguresProps = Pick<SummaryPartProps, 'facility' | 'newest'> & { readonly summary: CensusSummary };

/** The measures, and beside them who moved; newborns apart. */
function Figures({ facility, newest, summary }: FiguresProps) {
  return (
    <>
      <div className="sum-two">
        <MeasuresCard
          summary={summary}
          {...(facility.permissions.includes('census.report_summary') && {
            aside: <NursingButton facility={facility} newest={newest} />,
          })}
        />
        <TransfersCard pictures={periodTransfers(summary)} />
      </div>
      <NewbornCard summary={summary} />
    </>
  );
}

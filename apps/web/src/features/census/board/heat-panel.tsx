import type { CensusDate } from '@wardline/census/calendar.ts';
import { Segments } from '@wardline/ui/tabs/segments.tsx';
import type { ReactNode } from 'react';
import { HeatCard, type HeatUnit } from '#/features/census/charts/heat-card.tsx';
import { Panel } from '#/features/census/core/panel.tsx';
import type { useHeatmap } from './use-board.ts';

export const MONTH_DAYS = 31;
export const YEAR_DAYS = 365;

interface HeatPanelProps {
  readonly heat: ReturnType<typeof useHeatmap>;
  readonly date: CensusDate;
  readonly days: number;
  readonly onDays: (days: number) => void;
  readonly onOpen: (unit: HeatUnit, date: CensusDate) => void;
}

/** Every unit on each of the last days; a cell leads to its report. */
export function HeatPanel({ heat, date, days, onDays, onOpen }: HeatPanelProps) {
  return (
    <Panel query={heat} what="the occupancy of the last days" shape="chart">
      {(data) => (
        <HeatCard
          heat={data}
          newest={date}
          aside={<Range days={days} onDays={onDays} isBusy={heat.isPlaceholderData} />}
          onOpenDay={(day, unit) => onOpen(unit, day)}
        />
      )}
    </Panel>
  );
}

interface RangeProps {
  readonly days: number;
  readonly onDays: (days: number) => void;
  readonly isBusy: boolean;
}

function Range({ days, onDays, isBusy }: RangeProps): ReactNode {
  return (
    <>
      {isBusy && (
        <span className="t12 muted" role="status">
          Loading the year
        </span>
      )}
      <Segments
        label="Range"
        value={days === YEAR_DAYS ? 'year' : 'month'}
        onValueChange={(range) => onDays(range === 'year' ? YEAR_DAYS : MONTH_DAYS)}
        choices={[
          { value: 'month', label: '31 days' },
          { value: 'year', label: 'Year' },
        ]}
      />
    </>
  );
}

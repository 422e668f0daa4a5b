import './grid.css';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card } from '@wardline/ui/card/card.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { ArrowDownToLine, BedDouble, Redo2, Undo2 } from 'lucide-react';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { formatDay } from '#/shared/time/zoned-time.ts';
import { columnsOf } from './grid-columns.ts';
import { GridRowView } from './grid-row.tsx';
import { useCensusGrid } from './use-census-grid.ts';
import { type GridDays, useGridDays } from './use-grid-days.ts';
import { useGridHands } from './use-grid-interactions.ts';

interface CensusGridProps {
  readonly facility: Facility;
  readonly date: string;
}

/** CEN-4: the reports of all units of one census date; mine are typed and pasted like a spreadsheet. */
export function CensusGrid({ facility, date }: CensusGridProps) {
  const days = useGridDays(facility, date);
  if (days.isPending) return <Skeleton count={6} label="Loading the units" />;
  if (days.data === undefined) {
    return (
      <ErrorState
        title="The units did not load"
        message={formatFailure(days.error)}
        onRetry={() => void days.refetch()}
        isRetrying={days.isFetching}
      />
    );
  }
  if (days.data.days.length === 0) {
    return (
      <EmptyState icon={BedDouble} title="No units to report">
        No unit reports for this date. A facility administrator says who reports for which unit.
      </EmptyState>
    );
  }
  return <Sheet key={date} {...days.data} date={date} refresh={() => void days.refetch()} />;
}

interface SheetProps extends GridDays {
  readonly date: string;
  readonly refresh: () => void;
}

function Sheet({ days, reporters, absent, date, refresh }: SheetProps) {
  const grid = useCensusGrid(days, refresh);
  const hands = useGridHands(grid);
  const { state } = grid;
  return (
    <Card className="cgrid-card">
      <div className="row wrap cgrid-tools">
        <Button variant="ghost" color="neutral" icon={Undo2} disabled={state.past.length === 0} onClick={hands.undo}>
          Undo
        </Button>
        <Button variant="ghost" color="neutral" icon={Redo2} disabled={state.future.length === 0} onClick={hands.redo}>
          Redo
        </Button>
        <Button
          variant="ghost"
          color="neutral"
          icon={ArrowDownToLine}
          disabled={!hands.mayFill}
          onClick={hands.fillDown}
        >
          Fill down
        </Button>
        <p className="t13 muted cgrid-say" role="status">
          {hands.text}
        </p>
      </div>
      <div className="cgrid-box">
        <table
          ref={hands.ref}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: with keys of its own a table is a grid
          role="grid"
          aria-label={`Reports of ${formatDay(date, date)}`}
          aria-multiselectable="true"
          className="cgrid"
          {...hands.props}
        >
          <thead>
            <tr>
              <th scope="col">Unit</th>
              {columnsOf(state.rows).map(({ key, head }) => (
                <th key={key} scope="col">
                  {head}
                </th>
              ))}
              <th scope="col">Report</th>
            </tr>
          </thead>
          <tbody>
            {state.rows.map((row, index) => (
              <GridRowView key={row.key} {...{ row, index, grid, hands }} reporters={reporters.get(row.key)} />
            ))}
          </tbody>
        </table>
      </div>
      {absent.length > 0 && (
        <p className="t13 muted cgrid-absent" role="status">
          Not loaded: {absent.join(', ')}. They come back with the network.
        </p>
      )}
    </Card>
  );
}

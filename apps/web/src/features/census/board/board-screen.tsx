import './board.css';
import { isTemporary } from '@wardline/client/http/api-error.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { BedDouble, CloudOff } from 'lucide-react';
import { CensusFrame, SettingsLink } from '#/features/census/core/census-frame.tsx';
import { BoardLoading } from '#/features/census/core/loading-shapes.tsx';
import { fullDay } from '#/features/census/core/period/period.ts';
import { countedWhen } from '#/features/census/core/report-labels.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { useNow } from '#/shared/time/use-now.ts';
import { type BoardAge, useBoardAge } from './board-age.ts';
import { BoardPictures } from './board-pictures.tsx';
import { BoardUnits } from './board-units.tsx';
import { type Board, useBoard, useBoardChanges } from './use-board.ts';

/** CEN-5: every unit of the facility as it is now, what is missing, and how it came to this. */
export function BoardScreen({ facility }: { facility: Facility }) {
  const isFollowing = useBoardChanges(facility.id);
  const board = useBoard(facility.id, { isFollowing });
  const now = useNow();
  const age = useBoardAge(board, now);
  const isRefused = board.error !== null && !isTemporary(board.error);
  const maySummarise = facility.permissions.includes('census.report_summary');
  return (
    <CensusFrame
      title="Census"
      path="/census"
      facility={facility}
      {...(board.data && !isRefused ? { context: boardDay(board.data) } : {})}
      actions={
        <>
          <SettingsLink facility={facility} />
          {maySummarise && (
            <Button className="only-desk" asChild>
              <Link href="/census-summary">Open summary</Link>
            </Button>
          )}
        </>
      }
    >
      {board.data === undefined || isRefused ? (
        <NoBoard board={board} />
      ) : board.data.units.length === 0 ? (
        <NoUnits facility={facility} board={board.data} />
      ) : (
        <BoardBody facility={facility} board={board.data} age={age} now={now} isFollowing={isFollowing} />
      )}
    </CensusFrame>
  );
}

/** In a new facility the first day of its units is not over, and nothing is wrong. */
function NoUnits({ facility, board }: { readonly facility: Facility; readonly board: Board }) {
  if (facility.unit_count > 0) {
    return (
      <EmptyState icon={BedDouble} title="No counts yet">
        {`No unit reported for ${fullDay(board.census_date)}. A unit shows here once its first day is over.`}
      </EmptyState>
    );
  }
  if (!facility.permissions.includes('census.configure')) {
    return (
      <EmptyState icon={BedDouble} title="No units report a census">
        A facility administrator sets in the census settings which units report, and who reports for them.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={BedDouble}
      title="No units report a census"
      action={
        <Button asChild>
          <Link href="/census?view=settings#units">Add your units</Link>
        </Button>
      }
    >
      Say which units there are, how many beds they have, and who reports for them.
    </EmptyState>
  );
}

function NoBoard({ board }: { board: ReturnType<typeof useBoard> }) {
  if (board.error) {
    return (
      <ErrorState
        title="The board did not load"
        message={formatFailure(board.error)}
        onRetry={() => void board.refetch()}
        isRetrying={board.isFetching}
      />
    );
  }
  if (board.fetchStatus === 'paused') {
    return (
      <EmptyState icon={CloudOff} title="The board needs a network">
        It is not stored on this device.
      </EmptyState>
    );
  }
  return <BoardLoading />;
}

interface BoardBodyProps {
  readonly facility: Facility;
  readonly board: Board;
  readonly age: BoardAge;
  readonly now: number;
  readonly isFollowing: boolean;
}

function BoardBody({ facility, board, age, now, isFollowing }: BoardBodyProps) {
  return (
    <BoardPictures facility={facility} board={board} isFollowing={isFollowing}>
      {(showCalendar) => <BoardUnits facility={facility} board={board} now={now} age={age} onCalendar={showCalendar} />}
    </BoardPictures>
  );
}

/** `end of Thu 19 Nov 2026`. */
function boardDay(board: Board): string {
  return countedWhen(board, fullDay(board.census_date));
}

import type { BoardUnit } from '@wardline/contract/census-board.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import type { ReactNode } from 'react';
import { discussionPath } from '#/features/census/core/census-paths.ts';
import { counted } from '#/features/census/core/format-figure.ts';
import { formatSpan } from '#/features/census/core/report-labels.ts';
import { formatDay, timeIn } from '#/shared/time/zoned-time.ts';
import { isMissing } from './board-figures.ts';
import { formatList } from './board-labels.ts';
import { RemindButton } from './remind-button.tsx';
import type { Board } from './use-board.ts';

interface MissingBannersProps {
  readonly board: Board;
  readonly now: number;
  /** Whether the person may ask for reports. */
  readonly mayRemind: boolean;
  readonly nameOf: (unit: BoardUnit) => string;
}

/** More than these are told in one line; their cards say the rest. */
const mostApart = 3;

/** What the total leaves out, since when, and whom to ask. */
export function MissingBanners({ board, now, mayRemind, nameOf }: MissingBannersProps) {
  const missing = board.units.filter(isMissing);
  if (missing.length === 0) return null;
  const due = timeIn(board.time_zone, Date.parse(board.due_at));
  const late = formatSpan(now - Date.parse(board.due_at));
  if (missing.length > mostApart) {
    return (
      <Banner tone="error" announce="status" title={`${missing.length} units are missing.`}>
        Due {due}, {late} late. Not in the total: {formatList(missing.map(nameOf))}.
      </Banner>
    );
  }
  return missing.map((unit) => (
    <Banner
      key={`${unit.unit_id}-${unit.class}`}
      tone="error"
      announce="status"
      title={`${nameOf(unit)} is missing.`}
      action={cureOf(board, unit, mayRemind)}
    >
      Due {due}, {late} late. {leftOut(unit, board.census_date)}
    </Banner>
  ));
}

function leftOut({ occupied, last_known }: BoardUnit, date: string): string {
  if (occupied !== null) return `The total counts the ${counted(occupied, 'patient')} seen there since.`;
  if (!last_known) return 'Not in the total.';
  const { present, census_date } = last_known;
  const were = present === 1 ? 'was' : 'were';
  return `Not in the total; ${counted(present, 'patient')} ${were} there on ${formatDay(census_date, date)}.`;
}

/** The talk about the report, where one is in it; else whoever may asks for it. */
function cureOf(board: Board, unit: BoardUnit, mayRemind: boolean): ReactNode {
  if (unit.thread_chat_id === null) {
    return mayRemind ? <RemindButton board={board} unit={unit} look="link" /> : undefined;
  }
  return (
    <Button variant="link" color="error" asChild>
      <Link href={discussionPath(board.facility_id, unit.thread_chat_id)}>Open discussion</Link>
    </Button>
  );
}

import type { BoardUnit } from '@wardline/contract/census/board.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Bell } from 'lucide-react';
import { discussionPath } from '#/features/census/core/census-paths.ts';
import { sayDone } from '#/shared/contexts/show-toast.ts';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { useAction } from '#/shared/forms/use-action.ts';
import { isAlertOf } from './board-figures.ts';
import { formatAgo, formatReporter } from './board-labels.ts';
import { type Board, useAcknowledge, useRemind } from './use-board.ts';

interface MissingActsProps {
  readonly board: Board;
  readonly unit: BoardUnit;
  readonly now: number;
  /** Whether the person may ask for reports. */
  readonly mayRemind: boolean;
}

/** What can be done about a report that is missing, on its unit's card: the only place on the board that speaks of it. */
export function MissingActs({ board, unit, now, mayRemind }: MissingActsProps) {
  const alert = board.alerts.find((one) => isAlertOf(one, board, unit));
  return (
    <div className="stack stack-1">
      {mayRemind && <RemindButton board={board} unit={unit} />}
      <p className="row wrap t12 muted">
        {unit.discussion_chat_id !== null && (
          <Button asChild variant="link">
            <Link href={discussionPath(board.facility_id, unit.discussion_chat_id)}>Open discussion</Link>
          </Button>
        )}
        {alert && alert.acknowledged_at === null && <Acknowledge board={board} alert={alert} />}
        {alert && alert.acknowledged_at !== null && (
          <span>
            acknowledged by {alert.acknowledged_by?.name ?? 'someone'},{' '}
            {formatAgo(alert.acknowledged_at, now, board.time_zone)}
          </span>
        )}
      </p>
    </div>
  );
}

/** Asks those who report for a unit; says what came of it. Without anybody to ask there is nothing to press. */
function RemindButton({ board, unit }: Pick<MissingActsProps, 'board' | 'unit'>) {
  const whom = formatReporter(unit.people);
  const remind = useRemind(board);
  const { run, isBusy, error } = useAction(async () => {
    await remind(unit);
    sayDone(`Reminded ${whom}`);
  });
  // The board above says that it is old, and why.
  const isOnline = useOnline();
  if (whom === null) return <span className="t13 muted">No one reports for it</span>;
  return (
    <span className="stack stack-1 bd-remind-card">
      <Button
        variant="outline"
        color="neutral"
        size="sm"
        icon={Bell}
        isFullWidth
        isLoading={isBusy}
        disabled={!isOnline}
        onClick={run}
      >
        Remind {whom}
      </Button>
      <Failure text={error} />
    </span>
  );
}

function Acknowledge({ board, alert }: { board: Board; alert: Board['alerts'][number] }) {
  const acknowledge = useAcknowledge(board.facility_id);
  const { run, isBusy, error } = useAction(() => acknowledge(alert));
  const isOnline = useOnline();
  return (
    <>
      <Button variant="outline" color="neutral" size="sm" isLoading={isBusy} disabled={!isOnline} onClick={run}>
        Acknowledge
      </Button>
      <Failure text={error} />
    </>
  );
}

function Failure({ text }: { text: string | null }) {
  return text === null ? null : (
    <span className="t12 c-error" role="alert">
      {text}
    </span>
  );
}

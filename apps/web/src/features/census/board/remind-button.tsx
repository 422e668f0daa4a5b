import type { BoardUnit } from '@wardline/contract/census-board.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Bell } from 'lucide-react';
import { sayDone } from '#/shared/contexts/show-toast.ts';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { useAction } from '#/shared/forms/use-action.ts';
import { formatReporter } from './board-labels.ts';
import { type Board, useRemind } from './use-board.ts';

interface RemindButtonProps {
  readonly board: Board;
  readonly unit: BoardUnit;
  /** A link in a banner, or a button across a card. */
  readonly look: 'link' | 'card';
}

/** Asks those who report for a unit; says what came of it. Without anybody to ask there is nothing to press. */
export function RemindButton({ board, unit, look }: RemindButtonProps) {
  const whom = formatReporter(unit.people);
  const remind = useRemind(board);
  const { run, isBusy, error } = useAction(async () => {
    await remind(unit);
    sayDone(`Reminded ${whom}`);
  });
  // The board above says that it is old, and why.
  const disabled = !useOnline();
  if (whom === null) return <span className="t13 muted">No one reports for it</span>;
  const common = { isLoading: isBusy, disabled, onClick: run, children: `Remind ${whom}` };
  return (
    <span className={look === 'card' ? 'stack stack-1 bd-remind-card' : 'bd-remind'}>
      {look === 'card' ? (
        <Button variant="outline" color="neutral" size="sm" icon={Bell} isFullWidth {...common} />
      ) : (
        <Button variant="link" color="error" {...common} />
      )}
      {error !== null && (
        <span className="t12 c-error" role="alert">
          {error}
        </span>
      )}
    </span>
  );
}

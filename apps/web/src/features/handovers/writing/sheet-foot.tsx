import { Button } from '@wardline/ui/button/button.tsx';
import type { Problem } from './sheet-problem.ts';

interface SheetFootProps {
  readonly isKept: boolean;
  readonly isCorrection: boolean;
  readonly isOnline: boolean;
  readonly problem: Problem | null;
  /** A screen reader hears it where it stands. */
  readonly isSaidAbove: boolean;
  readonly onDiscard: () => void;
  readonly onSign: () => void;
}

/** The signature, and what is in its way. */
export function SheetFoot(props: SheetFootProps) {
  const { isCorrection, isOnline, isKept, problem, isSaidAbove, onDiscard, onSign } = props;
  const kept = isKept ? 'Kept on this device until you sign.' : 'Nothing is sent before you sign.';
  return (
    <footer className="pane-acts">
      <p className="hand-next">
        {problem ? (
          <span className="c-error t13" role={isSaidAbove ? undefined : 'alert'}>
            {problem.text}
          </span>
        ) : (
          <span className="t12 muted">{isOnline ? kept : 'Signing needs the network.'}</span>
        )}
      </p>
      {(isKept || isCorrection) && (
        <Button variant="ghost" color="neutral" onClick={onDiscard}>
          Discard
        </Button>
      )}
      <Button size="lg" disabled={!isOnline} onClick={onSign}>
        {isCorrection ? 'Sign correction' : 'Sign and hand over'}
      </Button>
    </footer>
  );
}

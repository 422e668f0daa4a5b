import { statusOf } from '@wardline/client/http/api-error.ts';
import { serverNow } from '@wardline/client/server-clock.ts';
import type { CensusAlert } from '@wardline/contract/census-board.ts';
import type { Facility } from '@wardline/contract/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { useId, useRef } from 'react';
import { useAction } from '#/page/use-action.ts';
import { useOnline } from '#/page/use-online.ts';
import { outcomeWords } from './alert-words.ts';
import { useAcknowledge, useAlert } from './use-alert.ts';

interface AlertActProps {
  readonly id: string;
  readonly facility: Facility;
}

/** Beside an alert in a chat, for those who see the board; to the others the line says all. */
export function AlertAct(props: AlertActProps) {
  return props.facility.permissions.includes('census.view') && <SeenAlert {...props} />;
}

function SeenAlert({ id, facility }: AlertActProps) {
  const key = { facilityId: facility.id, alertId: id };
  const { data, error, refetch } = useAlert(key);
  const isOnline = useOnline();
  if (data || !isOnline) return <Outcome alert={data ?? null} {...key} zone={facility.time_zone} isOnline={isOnline} />;
  // Gone, or no longer one's own to see: the line says what there is to say.
  if ([403, 404].includes(statusOf(error))) return null;
  return (
    <div className="m-act">
      {error && (
        <>
          <span>The alert status did not load.</span>
          <Button variant="link" size="sm" onClick={() => void refetch()}>
            Try again
          </Button>
        </>
      )}
    </div>
  );
}

interface OutcomeProps {
  /** Null while it is not known. */
  readonly alert: CensusAlert | null;
  readonly facilityId: string;
  readonly alertId: string;
  readonly zone: string;
  readonly isOnline: boolean;
}

function Outcome({ alert, zone, isOnline, ...key }: OutcomeProps) {
  const { run, isBusy, trouble } = useAction(useAcknowledge(key));
  const isOnButton = useRef(false);
  const whyId = useId();
  const words = alert && outcomeWords(alert, serverNow(), zone);
  const why = isOnline ? trouble : 'You are offline.';
  if (words) {
    // Whoever stood on the button stands on what came of it, and hears it.
    const follow = (element: HTMLElement | null) => {
      if (!element || !isOnButton.current) return;
      isOnButton.current = false;
      element.focus();
    };
    return (
      <div className="m-act">
        <span ref={follow} tabIndex={-1}>
          {words}
        </span>
      </div>
    );
  }
  return (
    <div className="m-act">
      <Button
        variant="outline"
        color="neutral"
        size="sm"
        isLoading={isBusy}
        disabled={!isOnline}
        aria-describedby={why === null ? undefined : whyId}
        ref={(element) => () => {
          isOnButton.current = element === document.activeElement;
        }}
        onClick={run}
      >
        Acknowledge
      </Button>
      {why !== null && (
        <span id={whyId} className={isOnline ? 'c-error' : undefined} role={isOnline ? 'alert' : undefined}>
          {why}
        </span>
      )}
    </div>
  );
}

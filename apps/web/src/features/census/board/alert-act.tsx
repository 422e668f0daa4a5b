import { statusOf } from '@wardline/client/http/api-error.ts';
import { serverNow } from '@wardline/client/server-clock.ts';
import { acknowledgeAlert, type CensusAlert, getCensusAlert } from '@wardline/contract/census/board.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { useId, useRef } from 'react';
import { isTouched, refetchChanged } from '#/features/census/core/changes/refetch-changed.ts';
import { useCensusChanges } from '#/features/census/core/changes/use-census-changes.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { useAction } from '#/shared/forms/use-action.ts';
import { useQuery, useQueryClient } from '#/shared/queries/use-query.ts';
import { formatClock } from '#/shared/time/format-clock.ts';

interface AlertKey {
  readonly facilityId: string;
  readonly alertId: string;
}

const keyOf = ({ facilityId, alertId }: AlertKey) => ['census-alert', facilityId, alertId] as const;

/** An alert as it is now. Who took it on stays; until somebody did, news of its date ask anew. */
function useAlert({ facilityId, alertId }: AlertKey) {
  const call = useCall();
  const queries = useQueryClient();
  const queryKey = keyOf({ facilityId, alertId });
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(getCensusAlert, { params: { facility: facilityId, alert: alertId }, signal }),
    staleTime: ({ state }) => (isTaken(state.data) ? Number.POSITIVE_INFINITY : 0),
  });
  const { data } = query;
  useCensusChanges(facilityId, (change) => {
    if (isTaken(data)) return;
    const date = data?.census_date;
    if (date === undefined || isTouched(change, { from: date, to: date }))
      refetchChanged(queries, { queryKey, change });
  });
  return query;
}

/** Says that one takes care of it; the answer says who was first. */
function useAcknowledge({ facilityId, alertId }: AlertKey) {
  const call = useCall();
  const queries = useQueryClient();
  return async () => {
    const alert = await call(acknowledgeAlert, { params: { facility: facilityId, alert: alertId } });
    queries.setQueryData(keyOf({ facilityId, alertId }), alert);
  };
}

function isTaken(alert: CensusAlert | undefined): boolean {
  return alert !== undefined && alert.acknowledged_at !== null;
}

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
  const { run, isBusy, error } = useAction(useAcknowledge(key));
  const isOnButton = useRef(false);
  const whyId = useId();
  const text = alert && formatOutcome(alert, serverNow(), zone);
  const why = isOnline ? error : 'You are offline.';
  if (text) {
    // Whoever stood on the button stands on what came of it, and hears it.
    const follow = (element: HTMLElement | null) => {
      if (!element || !isOnButton.current) return;
      isOnButton.current = false;
      element.focus();
    };
    return (
      <div className="m-act">
        <span ref={follow} tabIndex={-1}>
          {text}
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

/** What became of an alert: `Acknowledged by Ruth Calloway, 14:02`; null while it waits for somebody. */
function formatOutcome(alert: CensusAlert, now: number, zone: string): string | null {
  const { acknowledged_at, acknowledged_by, cleared_at } = alert;
  if (acknowledged_at !== null)
    return `Acknowledged by ${acknowledged_by?.name ?? 'someone'}, ${formatClock(zone, Date.parse(acknowledged_at), now)}`;
  return cleared_at ? `Cleared, ${formatClock(zone, Date.parse(cleared_at), now)}` : null;
}

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { acknowledgeAlert, type CensusAlert, getCensusAlert } from '@wardline/contract/census-board.ts';
import { useCensusNews } from '#/features/census/core/use-census-news.ts';
import { useCall } from '#/shared/contexts/call-context.ts';

interface AlertKey {
  readonly facilityId: string;
  readonly alertId: string;
}

const keyOf = ({ facilityId, alertId }: AlertKey) => ['census-alert', facilityId, alertId] as const;

/** An alert as it is now. Who took it on stays; until somebody did, news of its date ask anew. */
export function useAlert({ facilityId, alertId }: AlertKey) {
  const call = useCall();
  const queries = useQueryClient();
  const queryKey = keyOf({ facilityId, alertId });
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(getCensusAlert, { params: { facility: facilityId, alert: alertId }, signal }),
    staleTime: ({ state }) => (isTaken(state.data) ? Number.POSITIVE_INFINITY : 0),
  });
  const { data } = query;
  useCensusNews(facilityId, (change) => {
    if (isTaken(data) || (change && data && change.census_date !== data.census_date)) return;
    void queries.invalidateQueries({ queryKey });
  });
  return query;
}

/** Says that one takes care of it; the answer says who was first. */
export function useAcknowledge({ facilityId, alertId }: AlertKey) {
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

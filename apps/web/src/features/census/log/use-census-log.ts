import { listCensusLog, verifyCensusLog } from '@wardline/contract/census/logs.ts';
import { refetchChanged } from '#/features/census/core/changes/refetch-changed.ts';
import { useCensusChanges } from '#/features/census/core/changes/use-census-changes.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { usePages } from '#/shared/queries/use-pages.ts';
import { keepPreviousData, useQuery, useQueryClient } from '#/shared/queries/use-query.ts';
import { type LogView, logQuery } from './log-address.ts';

const PAGE = 50;
/** Past so many pages the list is not fetched anew while somebody reads in it. */
const FRESH_PAGES = 3;
/** Nobody is told that a draft was saved, and it is an entry. */
const AGAIN_MS = 60_000;
const LONGEST_WALK_MS = 65_000;

const logKey = (facilityId: string) => ['census-log', facilityId] as const;
const chainKey = (facilityId: string) => ['census-chain', facilityId] as const;

/** The log of a facility, the newest first, page by page. It is fetched anew when something of the census changes. */
export function useCensusLog(facilityId: string, view: LogView) {
  const call = useCall();
  const client = useQueryClient();
  const query = logQuery(view);
  const log = usePages({
    queryKey: [...logKey(facilityId), query],
    load: ({ query: page, signal }) =>
      call(listCensusLog, { params: { facility: facilityId }, query: { ...query, limit: PAGE, ...page }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.pages.length ?? 0) <= FRESH_PAGES && AGAIN_MS,
  });
  useCensusChanges(facilityId, (change) => {
    if ((log.data?.pages.length ?? 0) <= FRESH_PAGES) refetchChanged(client, { queryKey: logKey(facilityId), change });
  });
  return log;
}

/** The last walk along the chain, and the way to walk it now. */
export function useChain(facilityId: string) {
  const call = useCall();
  const client = useQueryClient();
  const params = { facility: facilityId };
  const chain = useQuery({
    queryKey: chainKey(facilityId),
    queryFn: ({ signal }) => call(verifyCensusLog, { params, signal }),
  });
  const verifyNow = async () => {
    const found = await call(verifyCensusLog, { params, query: { run: 'true' }, timeoutMs: LONGEST_WALK_MS });
    client.setQueryData(chainKey(facilityId), found);
    void client.invalidateQueries({ queryKey: logKey(facilityId) });
  };
  return { chain, verifyNow };
}

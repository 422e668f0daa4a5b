import {
  getJobQueue,
  getSystemHealth,
  listDeadJobs,
  listSystemWarnings,
} from '@wardline/contract/facilities/system.ts';
import { listAccounts } from '@wardline/contract/facilities/system-accounts.ts';
import { listAllFacilities } from '@wardline/contract/facilities/system-facilities.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { usePages } from '#/shared/queries/use-pages.ts';
import { keepPreviousData, useQuery, useQueryClient } from '#/shared/queries/use-query.ts';

/** The system administrator who is here. */
export interface Me {
  readonly id: string;
  readonly email: string;
}

/** All of the system administration, so that one act brings the whole of it up to date. */
const ROOT = 'system';
const PAGE = 50;

export function useWarnings() {
  const call = useCall();
  return useQuery({ queryKey: [ROOT, 'warnings'], queryFn: ({ signal }) => call(listSystemWarnings, { signal }) });
}

export function useHealth() {
  const call = useCall();
  return useQuery({ queryKey: [ROOT, 'health'], queryFn: ({ signal }) => call(getSystemHealth, { signal }) });
}

export function useJobQueue() {
  const call = useCall();
  return useQuery({ queryKey: [ROOT, 'jobs'], queryFn: ({ signal }) => call(getJobQueue, { signal }) });
}

export function useDeadJobs() {
  const call = useCall();
  return usePages({
    queryKey: [ROOT, 'dead-jobs'],
    load: ({ query, signal }) => call(listDeadJobs, { query: { ...query, limit: PAGE }, signal }),
  });
}

export function useAccounts(q: string) {
  const call = useCall();
  return usePages({
    queryKey: [ROOT, 'accounts', q],
    load: ({ query, signal }) => call(listAccounts, { query: { ...query, limit: PAGE, ...(q ? { q } : {}) }, signal }),
    placeholderData: keepPreviousData,
  });
}

export function useAllFacilities() {
  const call = useCall();
  return usePages({
    queryKey: [ROOT, 'facilities'],
    load: ({ query, signal }) => call(listAllFacilities, { query: { ...query, limit: PAGE }, signal }),
  });
}

/** After an act. */
export function useRefreshSystem(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: [ROOT] });
}

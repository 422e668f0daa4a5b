import { getSecondFactors } from '@wardline/contract/account/second-factor.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useQuery, useQueryClient } from '#/shared/queries/use-query.ts';
import { accountKey } from '../account-queries.ts';

/** Below the account's: what changes that may change this. */
const factorsKey = [...accountKey, 'second-factors'] as const;

/** What the account has beside its password. */
export function useSecondFactors() {
  const call = useCall();
  return useQuery({ queryKey: factorsKey, queryFn: ({ signal }) => call(getSecondFactors, { signal }) });
}

export function useRefreshFactors(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: factorsKey });
}

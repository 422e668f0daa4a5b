import { type Account, getAccount, listSessions } from '@wardline/contract/account/account.ts';
import type { User } from '@wardline/contract/account/auth.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useQuery } from '#/shared/queries/use-query.ts';

export const accountKey = ['account'] as const;
export const sessionsKey = ['account', 'sessions'] as const;

/** What only the person sees of the own account. Until it is here, and offline, what the session knows stands in. */
export function useAccount(user: User): { account: Account; isKnown: boolean; hasFailed: boolean; retry: () => void } {
  const call = useCall();
  const query = useQuery({ queryKey: accountKey, queryFn: ({ signal }) => call(getAccount, { signal }) });
  return {
    account: query.data ?? standIn(user),
    isKnown: query.data !== undefined,
    hasFailed: query.isError,
    retry: () => void query.refetch(),
  };
}

/** Where the person is signed in, the latest first. */
export function useSessions() {
  const call = useCall();
  return useQuery({ queryKey: sessionsKey, queryFn: ({ signal }) => call(listSessions, { signal }) });
}

function standIn({ email, email_verified_at }: User): Account {
  return { email, email_verified_at, pending_email: null, password_changed_at: null };
}

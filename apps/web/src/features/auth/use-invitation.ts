import { showInvitation } from '@wardline/contract/invitations.ts';
import { useEffect, useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { actionWords, isLinkGone } from '#/shared/forms/form-errors.ts';

export type InvitationState =
  | { readonly status: 'loading' }
  | { readonly status: 'open'; readonly facilityName: string; readonly expiresAt: string }
  /** Used, revoked, too old, or never was one. */
  | { readonly status: 'gone' }
  | { readonly status: 'failed'; readonly words: string };

/** Where an invitation leads; null without one. */
export function useInvitation(token: string | null): { invitation: InvitationState | null; retry: () => void } {
  const call = useCall();
  const [invitation, setInvitation] = useState<InvitationState>({ status: 'loading' });
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt asks again
  useEffect(() => {
    if (token === null) return;
    const ending = new AbortController();
    const tell = (state: InvitationState) => !ending.signal.aborted && setInvitation(state);
    tell({ status: 'loading' });
    call(showInvitation, { params: { token }, signal: ending.signal }).then(
      ({ facility_name, expires_at }) => tell({ status: 'open', facilityName: facility_name, expiresAt: expires_at }),
      (error) => tell(isLinkGone(error) ? { status: 'gone' } : { status: 'failed', words: actionWords(error) }),
    );
    return () => ending.abort();
  }, [call, token, attempt]);
  return { invitation: token === null ? null : invitation, retry: () => setAttempt(attempt + 1) };
}

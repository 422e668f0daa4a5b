import '#/features/chat/chat.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import type { SessionState } from '@wardline/client/session/session.ts';
import { TooltipProvider } from '@wardline/ui/tooltip/tooltip.tsx';
import { useEffect } from 'react';
import { useSessionState, useUser } from '#/features/auth/index.ts';
import { ChatRuntimeProvider, clearDrafts } from '#/features/chat/index.ts';
import { FacilitiesProvider, useFacilities, WaitingScreen } from '#/features/facilities/index.ts';
import { useLiveServices } from './live-services.ts';
import { useServices } from './services-context.ts';
import { Shell } from './shell.tsx';

/** Frame, queries and the live connection of a signed-in person. */
export function SignedInLayout() {
  // Between the end of a session and the guard's answer there is nobody to show anything to.
  return useSessionState().status === 'signed-in' ? <SignedIn /> : null;
}

function SignedIn() {
  const { queryClient, realtime } = useLiveServices();
  const { session, log } = useServices();
  const user = useUser();
  useEffect(() => () => forgetDrafts(session.get()), [session]);
  return (
    <QueryClientProvider client={queryClient}>
      <TooltipProvider>
        <ChatRuntimeProvider session={session} realtime={realtime} log={log}>
          <FacilitiesProvider memberships={user.memberships}>
            <Pages email={user.email} />
          </FacilitiesProvider>
        </ChatRuntimeProvider>
      </TooltipProvider>
    </QueryClientProvider>
  );
}

/** An ended session keeps what was typed for the same person; a sign-out, here or in another tab, keeps nothing. */
function forgetDrafts(state: SessionState): void {
  if (state.status === 'signed-out' && state.reason !== 'expired') clearDrafts();
}

function Pages({ email }: { email: string }) {
  const isNewcomer = useFacilities().length === 0;
  return <Shell hasPages={!isNewcomer}>{isNewcomer ? <WaitingScreen email={email} /> : <Outlet />}</Shell>;
}

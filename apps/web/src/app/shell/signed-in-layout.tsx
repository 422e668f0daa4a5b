import '#/features/chat/chat.css';
import { Outlet, useLocation } from '@tanstack/react-router';
import type { User } from '@wardline/contract/account/auth.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { TooltipProvider } from '@wardline/ui/tooltip/tooltip.tsx';
import { useCallback, useState } from 'react';
import { isLocked } from '#/app/lock/lock-mark.ts';
import { isAccountPage } from '#/app/router/account-pages.ts';
import { shouldStay } from '#/app/router/should-stay.ts';
import { DeviceProvider } from '#/app/services/device-provider.tsx';
import { useLiveServices } from '#/app/services/live-services.ts';
import { useServices } from '#/app/services/services-context.ts';
import { useSessionState, useUser } from '#/features/auth/index.ts';
import { ChatRuntimeProvider } from '#/features/chat/index.ts';
import { FacilitiesProvider, useFacilities, WaitingScreen } from '#/features/facilities/index.ts';
import { PageConfigContext } from '#/shared/contexts/page-config.ts';
import { RealtimeContext } from '#/shared/contexts/realtime-context.ts';
import { lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { QueriesContext } from '#/shared/queries/queries-context.ts';
import { OverlayStack } from './overlay-stack.tsx';
import { Shell } from './shell.tsx';

const Called = lazyPart<object>(async () => (await import('./called.tsx')).Called);
const IdleLock = lazyPart(async () => (await import('#/app/lock/idle-lock.tsx')).IdleLock);
const LockedPage = lazyPart(async () => (await import('#/app/lock/idle-lock.tsx')).LockedPage);
const ClosedFacilitiesScreen = lazyPart(async () => (await import('./closed-facilities.tsx')).ClosedFacilitiesScreen);
const ClosedScreen = lazyPart(async () => (await import('./factor-notices.tsx')).ClosedScreen);
const SystemNotice = lazyPart<object>(async () => (await import('./dashboard-notices.tsx')).SystemNotice);
const SignOutButton = lazyPart<object>(async () => (await import('#/app/sign-out/sign-out-button.tsx')).SignOutButton);

/** Frame, queries and the live connection of a signed-in person. */
export function SignedInLayout() {
  const state = useSessionState();
  const { config } = useServices();
  const [wasLocked, setWasLocked] = useState(() => state.status === 'signed-in' && isLocked(state.user));
  const unlock = useCallback(() => setWasLocked(false), []);
  if (state.status === 'signed-in')
    return (
      <PageConfigContext value={config}>
        {wasLocked ? <LockedPage user={state.user} onUnlock={unlock} /> : <SignedIn />}
      </PageConfigContext>
    );
  // Between the end of a session and the guard's answer there is nobody to show anything to.
  return shouldStay(state, config.redirect) ? <EndedPage /> : null;
}

function SignedIn() {
  const { queries, realtime } = useLiveServices();
  const { session, log, config } = useServices();
  const user = useUser();
  return (
    <QueriesContext value={queries}>
      <TooltipProvider>
        <DeviceProvider session={session} log={log}>
          <ChatRuntimeProvider session={session} realtime={realtime} log={log}>
            <FacilitiesProvider memberships={user.memberships}>
              <RealtimeContext value={realtime}>
                <OverlayStack>
                  <Pages user={user} />
                  {config.notifications.is_offered && <Called />}
                  {user.lock_after_minutes && <IdleLock user={user} afterMinutes={user.lock_after_minutes} />}
                </OverlayStack>
              </RealtimeContext>
            </FacilitiesProvider>
          </ChatRuntimeProvider>
        </DeviceProvider>
      </TooltipProvider>
    </QueriesContext>
  );
}

function Pages({ user }: { user: User }) {
  const isNewcomer = useFacilities().length === 0;
  const isOfAccount = useLocation({ select: ({ pathname }) => isAccountPage(pathname) });
  return (
    <Shell hasPages={!isNewcomer}>
      {!isNewcomer || isOfAccount ? (
        <Outlet />
      ) : user.factor_rules?.some(({ is_closed }) => is_closed) ? (
        <ClosedScreen user={user} />
      ) : user.closed_facilities?.[0] && !user.is_operator ? (
        <ClosedFacilitiesScreen {...user} signOut={<SignOutButton />} />
      ) : (
        <WaitingScreen
          email={user.email}
          isOperator={user.is_operator}
          notice={user.is_operator && <SystemNotice />}
          signOut={<SignOutButton />}
        />
      )}
    </Shell>
  );
}

/** In place of a page whose session has ended, where the configuration says to stay (AUTH-2). */
function EndedPage() {
  const href = useLocation({ select: (location) => location.href });
  return (
    <main className="page-err" id="main" tabIndex={-1}>
      <h1>Your session ended</h1>
      <p>Your draft is kept. Sign in again to continue.</p>
      <Button asChild size="lg">
        {/* A full load: the page asks anew who is here. */}
        <a href={`/sign-in?redirect=${encodeURIComponent(href)}`}>Sign in</a>
      </Button>
    </main>
  );
}

import { RouterContextProvider } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import { createCall } from '@wardline/client/http/call.ts';
import { createSource } from '@wardline/client/observable.ts';
import type { Session, SessionState } from '@wardline/client/session/session.ts';
import { createFakeApi } from '@wardline/client/testing/fake-api.ts';
import { createSilentLog } from '@wardline/client/testing/silent-log.ts';
import { testConfig } from '@wardline/client/testing/test-config.ts';
import type { ReactNode } from 'react';
import { vi } from 'vitest';
import { OverlayStack } from '#/app/shell/overlay-stack.tsx';
import { SessionProvider } from '#/features/auth/core/session-context.tsx';
import { CallContext } from '#/shared/contexts/call-context.ts';
import { createQueries, QueriesContext } from '#/shared/queries/queries-context.ts';
import { createFakeRouter } from './fake-router.ts';

const signedOut: SessionState = { status: 'signed-out', reason: 'initial' };

interface Refusal {
  readonly message?: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  readonly retryAfterS?: number;
}

/**
 * What screens stand on, with a server in memory behind it: the real call, queries, a session that can be set, and a
 * router that stands at `address`, whose `navigate` remembers where it was sent.
 */
export function createFakeApp(state: SessionState = signedOut, { address = '/' } = {}) {
  const api = createFakeApi();
  const config = testConfig({ retry: 'off' });
  const tokenStorage = { get: () => 't', set: () => undefined };
  const call = createCall({
    config,
    log: createSilentLog(),
    onEvent: () => undefined,
    fetch: api.fetch,
    tokenStorage,
  });
  const source = createSource<SessionState>(state);
  const session = {
    get: source.get,
    subscribe: source.subscribe,
    store: () => null,
    load: vi.fn(async () => undefined),
    signIn: vi.fn<Session['signIn']>(async () => undefined),
    signOut: vi.fn<Session['signOut']>(async () => undefined),
    refresh: vi.fn<Session['refresh']>(async () => undefined),
  } satisfies Session;
  const queries = createQueries();
  const router = createFakeRouter(address);

  return {
    api,
    call,
    session,
    router,
    navigate: router.navigate,
    setSession: source.set,
    /** From now on every request is refused. */
    refuse(status: number, { message = 'No.', errors, retryAfterS }: Refusal = {}) {
      api.around = async () =>
        Response.json(errors ? { message, errors } : { message }, {
          status,
          headers: retryAfterS === undefined ? {} : { 'Retry-After': String(retryAfterS) },
        });
    },
    /** From now on every request is answered again. */
    answer() {
      api.around = (_request, go) => go();
    },
    /** `around` stands around the overlays too. */
    draw(screen: ReactNode, around: (page: ReactNode) => ReactNode = (page) => page) {
      const wrapper = ({ children }: { children: ReactNode }) => (
        <RouterContextProvider router={router}>
          <CallContext value={call}>
            <SessionProvider session={session}>
              <QueriesContext value={queries}>{around(<OverlayStack>{children}</OverlayStack>)}</QueriesContext>
            </SessionProvider>
          </CallContext>
        </RouterContextProvider>
      );
      return render(screen, { wrapper });
    },
  };
}

/** Makes the browser believe that it has a network, or none. */
export function setOnline(isOnline: boolean): void {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);
  window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
}

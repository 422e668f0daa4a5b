import { createLazyRealtime } from '@wardline/client/realtime/lazy-realtime.ts';
import type { Realtime } from '@wardline/client/realtime/realtime.ts';
import type { Session } from '@wardline/client/session/session.ts';
import { useEffect, useState } from 'react';
import { createQueries, type Queries } from '#/shared/queries/queries-context.ts';
import type { Services } from './services.ts';
import { useServices } from './services-context.ts';

interface LiveServices {
  readonly queries: Queries;
  readonly realtime: Realtime;
}

/** Queries and the live connection: made with the first signed-in page, ended with the last. */
export function useLiveServices(): LiveServices {
  const services = useServices();
  const [live] = useState(() => createLiveServices(services));
  useEffect(() => {
    services.socket.id = () => live.realtime.socketId();
    const unfollow = askWhenRefused(live.realtime, services.session);
    return () => {
      unfollow();
      services.socket.id = () => null;
      live.realtime.stop();
      live.queries.end();
    };
  }, [services, live]);
  return live;
}

function createLiveServices({ config, call, log }: Services): LiveServices {
  const realtime = createLazyRealtime(
    async () => {
      const { createRealtime } = await import('@wardline/client/realtime/realtime.ts');
      return () => createRealtime({ config, call, log });
    },
    (error) => log.error('The code of the live connection could not be loaded', error),
  );
  return { queries: createQueries(), realtime };
}

/** A socket that was closed although somebody is signed in is opened again after half to the whole of this. */
const REOPEN_MS = 10_000;

/**
 * ACC-7: a server that closes the socket for good has ended the session, most often; then the page has to be left. A server
 * that only could not be told in time who is there (a network or a database that hung) is connected to again.
 */
export function askWhenRefused(
  { connection, wake }: Pick<Realtime, 'connection' | 'wake'>,
  session: Pick<Session, 'refresh' | 'get'>,
): () => void {
  const isRefused = () => connection.get() === 'disconnected';
  let reopening: ReturnType<typeof setTimeout> | undefined;
  let wasConnected = connection.get() === 'connected';

  async function ask(wasOpen: boolean): Promise<void> {
    await session.refresh();
    // Refused at once, it would be refused again: by its key, or its version.
    if (!wasOpen || !isRefused() || session.get().status !== 'signed-in') return;
    clearTimeout(reopening);
    reopening = setTimeout(() => isRefused() && wake(), REOPEN_MS * (0.5 + Math.random() / 2));
  }

  const unfollow = connection.subscribe(() => {
    const wasOpen = wasConnected;
    wasConnected = connection.get() === 'connected';
    // A connection that is made anew passes through the same state.
    if (isRefused()) queueMicrotask(() => isRefused() && void ask(wasOpen));
    else clearTimeout(reopening);
  });
  return () => {
    clearTimeout(reopening);
    unfollow();
  };
}

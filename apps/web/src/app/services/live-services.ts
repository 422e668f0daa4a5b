import { QueryClient } from '@tanstack/react-query';
import { queryDefaults } from '@wardline/client/http/query-defaults.ts';
import { createLazyRealtime } from '@wardline/client/realtime/lazy-realtime.ts';
import type { Realtime } from '@wardline/client/realtime/realtime.ts';
import type { Session } from '@wardline/client/session/session.ts';
import { useEffect, useState } from 'react';
import type { Services } from './services.ts';
import { useServices } from './services-context.ts';

interface LiveServices {
  readonly queryClient: QueryClient;
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
      live.queryClient.clear();
    };
  }, [services, live]);
  return live;
}

function createLiveServices({ config, call, log }: Services): LiveServices {
  const queryClient = new QueryClient({ defaultOptions: queryDefaults() });
  const realtime = createLazyRealtime(
    async () => {
      const { createRealtime } = await import('@wardline/client/realtime/realtime.ts');
      return () => createRealtime({ config, call, log });
    },
    (error) => log.error('The code of the live connection could not be loaded', error),
  );
  return { queryClient, realtime };
}

/** ACC-7: a server that closes the socket for good has ended the session, most often; then the page has to be left. */
export function askWhenRefused(
  { connection }: Pick<Realtime, 'connection'>,
  session: Pick<Session, 'refresh'>,
): () => void {
  const isRefused = () => connection.get() === 'disconnected';
  return connection.subscribe(() => {
    // A connection that is made anew passes through the same state.
    if (isRefused()) queueMicrotask(() => isRefused() && void session.refresh());
  });
}

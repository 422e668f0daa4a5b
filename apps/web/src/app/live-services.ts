import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '@wardline/client/http/api-error.ts';
import { createRealtime, type Realtime } from '@wardline/client/realtime/realtime.ts';
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
    return () => {
      services.socket.id = () => null;
      live.realtime.stop();
      live.queryClient.clear();
    };
  }, [services, live]);
  return live;
}

function createLiveServices({ config, call, log }: Services): LiveServices {
  const queryClient = new QueryClient({
    defaultOptions: {
      queries: {
        // The call itself repeats a read once; more would only make a person wait longer for the error.
        retry: false,
        refetchOnWindowFocus: (query) =>
          !(query.state.error instanceof ApiError) || query.state.error.kind === 'temporary',
      },
    },
  });
  return { queryClient, realtime: createRealtime({ config, call, log }) };
}

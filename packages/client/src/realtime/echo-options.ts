import type { ClientConfig } from '@wardline/contract/config.ts';

/** Where the page itself is, as window.location says. */
export interface PagePlace {
  readonly protocol: string;
  readonly hostname: string;
  readonly port: string;
}

export interface SocketPlace {
  readonly key: string;
  readonly wsHost: string;
  readonly wsPort: number;
  readonly wssPort: number;
  readonly forceTLS: boolean;
}

/** Where the realtime server is; throws for a broadcaster that cannot work (CFG-2). */
export function socketPlace({ echo }: ClientConfig, page: PagePlace): SocketPlace {
  const broadcaster: string = echo.broadcaster;
  const isTls = echo.scheme === 'page' ? page.protocol === 'https:' : echo.scheme === 'https';
  if (broadcaster === 'pusher' && echo.scheme === 'http') {
    throw new Error('Pusher requires a secure connection (schema: "https")');
  }
  if (broadcaster !== 'pusher' && broadcaster !== 'reverb') throw new Error(`Unsupported broadcaster: ${broadcaster}`);
  const port = echo.port ?? (echo.host === '' && page.port !== '' ? Number(page.port) : isTls ? 443 : 80);
  return {
    key: echo.key,
    wsHost: echo.host === '' ? page.hostname : echo.host,
    wsPort: port,
    wssPort: port,
    forceTLS: isTls,
  };
}

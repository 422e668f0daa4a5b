import type { ClientConfig } from '@wardline/contract/config.ts';

/** Where the page itself is, as window.location says. */
export interface PagePlace {
  readonly protocol: string;
  readonly hostname: string;
  readonly port: string;
}

/** Where the realtime server is and what it can do, as pusher-js takes it. */
export interface SocketPlace {
  readonly key: string;
  readonly wsHost: string;
  readonly wsPort: number;
  readonly wssPort: number;
  readonly forceTLS: boolean;
  readonly enabledTransports: ClientConfig['echo']['transports'];
  /** The hosted service ends a person's sockets only where the person signed in on them; Reverb knows no such sign-in. */
  readonly isSigningIn: boolean;
}

/** Reads the place from the configuration, the page's own where it names none. Pusher is reached over TLS only. */
export function socketPlace({ echo }: Pick<ClientConfig, 'echo'>, page: PagePlace): SocketPlace {
  const isPusher = echo.broadcaster === 'pusher';
  const isTls = isPusher || (echo.scheme === 'page' ? page.protocol === 'https:' : echo.scheme === 'https');
  const port = echo.port ?? (echo.host === '' && page.port !== '' ? Number(page.port) : isTls ? 443 : 80);
  return {
    key: echo.key,
    wsHost: echo.host === '' ? page.hostname : echo.host,
    wsPort: port,
    wssPort: port,
    forceTLS: isTls,
    enabledTransports: echo.transports,
    isSigningIn: isPusher,
  };
}

import { backEndAddresses } from '@wardline/contract/back-end-addresses.ts';
import { ClientConfig } from '@wardline/contract/config.ts';
import { type FakeLaravel, startLaravel } from './fake-laravel.ts';
import { REVERB_KEY } from './reverb.ts';
import { type StaticHost, startStaticHost } from './static-host.ts';

/**
 * How the client and a back end stand to each other: behind one proxy, on two ports of one host with cookies, or on
 * two sites with tokens.
 */
export type ActiveAlert = 'one origin' | 'two ports' | 'two sites';

export interface Installation {
  readonly host: StaticHost;
  readonly laravel: FakeLaravel;
  readonly apiOrigin: string;
  /** A /config.json with some of its keys changed. */
  configure(change: Record<string, unknown>): void;
  stop(): Promise<void>;
}

interface Options {
  /** The folder that the host serves, the built client unless told. */
  readonly dist?: string;
  /** Addresses of the back end, as its configuration says them, where they are others than usual. */
  readonly endpoints?: Partial<ClientConfig['endpoints']>;
}

/** The built client on a static host with its own /config.json, and a fake Laravel that lets it in. */
export async function startInstallation(
  standing: ActiveAlert,
  { dist, endpoints = {} }: Options = {},
): Promise<Installation> {
  const host = await startStaticHost(dist);
  const isStateful = standing !== 'two sites';
  const laravel = await startLaravel({ allowed: [host.origin], stateful: isStateful ? [host.origin] : [], endpoints });
  const apiOrigin = {
    'one origin': host.origin,
    'two ports': `http://127.0.0.1:${laravel.port}`,
    'two sites': `http://localhost:${laravel.port}`,
  }[standing];
  if (standing === 'one origin') host.upstreamPort = laravel.port;
  host.connects = [apiOrigin, `ws://127.0.0.1:${laravel.reverb.port}`];
  const configure = (change: Record<string, unknown>): void => {
    host.config = {
      product_name: 'Ward Talk',
      ...(standing === 'one origin' ? {} : { base_url: apiOrigin }),
      endpoints,
      ...(isStateful ? {} : { mode: 'token', endpoints: { logout: '/api/logout', ...endpoints } }),
      echo: { key: REVERB_KEY, host: '127.0.0.1', port: laravel.reverb.port, scheme: 'http' },
      ...change,
    };
  };
  configure({});
  host.addresses = backEndAddresses(ClientConfig.parse(host.config).endpoints);
  return {
    host,
    laravel,
    apiOrigin,
    configure,
    async stop() {
      await Promise.all([host.stop(), laravel.stop()]);
    },
  };
}

import type { Exchange } from './exchange.ts';

/** A way to answer wrongly, or not at all. What resolves to `answer` only came before the usual answer. */
export type Fault = (exchange: Exchange) => unknown;

export const faults = {
  status:
    (status: number, message: string, headers: Record<string, string> = {}): Fault =>
    (exchange) =>
      exchange.json(status, { message }, headers),
  /** What a web guard does with a client that it takes for a browser's page. */
  redirectToLogin: (exchange: Exchange): void => exchange.empty(302, { location: '/login' }),
  /** A captive portal, or a front controller that knows no API. */
  htmlPage: (exchange: Exchange): void => exchange.html(200, '<!doctype html><title>Laravel</title><h1>Welcome</h1>'),
  wrongShape: (exchange: Exchange): void => exchange.json(200, { status: 'ok' }),
  noCookie: (exchange: Exchange): void => exchange.empty(204),
  cut: (exchange: Exchange): void => exchange.cut(),
  silence: (): void => undefined,
} as const;

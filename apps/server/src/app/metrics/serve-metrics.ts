import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import type { Log } from '#/platform/log.ts';

export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

interface ServeDeps {
  readonly host: string;
  readonly port: number;
  readonly register: Registry;
  /** Brings up to date what is only known by asking. */
  readonly refresh: () => Promise<void>;
  readonly log: Log;
}

/** Answers `GET /metrics` on a port of its own, for who watches the installation: nothing else listens there, and nobody signs in. */
export async function serveMetrics({ host, port, register, refresh, log }: ServeDeps): Promise<MetricsServer> {
  // Who scrapes twice at once is given one answer.
  let underWay: Promise<string> | null = null;
  const scrape = () => {
    underWay ??= refresh()
      .then(() => register.metrics())
      .finally(() => {
        underWay = null;
      });
    return underWay;
  };
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    scrape().then(
      (text) => response.writeHead(200, { 'content-type': register.contentType }).end(text),
      (error: unknown) => {
        log.warn({ err: error }, 'the metrics could not be read');
        response.writeHead(500).end();
      },
    );
  });
  server.requestTimeout = 10_000;
  server.maxConnections = 20;
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

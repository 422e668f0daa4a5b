import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import { counted } from '@wardline/format/counts.ts';
import WebSocket from 'ws';
import { REALTIME_KEY } from '#/app/client-config.ts';
import type { Config } from '#/platform/config/read-config.ts';
import { reasonOf } from '#/platform/reason-of.ts';
import { error, type Finding, ok, warning } from './finding.ts';

const ASKED_WITHIN_MS = 10_000;
const DAY_MS = 86_400_000;
/** A certificate is renewed 30 days before its end by most; then it has failed a while. */
const FEW_DAYS = 14;

/** Whether the server runs, and can be reached as people reach it: certificate, requests and sockets, through every proxy. */
export async function checkAddress({ host, port, publicUrl }: Config): Promise<Finding[]> {
  const local = new URL(`http://${isEverywhere(host) ? '127.0.0.1' : bracketed(host)}:${port}`);
  const running = await checkRunning(local);
  if (publicUrl === null) return running;
  const address = new URL(publicUrl);
  return [
    ...running,
    ...(address.protocol === 'https:' ? [await checkCertificate(address)] : []),
    ...(running.some(({ state }) => state === 'error') ? [] : await checkWay(address)),
  ];
}

const isEverywhere = (host: string) => host === '0.0.0.0' || host === '::';
const bracketed = (host: string) => (host.includes(':') ? `[${host}]` : host);

async function checkRunning(url: URL): Promise<Finding[]> {
  const answer = await ask(new URL('/ready', url)).catch((failure: unknown) => failure);
  if (!(answer instanceof Response)) {
    return [
      error(`No server runs at ${url.origin}: ${reasonOf(answer)}`, 'Start it, and ask again for what is left to see.'),
    ];
  }
  if (answer.ok) return [ok(`The server at ${url.origin} is ready.`)];
  const said = (await answer.text()).slice(0, 300);
  return [error(`The server at ${url.origin} is not ready: ${said}`, 'Its log says more.')];
}

const LOOK_AT_CERTIFICATE = 'Look at the certificate of the proxy before the server, and at its renewal.';

async function checkCertificate({ hostname, port }: URL): Promise<Finding> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket: TLSSocket = connect({ host, servername: host, port: port === '' ? 443 : Number(port) });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(ASKED_WITHIN_MS) });
    return certificateFinding(host, Date.parse(socket.getPeerCertificate().valid_to));
  } catch (failure) {
    return error(
      `${host} cannot be reached by TLS: ${socket.connecting ? 'it does not answer' : reasonOf(failure)}`,
      LOOK_AT_CERTIFICATE,
    );
  } finally {
    socket.destroy();
  }
}

/** Of a certificate that is trusted, by when it ends (milliseconds since 1970). */
export function certificateFinding(host: string, endsAt: number): Finding {
  const days = Math.floor((endsAt - Date.now()) / DAY_MS);
  if (days >= FEW_DAYS) return ok(`The certificate of ${host} is good for ${counted(days, 'day')}.`);
  return warning(`The certificate of ${host} ends in ${counted(days, 'day')}.`, LOOK_AT_CERTIFICATE);
}

/** Through the proxy: that it leads to a server of ours, and passes WebSockets on. */
async function checkWay(address: URL): Promise<Finding[]> {
  try {
    const answer = await ask(new URL('/up', address));
    const isOurs = answer.ok && (await answer.text()).includes('"up"');
    if (!isOurs) {
      return [
        error(
          `${address.origin} leads elsewhere: /up answers ${answer.status}.`,
          'Have the proxy pass all paths on to the server.',
        ),
      ];
    }
  } catch (failure) {
    return [error(`${address.origin} cannot be reached: ${reasonOf(failure)}`, 'Look at the proxy before the server.')];
  }
  return [ok(`${address.origin} leads to the server.`), await checkSocket(address)];
}

async function checkSocket(address: URL): Promise<Finding> {
  const url = new URL(`/app/${REALTIME_KEY}?protocol=7&client=doctor&version=1`, address);
  url.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  const socket = new WebSocket(url, { origin: address.origin, handshakeTimeout: ASKED_WITHIN_MS });
  try {
    const [data] = await once(socket, 'message', { signal: AbortSignal.timeout(ASKED_WITHIN_MS) });
    if (String(data).includes('pusher:connection_established')) return ok('WebSockets come through.');
    return error(`A WebSocket was answered with ${String(data).slice(0, 200)}`, 'The log of the server says more.');
  } catch (failure) {
    return error(
      `WebSockets do not come through: ${reasonOf(failure)}`,
      'Have the proxy pass Upgrade and Connection on: docs/deployment.md.',
    );
  } finally {
    socket.on('error', () => undefined);
    socket.terminate();
  }
}

function ask(url: URL): Promise<Response> {
  return fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(ASKED_WITHIN_MS) });
}

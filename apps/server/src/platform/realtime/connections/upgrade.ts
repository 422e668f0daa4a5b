import { randomInt } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { placeOf } from '#/platform/http/edge/client-address.ts';
import type { Hub } from '#/platform/realtime/channels/hub.ts';
import type { UpgradeHandler } from '#/platform/realtime/channels/options.ts';
import { peerKey } from '#/platform/realtime/channels/registry.ts';
import { Connection, type Peer } from '#/platform/realtime/channels/sockets-and-channels.ts';
import { createAccept, type Transport, textFrame } from '#/platform/realtime/delivery/transport.ts';
import type { CloseCode } from '#/platform/realtime/protocol/close-codes.ts';
import { encodeErrorFrame, encodeServerFrame } from '#/platform/realtime/protocol/frames.ts';
import { receiveMessage, receivePing, receivePong } from './client-frames.ts';

type Refusal = { code: CloseCode; message: string };

const maxRefusedAtOnce = 100;
const protocolVersion = 7;

/** Makes the handler of `upgrade` requests: who may connect, and the first frame. */
export function createUpgradeHandler(hub: Hub, isGoingAway: () => boolean): UpgradeHandler {
  const accept = createAccept(hub.limits);
  let refusedNow = 0;

  function refuse(transport: Transport, refusal: Refusal): void {
    refusedNow += 1;
    transport.ws.once('close', () => {
      refusedNow -= 1;
    });
    transport.write(textFrame(encodeErrorFrame(refusal.code, refusal.message)));
    transport.close(refusal.code, refusal.message);
  }

  return (request, socket, head) => {
    const url = readUrl(request);
    const key = url === null ? null : /^\/app\/([^/]+)$/.exec(url.pathname)?.[1];
    if (url === null || !key) return rejectHttp(socket, '404 Not Found');
    const other = otherAppOf(hub, key);
    if (other !== null) return other(request, socket, head);
    if (hub.options.isForUs?.(request) === false) return rejectHttp(socket, '400 Bad Request');
    if (!hub.options.isAllowedOrigin(request.headers.origin, request.headers.host))
      return rejectHttp(socket, '403 Forbidden');
    const peer = {
      address: placeOf(hub.options.clientAddress?.(request) ?? request.socket.remoteAddress ?? ''),
      device: hub.options.knownDevice?.(request) ?? null,
    };
    const refusal =
      refusalForApp(hub, key, url.searchParams.get('protocol')) ??
      (isGoingAway() ? goingAway : refusalForLoad(hub, peer));
    // Only those who are refused: a flood of them keeps nobody else out.
    if (refusal !== null && refusedNow >= maxRefusedAtOnce) return rejectHttp(socket, '503 Service Unavailable');
    accept(request, socket, head, (transport) => {
      hub.transports.add(transport);
      transport.ws.once('close', () => hub.transports.delete(transport));
      if (refusal === null) welcome(hub, transport, peer);
      else refuse(transport, refusal);
    });
  };
}

function otherAppOf({ options }: Hub, key: string): UpgradeHandler | null {
  return key === options.key ? null : (options.otherApp?.(key) ?? null);
}

function refusalForApp(hub: Hub, key: string, protocol: string | null): Refusal | null {
  if (key !== hub.options.key) return { code: 4001, message: 'No application has this key' };
  if (protocol === null || protocol === '') return { code: 4008, message: 'No protocol version was given' };
  if (!/^\d+$/.test(protocol)) return { code: 4006, message: 'The protocol version is not a number' };
  if (Number(protocol) !== protocolVersion) {
    return { code: 4007, message: `Only protocol version ${protocolVersion} is supported` };
  }
  return null;
}

const goingAway: Refusal = { code: 4100, message: 'The server is going away' };
const tooMany: Refusal = { code: 4100, message: 'Too many connections' };

/** Strangers have few seats, and take turns on them, so that whoever signs in finds one. */
function refusalForLoad(hub: Hub, peer: Peer): Refusal | null {
  const { limits, registry, connects } = hub;
  if (registry.size >= limits.connections) return tooMany;
  if (registry.countAddress(peer.address) >= limits.connectionsPerAddress) return tooMany;
  const most = peer.device === null ? limits.strangersPerAddress : limits.anonymousPerDevice;
  if (registry.countAnonymous(peer) >= most) return tooMany;
  const rate = { burst: most, perMinute: 6 * most };
  if (connects.take(peerKey(peer), rate) > 0) return tooMany;
  if (peer.device !== null || registry.strangers < limits.strangers) return null;
  const oldest = registry.oldestStranger();
  if (oldest === null || hub.now() - oldest.connectedAt < limits.strangerGraceMs) return tooMany;
  hub.disconnect(oldest, 4100, 'Another one takes the place of a socket that has not shown who it is');
  return null;
}

function welcome(hub: Hub, transport: Transport, peer: Peer): void {
  const connection = new Connection(createSocketId(hub), peer, transport, hub.now());
  hub.registry.add(connection);
  transport.onDrain(() => hub.fanOut.resume(connection));
  const { ws } = transport;
  // ws hands over one Buffer per message unless its binaryType is changed, which nobody does.
  ws.on('message', (data, isBinary) => {
    if (Buffer.isBuffer(data)) receiveMessage(hub, connection, data, isBinary);
  });
  ws.on('ping', (payload) => receivePing(hub, connection, payload));
  ws.on('pong', () => receivePong(hub, connection));
  ws.on('close', () => hub.forget(connection));
  const data = { socket_id: connection.id, activity_timeout: Math.ceil(hub.limits.activityTimeoutMs / 1_000) };
  hub.send(connection, encodeServerFrame({ event: 'pusher:connection_established', data }));
}

// Not guessable: who knows a socket's id may ask for auth strings that work on that socket.
function createSocketId(hub: Hub): string {
  const limit = 2 ** 48 - 1;
  const id = `${randomInt(limit)}.${randomInt(limit)}`;
  return hub.registry.find(id) === null ? id : createSocketId(hub);
}

function readUrl(request: IncomingMessage): URL | null {
  return URL.canParse(request.url ?? '', 'http://gateway') ? new URL(request.url ?? '', 'http://gateway') : null;
}

function rejectHttp(socket: Duplex, status: string): void {
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
}

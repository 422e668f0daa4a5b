import type { Hub } from '#/platform/realtime/channels/hub.ts';
import { readUser } from '#/platform/realtime/channels/presence.ts';
import type { Connection } from '#/platform/realtime/channels/sockets-and-channels.ts';
import { pongFrame, textFrame } from '#/platform/realtime/delivery/transport.ts';
import { allowsClientEvents } from '#/platform/realtime/protocol/channel-name.ts';
import { type ClientFrame, decodeClientFrame, encodeServerFrame } from '#/platform/realtime/protocol/frames.ts';
import { verifyUser } from '#/platform/realtime/protocol/signature.ts';
import { isLive, relayLive } from './relay-live.ts';
import { subscribe } from './subscribing.ts';

// A socket that keeps sending after its close frame is cut off; a polite one has a few frames under way.
const maxFramesAfterClose = 1_000;
const badFramesWindowMs = 60_000;

/** Takes one data frame from the wire. Whatever it is, at worst the socket that sent it is closed. */
export function receiveMessage(hub: Hub, connection: Connection, message: Buffer, isBinary: boolean): void {
  if (!isWelcome(hub, connection)) return;
  try {
    if (isBinary) {
      complain(hub, connection, 'Binary frames are not understood');
      return;
    }
    const decoded = decodeClientFrame(message.toString('utf8'));
    if (decoded.ok) handle(hub, connection, decoded.frame);
    else complain(hub, connection, decoded.error.message);
  } catch (error) {
    hub.report(error, 'handling a frame');
    hub.disconnect(connection, 4200, 'Internal error');
  }
}

/** Takes an RFC 6455 ping. The answer waits in the queue like any frame, so a flood cannot pile up memory. */
export function receivePing(hub: Hub, connection: Connection, payload: Buffer): void {
  if (isWelcome(hub, connection) && isPingAllowed(hub, connection)) hub.fanOut.send(connection, pongFrame(payload));
}

export function receivePong(hub: Hub, connection: Connection): void {
  isWelcome(hub, connection);
}

function isWelcome(hub: Hub, connection: Connection): boolean {
  if (connection.isClosed) {
    connection.framesAfterClose += 1;
    if (connection.framesAfterClose > maxFramesAfterClose) connection.transport.terminate();
    return false;
  }
  const now = hub.now();
  connection.seenAt = now;
  connection.pingedAt = null;
  if (connection.count('frames', now) <= hub.limits.framesPerSecond) return true;
  hub.disconnect(connection, 4301, 'Too many frames');
  return false;
}

function isPingAllowed(hub: Hub, connection: Connection): boolean {
  if (connection.count('pings', hub.now()) <= hub.limits.pingsPerSecond) return true;
  hub.disconnect(connection, 4301, 'Too many pings');
  return false;
}

function complain(hub: Hub, connection: Connection, message: string): void {
  const now = hub.now();
  if (now - connection.badFramesSince > badFramesWindowMs) {
    connection.badFramesSince = now;
    connection.badFrames = 0;
  }
  connection.badFrames += 1;
  hub.sendError(connection, 4200, message);
  if (connection.badFrames > hub.limits.badFramesPerMinute) hub.disconnect(connection, 4301, 'Too many bad frames');
}

function handle(hub: Hub, connection: Connection, frame: ClientFrame): void {
  switch (frame.kind) {
    case 'ping':
      if (isPingAllowed(hub, connection)) hub.send(connection, encodeServerFrame({ event: 'pusher:pong', data: {} }));
      return;
    case 'pong':
      return;
    case 'subscribe':
      subscribe(hub, connection, frame);
      return;
    case 'unsubscribe': {
      const subscription = connection.subscriptions.get(frame.channel.name);
      if (subscription !== undefined) hub.leave(subscription);
      return;
    }
    case 'signin':
      signIn(hub, connection, frame);
      return;
    case 'client_event':
      passOn(hub, connection, frame);
      return;
  }
}

function signIn(hub: Hub, connection: Connection, frame: Extract<ClientFrame, { kind: 'signin' }>): void {
  const { auth, userData } = frame;
  const isKnown = connection.identity !== null || !hub.asksPeople;
  const isSigned = isKnown && verifyUser(hub.options, auth, connection.id, userData);
  const user = isSigned ? readUser(userData) : null;
  if (user === null || (connection.user !== null && connection.user.id !== user.id)) {
    hub.sendError(connection, 4009, 'The user data or its signature is not valid');
    return;
  }
  if (connection.user === null) hub.registry.signIn(connection, user);
  hub.send(connection, encodeServerFrame({ event: 'pusher:signin_success', data: { user_data: userData } }));
}

function passOn(hub: Hub, connection: Connection, frame: Extract<ClientFrame, { kind: 'client_event' }>): void {
  const { event, data } = frame;
  const { kind, name } = frame.channel;
  const subscription = connection.subscriptions.get(name);
  if (!allowsClientEvents(kind) || subscription === undefined || subscription.held !== null) {
    hub.sendError(connection, 4009, `Client events on ${name} are for members of private and presence channels`);
    return;
  }
  if (connection.count('clientEvents', hub.now()) > hub.limits.clientEventsPerSecond) {
    hub.sendError(connection, 4301, `Too many client events; at most ${hub.limits.clientEventsPerSecond} a second`);
    return;
  }
  const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? '');
  if (Buffer.byteLength(text) > hub.limits.clientEventBytes) {
    hub.sendError(connection, 4301, `A client event has at most ${hub.limits.clientEventBytes} bytes of data`);
    return;
  }
  if (isLive(hub, event)) {
    relayLive(hub, subscription, text);
    return;
  }
  const userId = subscription.memberId ?? undefined;
  const passedOn = textFrame(encodeServerFrame({ event, channel: name, text, userId }));
  hub.spread({ channel: name, frame: passedOn, except: connection.id });
  const { memberId } = subscription;
  hub.options.events?.clientEvent({ channel: name, event, text, socketId: connection.id, memberId });
}

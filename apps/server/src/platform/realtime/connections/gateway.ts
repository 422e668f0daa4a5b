import type { Server } from 'node:http';
import { Hub } from '#/platform/realtime/channels/hub.ts';
import type { Delivery, GatewayOptions, UpgradeHandler } from '#/platform/realtime/channels/options.ts';
import type { Present } from '#/platform/realtime/channels/presence.ts';
import type { Rosters } from '#/platform/realtime/channels/rosters.ts';
import type { Channel, Connection, Identity } from '#/platform/realtime/channels/sockets-and-channels.ts';
import { textFrame } from '#/platform/realtime/delivery/transport.ts';
import { type ChannelName, parseChannelName } from '#/platform/realtime/protocol/channel-name.ts';
import { encryptEvent } from '#/platform/realtime/protocol/encryption.ts';
import {
  encodeFrameStart,
  encodePayload,
  encodeServerFrame,
  isEventName,
  type Payload,
} from '#/platform/realtime/protocol/frames.ts';
import { type RecheckFilter, recheck, recheckDue, recheckSessions } from './recheck.ts';
import { giveUpWaiting } from './subscribing.ts';
import { createUpgradeHandler } from './upgrade.ts';

const stepMs = 50;
const handshakeMs = 1_000;

/** Sends all sockets away with 4100, evenly over `ms`, so that they don't all come back elsewhere at once. */
function drain(hub: Hub, ms: number): Promise<void> {
  const startedAt = hub.now();
  const total = hub.registry.size;
  let closed = 0;
  return new Promise((resolve) => {
    const step = () => {
      const elapsed = hub.now() - startedAt;
      const target = elapsed >= ms ? Number.POSITIVE_INFINITY : Math.ceil((total * elapsed) / ms);
      for (const connection of hub.registry.all()) {
        if (closed >= target) break;
        hub.disconnect(connection, 4100, 'The server is going away');
        closed += 1;
      }
      if (hub.registry.size > 0 || (hub.transports.size > 0 && elapsed < ms + handshakeMs)) return;
      clearInterval(timer);
      resolve();
    };
    const timer = setInterval(step, stepMs);
    step();
  });
}

export type { GatewayOptions, Identity, RecheckFilter };

export type PublishResult = 'queued' | 'bad_channel' | 'bad_event' | 'too_large' | 'no_master_key';

export interface PublishOptions {
  /** The socket whose request caused the event. */
  readonly except?: string | undefined;
  /** What it is about, for sockets that are in the channel without some things. */
  readonly about?: string | undefined;
}

/** An event of an application, checked by whoever took it from there. */
export interface Relayed {
  readonly channels: readonly ChannelName[];
  readonly event: string;
  /** Goes to the members as it is: what is encrypted was encrypted by the application. */
  readonly text: string;
  readonly except?: string | undefined;
}

export type AskedChannels = { readonly names: readonly string[] } | { readonly prefix: string };

/** Who is in a channel. */
export interface ChannelState {
  readonly name: string;
  readonly sockets: number;
  /** Since when somebody is in it, in milliseconds since 1970. */
  readonly since: number;
  /** The people of a presence channel, each once; none for other channels. */
  readonly members: readonly Present[];
}

export type GatewayStats = { sockets: number; channels: number; subscriptions: number; queuedBytes: number };

export type Gateway = {
  attach(server: Server): void;
  /** For sockets that another gateway was asked for. */
  readonly upgrade: UpgradeHandler;
  isConnected(socketId: string): boolean;
  /** Binds a socket to a session. False if there is no such socket, it is bound to another session, or the person has too many. */
  identify(socketId: string, identity: Identity): boolean;
  publish(channel: string, event: string, data: unknown, options?: PublishOptions): PublishResult;
  /** Gives an application's event to the members of its channels. */
  relay(event: Relayed): void;
  /** Which of these channels somebody is in here. */
  look(asked: AskedChannels): ChannelState[];
  /** Who is in presence channels, here and at the other servers as far as these have told. */
  readonly rosters: Rosters;
  /** Gives the members here what another server has published. */
  deliver(delivery: Delivery): void;
  /** Closes the sockets of a session with 4009. */
  endSession(sessionKey: string): void;
  /** Closes all sockets of a person with 4009. */
  endUser(userId: string): void;
  /** Closes the sockets that signed in (`pusher:signin`) as this user with 4009. */
  terminate(userId: string): void;
  /**
   * Asks again for the rights behind the matching subscriptions; resolved when the refused ones are ended. Those whose
   * right could not be read are tried again, and their sockets closed if that does not succeed within 5 s.
   */
  recheck(filter?: RecheckFilter): Promise<void>;
  /**
   * Closes all sockets with 4100 and accepts no more until `resume`: what other servers publish would not be heard. Clients ask by
   * themselves meanwhile, and catch up when they are back.
   */
  pause(): void;
  resume(): void;
  /** Accepts no more sockets and closes the present ones with 4100, spread over `ms`; at most a second later it is done. */
  drain(ms: number): Promise<void>;
  /** Cuts off what is still connected and stops. */
  close(): void;
  stats(): GatewayStats;
};

/** The realtime gateway: speaks the Pusher protocol and knows channels, sockets and sessions, but no feature. */
export function createGateway(options: GatewayOptions): Gateway {
  const hub = new Hub(options);
  const attached: Server[] = [];
  let isGoingAway = false;
  let isPaused = false;
  const onUpgrade = createUpgradeHandler(hub, () => isGoingAway || isPaused);
  const stopSweep = startSweep(hub);

  function endAll(connections: Connection[], reason: string): void {
    for (const connection of connections) hub.disconnect(connection, 4009, reason);
  }

  return {
    rosters: hub.rosters,
    attach(server) {
      attached.push(server);
      server.on('upgrade', onUpgrade);
    },
    upgrade: onUpgrade,
    isConnected: (socketId) => hub.registry.find(socketId) !== null,
    identify(socketId, identity) {
      const connection = hub.registry.find(socketId);
      if (connection === null) return false;
      if (connection.identity !== null) return isSameIdentity(connection.identity, identity);
      if (hub.registry.countUser(identity.userId) >= hub.limits.connectionsPerUser) return false;
      hub.registry.identify(connection, { ...identity });
      // Due at once: the session may have ended between its check by the caller and this call.
      connection.sessionDueAt = hub.now();
      connection.sessionDeadline = hub.now() + hub.limits.recheckMs;
      return true;
    },
    publish(channel, event, data, publishOptions) {
      return publish(hub, { channel, event, data, ...publishOptions });
    },
    relay(event) {
      relay(hub, event);
    },
    look(asked) {
      return look(hub, asked);
    },
    deliver(delivery) {
      hub.deliver(delivery);
    },
    pause() {
      isPaused = true;
      for (const connection of hub.registry.all())
        hub.disconnect(connection, 4100, 'The server does not hear the others');
    },
    resume() {
      isPaused = false;
    },
    endSession(sessionKey) {
      endAll(hub.registry.ofSession(sessionKey), 'The session has ended');
    },
    endUser(userId) {
      endAll(hub.registry.ofUser(userId), 'The session has ended');
    },
    terminate(userId) {
      endAll(hub.registry.ofSignedIn(userId), 'Terminated by the application');
    },
    recheck(filter = {}) {
      return recheck(hub, filter);
    },
    drain(ms) {
      isGoingAway = true;
      return drain(hub, ms);
    },
    close() {
      isGoingAway = true;
      stopSweep();
      for (const server of attached) server.off('upgrade', onUpgrade);
      for (const connection of hub.registry.all()) hub.forget(connection);
      for (const transport of hub.transports) transport.terminate();
    },
    stats() {
      return readStats(hub);
    },
  };
}

interface Event extends PublishOptions {
  readonly channel: string;
  readonly event: string;
  readonly data: unknown;
}

function publish(hub: Hub, { channel, event, data, except, about }: Event): PublishResult {
  const present = hub.channels.get(channel);
  const name = present?.name ?? parseChannelName(channel);
  if (name === null) return 'bad_channel';
  if (!isEventName(event) || /^pusher(_internal)?:/.test(event)) return 'bad_event';
  if (present === undefined && !name.cache && hub.options.tellOthers === undefined) return 'queued';
  const plain = payloadOf(hub, data);
  const payload = name.kind === 'private-encrypted' ? encrypted(hub, channel, plain) : plain;
  if (payload === null) return 'no_master_key';
  if (payload.bytes > hub.limits.publishBytes) return 'too_large';
  hub.spread({ channel, frame: textFrame(encodeFrameStart(event, channel), payload.frameEnd), except, about });
  return 'queued';
}

function relay(hub: Hub, { channels, event, text, except }: Relayed): void {
  let payload: Payload | undefined;
  for (const { name: channel, cache } of channels) {
    if (!cache && hub.options.tellOthers === undefined && !hub.channels.has(channel)) continue;
    payload ??= encodePayload(text);
    hub.spread({ channel, frame: textFrame(encodeFrameStart(event, channel), payload.frameEnd), except });
  }
}

function look({ channels, rosters }: Hub, asked: AskedChannels): ChannelState[] {
  const found =
    'prefix' in asked
      ? [...channels.values()].filter(({ name }) => name.name.startsWith(asked.prefix))
      : asked.names.flatMap((name) => channels.get(name) ?? []);
  return found.map((channel) => stateOf(channel, rosters));
}

function stateOf({ name: { name }, members, since }: Channel, rosters: Rosters): ChannelState {
  return { name, sockets: members.size, since, members: rosters.presentHere(name) };
}

/** What goes to many channels, as a chat's change to each of its people, is written once but for the channel's name. */
function payloadOf({ payloads }: Hub, data: unknown): Payload {
  if (typeof data !== 'object' || data === null) return encodePayload(JSON.stringify(data) ?? 'null');
  const payload = payloads.get(data) ?? encodePayload(JSON.stringify(data));
  payloads.set(data, payload);
  return payload;
}

/** Never the plain text: whoever made the channel an encrypted one counts on that. */
function encrypted({ options: { masterKey } }: Hub, channel: string, { text }: Payload): Payload | null {
  return masterKey === undefined ? null : encodePayload(JSON.stringify(encryptEvent(masterKey, channel, text)));
}

function isSameIdentity(a: Identity, b: Identity): boolean {
  return a.userId === b.userId && a.sessionKey === b.sessionKey;
}

function readStats(hub: Hub): GatewayStats {
  let subscriptions = 0;
  let queuedBytes = 0;
  for (const { subscriptions: own, outbox, transport } of hub.registry.all()) {
    subscriptions += own.size;
    queuedBytes += outbox.backlogBytes + transport.unsentBytes;
  }
  return { sockets: hub.registry.size, channels: hub.channels.size, subscriptions, queuedBytes };
}

/** Starts the one timer of the gateway: dead sockets, rights and sessions to ask for again, late snapshots. */
function startSweep(hub: Hub): () => void {
  const timer = setInterval(() => {
    try {
      sweep(hub);
    } catch (error) {
      hub.report(error, 'sweeping');
    }
  }, hub.limits.sweepMs);
  timer.unref();
  return () => clearInterval(timer);
}

function sweep(hub: Hub): void {
  const now = hub.now();
  for (const connection of hub.registry.all()) {
    if (isAnonymousTooLong(hub, connection, now)) hub.disconnect(connection, 4009, 'Nobody signed in on this socket');
    else closeIfDead(hub, connection, now);
  }
  giveUpWaiting(hub, now);
  hub.tellCounts();
  const rechecks = [recheckDue(hub, now), recheckSessions(hub, now)];
  for (const done of rechecks) done.catch((error) => hub.report(error, 'checking rights again'));
}

/** Whatever it sends: a seat is for who shows who they are. */
function isAnonymousTooLong(hub: Hub, { identity, connectedAt }: Connection, now: number): boolean {
  return identity === null && now - connectedAt >= hub.limits.anonymousMs;
}

function closeIfDead(hub: Hub, connection: Connection, now: number): void {
  if (connection.pingedAt !== null) {
    if (now - connection.pingedAt >= hub.limits.pongTimeoutMs) hub.disconnect(connection, 4201, 'Pong not received');
    return;
  }
  if (now - connection.seenAt < hub.limits.activityTimeoutMs) return;
  connection.pingedAt = now;
  hub.send(connection, encodeServerFrame({ event: 'pusher:ping', data: {} }));
}

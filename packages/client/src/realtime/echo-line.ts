import {
  type Channel,
  carriesClientEvents,
  channelName,
  kindOfChannel,
  shortChannelName,
} from '@wardline/contract/channel.ts';
import { authorizeChannel, authorizeUser } from '@wardline/contract/realtime.ts';
import Echo from 'laravel-echo';
import Pusher, { type ChannelAuthorizationHandler, type UserAuthenticationHandler } from 'pusher-js';
import { transportError } from '#/http/api-error.ts';
import type { Call } from '#/http/call.ts';
import type { SocketPlace } from './echo-options.ts';
import type { ConnectionState, Frame, Transport, TransportEvents } from './transport.ts';

interface EchoLineDeps {
  readonly call: Call;
  readonly events: TransportEvents;
  readonly client?: typeof Pusher;
  /** Loads what encrypted channels need, with the first of them. */
  readonly loadEncryption?: () => Promise<typeof import('./encrypted-channels.ts')>;
}

/**
 * A line by laravel-echo over pusher-js. Loaded when the first channel is joined. Channels are authorised through `call`,
 * so that the status of a refusal is known (pusher-js keeps it only for its own requests), and frames are read raw, since
 * pusher-js hides what a subscription was answered with.
 */
export function openEchoLine(place: SocketPlace, deps: EchoLineDeps): Transport {
  const { events, client = Pusher } = deps;
  const { isSigningIn, enabledTransports, ...address } = place;
  dropLateSends(client);
  const echo = new Echo<'reverb'>({
    ...address,
    enabledTransports: [...enabledTransports],
    broadcaster: 'reverb',
    Pusher: client,
    enableStats: false,
    channelAuthorization: {
      customHandler: authorizeBy(deps, (socketId): boolean => pusher.connection.socket_id === socketId),
    },
    // Address and headers are not used where there is a handler; the types of Echo want them all the same.
    userAuthentication: { endpoint: '', headers: {}, customHandler: signInBy(deps.call) },
  });
  const pusher = echo.connector.pusher;
  if (isSigningIn) pusher.signin();
  pusher.connection.bind('state_change', ({ current }: { current: ConnectionState }) => events.onState(current));
  pusher.connection.bind('message', (frame: Frame) => {
    if (!isEncrypted(frame)) events.onFrame(frame);
  });
  const encrypted = createEncryptedChannels(echo, deps);

  return {
    socketId: () => pusher.connection.socket_id ?? null,
    subscribe(channel, id) {
      if (channel.kind === 'private-encrypted') return encrypted.subscribe(channelName(channel, id));
      join(echo, channel, shortChannelName(channel, id));
      // Echo keeps a channel it knows, so a name that was left and is joined again is asked for explicitly.
      pusher.subscribe(channelName(channel, id));
    },
    subscribeAgain(name) {
      if (kindOfChannel(name) === 'private-encrypted' && pusher.channel(name) === undefined)
        return encrypted.subscribe(name);
      // pusher-js takes a subscription that the server refused by a frame for one still under way.
      const refused = pusher.channel(name);
      if (refused !== undefined && !refused.subscribed) refused.subscriptionPending = false;
      pusher.subscribe(name);
    },
    unsubscribe(name) {
      encrypted.forget(name);
      echo.leaveChannel(name);
    },
    whisper(name, event, data) {
      const channel = pusher.channel(name);
      if (channel?.subscribed === true && carriesClientEvents(kindOfChannel(name)))
        channel.trigger(`client-${event}`, data);
    },
    wake() {
      const state = pusher.connection.state;
      if (state === 'connected' || state === 'connecting') return;
      // pusher-js waits out its attempt of up to 60 s otherwise.
      pusher.disconnect();
      pusher.connect();
    },
    // After the unsubscriptions, which pusher-js sends in the next task, into a closed socket if need be.
    close: () => void setTimeout(() => echo.disconnect()),
  };
}

function join(echo: Echo<'reverb'>, { kind }: Channel, shortName: string): void {
  if (kind === 'presence') echo.join(shortName);
  else if (kind === 'private') echo.private(shortName);
  else echo.channel(shortName);
}

/** An event that pusher-js hands to its channel in plain words; what the protocol itself says is not encrypted. */
function isEncrypted({ event, channel = '' }: Frame): boolean {
  return kindOfChannel(channel) === 'private-encrypted' && !event.startsWith('pusher');
}

interface EncryptedChannels {
  /** Subscribes as soon as what decrypts is there. A load that fails is a refusal for now. */
  subscribe(name: string): void;
  forget(name: string): void;
}

function createEncryptedChannels(echo: Echo<'reverb'>, deps: EchoLineDeps): EncryptedChannels {
  const { events, loadEncryption = loadEncryptedChannels } = deps;
  const waiting = new Set<string>();
  return {
    subscribe(name) {
      if (waiting.has(name)) return;
      waiting.add(name);
      loadEncryption().then(
        ({ joinEncrypted }) => {
          if (waiting.delete(name)) joinEncrypted(echo, name, events);
        },
        (error: unknown) => {
          const failure = transportError('network', 'What decrypts the channel could not be loaded.', error);
          if (waiting.delete(name)) events.onRefused(name, failure);
        },
      );
    },
    forget: (name) => void waiting.delete(name),
  };
}

const loadEncryptedChannels = () => import('./encrypted-channels.ts');

/** Only WebSockets are enabled; pusher-js names none of what it does not use itself. */
type Socket = ReturnType<typeof Pusher.Runtime.createWebSocket> & Pick<WebSocket, 'readyState'>;

/**
 * pusher-js sends in the next task (a ping when the network goes, say), and a socket that closed in between makes the
 * browser complain in the console. Nothing is lost: such a socket takes nothing any more.
 */
function dropLateSends({ Runtime }: typeof Pusher): void {
  Runtime.createWebSocket = (url) => {
    const socket = new (Runtime.getWebSocketAPI())(url) as Socket;
    const send = socket.send.bind(socket);
    socket.send = (data: string) => {
      if (socket.readyState === WebSocket.OPEN) send(data);
    };
    return socket;
  };
}

/** An answer for a socket that is gone is dropped: the new one has asked for itself. */
function authorizeBy(
  { call, events, loadEncryption = loadEncryptedChannels }: EchoLineDeps,
  isCurrent: (socketId: string) => boolean,
): ChannelAuthorizationHandler {
  const ask = async (socketId: string, name: string) => {
    const reply = await call(authorizeChannel, { body: { socket_id: socketId, channel_name: name } });
    return kindOfChannel(name) === 'private-encrypted' ? (await loadEncryption()).requireSecret(reply) : reply;
  };
  return ({ socketId, channelName: name }, callback) => {
    ask(socketId, name).then(
      ({ auth, channel_data, shared_secret }) => {
        if (!isCurrent(socketId)) return;
        callback(null, {
          auth,
          ...(channel_data === undefined ? {} : { channel_data }),
          ...(shared_secret === undefined ? {} : { shared_secret }),
        });
      },
      (error: Error) => {
        if (!isCurrent(socketId)) return;
        callback(error, null);
        events.onRefused(name, error);
      },
    );
  };
}

function signInBy(call: Call): UserAuthenticationHandler {
  return ({ socketId }, callback) => {
    call(authorizeUser, { body: { socket_id: socketId } }).then(
      (reply) => callback(null, reply),
      (error: Error) => callback(error, null),
    );
  };
}

import { channelName, shortChannelName } from '@wardline/contract/channel.ts';
import { authorizeChannel, authorizeUser } from '@wardline/contract/realtime.ts';
import Echo from 'laravel-echo';
import Pusher, { type ChannelAuthorizationHandler, type UserAuthenticationHandler } from 'pusher-js';
import type { Call } from '#/http/call.ts';
import type { SocketPlace } from './echo-options.ts';
import type { ConnectionState, Frame, Transport, TransportEvents } from './transport.ts';

interface EchoLineDeps {
  readonly call: Call;
  readonly events: TransportEvents;
  readonly client?: typeof Pusher;
}

/**
 * A line by laravel-echo over pusher-js. Loaded when the first channel is joined. Channels are authorised through `call`,
 * so that the status of a refusal is known (pusher-js keeps it only for its own requests), and frames are read raw, since
 * pusher-js hides what a subscription was answered with.
 */
export function openEchoLine(place: SocketPlace, { call, events, client = Pusher }: EchoLineDeps): Transport {
  const { isSigningIn, enabledTransports, ...address } = place;
  dropLateSends(client);
  const echo = new Echo<'reverb'>({
    ...address,
    enabledTransports: [...enabledTransports],
    broadcaster: 'reverb',
    Pusher: client,
    enableStats: false,
    channelAuthorization: {
      customHandler: authorizeBy(call, events, (socketId): boolean => pusher.connection.socket_id === socketId),
    },
    // Address and headers are not used where there is a handler; the types of Echo want them all the same.
    userAuthentication: { endpoint: '', headers: {}, customHandler: signInBy(call) },
  });
  const pusher = echo.connector.pusher;
  if (isSigningIn) pusher.signin();
  pusher.connection.bind('state_change', ({ current }: { current: ConnectionState }) => events.onState(current));
  pusher.connection.bind('message', (frame: Frame) => events.onFrame(frame));

  return {
    socketId: () => pusher.connection.socket_id ?? null,
    subscribe(channel, id) {
      const name = shortChannelName(channel, id);
      if (channel.kind === 'presence') echo.join(name);
      else echo.private(name);
      // Echo keeps a channel it knows, so a name that was left and is joined again is asked for explicitly.
      pusher.subscribe(channelName(channel, id));
    },
    subscribeAgain(name) {
      // pusher-js takes a subscription that the server refused by a frame for one still under way.
      const refused = pusher.channel(name);
      if (refused !== undefined && !refused.subscribed) refused.subscriptionPending = false;
      pusher.subscribe(name);
    },
    unsubscribe: (name) => echo.leaveChannel(name),
    whisper(name, event, data) {
      const channel = pusher.channel(name);
      if (channel?.subscribed === true) channel.trigger(`client-${event}`, data);
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
  call: Call,
  events: TransportEvents,
  isCurrent: (socketId: string) => boolean,
): ChannelAuthorizationHandler {
  return ({ socketId, channelName: name }, callback) => {
    call(authorizeChannel, { body: { socket_id: socketId, channel_name: name } }).then(
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

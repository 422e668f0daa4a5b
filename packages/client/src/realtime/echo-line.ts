import { channelName, shortChannelName } from '@wardline/contract/channel.ts';
import { authoriseChannel } from '@wardline/contract/realtime.ts';
import Echo from 'laravel-echo';
import Pusher from 'pusher-js';
import type { Call } from '#/http/call.ts';
import type { SocketPlace } from './echo-options.ts';
import type { ConnectionState, Frame, Line, LineEvents } from './line.ts';

/**
 * A line by laravel-echo over pusher-js. Loaded when the first channel is joined. Channels are authorised through `call`,
 * so that the status of a refusal is known (pusher-js keeps it only for its own requests), and frames are read raw, since
 * pusher-js hides what a subscription was answered with.
 */
export function openEchoLine(place: SocketPlace, call: Call, events: LineEvents, client: typeof Pusher = Pusher): Line {
  const echo = new Echo<'reverb'>({
    ...place,
    broadcaster: 'reverb',
    Pusher: client,
    enabledTransports: ['ws', 'wss'],
    enableStats: false,
    channelAuthorization: {
      customHandler({ socketId, channelName: name }, callback) {
        call(authoriseChannel, { body: { socket_id: socketId, channel_name: name } }).then(
          (reply) => {
            // An answer for a socket that is gone: the new one has asked for itself.
            if (pusher.connection.socket_id !== socketId) return;
            const { auth, channel_data, shared_secret } = reply;
            callback(null, {
              auth,
              ...(channel_data === undefined ? {} : { channel_data }),
              ...(shared_secret === undefined ? {} : { shared_secret }),
            });
          },
          (error: Error) => {
            if (pusher.connection.socket_id !== socketId) return;
            callback(error, null);
            events.onRefused(name, error);
          },
        );
      },
    },
  });
  const pusher = echo.connector.pusher;
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
    subscribeAgain: (name) => void pusher.subscribe(name),
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
    close: () => echo.disconnect(),
  };
}

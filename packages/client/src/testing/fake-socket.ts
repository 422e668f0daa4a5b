import type { AnyEndpoint } from '@wardline/contract/endpoint.ts';
import type Pusher from 'pusher-js';
import { browser } from 'pusher-js/package.json' with { type: 'json' };
import type { ApiError } from '#/http/api-error.ts';
import { openEchoLine } from '#/realtime/echo-line.ts';
import type { SocketPlace } from '#/realtime/echo-options.ts';
import type { Frame } from '#/realtime/transport.ts';

/** A socket that speaks the server's side of the protocol to the real pusher-js. */
export class FakeSocket {
  static readonly OPEN = 1;
  static readonly opened: FakeSocket[] = [];
  /** What the next subscription is refused with. */
  static refusal: object | null = null;
  readonly sent: { event: string; data: Record<string, unknown> }[] = [];
  readyState = 0;
  sentTooLate = 0;
  onopen: () => void = () => undefined;
  onmessage: (message: { data: string }) => void = () => undefined;
  onclose: (close: object) => void = () => undefined;
  readonly url: string;

  constructor(url: string) {
    this.url = url;
    FakeSocket.opened.push(this);
    const number = FakeSocket.opened.length;
    setTimeout(() => {
      this.readyState = 1;
      this.onopen();
      this.say('pusher:connection_established', JSON.stringify({ socket_id: `${number}.1`, activity_timeout: 30 }));
    });
  }
  say(event: string, data: unknown, channel?: string): void {
    this.onmessage({ data: JSON.stringify({ event, data, channel }) });
  }
  send(text: string): void {
    if (this.readyState !== FakeSocket.OPEN) this.sentTooLate += 1;
    const frame = JSON.parse(text);
    this.sent.push(frame);
    if (frame.event !== 'pusher:subscribe') return;
    const { refusal } = FakeSocket;
    FakeSocket.refusal = null;
    if (refusal !== null) {
      setTimeout(() => this.say('pusher:subscription_error', refusal, frame.data.channel));
      return;
    }
    const answer = { presence: { count: 1, ids: ['a'], hash: { a: {} } }, head_seq: 7 };
    setTimeout(() => this.say('pusher_internal:subscription_succeeded', JSON.stringify(answer), frame.data.channel));
  }
  close(): void {
    this.end(1006);
  }
  /** The server closes it with this code. */
  end(code: number): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    setTimeout(() => this.onclose({ code, reason: '', wasClean: code === 1000 }));
  }
}

const PLACE: SocketPlace = {
  key: 'key',
  wsHost: 'ward.test',
  wsPort: 8080,
  wssPort: 8080,
  forceTLS: false,
  enabledTransports: ['ws', 'wss'],
  isSigningIn: false,
};

interface TestLineOptions {
  readonly authorize: (body: Record<string, string>, endpoint: AnyEndpoint) => Promise<object>;
  readonly place?: Partial<SocketPlace>;
  readonly loadEncryption?: () => Promise<typeof import('#/realtime/encrypted-channels.ts')>;
}

/** A line of the real laravel-echo and pusher-js over FakeSockets; stub WebSocket with FakeSocket before. */
export async function openTestLine({ authorize, place = {}, loadEncryption }: TestLineOptions) {
  // The build that a bundler takes for browsers; the one for Node brings a socket and encryption of its own.
  const { default: client } = (await import(`pusher-js/${browser}`)) as { default: typeof Pusher };
  const frames: Frame[] = [];
  const states: string[] = [];
  const refused: [string, number][] = [];
  const asked: Record<string, string>[] = [];
  const call = (endpoint: AnyEndpoint, input: { body: Record<string, string> }) => {
    asked.push(input.body);
    return authorize(input.body, endpoint);
  };
  const line = openEchoLine(
    { ...PLACE, ...place },
    {
      call: call as never,
      client,
      ...(loadEncryption && { loadEncryption }),
      events: {
        onState: (state) => states.push(state),
        onFrame: (frame) => frames.push(frame),
        onRefused: (channel, error) => refused.push([channel, (error as ApiError).status]),
      },
    },
  );
  return { line, frames, states, refused, asked };
}

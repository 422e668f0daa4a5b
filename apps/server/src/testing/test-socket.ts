import { WebSocket } from 'ws';
import type { TestClient } from './test-client.ts';
import type { TestServer } from './test-server.ts';

export interface ReceivedFrame {
  readonly event: string;
  readonly channel?: string;
  readonly data: unknown;
  /** Who sent a client event. */
  readonly user_id?: string;
}

export interface TestSocket {
  readonly id: string;
  /** Everything received so far. */
  readonly frames: readonly ReceivedFrame[];
  /** The close code, once it is closed. */
  readonly closed: Promise<number>;
  /** The next frame that fits, one that is here already included; each frame is handed out once. */
  next(fits: (frame: ReceivedFrame) => boolean): Promise<ReceivedFrame>;
  /** Asks for leave as this person and subscribes: 'joined', or the status of the refusal. */
  join(client: TestClient, channel: string): Promise<'joined' | number>;
  /** A client event to the others of a channel. */
  whisper(channel: string, event: string, data: unknown): void;
  /** A ping and its pong: whatever the server had to say before is among the frames afterwards. */
  settle(): Promise<void>;
  close(): void;
}

/** Less than a test's limit, so that what was waited for is told. */
const PATIENCE_MS = 20_000;

/** A socket that speaks the protocol by hand, so that a test sees every frame. */
export async function openSocket(server: Pick<TestServer, 'baseUrl'>): Promise<TestSocket> {
  const { host } = new URL(server.baseUrl);
  const socket = new WebSocket(`ws://${host}/app/wardline?protocol=7&client=js&version=8.6.0`, {
    origin: server.baseUrl,
  });
  const frames: ReceivedFrame[] = [];
  const handedOut = new Set<ReceivedFrame>();
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  socket.on('error', () => socket.terminate());
  socket.on('message', (message) => frames.push(readFrame(String(message))));

  async function next(fits: (frame: ReceivedFrame) => boolean): Promise<ReceivedFrame> {
    const until = performance.now() + PATIENCE_MS;
    while (performance.now() < until) {
      const frame = frames.find((candidate) => !handedOut.has(candidate) && fits(candidate));
      if (frame) {
        handedOut.add(frame);
        return frame;
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    throw new Error(`no such frame among ${JSON.stringify(frames)}`);
  }

  const established = await next((frame) => frame.event === 'pusher:connection_established');
  const { socket_id: id } = established.data as { socket_id: string };
  return {
    id,
    frames,
    closed,
    next,
    async join(client, channel) {
      const body = { socket_id: id, channel_name: channel };
      const answer = await client.send('POST', '/broadcasting/auth', { body });
      if (answer.statusCode !== 200) return answer.statusCode;
      socket.send(JSON.stringify({ event: 'pusher:subscribe', data: { channel, ...answer.json() } }));
      const verdict = await next(
        (frame) => frame.channel === channel && /subscription_(succeeded|error)$/.test(frame.event),
      );
      if (verdict.event === 'pusher_internal:subscription_succeeded') return 'joined';
      return (verdict.data as { status: number }).status;
    },
    whisper: (channel, event, data) => socket.send(JSON.stringify({ event: `client-${event}`, channel, data })),
    async settle() {
      socket.send(JSON.stringify({ event: 'pusher:ping', data: {} }));
      await next((frame) => frame.event === 'pusher:pong');
    },
    close: () => socket.close(),
  };
}

function readFrame(text: string): ReceivedFrame {
  const frame = JSON.parse(text) as { event: string; channel?: string; data?: unknown };
  return { ...frame, data: typeof frame.data === 'string' ? JSON.parse(frame.data) : frame.data };
}

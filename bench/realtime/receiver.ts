import { connect, type Socket } from 'node:net';
import { channel, type ServerKind } from './cases.ts';

type Handshake = { path: string; greetings: number; replies: string[] };

/** The path, what to say after each greeting frame, and how many frames come before the first broadcast. */
const handshakes: Record<ServerKind, Handshake> = {
  gateway: {
    path: '/app/bench?protocol=7',
    greetings: 2,
    replies: [JSON.stringify({ event: 'pusher:subscribe', data: { channel, auth: '' } })],
  },
  ws: { path: '/', greetings: 0, replies: [] },
  'socket.io': { path: '/socket.io/?EIO=4&transport=websocket', greetings: 2, replies: ['40'] },
};

/** A bare socket that counts frames by hopping from header to header; it never looks at what they say. */
export class Receiver {
  readonly socket: Socket;
  readonly joined: Promise<void>;
  readonly #handshake: Handshake;
  readonly #onDelivered: (count: number) => void;
  #join: () => void = () => {};
  #isUpgraded = false;
  #greetings = 0;
  #leftOver: Buffer | null = null;
  #toSkip = 0;

  constructor(port: number, kind: ServerKind, onDelivered: (count: number) => void) {
    const handshake = handshakes[kind];
    this.#handshake = handshake;
    this.#onDelivered = onDelivered;
    this.joined = new Promise((resolve) => {
      this.#join = resolve;
    });
    this.socket = connect(port, '127.0.0.1');
    this.socket.setNoDelay();
    this.socket.write(
      `GET ${handshake.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    );
    this.socket.on('data', (bytes) => this.#take(bytes));
  }

  #take(bytes: Buffer): void {
    const all = this.#leftOver === null ? bytes : Buffer.concat([this.#leftOver, bytes]);
    this.#leftOver = null;
    if (this.#isUpgraded) {
      this.#count(all);
      return;
    }
    const end = all.indexOf('\r\n\r\n');
    if (end === -1) {
      this.#leftOver = all;
      return;
    }
    this.#isUpgraded = true;
    if (this.#handshake.greetings === 0) this.#join();
    this.#count(all.subarray(end + 4));
  }

  #count(bytes: Buffer): void {
    let at = this.#toSkip;
    let frames = 0;
    if (at > 0 && at <= bytes.length) frames += 1;
    while (at < bytes.length) {
      const length = frameLength(bytes, at);
      if (length === null) {
        this.#leftOver = bytes.subarray(at);
        at = bytes.length;
        break;
      }
      at += length;
      if (at <= bytes.length) frames += 1;
    }
    this.#toSkip = at - bytes.length;
    if (frames > 0) this.#completed(frames);
  }

  #completed(frames: number): void {
    let left = frames;
    while (left > 0 && this.#greetings < this.#handshake.greetings) {
      left -= 1;
      const reply = this.#handshake.replies[this.#greetings++];
      if (reply !== undefined) this.socket.write(maskedText(reply));
      if (this.#greetings === this.#handshake.greetings) this.#join();
    }
    if (left > 0) this.#onDelivered(left);
  }
}

/** Header and payload together; null if the header is cut off. */
function frameLength(bytes: Buffer, at: number): number | null {
  const short = bytes[at + 1];
  if (short === undefined) return null;
  if (short < 126) return 2 + short;
  if (short === 126) return at + 4 > bytes.length ? null : 4 + bytes.readUInt16BE(at + 2);
  return at + 10 > bytes.length ? null : 10 + bytes.readUIntBE(at + 4, 6);
}

function maskedText(text: string): Buffer {
  const payload = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x81, 0x80 | payload.length, 0, 0, 0, 0]), payload]);
}

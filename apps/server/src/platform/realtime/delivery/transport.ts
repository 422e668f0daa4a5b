import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';

const textOpcode = 0x81;
const pongOpcode = 0x8a;

/**
 * One accepted socket. Handshake, parsing and closing are `ws`'s work; ready-made frames go straight to the TCP socket,
 * which `ws` allows because without compression it keeps no queue of its own.
 */
export class Transport {
  readonly ws: WebSocket;
  /** Whether the peer has not taken what was written; `onDrain` tells when it has. */
  isBlocked = false;
  readonly #socket: Duplex;

  constructor(ws: WebSocket, socket: Duplex) {
    this.ws = ws;
    this.#socket = socket;
  }

  /** Writes whole frames. */
  write(frames: Buffer): void {
    this.isBlocked = !this.#socket.write(frames);
  }

  get unsentBytes(): number {
    return this.#socket.writableLength;
  }

  onDrain(listener: () => void): void {
    this.#socket.on('drain', () => {
      this.isBlocked = false;
      listener();
    });
  }

  close(code: number, reason: string): void {
    this.ws.close(code, reason);
  }

  terminate(): void {
    this.ws.terminate();
  }
}

export type Accept = (request: IncomingMessage, socket: Duplex, head: Buffer, done: (t: Transport) => void) => void;

/** Makes the function that turns an upgrade request into a transport, or answers it with an HTTP error. */
export function createAccept(limits: { frameBytes: number; closeTimeoutMs: number }): Accept {
  const options: ServerOptions & { closeTimeout: number } = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: limits.frameBytes,
    closeTimeout: limits.closeTimeoutMs,
    autoPong: false,
  };
  const server = new WebSocketServer(options);
  return (request, socket, head, done) => {
    server.handleUpgrade(request, socket, head, (ws) => {
      // A bad frame is an error event and then a close; without a listener it would end the process.
      ws.on('error', () => {});
      done(new Transport(ws, socket));
    });
  };
}

/** One unmasked RFC 6455 text frame: header and payload in one buffer. `end` is UTF-8 that follows the text. */
export function textFrame(text: string, end?: Buffer): Buffer {
  const textLength = Buffer.byteLength(text);
  const length = textLength + (end?.length ?? 0);
  const frame = allocateFrame(textOpcode, length);
  frame.write(text, frame.length - length, textLength, 'utf8');
  end?.copy(frame, frame.length - end.length);
  return frame;
}

/** The answer to a ping with this payload (125 bytes at most, which `ws` has checked). */
export function pongFrame(payload: Buffer): Buffer {
  const frame = allocateFrame(pongOpcode, payload.length);
  payload.copy(frame, frame.length - payload.length);
  return frame;
}

function allocateFrame(opcode: number, length: number): Buffer {
  if (length < 126) {
    const frame = Buffer.allocUnsafe(2 + length);
    frame[0] = opcode;
    frame[1] = length;
    return frame;
  }
  if (length < 65_536) {
    const frame = Buffer.allocUnsafe(4 + length);
    frame[0] = opcode;
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
    return frame;
  }
  const frame = Buffer.allocUnsafe(10 + length);
  frame[0] = opcode;
  frame[1] = 127;
  frame.writeUInt16BE(0, 2);
  frame.writeUIntBE(length, 4, 6);
  return frame;
}

import { connect, type Socket } from 'node:net';
import { app, until } from './gateway.ts';

/** A TCP connection that did the WebSocket handshake by hand, for what no client library would do. */
export class RawSocket {
  readonly socket: Socket;
  readonly #received: Buffer[] = [];
  isClosed = false;

  private constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.on('data', (bytes) => this.#received.push(bytes));
    this.socket.on('error', () => {});
    this.socket.on('close', () => {
      this.isClosed = true;
    });
  }

  static async connect(port: number): Promise<RawSocket> {
    const raw = new RawSocket(port);
    raw.socket.write(
      `GET /app/${app.key}?protocol=7 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    );
    await until(() => raw.received.includes('connection_established'), 'the handshake is done');
    return raw;
  }

  get received(): Buffer {
    return Buffer.concat(this.#received);
  }

  /** Sends one masked frame. `first` is the whole first byte: FIN, reserved bits, opcode. */
  send(first: number, payload: string | Buffer): void {
    this.socket.write(maskedFrame(first, Buffer.from(payload)));
  }

  sendText(frame: unknown): void {
    this.send(0x81, JSON.stringify(frame));
  }
}

/** A frame as clients send it, with a mask of zeros. */
export function maskedFrame(first: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(payload.length < 126 ? 6 : 8);
  header[0] = first;
  if (payload.length < 126) header[1] = 0x80 | payload.length;
  else {
    header[1] = 0x80 | 126;
    header.writeUInt16BE(payload.length, 2);
  }
  return Buffer.concat([header, payload]);
}

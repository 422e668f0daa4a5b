import { createServer, type Socket } from 'node:net';
import type { Log } from '#/platform/log.ts';
import { acknowledgement } from './acknowledgement.ts';
import { decodeMessage } from './decode-message.ts';
import { readHead } from './read-message.ts';

/** A block is <VT> message <FS><CR> (HL7 Minimal Lower Layer Protocol). */
const START = 0x0b;
const END = Buffer.from([0x1c, 0x0d]);
const LARGEST_MESSAGE_BYTES = 1024 * 1024;
const MOST_CONNECTIONS = 50;
const IDLE_MS = 10 * 60_000;

interface MllpOptions {
  readonly host: string;
  readonly port: number;
  /**
   * Answers the acknowledgement of one message from an address; what it throws ends the connection, unanswered, and the sender
   * tries again.
   */
  readonly onMessage: (text: string, address: string | null) => Promise<string>;
  readonly log: Log;
}

export interface MllpServer {
  /** Where it really listens. */
  readonly port: number;
  /** Takes no more, finishes the messages under way. */
  close(): Promise<void>;
}

/** Listens for HL7 v2 messages: one at a time per connection, in order, each answered before the next is read. */
export async function startMllpServer({ host, port, onMessage, log }: MllpOptions): Promise<MllpServer> {
  const connections = new Set<Connection>();
  const server = createServer((socket) => {
    const connection: Connection = { socket, isBusy: false, isClosing: false };
    connections.add(connection);
    socket.on('close', () => connections.delete(connection));
    socket.on('error', () => socket.destroy());
    socket.setTimeout(IDLE_MS, () => socket.destroy());
    answerAll(connection, onMessage)
      .then(() => socket.end())
      .catch((error: unknown) => {
        log.warn({ err: error }, 'an HL7 connection was ended');
        // What was answered last still goes out.
        socket.destroySoon();
      });
  });
  server.maxConnections = MOST_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const connection of connections) {
        connection.isClosing = true;
        if (!connection.isBusy) connection.socket.destroy();
      }
      await closed;
    },
  };
}

const HEAD_BYTES = 2_000;

function answerToTooLong(pending: Buffer): string {
  const { controlId } = readHead(pending.toString('latin1', 1, HEAD_BYTES));
  const reason = 'the message is longer than 1 MB and is not taken: send documents another way';
  return acknowledgement({ code: 'AR', controlId, error: { code: 207, place: null, reason } }, new Date());
}

interface Connection {
  readonly socket: Socket;
  isBusy: boolean;
  isClosing: boolean;
}

/** The stream stands still while a message is worked on: a sender that hurries is slowed, not buffered. */
async function answerAll(connection: Connection, onMessage: MllpOptions['onMessage']): Promise<void> {
  const { socket } = connection;
  const address = socket.remoteAddress ?? null;
  let pending: Buffer = Buffer.alloc(0);
  for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    for (let end = pending.indexOf(END); end !== -1; end = pending.indexOf(END)) {
      // The last one: a sender that was cut off begins anew, and of two halves no message is made.
      const start = pending.lastIndexOf(START, end);
      if (start === -1) throw new Error('a block does not begin with a start byte');
      connection.isBusy = true;
      const ack = await onMessage(decodeMessage(pending.subarray(start + 1, end)), address);
      connection.isBusy = false;
      pending = pending.subarray(end + END.length);
      socket.write(Buffer.concat([Buffer.from([START]), Buffer.from(ack, 'utf8'), END]));
      if (connection.isClosing) return;
    }
    if (pending.length > LARGEST_MESSAGE_BYTES) {
      // Its end is not waited for: the sender reads why, and the connection ends.
      socket.write(Buffer.concat([Buffer.from([START]), Buffer.from(answerToTooLong(pending), 'utf8'), END]));
      throw new Error('a message is longer than 1 MB');
    }
  }
}

import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type FastifyInstance, fastify } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answerErrors } from '#/platform/http/edge/answer-errors.ts';
import { createLog } from '#/platform/log.ts';
import { acceptFiles, readFile } from './read-file.ts';

const PART = 'content-disposition: form-data; name="avatar"; filename="a.png"\r\n\r\n';
let app: FastifyInstance;
let port: number;
let outcomes: string[];
let begun: EventEmitter;

beforeEach(async () => {
  outcomes = [];
  begun = new EventEmitter();
  app = fastify({ http: { connectionsCheckingInterval: 50 } });
  answerErrors(app, createLog('silent'));
  await app.register(async (scope) => {
    await acceptFiles(scope);
    scope.put('/file', async (request) => {
      begun.emit('upload');
      try {
        const { length } = await readFile(request, { field: 'avatar', method: 'PUT' });
        outcomes.push(`read ${length}`);
        return { length };
      } catch (error) {
        outcomes.push(`refused ${String(error)}`);
        throw error;
      }
    });
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as AddressInfo).port;
});
afterEach(() => app.close());

function begin(head: string): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`PUT /file HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=b\r\n${head}\r\n\r\n`);
  return socket;
}

async function everything(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => {
    text += String(chunk);
  });
  await new Promise((resolve) => socket.once('close', resolve));
  return text;
}

describe('an upload', () => {
  it('A24 that comes too slowly is ended, and its handler with it', async () => {
    const hasBegun = once(begun, 'upload');
    const socket = begin('content-length: 1000');
    socket.write(`--b\r\n${PART}`);
    const drip = setInterval(() => socket.write('x'), 50);
    await hasBegun;
    // The server's own limits are the same settings; Node takes the longer of the two for the whole.
    Object.assign(app.server, { headersTimeout: 1, requestTimeout: 1 });
    await everything(socket);
    clearInterval(drip);
    await expect.poll(() => outcomes).toEqual(['refused AppError: The request could not be read.']);
  });

  it('A24 that is broken off is refused, and its handler ends', async () => {
    for (let turn = 0; turn < 50; turn++) {
      const hasBegun = once(begun, 'upload');
      const socket = begin('content-length: 100000');
      socket.write(`--b\r\n${PART}xxxx`);
      await hasBegun;
      socket.destroy();
    }
    await expect.poll(() => outcomes.length).toBe(50);
    expect(new Set(outcomes)).toEqual(new Set(['refused AppError: The request could not be read.']));
  });

  it('A24 that sends far more than a file is refused by count, with nothing kept of it', async () => {
    const socket = begin('transfer-encoding: chunked');
    const answered = everything(socket);
    const block = Buffer.alloc(1024 * 1024);
    const send = (bytes: Buffer | string) =>
      socket.write(
        Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), Buffer.from(bytes), Buffer.from('\r\n')]),
      );
    send(`--b\r\n${PART}`);
    for (let sent = 0; sent < 12; sent++) send(block);
    await expect.poll(() => outcomes).toEqual(['refused AppError: At most 5 MB.']);
    socket.destroy();
    await answered;
  });

  it('A24 that sends endless bytes before its first part loses the connection', async () => {
    const socket = begin('content-length: 20000000');
    socket.write(Buffer.alloc(8 * 1024 * 1024));
    await everything(socket);
    await expect.poll(() => outcomes).toEqual(['refused AppError: The request could not be read.']);
  });
});

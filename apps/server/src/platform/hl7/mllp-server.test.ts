import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createLog } from '#/platform/log.ts';
import { type MllpServer, startMllpServer } from './mllp-server.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function start(onMessage: (text: string, address: string | null) => Promise<string>): Promise<MllpServer> {
  const server = await startMllpServer({ host: '127.0.0.1', port: 0, onMessage, log: createLog('silent') });
  open.push(server);
  return server;
}

async function join({ port }: MllpServer): Promise<{ socket: Socket; answers: () => string }> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString();
  });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  open.push({ close: () => socket.destroy() });
  return { socket, answers: () => text };
}

const block = (text: string) => `\u000b${text}\u001c\r`;

it('CEN-7 CEN-8 messages in one piece, in many and two in one are each answered once, in order, and known by their sender', async () => {
  const seen: string[] = [];
  const server = await start(async (text, address) => {
    await new Promise((resolve) => setTimeout(resolve, text === 'first' ? 30 : 0));
    seen.push(`${text} from ${address}`);
    return `ack ${text}`;
  });
  const { socket, answers } = await join(server);
  for (const letter of block('first')) socket.write(letter);
  socket.write(block('second') + block('third é'));
  await expect.poll(answers).toBe(block('ack first') + block('ack second') + block('ack third é'));
  expect(seen).toEqual(['first', 'second', 'third é'].map((text) => `${text} from 127.0.0.1`));
});

it('CEN-8 a message whose storing failed is not acknowledged: the connection ends and the sender tries again', async () => {
  const server = await start(() => Promise.reject(new Error('no database')));
  const { socket, answers } = await join(server);
  socket.write(block('first'));
  await once(socket, 'close');
  expect(answers()).toBe('');
});

it('CEN-8 a message that was cut off lends nothing to the next one of its connection', async () => {
  const seen: string[] = [];
  const server = await start(async (text) => {
    seen.push(text);
    return `ack ${text}`;
  });
  const { socket, answers } = await join(server);
  socket.write('\u000bfirst, cu');
  socket.write(block('second') + block('third'));
  await expect.poll(answers).toBe(block('ack second') + block('ack third'));
  expect(seen).toEqual(['second', 'third']);
});

it('CEN-8 what is no block ends the connection, and so does what is longer than 1 MB, told in words', async () => {
  const server = await start(async () => 'ack');
  const stray = await join(server);
  stray.socket.write('GET / HTTP/1.1\r\n\r\n\u001c\r');
  await once(stray.socket, 'close');
  const long = await join(server);
  long.socket.write(`\u000bMSH|^~\\&|LIS|LAB|||1||ORU^R01|TOO-LONG|P|2.5.1\rOBX|${'x'.repeat(1024 * 1024)}`);
  await once(long.socket, 'close');
  expect(stray.answers()).toBe('');
  expect(long.answers()).toContain('MSA|AR|TOO-LONG\rERR|||207^');
  expect(long.answers()).toContain('the message is longer than 1 MB');
});

it('CEN-8 closing finishes the message that is under way, and takes no further one', async () => {
  let finish: ((ack: string) => void) | undefined;
  const server = await start(
    () =>
      new Promise((resolve) => {
        finish = resolve;
      }),
  );
  const { socket, answers } = await join(server);
  socket.write(block('first') + block('second'));
  await expect.poll(() => finish).toBeDefined();
  const closing = server.close();
  finish?.('late ack');
  await closing;
  await expect.poll(answers).toBe(block('late ack'));
});

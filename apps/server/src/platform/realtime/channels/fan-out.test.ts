import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Batch } from '#/platform/realtime/delivery/batch.ts';
import { defaultLimits } from '#/platform/realtime/delivery/limits.ts';
import { pongFrame, type Transport, textFrame } from '#/platform/realtime/delivery/transport.ts';
import { parseChannelName } from '#/platform/realtime/protocol/channel-name.ts';
import { runs } from '#/testing/nightly.ts';
import { FanOut } from './fan-out.ts';
import { Channel, Connection, type Subscription } from './sockets-and-channels.ts';

class FakeTransport {
  writes: Buffer[] = [];
  isBlocked = false;
  unsentBytes = 0;

  write(bytes: Buffer): void {
    this.writes.push(bytes);
  }

  get text(): string {
    return Buffer.concat(this.writes).toString();
  }
}

const tick = () => new Promise((resolve) => setImmediate(resolve));
const limits = { flushBytes: 100, flushMs: 20, queuedBytes: 500, queuedFrames: 20 };

function setUp(given = limits) {
  const slow: string[] = [];
  const fanOut = new FanOut(given, (connection) => {
    connection.isClosed = true;
    slow.push(connection.id);
  });
  const open = (id: string) => {
    const socket = new FakeTransport();
    const transport = socket as unknown as Transport;
    return { socket, connection: new Connection(id, { address: '', device: null }, transport, 0) };
  };
  const createChannel = (name: string) => {
    const parsed = parseChannelName(name);
    if (parsed === null) throw new Error(name);
    return new Channel(parsed);
  };
  const join = (channel: Channel, connection: Connection, held: Batch | null = null): Subscription => {
    const subscription = { connection, channel, since: fanOut.nextOrder, held } as Subscription;
    channel.members.set(connection, subscription);
    return subscription;
  };
  return { fanOut, slow, open, createChannel, join };
}

test('RT-10 one write per socket and tick, whatever was published, in order', async () => {
  const { fanOut, open, createChannel, join } = setUp({ ...limits, flushBytes: 65_536 });
  const [a, b] = [open('a'), open('b')];
  const [x, y] = [createChannel('x'), createChannel('y')];
  join(x, a.connection);
  join(x, b.connection);
  join(y, a.connection);
  fanOut.publish(x, Buffer.from('1'), null);
  fanOut.publish(y, Buffer.from('2'), null);
  fanOut.send(a.connection, Buffer.from('3'));
  fanOut.publish(x, Buffer.from('4'), null);
  fanOut.publish(y, Buffer.from('5'), 'a');
  await tick();
  expect(a.socket.writes.map(String)).toEqual(['1234']);
  expect(b.socket.writes.map(String)).toEqual(['14']);
});

test('RT-10 sockets that get the same frames get the very same buffer', async () => {
  const { fanOut, open, createChannel, join } = setUp();
  const [a, b] = [open('a'), open('b')];
  const x = createChannel('x');
  join(x, a.connection);
  join(x, b.connection);
  fanOut.publish(x, Buffer.from('1'), null);
  fanOut.publish(x, Buffer.from('2'), null);
  await tick();
  expect(a.socket.writes[0]).toBe(b.socket.writes[0]);
});

test('A43 a flush writes a socket no more than its share; the rest follows in the next ticks', async () => {
  const { fanOut, open, createChannel, join } = setUp();
  const { socket, connection } = open('a');
  const x = createChannel('x');
  join(x, connection);
  for (let n = 0; n < 10; n += 1) fanOut.publish(x, Buffer.alloc(30, String(n)), null);
  await tick();
  expect(socket.text).toHaveLength(90);
  for (let n = 0; n < 5; n += 1) await tick();
  expect(socket.text).toBe(Array.from({ length: 10 }, (_, n) => String(n).repeat(30)).join(''));
  expect(Math.max(...socket.writes.map((write) => write.length))).toBeLessThanOrEqual(100);
});

test.each([
  ['bytes', 6, 100],
  ['frames', 21, 1],
])(
  'A43 a blocked socket gets nothing written, waits, and is closed when it is behind by too many %s',
  async (_what, count, size) => {
    const { fanOut, slow, open, createChannel, join } = setUp();
    const [a, b] = [open('a'), open('b')];
    const x = createChannel('x');
    join(x, a.connection);
    join(x, b.connection);
    a.socket.isBlocked = true;
    for (let n = 1; n < count; n += 1) {
      fanOut.publish(x, Buffer.alloc(size, 'x'), null);
      await tick();
    }
    expect(slow).toEqual([]);
    expect(a.socket.writes).toEqual([]);
    fanOut.publish(x, Buffer.alloc(size, 'x'), null);
    await tick();
    expect(slow).toEqual(['a']);
    expect(b.socket.text).toHaveLength(count * size);
  },
);

test('A43 a socket that takes data again gets what it missed', async () => {
  const { fanOut, open, createChannel, join } = setUp();
  const { socket, connection } = open('a');
  const x = createChannel('x');
  join(x, connection);
  socket.isBlocked = true;
  fanOut.publish(x, Buffer.from('1'), null);
  await tick();
  fanOut.publish(x, Buffer.from('2'), null);
  await tick();
  socket.isBlocked = false;
  fanOut.resume(connection);
  await tick();
  expect(socket.text).toBe('12');
});

test('RT-10 a long flush yields, and goes on where it stopped', async () => {
  const { fanOut, open, createChannel, join } = setUp({ ...limits, flushMs: -1 });
  const x = createChannel('x');
  const sockets = Array.from({ length: 300 }, (_, n) => open(String(n)));
  for (const { connection } of sockets) join(x, connection);
  fanOut.publish(x, Buffer.from('1'), null);
  await tick();
  const writtenAtFirst = sockets.filter(({ socket }) => socket.writes.length > 0).length;
  expect(writtenAtFirst).toBe(63);
  fanOut.publish(x, Buffer.from('2'), null);
  for (let n = 0; n < 20; n += 1) await tick();
  expect(new Set(sockets.map(({ socket }) => socket.text))).toEqual(new Set(['12']));
});

/** Does what the steps say to a fan-out, and keeps a plain list of what each socket must get from each source. */
class Model {
  readonly #fan = setUp({ ...limits, queuedBytes: 1e9, queuedFrames: 1e9, flushBytes: 10 });
  readonly #channels = ['0', '1', '2'].map(this.#fan.createChannel);
  readonly sockets = ['0', '1', '2', '3', '4'].map(this.#fan.open);
  readonly #expected = new Map<string, string[]>();
  #counter = 0;

  expected(source: string, socketId: string): string[] {
    const key = `${source} ${socketId}`;
    const list = this.#expected.get(key) ?? [];
    this.#expected.set(key, list);
    return list;
  }

  publish(c: number, except: number): void {
    const channel = this.#channel(c);
    const frame = `<${c}:${this.#counter++}>`;
    this.#fan.fanOut.publish(channel, Buffer.from(frame), String(except));
    for (const { id } of channel.members.keys()) {
      if (id !== String(except)) this.expected(String(c), id).push(frame);
    }
  }

  send(_c: number, s: number): void {
    const frame = `<9:${this.#counter++}>`;
    this.#fan.fanOut.send(this.#socket(s).connection, Buffer.from(frame));
    this.expected('9', String(s)).push(frame);
  }

  join(c: number, s: number): void {
    const [channel, { connection }] = [this.#channel(c), this.#socket(s)];
    if (!channel.members.has(connection)) this.#fan.join(channel, connection);
  }

  hold(c: number, s: number): void {
    const [channel, { connection }] = [this.#channel(c), this.#socket(s)];
    if (!channel.members.has(connection)) this.#fan.join(channel, connection, new Batch());
  }

  release(c: number, s: number): void {
    const subscription = this.#channel(c).members.get(this.#socket(s).connection);
    if (!subscription?.held) return;
    this.expected(String(c), String(s)).unshift(`<${c}!>`);
    this.#fan.fanOut.release(subscription, [Buffer.from(`<${c}!>`)]);
  }

  block(_c: number, s: number): void {
    this.#socket(s).socket.isBlocked = true;
  }

  unblock(_c: number, s: number): void {
    const { socket, connection } = this.#socket(s);
    socket.isBlocked = false;
    this.#fan.fanOut.resume(connection);
  }

  tick(): Promise<unknown> {
    return tick();
  }

  async finish(): Promise<void> {
    for (const s of this.sockets.keys()) {
      for (const c of this.#channels.keys()) this.release(c, s);
      this.unblock(0, s);
    }
    for (let n = 0; n < 200; n += 1) await tick();
    expect(this.#fan.slow).toEqual([]);
  }

  #channel(c: number): Channel {
    return this.#channels[c] ?? this.#fan.createChannel('none');
  }

  #socket(s: number) {
    return this.sockets[s] ?? this.#fan.open('none');
  }
}

test('RT-10 every socket gets exactly its frames in order, for any run of joins, publications, replies and blocks', async () => {
  const often = ['publish', 'publish', 'publish', 'send', 'tick'] as const;
  const action = fc.constantFrom(...often, 'join', 'hold', 'release', 'block', 'unblock');
  const step = fc.record({ action, channel: fc.nat(2), socket: fc.nat(4) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 120, size: 'max' }), async (steps) => {
      const model = new Model();
      for (const { action, channel, socket } of steps) await model[action](channel, socket);
      await model.finish();
      for (const { socket, connection } of model.sockets) {
        const frames = socket.text.match(/<[^>]*>/g) ?? [];
        for (const source of ['0', '1', '2', '9']) {
          expect(frames.filter((frame) => frame[1] === source)).toEqual(model.expected(source, connection.id));
        }
      }
    }),
    { numRuns: runs(75) },
  );
});

test.each([0, 1, 125, 126, 65_535, 65_536, 70_000])(
  'RT-1 the header of a text frame of %i bytes is right',
  (length) => {
    const frame = textFrame('x'.repeat(length));
    const header = length < 126 ? 2 : length < 65_536 ? 4 : 10;
    expect(frame[0]).toBe(0x81);
    expect(frame).toHaveLength(header + length);
    const told = header === 2 ? frame[1] : header === 4 ? frame.readUInt16BE(2) : Number(frame.readBigUInt64BE(2));
    expect(told).toBe(length);
    expect(header === 2 || frame[1] === (header === 4 ? 126 : 127)).toBe(true);
  },
);

test('RT-1 text of several bytes a character is measured in bytes; a pong carries its payload', () => {
  expect(textFrame('✓').subarray(2).toString()).toBe('✓');
  expect([...pongFrame(Buffer.from('hi'))]).toEqual([0x8a, 2, 0x68, 0x69]);
  expect(defaultLimits.frameBytes).toBe(65_536);
});

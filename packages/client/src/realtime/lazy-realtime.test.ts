import { afterEach, expect, test, vi } from 'vitest';
import { createSource } from '#/observable.ts';
import { createLazyRealtime } from './lazy-realtime.ts';
import type { ConnectionState, Realtime } from './realtime.ts';

afterEach(() => vi.useRealTimers());

function createFake() {
  const done: string[] = [];
  const connection = createSource<ConnectionState>('connecting');
  const realtime: Realtime = {
    connection,
    socketId: () => '1.1',
    join(_channel, id) {
      done.push(`join ${id}`);
      return { leave: () => done.push(`leave ${id}`), whisper: (name) => done.push(`whisper ${name} ${id}`) };
    },
    wake: () => done.push('wake'),
    stop: () => done.push('stop'),
  };
  return { done, connection, realtime };
}

function setUp() {
  const fake = createFake();
  let resolve: (create: () => Realtime) => void = () => {};
  const loading = new Promise<() => Realtime>((done) => {
    resolve = done;
  });
  const failures: unknown[] = [];
  const load = vi.fn(() => loading);
  const lazy = createLazyRealtime(load, (error) => failures.push(error));
  const join = (id: string) => lazy.join({} as never, id, {} as never);
  const arrive = async () => {
    resolve(() => fake.realtime);
    await loading;
  };
  return { ...fake, failures, load, lazy, join, arrive };
}

test('RTA-1 the code is loaded once, by the first join, and joins keep their order', async () => {
  const { done, load, join, arrive } = setUp();
  expect(load).not.toHaveBeenCalled();
  join('a');
  join('b').leave();
  join('c');
  await arrive();
  join('d');
  expect(load).toHaveBeenCalledTimes(1);
  expect(done).toEqual(['join a', 'join c', 'join d']);
});

test('RTA-1 a channel that was joined early is left, and whispers reach it once it is joined', async () => {
  const { done, join, arrive } = setUp();
  const joined = join('a');
  joined.whisper('typing', {});
  await arrive();
  joined.whisper('typing', {});
  joined.leave();
  expect(done).toEqual(['join a', 'whisper typing a', 'leave a']);
});

test('RTA-1 the state of the connection and its socket are those of the loaded client', async () => {
  const { connection, lazy, join, arrive } = setUp();
  expect([lazy.connection.get(), lazy.socketId()]).toEqual(['initialized', null]);
  join('a');
  await arrive();
  expect(lazy.connection.get()).toBe('connecting');
  connection.set('connected');
  expect([lazy.connection.get(), lazy.socketId()]).toEqual(['connected', '1.1']);
});

test('RTA-1 a load that fails is told and repeated, and nothing is loaded after the stop', async () => {
  vi.useFakeTimers();
  const { done, realtime } = createFake();
  const failures: unknown[] = [];
  const load = vi.fn<() => Promise<() => Realtime>>().mockRejectedValue(new Error('offline'));
  const lazy = createLazyRealtime(load, (error) => failures.push(error));
  lazy.join({} as never, 'a', {} as never);
  await vi.advanceTimersByTimeAsync(4999);
  expect([load.mock.calls.length, failures.length]).toEqual([1, 1]);
  await vi.advanceTimersByTimeAsync(1);
  expect(load).toHaveBeenCalledTimes(2);
  load.mockResolvedValue(() => realtime);
  lazy.wake();
  await vi.advanceTimersByTimeAsync(0);
  expect([load.mock.calls.length, done]).toEqual([3, ['join a']]);
  lazy.stop();
  expect(done).toEqual(['join a', 'stop']);
});

test('RTA-1 a client that was stopped while its code was loaded is never begun', async () => {
  const { done, lazy, join, arrive } = setUp();
  join('a');
  lazy.stop();
  await arrive();
  expect(done).toEqual([]);
});

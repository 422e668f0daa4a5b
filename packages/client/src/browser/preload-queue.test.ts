import { expect, it } from 'vitest';
import { settle } from '#/testing/settle.ts';
import { type ConnectionState, createPreloadQueue } from './preload-queue.ts';

function setUp(connection?: ConnectionState) {
  const loads: { path: string; end: (error?: Error) => void }[] = [];
  const queue = createPreloadQueue({
    connection,
    load: (path) =>
      new Promise<void>((resolve, reject) => {
        loads.push({ path, end: (error) => (error === undefined ? resolve() : reject(error)) });
      }),
  });
  return { queue, loads, paths: () => loads.map((load) => load.path) };
}

it('PRE-1 a path is preloaded once, however often it is asked for', async () => {
  const { queue, loads, paths } = setUp();
  queue.request('/chats');
  queue.request('/chats');
  loads[0]?.end();
  await settle();
  queue.request('/chats');
  await settle();
  expect(paths()).toEqual(['/chats']);
});

it.each<ConnectionState>([{ saveData: true }, { effectiveType: '2g' }, { effectiveType: 'slow-2g' }])(
  'PRE-1 nothing is preloaded with %j',
  async (connection) => {
    const { queue, paths } = setUp(connection);
    queue.request('/chats');
    await settle();
    expect(paths()).toEqual([]);
  },
);

it('PRE-1 a path that was held back is preloaded once the network is better', async () => {
  const connection = { effectiveType: '2g' };
  const { queue, paths } = setUp(connection);
  queue.request('/chats');
  connection.effectiveType = '4g';
  queue.request('/chats');
  await settle();
  expect(paths()).toEqual(['/chats']);
});

it('PRE-1 when more than 4 are pending the next waits until all of them settle', async () => {
  const { queue, loads, paths } = setUp();
  for (const path of ['/1', '/2', '/3', '/4', '/5', '/6', '/6', '/7']) queue.request(path);
  await settle();
  expect(paths()).toEqual(['/1', '/2', '/3', '/4', '/5']);
  for (const load of loads.slice(0, 4)) load.end();
  await settle();
  expect(paths()).toHaveLength(5);
  loads[4]?.end();
  await settle();
  expect(paths()).toEqual(['/1', '/2', '/3', '/4', '/5', '/6', '/7']);
});

it('PRE-1 after the wait the number of pending ones counts again', async () => {
  const { queue, loads, paths } = setUp();
  for (let index = 1; index <= 12; index += 1) queue.request(`/${index}`);
  await settle();
  for (const load of loads.slice(0, 5)) load.end();
  await settle();
  expect(paths()).toHaveLength(10);
  for (const load of loads.slice(5, 10)) load.end();
  await settle();
  expect(paths()).toHaveLength(12);
});

it('PRE-1 a failure is told nobody, and the path is not preloaded again', async () => {
  const { queue, loads, paths } = setUp();
  queue.request('/chats');
  loads[0]?.end(new Error('The chunk is gone'));
  await settle();
  queue.request('/chats');
  queue.request('/dashboard');
  await settle();
  expect(paths()).toEqual(['/chats', '/dashboard']);
});

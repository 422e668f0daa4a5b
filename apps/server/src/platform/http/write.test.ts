import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLog } from '#/platform/log.ts';
import { type TestDatabase, testDatabase } from '#/testing/test-database.ts';
import type { Publish } from './publish.ts';
import { createWrite } from './write.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

function writing() {
  const sent: [events: readonly string[], except: string | undefined][] = [];
  const publish: Publish = (publications, except) => sent.push([publications.map(({ event }) => event), except]);
  const http = { ip: null, requestId: 'a request', socketId: '1.1' };
  return { sent, write: createWrite({ actor: null, db: database.db, log: createLog('silent'), http }, publish) };
}
const event = (name: string) => ({ channel: 'chat.1', event: name, data: {} });

it('RT-10 what a change tells goes to everybody but the socket that asked; what its reply does not say, to that one too', async () => {
  const { sent, write } = writing();
  await write('test', async () => ({
    result: undefined,
    audit: null,
    publish: [event('known to who asked')],
    publishToAll: [event('new to all')],
  }));
  expect(sent).toEqual([
    [['known to who asked'], '1.1'],
    [['new to all'], undefined],
  ]);
});

it('RT-10 nothing is told of a change that failed, or where there is nothing to tell', async () => {
  const { sent, write } = writing();
  const failing = write('test', async () => {
    throw new Error('it could not be stored');
  });
  await expect(failing).rejects.toThrow('it could not be stored');
  await write('test', async () => ({ result: undefined, audit: null, publish: [], publishToAll: [] }));
  expect(sent).toEqual([]);
});

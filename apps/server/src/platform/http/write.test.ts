import { AsyncLocalStorage } from 'node:async_hooks';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLog } from '#/platform/log.ts';
import { type TestDatabase, testDatabase } from '#/testing/test-database.ts';
import { untilBlocked } from '#/testing/until-blocked.ts';
import type { AuditedRow } from './context.ts';
import type { Publish } from './publish.ts';
import { createWrite } from './write.ts';

/** Outside of the write that it is called in. */
const asAnother = AsyncLocalStorage.snapshot();

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

it('A46 a write that reads by another connection than its own fails in every test, since writes could wait for each other', async () => {
  const { write } = writing();
  const beside = write('test', async () => {
    await sql`select 1`.execute(database.db);
    return { result: undefined, audit: null };
  });
  await expect(beside).rejects.toThrow('asks for a second connection');
});

it('A46 the answer waits for what is to be done after the commit, which sees what was committed', async () => {
  const { write } = writing();
  const order: string[] = [];
  await write('write.after', async () => ({
    result: undefined,
    audit: { objectType: 'test' },
    afterCommit: async () => {
      const stored = database.db.selectFrom('audit_entries').select('id').where('action', '=', 'write.after');
      order.push(`${(await stored.execute()).length} stored`);
    },
  }));
  order.push('answered');
  expect(order).toEqual(['1 stored', 'answered']);
});

it('I3 a change that PostgreSQL ends in a deadlock is made again, and leaves one audit entry', async () => {
  const { sent, write } = writing();
  const other = new pg.Client({ connectionString: database.connectionString });
  await other.connect();
  await other.query('begin');
  // Who looks for deadlocks first is the one that is ended.
  await other.query("set local deadlock_timeout = '1h'");
  await other.query('select pg_advisory_xact_lock(2)');
  let tries = 0;
  let otherWaits: Promise<unknown> = Promise.resolve();
  await write('write.deadlock', async (tx) => {
    tries += 1;
    await sql`set local deadlock_timeout = '1ms'`.execute(tx);
    await sql`select pg_advisory_xact_lock(1)`.execute(tx);
    if (tries === 1) {
      otherWaits = other.query('select pg_advisory_xact_lock(1)').then(() => other.query('rollback'));
      await asAnother(() => untilBlocked(database.db, otherWaits));
    }
    await sql`select pg_advisory_xact_lock(2)`.execute(tx);
    return { result: undefined, audit: { objectType: 'test' }, publish: [event('done')] };
  });
  await otherWaits;
  await other.end();
  expect(tries).toBe(2);
  const stored = database.db.selectFrom('audit_entries').select('id').where('action', '=', 'write.deadlock');
  expect(await stored.execute()).toHaveLength(1);
  expect(sent).toEqual([[['done'], '1.1']]);
});

it('I3 a change that another one has overtaken is made again on what that one left', async () => {
  const { write } = writing();
  await sql`create table counted (n integer)`.execute(database.db);
  await sql`insert into counted values (0)`.execute(database.db);
  let tries = 0;
  await write('test', async (tx) => {
    tries += 1;
    await sql`set transaction isolation level repeatable read`.execute(tx);
    await sql`select n from counted`.execute(tx);
    if (tries === 1) await asAnother(() => sql`update counted set n = n + 1`.execute(database.db));
    await sql`update counted set n = n + 1`.execute(tx);
    return { result: undefined, audit: null };
  });
  expect(tries).toBe(2);
  expect((await sql`select n from counted`.execute(database.db)).rows).toEqual([{ n: 2 }]);
});

it.each([
  ['40001', 3],
  ['40P01', 3],
  ['23505', 1],
])('I3 after %s a change is tried %i times at most, and the error is told', async (code, most) => {
  const { sent, write } = writing();
  let tries = 0;
  const failing = write('test', async () => {
    tries += 1;
    throw Object.assign(new Error('not this time'), { code });
  });
  await expect(failing).rejects.toMatchObject({ code });
  expect(tries).toBe(most);
  expect(sent).toEqual([]);
});

it('I3 a change of a single statement is made again too', async () => {
  const { write } = writing();
  await sql`create sequence tries`.execute(database.db);
  await sql`create function second_time() returns boolean language plpgsql as $$ begin
    if nextval('tries') < 2 then raise exception using errcode = '40P01', message = 'deadlock detected'; end if;
    return true; end $$`.execute(database.db);
  const statement = sql<AuditedRow>`
    select null::uuid as id, null::uuid as facility_id, null::jsonb as audit_detail, second_time() as is_changed`;
  const done = write.statement('test', { objectType: 'test', statement, done: ({ length }) => ({ result: length }) });
  expect(await done).toBe(1);
});

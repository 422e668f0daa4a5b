import { AsyncLocalStorage } from 'node:async_hooks';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Publish } from '#/platform/http/publish.ts';
import { createLog } from '#/platform/log.ts';
import { type TestDatabase, testDatabase } from '#/testing/test-database.ts';
import { untilBlocked } from '#/testing/until-blocked.ts';
import { createWrite } from './write.ts';
import { createWriteGroup, type GroupedRow } from './write-group.ts';

/** Outside of the write that it is called in. */
const asAnother = AsyncLocalStorage.snapshot();

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

function writing(requestId = 'a request') {
  const sent: [events: readonly string[], except: string | undefined][] = [];
  const publish: Publish = (publications, except) => sent.push([publications.map(({ event }) => event), except]);
  const http = { ip: null, requestId, socketId: '1.1' };
  return { sent, write: createWrite({ actor: null, db: database.db, log: createLog('silent'), http }, publish) };
}
const event = (name: string) => ({ channel: 'chat.1', event: name, data: {} });

it('RT-10 what a change tells goes to everybody but the socket that asked; what its reply does not say, to that one too', async () => {
  const { sent, write } = writing();
  await write('contact.send', async () => ({
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
  const failing = write('contact.send', async () => {
    throw new Error('it could not be stored');
  });
  await expect(failing).rejects.toThrow('it could not be stored');
  await write('contact.send', async () => ({ result: undefined, audit: null, publish: [], publishToAll: [] }));
  expect(sent).toEqual([]);
});

it('A46 a write that reads by another connection than its own fails in every test, since writes could wait for each other', async () => {
  const { write } = writing();
  const beside = write('contact.send', async () => {
    await sql`select 1`.execute(database.db);
    return { result: undefined, audit: null };
  });
  await expect(beside).rejects.toThrow('asks for a second connection');
});

it('A46 the answer waits for what is to be done after the commit, which sees what was committed', async () => {
  const { write } = writing();
  const order: string[] = [];
  await write('avatar.set', async () => ({
    result: undefined,
    audit: { objectType: 'contact.send' },
    afterCommit: async () => {
      const stored = database.db.selectFrom('audit_entries').select('id').where('action', '=', 'avatar.set');
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
  await write('avatar.remove', async (tx) => {
    tries += 1;
    await sql`set local deadlock_timeout = '1ms'`.execute(tx);
    await sql`select pg_advisory_xact_lock(1)`.execute(tx);
    if (tries === 1) {
      otherWaits = other.query('select pg_advisory_xact_lock(1)').then(() => other.query('rollback'));
      await asAnother(() => untilBlocked(database.db, otherWaits));
    }
    await sql`select pg_advisory_xact_lock(2)`.execute(tx);
    return { result: undefined, audit: { objectType: 'contact.send' }, publish: [event('done')] };
  });
  await otherWaits;
  await other.end();
  expect(tries).toBe(2);
  const stored = database.db.selectFrom('audit_entries').select('id').where('action', '=', 'avatar.remove');
  expect(await stored.execute()).toHaveLength(1);
  expect(sent).toEqual([[['done'], '1.1']]);
});

it('I3 a change that another one has overtaken is made again on what that one left', async () => {
  const { write } = writing();
  await sql`create table counted (n integer)`.execute(database.db);
  await sql`insert into counted values (0)`.execute(database.db);
  let tries = 0;
  await write('contact.send', async (tx) => {
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
  const failing = write('contact.send', async () => {
    tries += 1;
    throw Object.assign(new Error('not this time'), { code });
  });
  await expect(failing).rejects.toMatchObject({ code });
  expect(tries).toBe(most);
  expect(sent).toEqual([]);
});

/** A group whose statement stores names, each of them once, and may fail. */
function storingNames() {
  const batches: string[][] = [];
  const group = createWriteGroup<string, GroupedRow & { name: string }, string>(database.db, {
    statement(_key, names) {
      batches.push([...names]);
      return {
        query: sql`select name, place::int, is_changed, id, null::uuid as facility_id, null::jsonb as audit_detail
          from store_names(${names}::text[])`,
        outcomes: (rows) => rows.map(({ name }) => name),
      };
    },
    identityOf: (name) => name,
    bytesOf: (name) => name.length,
  });
  return { batches, group };
}

async function makeStoreNames(): Promise<void> {
  await sql`create sequence if not exists tries`.execute(database.db);
  await sql`create table if not exists names (name text primary key, id uuid not null default gen_random_uuid())`.execute(
    database.db,
  );
  await sql`create or replace function store_names(given text[])
    returns table (name text, place bigint, is_changed boolean, id uuid) language plpgsql as $$ begin
    if 'deadlock' = any(given) and nextval('tries') < 2 then
      raise exception using errcode = '40P01', message = 'deadlock detected';
    end if;
    if 'poison' = any(given) then raise exception 'a name that cannot be stored'; end if;
    if 'down' = any(given) then raise exception using errcode = '57P01', message = 'shutting down'; end if;
    return query with stored as (
      insert into names select g from unnest(given) as g on conflict do nothing returning *
    ) select g.name, g.place, s.id is not null, s.id from unnest(given) with ordinality as g (name, place)
      left join stored s using (name); end $$`.execute(database.db);
}

const auditedIds = async (action: string) =>
  await database.db
    .selectFrom('audit_entries')
    .select(['object_id', 'request_id'])
    .where('action', '=', action)
    .orderBy('id')
    .execute();

it('I3 changes that come together are one statement, each with the audit entry of its own request; a repeat has none', async () => {
  await makeStoreNames();
  const { batches, group } = storingNames();
  const [ana, mira] = [writing('ana'), writing('mira')];
  const send = ({ write }: typeof ana, item: string) =>
    write.together('account.rename', {
      ...{ group, key: 'chat', item, objectType: 'name' },
      done: (name) => ({ result: name, publish: [event(name)], publishToAll: [event(`${name} to all`)] }),
    });
  const answers = await Promise.all([send(ana, 'one'), send(mira, 'two'), send(ana, 'three'), send(mira, 'two')]);
  expect(answers).toEqual(['one', 'two', 'three', 'two']);
  expect(batches).toEqual([['one'], ['two', 'three'], ['two']]);
  const stored = await sql<{ name: string; id: string }>`select * from names`.execute(database.db);
  const idOf = new Map(stored.rows.map(({ name, id }) => [name, id]));
  expect(await auditedIds('account.rename')).toEqual([
    { object_id: idOf.get('one'), request_id: 'ana' },
    { object_id: idOf.get('two'), request_id: 'mira' },
    { object_id: idOf.get('three'), request_id: 'ana' },
  ]);
  expect(ana.sent.slice(0, 2)).toEqual([
    [['one'], '1.1'],
    [['one to all'], undefined],
  ]);
});

it('I3 a change that makes its statement fail is told so alone; those that came with it are stored, audited and told', async () => {
  await makeStoreNames();
  const { batches, group } = storingNames();
  const { write, sent } = writing('who');
  const send = (item: string) =>
    write.together('email.link', {
      ...{ group, key: 'chat', item, objectType: 'name' },
      done: (name) => ({ result: name, publish: [event(name)] }),
    });
  const answers = await Promise.allSettled(['first', 'before', 'poison', 'after'].map(send));
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(batches).toEqual([['first'], ['before', 'poison', 'after'], ['before'], ['poison'], ['after']]);
  expect(await auditedIds('email.link')).toHaveLength(3);
  expect(sent.map(([events]) => events)).toEqual([['first'], ['before'], ['after']]);
});

it('I3 a batch that PostgreSQL ends in a deadlock is made again whole; where the database is away nothing is tried again', async () => {
  await makeStoreNames();
  const { batches, group } = storingNames();
  const { write } = writing('who');
  const send = (item: string) =>
    write.together('email.verify', {
      ...{ group, key: 'chat', item, objectType: 'name' },
      done: (result) => ({ result }),
    });
  const sent = await Promise.allSettled(['a', 'deadlock', 'b', 'down', 'c'].map(send));
  expect(sent.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected', 'rejected']);
  expect(await Promise.all(['deadlock', 'b'].map(send))).toEqual(['deadlock', 'b']);
  expect(batches).toEqual([['a'], ['deadlock', 'b', 'down', 'c'], ['deadlock'], ['b']]);
  expect(await auditedIds('email.verify')).toHaveLength(3);
});

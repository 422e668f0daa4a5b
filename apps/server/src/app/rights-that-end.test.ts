import type { AnyEndpoint } from '@wardline/contract/endpoint.ts';
import { endpoints } from '@wardline/contract/endpoints.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { isMutating, type Sample, sampleOf, sendSample } from '#/testing/samples/contract-samples.ts';
import { clientOf, entitledFor, makeWorld, type World } from '#/testing/samples/contract-world.ts';
import { untilBlocked } from '#/testing/until-blocked.ts';

/**
 * Every act of the contract is asked for while somebody else holds whatever it changes, and the right to it ends before its turn
 * comes. What one may do without that right is left.
 */
const acts = endpoints.filter((endpoint) => isMutating(endpoint) && entitledFor(endpoint) === 'with the right');

let world: World;
let tables: readonly string[];

beforeAll(async () => {
  world = await makeWorld();
  const found = await sql<{ name: string }>`
    select distinct table_name as name from information_schema.tables join information_schema.columns using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'audit%'
      and (table_name in ('facilities', 'chats')
        or column_name in ('facility_id', 'facility_no', 'chat_id', 'message_id', 'examination_id', 'handover_id'))`.execute(
    world.server.db,
  );
  tables = found.rows.map(({ name }) => name);
});
afterAll(() => world.server.close());

/** By a session of its own, of which the process remembers nothing. */
async function send(endpoint: AnyEndpoint, sample: Sample) {
  return sendSample(await clientOf(world, 'with the right'), endpoint, sample);
}

type End = (db: Database | DatabaseTransaction) => Promise<unknown>;

/** What became of an act that waited while its right ended; null where it waited for nothing. */
async function statusAfterWaiting(endpoint: AnyEndpoint, end: End): Promise<number | null> {
  const { db } = world.server;
  const sample = await sampleOf(world, endpoint);
  let hasWaited = true;
  const [asked] = await db.transaction().execute(async (tx) => {
    await sql`lock table ${sql.join(tables.map((name) => sql.table(name)))} in exclusive mode`.execute(tx);
    const acting = send(endpoint, sample);
    await untilBlocked(db, acting).catch(() => {
      hasWaited = false;
    });
    await end(tx);
    return [acting];
  });
  const { statusCode } = await asked;
  return hasWaited ? statusCode : null;
}

/** What becomes of it without the right from the beginning. */
async function statusWithout(endpoint: AnyEndpoint, end: End): Promise<number> {
  const sample = await sampleOf(world, endpoint);
  await end(world.server.db);
  return (await send(endpoint, sample)).statusCode;
}

const ownFile = 'a file of their own: sending it asks again';
const made = 'asks in its transaction, and what it makes waits for nobody';

interface Right {
  readonly end: End;
  /** The addresses of the acts that could need it. */
  readonly of: RegExp;
  /** So many acts are refused at least. */
  readonly atLeast: number;
  /** Acts that go on, and why. */
  readonly exceptions: Readonly<Record<string, string>>;
}
const RIGHTS: Readonly<Record<string, Right>> = {
  'their roles end': {
    end: (db) => db.deleteFrom('membership_roles').where('facility_id', '=', world.ours.facility.id).execute(),
    of: /\{|^\/api\/census\//,
    atLeast: 70,
    exceptions: {
      createInvitation: made,
      importPeople: made,
      createDirectUpload: ownFile,
      createRoleUpload: ownFile,
      notePrint: 'notes what was printed',
      receiveHl7: 'what the patient system said while it had the right to is taken',
    },
  },
  'their place in the chat ends': {
    end: (db) =>
      db
        .updateTable('chat_participants')
        .set({ left_at: new Date() })
        .where('user_id', '=', world.ours.entitled.id)
        .execute(),
    of: /\{(chat|message|examination|handover|upload)\}/,
    atLeast: 30,
    exceptions: {
      createUpload: ownFile,
      appendUpload: ownFile,
      cancelUpload: ownFile,
      noteUrgentDelivered: 'notes what has reached them',
    },
  },
};

/** Makes up for the end of a right, so that the next act is asked for by somebody who has it. */
async function keepRights(): Promise<() => Promise<void>> {
  const { db } = world.server;
  const held = await db.selectFrom('membership_roles').selectAll().execute();
  return async () => {
    await db
      .insertInto('membership_roles')
      .values(held)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const own = db.updateTable('chat_participants').set({ left_at: null });
    await own.where('user_id', '=', world.ours.entitled.id).execute();
  };
}

describe.each(Object.entries(RIGHTS))('while an act waits %s', (_what, { end, of, atLeast, exceptions }) => {
  const refused: string[] = [];
  const tried = acts.filter(({ path }) => of.test(path));

  it.each(tried.map((endpoint) => [endpoint.name, endpoint] as const))(
    'A9 A48 PERM-3 %s is refused, or needs no such right',
    async (name, endpoint) => {
      const giveBack = await keepRights();
      try {
        const status = await statusAfterWaiting(endpoint, end);
        if (name in exceptions) return expect(status).toBeLessThan(300);
        if (status === null) return;
        if (status >= 400) {
          refused.push(name);
          return expect(status).toBeOneOf([403, 404]);
        }
        await giveBack();
        expect(await statusWithout(endpoint, end)).toBe(status);
      } finally {
        await giveBack();
      }
    },
  );

  it(`A9 at least ${atLeast} acts were refused`, () => {
    expect(refused.length).toBeGreaterThanOrEqual(atLeast);
  });
});

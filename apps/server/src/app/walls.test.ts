import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acrossFacilities, asActor, asSystem, statedActor } from '#/platform/db/stated-actor.ts';
import { APP_ROLE, withClient } from '#/platform/postgres/database-setup.ts';
import { type TestDatabase, testDatabase } from '#/testing/test-database.ts';
import { seedDemo } from '../../seeds/demo-hospital.ts';
import { DEMO_SIGN_INS } from './demo.ts';
import { SCHEMA } from './start/places.ts';

/** What holds nothing of a facility, or names it only to say of what an own thing is; reasons: docs/decisions/057. */
const WITHOUT_WALL = [
  ...['access_tokens', 'email_changes', 'last_seen', 'notification_settings', 'passkey_challenges', 'passkeys'],
  ...['password_resets', 'pending_sign_ins', 'push_subscriptions', 'recovery_codes', 'registrations', 'sessions'],
  ...['sso_attempts', 'sso_links', 'sso_memberships', 'sso_roles', 'totp_factors', 'users', 'census_requests'],
  ...['audit_chain', 'audit_head', 'audit_pending', 'audit_refusal_counts'],
  ...['chat_recounts', 'damaged_files', 'file_verifications', 'mailed_warnings'],
  ...['installation', 'jobs', 'schema_functions', 'schema_migrations'],
];

/** Of tables that say it by another row: the facility that a row `t` is of. Null where it is of none. */
const FACILITY_OF: Readonly<Record<string, string>> = {
  facilities: 't.id',
  ...ofRow('messages', 'message_id', ['message_citations', 'message_versions']),
  ...ofRow('examinations', 'examination_id', ['critical_decisions', 'examination_entries', 'examination_receipts']),
  ...ofRow('examinations', 'examination_id', ['examination_moves', 'examination_reports']),
  ...ofRow('critical_alerts', 'alert_id', ['critical_read_backs']),
  ...ofRow('escalations', 'escalation_id', ['escalation_entries', 'escalation_people']),
  ...ofRow('chats', 'chat_id', ['chat_notification_queue', 'chat_notifications', 'message_mentions', 'chat_drafts']),
  ...ofRow('handovers', 'handover_id', ['handover_actions', 'handover_receipts', 'handover_sheets']),
  audit_reads: 'null::uuid',
  own_data_copies: 'null::uuid',
};

/** Of tables that are narrowed to one's own chats: the chat that a row `t` is of. */
const CHAT_OF: Readonly<Record<string, string>> = {
  ...{ chats: 't.id', chat_participants: 't.chat_id', messages: 't.chat_id', attachments: 't.chat_id' },
  ...{ examinations: 't.chat_id', critical_alerts: 't.chat_id', chat_notification_queue: 't.chat_id' },
  message_versions: '(select o.chat_id from messages o where o.id = t.message_id)',
  message_citations: '(select o.chat_id from messages o where o.id = t.message_id)',
  examination_entries: '(select o.chat_id from examinations o where o.id = t.examination_id)',
  examination_reports: '(select o.chat_id from examinations o where o.id = t.examination_id)',
  ...{ handovers: 't.chat_id', chat_drafts: 't.chat_id' },
  handover_actions: '(select o.chat_id from handovers o where o.id = t.handover_id)',
  handover_receipts: '(select o.chat_id from handovers o where o.id = t.handover_id)',
  handover_sheets: '(select o.chat_id from handovers o where o.id = t.handover_id)',
};

function ofRow(table: string, key: string, names: readonly string[]) {
  return Object.fromEntries(
    names.map((name) => [name, `(select o.facility_id from ${table} o where o.id = t.${key})`]),
  );
}

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly is_walled: boolean;
  readonly policies: number;
}

let database: TestDatabase;
let tables: readonly Table[];
const people = new Map<string, string>();

beforeAll(async () => {
  database = await testDatabase();
  await seedDemo(database.db, { password: '-', hashPassword: async () => '-', longChatMessages: 20, censusDays: 66 });
  const beside = await readFile(path.join(SCHEMA, 'fixtures/rows-beside-the-demo.sql'), 'utf8');
  await withClient(database.connectionString, (client) => client.query(beside));
  const found = await sql<Table>`
    select c.relname as name, c.relrowsecurity as is_walled,
      array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
      (select count(*)::integer from pg_policies p where p.schemaname = 'public' and p.tablename = c.relname) as policies
    from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`.execute(database.db);
  tables = found.rows;
  const users = await database.db.selectFrom('users').select(['id', 'email']).execute();
  for (const { email } of DEMO_SIGN_INS) people.set(email, users.find((user) => user.email === email)?.id ?? '');
}, 180_000);
afterAll(() => database.close());

const walled = () => tables.filter(({ is_walled }) => is_walled);

/** The facility of a row `t`, in SQL. */
function facilityOf({ name, columns }: Table): string {
  const known = FACILITY_OF[name];
  if (known !== undefined) return known;
  if (columns.includes('facility_id')) return 't.facility_id';
  if (columns.includes('facility_no')) {
    return '(select o.facility_id from census_facilities o where o.facility_no = t.facility_no)';
  }
  if (columns.includes('unit_no')) return '(select o.facility_id from census_units o where o.unit_no = t.unit_no)';
  throw new Error(`FACILITY_OF says nothing of ${name}`);
}

/** The rows that a query without any condition is given: the planted bug of all planted bugs. */
async function rowsGiven({ name }: Table): Promise<string[]> {
  const { rows } = await sql<{ place: string }>`select ctid::text as place from ${sql.table(name)}`.execute(
    database.walled,
  );
  return rows.map(({ place }) => place);
}

/** How many of these rows are of a facility, or a chat, that is not of the person; asked by the owner. */
async function countForeign(table: Table, userId: string, places: readonly string[]): Promise<number> {
  const own = sql`select facility_id from memberships where user_id = ${userId} and ended_at is null`;
  const chat = CHAT_OF[table.name];
  const isOwnRow = table.columns.includes('user_id') ? sql`t.user_id is distinct from ${userId}` : sql`true`;
  const foreignChat =
    chat === undefined
      ? sql`false`
      : sql`${sql.raw(chat)} not in (select chat_id from active_participants where user_id = ${userId})`;
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from ${sql.table(table.name)} t
    where t.ctid = any(${places}::tid[]) and ${isOwnRow}
      and (coalesce(${sql.raw(facilityOf(table))} not in (${own}) and ${sql.raw(facilityOf(table))} is not null, false) or ${foreignChat})`.execute(
    database.db,
  );
  return rows[0]?.count ?? -1;
}

describe('the walls of the tables', () => {
  it('A16 I1 stand around every table that holds something of a facility, and none is half built', () => {
    const says = (columns: readonly string[]) =>
      columns.some((name) => /^(facility|chat|message|examination|unit)_(id|no)$/.test(name));
    const open = tables.filter(({ is_walled, policies }) => !is_walled || policies === 0).map(({ name }) => name);
    expect(
      open.filter((name) => !WITHOUT_WALL.includes(name)),
      'These tables have no policy. Give each its line in apps/server/db/functions/walls/build_walls.sql: into the list of ' +
        'facility_id, of facility_no, of the person’s chats, or of "another row that is seen"; then say it in the table of ' +
        'docs/decisions/057. No migration is needed. What holds nothing of a facility goes into WITHOUT_WALL of this test, with ' +
        'its reason in the decision.',
    ).toEqual([]);
    expect(WITHOUT_WALL.filter((name) => !open.includes(name))).toEqual([]);
    const named = tables
      .filter(({ name, columns }) => says(columns) && WITHOUT_WALL.includes(name))
      .map(({ name }) => name);
    expect(
      named,
      'A table that names a facility, a chat or what is in one is walled, whatever this list says.',
    ).toEqual([]);
  });

  it('A16 I1 go by columns that are never null, since the question of a row that is of none is never false', async () => {
    const { rows } = await sql<{ name: string }>`
      select format('%s.%s', p.tablename, a.attname) as name from pg_policies p
      join pg_attribute a on a.attrelid = format('public.%I', p.tablename)::regclass and not a.attnotnull
      where p.schemaname = 'public' and p.qual ~ format('\\(\\(%s = ANY .* IS NOT FALSE\\)', a.attname)`.execute(
      database.db,
    );
    expect(rows).toEqual([]);
  });

  it('A16 I1 hold in views, which are asked as who asks; but in own_chats, which has one of its own', async () => {
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class where relkind = 'v' and relnamespace = 'public'::regnamespace
        and not coalesce(reloptions @> '{security_invoker=true}', false)`.execute(database.db);
    expect(rows, 'Write the view as `create or replace view … with (security_invoker = true) as`.').toEqual([
      { name: 'own_chats' },
    ]);
  });

  it('A16 I1 own_chats gives a person the chats that they are in and no others, whatever the query forgot', async () => {
    const given = database.walled.selectFrom('own_chats').select(['id', 'user_id']).orderBy('id');
    const counts: number[] = [];
    for (const userId of people.values()) {
      const theirs = await database.db
        .selectFrom('active_participants')
        .select(['chat_id as id', 'user_id'])
        .where('user_id', '=', userId)
        .orderBy('chat_id')
        .execute();
      counts.push(theirs.length);
      expect(await asActor(userId, [], () => given.execute())).toEqual(theirs);
      expect(await asActor(userId, [], () => acrossFacilities(() => given.execute()))).toEqual(theirs);
    }
    // Some are in many chats, some in none.
    expect(Math.max(...counts)).toBeGreaterThan(9);
    expect(Math.min(...counts)).toBe(0);
    const everybodys = await database.db.selectFrom('active_participants').select('chat_id').execute();
    expect((await asSystem('job', () => given.execute())).length).toBe(everybodys.length);
  });

  it('A16 I1 give a person no row of a facility or a chat that is not theirs, whatever the query forgot', async () => {
    const foreign: string[] = [];
    const given = new Map<string, number>();
    for (const [email, userId] of people) {
      for (const table of walled()) {
        const places = await asActor(userId, [], () => rowsGiven(table));
        given.set(table.name, (given.get(table.name) ?? 0) + places.length);
        const count = await countForeign(table, userId, places);
        if (count !== 0) foreign.push(`${email}: ${count} of ${table.name}`);
      }
    }
    expect(foreign).toEqual([]);
    // Something was there to be given: the walls are no walled-up doors.
    for (const name of [
      'chats',
      'messages',
      'chat_participants',
      'examinations',
      'memberships',
      'unit_census',
      'units',
    ]) {
      expect(given.get(name), name).toBeGreaterThan(0);
    }
  });

  it('A16 A19 I1 give a file that is on its way to somebody to its sender alone, and nobody else takes or adds one', async () => {
    const [nurse, doctor] = [people.get('nurse@demo.test') ?? '', people.get('doctor@demo.test') ?? ''];
    const { rows } = await sql<{ id: string }>`
      insert into attachments (id, chat_id, facility_id, uploader_id, direct_user_id, key, name, upload_bytes)
      select gen_random_uuid(), gen_random_uuid(), facility_id, ${nurse}, ${doctor}, 'AAAAAAAAAAAAAAAAAAAAAB', 'Letter.pdf', 9
      from memberships where user_id = ${doctor} and ended_at is null limit 1 returning id`.execute(database.db);
    const [file] = rows;
    if (!file) throw new Error('the doctor works somewhere');
    const given: string[] = [];
    for (const [email, userId] of people) {
      const seen = await asActor(userId, [], () =>
        database.walled.selectFrom('attachments').select('id').where('id', '=', file.id).execute(),
      );
      if (seen.length > 0) given.push(email);
    }
    expect(given).toEqual(['nurse@demo.test']);
    const take = (userId: string) =>
      asActor(userId, [], () =>
        database.walled
          .updateTable('attachments')
          .set({ uploader_id: userId })
          .where('id', '=', file.id)
          .executeTakeFirst(),
      );
    expect((await take(doctor)).numUpdatedRows).toBe(0n);
    const pushed = asActor(nurse, [], () =>
      database.walled.updateTable('attachments').set({ uploader_id: doctor }).where('id', '=', file.id).execute(),
    );
    await expect(pushed).rejects.toThrow('row-level security');
    await database.db.deleteFrom('attachments').where('id', '=', file.id).execute();
  });

  it('ACC-3 A16 give nothing of a facility whose second factor the session lacks', async () => {
    const nurse = people.get('nurse@demo.test') ?? '';
    const { rows } = await sql<{ facility_id: string }>`
      select facility_id from memberships where user_id = ${nurse} and ended_at is null order by facility_id`.execute(
      database.db,
    );
    const [open, closed] = rows.map(({ facility_id }) => facility_id);
    if (open === undefined || closed === undefined) throw new Error('the nurse works in both facilities');
    const facilities = () =>
      database.walled.selectFrom('units').select('facility_id').distinct().orderBy('facility_id').execute();
    expect(await asActor(nurse, [closed], facilities)).toEqual([{ facility_id: open }]);
    expect(await asActor(nurse, [], facilities)).toEqual([{ facility_id: open }, { facility_id: closed }]);
    const chats = database.walled.selectFrom('chats').select('id').where('facility_id', '=', closed);
    expect(await asActor(nurse, [closed], () => chats.execute())).toEqual([]);
    const own = database.walled.selectFrom('own_chats').select('facility_id').distinct().orderBy('facility_id');
    expect(await asActor(nurse, [closed], () => own.execute())).toEqual([{ facility_id: open }]);
    expect(await asActor(nurse, [], () => own.execute())).toEqual([{ facility_id: open }, { facility_id: closed }]);
  });

  it('A16 I1 let nobody change, remove or add what is not theirs, in a change of theirs either', async () => {
    const visitor = people.get('visitor@demo.test') ?? '';
    const reached: string[] = [];
    const db = database.walled;
    const [message] = await database.db.selectFrom('messages').selectAll().limit(1).execute();
    if (!message) throw new Error('the demo says nothing');
    await asActor(visitor, [], async () => {
      for (const { name, columns } of walled()) {
        const [column = 'ctid'] = columns;
        const change = () => sql`update ${sql.table(name)} set ${sql.ref(column)} = ${sql.ref(column)}`.execute(db);
        const { numAffectedRows = 0n } = await change().catch(() => ({ numAffectedRows: 0n }));
        const own = (await rowsGiven({ name, columns, is_walled: true, policies: 1 })).length;
        if (Number(numAffectedRows) > own) reached.push(name);
      }
      const added = db
        .insertInto('message_versions')
        .values({ message_id: message.id, version: 99, body: 'x', written_by: visitor, written_at: new Date() });
      await expect(added.execute()).rejects.toThrow('row-level security');
    });
    expect(reached).toEqual([]);
  });

  it('A16 I1 give nothing to a connection that says nobody, and the pool sends no such query', async () => {
    const client = new pg.Client({ connectionString: database.connectionString, options: `-c role=${APP_ROLE}` });
    await client.connect();
    const given: string[] = [];
    for (const name of ['own_chats', ...walled().map((table) => table.name)]) {
      const { rows } = await client.query<{ count: number }>(
        `select count(*)::integer as count from ${client.escapeIdentifier(name)}`,
      );
      if (rows[0]?.count !== 0) given.push(name);
    }
    await client.end();
    expect(given).toEqual([]);
    await expect(database.walled.selectFrom('chats').select('id').execute()).rejects.toThrow('A query states nobody');
  });

  it('A16 ADM-2 open to a system administrator what facilities are and who belongs to them, and to nobody else', async () => {
    const operator = people.get('operator@demo.test') ?? '';
    const given = (userId: string) =>
      asActor(userId, [], () =>
        acrossFacilities(async () => {
          const found: string[] = [];
          for (const table of walled()) {
            if ((await countForeign(table, userId, await rowsGiven(table))) > 0) found.push(table.name);
          }
          return found;
        }),
      );
    expect(await given(operator)).toEqual([
      ...['census_facilities', 'census_hours', 'census_log_heads', 'facilities', 'invitation_roles', 'invitations'],
      ...['membership_roles', 'memberships', 'roles', 'units'],
    ]);
    for (const [email, userId] of people)
      if (userId !== operator) expect([email, await given(userId)]).toEqual([email, []]);
  });

  it('A16 I1 keep something of every table from who belongs to no facility, and none of them is empty', async () => {
    const newcomer = people.get('newcomer@demo.test') ?? '';
    const open: string[] = [];
    for (const table of walled()) {
      const { rows } = await sql<{
        count: number;
      }>`select count(*)::integer as count from ${sql.table(table.name)}`.execute(database.db);
      const given = await asActor(newcomer, [], () => rowsGiven(table));
      if (given.length >= (rows[0]?.count ?? 0)) open.push(table.name);
    }
    expect(open, 'A table without a row is tried by nothing: give it one in rows-beside-the-demo.sql.').toEqual([]);
  });

  it('A16 give the work of the system all rows, as the owner has them', async () => {
    for (const table of walled()) {
      const { rows } = await sql<{
        count: number;
      }>`select count(*)::integer as count from ${sql.table(table.name)}`.execute(database.db);
      const places = await asSystem('job', () => rowsGiven(table));
      expect([table.name, places.length]).toEqual([table.name, rows[0]?.count]);
    }
  });
});

describe('the connections of the pool', () => {
  const said = () =>
    sql<{ actor: string; system: string }>`
      select current_setting('wardline.actor', true) as actor, current_setting('wardline.system', true) as system`;

  it('A16 I1 work for who asks, among hundreds at once that read, give up and try again', async () => {
    const ids = Array.from({ length: 40 }, () => crypto.randomUUID());
    const wrong: string[] = [];
    const check = async (db: typeof database.walled) => {
      const { rows } = await said().execute(db);
      const { userId, system } = statedActor();
      if (rows[0]?.actor !== userId || rows[0]?.system !== system)
        wrong.push(JSON.stringify([rows[0], userId, system]));
    };
    const kinds: ((id: string) => Promise<unknown>)[] = [
      (id) => asActor(id, [], () => check(database.walled)),
      () => asSystem('job', () => check(database.walled)),
      (id) =>
        asActor(id, [], () =>
          database.walled.transaction().execute(async (tx) => {
            await check(tx);
            await asSystem('job', () => check(tx));
            await sql`select 1 / 0`.execute(tx);
          }),
        ),
      (id) =>
        asActor(id, [], () =>
          database.walled.transaction().execute(async (tx) => {
            await sql`savepoint here`.execute(tx);
            await asSystem('job', () => check(tx));
            await sql`rollback to savepoint here`.execute(tx);
            await check(tx);
            await Promise.all([check(tx), asActor(crypto.randomUUID(), [], () => check(tx)), check(tx)]);
          }),
        ),
      (id) => asActor(id, [], () => sql`select pg_sleep(0.01), 1 / 0`.execute(database.walled)),
      (id) =>
        asActor(id, [], () => sql`select pg_cancel_backend(pg_backend_pid()), pg_sleep(1)`.execute(database.walled)),
    ];
    // Of these the last three fail, as they are meant to.
    let failed = 0;
    const lane = async (first: number) => {
      for (let index = first; index < 240; index += 24) {
        await kinds[index % kinds.length]?.(ids[index % ids.length] ?? '').catch(() => failed++);
      }
    };
    await Promise.all(Array.from({ length: 24 }, (_, first) => lane(first)));
    expect(wrong).toEqual([]);
    expect(failed).toBe(120);
  });

  it('A16 a connection whose statement of the person fails is given to nobody after that', async () => {
    const pool = database.walled;
    const broken = asActor('no id, which PostgreSQL takes', ['{'], () => sql`select count(*) from chats`.execute(pool));
    await expect(broken).rejects.toThrow();
    await Promise.all(
      Array.from({ length: 30 }, () =>
        asSystem('job', async () => {
          expect((await said().execute(pool)).rows).toEqual([{ actor: '', system: 'job' }]);
        }),
      ),
    );
  });
});

import type { Chat } from '@wardline/contract/chat/chat.ts';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openChat, openChatFixture, type Person, say, type Ward } from '#/features/chat/testing/chat-fixture.ts';
import { newId } from '#/platform/new-id.ts';
import { burnTransactions, passHorizon } from '#/platform/postgres/testing/pass-horizon.ts';
import { makeChat } from '#/testing/factories/chats.ts';
import { limitMs, runs } from '#/testing/nightly.ts';
import { decodeSyncCursor, encodeSyncCursor, sync } from './sync.ts';
import { updateChat } from './update-chat.ts';

let ward: Ward;
let ana: Person;
beforeAll(async () => {
  ward = await openChatFixture();
});
afterAll(() => ward.close());
beforeEach(async () => {
  ana = await ward.person('Ana Reyes');
});

/** A device as the contract tells it to behave. */
class Device {
  readonly chats = new Map<string, Chat>();
  readonly person: Person;
  cursor: string | undefined;
  hasMore = true;

  constructor(person: Person) {
    this.person = person;
  }

  async readPage(limit = 200): Promise<Awaited<ReturnType<typeof sync>>> {
    const query = { limit, ...(this.cursor !== undefined && { cursor: this.cursor }) };
    const page = await sync(await this.person.ask(), { params: {}, query, body: {} });
    if (page.reset) this.chats.clear();
    for (const chat of page.chats) this.chats.set(chat.id, chat);
    for (const id of page.removed_chat_ids) this.chats.delete(id);
    this.cursor = page.cursor;
    this.hasMore = page.has_more;
    return page;
  }

  async readAll(limit?: number): Promise<this> {
    do await this.readPage(limit);
    while (this.hasMore);
    return this;
  }

  /** What a device that starts now would hold: everything but the archive. */
  current(): Chat[] {
    const chats = [...this.chats.values()].filter((chat) => chat.state !== 'archived');
    return chats.sort((a, b) => (a.id < b.id ? -1 : 1));
  }
}

describe('sync', () => {
  test('the first one brings all my chats but the archive, in pages, and the next one what changed', async () => {
    const facilityId = ward.facility.id;
    const participants = [{ userId: ana.id }];
    const chats = await Promise.all(Array.from({ length: 7 }, () => makeChat(ward.db, { facilityId, participants })));
    await makeChat(ward.db, { facilityId, participants, state: 'archived' });
    await makeChat(ward.db, { facilityId, participants: [{ userId: (await ward.person()).id }] });
    const device = await new Device(ana).readAll(3);
    expect([...device.chats.keys()].sort()).toEqual(chats.map((chat) => chat.id).sort());
    await passHorizon(ward.db);
    await passHorizon(ward.db);
    await device.readAll();
    expect(await device.readPage()).toMatchObject({ chats: [], removed_chat_ids: [], reset: false, has_more: false });
    await say(ana, { id: chats[4]?.id ?? '' });
    expect((await device.readPage()).chats.map((chat) => [chat.id, chat.head_seq])).toEqual([[chats[4]?.id, 1]]);
  });

  test('a chat that is archived later is told to the device that has it', async () => {
    const chat = await openChat(ward, ana);
    const device = await new Device(ana).readAll();
    const update = async (version: number, state: 'closed' | 'archived') =>
      updateChat(await ana.ask(), { params: { chat: chat.id }, query: {}, body: { expected_version: version, state } });
    await update(1, 'closed');
    await update(2, 'archived');
    await device.readAll();
    expect(device.chats.get(chat.id)?.state).toBe('archived');
  });

  test('a cursor of another database, of a restored past, or of nobody starts anew', async () => {
    const device = await new Device(ana).readAll();
    const own = decodeSyncCursor(device.cursor ?? '');
    expect(own).not.toBeNull();
    const foreign = encodeSyncCursor({ installation: newId(), since: 5n, paging: null });
    const future = encodeSyncCursor({ installation: own?.installation ?? '', since: 2n ** 62n, paging: null });
    for (const cursor of [foreign, future, 'AAAA', Buffer.from('x y z w').toString('base64url')]) {
      const page = await sync(await ana.ask(), { params: {}, query: { cursor }, body: {} });
      expect(page.reset, cursor).toBe(true);
    }
    expect(await device.readPage()).toMatchObject({ reset: false });
  });

  test('A14 what others do in a chat that I left is not told, not even that something is done', async () => {
    const other = await ward.person();
    const chat = await openChat(ward, other, [ana]);
    const device = await new Device(ana).readAll();
    await ward.db
      .updateTable('chat_participants')
      .set({ left_at: new Date() })
      .where('chat_id', '=', chat.id)
      .where('user_id', '=', ana.id)
      .execute();
    expect((await device.readPage()).removed_chat_ids).toEqual([chat.id]);
    await passHorizon(ward.db);
    await device.readPage();
    await passHorizon(ward.db);
    await say(other, chat);
    expect(await device.readPage()).toMatchObject({ chats: [], removed_chat_ids: [] });
  });

  test('cursors survive a round trip and nothing else is one', () => {
    const xid = fc.bigInt({ min: 0n, max: 10n ** 18n });
    const paging = fc.option(fc.record({ until: xid, after: fc.uuid() }), { nil: null });
    const cursor = fc.record({ installation: fc.uuid(), since: fc.option(xid, { nil: null }), paging });
    fc.assert(
      fc.property(cursor, (value) => {
        fc.pre(value.since !== null || value.paging !== null);
        const text = encodeSyncCursor(value);
        expect(text).toMatch(/^[A-Za-z0-9_-]{1,512}$/);
        expect(decodeSyncCursor(text)).toEqual(value);
      }),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(decodeSyncCursor(text)).toBeNull();
      }),
    );
  });
});

type Step =
  | { readonly do: 'write'; readonly slot: number; readonly what: Write; readonly chat: number; readonly user: number }
  | { readonly do: 'end'; readonly slot: number; readonly how: 'commit' | 'rollback' }
  | { readonly do: 'page'; readonly limit: number };
type Write = 'say' | 'rename' | 'read' | 'leave' | 'join' | 'archive' | 'reopen' | 'create' | 'resign';

const slot = fc.nat(2);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      slot,
      chat: fc.nat(3),
      user: fc.nat(1),
      what: fc.constantFrom<Write>(
        'say',
        'say',
        'rename',
        'read',
        'leave',
        'join',
        'archive',
        'reopen',
        'create',
        'resign',
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      slot,
      how: fc.constantFrom('commit', 'commit', 'rollback'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('page' as const), limit: fc.integer({ min: 1, max: 3 }) }) },
);

/** Three connections whose transactions stay open until a step ends them. */
class Writers {
  readonly #clients: pg.Client[] = [];
  readonly #open = new Set<number>();

  async connect(connectionString: string): Promise<void> {
    for (let n = 0; n < 3; n++) {
      const client = new pg.Client({ connectionString });
      await client.connect();
      await client.query("set lock_timeout = '10ms'");
      this.#clients.push(client);
    }
  }

  async write(slot: number, [text, values]: [string, unknown[]]): Promise<void> {
    const client = this.#clients[slot];
    if (!this.#open.has(slot)) await client?.query('begin');
    this.#open.add(slot);
    // Waiting for another slot's lock, or what the schema refuses, ends this slot's transaction.
    await client?.query(text, values).catch(() => this.end(slot, 'rollback'));
  }

  async end(slot: number, how: 'commit' | 'rollback'): Promise<void> {
    if (this.#open.delete(slot)) await this.#clients[slot]?.query(how);
  }

  async endAll(): Promise<void> {
    for (const slot of [...this.#open]) await this.end(slot, 'commit');
  }

  async close(): Promise<void> {
    for (const client of this.#clients) await client.end();
  }
}

describe('sync beside transactions that are still open', () => {
  const writers = new Writers();
  beforeAll(() => writers.connect(ward.connectionString));
  afterAll(() => writers.close());

  async function run(steps: readonly Step[]): Promise<[device: Chat[], fresh: Chat[]]> {
    const users = [await ward.person(), await ward.person()] as const;
    const facilityId = ward.facility.id;
    const participants = users.map((user) => ({ userId: user.id }));
    const chats: string[] = [];
    for (let n = 0; n < 4; n++) chats.push((await makeChat(ward.db, { facilityId, participants })).id);
    const device = new Device(users[0]);
    for (const now of steps) {
      if (now.do === 'page') {
        await device.readPage(now.limit);
        await burnTransactions(ward.db);
      } else if (now.do === 'end') await writers.end(now.slot, now.how);
      else {
        const place = { chat: chats[now.chat] ?? '', user: users[now.user]?.id ?? '', facility: facilityId };
        await writers.write(now.slot, statementFor(now.what, place));
      }
    }
    await writers.endAll();
    // Once for what was left of a pass that had begun, once for what changed behind its back.
    await device.readAll(2);
    await device.readAll(2);
    return [device.current(), (await new Device(users[0]).readAll()).current()];
  }

  test(
    'CHAT-4 R5 whatever is written, committed late or given up between its pages, the device ends equal to a full read',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 40 }), async (steps) => {
          const [device, fresh] = await run(steps);
          expect(device).toEqual(fresh);
        }),
        { numRuns: runs(25) },
      );
    },
    limitMs(90_000),
  );
});

function statementFor(
  what: Write,
  { chat, user, facility }: { chat: string; user: string; facility: string },
): [string, unknown[]] {
  const withLine = (change: string) => `with changed as (${change} returning 1)
    select append_message($1, $2, $3, $1, 'system', 'x') from changed`;
  const place = [newId(), chat, user];
  switch (what) {
    case 'say':
      return [
        `select * from send_messages($2, null, array[$1]::uuid[], array[$3]::uuid[], array[$1]::uuid[], array['x'],
           array[null]::uuid[], array[null]::timestamptz[])`,
        place,
      ];
    case 'rename':
      return ["update chats set title = 'title ' || version, version = version + 1 where id = $1", [chat]];
    case 'read':
      return [
        `update chat_participants p set read_seq = c.head_seq, delivered_seq = c.head_seq from chats c
         where c.id = p.chat_id and p.chat_id = $1 and p.user_id = $2`,
        [chat, user],
      ];
    case 'leave':
      return [withLine('update chat_participants set left_at = now() where chat_id = $2 and user_id = $3'), place];
    case 'join':
      return [withLine('update chat_participants set left_at = null where chat_id = $2 and user_id = $3'), place];
    case 'archive':
      return ["update chats set state = 'archived', version = version + 1 where id = $1", [chat]];
    case 'reopen':
      return ["update chats set state = 'open', version = version + 1 where id = $1", [chat]];
    case 'create':
      return [
        `with made as (insert into chats (id, facility_id, kind, title, created_by, client_id) values ($1, $2, 'group', 'new', $3, $1) returning id)
         insert into chat_participants (chat_id, user_id, facility_id, access) select id, $3, $2, 'manage' from made`,
        [newId(), facility, user],
      ];
    case 'resign':
      return ['update memberships set ended_at = now() where user_id = $1 and ended_at is null', [user]];
  }
}

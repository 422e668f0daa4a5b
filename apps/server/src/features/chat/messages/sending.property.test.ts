import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { channelName } from '@wardline/contract/channel.ts';
import type { ChatChanged } from '@wardline/contract/chat/chat.ts';
import { userChannel } from '@wardline/contract/chat/chat.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listChats } from '#/features/chat/chats/list-chats.ts';
import { updateChat } from '#/features/chat/chats/update-chat.ts';
import { addParticipant } from '#/features/chat/participants/add-participant.ts';
import { removeParticipant } from '#/features/chat/participants/remove-participant.ts';
import { openChat, openChatFixture, type Person, say, type Ward } from '#/features/chat/testing/chat-fixture.ts';
import { newId } from '#/platform/new-id.ts';
import { limitMs, runs } from '#/testing/nightly.ts';
import { createMessageGroup, type MessageGroup } from './message-group.ts';
import { raiseMarkers } from './raise-markers.ts';

let ward: Ward;
/** Two of them send through one process, the others through another. */
let people: Person[];
/** The client_ids that came to each process, in that order. */
const arrivals: [string[], string[]] = [[], []];
beforeAll(async () => {
  ward = await openChatFixture(16);
  const groups = arrivals.map((arrived) => {
    const group = createMessageGroup(ward.db);
    const add: MessageGroup['add'] = (key, change) => {
      arrived.push(change.item.clientId);
      return group.add(key, change);
    };
    return { add };
  });
  people = await Promise.all(['Ana', 'Mira', 'Leila', 'Kofi'].map((name) => ward.person(name)));
  people = people.map((person, index) => ({ ...person, group: groups[index < 2 ? 0 : 1] ?? person.group }));
});
afterAll(() => ward.close());

type Act = 'say' | 'repeat' | 'reply' | 'say nonsense' | 'read' | 'add' | 'remove' | 'close' | 'open';
interface Step {
  readonly act: Act;
  readonly who: number;
  readonly whom: number;
  readonly n: number;
  /** Whether what comes next waits until this and all before it is answered. */
  readonly isAwaited: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom<Act>(
    ...([
      'say',
      'say',
      'say',
      'say',
      'say',
      'repeat',
      'repeat',
      'reply',
      'say nonsense',
      'read',
      'read',
      'add',
      'add',
    ] as const),
    ...(['remove', 'close', 'open'] as const),
  ),
  who: fc.nat(3),
  whom: fc.nat(3),
  n: fc.nat(30),
  isAwaited: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
});

interface Said {
  readonly by: Person;
  readonly clientId: string;
  readonly body: string;
}

/** Runs the steps, most of them at the same time; then everything that is promised must hold. */
async function assertSending(steps: readonly Step[]): Promise<void> {
  const at = (index: number): Person => people[index % people.length] ?? (people[0] as Person);
  const [maker] = people as [Person];
  const chat = await openChat(ward, maker, [at(1), at(2)]);
  const mark = ward.published.length;
  for (const arrived of arrivals) arrived.length = 0;
  const said: Said[] = [];
  const answers: { said: Said; seq: number; id: string; body: string }[] = [];
  let underWay: Promise<unknown>[] = [];

  const send = (one: Said, replyTo?: string) =>
    say(one.by, chat, { client_id: one.clientId, body: one.body, ...(replyTo && { reply_to: replyTo }) }).then(
      ({ seq, id, body }) => void answers.push({ said: one, seq, id, body }),
    );
  const acts: Readonly<Record<Act, (step: Step) => Promise<unknown>>> = {
    async say({ who, n }) {
      const one = { by: at(who), clientId: newId(), body: `line ${said.length} ${'x'.repeat(n)}` };
      said.push(one);
      await send(one);
    },
    async repeat({ n }) {
      const one = said[n % Math.max(1, said.length)];
      if (one) await send(one);
    },
    async reply({ who, n }) {
      const target = answers[n % Math.max(1, answers.length)]?.id ?? newId();
      await send({ by: at(who), clientId: newId(), body: 'a reply' }, target);
    },
    // PostgreSQL stores no such text: the statement that it is in fails.
    async 'say nonsense'({ who }) {
      await send({ by: at(who), clientId: newId(), body: 'nothing\u0000' });
    },
    read: async ({ who, n }) =>
      raiseMarkers(await at(who).ask(), { params: { chat: chat.id }, query: {}, body: { read_seq: n } }),
    add: async ({ whom }) =>
      addParticipant(await maker.ask(), {
        params: { chat: chat.id, user: at(1 + (whom % 3)).id },
        query: {},
        body: {},
      }),
    remove: async ({ whom }) =>
      removeParticipant({ rightsChanged: () => undefined })(await maker.ask(), {
        params: { chat: chat.id, user: at(1 + (whom % 3)).id },
        query: {},
        body: {},
      }),
    close: async () => changeState('closed'),
    open: async () => changeState('open'),
  };
  const changeState = async (state: 'open' | 'closed') => {
    const { version } = await ward.db
      .selectFrom('chats')
      .select('version')
      .where('id', '=', chat.id)
      .executeTakeFirstOrThrow();
    await updateChat(await maker.ask(), {
      params: { chat: chat.id },
      query: {},
      body: { expected_version: version, state },
    });
  };

  for (const one of steps) {
    underWay.push(acts[one.act](one).catch(assertRefusal));
    if (!one.isAwaited) continue;
    await Promise.all(underWay);
    underWay = [];
  }
  await Promise.all(underWay);
  await assertStored(chat.id, answers);
  await assertTold(chat.id, [maker, at(1), at(2)], mark);
  await assertCounted(chat.id);
}

/** A refusal has a code of its own; anything else that fails is PostgreSQL refusing the nonsense. */
function assertRefusal(error: unknown): void {
  const { status, code } = error as { status?: number; code?: string };
  if (status === undefined && code !== '22021') throw error;
}

async function assertStored(
  chatId: string,
  answers: readonly { said: Said; seq: number; id: string; body: string }[],
): Promise<void> {
  const rows = await ward.db.selectFrom('messages').selectAll().where('chat_id', '=', chatId).orderBy('seq').execute();
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
  const { head_seq } = await ward.db
    .selectFrom('chats')
    .select('head_seq')
    .where('id', '=', chatId)
    .executeTakeFirstOrThrow();
  expect(head_seq).toBe(rows.length);
  for (const { said, seq, id, body } of answers) {
    expect(rows[seq - 1]).toMatchObject({ id, body, sender_id: said.by.id, client_id: said.clientId });
    expect(body).toBe(said.body);
  }
  for (const arrived of arrivals) {
    const once = arrived.filter((id) => arrivals.flat().filter((other) => other === id).length === 1);
    const seqs = once.flatMap((id) => rows.find(({ client_id }) => client_id === id)?.seq ?? []);
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
  }
  let isClosed = false;
  for (const { kind, body } of rows) {
    if (kind === 'text') expect(isClosed).toBe(false);
    else if (/^(closed|reopened) the chat$/.test(body)) isClosed = body.startsWith('closed');
  }
  const audited = await ward.db
    .selectFrom('audit_entries')
    .select(['object_id', 'actor_id'])
    .where('action', '=', 'chat.message.send')
    .where(sql<string>`detail ->> 'chat'`, '=', chatId)
    .execute();
  const texts = rows.filter(({ kind }) => kind === 'text');
  const byId = (a: { object_id: string | null }, b: { object_id: string | null }) =>
    String(a.object_id).localeCompare(String(b.object_id));
  expect(audited.sort(byId)).toEqual(
    texts.map(({ id, sender_id }) => ({ object_id: id, actor_id: sender_id })).sort(byId),
  );
}

/** Who is told of a change is who was in the chat when it was stored, as its own lines say. */
async function assertTold(chatId: string, first: readonly Person[], mark: number): Promise<void> {
  const lines = await ward.db
    .selectFrom('messages')
    .select(['seq', 'body', 'kind'])
    .where('chat_id', '=', chatId)
    .orderBy('seq')
    .execute();
  const present = new Set(first.map(({ name }) => name));
  const presentAt = lines.map(({ body, kind }) => {
    const [, act, name = ''] = (kind === 'system' && /^(added|removed) ([^,]+)/.exec(body)) || [];
    if (act === 'added') present.add(name);
    if (act === 'removed') present.delete(name);
    return [...present].sort();
  });
  const told = new Map<number, string[]>();
  const nameOfChannel = new Map(people.map(({ id, name }) => [channelName(userChannel, id), name]));
  for (const { channel, event, data } of ward.published.slice(mark)) {
    const { chat_id, head_seq } = data as ChatChanged;
    if (!event.endsWith('ChatChanged') || chat_id !== chatId) continue;
    told.set(head_seq, [...(told.get(head_seq) ?? []), nameOfChannel.get(channel) ?? 'a stranger']);
  }
  for (const [seq, names] of told) expect(names.sort()).toEqual(presentAt[seq - 1]);
  const sent = ward.published.slice(mark).filter(({ channel }) => channel === `presence-chat.${chatId}`);
  const seqs = sent.flatMap(({ event, data }) =>
    event.endsWith('MessageSent') ? [(data as { message: { seq: number } }).message.seq] : [],
  );
  expect(new Set(seqs).size).toBe(seqs.length);
}

const counted = sql<{ participants: number; unread: number; user_id: string }>`
  select p.user_id, (select count(*)::int from active_participants present where present.chat_id = c.id) as participants,
    (select count(*)::int from (
      select from messages m
      where m.chat_id = c.id and m.seq > greatest(p.read_seq, p.joined_seq) and m.sender_id <> p.user_id limit 100
    ) of_others) as unread
  from active_participants p join chats c on c.id = p.chat_id`;

/** What the list shows is what counting the rows finds. */
async function assertCounted(chatId: string): Promise<void> {
  const { rows } = await sql<{
    participants: number;
    unread: number;
    user_id: string;
  }>`${counted} where c.id = ${chatId}`.execute(ward.db);
  for (const person of people) {
    const row = rows.find(({ user_id }) => user_id === person.id);
    const page = await listChats(await person.ask(), { params: { facility: ward.facility.id }, query: {}, body: {} });
    const mine = page.data.find(({ id }) => id === chatId);
    expect(mine && { participants: mine.participant_count, unread: mine.my.unread }).toEqual(
      row && { participants: row.participants, unread: row.unread },
    );
  }
}

const property = fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }), assertSending);

test(
  'CHAT-1 CHAT-2 CHAT-5 CHAT-6 whoever sends, reads, comes and goes at the same time: no loss, no double, no gap, one audit entry each, and nobody is told who may not know',
  async () => {
    await fc.assert(property, { numRuns: runs(8) });
  },
  limitMs(120_000),
);

describe('the property notices', () => {
  const functions = fileURLToPath(new URL('../../../../db/functions/chat/', import.meta.url));
  test.each([
    [
      'who is in a chat is remembered past its version',
      'messages/send_messages',
      'c.participants_version is distinct from known_participants_version',
      'known_participants_version is null',
    ],
    ['a repeat is not looked for', 'messages/send_messages', 'where not exists (', 'where 1 = 1 or not exists ('],
    ['a closed chat takes messages', 'messages/send_messages', "and c.state in ('open', 'handed_over')", ''],
    [
      'what one sends oneself counts as unread',
      'messages/append_messages',
      'p.own_after_read + said.count',
      'p.own_after_read',
    ],
    [
      'a marker that moves leaves the count',
      'participants/count_own_after_read',
      'm.seq > greatest',
      'm.seq > 0 * greatest',
    ],
    [
      'a message is stored in another place than it is answered',
      'messages/append_messages',
      'chat.head_seq + said.place',
      'chat.head_seq + cardinality(ids) + 1 - said.place',
    ],
  ])(
    'when %s',
    async (_what, file, right, wrong) => {
      const text = await readFile(`${functions}${file}.sql`, 'utf8');
      expect(text).toContain(right);
      await sql.raw(text.replaceAll(right, wrong)).execute(ward.db);
      try {
        const { failed } = await fc.check(property, { numRuns: 60, endOnFailure: true });
        expect(failed).toBe(true);
      } finally {
        await sql.raw(text).execute(ward.db);
      }
    },
    limitMs(120_000),
  );
});

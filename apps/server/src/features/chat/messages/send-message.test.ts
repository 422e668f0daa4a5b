import { setTimeout as sleep } from 'node:timers/promises';
import { CHAT_STATES, type ChatChanged, ParticipantAccess } from '@wardline/contract/chat/chat.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { updateChat } from '#/features/chat/chats/update-chat.ts';
import { writeMessage } from '#/features/chat/core/policy.ts';
import { addParticipant } from '#/features/chat/participants/add-participant.ts';
import { removeParticipant } from '#/features/chat/participants/remove-participant.ts';
import {
  openChat,
  openChatFixture,
  type Person,
  refusalOf,
  say,
  type Ward,
} from '#/features/chat/testing/chat-fixture.ts';
import { can } from '#/platform/http/authorization/authorize.ts';
import { newId } from '#/platform/new-id.ts';
import { makeMessages } from '#/testing/factories/chats.ts';
import { isNightly } from '#/testing/nightly.ts';
import { listMessages } from './list-messages.ts';
import { createMessageGroup } from './message-group.ts';
import { sendMessage } from './send-message.ts';

/** One message, as the server's group of one: chat, id, sender, client_id, body. */
const SEND_ONE = `select * from send_messages($1, null, array[$2]::uuid[], array[$3]::uuid[], array[$4]::uuid[], array[$5],
  array[null]::uuid[], array[null]::timestamptz[])`;

let ward: Ward;
let ana: Person;
let mira: Person;
let chat: { id: string; version: number };

beforeAll(async () => {
  ward = await openChatFixture(24);
  ana = await ward.person('Ana Reyes');
  mira = await ward.person('Mira Okafor');
});
afterAll(() => ward.close());
beforeEach(async () => {
  chat = await openChat(ward, ana, [mira]);
  ward.published.length = 0;
});

const storedIn = (chatId: string) =>
  ward.db.selectFrom('messages').selectAll().where('chat_id', '=', chatId).orderBy('seq').execute();
const headOf = async (chatId: string) =>
  (await ward.db.selectFrom('chats').select('head_seq').where('id', '=', chatId).executeTakeFirstOrThrow()).head_seq;
const auditOf = (action: string) =>
  ward.db.selectFrom('audit_entries').selectAll().where('action', '=', action).orderBy('id').execute();

/** A connection that holds the chat's lock until it ends. */
async function holdChat(): Promise<pg.Client> {
  const holder = new pg.Client({ connectionString: ward.connectionString });
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from chats where id = $1 for no key update', [chat.id]);
  return holder;
}

async function untilWaiting(count: number): Promise<void> {
  const waiting = sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  while ((await waiting.execute(ward.db)).rows.length < count) await sleep(5);
}

describe('storing', () => {
  test('CHAT-11 CHAT-6 a reply says which place it answers, and nothing of the text that is read there', async () => {
    const first = await say(ana, chat, { body: 'Who signs the insulin with me?' });
    ward.published.length = 0;
    const client_id = newId();
    const reply = await say(mira, chat, { body: 'I do.', client_id, reply_to: first.id });
    expect(reply).toMatchObject({ reply_to: first.id, reply_to_seq: 2 });
    expect(await say(mira, chat, { body: 'I do.', client_id, reply_to: first.id })).toEqual(reply);
    expect(JSON.stringify(ward.published)).not.toContain('insulin');
    const page = await listMessages(await ana.ask(), { params: { chat: chat.id }, query: {}, body: {} });
    expect(page.data.map(({ reply_to_seq }) => reply_to_seq)).toEqual([undefined, undefined, 2]);
  });

  test('CHAT-1 a message gets the next seq, its audit entry, and the list row of the chat', async () => {
    const message = await say(ana, chat, { body: 'K 6.8,\nconfirmed.' });
    expect(message).toMatchObject({
      seq: 2,
      body: 'K 6.8,\nconfirmed.',
      sender: { name: 'Ana Reyes', title: 'Nurse' },
    });
    const row = await ward.db.selectFrom('chats').selectAll().where('id', '=', chat.id).executeTakeFirstOrThrow();
    expect(row).toMatchObject({
      head_seq: 2,
      version: chat.version,
      last_message: { seq: 2, sender_name: 'Ana Reyes', excerpt: 'K 6.8, confirmed.', created_at: message.created_at },
    });
    const entry = (await auditOf('chat.message.send')).at(-1);
    expect(entry).toMatchObject({ object_id: message.id, actor_id: ana.id, facility_id: ward.facility.id });
    expect(JSON.stringify(entry)).not.toContain('confirmed');
  });

  test('CHAT-1 a repeat gives the stored message, stores nothing, audits nothing and tells nobody', async () => {
    const client_id = newId();
    const first = await say(ana, chat, { client_id, body: 'Bed 9' });
    const audits = (await auditOf('chat.message.send')).length;
    ward.published.length = 0;
    expect(await say(ana, chat, { client_id, body: 'Bed 9' })).toEqual(first);
    expect(await headOf(chat.id)).toBe(2);
    expect(ward.published).toEqual([]);
    expect(await auditOf('chat.message.send')).toHaveLength(audits);
  });

  test('CHAT-1 A47 the same client_id with another text or another reply is refused', async () => {
    const client_id = newId();
    const first = await say(ana, chat, { client_id, body: 'Bed 9' });
    expect(await refusalOf(say(ana, chat, { client_id, body: 'Bed 10' }))).toBe('409 client_id_reused');
    expect(await refusalOf(say(ana, chat, { client_id, body: 'Bed 9', reply_to: first.id }))).toBe(
      '409 client_id_reused',
    );
    expect(await headOf(chat.id)).toBe(2);
  });

  test('A47 A34 the same client_id of another person is another message, written by that person', async () => {
    const client_id = newId();
    const hers = await say(ana, chat, { client_id, body: 'Bed 9' });
    const his = await say(mira, chat, { client_id, body: 'Bed 9' });
    expect([hers.sender.id, his.sender.id]).toEqual([ana.id, mira.id]);
    expect(his.seq).toBe(hers.seq + 1);
  });

  test('CHAT-1 A47 twenty racers with one client_id make one row and use one seq', async () => {
    const client_id = newId();
    const holder = await holdChat();
    // Each through a process of its own: in one the queue would keep them apart.
    const racers = Array.from({ length: 20 }, () =>
      say({ ...ana, group: createMessageGroup(ward.db) }, chat, { client_id, body: 'Bed 9' }),
    );
    // All have looked and found nothing; now they are let go at once.
    await untilWaiting(20);
    await holder.end();
    const answers = await Promise.all(racers);
    expect(new Set(answers.map((message) => JSON.stringify(message))).size).toBe(1);
    expect((await storedIn(chat.id)).map((row) => row.seq)).toEqual([1, 2]);
    expect(ward.published.filter(({ channel }) => channel.startsWith('presence-'))).toHaveLength(1);
    expect((await say(ana, chat)).seq).toBe(3);
  });

  test('CHAT-1 I3 eight writers with transactions that are given up in between leave no gap and no double', async () => {
    const WRITERS = 8;
    const EACH = isNightly ? 200 : 60;
    const answered = await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        const person = writer % 2 === 0 ? ana : mira;
        const seqs: number[] = [];
        for (let n = 0; n < EACH; n++) {
          if (n % 10 === writer) await giveUpSending(person.id);
          seqs.push((await say(person, chat, { body: `line ${n} of ${writer}` })).seq);
        }
        expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
        return seqs;
      }),
    );
    const expected = Array.from({ length: WRITERS * EACH }, (_, index) => index + 2);
    expect(answered.flat().sort((a, b) => a - b)).toEqual(expected);
    const rows = await storedIn(chat.id);
    expect(rows.map((row) => row.seq)).toEqual([1, ...expected]);
    expect(await headOf(chat.id)).toBe(rows.length);
    const times = rows.map((row) => row.created_at.getTime());
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  /** Sends and then loses the transaction: rolled back, or its connection cut off. */
  async function giveUpSending(userId: string): Promise<void> {
    const client = new pg.Client({ connectionString: ward.connectionString });
    await client.connect();
    await client.query('begin');
    await client.query(SEND_ONE, [chat.id, newId(), userId, newId(), 'never said']);
    if (Math.random() < 0.5) await client.query('rollback');
    await client.end();
  }

  test('PERF-2 a message costs who has said thousands no more looks, by a plan that was made while there were few', async () => {
    const client = new pg.Client({ connectionString: ward.connectionString });
    await client.connect();
    const talk = async (count: number) => {
      const messages = Array.from({ length: count }, () => ({ senderId: ana.id, body: 'K 5.2' }));
      await makeMessages(ward.db, {
        chatId: chat.id,
        facilityId: ward.facility.id,
        after: await headOf(chat.id),
        messages,
      });
    };
    const send = () => client.query(SEND_ONE, [chat.id, newId(), ana.id, newId(), 'never kept']);
    await talk(40);
    await sql`analyze messages`.execute(ward.db);
    await send();
    await talk(2_000);
    await client.query('begin');
    await send();
    const { rows } = await client.query<{ looks: number }>(
      `select (idx_tup_fetch + seq_tup_read)::integer as looks from pg_stat_xact_user_tables where relname = 'messages'`,
    );
    await client.query('rollback');
    await client.end();
    expect(rows[0]?.looks).toBeLessThan(20);
  });

  test('CHAT-5 who had read everything has read what they say themselves; who had not keeps their place', async () => {
    const { id } = await openChat(ward, ana, [mira]);
    const readBy = async (person: Person) =>
      (
        await ward.db
          .selectFrom('chat_participants')
          .select('read_seq')
          .where('chat_id', '=', id)
          .where('user_id', '=', person.id)
          .executeTakeFirstOrThrow()
      ).read_seq;
    await say(ana, { id });
    expect([await readBy(ana), await readBy(mira)]).toEqual([2, 0]);
    await say(mira, { id });
    expect([await readBy(ana), await readBy(mira)]).toEqual([2, 0]);
  });
});

describe('refusing', () => {
  test('CHAT-6 a stranger finds no chat; who may only read is refused; neither waits for the lock of the chat', async () => {
    const stranger = await ward.person();
    const reader = await ward.person();
    const input = { params: { chat: chat.id, user: reader.id }, query: {}, body: { access: 'read' as const } };
    await addParticipant(await ana.ask(), input);
    const holder = await holdChat();
    expect(await refusalOf(say(stranger, chat))).toBe('404 not_found');
    expect(await refusalOf(say(reader, chat))).toBe('403 forbidden');
    expect(await refusalOf(say(ana, { id: newId() }))).toBe('404 not_found');
    await holder.end();
  });

  test('CHAT-6 A17 the statement stores what the rule of writing allows, for every access and every state', async () => {
    const author = await ward.person();
    const { id } = await openChat(ward, ana, [author]);
    const actor = (await author.ask()).actor;
    for (const access of ParticipantAccess.options) {
      for (const state of CHAT_STATES) {
        await ward.db.updateTable('chats').set({ state }).where('id', '=', id).execute();
        const mine = ward.db.updateTable('chat_participants').set({ access }).where('chat_id', '=', id);
        await mine.where('user_id', '=', author.id).execute();
        const participant = { userId: author.id, access };
        const isAllowed = can(actor, writeMessage, { facilityId: ward.facility.id, state, participant });
        const refusal = await refusalOf(say(author, { id }));
        expect([access, state, refusal]).toEqual([access, state, isAllowed ? 'none' : '403 forbidden']);
      }
    }
  });

  test('CHAT-1 sends of a chat that arrive together are told once to its people, with who wrote them, and each to an open chat', async () => {
    const asked = await Promise.all([ana, mira, ana, mira].map((person) => person.ask()));
    const sends = asked.map((context, n) => {
      const body = { client_id: newId(), body: `line ${n}` };
      return sendMessage(ana)(context, { params: { chat: chat.id }, query: {}, body });
    });
    expect((await Promise.all(sends)).map(({ seq }) => seq)).toEqual([2, 3, 4, 5]);
    const told = ward.published.filter(({ channel }) => channel === `private-App.Models.User.${mira.id}`);
    // The first went at once, the others together after it.
    expect(told.map(({ data }) => (data as ChatChanged).sender_ids?.length ?? 1)).toEqual([1, 3]);
    const rows = await storedIn(chat.id);
    const last = told.at(-1)?.data as ChatChanged;
    expect(last.sender_ids).toEqual(rows.slice(-3).map(({ sender_id }) => sender_id));
    const open = ward.published.filter(({ channel }) => channel === `presence-chat.${chat.id}`);
    expect(open).toHaveLength(4);
  });

  test('CHAT-6 A14 a send that waited while its sender was removed stores nothing', async () => {
    const holder = await holdChat();
    const waiting = refusalOf(say(mira, chat));
    await untilWaiting(1);
    await holder.query('update chat_participants set left_at = now() where chat_id = $1 and user_id = $2', [
      chat.id,
      mira.id,
    ]);
    await holder.query('commit');
    await holder.end();
    expect(await waiting).toBe('404 not_found');
    expect(await headOf(chat.id)).toBe(1);
  });

  test('CHAT-6 A14 the end of a membership ends every chat of the facility at once, and coming back does not reopen them', async () => {
    const temp = await ward.person();
    const { id } = await openChat(ward, ana, [temp]);
    await ward.endMembership(temp);
    expect(await refusalOf(say(temp, { id }))).toBe('404 not_found');
    await ward.db.updateTable('memberships').set({ ended_at: null }).where('user_id', '=', temp.id).execute();
    expect(await refusalOf(say(temp, { id }))).toBe('404 not_found');
  });

  test('A47 a repeat by somebody who was removed in between gives them nothing', async () => {
    const client_id = newId();
    await say(mira, chat, { client_id });
    const remove = removeParticipant({ rightsChanged: () => undefined });
    await remove(await ana.ask(), { params: { chat: chat.id, user: mira.id }, query: {}, body: {} });
    expect(await refusalOf(say(mira, chat, { client_id }))).toBe('404 not_found');
  });

  test('CHAT-7 nothing is said in a closed chat, but a repeat of what was said before is answered', async () => {
    const client_id = newId();
    const said = await say(mira, chat, { client_id });
    await updateChat(await ana.ask(), {
      params: { chat: chat.id },
      query: {},
      body: { expected_version: chat.version, state: 'closed' },
    });
    expect(await refusalOf(say(mira, chat))).toBe('403 forbidden');
    expect(await say(mira, chat, { client_id })).toEqual(said);
  });

  test('A16 a reply to a message of another chat is refused at its field', async () => {
    const elsewhere = await openChat(ward, ana);
    const foreign = await say(ana, elsewhere);
    expect(await refusalOf(say(ana, chat, { reply_to: foreign.id }))).toBe('422 unprocessable');
    const own = await say(ana, chat);
    expect((await say(mira, chat, { reply_to: own.id })).reply_to).toBe(own.id);
  });
});

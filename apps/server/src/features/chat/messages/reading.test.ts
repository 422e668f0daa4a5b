import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { getChat } from '#/features/chat/chats/get-chat.ts';
import { listChats } from '#/features/chat/chats/list-chats.ts';
import {
  openChat,
  openChatFixture,
  type Person,
  refusalOf,
  say,
  type Ward,
} from '#/features/chat/testing/chat-fixture.ts';
import { newId } from '#/platform/new-id.ts';
import { makeChat } from '#/testing/factories/chats.ts';
import { runs } from '#/testing/nightly.ts';
import { listMessages } from './list-messages.ts';
import { raiseMarkers } from './raise-markers.ts';

let ward: Ward;
let ana: Person;
let mira: Person;
beforeAll(async () => {
  ward = await openChatFixture();
  ana = await ward.person('Ana Reyes');
  mira = await ward.person('Mira Okafor');
});
afterAll(() => ward.close());
beforeEach(() => {
  ward.published.length = 0;
});

type MessagesQuery = Parameters<typeof listMessages>[1]['query'];

describe('messages', () => {
  let chat: { id: string };
  const seqsOf = async (query: MessagesQuery) => {
    const page = await listMessages(await ana.ask(), { params: { chat: chat.id }, query, body: {} });
    expect(page.head_seq).toBe(120);
    return page.data.map((message) => message.seq);
  };
  const range = (from: number, to: number) => Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => from + n);
  beforeAll(async () => {
    const messages = range(1, 120).map((n) => ({ senderId: mira.id, body: `line ${n}` }));
    const participants = [{ userId: mira.id }, { userId: ana.id }];
    chat = await makeChat(ward.db, { facilityId: ward.facility.id, participants, messages });
  });

  test('CHAT-4 the newest page, and pages after, before and around a seq, come ascending', async () => {
    expect(await seqsOf({})).toEqual(range(71, 120));
    expect(await seqsOf({ after: 20, limit: 5 })).toEqual(range(21, 25));
    expect(await seqsOf({ before: 20, limit: 5 })).toEqual(range(15, 19));
    expect(await seqsOf({ around: 60, limit: 5 })).toEqual(range(58, 62));
    expect(await seqsOf({ around: 60, limit: 1 })).toEqual([60]);
    expect(await seqsOf({ around: 1, limit: 4 })).toEqual([1, 2, 3]);
    expect(await seqsOf({ after: 120 })).toEqual([]);
    expect(await seqsOf({ before: 1 })).toEqual([]);
  });

  test('CHAT-4 pages of any size join into the whole, forwards and backwards', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 200 }), async (limit) => {
        const forwards: number[] = [];
        const backwards: number[] = [];
        for (let page = await seqsOf({ after: 0, limit }); page.length > 0; ) {
          forwards.push(...page);
          page = await seqsOf({ after: page.at(-1) ?? 0, limit });
        }
        for (let page = await seqsOf({ limit }); page.length > 0; ) {
          backwards.unshift(...page);
          page = await seqsOf({ before: page[0] ?? 0, limit });
        }
        expect(forwards).toEqual(range(1, 120));
        expect(backwards).toEqual(range(1, 120));
      }),
      { numRuns: runs(5) },
    );
  });

  test('joined_seq hides what was said before it, from pages and from the unread', async () => {
    const late = await ward.person();
    await ward.db
      .insertInto('chat_participants')
      .values({ chat_id: chat.id, user_id: late.id, facility_id: ward.facility.id, access: 'read', joined_seq: 118 })
      .execute();
    const ctx = await late.ask();
    const page = await listMessages(ctx, { params: { chat: chat.id }, query: { around: 60, limit: 10 }, body: {} });
    expect(page.data.map((message) => message.seq)).toEqual([119, 120]);
    expect((await getChat(ctx, { params: { chat: chat.id }, query: {}, body: {} })).my.unread).toBe(2);
  });
});

describe('CHAT-20 the first message of a day', () => {
  const at = (iso: string) => ({ senderId: mira.id, body: iso, at: new Date(iso) });
  const onDay = async (person: Person, chat: { id: string }, on: string) => {
    const query = { on, limit: 3 };
    const page = await listMessages(await person.ask(), { params: { chat: chat.id }, query, body: {} });
    return [page.on_seq, page.data.map(({ seq }) => seq)];
  };

  test('is found in the time of the facility, with those around it; a day without one leads to the next', async () => {
    await ward.db.updateTable('facilities').set({ time_zone: 'Pacific/Auckland' }).execute();
    const participants = [{ userId: mira.id }, { userId: ana.id }];
    // In Auckland, 13 hours ahead until the clocks go back on 5 April 2026 and 12 then, from the 3rd to the 6th.
    const messages = ['03T10:59:59.999', '03T11:00', '04T10:59', '04T11:00', '05T11:59', '05T12:00'].map((time) =>
      at(`2026-04-${time}Z`),
    );
    const chat = await makeChat(ward.db, { facilityId: ward.facility.id, participants, messages });
    expect(await onDay(ana, chat, '2020-01-01')).toEqual([1, [1, 2]]);
    expect(await onDay(ana, chat, '2026-04-04')).toEqual([2, [1, 2, 3]]);
    expect(await onDay(ana, chat, '2026-04-05')).toEqual([4, [3, 4, 5]]);
    expect(await onDay(ana, chat, '2026-04-06')).toEqual([6, [5, 6]]);
    expect(await onDay(ana, chat, '2026-04-07')).toEqual([null, []]);
    await ward.db
      .updateTable('chat_participants')
      .set({ joined_seq: 4, delivered_seq: 4, read_seq: 4 })
      .where('chat_id', '=', chat.id)
      .where('user_id', '=', ana.id)
      .execute();
    expect(await onDay(ana, chat, '2026-04-04')).toEqual([5, [5, 6]]);
    expect(await refusalOf(onDay(await ward.person(), chat, '2026-04-04'))).toBe('404 not_found');
  });

  test('is what a look at every message finds, however many there are at one moment', async () => {
    const dayAt = (days: number) => new Date(Date.UTC(2026, 0, 1 + days, 12));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(6), { maxLength: 40 }), fc.nat(8), async (steps, wanted) => {
        let days = 0;
        const said = steps.map((step) => {
          days += Math.max(0, step - 4);
          return { senderId: mira.id, body: 'x', at: dayAt(days) };
        });
        const participants = [{ userId: ana.id }, { userId: mira.id }];
        const chat = await makeChat(ward.db, { facilityId: ward.facility.id, participants, messages: said });
        await ward.db.updateTable('facilities').set({ time_zone: 'UTC' }).execute();
        const first = said.findIndex((message) => message.at >= dayAt(wanted)) + 1;
        const [found] = await onDay(ana, chat, dayAt(wanted).toISOString().slice(0, 10));
        expect(found).toBe(first === 0 ? null : first);
      }),
      { numRuns: runs(15) },
    );
  });
});

describe('markers', () => {
  test('CHAT-5 markers only rise, never past the newest message, and reading implies delivery', async () => {
    const chat = await openChat(ward, ana, [mira]);
    for (let n = 0; n < 9; n++) await say(ana, chat);
    const raise = async (body: { delivered_seq?: number; read_seq?: number }) =>
      raiseMarkers(await mira.ask(), { params: { chat: chat.id }, query: {}, body });
    const mark = fc.option(fc.integer({ min: 0, max: 15 }), { nil: undefined });
    let standing = { delivered_seq: 0, read_seq: 0 };
    await fc.assert(
      fc.asyncProperty(mark, mark, async (delivered_seq, read_seq) => {
        ward.published.length = 0;
        const before = standing;
        standing = await raise({
          ...(delivered_seq !== undefined && { delivered_seq }),
          ...(read_seq !== undefined && { read_seq }),
        });
        const wantedRead = Math.min(read_seq ?? 0, 10);
        expect(standing).toEqual({
          read_seq: Math.max(before.read_seq, wantedRead),
          delivered_seq: Math.max(before.delivered_seq, Math.min(delivered_seq ?? 0, 10), wantedRead),
        });
        const hasRisen = standing.read_seq > before.read_seq || standing.delivered_seq > before.delivered_seq;
        const told = [`presence-chat.${chat.id}`, `private-chat.${chat.id}`, `private-App.Models.User.${mira.id}`];
        expect(ward.published.map(({ channel }) => channel)).toEqual(hasRisen ? told : []);
      }),
      { numRuns: runs(20) },
    );
  });

  test('CHAT-5 of many raised at once the highest stands', async () => {
    const chat = await openChat(ward, ana, [mira]);
    for (let n = 0; n < 19; n++) await say(ana, chat);
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, n) =>
        raiseMarkers(await mira.ask(), { params: { chat: chat.id }, query: {}, body: { read_seq: n + 1 } }),
      ),
    );
    expect(answers.every((markers, n) => markers.read_seq >= n + 1)).toBe(true);
    expect((await getChat(await mira.ask(), { params: { chat: chat.id }, query: {}, body: {} })).my).toMatchObject({
      delivered_seq: 20,
      read_seq: 20,
      unread: 0,
    });
  });

  test('CHAT-5 unread is what a recount finds: messages of others past the marker, to 100', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.boolean(), { minLength: 1, maxLength: 130 }),
        fc.nat(130),
        fc.nat(130),
        async (isByMira, read, joined) => {
          const messages = isByMira.map((mine) => ({ senderId: mine ? mira.id : ana.id, body: 'x' }));
          const readSeq = Math.min(read, messages.length);
          const joinedSeq = Math.min(joined, messages.length);
          const participants = [{ userId: ana.id }, { userId: mira.id, readSeq, joinedSeq }];
          const { id } = await makeChat(ward.db, { facilityId: ward.facility.id, participants, messages });
          const { my } = await getChat(await mira.ask(), { params: { chat: id }, query: {}, body: {} });
          const unread = isByMira.filter((mine, index) => !mine && index + 1 > Math.max(readSeq, joinedSeq)).length;
          expect(my.unread).toBe(Math.min(unread, 100));
        },
      ),
      { numRuns: runs(20) },
    );
  });
});

describe('the list of chats', () => {
  const list = async (person: Person, query: Parameters<typeof listChats>[1]['query'] = {}) =>
    listChats(await person.ask(), { params: { facility: ward.facility.id }, query, body: {} });

  test('last activity comes first, in pages that join into the whole', async () => {
    const leila = await ward.person();
    const made: string[] = [];
    for (let n = 0; n < 7; n++) made.push((await openChat(ward, leila)).id);
    await say(leila, { id: made[2] ?? '' });
    const expected = [made[2], ...made.toReversed().filter((id) => id !== made[2])];
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list(leila, { limit: 3, ...(cursor && { cursor }) });
      seen.push(...page.data.map((chat) => chat.id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor);
    expect(seen).toEqual(expected);
    expect((await list(leila, { limit: 7 })).next_cursor).toBeNull();
    expect(await refusalOf(list(leila, { cursor: 'AAAA' }))).toBe('422 unprocessable');
  });

  test('A17 search finds titles, patients and identifiers of one’s own chats and nothing of others', async () => {
    const other = await ward.otherFacility();
    const secrets = ['zebrafish', 'quokka', 'axolotl'];
    const outsider = await ward.person('Outsider', other);
    const sister = await ward.person('Sister');
    const patient = { name: 'Quokka Jones', identifier: '100%_MRN' };
    await makeChat(ward.db, { facilityId: ward.facility.id, title: 'Zebrafish', participants: [{ userId: ana.id }] });
    await makeChat(ward.db, {
      facilityId: ward.facility.id,
      kind: 'case',
      patient,
      participants: [{ userId: ana.id }],
    });
    await makeChat(ward.db, { facilityId: other.id, title: 'Axolotl', participants: [{ userId: outsider.id }] });
    const found = async (person: Person, q: string) => (await list(person, { q })).data.map((chat) => chat.title);
    expect(await found(ana, 'ZEBRA')).toEqual(['Zebrafish']);
    expect(await found(ana, 'quokka')).toEqual(['Quokka Jones']);
    expect(await found(ana, '100%_')).toEqual(['Quokka Jones']);
    expect(await found(ana, '%')).toEqual(['Quokka Jones']);
    for (const word of secrets) expect(await found(sister, word)).toEqual([]);
    expect(await found(ana, 'axolotl')).toEqual([]);
    expect(await refusalOf(list(outsider, { q: 'zebrafish' }))).toBe('404 not_found');
    const theirs = await listChats(await outsider.ask(), {
      params: { facility: other.id },
      query: { q: 'zebrafish' },
      body: {},
    });
    expect(theirs.data).toEqual([]);
  });

  test('filters by kind and state', async () => {
    const nurse = await ward.person();
    const participants = [{ userId: nurse.id }];
    const facilityId = ward.facility.id;
    const closed = await makeChat(ward.db, { facilityId, state: 'closed', participants });
    const direct = await makeChat(ward.db, {
      facilityId,
      kind: 'direct',
      participants: [...participants, { userId: ana.id }],
    });
    expect((await list(nurse, { state: 'closed' })).data.map(({ id }) => id)).toEqual([closed.id]);
    expect((await list(nurse, { kind: 'direct' })).data.map(({ id }) => id)).toEqual([direct.id]);
    expect((await list(nurse, { kind: 'case' })).data).toEqual([]);
  });

  test('A16 a chat that is not there and a chat of others look the same', async () => {
    const chat = await openChat(ward, ana);
    const ask = async (id: string) => getChat(await mira.ask(), { params: { chat: id }, query: {}, body: {} });
    expect(await refusalOf(ask(chat.id))).toBe(await refusalOf(ask(newId())));
  });
});

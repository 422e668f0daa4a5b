import { channelName } from '@wardline/contract/channel.ts';
import { chatChannel, privateChatChannel } from '@wardline/contract/chat/chat.ts';
import { LIVE_EVENT, LIVE_MESSAGE_BYTES, LIVE_TTL_MAX_MS, type LiveMessage } from '@wardline/contract/live.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#/platform/new-id.ts';
import { makeChat } from '#/testing/factories/chats.ts';
import { makeExamination } from '#/testing/factories/examinations.ts';
import { type MadeFacility, makeFacility } from '#/testing/factories/facilities.ts';
import { makePersonalToken } from '#/testing/factories/users.ts';
import { type SignedInMember as Person, signedInMember } from '#/testing/signed-in-member.ts';
import { type TestClient, withToken } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';
import { openSocket, type TestSocket } from '#/testing/test-socket.ts';

/** Nothing of a message may show anywhere but on the sockets of the chat. */
const MARKER = 'MARKER-live-device';

let server: TestServer;
let facility: MadeFacility;
let owen: Person;
let mira: Person;
/** In the chat to read only. */
let rhea: Person;
/** In the chat, without a right to examinations. */
let clerk: Person;
let outsider: Person;
let chatId: string;
let otherChatId: string;
const logLines: string[] = [];
const sockets: TestSocket[] = [];

beforeAll(async () => {
  server = await startTestServer({ logTo: logLines });
  facility = await makeFacility(server.db);
  const person = (name: string, roles?: 'censusOfficer'[]) =>
    signedInMember(server, { facility, name, ...(roles && { roles }) });
  [owen, mira, rhea] = [await person('Owen Clarke'), await person('Mira Okafor'), await person('Rhea Reader')];
  [clerk, outsider] = [await person('Cora Clerk', ['censusOfficer']), await person('Otto Outsider')];
  chatId = await newCase([owen, mira, rhea, clerk]);
  otherChatId = await newCase([owen, mira]);
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});
afterAll(() => server.close());

async function newCase(people: readonly Person[]): Promise<string> {
  const participants = people.map(({ id }) => ({ userId: id, ...(id === rhea.id && { access: 'read' as const }) }));
  const patient = { name: 'Edith Maron', identifier: '40-118-236' };
  return (await makeChat(server.db, { facilityId: facility.id, kind: 'case', patient, participants })).id;
}

const examinationIn = (chat: string, state: 'draft' | 'in_progress' | 'reported' | 'cancelled' = 'in_progress') =>
  makeExamination(server.db, { chatId: chat, facilityId: facility.id, userId: owen.id, state });
const fieldOf = (examination: string, field = 'potassium') => `examinations/${examination}/fields/${field}`;
const entry = (path: string, change: object = {}) => ({ path, value: 'editing', ttl_ms: 10_000, ...change });
const nameIn = (chat: string, channel = chatChannel) => channelName(channel, chat);

let counted = 0;
function message(entries: readonly object[], change: object = {}): object {
  counted += 1;
  return { device: newId(), n: counted, entries, ...change };
}

async function enter(who: { client: TestClient }, name = nameIn(chatId)): Promise<TestSocket> {
  const socket = await openSocket(server);
  sockets.push(socket);
  expect(await socket.join(who.client, name)).toBe('joined');
  return socket;
}

const isLive = ({ event }: { event: string }) => event === `client-${LIVE_EVENT}`;
const heardBy = async (socket: TestSocket) => {
  const { data, user_id } = await socket.next(isLive);
  return { ...(data as LiveMessage), userId: user_id };
};
const silent = async (socket: TestSocket, after: TestSocket) => {
  await after.settle();
  // The question to the database is over when one that was asked later is.
  await new Promise((resolve) => setTimeout(resolve, 150));
  await socket.settle();
  return socket.frames.filter(isLive);
};

describe('what is live in the fields of an examination', () => {
  it('EXAM-1 RT-1 reaches the others of the chat under the sender’s own name, whatever the message says', async () => {
    const examination = await examinationIn(chatId);
    const [from, to] = [await enter(owen), await enter(mira)];
    const said = message([entry(fieldOf(examination))], { by: { name: 'Mira Okafor' }, extra: MARKER, asks: true });
    from.whisper(nameIn(chatId), LIVE_EVENT, said);
    const heard = await heardBy(to);
    expect(heard).toEqual({
      ...{ device: expect.any(String), n: counted, asks: true, userId: owen.id, by: { name: 'Owen Clarke' } },
      entries: [entry(fieldOf(examination))],
    });
    expect(await silent(from, from)).toEqual([]);
  });

  it('F-U1 reaches who is in the chat past the limit of its presence channel, and comes from there under a name too', async () => {
    const examination = await examinationIn(chatId);
    const overflow = nameIn(chatId, privateChatChannel as never);
    const [inside, past] = [await enter(mira), await enter(owen, overflow)];
    past.whisper(overflow, LIVE_EVENT, message([entry(fieldOf(examination))]));
    expect(await heardBy(inside)).toMatchObject({ userId: owen.id, entries: [{ path: fieldOf(examination) }] });
    inside.whisper(nameIn(chatId), LIVE_EVENT, message([entry(fieldOf(examination, 'sodium'))]));
    expect(await heardBy(past)).toMatchObject({ userId: mira.id, by: { name: 'Mira Okafor' } });
  });

  it('CHAT-6 EXAM-1 is taken of who may enter a value there now, and of nobody else', async () => {
    const open = await examinationIn(chatId);
    const [reported, cancelled] = [await examinationIn(chatId, 'reported'), await examinationIn(chatId, 'cancelled')];
    const elsewhere = await examinationIn(otherChatId);
    const unread = await examinationIn(await newCase([mira]));
    const to = await enter(mira);
    const rows: [string, Person, string, boolean][] = [
      ['who writes there', owen, fieldOf(open), true],
      ['who may amend the report', owen, fieldOf(reported), true],
      ['who reads the chat only', rhea, fieldOf(open), false],
      ['who has no right to examinations', clerk, fieldOf(open), false],
      ['one that is over', owen, fieldOf(cancelled), false],
      ['one of another chat', owen, fieldOf(elsewhere), false],
      ['one that the sender does not know', owen, fieldOf(unread), false],
      ['one that nobody has', owen, fieldOf(newId()), false],
      ['a field that the form does not have', owen, fieldOf(open, 'rhubarb'), false],
      ['a path of no kind', owen, `examinations/${open}`, false],
      ['another path of no kind', owen, `uploads/${open}`, false],
    ];
    for (const [what, who, path, isTaken] of rows) {
      const from = await enter(who);
      from.whisper(nameIn(chatId), LIVE_EVENT, message([entry(path)]));
      expect((await heardBy(to)).entries.length, what).toBe(Number(isTaken));
      from.close();
    }
  });

  it('CHAT-6 A13 is neither heard nor said by who is not in the chat', async () => {
    const examination = await examinationIn(chatId);
    const [from, to, stranger] = [await enter(owen), await enter(mira), await openSocket(server)];
    sockets.push(stranger);
    expect(await stranger.join(outsider.client, nameIn(chatId))).toBe(403);
    stranger.whisper(nameIn(chatId), LIVE_EVENT, message([entry(fieldOf(examination))]));
    from.whisper(nameIn(chatId), LIVE_EVENT, message([entry(fieldOf(examination))]));
    expect((await heardBy(to)).userId).toBe(owen.id);
    expect(await silent(stranger, from)).toEqual([]);
    expect(to.frames.filter(isLive)).toHaveLength(1);
  });

  it('ACC-5 A18 is heard by a program that reads chats, which says nothing itself', async () => {
    const examination = await examinationIn(chatId);
    const { token } = await makePersonalToken(server.db, { userId: owen.id, abilities: ['chats:read'] });
    const client = withToken(server, token);
    const [program, to] = [await enter({ client }), await enter(mira)];
    program.whisper(nameIn(chatId), LIVE_EVENT, message([entry(fieldOf(examination))]));
    expect((await heardBy(to)).entries).toEqual([]);
    to.whisper(nameIn(chatId), LIVE_EVENT, message([entry(fieldOf(examination))]));
    expect((await heardBy(program)).entries).toHaveLength(1);
  });

  it('CHAT-6 RT-10 is not heard any more by who was taken out, nor taken from them', async () => {
    const chat = await newCase([owen, mira, rhea]);
    const examination = await examinationIn(chat);
    const [from, leaving] = [await enter(owen, nameIn(chat)), await enter(mira, nameIn(chat))];
    const removed = await owen.client.send('DELETE', `/api/chats/${chat}/participants/${mira.id}`);
    expect(removed.statusCode).toBeLessThan(300);
    await leaving.next(
      ({ event, data }) => /subscription_error/.test(event) && (data as { status: number }).status === 403,
    );
    from.whisper(nameIn(chat), LIVE_EVENT, message([entry(fieldOf(examination))]));
    leaving.whisper(nameIn(chat), LIVE_EVENT, message([entry(fieldOf(examination))]));
    expect(await silent(leaving, from)).toEqual([]);
    expect(await silent(from, leaving)).toEqual([]);
  });

  it('CHAT-6 is not taken any more once the right to enter values has ended', async () => {
    const chat = await newCase([owen, mira]);
    const examination = await examinationIn(chat);
    const [from, to] = [await enter(owen, nameIn(chat)), await enter(mira, nameIn(chat))];
    const say = () => from.whisper(nameIn(chat), LIVE_EVENT, message([entry(fieldOf(examination))]));
    say();
    expect((await heardBy(to)).entries).toHaveLength(1);
    const mine = server.db.updateTable('chat_participants').set({ access: 'read' }).where('chat_id', '=', chat);
    await mine.where('user_id', '=', owen.id).execute();
    say();
    expect((await heardBy(to)).entries).toEqual([]);
  });
});

describe('a message about what is live', () => {
  const wrong: [string, (path: string) => unknown][] = [
    ['no object', () => 'live'],
    ['no device', (path) => ({ n: 1, entries: [entry(path)] })],
    ['a device that is no id', (path) => message([entry(path)], { device: MARKER })],
    ['a count below one', (path) => message([entry(path)], { n: 0 })],
    ['entries that are none', () => message(['editing'] as never)],
    ['too many entries', (path) => message(Array.from({ length: 9 }, () => entry(path)))],
    ['a time that is none', (path) => message([entry(path, { ttl_ms: 0 })])],
    ['a time over the limit', (path) => message([entry(path, { ttl_ms: LIVE_TTL_MAX_MS + 1 })])],
    ['no path', () => message([{ value: 'editing', ttl_ms: 1 }])],
    ['more bytes than it may have', (path) => message([entry(path)], { extra: 'x'.repeat(LIVE_MESSAGE_BYTES) })],
  ];

  it('RT-6 CHAT-6 that is not as it must be goes nowhere, and the socket lives on', async () => {
    const examination = await examinationIn(chatId);
    const [from, to] = [await enter(owen), await enter(mira)];
    for (const [what, make] of wrong) {
      from.whisper(nameIn(chatId), LIVE_EVENT, make(fieldOf(examination)));
      expect(await silent(to, from), what).toEqual([]);
    }
    from.whisper(nameIn(chatId), LIVE_EVENT, message([entry(fieldOf(examination))]));
    expect((await heardBy(to)).entries).toHaveLength(1);
    expect(to.frames.filter(isLive)).toHaveLength(1);
  });

  it('RT-6 loses a value that its kind does not have, and keeps the rest', async () => {
    const examination = await examinationIn(chatId);
    const [from, to] = [await enter(owen), await enter(mira)];
    const bad = entry(fieldOf(examination), { value: { text: MARKER } });
    from.whisper(nameIn(chatId), LIVE_EVENT, message([bad, entry(fieldOf(examination, 'sodium'))]));
    const heard = await heardBy(to);
    expect(heard.entries.map(({ path }) => path)).toEqual([fieldOf(examination, 'sodium')]);
    expect(JSON.stringify(heard)).not.toContain(MARKER);
  });

  it('CHAT-6 A15 leaves no row, no audit entry and no line in the log', async () => {
    const examination = await examinationIn(chatId);
    const [from, to] = [await enter(owen), await enter(mira)];
    const countOf = async () => {
      const { rows } = await sql<{ n: string }>`
        select (select count(*) from audit_entries) + (select count(*) from examination_entries)
          + (select sum(version) from examinations) as n`.execute(server.db);
      return rows[0]?.n;
    };
    const [before, lines] = [await countOf(), logLines.length];
    from.whisper(nameIn(chatId), LIVE_EVENT, message([entry(fieldOf(examination)), entry(fieldOf(newId()))]));
    from.whisper(nameIn(chatId), LIVE_EVENT, message([], { device: MARKER }));
    await heardBy(to);
    await silent(to, from);
    expect(await countOf()).toBe(before);
    expect(logLines.slice(lines)).toEqual([]);
  });
});

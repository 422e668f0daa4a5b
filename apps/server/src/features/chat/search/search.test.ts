import { search as contract, type FoundMessage } from '@wardline/contract/chat/search.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createChat } from '#/features/chat/chats/create-chat.ts';
import { findChatsOfPatients } from '#/features/chat/core/patient-chats.ts';
import { deleteMessage } from '#/features/chat/messages/delete-message.ts';
import { editMessage } from '#/features/chat/messages/edit-message.ts';
import { listMessages } from '#/features/chat/messages/list-messages.ts';
import { sendDirectMessage } from '#/features/chat/messages/send-direct-message.ts';
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
import type { Database } from '#/platform/db/database.ts';
import { asActor } from '#/platform/db/stated-actor.ts';
import { newId } from '#/platform/new-id.ts';
import { makeChat } from '#/testing/factories/chats.ts';
import { openBoth } from '#/testing/test-database.ts';
import { fileSearchQuery } from './find-files.ts';
import { messageSearchQuery, readHits } from './find-messages.ts';
import { search } from './search.ts';
import { toTerms } from './search-terms.ts';

let ward: Ward;
let ana: Person;
let mira: Person;
let chat: { id: string };

beforeAll(async () => {
  ward = await openChatFixture();
});
afterAll(() => ward.close());
beforeEach(async () => {
  ana = await ward.person('Ana Reyes');
  mira = await ward.person('Mira Okafor');
  chat = await openChat(ward, ana, [mira]);
});

const ask = async (person: Person, query: Record<string, string>) =>
  search(await person.ask(), { params: {}, query: contract.query.parse(query), body: {} });
const bodies = async (person: Person, q: string, also: Record<string, string> = {}) =>
  (await ask(person, { q, types: 'messages', ...also })).data.map(({ excerpt }) => excerpt);
const foldedNumbers = async (db: Database, number: string) =>
  (
    await sql<{
      id: string;
    }>`select id from chats_of_folded_numbers(${ward.facility.id}, ${[number]}, 10) as id`.execute(db)
  ).rows.map(({ id }) => id);
const sayAll = async (...texts: string[]) => {
  for (const body of texts) await say(ana, chat, { body });
};

describe('what is found', () => {
  test('CHAT-15 a message by its words in any order, without case and accents, with what leads to it', async () => {
    const { id, seq, created_at } = await say(mira, chat, { body: 'Fièvre depuis hier, Péricardite possible' });
    const { data, next_cursor } = await ask(ana, { q: 'PERICARDITE fievre' });
    expect(data).toEqual([
      {
        id,
        chat: { id: chat.id, facility_id: ward.facility.id, kind: 'group', title: 'Night team', patient: null },
        seq,
        sender: { id: mira.id, name: 'Mira Okafor', title: 'Nurse' },
        created_at,
        excerpt: 'Fièvre depuis hier, Péricardite possible',
        ranges: [
          { start: 0, end: 6 },
          { start: 20, end: 31 },
        ],
      },
    ]);
    expect(next_cursor).toBeNull();
    expect(await bodies(ana, 'fievre demain')).toEqual([]);
  });

  test('CHAT-15 the beginning of a word from three letters, and from four a part inside a long one', async () => {
    await sayAll('Hyperkalemia confirmed', 'MRN 44103925 is back');
    expect(await bodies(ana, 'hyp')).toEqual(['Hyperkalemia confirmed']);
    expect(await bodies(ana, 'kalem')).toEqual(['Hyperkalemia confirmed']);
    expect(await bodies(ana, 'emia')).toEqual(['Hyperkalemia confirmed']);
    expect(await bodies(ana, '3925')).toEqual(['MRN 44103925 is back']);
    expect(await bodies(ana, 'back')).toEqual(['MRN 44103925 is back']);
    expect(await bodies(ana, '"hyper"')).toEqual([]);
    expect(await bodies(ana, 'hyperkalemias')).toEqual([]);
  });

  test('CHAT-15 short clinical terms as whole words, in any case, beside any sign', async () => {
    await sayAll('ok, Kevin and Nadia', 'K 5.2', 'Na/K checked', 'PH is 7.31', 'Hb↓', 'phone', 'K⁺ repeat');
    expect(await bodies(ana, 'k')).toEqual(['K⁺ repeat', 'Na/K checked', 'K 5.2']);
    expect(await bodies(ana, 'NA')).toEqual(['Na/K checked']);
    expect(await bodies(ana, 'pH')).toEqual(['PH is 7.31']);
    expect(await bodies(ana, 'hb')).toEqual(['Hb↓']);
    expect(await bodies(ana, 'na/k')).toEqual(['Na/K checked']);
  });

  test('CHAT-15 words in quotation marks, and numbers with a point, only where they follow each other', async () => {
    await sayAll('Bed 9 is clean', '9 patients for one bed', 'K 3,8 at noon', '8 of 3');
    expect(await bodies(ana, 'bed 9')).toEqual(['9 patients for one bed', 'Bed 9 is clean']);
    expect(await bodies(ana, '“bed 9”')).toEqual(['Bed 9 is clean']);
    expect(await bodies(ana, '3.8')).toEqual(['K 3,8 at noon']);
  });

  test('CHAT-15 by chat, sender and time', async () => {
    const other = await openChat(ward, ana, [mira]);
    await say(ana, chat, { body: 'Drain out' });
    const { created_at } = await say(mira, other, { body: 'Drain in' });
    await sql`update messages set created_at = created_at - interval '1 day' where chat_id = ${chat.id}`.execute(
      ward.db,
    );
    expect(await bodies(ana, 'drain')).toEqual(['Drain in', 'Drain out']);
    expect(await bodies(ana, 'drain', { chat: chat.id })).toEqual(['Drain out']);
    expect(await bodies(ana, 'drain', { sender: mira.id })).toEqual(['Drain in']);
    expect(await bodies(ana, 'drain', { from: created_at })).toEqual(['Drain in']);
    expect(await bodies(ana, 'drain', { to: created_at })).toEqual(['Drain out']);
    expect(await bodies(ana, 'drain', { facility: ward.facility.id })).toHaveLength(2);
  });

  test('CHAT-15 an edited message by its text as it stands, not by the one before', async () => {
    const { id: message } = await say(ana, chat, { body: 'Insulin 10 units' });
    await editMessage(await ana.ask(), {
      params: { chat: chat.id, message },
      query: {},
      body: { body: 'Heparin 10 units', expected_version: 1 },
    });
    expect(await bodies(ana, 'insulin')).toEqual([]);
    expect(await bodies(ana, 'heparin')).toEqual(['Heparin 10 units']);
  });

  test('CHAT-15 a very long word by its beginning, and a text of nothing else is stored', async () => {
    const long = 'x'.repeat(3000);
    await sayAll(`${long} ${'y'.repeat(3000)}`);
    expect(await bodies(ana, 'x'.repeat(60))).toHaveLength(1);
    await sayAll('z9 '.repeat(2600));
    expect(await bodies(ana, 'z9')).toHaveLength(1);
  });

  test('CHAT-15 chats by title, patients by name and identifier, people by name and title', async () => {
    const facility = { params: { facility: ward.facility.id }, query: {} };
    const ofCase = { name: 'Jørgen Müller', identifier: 'MRN-4410392' };
    const made = await createChat(await ana.ask(), {
      ...facility,
      body: { client_id: newId(), kind: 'case', patient: ofCase, participant_ids: [] },
    });
    const found = async (q: string, types?: string) => {
      const { data, chats, people } = await ask(ana, { q, ...(types && { types }) });
      return [
        ...chats.map(({ title }) => title),
        ...people.map(({ name }) => name),
        ...data.map(({ excerpt }) => excerpt),
      ];
    };
    expect(await found('jorgen muller', 'patients')).toEqual([made.title]);
    expect(await found('10392', 'patients')).toEqual([made.title]);
    expect(await found('jorgen', 'people')).toEqual([]);
    expect(await found('night', 'patients')).toEqual([]);
    expect(await found('night', 'chats')).toEqual(['Night team']);
    expect(await found('OKAF')).toContain('Mira Okafor');
    expect(await found('mira nurse', 'people')).toContain('Mira Okafor');
    expect((await ask(ana, { q: 'reyes', types: 'people' })).people.map(({ user_id }) => user_id)).not.toContain(
      ana.id,
    );
    // Two letters begin a word; inside one they would be in every name.
    expect(await found('mi ok', 'people')).toContain('Mira Okafor');
    expect(await found('ra', 'people')).not.toContain('Mira Okafor');
  });

  test('CHAT-15 CHAT-17 a direct chat by the other’s name', async () => {
    const zoe = await ward.person('Zoë Lund');
    await sendDirectMessage(ana)(await ana.ask(), {
      params: { facility: ward.facility.id, user: zoe.id },
      query: {},
      body: { client_id: newId(), body: 'Are you on duty?' },
    });
    expect((await ask(ana, { q: 'zoe', types: 'chats' })).chats.map(({ title }) => title)).toEqual(['Zoë Lund']);
    expect((await ask(zoe, { q: 'duty' })).data.map((hit: FoundMessage) => hit.chat.title)).toEqual(['Ana Reyes']);
  });
});

describe('what is not found', () => {
  test('CHAT-15 A17 a deleted message, a system line, a reason, a reaction', async () => {
    const { id: message } = await say(ana, chat, { body: 'Wrongword here' });
    expect(await bodies(ana, 'wrongword')).toHaveLength(1);
    await deleteMessage(await ana.ask(), {
      params: { chat: chat.id, message },
      query: {},
      body: { reason: 'Wrongreason' },
    });
    expect(await bodies(ana, 'wrongword')).toEqual([]);
    expect(await bodies(ana, 'wrongreason')).toEqual([]);
    expect(await bodies(ana, 'opened')).toEqual([]);
  });

  test('CHAT-15 A17 what was said before somebody joined who sees what comes from now on: as listMessages has it', async () => {
    await sayAll('Drain before');
    const zoe = await ward.person('Zoe Lund');
    await addParticipant(await ana.ask(), {
      params: { chat: chat.id, user: zoe.id },
      query: {},
      body: { access: 'write', history: 'now' },
    });
    await sayAll('Drain after');
    expect(await bodies(zoe, 'drain')).toEqual(['Drain after']);
    const read = await listMessages(await zoe.ask(), { params: { chat: chat.id }, query: { after: 0 }, body: {} });
    expect(read.data.filter(({ kind }) => kind === 'text').map(({ body }) => body)).toEqual(['Drain after']);
    expect(await bodies(mira, 'drain')).toEqual(['Drain after', 'Drain before']);
  });

  test('A14 A16 A17 anything of a chat that one is no longer in, or never was', async () => {
    await sayAll('Drain out');
    expect(await bodies(mira, 'drain')).toHaveLength(1);
    await removeParticipant({ rightsChanged: async () => undefined } as never)(await ana.ask(), {
      params: { chat: chat.id, user: mira.id },
      query: {},
      body: {},
    });
    const colleague = await ward.person('Olu Colleague');
    for (const person of [mira, colleague]) {
      expect(await ask(person, { q: 'drain' })).toEqual({
        data: [],
        next_cursor: null,
        files: [],
        chats: [],
        people: [],
      });
      expect((await ask(person, { q: 'night team' })).chats).toEqual([]);
      expect(await refusalOf(ask(person, { q: 'drain', chat: chat.id }))).toBe('404 not_found');
    }
  });

  test('A16 A17 anything after the membership has ended, with facts from before it or after', async () => {
    await sayAll('Drain out');
    const before = await mira.ask();
    await ward.endMembership(mira);
    const query = contract.query.parse({ q: 'drain', types: 'messages,chats' });
    expect((await search(before, { params: {}, query, body: {} })).data).toEqual([]);
    expect(await bodies(mira, 'drain')).toEqual([]);
    expect((await ask(ana, { q: 'mira', types: 'people' })).people.map(({ user_id }) => user_id)).not.toContain(
      mira.id,
    );
  });

  test('A17 a word, a person or a chat of another facility', async () => {
    const elsewhere = await ward.otherFacility();
    const stranger = await ward.person('Stranger Uniqueone', elsewhere);
    const { id } = await createChat(await stranger.ask(), {
      params: { facility: elsewhere.id },
      query: {},
      body: { client_id: newId(), kind: 'group', title: 'Uniqueone team', participant_ids: [] },
    });
    await say(stranger, { id }, { body: 'Uniqueone said' });
    expect(await ask(ana, { q: 'uniqueone' })).toEqual({
      data: [],
      next_cursor: null,
      files: [],
      chats: [],
      people: [],
    });
    expect(await refusalOf(ask(ana, { q: 'uniqueone', facility: elsewhere.id }))).toBe('404 not_found');
    expect((await ask(stranger, { q: 'uniqueone' })).data).toHaveLength(1);
  });
});

describe('pages of messages', () => {
  test('CHAT-15 are the newest first, each message once, while others come in and one goes', async () => {
    await sayAll(...Array.from({ length: 25 }, (_, n) => `Round ${n}`));
    const seen: string[] = [];
    let cursor: string | null = null;
    let pages = 0;
    do {
      const page = await ask(ana, { q: 'round', limit: '4', ...(cursor !== null && { cursor }) });
      expect(page.data.length).toBeLessThanOrEqual(4);
      if (cursor !== null) expect([page.files, page.chats, page.people]).toEqual([[], [], []]);
      seen.push(...page.data.map(({ excerpt }) => excerpt));
      cursor = page.next_cursor;
      await sayAll(`Round new ${pages}`);
      if (pages++ === 1) {
        const old = await ward.db
          .selectFrom('messages')
          .select('id')
          .where('body', '=', 'Round 2')
          .where('chat_id', '=', chat.id);
        const { id: message } = await old.executeTakeFirstOrThrow();
        await deleteMessage(await ana.ask(), {
          params: { chat: chat.id, message },
          query: {},
          body: { reason: 'Test' },
        });
      }
    } while (cursor !== null);
    const wanted = Array.from({ length: 25 }, (_, n) => `Round ${24 - n}`).filter((body) => body !== 'Round 2');
    expect(seen).toEqual(wanted);
  });

  test('CHAT-15 go on among messages of the same instant', async () => {
    await sayAll('Same a', 'Same b', 'Same c');
    await sql`update messages set created_at = date_trunc('second', created_at) where chat_id = ${chat.id}`.execute(
      ward.db,
    );
    const first = await ask(ana, { q: 'same', limit: '2' });
    const second = await ask(ana, { q: 'same', limit: '2', cursor: first.next_cursor ?? '' });
    expect(new Set([...first.data, ...second.data].map(({ id }) => id)).size).toBe(3);
    expect(second.next_cursor).toBeNull();
  });
});

describe('PERF-3 in chats of many parts', () => {
  const BODIES = ['drain', 'potassium', 'drain', 'potassium', 'drain and potassium'];
  /** Chats by how many messages they have among how many places, and how many days ago they began. */
  const CHATS = [
    { said: 60, places: 200_000, days: 300 },
    { said: 25, places: 70_000, days: 40 },
    { said: 8, places: 40_000, days: 500 },
    { said: 6, places: 200, days: 3 },
  ];

  /** What was said in them, the newest first. Times rise with the places, which lie apart as multiples of the golden ratio do. */
  async function sayFarApart() {
    const now = Date.now();
    const all = [];
    for (const { said, places, days } of CHATS) {
      const { id: of } = await openChat(ward, ana, [mira]);
      const rows = Array.from({ length: said }, (_, n) => {
        const seq = 10 + Math.floor(((n * 0.618034) % 1) * places);
        const at = new Date(now - days * 86_400_000 * (1 - seq / (places + 20)));
        return { id: newId(), chat: of, seq, body: BODIES[n % BODIES.length] ?? '', at };
      });
      await sql`insert into messages (id, chat_id, facility_id, seq, client_id, sender_id, kind, body, created_at)
        select id, ${of}, ${ward.facility.id}, seq, id, ${mira.id}, 'text', body, at
        from json_to_recordset(${JSON.stringify(rows)}::json) as r (id uuid, seq bigint, body text, at timestamptz)`.execute(
        ward.db,
      );
      await sql`update chats set head_seq = ${places + 20} where id = ${of}`.execute(ward.db);
      all.push(...rows);
    }
    return all.sort((a, b) => b.at.getTime() - a.at.getTime());
  }

  test('PERF-3 CHAT-15 each page holds the newest of what is asked, whatever part it stands in', async () => {
    const said = await sayFarApart();
    const [third] = said.slice(said.length / 3);
    for (const [typed, query] of [
      ['drain', {}],
      ['drain potassium', {}],
      ['potassium', { from: third?.at.toISOString() ?? '' }],
      ['potassium', { to: third?.at.toISOString() ?? '' }],
      ['potassium', { chat: said.at(-1)?.chat ?? '' }],
    ] as const) {
      const found: string[] = [];
      let cursor: string | null = '';
      for (let page = 0; page < 50 && cursor !== null; page++) {
        const at: { data: { id: string }[]; next_cursor: string | null } = await ask(ana, {
          ...{ q: typed, types: 'messages', limit: '7', ...query },
          ...(cursor && { cursor }),
        });
        found.push(...at.data.map(({ id }) => id));
        cursor = at.next_cursor;
      }
      const wanted = said.filter(
        ({ body, at, chat: of }) =>
          typed.split(' ').every((word) => body.includes(word)) &&
          (!('from' in query) || at.toISOString() >= query.from) &&
          (!('to' in query) || at.toISOString() < query.to) &&
          (!('chat' in query) || of === query.chat),
      );
      expect(wanted.length).toBeGreaterThan(3);
      expect(found).toEqual(wanted.map(({ id }) => id));
    }
  });
});

describe('behind the second wall', () => {
  const lookedFor = (person: Person, chatIds: string[]) => ({
    ...{ userId: person.id, chatIds, terms: toTerms('potassium'), limit: 31 },
    ...{ senderId: undefined, from: null, to: null, after: null },
  });

  test('A16 CHAT-15 the role of the server finds by the indexes of words, and reads no table whole', async () => {
    await sayAll(...Array.from({ length: 50 }, (_, n) => `potassium 4.${n}`));
    const { walled, close } = openBoth(ward.connectionString, 2);
    const asked = lookedFor(ana, [chat.id]);
    const found = await asActor(ana.id, [], () =>
      walled.transaction().execute(async (tx) => {
        const ids = await readHits(tx, messageSearchQuery(asked));
        await readHits(tx, fileSearchQuery(asked));
        const { rows } = await sql<{ messages: number; files: number; index: number }>`
          select pg_stat_get_xact_numscans('messages'::regclass)::int as messages,
            pg_stat_get_xact_numscans('attachments'::regclass)::int as files,
            pg_stat_get_xact_numscans('messages_search_idx'::regclass)::int as index`.execute(tx);
        return { ids: ids.length, scans: rows[0] };
      }),
    );
    await close();
    expect(found).toEqual({ ids: 31, scans: { messages: 0, files: 0, index: expect.toSatisfy((n: number) => n > 0) } });
  });

  test('A16 what one asks for in the name of another, nobody finds', async () => {
    await sayAll('potassium 6.8');
    const { walled, close } = openBoth(ward.connectionString, 2);
    const stranger = await ward.person('Nobody Here');
    const query = messageSearchQuery(lookedFor(ana, [chat.id]));
    expect(await asActor(ana.id, [], () => readHits(walled, query))).toHaveLength(1);
    expect(await asActor(stranger.id, [], () => readHits(walled, query))).toEqual([]);
    await close();
  });

  test('A16 the chats of a patient’s number are found in one’s own facilities alone', async () => {
    const patient = { name: 'Edith Maron', identifier: `MRN ${newId()}` };
    const participants = [{ userId: ana.id }];
    const { id } = await makeChat(ward.db, { facilityId: ward.facility.id, kind: 'case', patient, participants });
    const { walled, close } = openBoth(ward.connectionString, 2);
    const look = (person: string) =>
      asActor(person, [], async () => [
        ...(await findChatsOfPatients(walled, ward.facility.id, [patient.identifier])).values(),
        ...(await foldedNumbers(
          walled,
          patient.identifier
            .replaceAll(/[^0-9a-z]/gi, '')
            .replace(/^mrn/i, '')
            .toLowerCase(),
        )),
      ]);
    expect(await look(mira.id)).toEqual([[id], id]);
    expect(await look(newId())).toEqual([]);
    await close();
  });
});

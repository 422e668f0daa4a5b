import { search as contract } from '@wardline/contract/chat/search.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newAttachmentKey } from '#/features/chat/attachments/attachment-store.ts';
import { deleteMessage } from '#/features/chat/messages/delete-message.ts';
import { forwardMessage } from '#/features/chat/messages/forward-message.ts';
import { sendMessage } from '#/features/chat/messages/send-message.ts';
import { addParticipant } from '#/features/chat/participants/add-participant.ts';
import { removeParticipant } from '#/features/chat/participants/remove-participant.ts';
import { openChat, openChatFixture, type Person, refusalOf, type Ward } from '#/features/chat/testing/chat-fixture.ts';
import { newId } from '#/platform/new-id.ts';
import { search } from './search.ts';

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
const names = async (person: Person, q: string, also: Record<string, string> = {}) =>
  (await ask(person, { q, types: 'files', ...also })).files?.map(({ name }) => name);

/** Of all pages of two; something may happen after each. */
async function namesByPages(person: Person, q: string, afterEach: () => Promise<unknown> = async () => {}) {
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await ask(person, { q, types: 'files', limit: '2', ...(cursor !== null && { cursor }) });
    seen.push(...(page.files?.map(({ name }) => name) ?? []));
    cursor = page.next_cursor;
    await afterEach();
  } while (cursor !== null);
  return seen;
}

/** A message with files of these names, as they are once they were uploaded. */
async function sendFiles(person: Person, to: { id: string }, ...files: string[]) {
  const ids = files.map(() => newId());
  const all = { chat_id: to.id, facility_id: ward.facility.id, uploader_id: person.id, state: 'ready' as const };
  const pdf = { upload_bytes: 9, received_bytes: 9, bytes: 9, kind: 'pdf', mime: 'application/pdf' };
  const rows = files.map((name, at) => ({ ...all, ...pdf, id: ids[at] ?? '', key: newAttachmentKey(), name }));
  await ward.db
    .insertInto('attachments')
    .values(rows.map((row) => ({ ...row, sha256: Buffer.alloc(32) })))
    .execute();
  const body = { client_id: newId(), body: '', attachments: ids };
  const message = await sendMessage(person)(await person.ask(), { params: { chat: to.id }, query: {}, body });
  return { ids, message };
}

const markFile = (id: string | undefined, scan: string | null) =>
  ward.db
    .updateTable('attachments')
    .set({ scan })
    .where('id', '=', id ?? '')
    .execute();

describe('files that are found', () => {
  test('CHAT-15 by a word of the name without case and accents, with what leads to the message', async () => {
    const { ids, message } = await sendFiles(mira, chat, 'Lettre_de_sortie Ménard.PDF');
    const found = await ask(ana, { q: 'menard lettre', types: 'files' });
    expect(found.files).toEqual([
      {
        ...{ id: ids[0], name: 'Lettre_de_sortie Ménard.PDF', kind: 'pdf', is_voice: false },
        ranges: [
          { start: 0, end: 6 },
          { start: 17, end: 23 },
        ],
        chat: { id: chat.id, facility_id: ward.facility.id, kind: 'group', title: 'Night team', patient: null },
        ...{ message_id: message.id, seq: message.seq, created_at: message.created_at },
        sender: { id: mira.id, name: 'Mira Okafor', title: 'Nurse' },
      },
    ]);
    expect([found.data, found.chats, found.people, found.next_cursor]).toEqual([[], [], [], null]);
    expect(await names(ana, 'menard nobody')).toEqual([]);
  });

  test('CHAT-15 by a part inside a word of any length, by the ending, by short terms, by words in their order', async () => {
    await sendFiles(ana, chat, 'ChestXRay.pdf', 'CTscan1.pdf', 'ECG 12-lead K.dcm');
    expect(await names(ana, 'xray')).toEqual(['ChestXRay.pdf']);
    expect(await names(ana, 'scan')).toEqual(['CTscan1.pdf']);
    expect((await names(ana, 'pdf'))?.toSorted()).toEqual(['CTscan1.pdf', 'ChestXRay.pdf']);
    expect(await names(ana, 'k')).toEqual(['ECG 12-lead K.dcm']);
    expect(await names(ana, '12-lead')).toEqual(['ECG 12-lead K.dcm']);
    expect(await names(ana, '"lead 12"')).toEqual([]);
  });

  test('CHAT-15 beside messages, or alone; narrowed by chat, sender and time', async () => {
    const other = await openChat(ward, ana, [mira]);
    await sendFiles(ana, chat, 'Consent old.pdf');
    await sql`update messages set created_at = created_at - interval '1 day' where chat_id = ${chat.id}`.execute(
      ward.db,
    );
    const { message } = await sendFiles(mira, other, 'Consent new.pdf');
    expect((await ask(ana, { q: 'consent' })).files?.map(({ name }) => name)).toEqual([
      'Consent new.pdf',
      'Consent old.pdf',
    ]);
    expect((await ask(ana, { q: 'consent', types: 'messages' })).files).toEqual([]);
    expect(await names(ana, 'consent', { chat: chat.id })).toEqual(['Consent old.pdf']);
    expect(await names(ana, 'consent', { sender: mira.id })).toEqual(['Consent new.pdf']);
    expect(await names(ana, 'consent', { from: message.created_at })).toEqual(['Consent new.pdf']);
    expect(await names(ana, 'consent', { to: message.created_at })).toEqual(['Consent old.pdf']);
    expect(await names(ana, 'consent', { facility: ward.facility.id })).toHaveLength(2);
  });

  test('CHAT-15 a page at a time, each once, also among files of one message, while others come in', async () => {
    const wanted = Array.from({ length: 9 }, (_, n) => `Page ${n}.pdf`);
    for (const at of [0, 3, 6]) await sendFiles(ana, chat, ...wanted.slice(at, at + 3));
    const seen = await namesByPages(ana, 'page', () => sendFiles(ana, chat, 'Page new.pdf'));
    expect(seen).toHaveLength(9);
    expect(seen.toSorted()).toEqual(wanted);
    expect(seen.slice(0, 3).toSorted()).toEqual(wanted.slice(6));
  });

  test.each([
    ['as their ids say', '0', [4, 3, 2, 1, 0]],
    ['and the last three in a day', '1 day', [4, 3, 2, 1, 0]],
    ['and the last three a year ago, as of a record that was brought over', '-1 year', [1, 0, 4, 3, 2]],
  ])('CHAT-15 a frequent word finds each file once, those sent last first: sent %s', async (_when, by, order) => {
    for (let n = 0; n < 5; n++) {
      const files = Array.from({ length: 10 }, (_, at) => `Report ${n} part ${at}.pdf`);
      const { message } = await sendFiles(ana, chat, ...files);
      const moved = sql`update messages set created_at = created_at + ${by}::interval where id = ${message.id}`;
      if (n >= 2) await moved.execute(ward.db);
    }
    const found = await namesByPages(mira, 'report');
    expect(new Set(found).size).toBe(50);
    expect(found.map((name) => Number(name.split(' ')[1]))).toEqual(order.flatMap((n) => Array(10).fill(n)));
  });

  test('CHAT-15 the pages of messages bring files with the first alone, twenty at most', async () => {
    await sendFiles(ana, chat, ...Array.from({ length: 10 }, (_, n) => `Round ${n}.pdf`));
    await sendFiles(ana, chat, ...Array.from({ length: 10 }, (_, n) => `Round 1${n}.pdf`));
    await sendFiles(ana, chat, 'Round 20.pdf');
    for (const body of ['Round one', 'Round two']) {
      const said = { client_id: newId(), body };
      await sendMessage(ana)(await ana.ask(), { params: { chat: chat.id }, query: {}, body: said });
    }
    const first = await ask(ana, { q: 'round', limit: '1' });
    expect([first.data.length, first.files?.length]).toEqual([1, 20]);
    const second = await ask(ana, { q: 'round', limit: '1', cursor: first.next_cursor ?? '' });
    expect([second.data.map(({ excerpt }) => excerpt), second.files]).toEqual([['Round one'], []]);
  });
});

describe('files that are not found', () => {
  test('CHAT-14 CHAT-15 while they wait for the look for malware, or once something was found', async () => {
    const { ids } = await sendFiles(ana, chat, 'Held back.pdf');
    for (const [scan, wanted] of [
      ['pending', []],
      ['infected', []],
      ['unchecked', []],
      ['clean', ['Held back.pdf']],
      [null, ['Held back.pdf']],
    ] as const) {
      await markFile(ids[0], scan);
      expect(await names(mira, 'held'), String(scan)).toEqual(wanted);
    }
  });

  test('CHAT-15 A17 those of a deleted message, and those that were never sent', async () => {
    const { ids, message } = await sendFiles(ana, chat, 'Wrong patient.pdf');
    expect(await names(mira, 'wrong')).toHaveLength(1);
    await deleteMessage(await ana.ask(), {
      params: { chat: chat.id, message: message.id },
      query: {},
      body: { reason: 'Wrong chat' },
    });
    expect(await names(mira, 'wrong')).toEqual([]);
    await sql`
      insert into attachments (id, chat_id, facility_id, uploader_id, state, key, name, upload_bytes, received_bytes, bytes, kind, mime, sha256)
      select ${newId()}, chat_id, facility_id, uploader_id, 'ready', ${newAttachmentKey()}, 'Wrong unsent.pdf', 9, 9, 9, 'pdf', 'application/pdf', sha256
      from attachments where id = ${ids[0]}`.execute(ward.db);
    expect(await names(ana, 'unsent')).toEqual([]);
  });

  test('CHAT-15 A17 those that were sent before somebody joined who sees what comes from now on', async () => {
    await sendFiles(ana, chat, 'Scan before.pdf');
    const zoe = await ward.person('Zoe Lund');
    const body = { access: 'write', history: 'now' } as const;
    await addParticipant(await ana.ask(), { params: { chat: chat.id, user: zoe.id }, query: {}, body });
    await sendFiles(ana, chat, 'Scan after.pdf');
    expect(await names(zoe, 'scan')).toEqual(['Scan after.pdf']);
    expect(await names(mira, 'scan')).toEqual(['Scan after.pdf', 'Scan before.pdf']);
  });

  test('A14 A16 A17 those of a chat that one is no longer in, or never was, or of a facility that one left', async () => {
    await sendFiles(ana, chat, 'Discharge.pdf');
    const before = await mira.ask();
    expect(await names(mira, 'discharge')).toHaveLength(1);
    const colleague = await ward.person('Olu Colleague');
    await removeParticipant({ rightsChanged: async () => undefined } as never)(await ana.ask(), {
      params: { chat: chat.id, user: mira.id },
      query: {},
      body: {},
    });
    for (const person of [mira, colleague]) {
      expect(await names(person, 'discharge')).toEqual([]);
      expect(await refusalOf(ask(person, { q: 'discharge', types: 'files', chat: chat.id }))).toBe('404 not_found');
    }
    const second = await openChat(ward, ana, [mira]);
    await sendFiles(ana, second, 'Discharge two.pdf');
    await ward.endMembership(mira);
    const query = contract.query.parse({ q: 'discharge', types: 'files' });
    expect((await search(before, { params: {}, query, body: {} })).files).toEqual([]);
    expect(await names(mira, 'discharge')).toEqual([]);
    const stranger = await ward.person('Stranger', await ward.otherFacility());
    expect(await names(stranger, 'discharge')).toEqual([]);
  });

  test('CHAT-11 A17 what was forwarded is found where it went by who is there, and what is deleted there stays found here', async () => {
    const { message } = await sendFiles(ana, chat, 'Rash.pdf');
    const zoe = await ward.person('Zoe Lund');
    const other = await openChat(ward, ana, [zoe]);
    const source = { chat: chat.id, message: message.id };
    const forwarded = await forwardMessage(await ana.ask(), {
      params: { chat: other.id },
      query: {},
      body: { client_id: newId(), source },
    });
    expect((await ask(zoe, { q: 'rash', types: 'files' })).files?.map(({ chat }) => chat.id)).toEqual([other.id]);
    expect(await names(ana, 'rash')).toHaveLength(2);
    await deleteMessage(await ana.ask(), {
      params: { chat: other.id, message: forwarded.id },
      query: {},
      body: { reason: 'Not for here' },
    });
    expect(await names(zoe, 'rash')).toEqual([]);
    expect(await names(mira, 'rash')).toEqual(['Rash.pdf']);
  });
});

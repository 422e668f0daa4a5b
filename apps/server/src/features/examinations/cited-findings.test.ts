import type { Chat, Message } from '@wardline/contract/chat/chat.ts';
import type { CitingMessage } from '@wardline/contract/chat/citations.ts';
import type { Examination } from '@wardline/contract/examinations/examinations.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#/platform/new-id.ts';
import { TEMPLATES } from '#/testing/factories/examinations.ts';
import { type MadeFacility, makeFacility } from '#/testing/factories/facilities.ts';
import { type SignedInMember as Person, signedInMember } from '#/testing/signed-in-member.ts';
import { auditOf } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';
import { openSocket } from '#/testing/test-socket.ts';

let server: TestServer;
let facility: MadeFacility;
let owen: Person;
let mira: Person;
let leila: Person;
let outsider: Person;
let chat: Chat;

beforeAll(async () => {
  server = await startTestServer();
  facility = await makeFacility(server.db, { name: 'St. Brigid General', timeZone: 'Europe/Dublin' });
  [owen, mira, leila, outsider] = [
    await person('Owen Clarke'),
    await person('Mira Okafor'),
    await person('Leila Haddad'),
    await person('Otto Outsider'),
  ];
});
afterAll(() => server.close());
beforeEach(async () => {
  chat = await newChat('Edith Maron');
});

const person = (name: string) => signedInMember(server, { facility, name });

async function newChat(name: string): Promise<Chat> {
  const patient = { name, identifier: '40-118-236', born_on: '1948-03-14' };
  const body = { client_id: newId(), kind: 'case', patient, participant_ids: [mira.id] };
  return (await owen.client.send('POST', `/api/facilities/${facility.id}/chats`, { body })).json();
}

const toEntries = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([field, value]) => ({ field, value }));

async function move({ id, version }: Examination, to: string, more: object = {}): Promise<Examination> {
  const body = { to, expected_version: version, ...more };
  const answer = await owen.client.send('POST', `/api/examinations/${id}/transitions`, { body });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

async function reported(values: Readonly<Record<string, string>>, to = chat.id): Promise<Examination> {
  const body = { client_id: newId(), template_id: TEMPLATES.renalProfile };
  const draft = (await owen.client.send('POST', `/api/chats/${to}/examinations`, { body })).json<Examination>();
  const begun = await move(await move(draft, 'requested'), 'in_progress');
  return move(begun, 'reported', { entries: toEntries(values) });
}

const amend = (examination: Examination, values: Readonly<Record<string, string>>) =>
  move(examination, 'amended', { reason: 'Sample mixed up', entries: toEntries(values) });

const cite = ({ id }: { id: string }, field = 'potassium', report_version = 1) => ({
  ...{ examination_id: id, field, report_version },
});

function send(who: Person, cites: readonly object[], more: object = {}) {
  const body = { client_id: newId(), body: 'Please repeat it', cites, ...more };
  return who.client.send('POST', `/api/chats/${chat.id}/messages`, { body });
}
async function sent(who: Person, cites: readonly object[], more: object = {}): Promise<Message> {
  const answer = await send(who, cites, more);
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json();
}
async function add(who: Person, body: object): Promise<void> {
  const added = await owen.client.send('PUT', `/api/chats/${chat.id}/participants/${who.id}`, { body });
  expect(added.statusCode, added.body).toBe(200);
}
const messageNow = async (who: Person, { id }: Message): Promise<Message | undefined> =>
  (await who.client.send('GET', `/api/chats/${chat.id}/messages?limit=200`))
    .json<{ data: Message[] }>()
    .data.find((message) => message.id === id);
const citing = (who: Person, { id }: { id: string }, query = '') =>
  who.client.send('GET', `/api/examinations/${id}/citations${query}`);
const listOf = async (who: Person, examination: { id: string }, query = '') =>
  (await citing(who, examination, query)).json<{ data: CitingMessage[]; next_cursor: string | null }>();

describe('a message that cites findings', () => {
  it('EXAM-1 carries what was cited, as the report said it, in the order asked; the finding lists the message', async () => {
    const examination = await reported({ potassium: '5.6', urea: '7.0', impression: 'x'.repeat(250) });
    const message = await sent(mira, [cite(examination), cite(examination, 'impression')]);
    expect(message.citations).toEqual([
      {
        ...{ examination_id: examination.id, title: 'Renal profile', field: 'potassium', label: 'Potassium' },
        ...{ value: '5.6', unit: 'mmol/L', interpretation: 'H', report_version: 1 },
      },
      expect.objectContaining({ field: 'impression', unit: null, value: `${'x'.repeat(199)}…` }),
    ]);
    expect(await messageNow(owen, message)).toEqual(message);
    expect(await listOf(owen, examination)).toEqual({
      data: [
        {
          ...{ message_id: message.id, seq: message.seq, sender: { user_id: mira.id, name: 'Mira Okafor' } },
          ...{ created_at: message.created_at, excerpt: 'Please repeat it' },
          cited: [
            { field: 'potassium', report_version: 1 },
            { field: 'impression', report_version: 1 },
          ],
        },
      ],
      next_cursor: null,
    });
    expect((await listOf(owen, examination, '?field=urea')).data).toEqual([]);
    const audited = (await auditOf(server, 'chat.message.send', mira.id)).filter(
      ({ object_id }) => object_id === message.id,
    );
    expect(audited).toMatchObject([
      { detail: { chat: chat.id, cites: [cite(examination), cite(examination, 'impression')] } },
    ]);
  });

  it('EXAM-1 says the words for a choice, and goes with an urgent call', async () => {
    const body = { client_id: newId(), template_id: '00000000-0000-7000-8000-0000000000e4' };
    const draft = (await owen.client.send('POST', `/api/chats/${chat.id}/examinations`, { body })).json<Examination>();
    const begun = await move(await move(draft, 'requested'), 'in_progress');
    const ecg = await move(begun, 'reported', {
      entries: toEntries({ rhythm: 'atrial_fibrillation', impression: 'AF, rate controlled' }),
    });
    const urgent = { targets: { people: [mira.id], role_id: null } };
    const message = await sent(owen, [cite(ecg, 'rhythm')], { urgent });
    expect(message.urgent).toMatchObject({ state: 'calling' });
    expect(message.citations).toMatchObject([{ value: 'Atrial fibrillation', unit: null, interpretation: 'A' }]);
    expect((await messageNow(mira, message))?.citations).toHaveLength(1);
  });

  it('EXAM-1 CHAT-1 a repeat is answered as the first time, and another finding under its client_id is refused', async () => {
    const examination = await reported({ potassium: '5.6', urea: '9.0' });
    const client_id = newId();
    const first = await sent(mira, [cite(examination)], { client_id });
    await amend(examination, { potassium: '4.6' });
    const again = await sent(mira, [cite(examination)], { client_id });
    expect(again.id).toBe(first.id);
    for (const other of [[cite(examination, 'urea')], []]) {
      const refused = await send(mira, other, { client_id });
      expect([refused.statusCode, refused.json().code]).toEqual([409, 'client_id_reused']);
    }
    expect((await listOf(mira, examination)).data).toHaveLength(1);
  });

  it.each([
    ['of another chat', async () => [cite(await reported({ potassium: '5.0' }, (await newChat('Other Patient')).id))]],
    ['that is nowhere', async () => [cite({ id: newId() })]],
    ['that the report does not have', async () => [cite(await reported({ potassium: '5.0' }), 'urea')]],
    ['of a version that there is not', async () => [cite(await reported({ potassium: '5.0' }), 'potassium', 2)]],
  ])('EXAM-1 A16 a finding %s is refused in the same words, and nothing is sent', async (_what, cites) => {
    const before = await server.db.selectFrom('messages').select('id').where('kind', '=', 'text').execute();
    const answer = await send(owen, await cites());
    expect(answer.statusCode).toBe(422);
    expect(answer.json().errors.cites).toEqual(['A finding you cite is not in a signed report of this chat.']);
    const after = await server.db.selectFrom('messages').select('id').where('kind', '=', 'text').execute();
    expect(after).toHaveLength(before.length);
  });

  it('EXAM-1 what is not signed, struck through or cited twice is not cited', async () => {
    const body = { client_id: newId(), template_id: TEMPLATES.renalProfile };
    const draft = (await owen.client.send('POST', `/api/chats/${chat.id}/examinations`, { body })).json<Examination>();
    expect((await send(owen, [cite(draft)])).statusCode).toBe(422);
    const examination = await reported({ potassium: '5.0' });
    expect((await send(owen, [cite(examination), cite(examination)])).statusCode).toBe(422);
    await move(examination, 'entered_in_error', { reason: 'Another patient' });
    const answer = await send(owen, [cite(examination)]);
    expect(answer.json().errors.cites).toEqual([
      'Renal profile was entered in error. Its findings can’t be cited any more.',
    ]);
  });

  it('CHAT-6 A16 cites and lists nothing for who is not in the chat, and nobody who only reads sends it', async () => {
    const examination = await reported({ potassium: '5.6' });
    expect((await send(outsider, [cite(examination)])).statusCode).toBe(404);
    expect((await citing(outsider, examination)).statusCode).toBe(404);
    await add(leila, { access: 'read' });
    expect((await send(leila, [cite(examination)])).statusCode).toBe(403);
  });

  it('CHAT-18 EXAM-1 who came later is not told of messages from before', async () => {
    const examination = await reported({ potassium: '5.6' });
    await sent(mira, [cite(examination)]);
    await add(leila, { history: 'now' });
    expect((await listOf(leila, examination)).data).toEqual([]);
    const later = await sent(leila, [cite(examination)]);
    expect((await listOf(leila, examination)).data.map(({ seq }) => seq)).toEqual([later.seq]);
    expect((await listOf(owen, examination)).data).toHaveLength(2);
  });

  it('EXAM-1 lists what cites it a page at a time, the newest first', async () => {
    const examination = await reported({ potassium: '5.6' });
    const seqs: number[] = [];
    for (const _one of [1, 2, 3]) seqs.unshift((await sent(mira, [cite(examination)])).seq);
    const first = await listOf(owen, examination, '?limit=2&field=potassium');
    expect(first.data.map(({ seq }) => seq)).toEqual(seqs.slice(0, 2));
    const rest = await listOf(owen, examination, `?limit=2&field=potassium&cursor=${first.next_cursor}`);
    expect([rest.data.map(({ seq }) => seq), rest.next_cursor]).toEqual([seqs.slice(2), null]);
    expect((await citing(owen, examination, '?cursor=x')).statusCode).toBe(422);
  });
});

describe('after what was cited changed', () => {
  it('EXAM-1 EXAM-3 an amendment with another value is said by the message, with its place among the changes', async () => {
    const examination = await reported({ potassium: '5.6', urea: '7.0' });
    const message = await sent(mira, [cite(examination), cite(examination, 'urea')]);
    const second = await amend(examination, { potassium: '4.6' });
    const told = await messageNow(mira, message);
    expect(told?.citations).toMatchObject([
      {
        value: '5.6',
        report_version: 1,
        now: { state: 'amended', report_version: 2, value: '4.6', interpretation: 'N' },
      },
      { field: 'urea', value: '7.0' },
    ]);
    expect(told?.citations?.[1]?.now).toBeUndefined();
    expect(told?.change_seq).toBe(1);
    expect(told?.edited_at).toBeUndefined();

    const third = await amend(second, { potassium: '', urea: '7.1' });
    expect((await messageNow(mira, message))?.citations).toMatchObject([
      { now: { report_version: 3, value: null } },
      { now: { report_version: 3, value: '7.1' } },
    ]);
    await amend(third, { potassium: '5.6', urea: '7.0' });
    expect((await messageNow(mira, message))?.citations?.map(({ now = null }) => now)).toEqual([null, null]);
  });

  it('EXAM-1 CHAT-3 an outdated version that waited in an outbox is stored with what holds now', async () => {
    const examination = await reported({ potassium: '5.6' });
    await amend(examination, { potassium: '4.6' });
    expect((await sent(mira, [cite(examination)])).citations).toMatchObject([
      { value: '5.6', report_version: 1, now: { report_version: 2, value: '4.6' } },
    ]);
    expect((await sent(mira, [cite(examination, 'potassium', 2)])).citations?.[0]).not.toHaveProperty('now');
  });

  it('EXAM-1 a mark of an error is said by every message that cites it, and told to all who have the chat open', async () => {
    const examination = await reported({ potassium: '5.6' });
    const messages = [await sent(mira, [cite(examination)]), await sent(owen, [cite(examination)])];
    const socket = await openSocket(server);
    await socket.join(mira.client, `private-chat.${chat.id}`);
    await move(examination, 'entered_in_error', { reason: 'Another patient' });
    for (const message of messages) {
      const told = await socket.next(({ event }) => event === 'App\\Events\\CitationsChanged');
      expect(told.data).toMatchObject({
        message: { id: message.id, citations: [{ now: { state: 'entered_in_error', value: null } }] },
      });
      expect((await messageNow(owen, message))?.citations).toMatchObject([{ now: { state: 'entered_in_error' } }]);
    }
    socket.close();
  });

  it('CHAT-11 EXAM-1 an edited message cites what it cited; a deleted one cites nothing, and is not listed', async () => {
    const examination = await reported({ potassium: '5.6' });
    const message = await sent(mira, [cite(examination)]);
    const at = `/api/chats/${chat.id}/messages/${message.id}`;
    const edited = await mira.client.send('PATCH', at, { body: { body: 'Repeat it now', expected_version: 1 } });
    expect(edited.json().citations).toEqual(message.citations);
    const gone = await mira.client.send('PUT', `${at}/deletion`, { body: { reason: 'Wrong finding' } });
    expect(gone.statusCode, gone.body).toBe(200);
    expect(gone.json()).not.toHaveProperty('citations');
    expect((await listOf(owen, examination)).data).toEqual([]);
    await amend(examination, { potassium: '4.6' });
    expect(await messageNow(owen, message)).not.toHaveProperty('citations');
  });
});

describe('where a citation does not go', () => {
  it('CHAT-11 A17 not with a forward, not into a search, not into the list of chats', async () => {
    const examination = await reported({ potassium: '5.6', impression: 'Zyxwhyperkal' });
    const message = await sent(mira, [cite(examination), cite(examination, 'impression')]);
    const other = await newChat('Other Patient');
    const body = { client_id: newId(), source: { chat: chat.id, message: message.id } };
    const forward = await mira.client.send('POST', `/api/chats/${other.id}/forwards`, { body });
    expect(forward.statusCode, forward.body).toBe(201);
    expect(forward.json().forwarded).toMatchObject({ sender: { name: 'Mira Okafor' } });
    expect(forward.body).not.toContain('citations');
    const search = await mira.client.send('GET', '/api/search?q=Zyxwhyperkal');
    expect(search.statusCode).toBe(200);
    expect(search.body).not.toContain('hyperkal');
    const chats = await mira.client.send('GET', `/api/facilities/${facility.id}/chats`);
    expect(chats.body).not.toContain('Zyxwhyperkal');
  });

  it('EXAM-6 the file of a chat says what was cited, and what became of it', async () => {
    const examination = await reported({ potassium: '5.6' });
    const message = await sent(mira, [cite(examination)]);
    await amend(examination, { potassium: '4.6' });
    const file = await owen.client.send('GET', `/api/chats/${chat.id}/fhir`);
    const entries: { resource: { id: string; note?: object[]; about?: object[] } }[] = file.json().entry;
    const written = entries.find(({ resource }) => resource.id === message.id)?.resource;
    expect(written?.note).toEqual([
      { text: 'Cites Renal profile, version 1: Potassium 5.6 mmol/L. Since version 2: 4.6' },
    ]);
    expect(written?.about).toHaveLength(1);
  });

  it('EXAM-1 what cites an examination is found by an index', async () => {
    const plan = await server.db.transaction().execute(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx);
      await sql`set local enable_bitmapscan = off`.execute(tx);
      const query = sql`explain select seq from message_citations where examination_id = ${newId()} order by seq desc limit 51`;
      return JSON.stringify((await query.execute(tx)).rows);
    });
    expect(plan).toContain('message_citations_examination_idx');
    expect(plan).not.toContain('Sort');
  });
});

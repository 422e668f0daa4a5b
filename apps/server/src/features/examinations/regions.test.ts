import { createHash } from 'node:crypto';
import type { Chat } from '@wardline/contract/chat/chat.ts';
import type { ChatPicture } from '@wardline/contract/chat/pictures.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { Examination, ReportVersion } from '@wardline/contract/examinations/examinations.ts';
import type { importExaminations } from '@wardline/contract/examinations/imports.ts';
import type { Region } from '@wardline/contract/examinations/regions.ts';
import { Fhir } from 'fhir/fhir.js';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { upload } from '#/features/chat/attachments/testing/send-files.ts';
import { newId } from '#/platform/new-id.ts';
import { TEMPLATES } from '#/testing/factories/examinations.ts';
import { type MadeFacility, makeFacility } from '#/testing/factories/facilities.ts';
import { multipart } from '#/testing/multipart.ts';
import { type SignedInMember as Person, signedInMember } from '#/testing/signed-in-member.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';

let server: TestServer;
let facility: MadeFacility;
let owen: Person;
let mira: Person;
let late: Person;
let chat: Chat;
let picture: string;
/** In a chat of Owen's that Mira is not in. */
let elsewhere: string;

beforeAll(async () => {
  server = await startTestServer();
  facility = await makeFacility(server.db, { name: 'St. Brigid General', timeZone: 'Europe/Dublin' });
  const person = (name: string) => signedInMember(server, { facility, name });
  owen = await person('Owen Clarke');
  mira = await person('Mira Okafor');
  late = await person('Leila Haddad');
  chat = await newChat([mira.id]);
  picture = await sendPicture(owen, chat, 'chest.png');
  elsewhere = await sendPicture(owen, await newChat([]), 'other.png');
  const added = await owen.client.send('PUT', `/api/chats/${chat.id}/participants/${late.id}`, {
    body: { access: 'write', history: 'now' },
  });
  expect(added.statusCode, added.body).toBeLessThan(300);
});
afterAll(() => server.close());

async function newChat(participant_ids: readonly string[]): Promise<Chat> {
  const patient = { name: 'Edith Maron', identifier: '40-118-236', born_on: '1948-03-14' };
  const body = { client_id: newId(), kind: 'case', patient, participant_ids };
  return (await owen.client.send('POST', `/api/facilities/${facility.id}/chats`, { body })).json();
}

async function sendPicture(who: Person, { id: chatId }: Chat, name: string): Promise<string> {
  const bytes = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#444' } })
    .png()
    .toBuffer();
  const id = await upload(who.client, chatId, { bytes, name });
  const sent = await who.client.send('POST', `/api/chats/${chatId}/messages`, {
    body: { client_id: newId(), body: '', device_time: new Date().toISOString(), attachments: [id] },
  });
  expect(sent.statusCode, sent.body).toBe(201);
  return id;
}

async function draft(template_id: string = TEMPLATES.imaging): Promise<Examination> {
  const body = { client_id: newId(), template_id };
  return (await owen.client.send('POST', `/api/chats/${chat.id}/examinations`, { body })).json();
}
const enter = (who: Person, { id, version }: Pick<Examination, 'id' | 'version'>, entry: object) =>
  who.client.send('PATCH', `/api/examinations/${id}`, { body: { expected_version: version, entries: [entry] } });
const read = async (who: Person, { id }: { readonly id: string }): Promise<Examination> =>
  (await who.client.send('GET', `/api/examinations/${id}`)).json();
async function moved({ id, version }: Examination, to: string, more: object = {}): Promise<Examination> {
  const body = { to, expected_version: version, ...more };
  const answer = await owen.client.send('POST', `/api/examinations/${id}/transitions`, { body });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

const region = (change: Partial<Region> = {}): Region => ({
  ...{ attachment_id: picture, shape: 'rectangle', x: 0.1, y: 0.2, width: 0.3, height: 0.15, ...change },
});
const finding = (change: object = {}) => ({ field: 'main_finding', value: 'Nodule', regions: [region()], ...change });
const errorOf = (answer: { json(): { errors?: Record<string, string[]> } }) => answer.json().errors;

describe('EXAM-2 a finding points to a place on a picture', () => {
  it('EXAM-2 and keeps it through a change of the value that says nothing of it; taking the value out takes it along', async () => {
    const made = await draft();
    const marked: Examination = (await enter(owen, made, finding())).json();
    expect(marked.entries).toMatchObject([{ field: 'main_finding', regions: [region()] }]);
    expect(marked.pictures).toMatchObject([{ id: picture, name: 'chest.webp', width: 64, height: 48 }]);
    const worded: Examination = (await enter(owen, marked, { field: 'main_finding', value: 'Nodule, 8 mm' })).json();
    expect(worded.entries).toMatchObject([{ value: 'Nodule, 8 mm', regions: [region()] }]);
    await enter(owen, worded, { field: 'main_finding', value: '' });
    const again: Examination = (
      await enter(owen, await read(owen, made), { field: 'main_finding', value: 'x' })
    ).json();
    expect(again.entries[0]).not.toHaveProperty('regions');
  });

  it.each([
    ['outside the picture', { x: 0.8 }, 'A marked place lies outside its picture.'],
    ['without a size', { width: 0 }, 'A marked place has no size.'],
    ['a point with a size', { shape: 'point' as const }, 'A point has no size.'],
    ['a second image of a photograph', { frame: 1 }, 'A marked picture is not in this chat, or you can’t see it.'],
  ])('EXAM-2 %s is refused at its field', async (_name, change, text) => {
    const answer = await enter(owen, await draft(), finding({ regions: [region(change)] }));
    expect([answer.statusCode, errorOf(answer)]).toEqual([422, { 'entries.main_finding': [text] }]);
  });

  it('EXAM-2 A23 numbers beyond the picture, other members and a ninth place are no request at all', async () => {
    const made = await draft();
    for (const regions of [
      [region({ x: -0.1 })],
      [region({ width: 1.2 })],
      [{ ...region(), note: 'x' }],
      [{ ...region(), shape: 'polygon' }],
      Array.from({ length: 9 }, () => region()),
    ]) {
      expect((await enter(owen, made, finding({ regions }))).statusCode).toBe(422);
    }
    expect((await read(owen, made)).entries).toEqual([]);
  });

  it('EXAM-2 A16 a picture of another chat, none at all, and one from before one came are refused alike', async () => {
    const made = await draft();
    const text = ['A marked picture is not in this chat, or you can’t see it.'];
    for (const [who, attachment_id] of [
      [owen, elsewhere],
      [mira, elsewhere],
      [owen, newId()],
      [late, picture],
    ] as const) {
      const answer = await enter(who, made, finding({ regions: [region({ attachment_id })] }));
      expect([answer.statusCode, errorOf(answer)]).toEqual([422, { 'entries.main_finding': text }]);
    }
  });

  it('EXAM-2 a finding without text, a request and a laboratory’s value point nowhere', async () => {
    const imaging = await draft();
    expect((await enter(owen, imaging, finding({ value: '' }))).statusCode).toBe(422);
    expect((await enter(owen, imaging, finding({ field: 'question' }))).statusCode).toBe(422);
    const laboratory = await draft(TEMPLATES.renalProfile);
    expect((await enter(owen, laboratory, finding({ field: 'potassium', value: '4.1' }))).statusCode).toBe(422);
  });

  it('EXAM-2 A48 two people: another field is merged, the same one is told and nothing of it is stored', async () => {
    const made = await draft();
    const [hers, his] = [await read(mira, made), await read(owen, made)];
    expect((await enter(mira, hers, finding())).statusCode).toBe(200);
    const merged = await enter(
      owen,
      his,
      finding({ field: 'impression', value: 'Nodule', regions: [region({ x: 0.5 })] }),
    );
    expect(merged.json().entries).toHaveLength(2);
    const refused = await enter(owen, his, finding({ regions: [region({ y: 0.7 })] }));
    expect([refused.statusCode, errorOf(refused)]).toEqual([
      409,
      { 'entries.main_finding': ['Mira Okafor marked other places.'] },
    ]);
    expect((await read(owen, made)).entries.find(({ field }) => field === 'main_finding')?.regions).toEqual([region()]);
  });

  it('EXAM-2 who joined later sees that a place is marked, and nothing of the picture', async () => {
    const made = await draft();
    await enter(owen, made, finding());
    expect(await read(late, made)).toMatchObject({ entries: [{ regions: [region()] }], pictures: [] });
    expect((await late.client.send('GET', `/api/chats/${chat.id}/pictures`)).json().data).toEqual([]);
  });
});

describe('EXAM-3 what was signed holds its places', () => {
  async function signed() {
    const asked = await moved(await draft(), 'requested');
    const started = await moved(asked, 'in_progress');
    const marked: Examination = (await enter(owen, started, finding())).json();
    return moved(marked, 'reported', { entries: [{ field: 'impression', value: 'Nodule of the right lung' }] });
  }
  const versionsOf = async ({ id }: Examination): Promise<ReportVersion[]> =>
    (await owen.client.send('GET', `/api/examinations/${id}/versions`)).json().data;
  const textOf = async ({ id }: Examination, version: number) => {
    const found = server.db.selectFrom('examination_reports').select(['content', 'sha256']);
    return found.where('examination_id', '=', id).where('version', '=', version).executeTakeFirstOrThrow();
  };

  it('EXAM-3 the signed text says place and picture by its bytes, and is what is hashed', async () => {
    const report = await signed();
    const [version] = await versionsOf(report);
    expect(version?.entries).toContainEqual(expect.objectContaining({ field: 'main_finding', regions: [region()] }));
    const { content, sha256 } = await textOf(report, 1);
    expect(createHash('sha256').update(content).digest('hex')).toBe(sha256.toString('hex'));
    const file = await owen.client.send('GET', `/storage/attachments/${picture}/file`);
    const bytes = createHash('sha256').update(file.rawPayload).digest('hex');
    expect(JSON.parse(content)).toMatchObject({ pictures: [{ id: picture, name: 'chest.webp', sha256: bytes }] });
    expect((await enter(owen, report, finding({ regions: [] }))).statusCode).toBe(409);
  });

  it('EXAM-3 an amendment moves it in the next version, and leaves the one before as it was', async () => {
    const report = await signed();
    const other = region({ shape: 'point', x: 0.6, y: 0.6, width: 0, height: 0 });
    const amended = await moved(report, 'amended', { reason: 'Wrong side', entries: [finding({ regions: [other] })] });
    const [second, first] = await versionsOf(amended);
    expect([second, first].map((one) => one?.entries.find(({ field }) => field === 'main_finding')?.regions)).toEqual([
      [other],
      [region()],
    ]);
    const outside = { reason: 'Other', entries: [finding({ regions: [region({ attachment_id: elsewhere })] })] };
    const body = { to: 'amended', expected_version: amended.version, ...outside };
    expect((await owen.client.send('POST', `/api/examinations/${amended.id}/transitions`, { body })).statusCode).toBe(
      422,
    );
  });

  it('EXAM-6 A16 taken over from a file it points to the same picture, where that is in the chat and who imports sees it', async () => {
    const { id } = await signed();
    const file = (await owen.client.send('GET', `/api/examinations/${id}/fhir`)).body;
    const to = await newChat([mira.id]);
    const taken = async (who: Person, apply: boolean) => {
      const parts = multipart([{ name: 'file', value: Buffer.from(file), filename: 'a.json' }]);
      const answer = await who.client.send('POST', `/api/chats/${to.id}/fhir?apply=${apply}`, parts);
      expect(answer.statusCode, answer.body).toBe(200);
      return answer.json<ReplyOf<typeof importExaminations>>();
    };
    const before = await taken(owen, false);
    expect(before.counts).toMatchObject({ new: 1, left_out: 1 });
    expect(before.rows[0]?.problems.map(({ message }) => message)).toEqual([
      'It points to chest.webp, which is not in this chat. Send that file here first, or the place is left out.',
    ]);
    const { data } = (await owen.client.send('GET', `/api/chats/${chat.id}/pictures`)).json<{ data: ChatPicture[] }>();
    const message = data.find(({ file: { id: of } }) => of === picture)?.message_id;
    const body = { client_id: newId(), source: { chat: chat.id, message } };
    const forwarded = await owen.client.send('POST', `/api/chats/${to.id}/forwards`, { body });
    expect(forwarded.statusCode, forwarded.body).toBe(201);
    const since = { access: 'write', history: 'now' };
    await owen.client.send('PUT', `/api/chats/${to.id}/participants/${late.id}`, { body: since });
    expect((await taken(late, false)).rows[0]?.problems).toHaveLength(1);
    expect((await taken(owen, false)).rows[0]?.problems).toEqual([]);
    expect((await taken(owen, true)).counts).toEqual({ new: 1, known: 0, refused: 0, left_out: 0 });
    const [made] = (await owen.client.send('GET', `/api/chats/${to.id}/examinations`)).json<{ data: Examination[] }>()
      .data;
    const own = (await owen.client.send('GET', `/api/chats/${to.id}/pictures`)).json<{ data: ChatPicture[] }>().data[0]
      ?.file.id;
    expect(own).not.toBe(picture);
    if (!made || !own) throw new Error('nothing was taken over');
    const imported = await read(owen, made);
    const marked = imported.entries.filter(({ regions = [] }) => regions.length > 0);
    expect(marked).toMatchObject([{ value: 'Nodule', regions: [region({ attachment_id: own })] }]);
    expect((await versionsOf(imported))[0]?.pictures).toMatchObject([{ id: own, name: 'chest.webp' }]);
  });

  it('EXAM-3 CHAT-11 a picture whose message is deleted afterwards stays named, and an amendment keeps the place', async () => {
    const own = await sendPicture(owen, chat, 'wound.png');
    const started = await moved(await moved(await draft(), 'requested'), 'in_progress');
    const places = [region({ attachment_id: own })];
    const marked: Examination = (await enter(owen, started, finding({ regions: places }))).json();
    const report = await moved(marked, 'reported', { entries: [{ field: 'impression', value: 'Nodule' }] });
    const pictures: ChatPicture[] = (await owen.client.send('GET', `/api/chats/${chat.id}/pictures`)).json().data;
    const message = pictures.find(({ file }) => file.id === own)?.message_id;
    const body = { reason: 'Wrong patient' };
    const deleted = await owen.client.send('PUT', `/api/chats/${chat.id}/messages/${message}/deletion`, { body });
    expect(deleted.statusCode, deleted.body).toBeLessThan(300);
    expect((await read(owen, report)).pictures).toEqual([]);
    const entries = [{ field: 'impression', value: 'Nodule, benign' }];
    const [second] = await versionsOf(await moved(report, 'amended', { reason: 'Biopsy', entries }));
    expect(second).toMatchObject({ pictures: [{ id: own, name: 'wound.webp' }] });
    expect(second?.entries.find(({ field }) => field === 'main_finding')?.regions).toEqual(places);
  });

  it('EXAM-6 FHIR R4 says which picture, by its bytes, and where in text; an independent validator accepts it', async () => {
    const report = await signed();
    const bundle = JSON.parse((await owen.client.send('GET', `/api/examinations/${report.id}/fhir`)).body);
    const { messages } = new Fhir().validate(bundle, { errorOnUnexpected: true });
    expect(messages.filter(({ severity }) => severity === 'error')).toEqual([]);
    const of = (kind: string) =>
      bundle.entry.flatMap(({ resource }: { resource: { resourceType: string } }) =>
        resource.resourceType === kind ? [resource] : [],
      );
    expect(of('Media')).toMatchObject([{ id: picture, content: { contentType: 'image/webp', title: 'chest.webp' } }]);
    const seen = of('Observation').find(({ code }: { code: { text: string } }) => code.text === 'Main finding');
    expect(seen).toMatchObject({
      derivedFrom: [{ reference: `urn:uuid:${picture}` }],
      note: [{ text: 'Seen on chest.webp: Rectangle 10 % from the left, 20 % from the top, 30 % wide, 15 % high' }],
    });
    expect(of('DiagnosticReport')[0].media).toEqual([{ link: { reference: `urn:uuid:${picture}` } }]);
  });
});

describe('CHAT-14 the pictures of a chat', () => {
  it('CHAT-14 A16 come page by page, the newest first, for who reads the chat alone', async () => {
    const own = await newChat([mira.id]);
    const ids = [await sendPicture(owen, own, 'one.png'), await sendPicture(mira, own, 'two.png')];
    const first = (await mira.client.send('GET', `/api/chats/${own.id}/pictures?limit=1`)).json();
    expect(first.data).toMatchObject([{ file: { id: ids[1], name: 'two.webp' }, sender: { name: 'Mira Okafor' } }]);
    const rest = (await mira.client.send('GET', `/api/chats/${own.id}/pictures?cursor=${first.next_cursor}`)).json();
    expect([rest.data.map(({ file }: ChatPicture) => file.id), rest.next_cursor]).toEqual([[ids[0]], null]);
    expect((await late.client.send('GET', `/api/chats/${own.id}/pictures`)).statusCode).toBe(404);
    expect((await mira.client.send('GET', `/api/chats/${own.id}/pictures?cursor=x`)).statusCode).toBe(422);
  });
});

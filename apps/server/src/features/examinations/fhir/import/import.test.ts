import { randomUUID } from 'node:crypto';
import type { Chat, Message } from '@wardline/contract/chat/chat.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { Examination, ExaminationSummary } from '@wardline/contract/examinations/examinations.ts';
import type { ImportRow, importExaminations } from '@wardline/contract/examinations/imports.ts';
import { isCritical } from '@wardline/examination/reference-range.ts';
import { Fhir } from 'fhir/fhir.js';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#/platform/new-id.ts';
import { TEMPLATES } from '#/testing/factories/examinations.ts';
import { type MadeFacility, makeFacility } from '#/testing/factories/facilities.ts';
import { multipart } from '#/testing/multipart.ts';
import { type SignedInMember as Person, signedInMember } from '#/testing/signed-in-member.ts';
import { auditOf } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';
import { openSocket } from '#/testing/test-socket.ts';

// biome-ignore lint/suspicious/noExplicitAny: a resource of any kind, as a reader of it finds it
type Resource = Record<string, any>;
interface Bundle {
  readonly entry: { fullUrl: string; resource: Resource }[];
}
type Reply = ReplyOf<typeof importExaminations>;

const EDITH = { name: 'Edith Maron', identifier: '40-118-236', born_on: '1948-03-14' };

let server: TestServer;
let facility: MadeFacility;
let elsewhere: MadeFacility;
let owen: Person;
let mira: Person;
/** In the chat that is exported from. */
let ana: Person;
let away: Person;
let from: Chat;
let to: Chat;

beforeAll(async () => {
  server = await startTestServer();
  facility = await makeFacility(server.db, { name: 'St. Brigid General', timeZone: 'Europe/Dublin' });
  elsewhere = await makeFacility(server.db, { name: 'St. Elsewhere', timeZone: 'Europe/Dublin' });
  owen = await signedInMember(server, { facility, name: 'Owen Clarke' });
  mira = await signedInMember(server, { facility, name: 'Mira Okafor' });
  ana = await signedInMember(server, { facility, name: 'Ana Reyes' });
  away = await signedInMember(server, { facility: elsewhere, name: 'Ada Away' });
});
afterAll(() => server.close());
beforeEach(async () => {
  from = await newCase(owen, facility);
  await owen.client.send('PUT', `/api/chats/${from.id}/participants/${ana.id}`, { body: {} });
  to = await newCase(mira, facility);
});

async function newCase(who: Person, { id }: MadeFacility, patient: object = EDITH): Promise<Chat> {
  const body = { client_id: newId(), kind: 'case', patient, participant_ids: [] };
  return (await who.client.send('POST', `/api/facilities/${id}/chats`, { body })).json();
}

async function reported(template: string, values: Readonly<Record<string, string>>): Promise<Examination> {
  const send = async (path: string, body: object) => {
    const answer = await owen.client.send('POST', path, { body });
    expect([200, 201], answer.body).toContain(answer.statusCode);
    return answer.json<Examination>();
  };
  const move = (examination: Examination, state: string, more: object = {}) =>
    send(`/api/examinations/${examination.id}/transitions`, {
      to: state,
      expected_version: examination.version,
      ...more,
    });
  const begun = await send(`/api/chats/${from.id}/examinations`, { client_id: newId(), template_id: template });
  const entries = Object.entries(values).map(([field, value]) => ({ field, value }));
  const path = `/api/examinations/${begun.id}`;
  const patched = await owen.client.send('PATCH', path, { body: { expected_version: begun.version, entries } });
  const started = await move(await move(patched.json(), 'requested'), 'in_progress');
  const isGrave = started.entries.some(({ interpretation }) => isCritical(interpretation));
  const critical = { kind: 'alert', category: 'hours', targets: { people: [ana.id], role_id: null } };
  return move(started, 'reported', isGrave ? { critical } : {});
}

async function exported(who: Person, path: string): Promise<{ text: string; bundle: Bundle }> {
  const { body: text } = await who.client.send('GET', path);
  const bundle = JSON.parse(text);
  const { messages } = new Fhir().validate(bundle, { errorOnUnexpected: true });
  expect(messages.filter(({ severity }) => severity === 'error')).toEqual([]);
  return { text, bundle };
}
const fileOf = ({ id }: { id: string }) => exported(owen, `/api/examinations/${id}/fhir`);

const send = (file: string | Buffer | Bundle, apply: boolean, { who = mira, chat = to } = {}) => {
  const value =
    typeof file === 'string' || Buffer.isBuffer(file) ? Buffer.from(file) : Buffer.from(JSON.stringify(file));
  return who.client.send(
    'POST',
    `/api/chats/${chat.id}/fhir?apply=${apply}`,
    multipart([{ name: 'file', value, filename: 'a.json' }]),
  );
};
async function taken(file: string | Bundle, apply = true, place = {}): Promise<Reply> {
  const answer = await send(file, apply, place);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}
const listed = async (chat = to): Promise<ExaminationSummary[]> =>
  (await mira.client.send('GET', `/api/chats/${chat.id}/examinations`)).json().data;
async function refusedWith(file: string | Buffer | Bundle, place = {}): Promise<string> {
  const answer = await send(file, true, place);
  expect(answer.statusCode, answer.body).toBe(422);
  expect(await listed()).toEqual([]);
  return answer.json().errors.file[0];
}
/** Of the one report of a file: the reason for which it is not taken. */
async function reasonFor(bundle: Bundle, place = {}): Promise<string | undefined> {
  const { counts, rows } = await taken(bundle, true, place);
  expect(counts).toMatchObject({ new: 0, refused: 1 });
  expect(await listed()).toEqual([]);
  return rows[0]?.problems[0]?.message;
}
/** The file with one resource of a kind changed. */
function changed({ entry }: Bundle, kind: string, change: (resource: Resource) => object): Bundle {
  const copy: Bundle = structuredClone({ entry });
  const found = copy.entry.find(({ resource }) => resource['resourceType'] === kind);
  if (!found) throw new Error(`no ${kind} in the file`);
  Object.assign(found.resource, change(found.resource));
  return { resourceType: 'Bundle', type: 'collection', ...copy } as Bundle;
}

/** What is said, whatever the ids: each id by the place of what it names. */
function substance({ entry }: Bundle, kinds: readonly string[]) {
  const told = entry.map(({ resource }) => resource).filter(({ resourceType }) => kinds.includes(resourceType));
  const names = new Map(
    entry.map(({ resource: { id, resourceType, code, category } }) => [
      id,
      `${resourceType} ${code?.text ?? category?.at(-1)?.text ?? ''}`,
    ]),
  );
  const text = JSON.stringify(
    told.map(({ id: _id, ...resource }) => resource),
    null,
    1,
  );
  return JSON.parse(text.replace(/urn:uuid:([0-9a-f-]{36})/g, (urn, id) => names.get(id) ?? urn));
}

const VITAL = {
  ...{ respiration: '22', spo2: '93', spo2_scale: '1', oxygen: 'air', systolic: '118', diastolic: '60' },
  ...{ pulse: '88', consciousness: 'A', temperature: '38.4', impression: 'Watch' },
};

describe('EXAM-6 export, import, export', () => {
  it('EXAM-6 EXAM-7 a report whose finding points to a picture is taken over without it, and that is counted', async () => {
    const { bundle } = await fileOf(
      await reported(TEMPLATES.renalProfile, { potassium: '4.1', impression: 'As usual' }),
    );
    const media = { resourceType: 'Media', id: randomUUID(), status: 'completed', content: { title: 'wound.jpg' } };
    const fullUrl = `urn:uuid:${media.id}`;
    const pointing = changed(bundle, 'Observation', () => ({ derivedFrom: [{ reference: fullUrl }] }));
    const whole = changed(pointing, 'DiagnosticReport', () => ({ media: [{ link: { reference: fullUrl } }] }));
    const { counts } = await taken({ ...whole, entry: [...whole.entry, { fullUrl, resource: media }] } as Bundle);
    expect(counts).toEqual({ new: 1, known: 0, refused: 0, left_out: 1 });
    const [made] = await listed();
    const again = await exported(mira, `/api/examinations/${made?.id}/fhir`);
    expect(again.text).not.toContain(media.id);
  });

  it('EXAM-6 says the same: findings digit by digit, units, flags, ranges, who and when, the signed text and the calls about it', async () => {
    const values = {
      question: 'Why so tired?',
      potassium: '6.80',
      sodium: '<120',
      urea: '7,10',
      impression: 'Repeat: <5 h',
    };
    const original = await fileOf(await reported(TEMPLATES.renalProfile, values));
    const { counts, rows } = await taken(original.text);
    expect(counts).toEqual({ new: 1, known: 0, refused: 0, left_out: 0 });
    expect(rows.map(({ title, value }: ImportRow) => `${title} ${value}`)).toEqual(
      expect.arrayContaining(['Potassium 6.80 mmol/L, HH', 'Sodium <120 mmol/L, LL', 'Urea 7.10 mmol/L, N']),
    );
    const [made] = await listed();
    const again = await exported(mira, `/api/examinations/${made?.id}/fhir`);
    const kinds = [
      'DiagnosticReport',
      'Observation',
      'ServiceRequest',
      'CommunicationRequest',
      'Communication',
      'Patient',
    ];
    expect(substance(again.bundle, kinds)).toEqual(substance(original.bundle, kinds));
    for (const digits of ['"value":6.80,', '"value":7.10,']) expect(again.text).toContain(digits);
    // Who signed it there stays who signed it; that it was taken over is said beside it.
    const provenances = (bundle: Bundle) =>
      bundle.entry.map(({ resource }) => resource).filter(({ resourceType }) => resourceType === 'Provenance');
    const before = provenances(original.bundle).map(({ recorded, agent }) => [recorded, agent[0].who.display]);
    const after = provenances(again.bundle).map(({ recorded, agent }) => [recorded, agent[0].who.display]);
    expect(after).toEqual(expect.arrayContaining(before));
    expect(after).toHaveLength(before.length + 1);
    expect(after.map(([, name]) => name)).toContain('Mira Okafor');
    // And so it does a second time, into a third chat.
    const third = await newCase(mira, facility);
    await taken(again.text, true, { chat: third });
    const [last] = await listed(third);
    const onceMore = await exported(mira, `/api/examinations/${last?.id}/fhir`);
    expect(substance(onceMore.bundle, ['DiagnosticReport', 'Observation'])).toEqual(
      substance(original.bundle, ['DiagnosticReport', 'Observation']),
    );
  });

  it('EXAM-4 EXAM-6 keeps a blood pressure one panel, a saturation with both its codes, and the score as a number', async () => {
    const original = await fileOf(await reported(TEMPLATES.vitalSigns, VITAL));
    await taken(original.text);
    const [made] = await listed();
    const again = await exported(mira, `/api/examinations/${made?.id}/fhir`);
    const findings = ({ entry }: Bundle) =>
      entry
        .map(({ resource }) => resource)
        .filter(({ resourceType }) => resourceType === 'Observation')
        .map(({ code, component, valueQuantity, valueInteger, valueCodeableConcept, valueString }) => [
          ...[code, component ?? null, valueQuantity ?? (valueInteger === undefined ? null : { value: valueInteger })],
          ...[valueCodeableConcept ?? null, valueString ?? null],
        ])
        .map((finding) => JSON.stringify(finding))
        .sort();
    expect(findings(again.bundle)).toEqual(findings(original.bundle));
  });
});

describe('EXAM-6 what is taken over', () => {
  it('EXAM-6 a preview stores nothing; what is imported says from where, by whom, and when it was made there', async () => {
    const signed = await reported(TEMPLATES.renalProfile, { potassium: '4.4' });
    const { text } = await fileOf(signed);
    expect(await taken(text, false)).toMatchObject({ is_applied: false, counts: { new: 1 } });
    expect(await listed()).toEqual([]);
    await taken(text);
    const [made] = await listed();
    const imported = (await mira.client.send('GET', `/api/examinations/${made?.id}`)).json<Examination>();
    const [version] = (await owen.client.send('GET', `/api/examinations/${signed.id}/versions`)).json().data;
    expect(imported).toMatchObject({
      ...{ title: 'Renal profile', type: 'laboratory', state: 'reported', created: { at: signed.created.at } },
      imported: {
        ...{ by: { name: 'Mira Okafor' }, reported_by: ['Owen Clarke'], reported_at: version.signed.at },
        source: `urn:uuid:${facility.id}`,
      },
      my: { can_write: false, can_sign: false, can_mark_in_error: true },
    });
    const lines = (await mira.client.send('GET', `/api/chats/${to.id}/messages?limit=100`)).json().data;
    expect(lines.map(({ body }: Message) => body)).toContain('imported: Renal profile');
    const audits = (await auditOf(server, 'examination.import', mira.id)).filter(
      ({ object_id }) => object_id === to.id,
    );
    expect(audits).toMatchObject([{ detail: { new: 1, examinations: [made?.id] } }]);
  });

  it('EXAM-6 who has the chat open is told of the line that says so, and of the examination', async () => {
    const { text } = await fileOf(await reported(TEMPLATES.renalProfile, { potassium: '4.4' }));
    const socket = await openSocket(server);
    await socket.join(mira.client, `presence-chat.${to.id}`);
    await taken(text);
    const [made] = await listed();
    const line = await socket.next(({ event }) => event === 'App\\Events\\MessageSent');
    expect(line.data).toMatchObject({ message: { chat_id: to.id, body: 'imported: Renal profile' } });
    const changed = await socket.next(({ event }) => event === 'App\\Events\\ExaminationChanged');
    expect(changed.data).toEqual({ chat_id: to.id, examination_id: made?.id, version: 1 });
    socket.close();
  });

  it('EXAM-6 the same file twice, or twice at once, makes one; what is there is never changed', async () => {
    const { text, bundle } = await fileOf(await reported(TEMPLATES.renalProfile, { potassium: '4.4' }));
    const answers = await Promise.all([taken(text), taken(text)]);
    expect(answers.map(({ counts }) => counts.new).sort()).toEqual([0, 1]);
    const other = changed(bundle, 'Observation', () => ({
      valueQuantity: { value: 9.9, unit: 'mmol/L', code: 'mmol/L' },
    }));
    expect((await taken(other)).counts).toMatchObject({ new: 0, known: 1 });
    const [made, ...more] = await listed();
    expect(more).toEqual([]);
    const now = (await mira.client.send('GET', `/api/examinations/${made?.id}`)).json<Examination>();
    expect(now.entries.map(({ value }) => value)).toEqual(['4.4']);
    await expect(sql`update examination_imports set identifier = 'x'`.execute(server.db)).rejects.toThrow(
      'never changed',
    );
    // Back in its own chat it is there already.
    expect((await taken(text, true, { who: owen, chat: from })).counts).toMatchObject({ new: 0, known: 1 });
  });

  it('EXAM-6 says of another version that it comes beside the one that is here, and of the same one again that it is known', async () => {
    const { text, bundle } = await fileOf(await reported(TEMPLATES.renalProfile, { potassium: '4.4' }));
    await taken(text);
    const next = changed(bundle, 'DiagnosticReport', () => ({ identifier: [{ system: 'urn:oid:2.999', value: '2' }] }));
    const said = async () => {
      const { rows } = await taken(next, false);
      return [rows[0]?.outcome, ...(rows[0]?.problems ?? []).map(({ message }) => message)];
    };
    expect(await said()).toEqual(['new', 'Another version of it is here. It stays, and this one comes beside it.']);
    await taken(next);
    expect(await said()).toEqual(['known']);
    expect(await listed()).toHaveLength(2);
  });

  it('EXAM-3 EXAM-6 it is not amended here, only marked as entered in error', async () => {
    await taken((await fileOf(await reported(TEMPLATES.renalProfile, { potassium: '4.4' }))).text);
    const [made] = await listed();
    const move = (state: string) =>
      mira.client.send('POST', `/api/examinations/${made?.id}/transitions`, {
        body: {
          to: state,
          expected_version: 1,
          reason: 'Another sample',
          entries: state === 'amended' ? [{ field: 'f1', value: '4.5' }] : [],
        },
      });
    expect((await move('amended')).json()).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('imported'),
    });
    expect((await move('entered_in_error')).json()).toMatchObject({ state: 'entered_in_error' });
    const { bundle } = await exported(mira, `/api/examinations/${made?.id}/fhir`);
    expect(substance(bundle, ['DiagnosticReport'])).toMatchObject([{ status: 'entered-in-error' }]);
  });

  it('EXAM-2 EXAM-6 what is not known is kept as text: codes, and units that are none of UCUM', async () => {
    const { bundle } = await fileOf(await reported(TEMPLATES.renalProfile, { potassium: '4.4', sodium: '140' }));
    const strange = changed(bundle, 'Observation', () => ({
      code: { coding: [{ system: 'urn:oid:1.2.3', code: 'KAL' }], text: 'Kalium' },
      valueQuantity: { value: 4.4, unit: 'mval' },
    }));
    await taken(strange);
    const [made] = await listed();
    const { template, entries } = (await mira.client.send('GET', `/api/examinations/${made?.id}`)).json<Examination>();
    expect(template.fields[0]).toMatchObject({ label: 'Kalium (KAL)', kind: 'text' });
    expect(entries[0]).toMatchObject({ value: '4.4 mval' });
    // The form that was made of it is nothing to begin by.
    const forms = (await mira.client.send('GET', `/api/facilities/${facility.id}/examination-templates`)).json().data;
    expect(forms.map(({ id }: { id: string }) => id)).not.toContain(template.id);
    const begun = await mira.client.send('POST', `/api/chats/${to.id}/examinations`, {
      body: { client_id: newId(), template_id: template.id },
    });
    expect(begun.statusCode).toBe(422);
  });

  it('EXAM-6 EXAM-7 a finding with a time of its own keeps it; a day alone, and what is still to come, is none', async () => {
    const { bundle } = await fileOf(await reported(TEMPLATES.renalProfile, { potassium: '4.4', sodium: '140' }));
    const times = ['2026-11-01T08:30:00+01:00', '2026-11-01'];
    await taken(changed(bundle, 'Observation', () => ({ effectiveDateTime: times.shift() ?? '2099-01-01T00:00:00Z' })));
    const [made] = await listed();
    const { entries } = (await mira.client.send('GET', `/api/examinations/${made?.id}`)).json<Examination>();
    expect(entries.map(({ observed_at }) => observed_at)).toEqual(['2026-11-01T07:30:00.000Z', undefined]);
    const again = await exported(mira, `/api/examinations/${made?.id}/fhir`);
    expect(substance(again.bundle, ['Observation'])[0]).toMatchObject({
      effectiveDateTime: '2026-11-01T07:30:00.000Z',
    });
  });

  it('EXAM-5 EXAM-6 a critical finding calls nobody, and the preview says so', async () => {
    const { text } = await fileOf(await reported(TEMPLATES.renalProfile, { potassium: '6.8' }));
    const { rows } = await taken(text);
    expect(rows[0]?.problems.map(({ message }) => message)).toEqual(['Critical: Potassium. An import calls nobody.']);
    expect(await server.db.selectFrom('critical_alerts').select('id').where('chat_id', '=', to.id).execute()).toEqual(
      [],
    );
  });
});

describe('EXAM-6 A16 for whom, and of whom', () => {
  it('EXAM-6 A16 is for who signs in the chat, and nobody else', async () => {
    const { text } = await fileOf(await reported(TEMPLATES.renalProfile, { potassium: '4.4' }));
    expect((await send(text, true, { who: owen })).statusCode).toBe(404);
    expect((await send(text, true, { who: away })).statusCode).toBe(404);
    const clerk = await signedInMember(server, { facility, name: 'Cora Clerk', roles: ['censusOfficer'] });
    await mira.client.send('PUT', `/api/chats/${to.id}/participants/${clerk.id}`, { body: {} });
    for (const apply of [false, true]) expect((await send(text, apply, { who: clerk })).statusCode).toBe(403);
    expect(await listed()).toEqual([]);
  });

  it('EXAM-6 another patient is refused; the number of another hospital wants the date of birth too', async () => {
    const { text, bundle } = await fileOf(await reported(TEMPLATES.renalProfile, { potassium: '4.4' }));
    const OTHER = 'It is of another patient than this chat.';
    const other = await newCase(mira, facility, { ...EDITH, identifier: '40-118-237' });
    const namesake = await newCase(mira, facility, { ...EDITH, born_on: '1950-01-01' });
    for (const chat of [other, namesake]) {
      const { counts, rows } = await taken(text, true, { chat });
      expect(counts).toMatchObject({ new: 0, refused: 1 });
      expect(rows[0]?.problems[0]?.message).toBe(OTHER);
    }
    const unborn = changed(bundle, 'Patient', () => ({ birthDate: undefined }));
    expect((await taken(unborn, false)).counts).toMatchObject({ new: 1 });
    const there = await newCase(away, elsewhere);
    expect((await taken(text, false, { who: away, chat: there })).counts).toMatchObject({ new: 1 });
    expect((await taken(unborn, false, { who: away, chat: there })).rows[0]?.problems[0]?.message).toBe(OTHER);
    const mixed = changed(bundle, 'Observation', () => ({ subject: { reference: `urn:uuid:${owen.id}` } }));
    expect(await reasonFor(mixed)).toBe('A finding in it is of another patient.');
  });
});

describe('EXAM-6 A21 files that are none', () => {
  let bundle: Bundle;
  beforeEach(async () => {
    bundle = (await fileOf(await reported(TEMPLATES.renalProfile, { potassium: '4.4', sodium: '140' }))).bundle;
  });

  it('EXAM-6 A21 what is no FHIR, too deep, too many, or not text is refused whole', async () => {
    const deep = `{"resourceType":"Bundle","type":"collection","entry":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    const [first] = bundle.entry;
    const many = {
      ...bundle,
      entry: Array.from({ length: 5001 }, () => ({ fullUrl: 'x', resource: { ...first?.resource, id: newId() } })),
    };
    const wrongType = { resourceType: 'Bundle', type: 'collection', entry: 'all of them' };
    const broken = [
      '',
      'a line',
      '{"resourceType":"Bundle"',
      '[]',
      '{}',
      '01',
      deep,
      JSON.stringify(many),
      JSON.stringify(wrongType),
    ];
    for (const file of broken.slice(1))
      expect(await refusedWith(file)).toMatch(/^This (?:file cannot be read|is not a FHIR file)/);
    expect(await refusedWith(Buffer.from([0x7b, 0xff, 0xfe, 0x7d]))).toMatch(/cannot be read/);
    expect(await refusedWith(Buffer.alloc(5_300_000, 0x20))).toBe('At most 5 MB.');
    const nul = changed(bundle, 'DiagnosticReport', () => ({ code: { text: 'Renal\u0000' } }));
    expect(await refusedWith(nul)).toContain('letters that are none');
  });

  it('EXAM-6 A21 what leads out of the file, in a circle or is a program is refused whole', async () => {
    const result = (resource: Resource) => [...resource['result'], { reference: 'https://example.org/Observation/1' }];
    expect(await refusedWith(changed(bundle, 'DiagnosticReport', (one) => ({ result: result(one) })))).toContain(
      'not in the file',
    );
    expect(
      await refusedWith(changed(bundle, 'Observation', () => ({ subject: { reference: `urn:uuid:${newId()}` } }))),
    ).toContain('not in the file');
    const report = bundle.entry.find(({ resource }) => resource['resourceType'] === 'DiagnosticReport');
    const circle = changed(bundle, 'Observation', () => ({ derivedFrom: [{ reference: report?.fullUrl }] }));
    expect(await refusedWith(circle)).toContain('in a circle');
    expect(
      await refusedWith(
        changed(bundle, 'Observation', (one) => ({ hasMember: [{ reference: `urn:uuid:${one['id']}` }] })),
      ),
    ).toContain('in a circle');
    for (const text of ['<script>alert(1)</script>', 'a <IFRAME src=x>', '[see](javascript:alert(1))']) {
      expect(await refusedWith(changed(bundle, 'Observation', () => ({ valueString: text })))).toContain(
        'a program in its text',
      );
    }
    const twice = { ...bundle, entry: [...bundle.entry, ...bundle.entry.slice(0, 1)] };
    expect(await refusedWith(twice)).toContain('in the file twice');
  });

  it('EXAM-6 a report that is not final, of wrong types, of the future or changed after it was signed is not taken', async () => {
    const wrong = (change: object) => reasonFor(changed(bundle, 'DiagnosticReport', () => change));
    expect(await wrong({ status: 'preliminary' })).toBe('It is not final.');
    expect(await wrong({ result: 7 })).toBe('It is not as FHIR states a report.');
    expect(await wrong({ issued: '2999-01-01T00:00:00Z' })).toBe('Its time lies in the future.');
    expect(await wrong({ effectiveDateTime: undefined, issued: undefined })).toBe('It does not say when it was made.');
    expect(await wrong({ subject: undefined })).toBe('It does not say whose it is.');
    const data = Buffer.from('{"entries":[]}').toString('base64');
    expect(await wrong({ presentedForm: [{ data }] })).toBe('It was changed after it was signed.');
    const text = await reasonFor(changed(bundle, 'Observation', () => ({ valueQuantity: { value: 'much' } })));
    expect(text).toBe('A finding in it is not as FHIR states one.');
    const patient = bundle.entry.find(({ resource }) => resource['resourceType'] === 'Patient');
    expect(await wrong({ result: [{ reference: patient?.fullUrl }] })).toBe(
      'A finding in it is not as FHIR states one.',
    );
  });
});

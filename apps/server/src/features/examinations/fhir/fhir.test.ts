import { createHash } from 'node:crypto';
import type { Chat } from '@wardline/contract/chat/chat.ts';
import type { Examination, ExaminationTemplate, TemplateField } from '@wardline/contract/examinations/examinations.ts';
import { isCritical } from '@wardline/examination/reference-range.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FhirDecimal, writeFhir } from '#/platform/fhir/fhir-json.ts';
import { newId } from '#/platform/new-id.ts';
import { makeChat } from '#/testing/factories/chats.ts';
import { TEMPLATES } from '#/testing/factories/examinations.ts';
import { type MadeFacility, makeFacility } from '#/testing/factories/facilities.ts';
import { type FhirResource, readFhir } from '#/testing/read-fhir.ts';
import { type SignedInMember as Person, signedInMember } from '#/testing/signed-in-member.ts';
import { auditOf, type TestClient } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';

let server: TestServer;
let facility: MadeFacility;
let mira: Person;
let outsider: Person;
let chat: Chat;
let templates: ExaminationTemplate[];

beforeAll(async () => {
  server = await startTestServer();
  facility = await makeFacility(server.db, { name: 'St. Brigid General', timeZone: 'Europe/Dublin' });
  mira = await person('Mira Okafor');
  outsider = await person('Otto Outsider');
  const patient = { name: 'Edith Maron', identifier: '40-118-236', born_on: '1948-03-14' };
  const body = { client_id: newId(), kind: 'case', patient, participant_ids: [] };
  chat = (await mira.client.send('POST', `/api/facilities/${facility.id}/chats`, { body })).json();
  templates = (await mira.client.send('GET', `/api/facilities/${facility.id}/examination-templates`)).json().data;
});
afterAll(() => server.close());

const person = (name: string) => signedInMember(server, { facility, name });

async function done(answer: ReturnType<TestClient['send']>): Promise<Examination> {
  const given = await answer;
  expect([200, 201], given.body).toContain(given.statusCode);
  return given.json();
}
const begin = (template_id: string, more: object = {}) =>
  done(
    mira.client.send('POST', `/api/chats/${chat.id}/examinations`, {
      body: { client_id: newId(), template_id, ...more },
    }),
  );
const enter = ({ id, version }: Examination, values: Readonly<Record<string, string>>) =>
  done(
    mira.client.send('PATCH', `/api/examinations/${id}`, {
      body: { expected_version: version, entries: toEntries(values) },
    }),
  );
const move = ({ id, version }: Examination, to: string, more: object = {}) =>
  done(
    mira.client.send('POST', `/api/examinations/${id}/transitions`, {
      body: { to, expected_version: version, ...more },
    }),
  );
const toEntries = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([field, value]) => ({ field, value }));
async function report(template: string, values: Readonly<Record<string, string>>, more: object = {}) {
  const asked = await move(await enter(await begin(template, more), values), 'requested');
  const started = await move(asked, 'in_progress');
  const isGrave = started.entries.some(({ interpretation }) => isCritical(interpretation));
  return move(started, 'reported', isGrave ? { critical: { kind: 'none', reason: 'Told at the bedside' } } : {});
}

const bundleOf = (path: string) => readFhir(mira.client, path);
const examinationBundle = ({ id }: { id: string }) => bundleOf(`/api/examinations/${id}/fhir`);

/** A value that every field of this kind takes. */
function anyValue({ kind, options, decimals, absolute_high }: TemplateField): string {
  switch (kind) {
    case 'quantity':
      return absolute_high ?? (decimals === 0 ? '18' : '18.5');
    case 'range':
      return '4–6.50';
    case 'code':
      return options?.[0]?.code ?? '';
    case 'boolean':
      return 'yes';
    case 'text':
      return 'Ward round, “quoted”, µ';
  }
}
const anyValues = ({ fields }: ExaminationTemplate) =>
  Object.fromEntries(fields.map((field) => [field.code, anyValue(field)]));

describe('EXAM-6 an examination as a FHIR R4 Bundle', () => {
  it('EXAM-6 is valid by an independent validator for each shipped form, with every field in it', async () => {
    expect(templates).toHaveLength(7);
    for (const template of templates) {
      const { of } = await examinationBundle(await report(template.id, anyValues(template), { patient_sex: 'female' }));
      const [result] = of('DiagnosticReport');
      expect(result).toMatchObject({ status: 'final', code: { text: template.name } });
      const said = of('Observation').flatMap(({ code, component }) => [
        code.text,
        ...(component ?? []).map((part: { code: { text: string } }) => part.code.text),
      ]);
      const found = template.fields.filter(({ part }) => part !== 'request').map(({ label }) => label);
      expect(said).toEqual(expect.arrayContaining(found));
      expect(result?.['result']).toHaveLength(of('Observation').length);
    }
  });

  it('EXAM-2 EXAM-6 a quantity keeps its digits, its sign, its unit, its flag and the range that it was held against', async () => {
    const values = { potassium: '6.80', sodium: '<120', urea: '7,10', impression: 'Hyperkalaemia' };
    const { of, text } = await examinationBundle(await report(TEMPLATES.renalProfile, values));
    expect(text).toContain('"value":6.80,');
    expect(text).toContain('"value":7.10,');
    const potassium = of('Observation').find(({ code }) => code.text === 'Potassium');
    expect(potassium).toMatchObject({
      status: 'final',
      category: [{ coding: [{ code: 'laboratory' }] }],
      code: { coding: [{ system: 'http://loinc.org', code: '2823-3' }] },
      valueQuantity: { value: 6.8, unit: 'mmol/L', system: 'http://unitsofmeasure.org', code: 'mmol/L' },
      interpretation: [{ coding: [{ code: 'HH' }] }],
      referenceRange: [{ low: { value: 3.5 }, high: { value: 5.3 } }],
    });
    expect(of('Observation').find(({ code }) => code.text === 'Sodium')).toMatchObject({
      valueQuantity: { value: 120, comparator: '<' },
    });
    expect(of('DiagnosticReport')[0]).toMatchObject({ conclusion: 'Hyperkalaemia' });
    const [patient] = of('Patient');
    expect(patient).toMatchObject({
      identifier: [{ value: '40-118-236' }],
      name: [{ text: 'Edith Maron' }],
      birthDate: '1948-03-14',
    });
    expect(potassium?.['subject']).toEqual({ reference: `urn:uuid:${patient?.id}`, display: 'Edith Maron' });
  });

  it('EXAM-4 EXAM-6 vital signs are as FHIR’s profiles have them, and the score follows from its findings', async () => {
    const values = {
      ...{ respiration: '22', spo2: '93', spo2_scale: '1', oxygen: 'air', systolic: '98', diastolic: '60' },
      ...{ pulse: '112', consciousness: 'A', temperature: '38.4' },
    };
    const { of } = await examinationBundle(await report(TEMPLATES.vitalSigns, values));
    const pressure = of('Observation').find(({ code }) => code.text === 'Blood pressure');
    expect(pressure).toMatchObject({
      category: [{ coding: [{ code: 'vital-signs' }] }],
      code: { coding: [{ code: '85354-9' }] },
      component: [
        { code: { coding: [{ code: '8480-6' }] }, valueQuantity: { value: 98, code: 'mm[Hg]' } },
        { code: { coding: [{ code: '8462-4' }] }, valueQuantity: { value: 60, code: 'mm[Hg]' } },
      ],
    });
    const saturation = of('Observation').find(({ code }) => code.text === 'SpO₂');
    expect(saturation?.['code'].coding.map(({ code }: { code: string }) => code)).toEqual(['59408-5', '2708-6']);
    // 2 for the breaths, 2 for the saturation, 2 for the pressure, 2 for the pulse, 1 for the temperature.
    expect(of('Observation').find(({ code }) => code.text.includes('NEWS2'))).toMatchObject({ valueInteger: 9 });
    for (const observation of of('Observation')) expect(observation['effectiveDateTime']).toBeTruthy();
  });

  it('EXAM-3 EXAM-6 an amended report is the newest one, and each version names its signer, its reason and the hash of its text', async () => {
    const first = await report(TEMPLATES.renalProfile, { potassium: '6.8' });
    const amended = await move(first, 'amended', { reason: 'Haemolysed', entries: toEntries({ potassium: '4.1' }) });
    const { of } = await examinationBundle(amended);
    const [result] = of('DiagnosticReport');
    expect(result).toMatchObject({ status: 'amended', id: amended.id });
    expect(of('Observation').map(({ valueQuantity }) => valueQuantity?.value)).toEqual([4.1]);
    const signedText = Buffer.from(result?.['presentedForm'][0].data, 'base64');
    const ni = `ni:///sha-256;${createHash('sha256').update(signedText).digest('base64url')}`;
    expect(result?.['identifier']).toEqual([{ system: 'urn:ietf:rfc:3986', value: ni }]);
    expect(JSON.parse(signedText.toString())).toMatchObject({ version: 2, reason: 'Haemolysed' });
    const [second, original] = of('Provenance');
    expect(second).toMatchObject({
      target: [{ reference: `urn:uuid:${amended.id}` }],
      reason: [{ text: 'Haemolysed' }],
      activity: { coding: [{ code: 'UPDATE' }] },
      agent: [{ who: { display: 'Mira Okafor' } }],
      entity: [{ role: 'source', what: { identifier: { value: ni } } }, { role: 'revision' }],
    });
    expect(second?.['entity'][1].what).toEqual(original?.['entity'][0].what);
    expect(original).toMatchObject({ activity: { coding: [{ code: 'CREATE' }] } });
  });

  it('EXAM-6 what is not signed is no result, and what became of a request is said of it', async () => {
    const asked = await move(
      await enter(await begin(TEMPLATES.renalProfile), { question: 'Why so weak?', potassium: '6.8' }),
      'requested',
    );
    const { of } = await examinationBundle(asked);
    expect(of('ServiceRequest')).toMatchObject([{ status: 'active', reasonCode: [{ text: 'Why so weak?' }] }]);
    expect([...of('DiagnosticReport'), ...of('Observation'), ...of('Provenance')]).toEqual([]);
    const cancelled = await examinationBundle(await move(asked, 'cancelled', { reason: 'Done elsewhere' }));
    expect(cancelled.of('ServiceRequest')).toMatchObject([{ status: 'revoked', note: [{ text: 'Done elsewhere' }] }]);
    const wrong = await move(await report(TEMPLATES.renalProfile, { potassium: '6.8' }), 'entered_in_error', {
      reason: 'Another patient',
    });
    const struck = await examinationBundle(wrong);
    for (const kind of ['ServiceRequest', 'DiagnosticReport', 'Observation']) {
      for (const resource of struck.of(kind)) expect(resource['status']).toBe('entered-in-error');
    }
  });

  it('EXAM-6 the same thing has the same id in every file', async () => {
    const signed = await report(TEMPLATES.renalProfile, { potassium: '5.0' });
    const ids = async () => (await examinationBundle(signed)).of('Observation').map(({ id }) => id);
    expect(await ids()).toEqual(await ids());
    const other = await examinationBundle(await report(TEMPLATES.renalProfile, { potassium: '5.0' }));
    expect(other.of('Observation')[0]?.id).not.toBe((await ids())[0]);
    expect(other.of('Patient')[0]?.id).toBe((await examinationBundle(signed)).of('Patient')[0]?.id);
  });

  it('EXAM-6 A46 F-S4 each file is an entry of the audit, and nobody else is given one', async () => {
    const signed = await report(TEMPLATES.renalProfile, { potassium: '5.0' });
    await examinationBundle(signed);
    const ofIt = (await auditOf(server, 'examination.export', mira.id)).filter(
      ({ object_id }) => object_id === signed.id,
    );
    expect(ofIt).toHaveLength(1);
    const refused = await outsider.client.send('GET', `/api/examinations/${signed.id}/fhir`);
    expect(refused.statusCode).toBe(404);
    expect(refused.body).not.toContain('Edith');
    expect(await auditOf(server, 'examination.export', outsider.id)).toEqual([]);
  });
});

it('EXAM-7 A46 F-S4 each print is an entry of the audit, of who reads it alone', async () => {
  const signed = await report(TEMPLATES.renalProfile, { potassium: '5.0' });
  const print = (who: Person) => who.client.send('POST', `/api/examinations/${signed.id}/prints`);
  const audits = async (who: Person) =>
    (await auditOf(server, 'examination.print', who.id)).filter(({ object_id }) => object_id === signed.id);
  for (const _press of [1, 2]) expect((await print(mira)).statusCode).toBe(204);
  expect(await audits(mira)).toHaveLength(2);
  expect((await print(outsider)).statusCode).toBe(404);
  expect(await audits(outsider)).toEqual([]);
});

describe('EXAM-6 a chat as a FHIR R4 Bundle', () => {
  const say = async (who: Person, body: string, more: object = {}) => {
    const answer = await who.client.send('POST', `/api/chats/${chat.id}/messages`, {
      body: { client_id: newId(), body, ...more },
    });
    expect(answer.statusCode, answer.body).toBe(201);
    return answer.json();
  };

  it('EXAM-6 has its messages in their order, who sent them, what they answer, and its examinations', async () => {
    const signed = await report(TEMPLATES.renalProfile, { potassium: '6.80' });
    const question = await say(mira, 'Is the “6.80” haemolysed?');
    const answer = await say(mira, 'No. <b>Repeat</b> is 6.7', { reply_to: question.id });
    const wrong = await say(mira, 'Wrong chat');
    await mira.client.send('PUT', `/api/chats/${chat.id}/messages/${wrong.id}/deletion`, {
      body: { reason: 'Wrong chat' },
    });
    const { of, text } = await bundleOf(`/api/chats/${chat.id}/fhir`);
    const messages = of('Communication');
    expect(messages.map(({ sent }) => sent)).toEqual(messages.map(({ sent }) => sent).sort());
    const ofId = ({ id }: { id: string }) => messages.find((message) => message.id === id);
    const [patient] = of('Patient');
    expect(ofId(answer)).toMatchObject({
      status: 'completed',
      subject: { reference: `urn:uuid:${patient?.id}` },
      sender: { reference: `urn:uuid:${mira.id}`, display: 'Mira Okafor' },
      inResponseTo: [{ reference: `urn:uuid:${question.id}` }],
      payload: [{ contentString: 'No. <b>Repeat</b> is 6.7' }],
    });
    expect(ofId(wrong)).toMatchObject({ status: 'entered-in-error', note: [{ text: 'Deleted: Wrong chat' }] });
    expect(ofId(wrong)).not.toHaveProperty('payload');
    expect(of('DiagnosticReport').map(({ id }) => id)).toContain(signed.id);
    expect(text).toContain('"value":6.80,');
    const line = messages.find(({ payload }) => payload?.[0].contentString.startsWith('signed: Renal profile'));
    const order = of('ServiceRequest').map(({ id }) => `urn:uuid:${id}`);
    expect(order).toContain(line?.['about'][0].reference);
  });

  it('EXAM-6 A16 is for who manages the chat, and each file is an entry of the audit', async () => {
    const before = (await auditOf(server, 'chat.export', mira.id)).length;
    await bundleOf(`/api/chats/${chat.id}/fhir`);
    expect(await auditOf(server, 'chat.export', mira.id)).toHaveLength(before + 1);
    const reader = await person('Rita Reader');
    const added = await mira.client.send('PUT', `/api/chats/${chat.id}/participants/${reader.id}`, { body: {} });
    expect(added.statusCode, added.body).toBeLessThan(300);
    expect((await reader.client.send('GET', `/api/chats/${chat.id}/fhir`)).statusCode).toBe(403);
    expect((await outsider.client.send('GET', `/api/chats/${chat.id}/fhir`)).statusCode).toBe(404);
  });

  it('EXAM-6 for who sees the chat from later on, an answer names no message that is not in the file', async () => {
    const question = await say(mira, 'Is the sample haemolysed?');
    const later = await person('Lara Later');
    const body = { access: 'manage', history: 'now' };
    const added = await mira.client.send('PUT', `/api/chats/${chat.id}/participants/${later.id}`, { body });
    expect(added.statusCode, added.body).toBeLessThan(300);
    const answer = await say(mira, 'No.', { reply_to: question.id });
    const again = await say(mira, 'It was drawn twice.', { reply_to: answer.id });
    const { of } = await readFhir(later.client, `/api/chats/${chat.id}/fhir`);
    const messages = new Map(of('Communication').map((message) => [message.id, message]));
    expect(messages.has(question.id)).toBe(false);
    expect(messages.get(answer.id)).not.toHaveProperty('inResponseTo');
    expect(messages.get(again.id)).toMatchObject({ inResponseTo: [{ reference: `urn:uuid:${answer.id}` }] });
  });

  it('EXAM-6 a case in which nothing was examined yet says who the patient is', async () => {
    const patient = { name: 'Jan Novak', identifier: '40-118-999' };
    const body = { client_id: newId(), kind: 'case', patient, participant_ids: [] };
    const made = (await mira.client.send('POST', `/api/facilities/${facility.id}/chats`, { body })).json();
    const { of } = await bundleOf(`/api/chats/${made.id}/fhir`);
    expect(of('Patient')).toMatchObject([{ name: [{ text: 'Jan Novak' }] }]);
  });

  it('EXAM-6 a chat of more than a page of messages is whole, each message once', async () => {
    const bodies = Array.from({ length: 450 }, (_, index) => `Line ${index + 1}`);
    const team = await makeChat(server.db, {
      facilityId: facility.id,
      participants: [{ userId: mira.id, access: 'manage' }],
      messages: bodies.map((body) => ({ senderId: mira.id, body })),
    });
    const { of } = await bundleOf(`/api/chats/${team.id}/fhir`);
    expect(of('Communication').map(({ payload }) => payload[0].contentString)).toEqual(bodies);
    expect(of('Patient')).toEqual([]);
    expect(of('Practitioner')).toHaveLength(1);
  });
});

describe('EXAM-5 EXAM-6 a critical alert in the Bundle', () => {
  let owen: Person;
  let ana: Person;
  beforeAll(async () => {
    owen = await person('Owen Clarke');
    ana = await person('Ana Reyes');
    for (const { id } of [owen, ana])
      await mira.client.send('PUT', `/api/chats/${chat.id}/participants/${id}`, { body: {} });
  });
  const later = (minutes: number) => server.runEscalations(new Date(Date.now() + minutes * 60_000 + 2_000));
  async function critical(values: Readonly<Record<string, string>>) {
    const started = await move(
      await move(await enter(await begin(TEMPLATES.renalProfile), values), 'requested'),
      'in_progress',
    );
    const targets = { people: [owen.id], role_id: null };
    const signed = await move(started, 'reported', { critical: { kind: 'alert', category: 'minutes', targets } });
    const [alert] = signed.critical_alerts ?? [];
    if (!alert) throw new Error('nobody was called');
    const act = (who: Person, method: 'PUT' | 'POST', path: string, body: object) =>
      who.client.send(method, `/api/chats/${chat.id}/messages/${alert.message_id}/${path}`, { body });
    return { signed, alert, act };
  }
  const agreed = (value: string) => ({
    findings: [{ field: 'potassium', value, unit: 'mmol/L' }],
    patient: { name: '', identifier: '40-118-236', born_on: null },
  });
  const categoriesOf = (steps: readonly FhirResource[]) => steps.map(({ category }) => category.at(-1).text);

  it('EXAM-5 EXAM-6 is its whole story: each step in order with its time, who said it to whom, about which finding', async () => {
    const { signed, alert, act } = await critical({ potassium: '6.80' });
    await later(5);
    await later(10);
    await act(owen, 'PUT', 'critical/receipt', {});
    expect((await act(owen, 'POST', 'critical/read-backs', agreed('8.60'))).json()).toMatchObject({ is_right: false });
    expect((await act(owen, 'POST', 'critical/read-backs', agreed('6.8'))).json()).toMatchObject({ is_right: true });
    expect((await act(owen, 'PUT', 'urgent/closure', { note: 'Calcium given' })).statusCode).toBe(200);
    const { of, text } = await examinationBundle(signed);
    const [finding] = of('Observation').filter(({ code }) => code.text === 'Potassium');
    const about = [{ reference: `urn:uuid:${finding?.id}` }];
    const [patient] = of('Patient');
    expect(of('CommunicationRequest')).toEqual([
      expect.objectContaining({
        ...{ id: alert.id, status: 'completed', priority: 'stat', about, authoredOn: alert.times.identified_at },
        subject: { reference: `urn:uuid:${patient?.id}`, display: 'Edith Maron' },
        payload: [{ contentString: 'Potassium 6.80 mmol/L, HH' }],
        requester: { reference: `urn:uuid:${mira.id}`, display: 'Mira Okafor' },
        recipient: expect.arrayContaining([{ reference: `urn:uuid:${owen.id}`, display: 'Owen Clarke' }]),
      }),
    ]);
    const steps = of('Communication');
    expect(categoriesOf(steps)).toEqual([
      ...['Sent', 'Sent again', 'Escalated', 'Received', 'Read back, not agreed', 'Read back, agreed', 'Closed'],
    ]);
    for (const step of steps) expect(step).toMatchObject({ basedOn: [{ reference: `urn:uuid:${alert.id}` }], about });
    const [sent, , , received, misread, agreedTo, closed] = steps;
    const now = (await mira.client.send('GET', `/api/examinations/${signed.id}`)).json<Examination>();
    const times = now.critical_alerts?.[0]?.times;
    expect([sent, received, agreedTo, closed].map((step) => step?.['sent'])).toEqual([
      ...[times?.notified_at, times?.received_at, times?.read_back_at, times?.closed_at],
    ]);
    expect(sent).toMatchObject({ recipient: [{ display: 'Owen Clarke' }], sender: { display: 'Mira Okafor' } });
    expect(misread).toMatchObject({
      sender: { display: 'Owen Clarke' },
      note: [{ text: 'Not agreed: value of Potassium' }],
    });
    for (const answer of [received, misread, agreedTo, closed]) {
      expect(answer).toMatchObject({ inResponseTo: [{ reference: `urn:uuid:${sent?.id}` }] });
    }
    // What was heard wrongly, and what somebody wrote in the chat, are not in the file of the examination.
    expect(text).not.toMatch(/\b8\.60\b|Calcium/);
    const raised = of('Provenance').find(({ target }) => target[0].reference === `urn:uuid:${alert.id}`);
    expect(raised).toMatchObject({ recorded: alert.times.identified_at, agent: [{ who: { display: 'Mira Okafor' } }] });
  });

  it('EXAM-6 one that an amendment ended is revoked, and is about the report where its finding is gone', async () => {
    const { signed, alert } = await critical({ potassium: '6.8', sodium: '140' });
    const entries = toEntries({ potassium: '' });
    await move(signed, 'amended', { reason: 'Haemolysed', entries });
    const { of } = await examinationBundle(signed);
    expect(of('CommunicationRequest')).toMatchObject([
      { id: alert.id, status: 'revoked', about: [{ reference: `urn:uuid:${signed.id}` }] },
    ]);
    expect(categoriesOf(of('Communication'))).toEqual(['Sent', 'Withdrawn']);
  });

  it('EXAM-6 stands in the Bundle of its chat too, beside the message that calls', async () => {
    const { alert } = await critical({ potassium: '2.0' });
    const { of } = await bundleOf(`/api/chats/${chat.id}/fhir`);
    expect(of('CommunicationRequest').map(({ id }) => id)).toContain(alert.id);
    const ids = of('Communication').map(({ id }) => id);
    expect(ids).toContain(alert.message_id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

it('EXAM-6 a decimal is written digit by digit, and a text that looks like one stays a text', () => {
  const written = writeFhir({ value: new FhirDecimal('0.10000000'), text: '0.10', nested: [new FhirDecimal('-2.50')] });
  expect(written).toBe('{"value":0.10000000,"text":"0.10","nested":[-2.50]}');
});

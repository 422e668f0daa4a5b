import { createHash } from 'node:crypto';
import type { Chat, Message } from '@wardline/contract/chat/chat.ts';
import type { Handover } from '@wardline/contract/examinations/handovers.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#/platform/new-id.ts';
import { type MadeFacility, makeFacility } from '#/testing/factories/facilities.ts';
import { makeOnCallRole, makeShift } from '#/testing/factories/on-call.ts';
import { readFhir } from '#/testing/read-fhir.ts';
import { type SignedInMember as Person, signedInMember } from '#/testing/signed-in-member.ts';
import { auditOf } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';

let server: TestServer;
let facility: MadeFacility;
let ana: Person;
let mira: Person;
let otto: Person;
let chat: Chat;
let pin: Message;

beforeAll(async () => {
  server = await startTestServer();
  facility = await makeFacility(server.db, { name: 'St. Brigid General', timeZone: 'Europe/Dublin' });
  ana = await person('Ana Reyes');
  mira = await person('Mira Okafor');
  otto = await person('Otto Outsider');
});
afterAll(() => server.close());
beforeEach(async () => {
  const patient = { name: 'Edith Maron', identifier: '40-118-236', born_on: '1948-03-14', bed: '3A-07' };
  const body = { client_id: newId(), kind: 'case', patient, participant_ids: [mira.id] };
  chat = (await ana.client.send('POST', `/api/facilities/${facility.id}/chats`, { body })).json();
  const said = { client_id: newId(), body: 'Allergic to penicillin' };
  pin = (await ana.client.send('POST', `/api/chats/${chat.id}/messages`, { body: said })).json();
});

const person = (name: string) => signedInMember(server, { facility, name });
const LACTATE = { id: newId(), text: 'Repeat lactate', owner: 'Night SHO', due_at: '2026-11-25T02:00:00.000Z' };
const LITRE = { id: newId(), text: 'Second litre', owner: '', due_at: null };
const IPASS = () => ({
  ...{ format: 'ipass', severity: 'watcher', actions: [LACTATE, LITRE] },
  lines: [
    { section: 'summary', text: 'Allergic to penicillin', source: { kind: 'message', id: pin.id }, is_quoted: true },
    { section: 'awareness', text: 'If pressure < 90 & rising "lactate":\ncall the registrar' },
  ],
});
const SBAR = () => ({
  ...{ format: 'sbar', severity: null, actions: [] },
  lines: ['situation', 'background', 'assessment', 'recommendation'].map((section) => ({
    section,
    text: `Says ${section}`,
  })),
});

async function done(answer: ReturnType<Person['client']['send']>): Promise<Handover> {
  const given = await answer;
  expect([200, 201], given.body).toContain(given.statusCode);
  return given.json();
}
const give = (sheet: object = IPASS(), to: object = { user_id: mira.id, role_id: null }) =>
  done(
    ana.client.send('POST', `/api/chats/${chat.id}/handovers`, {
      body: { client_id: newId(), sheet, to, hands_over_chat: false },
    }),
  );
const move = (who: Person, { id, version }: Handover, event: string, text: string) =>
  done(
    who.client.send('POST', `/api/handovers/${id}/transitions`, { body: { event, expected_version: version, text } }),
  );
const correct = ({ id, version }: Handover, sheet: object = IPASS()) =>
  done(
    ana.client.send('POST', `/api/handovers/${id}/versions`, {
      body: {
        ...{ expected_version: version, reason: 'Wrong dose', sheet, hands_over_chat: false },
        to: { user_id: mira.id, role_id: null },
      },
    }),
  );
const fileOf = ({ id }: Handover, who = mira) => readFhir(who.client, `/api/handovers/${id}/fhir`);
const niOf = (text: string) => `ni:///sha-256;${createHash('sha256').update(text).digest('base64url')}`;

describe('HAND-1 a hand-over as a FHIR R4 document', () => {
  it('HAND-1 EXAM-6 A16 is valid by an independent validator in every state and form, each reference leading to what is in it', async () => {
    const given = await give();
    const states: [Handover, string, string, string][] = [
      [given, 'final', 'requested', 'requested'],
      [await move(mira, await give(), 'receive', 'I watch the lactate.'), 'final', 'accepted', 'accepted'],
      [await move(mira, await give(), 'decline', 'Full'), 'final', 'rejected', 'requested'],
      [await move(ana, await give(), 'withdraw', 'Goes home'), 'entered-in-error', 'cancelled', 'cancelled'],
      [await correct(await give()), 'amended', 'requested', 'requested'],
    ];
    for (const [handover, status, taking, action] of states) {
      const { text, of } = await fileOf(handover);
      const bundle = JSON.parse(text);
      expect(bundle.type).toBe('document');
      expect(bundle.entry[0].resource.resourceType).toBe('Composition');
      expect(bundle.identifier.value).toMatch(/^urn:uuid:/);
      expect(of('Composition')[0]).toMatchObject({ id: handover.id, status });
      expect(of('Task').map((task) => task['status'])).toEqual([taking, action, action]);
    }
    const { of } = await fileOf(await give(SBAR()));
    expect(of('Composition')[0]?.['section'].map(({ title }: { title: string }) => title)).toEqual([
      ...['Situation', 'Background', 'Assessment', 'Recommendation'],
    ]);
    expect(of('Task')).toHaveLength(1);
  });

  it('HAND-1 says whose it is, in its parts what was written and where from, and who attests it', async () => {
    const received = await move(mira, await give(), 'receive', 'Urosepsis; I watch the lactate.');
    const { of } = await fileOf(received);
    const [composition] = of('Composition');
    expect(of('Patient')[0]).toMatchObject({ identifier: [{ value: '40-118-236' }], birthDate: '1948-03-14' });
    expect(composition).toMatchObject({
      ...{ title: 'I-PASS hand-over', type: { text: 'I-PASS hand-over' }, date: received.given_at },
      subject: { reference: `urn:uuid:${of('Patient')[0]?.id}` },
      author: [{ reference: `urn:uuid:${ana.id}`, display: 'Ana Reyes' }],
      attester: [
        { mode: 'professional', time: received.given_at, party: { display: 'Ana Reyes' } },
        { mode: 'professional', party: { display: 'Mira Okafor' } },
      ],
    });
    const sections: { title: string; text: { div: string }; entry?: object[] }[] = composition?.['section'];
    expect(sections.map(({ title, text }) => [title, text.div.replace(/<\/?div[^>]*>/g, '')])).toEqual([
      ['Illness severity', '<p>watcher</p>'],
      ['Patient summary', expect.stringMatching(/^<p>Allergic to penicillin \(Ana Reyes, .*\)<\/p>$/)],
      [
        'Situation awareness and contingency plans',
        '<p>If pressure &#60; 90 &#38; rising &#34;lactate&#34;:<br/>call the registrar</p>',
      ],
      ['Action list', '<p>Repeat lactate, Night SHO, by 2026-11-25T02:00:00.000Z</p><p>Second litre</p>'],
      ['Synthesis by receiver', '<p>Urosepsis; I watch the lactate.</p>'],
    ]);
    // As the file of the chat names the message.
    expect(sections[1]?.entry).toEqual([
      {
        ...{ type: 'Communication', display: 'Ana Reyes' },
        identifier: { system: 'urn:ietf:rfc:3986', value: `urn:uuid:${pin.id}` },
      },
    ]);
  });

  it('HAND-1 the taking over and each action are Tasks, with who, by when, and who has done it', async () => {
    const roleId = await makeOnCallRole(server.db, { facilityId: facility.id, name: `Registrar ${chat.id.slice(-4)}` });
    await makeShift(server.db, {
      ...{ facilityId: facility.id, roleId, userId: mira.id },
      ...{ startsAt: new Date(Date.now() - 1000), endsAt: new Date(Date.now() + 3_600_000) },
    });
    const received = await move(mira, await give(IPASS(), { user_id: null, role_id: roleId }), 'receive', 'Yes.');
    await mira.client.send('PUT', `/api/handovers/${received.id}/actions/${LACTATE.id}`, { body: { is_done: true } });
    const { of } = await fileOf(received);
    const [taking, lactate, litre] = of('Task');
    expect(taking).toMatchObject({
      ...{ status: 'accepted', code: { text: 'Take the patient over' } },
      focus: { reference: `urn:uuid:${received.id}` },
      ...{ requester: { display: 'Ana Reyes' }, owner: { display: 'Mira Okafor' } },
      performerType: [{ text: `Registrar ${chat.id.slice(-4)}` }],
    });
    expect(lactate).toMatchObject({
      ...{ status: 'completed', description: 'Repeat lactate', owner: { display: 'Night SHO' } },
      ...{ restriction: { period: { end: LACTATE.due_at } }, partOf: [{ reference: `urn:uuid:${taking?.id}` }] },
    });
    expect(litre).toMatchObject({ status: 'accepted', description: 'Second litre' });
    expect(litre).not.toHaveProperty('owner');
    const by = of('Provenance').find(({ activity }) => activity.text === 'Done');
    expect(by).toMatchObject({
      target: [{ reference: `urn:uuid:${lactate?.id}` }],
      agent: [{ type: { coding: [{ code: 'performer' }] }, who: { display: 'Mira Okafor' } }],
    });
  });

  it('HAND-1 says why it was declined, and by whom', async () => {
    const { of } = await fileOf(await move(mira, await give(), 'decline', 'My list is full'));
    expect(of('Task')[0]).toMatchObject({
      ...{ status: 'rejected', statusReason: { text: 'My list is full' } },
      note: [{ authorReference: { display: 'Mira Okafor' }, text: 'My list is full' }],
    });
  });

  it('HAND-1 A29 has what both signed byte for byte, a Provenance for each signature, and each version after the one before', async () => {
    const first = await move(mira, await give(), 'receive', 'First.');
    const received = await move(mira, await correct(first), 'receive', 'Second.');
    const { of } = await fileOf(received);
    const texts = of('DocumentReference').map(({ content }) =>
      Buffer.from(content[0].attachment.data, 'base64').toString(),
    );
    expect(texts.map((text) => JSON.parse(text).version)).toEqual([2, 2]);
    expect(of('DocumentReference').map(({ masterIdentifier }) => masterIdentifier.value)).toEqual(texts.map(niOf));
    expect(of('Composition')[0]).toMatchObject({
      ...{
        status: 'amended',
        title: 'I-PASS hand-over, version 2: Wrong dose',
        identifier: { value: niOf(texts[0] ?? '') },
      },
      relatesTo: [{ code: 'replaces' }],
    });
    const signatures = of('Provenance').map(({ agent, recorded, entity }) => [
      agent[0].type.coding[0].code,
      agent[0].who.display,
      entity.length,
      typeof recorded,
    ]);
    expect(signatures).toEqual([
      ['author', 'Ana Reyes', 2, 'string'],
      ['attester', 'Mira Okafor', 1, 'string'],
      ['author', 'Ana Reyes', 1, 'string'],
      ['attester', 'Mira Okafor', 1, 'string'],
    ]);
  });

  it('HAND-1 A16 A29 is for who reads the chat, and each time it is taken stands in the audit', async () => {
    const given = await give();
    const path = `/api/handovers/${given.id}/fhir`;
    expect((await otto.client.send('GET', path)).statusCode).toBe(404);
    await fileOf(given);
    await fileOf(given);
    const entries = await auditOf(server, 'handover.export', mira.id);
    expect(entries.filter(({ object_id }) => object_id === given.id)).toMatchObject(
      [1, 2].map(() => ({
        ...{ facility_id: facility.id, object_type: 'handover', detail: { chat: chat.id, version: 1 } },
      })),
    );
    expect((await auditOf(server, 'handover.export', otto.id)).length).toBe(0);
  });
});

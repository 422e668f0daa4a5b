import { readdir } from 'node:fs/promises';
import type { AskedRule, HoldablePerson, LegalHold } from '@wardline/contract/chat/records.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pdf, upload } from '#/features/chat/attachments/testing/send-files.ts';
import { lockRetentionPolicy } from '#/features/chat/core/lock-retention-policy.ts';
import { newId } from '#/platform/new-id.ts';
import { makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { type SignedInMember, signedInMember } from '#/testing/signed-in-member.ts';
import { untilBlocked } from '#/testing/until-blocked.ts';
import { openRecordsFixture, type RecordsFixture } from './testing/records-fixture.ts';

const MONTH: readonly AskedRule[] = (['case', 'group', 'direct'] as const).map((kind) => ({
  ...{ kind, mode: 'delete', days: 30 },
}));
const WHY = 'Claim of the family, file 12/2026.';

let ward: RecordsFixture;
beforeAll(async () => {
  ward = await openRecordsFixture();
});
afterAll(() => ward.server.close());
beforeEach(async () => {
  await ward.server.db.deleteFrom('legal_holds').execute();
  await ward.keep(...MONTH);
});

const path = () => `/api/facilities/${ward.facility.id}/legal-holds`;
const ask = (subject: object, { by = ward.rhea, clientId = newId(), reason = WHY } = {}) =>
  by.client.send('POST', path(), { body: { client_id: clientId, subject, reason } });
async function hold(subject: object): Promise<LegalHold> {
  const answer = await ask(subject);
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json();
}
const lift = (id: string, { by = ward.rhea, reason = 'The claim is settled.' } = {}) =>
  by.client.send('PUT', `${path()}/${id}/end`, { body: { reason } });
const list = async (query = '', by = ward.rhea): Promise<{ data: LegalHold[]; next_cursor: string | null }> =>
  (await by.client.send('GET', `${path()}${query}`)).json();
const bodiesOf = async (chat: { id: string }) => (await ward.read(chat)).map(({ body }) => body);

async function openCase(identifier: string) {
  const patient = { name: 'Edith Maron', identifier, born_on: '1948-03-14', bed: null };
  const chat = await ward.open({ kind: 'case', patient, title: undefined });
  await ward.say(ward.ana, chat, { body: 'Admitted' });
  await ward.server.db.updateTable('chats').set({ state: 'closed' }).where('id', '=', chat.id).execute();
  await ward.age(chat, 31);
  return chat;
}

describe('what is held', () => {
  it('ADM-4 a chat on legal hold loses nothing, whatever its age, until the hold is lifted', async () => {
    const [held, other] = [await ward.open(), await ward.open()];
    const { id } = await hold({ kind: 'chat', chat_id: held.id });
    for (const chat of [held, other]) await ward.age(chat, 31);
    await ward.night();
    expect([await bodiesOf(held), await bodiesOf(other)]).toEqual([['created the chat'], ['']]);
    expect((await lift(id)).json().lifted).toMatchObject({ by: { id: ward.rhea.id }, reason: 'The claim is settled.' });
    await ward.night();
    expect(await bodiesOf(held)).toEqual(['']);
  });

  it('ADM-4 of a patient every chat with their number, however it is written, also one that is opened later', async () => {
    const id = newId();
    const number = `Mrn ${id}`;
    const before = await openCase(number);
    await hold({ kind: 'patient', identifier: number.toUpperCase() });
    const [after, other] = [await openCase(id.replaceAll('-', ' ')), await openCase(`MRN ${newId()}`)];
    await ward.night();
    expect(await bodiesOf(before)).toContain('Admitted');
    expect(await bodiesOf(after)).toContain('Admitted');
    expect(await bodiesOf(other)).not.toContain('Admitted');
    await hold({ kind: 'patient', identifier: number.toUpperCase() });
    const subject = { kind: 'patient', identifier: number.toUpperCase(), chat_count: 2 };
    expect((await list()).data.map((one) => one.subject)).toEqual([subject, subject]);
  });

  it('ADM-4 of a person all that they wrote, in every chat, also where it was forwarded', async () => {
    const { ana, leila, server } = ward;
    const [chat, second, third] = [await ward.open(), await ward.open({ title: 'Second' }), await ward.open()];
    await ward.say(ana, chat, { body: 'by Ana' });
    const theirs = await ward.say(leila, chat, { body: 'by Leila' });
    const forward = { client_id: newId(), source: { chat: chat.id, message: theirs.id } };
    const forwarded = await ana.client.send('POST', `/api/chats/${second.id}/forwards`, { body: forward });
    expect(forwarded.statusCode, forwarded.body).toBe(201);
    const { id } = await hold({ kind: 'person', user_id: leila.id });
    const holdsOf = async ({ id }: { id: string }) =>
      (await ward.rhea.client.send('GET', `/api/chats/${id}/record`)).json().holds.map((one: LegalHold) => one.id);
    expect([await holdsOf(chat), await holdsOf(second), await holdsOf(third)]).toEqual([[id], [id], []]);
    for (const one of [chat, second]) await ward.age(one, 31);
    await ward.night();
    expect(await bodiesOf(chat)).toEqual(['', '', 'by Leila']);
    expect(await bodiesOf(second)).toEqual(['', 'by Leila']);
    // Where all that is old enough is held, nothing is done, and nothing said of it.
    await ward.night();
    const told = await server.db
      .selectFrom('audit_entries')
      .select('detail')
      .where('action', '=', 'retention.expire')
      .where('object_id', '=', chat.id)
      .execute();
    expect(told).toMatchObject([{ detail: { messages: 2, waiting: 1 } }]);
    await server.db.deleteFrom('legal_holds').execute();
    await ward.night();
    expect(await bodiesOf(chat)).toEqual(['', '', '']);
  });

  it('ADM-4 A19 who deletes a message that is held deletes neither its text nor its files for the record; nobody is given them', async () => {
    const { ana, leila, server } = ward;
    const chat = await ward.open();
    const file = await upload(ana.client, chat.id, { bytes: pdf('x'), name: 'x.pdf' });
    const message = await ward.say(ana, chat, { body: 'I gave the wrong dose', attachments: [file] });
    await hold({ kind: 'person', user_id: ana.id });
    const answer = await ana.client.send('PUT', `/api/chats/${chat.id}/messages/${message.id}/deletion`, {
      body: { reason: 'No' },
    });
    expect(answer.statusCode, answer.body).toBe(200);
    await server.runJobs();
    const { key } = await server.db
      .selectFrom('attachments')
      .select('key')
      .where('id', '=', file)
      .executeTakeFirstOrThrow();
    const stored = async () =>
      (await readdir(server.filesRoot, { recursive: true })).filter(
        (name) => name.includes(key) && name.endsWith('.bin'),
      );
    expect(await stored()).toHaveLength(1);
    for (const who of [ana, leila, ward.rhea])
      expect((await who.client.send('GET', `/storage/attachments/${file}/file`)).statusCode).toBe(404);
    const texts = await server.db
      .selectFrom('message_versions')
      .select('body')
      .where('message_id', '=', message.id)
      .execute();
    expect(texts).toEqual([{ body: 'I gave the wrong dose' }]);
    await server.db.deleteFrom('legal_holds').execute();
    await server.db.updateTable('jobs').set({ run_at: sql`now()` }).execute();
    await server.runJobs();
    expect(await stored()).toEqual([]);
  });

  it('ADM-4 from the answer on: a night that is under way deletes nothing more of it', async () => {
    const chat = await ward.open();
    await ward.age(chat, 31);
    let placing: Promise<unknown> = Promise.resolve();
    // A step of the night holds the policy and has not deleted yet.
    await ward.server.db.transaction().execute(async (tx) => {
      await sql`select from retention_policies where facility_id = ${ward.facility.id} for share`.execute(tx);
      placing = hold({ kind: 'chat', chat_id: chat.id });
      await untilBlocked(ward.server.db, placing);
    });
    await placing;
    await ward.night();
    expect(await bodiesOf(chat)).toEqual(['created the chat']);
  });

  it('ADM-4 A19 a file whose message was deleted stays where a hold is placed before it has gone', async () => {
    const { ana, server } = ward;
    const { db } = server;
    // Of a facility that never set a rule, too.
    await sql`delete from retention_rules`.execute(db);
    await sql`delete from retention_policies`.execute(db);
    const chat = await ward.open();
    const file = await upload(ana.client, chat.id, { bytes: pdf('x'), name: 'x.pdf' });
    const message = await ward.say(ana, chat, { attachments: [file] });
    const deletion = `/api/chats/${chat.id}/messages/${message.id}/deletion`;
    expect((await ana.client.send('PUT', deletion, { body: { reason: 'No' } })).statusCode).toBe(200);
    let removing: Promise<unknown> = Promise.resolve();
    await db.transaction().execute(async (tx) => {
      await lockRetentionPolicy(tx, ward.facility.id, 'update');
      removing = server.runJobs();
      await untilBlocked(db, removing);
      const row = {
        id: newId(),
        facility_id: ward.facility.id,
        chat_id: chat.id,
        reason: WHY,
        placed_by: ward.rhea.id,
      };
      await tx.insertInto('legal_holds').values(row).execute();
    });
    await removing;
    const { key, state } = await db
      .selectFrom('attachments')
      .select(['key', 'state'])
      .where('id', '=', file)
      .executeTakeFirstOrThrow();
    const stored = await readdir(server.filesRoot, { recursive: true });
    expect([state, stored.filter((name) => name.includes(key) && name.endsWith('.bin')).length]).toEqual([
      'removing',
      1,
    ]);
  });
});

describe('who holds', () => {
  it('ADM-4 A16 only who answers for the record of the facility, about its own chats and people', async () => {
    const other = await makeFacility(ward.server.db);
    const answering = { facility: other, roles: ['facilityAdministrator'] } as const;
    const stranger = await signedInMember(ward.server, { ...answering, name: 'Emil Novak' });
    // Answers for the record there, and is in the chat here.
    const colleague = await signedInMember(ward.server, { ...answering, name: 'Ines Duarte' });
    await makeMembership(ward.server.db, { facility: ward.facility, userId: colleague.id });
    const chat = await ward.open({ participant_ids: [colleague.id] });
    const subject = { kind: 'chat', chat_id: chat.id };
    const { id } = await hold(subject);
    const statuses = async (who: SignedInMember) => [
      (await ask(subject, { by: who })).statusCode,
      (await who.client.send('GET', path())).statusCode,
      (await lift(id, { by: who })).statusCode,
      (await who.client.send('GET', `/api/chats/${chat.id}/record`)).statusCode,
    ];
    expect(await statuses(ward.ana)).toEqual([403, 403, 403, 404]);
    expect(await statuses(stranger)).toEqual([404, 404, 404, 404]);
    const theirs = `/api/facilities/${other.id}/legal-holds`;
    const body = { client_id: newId(), subject, reason: WHY };
    const person = { ...body, subject: { kind: 'person', user_id: ward.ana.id } };
    for (const { client } of [stranger, colleague]) {
      expect((await client.send('POST', theirs, { body })).statusCode).toBe(422);
      expect((await client.send('POST', theirs, { body: person })).statusCode).toBe(422);
      expect((await client.send('PUT', `${theirs}/${id}/end`, { body: { reason: WHY } })).statusCode).toBe(404);
    }
  });

  it('ADM-4 ACC-5 somebody who has left the facility is found among its people, and held', async () => {
    const { db } = ward.server;
    const find = async (query: string): Promise<{ data: HoldablePerson[]; next_cursor: string | null }> =>
      (await ward.rhea.client.send('GET', `${path()}/people?${query}`)).json();
    const gone = await signedInMember(ward.server, { facility: ward.facility, name: 'Goran Left' });
    const elsewhere = await signedInMember(ward.server, { facility: await makeFacility(db), name: 'Goran Elsewhere' });
    const chat = await ward.open({ participant_ids: [gone.id] });
    await ward.say(gone, chat, { body: 'Bed 9 fell' });
    expect((await find('q=goran')).data).toEqual([{ id: gone.id, name: 'Goran Left', title: null, left_at: null }]);
    const member = `/api/facilities/${ward.facility.id}/members/${gone.id}`;
    expect((await ward.rhea.client.send('DELETE', member)).statusCode).toBe(204);
    const { data: found } = await find('q=left%20goran');
    expect(found).toEqual([{ id: gone.id, name: 'Goran Left', title: null, left_at: expect.any(String) }]);
    await hold({ kind: 'person', user_id: gone.id });
    await ward.age(chat, 31);
    await ward.night();
    expect((await bodiesOf(chat)).filter((body) => body !== '')).toEqual(['Bed 9 fell']);

    // Who has come back is of it again, and stands there once.
    await makeMembership(db, { userId: gone.id, facility: ward.facility, roles: ['clinician'] });
    expect((await find('q=goran')).data).toMatchObject([{ id: gone.id, left_at: null }]);
    const { data: all } = await find('limit=200');
    const first = await find('limit=2');
    const rest = await find(`limit=200&cursor=${first.next_cursor}`);
    expect([...first.data, ...rest.data]).toEqual(all);
    expect([first.data.length, all.length > 3]).toEqual([2, true]);
    expect((await find('q=%25')).data).toEqual([]);
    for (const cursor of [elsewhere.id, 'x']) {
      const answer = await ward.rhea.client.send('GET', `${path()}/people?cursor=${cursor}`);
      expect(answer.statusCode, cursor).toBe(422);
    }
  });

  it('ADM-4 A16 each facility holds and lists its own, also by who answers for the record of two', async () => {
    const other = await makeFacility(ward.server.db);
    const roles = ['facilityAdministrator'] as const;
    const both = await signedInMember(ward.server, { facility: ward.facility, roles: [...roles], name: 'Bo Both' });
    await makeMembership(ward.server.db, { facility: other, userId: both.id, roles });
    const theirs = `/api/facilities/${other.id}/legal-holds`;
    const number = `MRN ${newId()}`;
    const chat = await openCase(number);
    const place = (subject: object, client_id = newId()) =>
      both.client.send('POST', theirs, { body: { client_id, subject, reason: WHY } });
    for (const subject of [
      { kind: 'chat', chat_id: chat.id },
      { kind: 'person', user_id: ward.ana.id },
    ]) {
      const refused = await place(subject);
      expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['subject']]);
    }
    const { id } = await hold({ kind: 'chat', chat_id: chat.id });
    expect((await place({ kind: 'patient', identifier: number }, id)).statusCode, 'of here').toBe(409);
    expect((await both.client.send('PUT', `${theirs}/${id}/end`, { body: { reason: WHY } })).statusCode).toBe(404);
    const elsewhere = (await place({ kind: 'patient', identifier: number })).json();
    expect(elsewhere.subject).toMatchObject({ kind: 'patient', chat_count: 0 });
    expect((await list('', both)).data.map((one) => one.id)).toEqual([id]);
    const record = async () => (await both.client.send('GET', `/api/chats/${chat.id}/record`)).json().holds;
    expect((await record()).map((one: LegalHold) => one.id)).toEqual([id]);
    await lift(id);
    expect(await record()).toEqual([]);
    await ward.night();
    expect(await bodiesOf(chat)).not.toContain('Admitted');
    const details = await ward.server.db
      .selectFrom('audit_entries')
      .select(['action', 'object_type', 'object_id', 'detail'])
      .where('facility_id', '=', other.id)
      .where('action', 'in', ['hold.place', 'hold.lift'])
      .execute();
    expect(details).toEqual([
      {
        ...{ action: 'hold.place', object_type: 'legal_hold', object_id: elsewhere.id },
        detail: { hold: elsewhere.id, kind: 'patient' },
      },
    ]);
  });

  it('ADM-4 the same press twice holds once; another under its id is refused; a second end is told who was first', async () => {
    const chat = await ward.open();
    const subject = { kind: 'chat', chat_id: chat.id };
    const clientId = newId();
    const both = await Promise.all([ask(subject, { clientId }), ask(subject, { clientId })]);
    expect(both.map(({ statusCode }) => statusCode)).toEqual([201, 201]);
    expect((await list()).data).toHaveLength(1);
    expect((await ask(subject, { clientId, reason: 'Something else entirely.' })).statusCode).toBe(409);
    expect((await lift(clientId)).statusCode).toBe(200);
    expect((await lift(clientId)).statusCode).toBe(200);
    expect((await lift(clientId, { reason: 'For another reason.' })).statusCode).toBe(409);
  });

  it('ADM-4 a hold of something else under the same id is refused, not told as placed', async () => {
    const clientId = newId();
    expect((await ask({ kind: 'patient', identifier: '4711-TYPO' }, { clientId })).statusCode).toBe(201);
    expect((await ask({ kind: 'patient', identifier: '4711-REAL' }, { clientId })).statusCode).toBe(409);
    expect((await ask({ kind: 'person', user_id: ward.ana.id }, { clientId })).statusCode).toBe(409);
    expect((await ask({ kind: 'patient', identifier: '4711-TYPO' }, { clientId })).statusCode).toBe(201);
  });

  it('ADM-4 the list says who, when and why, the newest first, page by page; ended ones where all are asked for', async () => {
    const chat = await ward.open({ title: 'Ward 3' });
    const first = await hold({ kind: 'chat', chat_id: chat.id });
    const second = await hold({ kind: 'person', user_id: ward.leila.id });
    await lift(first.id);
    expect(await list()).toMatchObject({
      data: [
        {
          id: second.id,
          subject: { person: { name: 'Leila Haddad' } },
          reason: WHY,
          placed_by: { name: 'Rhea Cole' },
          lifted: null,
        },
      ],
    });
    const one = await list('?state=all&limit=1');
    const two = await list(`?state=all&limit=1&cursor=${one.next_cursor}`);
    expect([...one.data, ...two.data].map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(two.data[0]?.subject).toMatchObject({ kind: 'chat', chat: { title: 'Ward 3' } });
    expect(two.next_cursor).toBeNull();
  });

  it('ADM-4 whether a chat is held is told to who answers for the record, and to nobody else', async () => {
    const number = `MRN ${newId()}`;
    const chat = await openCase(number);
    await hold({ kind: 'patient', identifier: number });
    const record = (await ward.rhea.client.send('GET', `/api/chats/${chat.id}/record`)).json();
    expect(record).toMatchObject({
      holds: [{ reason: WHY }],
      rule: { kind: 'case', mode: 'delete', days: 30 },
      exported: null,
    });
    const seen = [await ward.read(chat), (await ward.ana.client.send('GET', `/api/chats/${chat.id}`)).json()];
    expect(JSON.stringify(seen)).not.toMatch(/hold|Claim/);
  });

  it('A46 ADM-3 each hold and its end stand in the audit, with the chat or person, without the reason', async () => {
    const chat = await ward.open();
    const { id } = await hold({ kind: 'chat', chat_id: chat.id });
    await hold({ kind: 'person', user_id: ward.leila.id });
    await lift(id);
    const told = await ward.server.db
      .selectFrom('audit_entries')
      .select(['action', 'object_type', 'object_id', 'actor_id', 'detail'])
      .where('action', 'in', ['hold.place', 'hold.lift'])
      .orderBy('id', 'desc')
      .limit(3)
      .execute();
    expect(told.map(({ action, object_type, object_id }) => [action, object_type, object_id])).toEqual([
      ['hold.lift', 'chat', chat.id],
      ['hold.place', 'user', ward.leila.id],
      ['hold.place', 'chat', chat.id],
    ]);
    expect(told.every(({ actor_id }) => actor_id === ward.rhea.id)).toBe(true);
    expect(JSON.stringify(told)).not.toContain('Claim');
  });
});

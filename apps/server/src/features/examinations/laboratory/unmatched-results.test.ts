import type { Chat } from '@wardline/contract/chat/chat.ts';
import type { UnmatchedResult } from '@wardline/contract/examinations/laboratory.ts';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { newId } from '#/platform/new-id.ts';
import { makeMembership } from '#/testing/factories/facilities.ts';
import { signedInMember } from '#/testing/signed-in-member.ts';
import { auditOf } from '#/testing/test-client.ts';
import { openSocket } from '#/testing/test-socket.ts';
import { untilBlocked } from '#/testing/until-blocked.ts';
import { emptyOldResults } from './feed-queries.ts';
import {
  assign,
  away,
  base,
  chat,
  elsewhere,
  examination,
  facility,
  firstWaiting,
  listed,
  mira,
  mrn,
  newCase,
  only,
  owen,
  server,
  setFeed,
  stored,
  tell,
  tellAgain,
  told,
  useLaboratoryRoom,
  waiting,
} from './testing/laboratory-room.ts';
import type { SaidResult } from './testing/oru.ts';

useLaboratoryRoom();

describe('a result that matches nobody, or several', () => {
  it.each<[string, SaidResult | (() => Promise<SaidResult>), string]>([
    ['another number', { mrn: '99-000' }, 'No chat is about a patient with this number.'],
    ['another date of birth', { born: '19480315' }, 'The number fits a chat, but the date of birth differs.'],
    [
      'another name, where no date of birth is told',
      { born: '', name: 'Oakes^Bert' },
      'The number fits a chat, but the name differs.',
    ],
    [
      'two open chats',
      async () => {
        await newCase();
        return {};
      },
      '2 chats about this patient are open.',
    ],
    [
      'a closed chat',
      async () => {
        await server.db.updateTable('chats').set({ state: 'closed' }).where('id', '=', chat.id).execute();
        return {};
      },
      'The chat about this patient is closed.',
    ],
  ])('EXAM-1 waits for a person: %s', async (_, given, why) => {
    const said = typeof given === 'function' ? await given() : given;
    await tell(said);
    expect(await firstWaiting()).toMatchObject({
      why,
      state: 'unmatched',
      findings: [{ value: '7.1 mmol/L', interpretation: 'HH' }],
    });
    expect(await listed()).toEqual([]);
  });

  it('EXAM-1 A16 is assigned by who may, with a reason where it names another patient, and calls then', async () => {
    await tell({ mrn: '99-001' });
    const { id, version } = await firstWaiting();
    const path = `${base()}/laboratory-results/${id}/assign`;
    const body = { version, chat_id: chat.id };
    expect((await owen.client.send('POST', path, { body })).statusCode).toBe(403);
    expect((await away.client.send('POST', path, { body })).statusCode).toBe(404);
    const refused = await mira.client.send('POST', path, { body });
    expect([refused.statusCode, refused.json()]).toMatchObject([
      422,
      { message: 'Of this patient the number differs. Say why the result is theirs.' },
    ]);
    const done = await mira.client.send('POST', path, {
      body: { ...body, reason: 'Wrong label; asked the laboratory' },
    });
    expect(done.statusCode, done.body).toBe(200);
    expect(await only()).toMatchObject({
      created: { by: { name: 'Mira Okafor' } },
      critical_alerts: [{ state: 'notifying' }],
    });
    expect(await waiting()).toEqual([]);
    expect((await mira.client.send('POST', path, { body: { ...body, reason: 'Again' } })).statusCode).toBe(409);
    const audits = server.db.selectFrom('audit_entries').select('actor_id').where('action', '=', 'result.assign');
    expect(await audits.where('object_id', '=', id).execute()).toEqual([{ actor_id: mira.id }]);
  });

  it('EXAM-3 goes on in the chat to which it was assigned when it is corrected', async () => {
    await tell({ born: '', name: 'Oakes^Bert' });
    const { id, version } = await firstWaiting();
    await mira.client.send('POST', `${base()}/laboratory-results/${id}/assign`, {
      body: { version, chat_id: chat.id, reason: 'Married name' },
    });
    await tell({ at: '20261119120000', status: 'C', findings: ['NM|2823-3^Potassium^LN||4.1|mmol/L|3.5-5.3|N|||C'] });
    expect(await only()).toMatchObject({ report_version: 2 });
  });

  it('EXAM-1 ADM-3 an assignment says in the audit and in the list what was done with it, and in the chat to all at once', async () => {
    await tell({ mrn: '99-007' });
    const { id, version } = await firstWaiting();
    const socket = await openSocket(server);
    await socket.join(mira.client, `presence-chat.${chat.id}`);
    const reason = 'Wrong label';
    const answer = await assign(id, { version, reason }, mira, { 'x-socket-id': socket.id });
    const made = await only();
    expect(answer.json()).toEqual({ chat_id: chat.id, examination_id: made.id });
    // Who did it knows the examination from the answer, and nothing of the line and the alert.
    await socket.next(
      ({ event, data }) => event === 'App\\Events\\MessageSent' && told(data, 'received from the laboratory'),
    );
    await socket.next(({ event, data }) => event === 'App\\Events\\MessageSent' && told(data, 'Critical: Potassium'));
    socket.close();
    const [entry] = await auditOf(server, 'result.assign', mira.id);
    expect(entry).toMatchObject({
      ...{ facility_id: facility.id, object_type: 'laboratory_result', object_id: id },
      detail: { chat: chat.id, examination: made.id, report: 1, status: 'final', differs: 'the number' },
    });
    expect(await stored(id)).toMatchObject({
      ...{ state: 'filed', examination_id: made.id, why: null, version: version + 1, closed_by: mira.id, reason },
    });
    const same = await assign((await tellAgain()).id, { version: 1 });
    expect(same.statusCode, same.body).toBe(200);
    expect((await auditOf(server, 'result.assign', mira.id))[0]?.detail).not.toHaveProperty('differs');
  });

  it('EXAM-1 A48 is assigned and set aside as it was seen and while it waits, and never once it is over', async () => {
    await tell({ mrn: '99-008' });
    const { id, version } = await firstWaiting();
    const reason = 'Of the clinic next door';
    const setAside = (seen: number) =>
      mira.client.send('POST', `${base()}/laboratory-results/${id}/set-aside`, { body: { version: seen, reason } });
    expect((await setAside(version + 1)).statusCode, 'not as it is').toBe(409);
    expect((await setAside(version)).json()).toEqual({ version: version + 1 });
    expect((await setAside(version + 1)).statusCode, 'set aside already').toBe(409);
    expect((await assign(id, { version, reason })).statusCode, 'as it was before').toBe(409);
    await emptyOldResults(server.db, new Date(Date.now() + 91 * 86_400_000));
    expect((await assign(id, { version: version + 1, reason })).statusCode, 'emptied').toBe(409);
    await tell({ mrn: '99-009', filler: `R-${mrn}` });
    const replaced = await firstWaiting();
    await tell({ mrn: '99-009', filler: `R-${mrn}`, at: '20261119120000', status: 'C' });
    const now = await stored(replaced.id);
    expect(now).toMatchObject({ state: 'replaced', version: replaced.version + 1 });
    expect((await assign(replaced.id, { version: now?.version, reason })).statusCode, 'replaced').toBe(409);
    expect(await listed()).toEqual([]);
  });

  it('EXAM-1 what was set aside can still be assigned, unless what came since is newer than it', async () => {
    const setAside = async ({ id, version }: UnmatchedResult) => {
      const body = { version, reason: 'Whose is it?' };
      await mira.client.send('POST', `${base()}/laboratory-results/${id}/set-aside`, { body });
      return { id, version: version + 1 };
    };
    await tell({ born: '', name: 'Oakes^Bert' });
    const older = await setAside(await firstWaiting());
    await tell({ at: '20261119120000', status: 'C', findings: ['NM|2823-3^Potassium^LN||4.1|mmol/L|||||C'] });
    expect((await assign(older.id, { version: older.version, reason: 'Married name' })).statusCode).toBe(409);
    expect(await only()).toMatchObject({ report_version: 1, entries: [{ value: '4.1' }] });
    await tell({ filler: `S-${mrn}`, born: '', name: 'Oakes^Bert' });
    const free = await setAside(await firstWaiting());
    expect((await assign(free.id, { version: free.version, reason: 'Married name' })).statusCode).toBe(200);
    expect(await listed()).toHaveLength(2);
  });

  it('EXAM-3 a result that waited goes on in what was filed of its report, in its chat alone and while that holds', async () => {
    await tell();
    const first = await only();
    const corrected = async (hour: number) => {
      await tell({ mrn: '99-010', at: `202611191${hour}0000`, status: 'C' });
      return firstWaiting();
    };
    const other = await newCase(mira, { identifier: `MRN 7${mrn}` });
    const elsewhere = await corrected(2);
    const reason = 'Wrong label';
    const apart = await assign(elsewhere.id, { version: elsewhere.version, chat_id: other.id, reason });
    expect(apart.json().examination_id).not.toBe(first.id);
    // What was filed last is that of the other chat.
    const inIt = await corrected(3);
    const again = await assign(inIt.id, { version: inIt.version, chat_id: other.id, reason });
    expect(again.json().examination_id).toBe(apart.json().examination_id);
    const made = await examination(apart.json().examination_id);
    const body = { to: 'entered_in_error', expected_version: made.version, reason: 'Wrong patient' };
    await mira.client.send('POST', `/api/examinations/${made.id}/transitions`, { body });
    const last = await corrected(4);
    const anew = await assign(last.id, { version: last.version, chat_id: other.id, reason });
    expect(anew.statusCode, anew.body).toBe(200);
    expect(anew.json().examination_id).not.toBe(made.id);
  });

  it('EXAM-1 A16 is put into a chat about a patient of its facility, in which who assigns it writes', async () => {
    const both = await signedInMember(server, { facility, name: 'Bibi Both', roles: ['chargeNurse'] });
    await makeMembership(server.db, { userId: both.id, facility: elsewhere, roles: ['chargeNurse'] });
    await tell({ mrn: '99-011' });
    const { id, version } = await firstWaiting();
    const reason = 'Wrong label';
    const there = await newCase(both, {}, elsewhere);
    const group = { client_id: newId(), kind: 'group', title: 'Team', participant_ids: [] };
    const team = (await both.client.send('POST', `${base()}/chats`, { body: group })).json<Chat>();
    for (const chat_id of [there.id, team.id]) {
      const refused = await assign(id, { version, chat_id, reason }, both);
      expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['chat_id']]);
    }
    const astray = `/api/facilities/${elsewhere.id}/laboratory-results/${id}`;
    for (const [what, more] of [
      ['assign', { chat_id: there.id }],
      ['set-aside', {}],
    ] as const) {
      const answer = await both.client.send('POST', `${astray}/${what}`, { body: { version, reason, ...more } });
      expect(answer.statusCode, what).toBe(404);
    }
    for (const [who, status] of [
      [owen, 403],
      [away, 404],
    ] as const) {
      const body = { version, reason };
      const answer = await who.client.send('POST', `${base()}/laboratory-results/${id}/set-aside`, { body });
      expect(answer.statusCode).toBe(status);
    }
    const access = (to: string) =>
      server.db.updateTable('chat_participants').set({ access: to }).where('chat_id', '=', chat.id).execute();
    await access('read');
    expect((await assign(id, { version, reason })).statusCode).toBe(403);
    await access('manage');
    expect(await firstWaiting()).toMatchObject({ id, version });
  });

  it('EXAM-1 A16 is not put into a chat by whose right to write there ends while the assignment waits', async () => {
    await tell({ mrn: '99-012', findings: ['NM|2951-2^Sodium^LN||139|mmol/L|||||F'] });
    const { id, version } = await firstWaiting();
    let assigning: ReturnType<typeof assign> | undefined;
    await server.db.transaction().execute(async (tx) => {
      await sql`select from chats where id = ${chat.id} for no key update`.execute(tx);
      assigning = assign(id, { version, reason: 'Wrong label' });
      await untilBlocked(server.db, assigning);
      await sql`update chat_participants set access = 'read' where chat_id = ${chat.id}`.execute(tx);
    });
    expect((await assigning)?.statusCode).toBe(403);
    expect(await listed()).toEqual([]);
    expect(await firstWaiting()).toMatchObject({ id, version });
  });

  it('EXAM-1 is set aside with a reason, kept for 90 days and emptied then', async () => {
    await tell({ mrn: '99-002' });
    const { id, version } = await firstWaiting();
    const path = `${base()}/laboratory-results/${id}/set-aside`;
    expect((await mira.client.send('POST', path, { body: { version, reason: ' ' } })).statusCode).toBe(422);
    expect(
      (await mira.client.send('POST', path, { body: { version, reason: 'Of the clinic next door' } })).statusCode,
    ).toBe(200);
    expect([await waiting(), await waiting('set_aside')]).toMatchObject([
      [],
      [{ closed: { by: { name: 'Mira Okafor' }, reason: 'Of the clinic next door' } }],
    ]);
    await emptyOldResults(server.db, new Date(Date.now() + 89 * 86_400_000));
    expect(await waiting('set_aside')).toHaveLength(1);
    await emptyOldResults(server.db, new Date(Date.now() + 91 * 86_400_000));
    expect(await waiting('set_aside')).toEqual([]);
  });

  it('EXAM-3 stands once in the list, as it is by the newest message', async () => {
    await tell({ mrn: '99-003', status: 'P' });
    await tell({
      mrn: '99-003',
      at: '20261119120000',
      status: 'C',
      findings: ['NM|2951-2^Sodium^LN||139|mmol/L|||||C'],
    });
    expect((await firstWaiting()).findings.map(({ value }) => value)).toEqual(['7.1 mmol/L', '139 mmol/L']);
  });

  it('EXAM-1 never goes on in the examination of another patient, whatever its number', async () => {
    await tell();
    await tell({ mrn: '99-004', at: '20261119120000', status: 'C' });
    expect((await firstWaiting()).why).toBe('What came before under its number is of another patient.');
    expect((await only()).report_version).toBe(1);
  });

  it('EXAM-1 goes on in nothing that was marked as entered in error', async () => {
    await tell();
    const { id, version } = await only();
    const body = { to: 'entered_in_error', expected_version: version, reason: 'Wrong patient' };
    expect((await mira.client.send('POST', `/api/examinations/${id}/transitions`, { body })).statusCode).toBe(200);
    await tell({ at: '20261119120000', status: 'C' });
    expect((await firstWaiting()).why).toBe('The examination that it goes on was marked as entered in error.');
  });

  it('EXAM-1 counts only the numbers of the authority that the facility names', async () => {
    await setFeed({ authority: 'OTHER' });
    await tell();
    await setFeed({});
    expect((await firstWaiting()).why).toBe('The message has no number of the patient that counts here.');
  });
});

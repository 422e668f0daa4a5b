import type { LaboratoryFeed, LaboratoryMessage, UnmatchedResult } from '@wardline/contract/examinations/laboratory.ts';
import { describe, expect, it } from 'vitest';
import { makeExamination } from '#/testing/factories/examinations.ts';
import { type MadeFacility, makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { signedInMember } from '#/testing/signed-in-member.ts';
import { auditOf } from '#/testing/test-client.ts';
import {
  admin,
  away,
  base,
  byMllp,
  chat,
  elsewhere,
  facility,
  firstWaiting,
  get,
  mira,
  mrn,
  newCase,
  only,
  owen,
  server,
  tell,
  useLaboratoryRoom,
} from './testing/laboratory-room.ts';
import { oru } from './testing/oru.ts';

useLaboratoryRoom();

describe('walls', () => {
  it('A16 never matches a patient of another facility, and shows nobody elsewhere what waits', async () => {
    const there = await newCase(away, { name: 'LEAK Person' }, elsewhere);
    await server.db.updateTable('chats').set({ state: 'closed' }).where('id', '=', chat.id).execute();
    await tell({ more: ['NTE|1||LEAK-NOTE'] });
    expect((await get<{ data: unknown[] }>(`/api/chats/${there.id}/examinations`, away)).data).toEqual([]);
    for (const path of ['laboratory-results', 'laboratory-feed', 'laboratory-messages']) {
      const answer = await away.client.send('GET', `${base()}/${path}`);
      expect([answer.statusCode, answer.body.includes('LEAK')], path).toEqual([404, false]);
      expect((await owen.client.send('GET', `${base()}/${path}`)).statusCode, path).toBe(403);
    }
    const { id, version } = await firstWaiting();
    const answer = await mira.client.send('POST', `${base()}/laboratory-results/${id}/assign`, {
      body: { version, chat_id: there.id, reason: 'Theirs' },
    });
    expect(answer.statusCode).toBe(404);
  });

  it('A16 the feed that is set is that of one facility, also by who sets those of two', async () => {
    const [here, there] = [await makeFacility(server.db), await makeFacility(server.db)];
    const both = await signedInMember(server, { facility: here, name: 'Bo Both', roles: ['facilityAdministrator'] });
    await makeMembership(server.db, { userId: both.id, facility: there, roles: ['facilityAdministrator'] });
    const path = ({ id }: MadeFacility) => `/api/facilities/${id}/laboratory-feed`;
    const set = async (of: MadeFacility, authority: string) => {
      const { version } = await get<LaboratoryFeed>(path(of), both);
      const body = { version, authority, critical_role_id: null, codes: [] };
      expect((await both.client.send('PUT', path(of), { body })).statusCode).toBe(200);
    };
    await set(here, 'OURS');
    await set(there, 'THEIRS');
    await set(here, 'NEW');
    const standing = await Promise.all([here, there].map((of) => get<LaboratoryFeed>(path(of), both)));
    expect(standing.map(({ authority }) => authority)).toEqual(['NEW', 'THEIRS']);
  });

  it('A16 what waits could belong to the chats of its own facility alone, whoever writes in those of two', async () => {
    const both = await signedInMember(server, { facility, name: 'Bea Both', roles: ['chargeNurse'] });
    await makeMembership(server.db, { userId: both.id, facility: elsewhere, roles: ['chargeNurse'] });
    const here = await newCase(both);
    await newCase(both, {}, elsewhere);
    const { chats } = await get<{ chats: { id: string }[] }>(`${base()}/laboratory-results`, both);
    expect(chats.map(({ id }) => id)).toEqual([here.id]);
  });

  it('EXAM-1 A16 the number of a request of another facility asks for nothing here', async () => {
    const { id: chatId } = await newCase(away, {}, elsewhere);
    const asked = { chatId, facilityId: elsewhere.id, userId: away.id, state: 'requested' as const };
    const text = oru({ mrn, filler: `F-${mrn}`, placer: await makeExamination(server.db, asked) });
    expect(await byMllp(text)).toContain('MSA|AA|');
    expect(await only()).toMatchObject({ state: 'reported', created: { by: { name: 'Wardline' } } });
  });

  it('A16 ADM-3 names who read what waits, and what, once in a quarter of an hour', async () => {
    await tell({ mrn: '99-006' });
    const reader = await signedInMember(server, { facility, name: 'Rita Reads', roles: ['chargeNurse'] });
    const path = `${base()}/laboratory-results`;
    const read = async () => (await get<{ data: UnmatchedResult[] }>(path, reader)).data;
    const [newest] = await read();
    await read();
    const entries = await auditOf(server, 'result.view', reader.id);
    expect(entries.filter(({ object_id }) => object_id === newest?.id)).toMatchObject([
      { facility_id: facility.id, object_type: 'laboratory_result', outcome: 'done', ip: expect.any(String) },
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/Maron|99-006/);
  });

  it('A16 lists what came without a word of a patient, for who sets the facility up', async () => {
    await tell({ control: `C-${mrn}` });
    const { data } = await get<{ data: LaboratoryMessage[] }>(`${base()}/laboratory-messages`, admin);
    expect(data[0]).toMatchObject({
      control_id: `C-${mrn}`,
      sender: 'LIS · CORELAB',
      reports: 1,
      filed: 1,
      unmatched: 0,
    });
    expect(JSON.stringify(data)).not.toContain('Maron');
    expect((await admin.client.send('GET', `${base()}/laboratory-results`)).statusCode).toBe(403);
  });
});

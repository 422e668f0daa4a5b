import type { Chat } from '@wardline/contract/chat/chat.ts';
import type { LaboratoryFeed, LaboratoryMessage } from '@wardline/contract/examinations/laboratory.ts';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { newId } from '#/platform/new-id.ts';
import { makeExamination } from '#/testing/factories/examinations.ts';
import { makeMembership } from '#/testing/factories/facilities.ts';
import { makeOnCallRole } from '#/testing/factories/on-call.ts';
import { signedInMember } from '#/testing/signed-in-member.ts';
import { auditOf } from '#/testing/test-client.ts';
import {
  admin,
  base,
  chat,
  elsewhere,
  examination,
  facility,
  firstWaiting,
  get,
  hand,
  listed,
  mira,
  mrn,
  newCase,
  newRole,
  only,
  owen,
  server,
  setFeed,
  tell,
  useLaboratoryRoom,
} from './testing/laboratory-room.ts';
import { oru } from './testing/oru.ts';

useLaboratoryRoom();

describe('what was asked for', () => {
  const asked = (state: 'requested' | 'in_progress', of: Chat = chat) =>
    makeExamination(server.db, { chatId: of.id, facilityId: facility.id, userId: mira.id, state });

  it('EXAM-1 is found by its number in capitals too, and only while it is asked for', async () => {
    const id = await asked('requested');
    await tell({ placer: id.toUpperCase() });
    expect(await only()).toMatchObject({ id, state: 'reported' });
    const begun = await asked('in_progress');
    await tell({ placer: begun, filler: `B-${mrn}` });
    expect((await examination(begun)).state).toBe('in_progress');
    expect(await listed()).toHaveLength(3);
  });

  it('EXAM-1 for another patient is answered by nothing, and the result waits', async () => {
    const other = await newCase(mira, { identifier: `MRN 8${mrn}` });
    const id = await asked('requested', other);
    await tell({ placer: id });
    expect((await firstWaiting()).why).toBe('It answers a request for another patient.');
    expect((await examination(id)).state).toBe('requested');
  });

  it('EXAM-3 goes on where it stands also when its chat is closed by now', async () => {
    await tell();
    await server.db.updateTable('chats').set({ state: 'closed' }).where('id', '=', chat.id).execute();
    await tell({ at: '20261119120000', status: 'C', findings: ['NM|2823-3^Potassium^LN||4.1|mmol/L|||||C'] });
    expect(await only()).toMatchObject({ report_version: 2, state: 'amended' });
  });
});

it('EXAM-1 ADM-3 what becomes of each message stands in the audit and in its list, also of one without a result', async () => {
  const outcomes = async () =>
    (
      await sql<{ outcome: string }>`select e.detail ->> 'outcome' as outcome from audit_entries e
      where e.action = 'result.receive' and (
        e.object_id in (select r.id from laboratory_results r join laboratory_messages m on m.id = r.message_id where m.control_id like ${`O-${mrn}%`})
        or e.object_id in (select id from laboratory_messages where control_id like ${`O-${mrn}%`}))
      order by e.id`.execute(server.db)
    ).rows.map(({ outcome }) => outcome);
  await tell({ control: `O-${mrn}-1`, at: '20261119120000' });
  await tell({ control: `O-${mrn}-2` });
  await tell({ control: `O-${mrn}-3`, mrn: '99-013', filler: `X-${mrn}` });
  const nothing = oru({ control: `O-${mrn}-4`, mrn, filler: `Y-${mrn}`, status: 'O', findings: [] });
  expect([await hand(nothing), await hand(nothing)]).toMatchObject([{ code: 'AA' }, { code: 'AA' }]);
  expect(await outcomes()).toEqual(['filed', 'outdated', 'unmatched', 'no results']);
  const { data } = await get<{ data: LaboratoryMessage[] }>(`${base()}/laboratory-messages`, admin);
  const counts = data
    .filter(({ control_id }) => control_id.startsWith(`O-${mrn}`))
    .map(({ reports, filed, unmatched, set_aside, outdated }) => [reports, filed, unmatched, set_aside, outdated]);
  expect(counts).toEqual([
    [0, 0, 0, 0, 0],
    [1, 0, 1, 0, 0],
    [1, 0, 0, 0, 1],
    [1, 1, 0, 0, 0],
  ]);
});

it('EXAM-5 A16 the feed calls a role of its own facility, of those that are no memory, as it was seen', async () => {
  const both = await signedInMember(server, { facility, name: 'Bob Both', roles: ['facilityAdministrator'] });
  await makeMembership(server.db, { userId: both.id, facility: elsewhere, roles: ['facilityAdministrator'] });
  const path = `${base()}/laboratory-feed`;
  const { version } = await get<LaboratoryFeed>(path, both);
  const set = (critical_role_id: string, seen = version) =>
    both.client.send('PUT', path, { body: { version: seen, authority: null, critical_role_id, codes: [] } });
  const [ours, retired] = [await newRole(owen), await newRole(owen)];
  const theirs = await makeOnCallRole(server.db, { facilityId: elsewhere.id, name: 'Their registrar' });
  await server.db.updateTable('on_call_roles').set({ retired_at: new Date() }).where('id', '=', retired).execute();
  for (const role of [theirs, retired, newId()]) {
    const refused = await set(role);
    expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['critical_role_id']]);
  }
  expect((await set(ours, version + 1)).statusCode).toBe(409);
  expect((await set(ours)).json()).toMatchObject({ critical_role: { id: ours } });
  const [entry] = await auditOf(server, 'laboratory.set', both.id);
  expect(entry).toMatchObject({ object_id: facility.id, detail: { codes: 0, role: ours, has_authority: false } });
  await setFeed({});
});

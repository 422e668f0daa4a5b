import { describe, expect, it } from 'vitest';
import { makeUnit } from '#/testing/factories/facilities.ts';
import {
  called,
  chat,
  facility,
  get,
  lines,
  mira,
  newRole,
  nextPatient,
  only,
  owen,
  server,
  setFeed,
  tell,
  useLaboratoryRoom,
} from './testing/laboratory-room.ts';

useLaboratoryRoom();

describe('a critical result', () => {
  it('EXAM-5 calls at once, everybody in the chat where no role is named', async () => {
    await tell();
    const made = await only();
    expect(made.critical).toEqual([{ label: 'Potassium', value: '7.1 mmol/L', interpretation: 'HH' }]);
    expect(made.critical_alerts).toMatchObject([{ category: 'minutes', state: 'notifying' }]);
    expect(
      (await lines()).some((line) => line.startsWith('Wardline Critical: Potassium 7.1 mmol/L, HH\nEdith Maron')),
    ).toBe(true);
    const { data } = await get<{ data: { chat: { id: string } }[] }>('/api/urgent', owen);
    expect(JSON.stringify(data)).toContain(chat.id);
  });

  it('EXAM-5 is told by our own limits, where the laboratory has no flag', async () => {
    await tell({ findings: ['NM|K^Kalium^99L||7.1|mmol/L|||||F'] });
    expect((await only()).critical).toEqual([]);
    await setFeed({ codes: [{ code: 'K', loinc: '2823-3' }] });
    await tell({ at: '20261119110000', findings: ['NM|K^Kalium^99L||7.2|mmol/L|||||F'] });
    expect((await only()).critical).toMatchObject([{ interpretation: 'HH' }]);
    await setFeed({});
  });

  it('EXAM-5 calls whom the facility names, and not again for the same value', async () => {
    const roleId = await newRole(owen);
    await setFeed({ critical_role_id: roleId });
    await tell({ status: 'P' });
    await tell({ at: '20261119120000', status: 'F' });
    await setFeed({});
    const { critical_alerts = [] } = await only();
    expect(critical_alerts).toHaveLength(1);
    expect(await called()).toEqual(['Owen Clarke']);
  });

  it('EXAM-5 calls the on-call role of the unit of the bed before the one that the facility names', async () => {
    const unitId = await makeUnit(server.db, { facilityId: facility.id, name: 'Medical 3A', code: 'MED 3A' });
    await newRole(mira, unitId);
    await server.db.updateTable('chats').set({ patient_bed: 'MED 3A-12' }).where('id', '=', chat.id).execute();
    await setFeed({ critical_role_id: await newRole(owen) });
    await tell();
    await setFeed({});
    expect(await called()).toEqual(['Mira Okafor']);
  });

  it('EXAM-5 calls whom the facility names where the unit of the bed has two roles, and a unit’s one that is in use', async () => {
    const unitId = await makeUnit(server.db, { facilityId: facility.id, name: 'Surgical 2B', code: 'SUR 2B' });
    await server.db.updateTable('chats').set({ patient_bed: 'SUR 2B-03' }).where('id', '=', chat.id).execute();
    const [first, second] = [await newRole(mira, unitId), await newRole(mira, unitId)];
    await setFeed({ critical_role_id: await newRole(owen) });
    await tell();
    expect(await called()).toEqual(['Owen Clarke']);
    const retired = server.db.updateTable('on_call_roles').set({ retired_at: new Date() });
    await retired.where('id', '=', second).execute();
    await nextPatient({ bed: 'SUR 2B-03' });
    await tell();
    await setFeed({});
    expect(await called()).toEqual(['Mira Okafor']);
    await server.db.updateTable('on_call_roles').set({ retired_at: new Date() }).where('id', '=', first).execute();
  });

  it('EXAM-5 withdraws the alert where a correction changes the value', async () => {
    await tell();
    await tell({ at: '20261119120000', status: 'C', findings: ['NM|2823-3^Potassium^LN||4.1|mmol/L|3.5-5.3|N|||C'] });
    const { critical_alerts = [], critical } = await only();
    expect([critical, critical_alerts.map(({ state }) => state)]).toEqual([[], ['withdrawn']]);
  });
});

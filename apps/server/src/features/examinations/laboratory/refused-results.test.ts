import type { CensusFeed } from '@wardline/contract/census/feed.ts';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { newId } from '#/platform/new-id.ts';
import { makeMembership } from '#/testing/factories/facilities.ts';
import { signedInMember } from '#/testing/signed-in-member.ts';
import { auditOf } from '#/testing/test-client.ts';
import {
  admin,
  byMllp,
  elsewhere,
  facility,
  get,
  hand,
  lines,
  listed,
  mira,
  mrn,
  only,
  owen,
  refused,
  server,
  tell,
  useLaboratoryRoom,
  waiting,
} from './testing/laboratory-room.ts';
import { oru } from './testing/oru.ts';

useLaboratoryRoom();

describe('a message that is not taken', () => {
  it('EXAM-1 is answered in words and kept', async () => {
    const text = oru({ mrn, filler: '' });
    const answer = await hand(text);
    expect(answer).toMatchObject({ code: 'AE', error_code: 101, reason: 'OBR-2 and OBR-3 are both empty' });
    expect(answer.acknowledgement).toContain('OBR-2 and OBR-3 are both empty');
    expect(await hand(oru({ status: 'Q', mrn }))).toMatchObject({ code: 'AE', error_code: 103 });
    const feed = await get<CensusFeed>(`/api/census/facilities/${facility.id}/feed`, admin);
    expect(feed.refused).toBeGreaterThanOrEqual(2);
  });

  it('A16 is not taken of somebody without the right', async () => {
    const body = { facility: facility.id, message: oru({ mrn }) };
    expect((await owen.client.send('POST', '/api/census/feeds/hl7', { body })).statusCode).toBe(403);
    expect(await listed()).toEqual([]);
  });

  it('A16 A48 is told when more wait than anybody can assign, and taken once when it is tried again afterwards', async () => {
    await tell({ mrn: '99-005' });
    await sql`insert into laboratory_results (id, facility_id, message_id, place, report_key, reported_at, report, state, why)
      select gen_random_uuid(), facility_id, message_id, n, 'flood ' || n, now(), report, 'unmatched', 'flood'
      from laboratory_results, generate_series(1000, 6000) as n where report_key like ${`%F-${mrn}%`}`.execute(
      server.db,
    );
    const text = oru({ mrn, filler: `G-${mrn}`, control: `G-${mrn}` });
    const answer = await hand(text);
    expect(answer).toMatchObject({ code: 'AE', error_code: 207 });
    expect(answer.reason).toContain('5000 results match no chat');
    const kept = await refused(`G-${mrn}`);
    expect(kept).toMatchObject({ kind: 'ORU^R01', can_retry: true, tries: 1 });
    const path = `/api/census/facilities/${facility.id}/feed/refused/${kept?.id}/retry`;
    const retry = (clientId = newId(), who = admin) => who.client.send('POST', path, { body: { client_id: clientId } });
    expect((await retry(newId(), mira)).statusCode).toBe(403);
    expect((await retry()).json()).toMatchObject({ refused: { tries: 2, error_code: 207 } });
    await sql`delete from laboratory_results where why = 'flood'`.execute(server.db);
    const both = await signedInMember(server, { facility, name: 'Bo Both', roles: ['facilityAdministrator'] });
    await makeMembership(server.db, { userId: both.id, facility: elsewhere, roles: ['facilityAdministrator'] });
    const astray = await both.client.send('POST', path.replace(facility.id, elsewhere.id), {
      body: { client_id: newId() },
    });
    expect(astray.statusCode, 'of another facility of the same person').toBe(404);
    const taken = server.db.selectFrom('laboratory_results').select('id').where('facility_id', '=', elsewhere.id);
    expect(await taken.execute()).toEqual([]);
    const clientId = newId();
    const done = await Promise.all([retry(clientId), retry(clientId)]);
    expect(done.map((one) => one.json())).toEqual([{ refused: null }, { refused: null }]);
    expect(await refused(`G-${mrn}`)).toBeUndefined();
    expect((await retry()).statusCode).toBe(404);
    expect(await only()).toMatchObject({ report_version: 1, critical_alerts: [{ state: 'notifying' }] });
    expect(await hand(text)).toMatchObject({ code: 'AA' });
    expect((await lines()).filter((line) => line.includes('received from the laboratory'))).toHaveLength(1);
  });

  it('A16 ADM-2 is refused while the facility is deactivated, keeps nothing, and can be sent again afterwards', async () => {
    const setClosed = (deactivated_at: Date | null) =>
      server.db.updateTable('facilities').set({ deactivated_at }).where('id', '=', facility.id).execute();
    const text = oru({ mrn, filler: `F-${mrn}`, control: `D-${mrn}` });
    await setClosed(new Date());
    try {
      const answer = await byMllp(text);
      expect(answer).toContain(`\rMSA|AR|D-${mrn}\r`);
      expect(answer).toMatch(
        /\|207\^.*\|the facility was closed by the system administrator: nothing is taken or kept/,
      );
      const late = await signedInMember(server, { facility, name: 'Late Feed', roles: ['patientSystem'] });
      const body = { facility: facility.id, message: text };
      const byHttp = await late.client.send('POST', '/api/census/feeds/hl7', { body });
      expect([byHttp.statusCode, byHttp.json().code]).toEqual([403, 'facility_closed']);
    } finally {
      await setClosed(null);
    }
    expect([await listed(), await waiting(), await refused(`D-${mrn}`)]).toEqual([[], [], undefined]);
    expect(await byMllp(text)).toContain('MSA|AA|');
    expect(await listed()).toHaveLength(1);
  });
});

describe('by MLLP', () => {
  it('A48 EXAM-5 a message is in the chat once it is acknowledged, with its letters, and calls', async () => {
    const text = oru({ mrn, filler: `F-${mrn}`, control: `M-${mrn}`, more: ['NTE|1||Hämolytisch: nein.'] });
    expect(await byMllp(text)).toMatch(new RegExp(`^\u000bMSH\\|.*\rMSA\\|AA\\|M-${mrn}\r\u001c\r$`));
    const made = await only();
    expect(made).toMatchObject({
      ...{ created: { by: { name: 'Wardline' } }, critical_alerts: [{ state: 'notifying' }] },
      entries: [{ value: '7.1' }, { value: 'Hämolytisch: nein.' }],
    });
    const audits = await auditOf(server, 'result.receive', null);
    expect(audits.find(({ detail }) => JSON.stringify(detail).includes(made.id))).toMatchObject({
      ...{ facility_id: facility.id, ip: '10.9.8.7', outcome: 'done' },
    });
    expect(await byMllp(text)).toContain(`MSA|AA|M-${mrn}`);
    expect(await listed()).toHaveLength(1);
    expect(await byMllp(text.replace('OBR|1', 'OBZ|1'))).toMatch(/MSA\|AE\|M-.*ERR\|\|.*\|100\^/s);
  });
});

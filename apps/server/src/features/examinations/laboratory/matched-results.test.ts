import type { Examination } from '@wardline/contract/examinations/examinations.ts';
import type { TrendValue } from '@wardline/contract/examinations/trends.ts';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { newId } from '#/platform/new-id.ts';
import { TEMPLATES } from '#/testing/factories/examinations.ts';
import {
  chat,
  facility,
  get,
  hand,
  lines,
  listed,
  machine,
  mira,
  mrn,
  only,
  owen,
  server,
  tell,
  useLaboratoryRoom,
  versions,
} from './testing/laboratory-room.ts';
import { oru, POTASSIUM } from './testing/oru.ts';

useLaboratoryRoom();

describe('a result of a patient with one open chat', () => {
  it('EXAM-1 EXAM-3 stands there as received from the laboratory, with one line and one audit entry', async () => {
    await tell({ findings: ['NM|2823-3^Potassium^LN||4.4|mmol/L|3.5-5.3|N|||F'], more: ['NTE|1||Haemolysed.'] });
    const made = await only();
    expect(made).toMatchObject({
      ...{ type: 'laboratory', title: 'Renal profile', state: 'reported', report_version: 1, critical: [] },
      created: { by: { name: 'Wardline' }, at: '2026-11-19T10:15:00.000Z' },
      imported: { laboratory: 'final', identifier: `F-${mrn}`, reported_by: ['CORELAB'] },
      my: { can_write: false, can_sign: false },
    });
    expect(made.entries).toMatchObject([
      { field: 'f1', value: '4.4', interpretation: 'N' },
      { field: 'f1n', value: 'Haemolysed.' },
    ]);
    expect(made.template.fields[0]).toMatchObject({
      loinc: '2823-3',
      unit: { code: 'mmol/L' },
      ranges: [{ low: '3.5', high: '5.3' }],
    });
    expect((await lines()).filter((line) => line.includes('laboratory'))).toEqual([
      'Wardline received from the laboratory (CORELAB): Renal profile, final',
    ]);
    const audits = await sql<{ detail: { examination: string } }>`select detail from audit_entries
      where action = 'result.receive' and detail ->> 'examination' = ${made.id}`.execute(server.db);
    expect(audits.rows).toHaveLength(1);
  });

  it('EXAM-6 goes out as FHIR by the laboratory’s own status', async () => {
    await tell({ status: 'P' });
    const { id } = await only();
    const bundle = await get<{ entry: { resource: { resourceType: string; status?: string } }[] }>(
      `/api/examinations/${id}/fhir`,
    );
    const report = bundle.entry.find(({ resource }) => resource.resourceType === 'DiagnosticReport');
    expect(report?.resource.status).toBe('preliminary');
  });

  it('A48 comes once, however often it is sent, also at the same time', async () => {
    const text = oru({ mrn, filler: `F-${mrn}` });
    const answers = await Promise.all([hand(text), hand(text), hand(text)]);
    expect(answers.map(({ code }) => code)).toEqual(['AA', 'AA', 'AA']);
    expect(await listed()).toHaveLength(1);
    expect((await lines()).filter((line) => line.includes('received'))).toHaveLength(1);
  });

  it('A48 goes on where it ended when the server was killed in the middle of a message', async () => {
    const second = [
      'OBR|2||SECOND|58410-2^Blood count^LN|||||||||||||||||||||F',
      'OBX|1|NM|718-7^Hb^LN||140|g/L|||||F',
    ];
    const text = oru({ mrn, filler: `F-${mrn}`, more: second });
    await sql`create function refuse_second() returns trigger language plpgsql as
      $$ begin if new.place = 2 then raise exception 'killed'; end if; return new; end $$`.execute(server.db);
    await sql`create trigger refuse_second before insert on laboratory_results for each row execute function refuse_second()`.execute(
      server.db,
    );
    const body = { facility: facility.id, message: text };
    expect((await machine.client.send('POST', '/api/census/feeds/hl7', { body })).statusCode).toBe(500);
    await sql`drop trigger refuse_second on laboratory_results`.execute(server.db);
    await sql`drop function refuse_second`.execute(server.db);
    expect((await listed()).map(({ title }) => title)).toEqual(['Renal profile']);
    expect(await hand(text)).toMatchObject({ code: 'AA' });
    expect((await listed()).map(({ title }) => title).sort()).toEqual(['Blood count', 'Renal profile']);
    expect((await lines()).filter((line) => line.includes('received'))).toHaveLength(2);
    const places = await sql<{ place: number }>`
      select place from laboratory_results where message_id =
        (select message_id from laboratory_results where report_key like ${`%F-${mrn}%`}) order by place`.execute(
      server.db,
    );
    expect(places.rows, 'of one message').toEqual([{ place: 1 }, { place: 2 }]);
  });

  it('EXAM-3 becomes the next version by a correction, and who read the one before must acknowledge it', async () => {
    await tell({ findings: ['NM|2823-3^Potassium^LN||4.4|mmol/L|||||F', 'NM|2951-2^Sodium^LN||139|mmol/L|||||F'] });
    const { id } = await only();
    await owen.client.send('PUT', `/api/examinations/${id}/receipt`, { body: { version: 1, is_acknowledged: false } });
    await tell({ at: '20261119120000', status: 'C', findings: ['NM|2951-2^Sodium^LN||149|mmol/L||H|||C'] });
    const now = await get<Examination>(`/api/examinations/${id}`, owen);
    expect(now).toMatchObject({
      state: 'amended',
      report_version: 2,
      must_acknowledge: true,
      imported: { laboratory: 'corrected' },
    });
    expect(now.entries.map(({ field, value }) => `${field} ${value}`)).toEqual(['f1 4.4', 'f2 149']);
    expect((await versions(id)).map(({ reason, entries }) => [reason, entries.map(({ value }) => value)])).toEqual([
      [`Corrected by the laboratory (CORELAB, F-${mrn})`, ['4.4', '149']],
      [`Reported by the laboratory (CORELAB, F-${mrn})`, ['4.4', '139']],
    ]);
  });

  it('EXAM-2 EXAM-6 EXAM-7 a finding with a time of its own keeps it: in the report, as FHIR and in the trend', async () => {
    const before = '20261119083000+0000';
    const sodium = (time: string) => `NM|2951-2^Sodium^LN||139|mmol/L|||||F|||${time}`;
    await tell({ findings: [`NM|2823-3^Potassium^LN||4.4|mmol/L|||||F|||${before}`, sodium('20261119101500+0000')] });
    const { id, entries } = await only();
    expect(entries.map(({ observed_at }) => observed_at)).toEqual(['2026-11-19T08:30:00.000Z', undefined]);
    expect((await versions(id))[0]?.entries[0]?.observed_at).toBe('2026-11-19T08:30:00.000Z');
    const { entry } = await get<{ entry: { resource: { resourceType: string; effectiveDateTime?: string } }[] }>(
      `/api/examinations/${id}/fhir`,
    );
    const observed = entry.filter(({ resource }) => resource.resourceType === 'Observation');
    expect(observed.map(({ resource }) => resource.effectiveDateTime)).toEqual([
      '2026-11-19T08:30:00.000Z',
      '2026-11-19T10:15:00.000Z',
    ]);
    const trend = (field: string) => get<{ data: TrendValue[] }>(`/api/examinations/${id}/trend?field=${field}`);
    expect((await trend('f1')).data.map(({ at }) => at)).toEqual(['2026-11-19T08:30:00.000Z']);
    expect((await trend('f2')).data.map(({ at }) => at)).toEqual(['2026-11-19T10:15:00.000Z']);
    // Corrected in its time alone it is another finding.
    await tell({ at: '20261119101500', status: 'C', findings: [sodium('20261119094500+0000')] });
    const now = await only();
    expect(now.report_version).toBe(2);
    expect(now.entries.map(({ observed_at }) => observed_at)).toEqual([
      '2026-11-19T08:30:00.000Z',
      '2026-11-19T09:45:00.000Z',
    ]);
  });

  it('EXAM-3 stays as corrected where the first comes late', async () => {
    await tell({ at: '20261119120000', status: 'C', findings: ['NM|2951-2^Sodium^LN||149|mmol/L|||||C'] });
    await tell({ at: '20261119101500', status: 'F', findings: ['NM|2951-2^Sodium^LN||139|mmol/L|||||F'] });
    expect((await only()).entries.map(({ value }) => value)).toEqual(['149']);
    expect((await only()).report_version).toBe(1);
  });

  it('EXAM-3 makes no new version where the final result says what the preliminary one said', async () => {
    await tell({ status: 'P', findings: ['NM|2951-2^Sodium^LN||139|mmol/L|||||P'] });
    await tell({ at: '20261119120000', status: 'F', findings: ['NM|2951-2^Sodium^LN||139|mmol/L|||||F'] });
    expect(await only()).toMatchObject({ report_version: 1, imported: { laboratory: 'final' } });
    expect((await lines()).at(-1)).toBe(
      'Wardline received from the laboratory (CORELAB): Renal profile, final, nothing changed',
    );
  });

  it('EXAM-3 empties what the laboratory took back, and says so', async () => {
    await tell({ findings: ['NM|2951-2^Sodium^LN||139|mmol/L|||||F', POTASSIUM] });
    await tell({ at: '20261119120000', status: 'C', findings: ['NM|2951-2^Sodium^LN||139|mmol/L|||||W'] });
    const { entries } = await only();
    expect(entries.map(({ field, value }) => `${field} ${value}`)).toEqual([
      'f1n Taken back by the laboratory: it was wrong',
      'f2 7.1',
    ]);
  });

  it('EXAM-1 becomes the report of what was asked for here under its number', async () => {
    const send = async (path: string, body: object) =>
      (await mira.client.send('POST', path, { body })).json<Examination>();
    const begun = await send(`/api/chats/${chat.id}/examinations`, {
      client_id: newId(),
      template_id: TEMPLATES.renalProfile,
    });
    const entries = [{ field: 'question', value: 'Renal failure?' }];
    const typed = await mira.client.send('PATCH', `/api/examinations/${begun.id}`, {
      body: { expected_version: 1, entries },
    });
    await send(`/api/examinations/${begun.id}/transitions`, {
      to: 'requested',
      expected_version: typed.json<Examination>().version,
    });
    await tell({ placer: begun.id });
    const made = await only();
    expect(made).toMatchObject({ id: begun.id, state: 'reported', requested: { by: { name: 'Mira Okafor' } } });
    expect(made.entries.map(({ field, value }) => `${field} ${value}`).sort()).toEqual([
      'f1 7.1',
      'question Renal failure?',
    ]);
    // What was asked stands beside what was found.
    expect(made.template.fields.map(({ code }) => code)).toContain('question');
    // What the form here would have asked the laboratory for gives way to what it has said.
    expect(made.template.fields.filter(({ part }) => part !== 'request').map(({ code }) => code)).toEqual([
      'f1',
      'comments',
    ]);
  });
});

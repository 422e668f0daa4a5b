import { logSentence, sentenceText } from '@wardline/census/log/log-sentences.ts';
import { toStoredNames } from '@wardline/census/log/stored-names.ts';
import { formatDay } from '@wardline/format/dates.ts';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { appendRefusal } from '#/features/census/core/log-refusal.ts';
import { createLog } from '#/platform/log.ts';
import { newId } from '#/platform/new-id.ts';
import { VERSION } from '#/platform/version.ts';
import { makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { makeUser } from '#/testing/factories/users.ts';
import { isNightly } from '#/testing/nightly.ts';
import { auditOf, signedIn } from '#/testing/test-client.ts';
import {
  address,
  admin,
  ana,
  anaId,
  change,
  facilityNo,
  fill,
  list,
  officer,
  officerId,
  seqsOf,
  server,
  tamper,
  unit,
  unitOf,
  useLogRoom,
  verify,
  write,
} from './testing/log-room.ts';

useLogRoom();

describe('reading the log', () => {
  it('CEN-7 is newest first in pages without a gap or a repeat, also while entries are added', async () => {
    await write(...Array.from({ length: 7 }, (_, index) => change({ after: { discharges: index } })));
    const first = await list(officer, '?limit=3');
    expect(seqsOf(first)).toEqual([7, 6, 5]);
    await write(change());
    const second = await list(officer, `?limit=3&cursor=${first.next_cursor}`);
    const third = await list(officer, `?limit=3&cursor=${second.next_cursor}`);
    expect([...seqsOf(second), ...seqsOf(third)]).toEqual([4, 3, 2, 1]);
    expect(third.next_cursor).toBeNull();
  });

  it('CEN-7 an entry is stored by the names of the first builds and told by those of now, also one that a job was given', async () => {
    await write(change({ after: { populations: ['adult_and_child'], beds: { population: 'newborn' } } }));
    const kept = { facilityNo, author: ana(), entry: { ...toStoredNames(change()), outcome: 'refused' } };
    await appendRefusal(kept, { db: server.db, log: createLog('silent'), jobId: newId() });
    const { data } = await list(officer);
    expect(data).toMatchObject([
      { population: 'adult_and_child', outcome: 'refused' },
      { population: 'adult_and_child', after: { populations: ['adult_and_child'], beds: { population: 'newborn' } } },
    ]);
    const rows = await server.db
      .selectFrom('census_log')
      .select(['entry', 'class'])
      .where('facility_no', '=', facilityNo)
      .where('action', '=', 'unit_day.save')
      .execute();
    expect(rows).toHaveLength(2);
    for (const row of rows) {
      expect(row.class).toBe('adult_child');
      expect(row.entry).toContain('"class":"adult_child"');
      expect(row.entry).not.toContain('population');
    }
    expect(await verify()).toMatchObject({ broken_at: null });
  });

  it('CEN-7 an entry says who, what, when, why and how, as it was then', async () => {
    await write(
      change({
        afterApproval: true,
        reasonCode: 'late_slip',
        reason: 'Slip found in the morning',
        deviceTime: '2026-11-17T23:40:00Z',
      }),
    );
    await server.db.updateTable('users').set({ name: 'Ana Reyes-Cruz' }).where('id', '=', anaId).execute();
    const { data } = await list(officer);
    expect(data[0]).toMatchObject({
      seq: 1,
      actor_id: anaId,
      actor_name: 'Ana Reyes',
      actor_title: 'Charge nurse',
      action: 'unit_day.save',
      outcome: 'done',
      unit_id: unit.unitId,
      unit_code: 'MED 3A',
      census_date: '2026-11-17',
      population: 'adult_and_child',
      before: { discharges: 4, closing: 25 },
      after: { discharges: 5, closing: 24 },
      after_approval: true,
      reason_code: 'late_slip',
      reason: 'Slip found in the morning',
      device_time: '2026-11-17T23:40:00Z',
      request_id: 'r-1',
      app_version: VERSION,
      is_readable: true,
    });
  });

  it('CEN-7 an entry from before the app’s version was kept is read without it', async () => {
    await fill(1);
    expect((await list(officer)).data[0]).toMatchObject({ seq: 1, is_readable: true, app_version: null });
  });

  it('CEN-7 addresses are for those who may see the audit, and a search cannot guess them', async () => {
    await write(change());
    expect((await list(officer)).data[0].ip).toBeNull();
    expect((await list(admin)).data.at(-1).ip).toBe('10.20.30.40');
    expect(seqsOf(await list(officer, '?q=10.20'))).toEqual([]);
    expect(seqsOf(await list(officer, '?q=abab'))).toEqual([]);
  });

  it('CEN-7 filters by date, unit, person, action, after approval and reason, each alone and together', async () => {
    const surgery = await unitOf('SUR 2B', 'Surgery 2B');
    await write(
      change({ date: '2026-11-16' }),
      change({ unit: surgery, date: '2026-11-17' }),
      change({ action: 'unit_day.submit', date: '2026-11-18' }),
      change({ afterApproval: true, date: '2026-11-18' }),
      change({ afterApproval: true, reason: 'Late slip', date: '2026-11-19' }),
    );
    const found = async (query: string) => seqsOf(await list(officer, query)).filter((seq) => seq <= 5);
    expect(await found('?from=2026-11-17&to=2026-11-18')).toEqual([4, 3, 2]);
    expect(await found(`?unit=${surgery.unitId}`)).toEqual([2]);
    expect(await found(`?actor=${anaId}`)).toEqual([5, 4, 3, 2, 1]);
    expect(await found(`?actor=${officerId}`)).toEqual([]);
    expect(await found('?action=unit_day.submit')).toEqual([3]);
    expect(await found('?after_approval=true')).toEqual([5, 4]);
    expect(await found('?with_reason=true')).toEqual([5]);
    expect(await found(`?after_approval=true&to=2026-11-18&unit=${unit.unitId}`)).toEqual([4]);
    expect(await found(`?unit=${newId()}`)).toEqual([]);
  });

  it.each([
    ['reyes', [3, 2, 1]],
    ['MEDICAL', [3, 2, 1]],
    ['slip', [2]],
    ['late slip', [2]],
    ['late_slip', [2]],
    ['slip reyes', [2]],
    ['100%', [3]],
    ['50%', []],
    ['nobody', []],
  ])('CEN-7 a search for %s finds people, units and words, and takes no character for a pattern', async (q, seqs) => {
    await write(
      change(),
      change({ reasonCode: 'late_slip', reason: 'Found at 7' }),
      change({ reason: 'It was 100% so' }),
    );
    const found = seqsOf(await list(officer, `?q=${encodeURIComponent(q)}&actor=${anaId}`));
    expect(found).toEqual(seqs);
  });

  it.each([
    ['restated', [2]],
    ['opened for a correction', [3]],
    ['after approval', [4]],
    ['refused', [5]],
    ['Ana Reyes took back', [6]],
    ['changed discharges 4 → 5', [4, 1]],
    ['Tue 17 Nov 2026', [6, 5, 4, 3, 2, 1]],
    ['viewed', []],
  ])('F-N13 CEN-7 a search for “%s” finds the sentences and marks that say so', async (q, seqs) => {
    const amend = { action: 'unit_day.amend', before: null, after: null } as const;
    await write(
      change(),
      change({ action: 'unit_day.restate', before: { opening: 4 }, after: { opening: 5 } }),
      change({ ...amend, reason: 'Late slip' }),
      change({ afterApproval: true }),
      change({ ...amend, action: 'unit_day.approve', outcome: 'refused', after: { refused: 'LOCKED' } }),
      change({ ...amend, action: 'unit_day.withdraw' }),
    );
    expect(seqsOf(await list(officer, `?q=${encodeURIComponent(q)}&actor=${anaId}`))).toEqual(seqs);
  });

  it.each(['dmy', 'mdy'] as const)(
    'F-N13 CEN-7 every word of every sentence that the page shows finds its entry, %s',
    async (order) => {
      await write(
        change(),
        change({ action: 'unit_day.restate', reason: 'Late slip' }),
        change({ afterApproval: true }),
      );
      const { data } = await list(officer, `?actor=${anaId}`);
      for (const entry of data) {
        const terms = sentenceText(logSentence(entry, (date) => formatDay(date, order, date))).split(/\s+/);
        for (const word of terms) {
          const q = encodeURIComponent(word.replace(/[.,:]+$/, ''));
          expect(seqsOf(await list(officer, `?q=${q}&actor=${anaId}`)), word).toContain(entry.seq);
        }
      }
    },
  );

  it.runIf(isNightly)('CEN-7 a search that looked at 10,000 entries in vain says where it goes on', async () => {
    await write(change({ reason: 'The needle in it' }));
    await fill(10_050);
    const first = await list(officer, '?q=needle');
    expect(first).toMatchObject({ data: [], next_cursor: expect.any(String) });
    expect(seqsOf(await list(officer, `?q=needle&cursor=${first.next_cursor}`))).toEqual([1]);
  });

  it('CEN-7 that the log was read is in it once for a person and filter in ten minutes, however often and at once', async () => {
    await write(change());
    await Promise.all(Array.from({ length: 6 }, () => list(officer)));
    await list(officer, '?q=reyes');
    await list(officer, '?q=reyes');
    await list(admin);
    const views = (await list(officer, '?action=log.view')).data;
    expect(views.map(({ actor_name, after }: { actor_name: string; after: unknown }) => [actor_name, after])).toEqual([
      ['Ada Lindt', null],
      ['Ruth Calloway', { q: 'reyes' }],
      ['Ruth Calloway', null],
    ]);
    await tamper(sql`update census_log set at = at - interval '11 minutes' where facility_no = ${facilityNo}`);
    await list(officer);
    await list(officer);
    expect(await auditOf(server, 'census.log.view', officerId)).toHaveLength(4);
  });

  it('CEN-7 an entry whose text was made unreadable still stands there and says so', async () => {
    await write(change(), change());
    await tamper(sql`update census_log set entry = 'no json' where facility_no = ${facilityNo} and seq = 1`);
    const { data } = await list(officer);
    expect(data.map(({ seq, is_readable }: { seq: number; is_readable: boolean }) => [seq, is_readable])).toEqual([
      [2, true],
      [1, false],
    ]);
    expect(seqsOf(await list(officer, '?q=reyes'))).toEqual([2]);
    expect(await verify()).toMatchObject({ broken_at: 1 });
  });

  it.each(['cursor=a', 'cursor=1e3', 'from=2027-02-29', 'from=0000-01-01', 'action=other', 'unit=1', 'limit=0', 'x=1'])(
    'CEN-7 refuses %s with 422',
    async (query) => {
      expect((await officer.send('GET', address(`?${query}`))).statusCode).toBe(422);
    },
  );

  it('A16 the log of a facility of others does not exist; a member without the right is refused, and that is in the log', async () => {
    const stranger = await makeUser(server.db);
    await makeMembership(server.db, {
      userId: stranger.id,
      facility: await makeFacility(server.db),
      roles: ['censusOfficer'],
    });
    const nurse = await signedIn(server, anaId);
    const outside = await signedIn(server, stranger.id);
    for (const rest of ['', '/verify', '/verify?run=true', '/export?format=csv']) {
      expect((await outside.send('GET', address(rest))).statusCode).toBe(404);
      expect((await nurse.send('GET', address(rest))).statusCode).toBe(403);
    }
    const refused = (await list(officer)).data.map(({ action, outcome, actor_name }: Record<string, string>) => [
      action,
      outcome,
      actor_name,
    ]);
    expect(refused).toEqual([
      ['log.export', 'refused', 'Ana Reyes'],
      ['log.verify', 'refused', 'Ana Reyes'],
      ['log.view', 'refused', 'Ana Reyes'],
    ]);
  });
});

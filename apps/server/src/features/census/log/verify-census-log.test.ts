import { CompiledQuery, type KyselyPlugin, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { appendLog, type NewLogEntry } from '#/features/census/core/append-log.ts';
import type { Transaction } from '#/platform/http/context.ts';
import { makeFacility } from '#/testing/factories/facilities.ts';
import { auditOf } from '#/testing/test-client.ts';
import {
  address,
  ana,
  anaId,
  change,
  facilityNo,
  fill,
  list,
  officer,
  officerId,
  server,
  tamper,
  useLogRoom,
  verify,
  write,
} from './testing/log-room.ts';
import { walkChain } from './verification-queries.ts';

useLogRoom();

/** What is run on the database by some work. */
async function statementsOf(tx: Transaction, work: (tx: Transaction) => Promise<unknown>): Promise<CompiledQuery[]> {
  const statements: CompiledQuery[] = [];
  const executor = tx.getExecutor();
  const watching: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      statements.push(executor.compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  await work(tx.withPlugin(watching));
  return statements;
}

describe('the verification of the chain', () => {
  it('CEN-7 finds nothing in a log that was only appended to, stores the result and writes that it ran', async () => {
    await write(change(), change({ reason: '  ' }), { action: 'print' });
    expect((await officer.send('GET', address('/verify'))).json()).toMatchObject({ verified_at: null, entries: 3 });
    const found = await verify();
    expect(found).toMatchObject({ entries: 3, broken_at: null, head: { seq: 3 } });
    expect((await officer.send('GET', address('/verify'))).json()).toEqual(found);
    expect((await list(officer, '?action=log.verify')).data).toMatchObject([
      { seq: 4, actor_name: 'Ruth Calloway', after: { entries: 3, broken_at: null } },
    ]);
    expect(await verify()).toMatchObject({ entries: 5, broken_at: null });
    expect(await auditOf(server, 'census.log.verify', officerId)).toHaveLength(2);
  });

  it.each([
    ['that is blank', ' \n\u00a0'],
    ['that begins with a blank', '  late slip'],
    ['in quotes', '"late" \\ slip'],
    ['that looks like an entry', '","reason":null,"reason_code":"x'],
    ['with letters of other scripts', 'опоздала квитанция 遅い'],
  ])('CEN-7 an entry with a reason %s is what it says', async (_which, reason) => {
    await write(change({ reason }), change({ reason, outcome: 'refused', before: null, after: { reason } }));
    expect(await verify()).toMatchObject({ entries: 2, broken_at: null });
    await tamper(sql`update census_log set has_reason = not has_reason where facility_no = ${facilityNo} and seq = 2`);
    expect(await verify()).toMatchObject({ broken_at: 2 });
  });

  it('CEN-7 its walk may use all cores', async () => {
    await fill(500);
    await server.db.transaction().execute(async (tx) => {
      const walk = await statementsOf(tx, (watchedTx) => walkChain(watchedTx, facilityNo));
      await sql`select set_config('min_parallel_table_scan_size', '0', true)`.execute(tx);
      const last = walk.at(-1);
      const { rows } = await tx.executeQuery(CompiledQuery.raw(`explain ${last?.sql}`, [...(last?.parameters ?? [])]));
      expect(JSON.stringify(rows)).toContain('Gather');
    });
  });

  it('CEN-7 an empty log is whole and has no head', async () => {
    expect(await verify()).toMatchObject({ entries: 0, head: null, broken_at: null });
  });

  it.each([
    ['one character of an entry', sql`set entry = replace(entry, '"discharges":5', '"discharges":6')`],
    ['the time beside an entry', sql`set at = at + interval '1 second'`],
    ['a part of a millisecond beside an entry', sql`set at = at + interval '1 microsecond'`],
    ['the unit beside an entry, of another', sql`set unit_no = (select min(unit_no) from census_units)`],
    ['the person beside an entry', sql`set actor_id = null`],
    ['the unit beside an entry', sql`set unit_no = null`],
    ['the date beside an entry', sql`set census_date = census_date - 1`],
    ['the population beside an entry', sql`set class = 'newborn'`],
    ['the action beside an entry', sql`set action = 'unit_day.submit'`],
    ['the outcome beside an entry', sql`set outcome = 'refused'`],
    ['the mark of an approval beside an entry', sql`set after_approval = not after_approval`],
    ['the mark of a reason beside an entry', sql`set has_reason = not has_reason`],
    ['a hash', sql`set hash = sha256(hash)`],
    ['the hash before', sql`set prev_hash = sha256(prev_hash)`],
  ])('CEN-7 A48 a change of %s is found at its number', async (_what, set) => {
    await write(change(), change(), change(), change());
    await tamper(sql`update census_log ${set} where facility_no = ${facilityNo} and seq = 3`);
    expect(await verify()).toMatchObject({ broken_at: 3 });
  });

  it('CEN-7 A48 an entry that was rewritten with a fitting hash is found at the one after it', async () => {
    await write(change(), change(), change());
    await tamper(sql`
      update census_log set entry = e.entry, hash = sha256(prev_hash || convert_to(e.entry, 'UTF8'))
      from (select replace(entry, '"discharges":5', '"discharges":6') as entry from census_log
        where facility_no = ${facilityNo} and seq = 2) e
      where facility_no = ${facilityNo} and seq = 2`);
    expect(await verify()).toMatchObject({ broken_at: 3 });
  });

  it.each([
    ['the first', 1],
    ['one in the middle', 2],
    ['the last', 3],
  ])('CEN-7 A48 the removal of %s entry is found at its number', async (_which, seq) => {
    await write(change(), change(), change());
    await tamper(sql`delete from census_log where facility_no = ${facilityNo} and seq = ${seq}`);
    expect(await verify()).toMatchObject({ broken_at: seq });
  });

  it('CEN-7 A48 a log that was rebuilt from an entry on does not fit what a signed day carried outside', async () => {
    await write(change(), change(), change());
    await signDay('2026-11-17', 2);
    expect(await verify()).toMatchObject({ broken_at: null });
    await tamper(sql`delete from census_log where facility_no = ${facilityNo} and seq > 1`);
    await tamper(sql`
      update census_log_heads set seq = 1, hash = (select hash from census_log where facility_no = ${facilityNo})
      where facility_no = ${facilityNo}`);
    await write(change({ after: { discharges: 7 } }), change());
    expect(await verify()).toMatchObject({ broken_at: 2 });
  });

  type Kept = { census_date: string; seq: number; hash: string; is_printed: boolean; is_mailed: boolean };
  const kept = async () =>
    ((await verify()).kept_outside as Kept[]).map(({ hash, ...head }) => [head.census_date, head.seq]);
  const print = (body: object) => officer.send('POST', address('').replace(/logs$/, 'prints'), { body });

  it('F-N8 CEN-7 shows the heads that printed sheets carried outside, the newest five, and none that nobody printed', async () => {
    await write(...Array.from({ length: 8 }, () => change()));
    for (const day of [1, 2, 3, 4, 5, 6, 7, 8]) await signDay(`2026-11-0${day}`, day);
    expect(await kept()).toEqual([]);
    for (const day of [1, 3, 4, 5, 6, 8]) {
      const date = `2026-11-0${day}`;
      expect((await print({ sheet: 'day', from: date, to: date })).statusCode).toBe(204);
    }
    expect(await kept()).toEqual([8, 6, 5, 4, 3].map((day) => [`2026-11-0${day}`, day]));
    const stored = await sql<{ hash: string }>`
      select encode(hash, 'hex') as hash from census_log where facility_no = ${facilityNo} and seq = 8`.execute(
      server.db,
    );
    const { kept_outside } = await verify();
    expect(kept_outside[0]).toMatchObject({ hash: stored.rows[0]?.hash, is_printed: true, is_mailed: false });
  });

  it('F-N8 CEN-7 a sheet of a period carries the head of its newest day, and a print before the signature carries none', async () => {
    await write(change(), change());
    await print({ sheet: 'day', from: '2026-11-02', to: '2026-11-02' });
    await write(change());
    const { head } = await verify();
    for (const day of [1, 2]) await signDay(`2026-11-0${day}`, head.seq);
    expect(await kept()).toEqual([]);
    await print({ sheet: 'month', from: '2026-11-01', to: '2026-11-30' });
    expect(await kept()).toEqual([['2026-11-02', head.seq]]);
  });

  it('F-N8 CEN-7 a print that was refused carries no head outside, nor does anything else that was done with a period', async () => {
    await write(change(), change());
    await signDay('2026-11-02', 2);
    const after = { from: '2026-11-02', to: '2026-11-02' };
    await write({ action: 'print', outcome: 'refused', after }, { action: 'data.export', after });
    expect(await kept()).toEqual([]);
  });

  it('CEN-7 the walk of one facility does not see the log of another', async () => {
    await write(change());
    const other = await makeFacility(server.db);
    const { facility_no: otherNo } = await server.db
      .selectFrom('census_facilities')
      .select('facility_no')
      .where('facility_id', '=', other.id)
      .executeTakeFirstOrThrow();
    const entries: NewLogEntry[] = [{ action: 'log.view' }, { action: 'log.view' }];
    await server.db.transaction().execute((tx) => appendLog(tx, { facilityNo: otherNo, author: ana(), entries }));
    expect(await verify()).toMatchObject({ entries: 1, broken_at: null });
  });
});

async function signDay(date: string, seq: number) {
  await sql`
    insert into facility_days (facility_no, census_date, time_zone, utc_offset_minutes, census_at, due_at, status, signed_by,
      signed_at, log_seq, log_hash)
    select ${facilityNo}, ${date}::date, 'Asia/Manila', 480, ${date}::date + 1, ${date}::date + 1, 'approved', ${anaId},
      ${date}::date + 1, seq, hash from census_log where facility_no = ${facilityNo} and seq = ${seq}`.execute(
    server.db,
  );
}

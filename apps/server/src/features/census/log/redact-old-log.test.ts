import { sql } from 'kysely';
import { describe, expect, inject, it } from 'vitest';
import { insertLogRows, lockHead, type NewLogEntry, rowsAfter } from '#/features/census/core/append-log.ts';
import { jobAuthor } from '#/features/census/core/author.ts';
import { grantAppRole } from '#/platform/db/grant-app-role.ts';
import { asSystem } from '#/platform/db/stated-actor.ts';
import { createWrite } from '#/platform/http/writes/write.ts';
import { auditOf } from '#/testing/test-client.ts';
import { ticking } from '../clock/testing/ticking.ts';
import { redactOldLog } from './redact-old-log.ts';
import {
  address,
  admin,
  ana,
  anaId,
  change,
  facility,
  facilityNo,
  list,
  officer,
  seqsOf,
  server,
  tamper,
  useLogRoom,
  verify,
  write,
} from './testing/log-room.ts';

useLogRoom();

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
const SEVEN_YEARS = 7 * 366;

/** Entries as they were written so many days ago, one for each. */
async function writeOld(days: readonly number[], more: Partial<NewLogEntry> = {}) {
  await server.db.transaction().execute(async (tx) => {
    const head = await lockHead(tx, facilityNo);
    const said = days.map((age) => ({ at: daysAgo(age), author: ana(), entry: change(more) }));
    await insertLogRows(tx, facilityNo, rowsAfter({ facilityNo, ...head }, said));
  });
}

const keepFor = (years: number | null) =>
  sql`update census_facilities set log_retention_years = ${years} where facility_no = ${facilityNo}`.execute(server.db);

/** This duty of the clock and no other. How old an entry is the database says. */
async function night() {
  const { deps } = ticking({ server });
  const http = { ip: null, requestId: 'clock', socketId: null };
  const write = createWrite({ actor: null, db: deps.db, log: deps.log, http }, deps.publish);
  await asSystem('clock', () => redactOldLog({ ...deps, write, author: jobAuthor('clock'), now: new Date() }));
}

const rows = async () =>
  (
    await sql<{ seq: number; entry: string; actor_id: string | null; redacted_at: Date | null; hash: string }>`
      select seq, entry, actor_id, redacted_at, encode(hash, 'hex') as hash from census_log
      where facility_no = ${facilityNo} order by seq`.execute(server.db)
  ).rows;
const removed = async () => (await rows()).filter(({ redacted_at }) => redacted_at !== null).map(({ seq }) => seq);

describe('the removal of old texts', () => {
  it('CEN-7 takes the text and the person of what is older than the facility keeps, and leaves number and hashes', async () => {
    await writeOld([SEVEN_YEARS, SEVEN_YEARS, 30], { reason: 'Said of Mrs. Reyes' });
    const before = await rows();
    await keepFor(6);
    await night();
    const [first, second, third, told] = await rows();
    for (const [entry, was] of [
      [first, before[0]],
      [second, before[1]],
    ] as const) {
      expect(entry).toMatchObject({
        entry: `{"facility":${facilityNo},"redacted_after_years":6,"seq":${entry?.seq}}`,
        actor_id: null,
        hash: was?.hash,
      });
    }
    expect(third).toEqual(before[2]);
    expect(JSON.parse(told?.entry ?? '')).toMatchObject({
      action: 'log.redact',
      actor_name: 'Wardline',
      after: { entries: 2, up_to_seq: 2, years: 6, digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(await verify()).toMatchObject({ entries: 4, broken_at: null });
    expect(await auditsOfRedaction()).toMatchObject([{ detail: { entries: 2, up_to_seq: 2 } }]);
  });

  it('CEN-7 keeps all where nobody said for how long, and what is young', async () => {
    await writeOld([SEVEN_YEARS, 30]);
    await night();
    expect(await removed()).toEqual([]);
    await keepFor(10);
    await night();
    expect(await removed()).toEqual([]);
    expect((await rows()).length).toBe(2);
  });

  it('CEN-7 is done once for what is due, and night after night folded into one digest', async () => {
    await writeOld([SEVEN_YEARS, 5 * 366, 1_300, 30]);
    for (const [years, expected] of [
      [6, [1]],
      [6, [1]],
      [4, [1, 2]],
      [3, [1, 2, 3]],
    ] as const) {
      await keepFor(years);
      await night();
      expect(await removed(), `after ${years} years`).toEqual(expected);
    }
    const told = (await list(officer, '?action=log.redact')).data;
    expect(told.map(({ after }: { after: { up_to_seq: number } }) => after.up_to_seq)).toEqual([3, 2, 1]);
    expect(await verify()).toMatchObject({ broken_at: null });
  });

  it('CEN-7 is a duty of the clock', async () => {
    await writeOld([SEVEN_YEARS, 30]);
    await keepFor(6);
    await ticking({ server }).at(new Date().toISOString());
    expect(await removed()).toEqual([1]);
    expect(await verify()).toMatchObject({ broken_at: null });
  });

  it('CEN-7 takes so many at once, the oldest first, and goes on at the next tick', async () => {
    await writeOld(Array.from({ length: 5_003 }, () => SEVEN_YEARS));
    await keepFor(6);
    await night();
    expect((await removed()).at(-1)).toBe(5_000);
    await night();
    expect((await removed()).at(-1)).toBe(5_003);
    const told = (await list(officer, '?action=log.redact')).data;
    expect(told.map(({ after }: { after: { entries: number } }) => after.entries)).toEqual([3, 5_000]);
    expect(await verify()).toMatchObject({ broken_at: null });
  });

  it('CEN-7 an entry that the facility keeps ends it, though one after it carries an older time', async () => {
    await writeOld([SEVEN_YEARS, 30, SEVEN_YEARS]);
    await keepFor(6);
    await night();
    expect(await removed()).toEqual([1]);
  });

  it('CEN-7 of the census day, unit and action it stays findable, as a sentence that says only its age', async () => {
    await writeOld([SEVEN_YEARS, SEVEN_YEARS], { reason: 'Slip of Mrs. Reyes' });
    await keepFor(6);
    await night();
    const page = await list(admin, '?action=unit_day.save');
    expect(seqsOf(page)).toEqual([2, 1]);
    expect(page.data[0]).toMatchObject({
      is_readable: true,
      redacted_after_years: 6,
      redacted_at: expect.stringMatching(/Z$/),
      actor_id: null,
      actor_name: '',
      reason: null,
      before: null,
      after: null,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(seqsOf(await list(admin, `?actor=${anaId}`))).toEqual([]);
    expect(seqsOf(await list(admin, '?q=slip'))).toEqual([]);
  });

  it('CEN-7 an export says when a text was removed, in both forms, and keeps its hash', async () => {
    await writeOld([SEVEN_YEARS, 30]);
    await keepFor(6);
    const [first] = await rows();
    await night();
    const { payload } = await admin.send('GET', address('/export?format=jsonl'));
    const [line, kept] = payload.split('\n').map((text) => JSON.parse(text || 'null'));
    expect(line).toMatchObject({ seq: 1, hash: first?.hash, redacted_at: expect.stringMatching(/Z$/) });
    expect(JSON.parse(line.entry)).toEqual({ facility: facilityNo, redacted_after_years: 6, seq: 1 });
    expect(kept).toMatchObject({ seq: 2, redacted_at: null });
    const csv = (await officer.send('GET', address('/export?format=csv'))).payload;
    expect(csv).toContain('Entry 1 was removed after 6 years.');
    expect(csv).toContain(`,${line.redacted_at},`);
    expect(csv.split('\r\n')[1]).not.toContain('Ana Reyes');
  });
});

describe('what the database lets nobody remove', () => {
  const redact = (to: number) => sql`select redact_census_log(${facilityNo}, ${to})`.execute(server.db);

  it('CEN-7 A48 an entry that is younger than the facility keeps its log', async () => {
    await writeOld([SEVEN_YEARS, 30]);
    await keepFor(6);
    await expect(redact(2)).rejects.toThrow('Rows of census_log are never changed.');
    expect(await removed()).toEqual([]);
    await keepFor(null);
    await expect(redact(1)).rejects.toThrow('Rows of census_log are never changed.');
    expect(await removed()).toEqual([]);
  });

  it('CEN-7 A48 the same entry twice, or up to one that is not there', async () => {
    await writeOld([SEVEN_YEARS, SEVEN_YEARS]);
    await keepFor(6);
    await redact(1);
    await expect(redact(1)).rejects.toThrow('from the oldest on');
    await expect(redact(3)).rejects.toThrow('from the oldest on');
    expect(await removed()).toEqual([1]);
  });

  it.each([
    ['by a tombstone of one’s own', sql`entry = '{}', actor_id = null, redacted_at = now()`],
    ['with the person left', sql`entry = census_log_tombstone(facility_no, seq, 6), redacted_at = now()`],
    [
      'with another action',
      sql`entry = census_log_tombstone(facility_no, seq, 6), actor_id = null, redacted_at = now(), action = 'print'`,
    ],
    [
      'with another hash',
      sql`entry = census_log_tombstone(facility_no, seq, 6), actor_id = null, redacted_at = now(), hash = sha256(hash)`,
    ],
    [
      'dated back',
      sql`entry = census_log_tombstone(facility_no, seq, 6), actor_id = null, redacted_at = now() - interval '1 day'`,
    ],
    ['after other years', sql`entry = census_log_tombstone(facility_no, seq, 1), actor_id = null, redacted_at = now()`],
  ])('CEN-7 A48 an old entry %s, even by the owner of the database', async (_how, set) => {
    await writeOld([SEVEN_YEARS]);
    await keepFor(6);
    const changed = server.db.transaction().execute(async (tx) => {
      await sql`set local census.redacts = 'on'`.execute(tx);
      await sql`update census_log set ${set} where facility_no = ${facilityNo}`.execute(tx);
    });
    await expect(changed).rejects.toThrow('Rows of census_log are never changed.');
  });

  it('CEN-7 A48 anything by an update, a delete or a truncation past the function', async () => {
    await writeOld([SEVEN_YEARS]);
    await keepFor(6);
    for (const statement of [
      sql`update census_log set entry = census_log_tombstone(facility_no, seq, 6), actor_id = null, redacted_at = now()
        where facility_no = ${facilityNo}`,
      sql`delete from census_log where facility_no = ${facilityNo}`,
      sql`truncate census_log`,
    ]) {
      await expect(statement.execute(server.db)).rejects.toThrow('Rows of census_log are never changed.');
    }
  });

  it('CEN-7 A48 the role of the server changes the log by the function alone', async () => {
    await writeOld([SEVEN_YEARS, 30]);
    await keepFor(6);
    const { db, href } = await ownDatabase();
    const role = `app_of_${db}`;
    await sql.raw(`create role ${role} nologin`).execute(server.db);
    try {
      await grantAppRole(href, role);
      const asRole = (statement: ReturnType<typeof sql>) =>
        server.db.transaction().execute(async (tx) => {
          await sql.raw(`set local role ${role}`).execute(tx);
          await statement.execute(tx);
        });
      const direct = sql`update census_log set entry = 'x' where facility_no = ${facilityNo}`;
      await expect(asRole(direct)).rejects.toThrow('permission denied for table census_log');
      await expect(asRole(sql`select redact_census_log(${facilityNo}, 2)`)).rejects.toThrow('never changed');
      await asRole(sql`select redact_census_log(${facilityNo}, 1)`);
      expect(await removed()).toEqual([1]);
    } finally {
      await sql.raw(`drop owned by ${role}; drop role ${role}`).execute(server.db);
    }
  });
});

describe('the verification of a log with removed texts', () => {
  const inOrder = async () => {
    await writeOld([SEVEN_YEARS, SEVEN_YEARS, SEVEN_YEARS, 30, 30]);
    await keepFor(6);
    await night();
  };

  it('CEN-7 A48 walks the hashes of tombstones', async () => {
    await inOrder();
    expect(await verify()).toMatchObject({ broken_at: null });
    await tamper(
      sql`update census_log set prev_hash = sha256(prev_hash) where facility_no = ${facilityNo} and seq = 2`,
    );
    expect(await verify()).toMatchObject({ broken_at: 2 });
  });

  it.each([
    ['a text of its own', sql`set entry = '{"note":"nothing"}'`],
    ['the tombstone of another entry', sql`set entry = census_log_tombstone(facility_no, 3, 6)`],
    ['no years', sql`set entry = census_log_tombstone(facility_no, seq, 0)`],
    ['more years than it is old', sql`set entry = census_log_tombstone(facility_no, seq, 9)`],
    ['a time that makes it too young', sql`set at = now() - interval '1 year'`],
    ['a removal in the future', sql`set redacted_at = now() + interval '9 years'`],
  ])('CEN-7 A48 a tombstone with %s is found at its number', async (_what, set) => {
    await inOrder();
    await tamper(sql`update census_log ${set} where facility_no = ${facilityNo} and seq = 2`);
    expect(await verify()).toMatchObject({ broken_at: 2 });
  });

  it.each([
    ['what it is found by', sql`set action = 'print'`],
    ['the date beside it', sql`set census_date = census_date - 1`],
    ['the time beside it, though old enough', sql`set at = at - interval '1 day'`],
    ['its years, though it is old enough', sql`set entry = census_log_tombstone(facility_no, seq, 1)`],
    ['when it was removed', sql`set redacted_at = redacted_at - interval '1 second'`],
  ])('CEN-7 A48 a change of %s does not fit what the log told of the removal', async (_what, set) => {
    await inOrder();
    await tamper(sql`update census_log ${set} where facility_no = ${facilityNo} and seq = 2`);
    expect(await verify()).toMatchObject({ broken_at: 6 });
  });

  it('CEN-7 A48 hashes that were made anew among tombstones do not fit what the log told of them', async () => {
    await inOrder();
    await tamper(sql`
      update census_log set hash = case seq when 1 then sha256(hash) else hash end,
        prev_hash = case seq when 2 then sha256(prev_hash) else prev_hash end
      where facility_no = ${facilityNo} and seq < 3`);
    expect(await verify()).toMatchObject({ broken_at: 6 });
  });

  it('CEN-7 A48 a young entry that was buried like an old one is found, with and without its time changed', async () => {
    await inOrder();
    const bury = sql`entry = census_log_tombstone(facility_no, seq, 6), actor_id = null, redacted_at = now()`;
    await tamper(sql`update census_log set ${bury} where facility_no = ${facilityNo} and seq = 4`);
    expect(await verify()).toMatchObject({ broken_at: 4 });
    await tamper(sql`
      update census_log set at = at - interval '7 years' where facility_no = ${facilityNo} and seq = 4`);
    expect(await verify()).toMatchObject({ broken_at: 4 });
  });

  it('CEN-7 A48 a tombstone without its mark is a text that is not what was hashed', async () => {
    await inOrder();
    await tamper(sql`update census_log set redacted_at = null where facility_no = ${facilityNo} and seq = 2`);
    expect(await verify()).toMatchObject({ broken_at: 2 });
  });

  it('CEN-7 A48 an entry of which the log does not tell that it was removed is found', async () => {
    await writeOld([SEVEN_YEARS, 30]);
    await keepFor(6);
    await sql`select redact_census_log(${facilityNo}, 1)`.execute(server.db);
    expect(await verify()).toMatchObject({ broken_at: 1 });
  });

  it('CEN-7 A48 the removal of a tombstone is found at its number', async () => {
    await inOrder();
    await tamper(sql`delete from census_log where facility_no = ${facilityNo} and seq = 2`);
    expect(await verify()).toMatchObject({ broken_at: 2 });
  });

  it('CEN-7 what is appended afterwards follows, and sheets of signed days fit the hashes that stayed', async () => {
    await inOrder();
    await sql`
      insert into facility_days (facility_no, census_date, time_zone, utc_offset_minutes, census_at, due_at, status, signed_by,
        signed_at, log_seq, log_hash)
      select facility_no, '2019-11-17', 'Asia/Manila', 480, at, at, 'approved', ${anaId}, at, seq, hash
      from census_log where facility_no = ${facilityNo} and seq = 2`.execute(server.db);
    await write(change());
    expect(await verify()).toMatchObject({ broken_at: null });
    await tamper(sql`
      update facility_days set log_hash = sha256(log_hash) where facility_no = ${facilityNo} and census_date = '2019-11-17'`);
    expect(await verify()).toMatchObject({ broken_at: 2 });
  });
});

async function auditsOfRedaction() {
  return (await auditOf(server, 'census.log.redact', null)).filter(
    ({ facility_id }: { facility_id: string | null }) => facility_id === facility.id,
  );
}

async function ownDatabase(): Promise<{ db: string; href: string }> {
  const found = await sql<{ db: string }>`select current_database() as db`.execute(server.db);
  const db = found.rows[0]?.db ?? '';
  const url = new URL(inject('postgres'));
  url.pathname = db;
  return { db, href: url.href };
}

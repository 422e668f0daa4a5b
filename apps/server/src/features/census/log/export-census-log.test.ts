import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { SHIPPED_ROLES, type ShippedRole } from '#/features/facilities/index.ts';
import { makeMembership } from '#/testing/factories/facilities.ts';
import { makeUser } from '#/testing/factories/users.ts';
import { signedIn, type TestClient } from '#/testing/test-client.ts';
import {
  address,
  admin,
  change,
  facility,
  facilityNo,
  fill,
  list,
  officer,
  server,
  tamper,
  unit,
  useLogRoom,
  verify,
  write,
} from './testing/log-room.ts';

useLogRoom();

describe('the export of the log', () => {
  const file = (client: TestClient, query: string) => client.send('GET', address(`/export?${query}`));

  it('CEN-7 JSON lines carry what was hashed, so that anybody can hash it again up to the head', async () => {
    await write(change({ reason: 'Späte Meldung “23:20”' }), change(), change());
    const { head } = (await admin.send('GET', address('/verify'))).json();
    const answer = await file(admin, 'format=jsonl');
    expect(answer.headers).toMatchObject({
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': `attachment; filename="census-log-${facility.code}-1-3.jsonl"`,
    });
    const lines = answer.payload
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    let before: Buffer = Buffer.alloc(32);
    for (const { seq, prev_hash, hash, entry } of lines) {
      expect(prev_hash).toBe(before.toString('hex'));
      before = createHash('sha256').update(before).update(entry, 'utf8').digest();
      expect(hash).toBe(before.toString('hex'));
      expect(JSON.parse(entry).seq).toBe(seq);
    }
    expect({ seq: lines.at(-1).seq, hash: lines.at(-1).hash }).toEqual(head);
  });

  it('CEN-7 without the right to addresses the lines say that they are not what was hashed', async () => {
    await write(change());
    const answer = await file(officer, 'format=jsonl');
    const [line] = answer.payload
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text));
    expect(line).toMatchObject({
      seq: 1,
      lacks_addresses: true,
      redacted_at: null,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(JSON.parse(line.entry)).toMatchObject({ ip: null, device: null, actor_name: 'Ana Reyes' });
    expect(answer.payload).not.toContain('10.20.30.40');
  });

  it('CEN-7 CSV begins with its columns, has a sentence for each entry and never a formula', async () => {
    await write(
      change({ afterApproval: true, reasonCode: 'other', reason: '=HYPERLINK("http://x")' }),
      change({ reason: '@sum, "quoted"\nline' }),
    );
    const answer = await file(officer, 'format=csv&from=2026-11-01&to=2026-11-30');
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="census-log-${facility.code}-2026-11-01-2026-11-30.csv"`,
    });
    const [head = '', first = '', ...second] = answer.payload.replace(/^\uFEFF/, '').split('\r\n');
    expect(head).toMatch(/^seq,at,sentence,actor_id,.*,redacted_at,prev_hash,hash$/);
    expect(first).toContain(`"'=HYPERLINK(""http://x"")"`);
    expect(first).toContain(
      '"Ana Reyes changed discharges 4 → 5 on MED 3A, 2026-11-17, after approval: =HYPERLINK(""http://x"")."',
    );
    expect(first).toContain('"{""closing"":25,""discharges"":4}","{""closing"":24,""discharges"":5}",true,other');
    expect(second.join('\r\n')).toContain(`"'@sum, ""quoted""\nline"`);
    expect(answer.payload).not.toContain('10.20.30.40');
  });

  it('CEN-7 of an entry without its text the CSV makes nothing up: who, how and with what result stay blank', async () => {
    await write(change({ outcome: 'refused' }), change({ outcome: 'refused' }));
    await tamper(sql`update census_log set entry = '{}' where facility_no = ${facilityNo} and seq = 1`);
    await tamper(sql`
      update census_log
      set entry = census_log_tombstone(facility_no, seq, 6), actor_id = null, redacted_at = '2036-11-20T00:00:00Z'
      where facility_no = ${facilityNo} and seq = 2`);
    const { payload } = await file(admin, 'format=csv');
    const rows: Record<string, string>[] = parse(payload, { bom: true, columns: true });
    const kept = rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== '')));
    const beside = { at: expect.any(String), action: 'unit_day.save', census_date: '2026-11-17' };
    const chain = { prev_hash: expect.stringMatching(/^[0-9a-f]{64}$/), hash: expect.stringMatching(/^[0-9a-f]{64}$/) };
    expect(kept).toEqual([
      { seq: '1', sentence: 'Entry 1 cannot be read: its text was changed past the server.', ...beside, ...chain },
      {
        seq: '2',
        sentence: 'Entry 2 was removed after 6 years.',
        redacted_at: '2036-11-20T00:00:00.000Z',
        ...beside,
        ...chain,
      },
    ]);
  });

  it('CEN-7 every export is in the log, with what it was narrowed to, and holds what was there before it', async () => {
    await write(change(), change());
    const seqs = (payload: string) =>
      payload
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).seq);
    expect(seqs((await file(admin, 'format=jsonl')).payload)).toEqual([1, 2]);
    expect(seqs((await file(admin, `format=jsonl&unit=${unit.unitId}&q=reyes`)).payload)).toEqual([1, 2]);
    expect((await file(admin, 'format=jsonl&action=unit_day.submit')).payload).toBe('');
    const written = (await list(officer, '?action=log.export')).data;
    expect(written.map(({ after }: { after: unknown }) => after)).toEqual([
      { format: 'jsonl', head_seq: 4, action: 'unit_day.submit' },
      { format: 'jsonl', head_seq: 3, unit: unit.unitId, q: 'reyes' },
      { format: 'jsonl', head_seq: 2 },
    ]);
  });

  it('CEN-7 the script of docs/census-log.md finds the head of an export, and a changed character', async () => {
    await write(change({ reason: 'Späte Meldung' }), change(), change());
    const { head } = (await admin.send('GET', address('/verify'))).json();
    const { payload } = await file(admin, 'format=jsonl');
    expect(await runDocumentedCheck(payload)).toBe(`3 entries, head ${head.hash}\n`);
    const lines = payload.split('\n');
    const changed = lines.map((line, index) =>
      index === 1 ? line.replace('discharges\\":5', 'discharges\\":6') : line,
    );
    expect(changed).not.toEqual(lines);
    await expect(runDocumentedCheck(changed.join('\n'))).rejects.toThrow('broken at 2');
    await expect(runDocumentedCheck(lines.slice(1).join('\n'))).rejects.toThrow('broken at 1');
  });

  const mayRead = Object.entries(SHIPPED_ROLES).filter(([, { permissions }]) =>
    (permissions as readonly string[]).includes('census.logs'),
  );

  it('F-N12 the roles whose exports are checked here are those that may take them', () => {
    expect(mayRead.map(([role]) => role)).toEqual(['censusOfficer', 'houseSupervisor', 'facilityAdministrator']);
  });

  it.each(mayRead)(
    'F-N12 CEN-7 the check of docs/census-log.md passes on a healthy export by the role %s',
    async (role) => {
      const person = await makeUser(server.db, { name: 'Iris Novak' });
      await makeMembership(server.db, { userId: person.id, facility, roles: [role as ShippedRole] });
      const client = await signedIn(server, person.id);
      await write(change({ reason: 'Späte Meldung' }), change(), change({ outcome: 'refused' }));
      const { head } = (await admin.send('GET', address('/verify'))).json();
      const { payload } = await file(client, 'format=jsonl');
      const told = await runDocumentedCheck(payload);
      const unread = 'of 3 only the hashes were walked: their text is not whole in this file\n';
      expect(told).toBe(`3 entries, head ${head.hash}\n${role === 'facilityAdministrator' ? '' : unread}`);
      const lines = payload.trimEnd().split('\n');
      await expect(runDocumentedCheck(lines.toSpliced(1, 1).join('\n'))).rejects.toThrow('broken at 2');
      const forged = lines.map((line, index) => (index === 1 ? line.replace(/"hash":"./, '"hash":"x') : line));
      await expect(runDocumentedCheck(forged.join('\n'))).rejects.toThrow(/broken at [23]/);
    },
  );

  it('F-N12 CEN-7 the documented check passes where old texts were removed, and on a log without an entry', async () => {
    expect(await runDocumentedCheck('')).toBe(`0 entries, head ${'0'.repeat(64)}\n`);
    await write(change(), change());
    await tamper(sql`
      update census_log set entry = census_log_tombstone(facility_no, seq, 6), actor_id = null, redacted_at = now()
      where facility_no = ${facilityNo} and seq = 1`);
    const told = await runDocumentedCheck((await file(admin, 'format=jsonl')).payload);
    expect(told).toMatch(/^2 entries, head [0-9a-f]{64}\nof 1 only the hashes were walked/);
  });

  it('F-N13 an export is narrowed to the entries whose sentences have the words', async () => {
    await write(change(), change({ action: 'unit_day.restate', reason: 'Late slip' }), change());
    const { payload } = await file(admin, 'format=jsonl&q=restated');
    expect(payload.trimEnd().split('\n')).toHaveLength(1);
  });

  it('CEN-7 a long log comes whole, in its order', async () => {
    await fill(2_500);
    const lines = (await file(admin, 'format=jsonl')).payload.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).seq)).toEqual(Array.from({ length: 2_500 }, (_, index) => index + 1));
    expect(await verify()).toMatchObject({ broken_at: null });
  });
});

/** What somebody who has only the page and a file would do. */
async function runDocumentedCheck(exported: string): Promise<string> {
  const page = await readFile(new URL('../../../../../../docs/census-log.md', import.meta.url), 'utf8');
  const script = /```js\n([\s\S]+?)```/.exec(page)?.[1] ?? '';
  const folder = await mkdtemp(path.join(tmpdir(), 'wardline-log-'));
  try {
    const [program, input] = [path.join(folder, 'check.mjs'), path.join(folder, 'log.jsonl')];
    await writeFile(program, script);
    await writeFile(input, exported);
    return (await promisify(execFile)(process.execPath, [program, input])).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noteBackup } from '#/platform/db/backups.ts';
import { newId } from '#/platform/new-id.ts';
import { countFixesSince } from '#/platform/postgres/fixes.ts';
import { makeUser } from '#/testing/factories/users.ts';
import { auditOf, signedIn, type TestClient } from '#/testing/test-client.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '#/testing/test-server.ts';
import { isBackupOld, isLow, isUnencrypted } from './list-system-warnings.ts';

let server: TestServer;
let operatorId: string;
let asOperator: TestClient;

beforeAll(async () => {
  server = await startTestServer();
  ({ id: operatorId } = await makeUser(server.db, { isOperator: true }));
  asOperator = await signedIn(server, operatorId);
});
afterAll(() => server.close());

interface Dead {
  readonly kind?: string;
  readonly payload?: object;
  readonly deadAt?: Date | null;
  readonly runAt?: Date;
  readonly error?: string | null;
}

async function makeJob({ kind = 'auth.forgot_password', payload = {}, ...of }: Dead = {}): Promise<string> {
  const id = newId();
  const { deadAt = new Date(), runAt = new Date(), error = 'Error ECONNREFUSED' } = of;
  const row = { id, kind, payload: JSON.stringify(payload), attempts: 6, run_at: runAt };
  await server.db
    .insertInto('jobs')
    .values({ ...row, dead_at: deadAt, last_error: error })
    .execute();
  return id;
}

const get = async (path: string) => (await asOperator.send('GET', `/api/system/${path}`)).json();
const codes = async (client = asOperator) =>
  (await client.send('GET', '/api/system/warnings')).json().data.map(({ code }: { code: string }) => code);

describe('jobs', () => {
  it('ADM-2 PERM-4 those that were given up are told with their reason, and never with what they were to do', async () => {
    await sql`delete from jobs`.execute(server.db);
    const marker = 'MARKPATIENT';
    const later = new Date(Date.now() + 3_600_000);
    const id = await makeJob({ kind: 'contact.message', payload: { message: `About ${marker}`, name: marker } });
    await makeJob({ kind: 'contact.message', deadAt: null, error: null, runAt: later });
    await makeJob({ kind: 'contact.message', deadAt: null, runAt: later });
    const due = new Date(Date.now() - 60_000);
    await makeJob({ kind: 'notifications.push', deadAt: null, error: null, runAt: due });
    expect(await get('jobs')).toEqual({
      kinds: [
        { kind: 'contact.message', waiting: 1, retrying: 1, dead: 1 },
        { kind: 'notifications.push', waiting: 1, retrying: 0, dead: 0 },
      ],
      oldest_due_at: due.toISOString(),
    });
    const { data } = await get('jobs/dead');
    expect(data).toEqual([
      {
        ...{ id, kind: 'contact.message', reason: 'Error ECONNREFUSED', attempts: 6 },
        ...{ created_at: expect.any(String), dead_at: expect.any(String) },
      },
    ]);
    expect(JSON.stringify([await get('jobs'), data, await get('warnings'), await get('health')])).not.toContain(marker);
  });

  it('ADM-2 a job that was given up begins again or is removed; one that is still tried is left alone', async () => {
    const [again, gone, live] = [await makeJob(), await makeJob(), await makeJob({ deadAt: null })];
    const retry = (id: string) => asOperator.send('POST', `/api/system/jobs/${id}/retry`);
    const discard = (id: string) => asOperator.send('DELETE', `/api/system/jobs/${id}`);
    expect([(await retry(again)).statusCode, (await discard(gone)).statusCode]).toEqual([204, 204]);
    for (const id of [again, gone, live, newId()]) {
      expect([(await retry(id)).statusCode, (await discard(id)).statusCode]).toEqual([404, 404]);
    }
    const left = await server.db
      .selectFrom('jobs')
      .select(['id', 'attempts', 'dead_at', 'last_error'])
      .where('id', 'in', [again, gone, live])
      .orderBy('id')
      .execute();
    expect(left.map(({ id, attempts }) => [id, attempts])).toEqual([
      [again, 0],
      [live, 6],
    ]);
    const audited = [
      ...(await auditOf(server, 'job.retry', operatorId)),
      ...(await auditOf(server, 'job.discard', operatorId)),
    ];
    expect(audited.map(({ object_id, detail }) => [object_id, detail])).toEqual([
      [again, { kind: 'auth.forgot_password' }],
      [gone, { kind: 'auth.forgot_password' }],
    ]);
  });

  it('ADM-2 the list of those that were given up comes page by page', async () => {
    await sql`delete from jobs`.execute(server.db);
    const made = [await makeJob(), await makeJob(), await makeJob()];
    const first = await get('jobs/dead?limit=2');
    const second = await get(`jobs/dead?limit=2&cursor=${first.next_cursor}`);
    const ids = [...first.data, ...second.data].map(({ id }) => id);
    expect(ids).toEqual(made.toReversed());
    expect(second.next_cursor).toBeNull();
  });
});

describe('a test email', () => {
  const operatorOf = async (of: TestServer) => {
    const { id, email } = await makeUser(of.db, { isOperator: true });
    return { id, email, client: await signedIn(of, id) };
  };
  const press = async (options: TestServerOptions) => {
    const other = await startTestServer(options);
    try {
      const { client, email, id } = await operatorOf(other);
      const answers = [];
      for (let turn = 0; turn < 6; turn++) answers.push(await client.send('POST', '/api/system/mail-test'));
      const audited = await auditOf(other, 'mail.test', id);
      return { email, answers, audited, mails: [...other.mails] };
    } finally {
      await other.close();
    }
  };

  it('ADM-2 goes to who asked, at once, five times a minute', async () => {
    const { email, answers, mails, audited } = await press({});
    expect(answers[0]?.json()).toEqual({ to: email, outcome: 'sent', reason: null });
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(mails.map(({ to }) => to)).toEqual(Array.from({ length: 5 }, () => email));
    expect(audited).toHaveLength(5);
  });

  it('ADM-2 says why it did not go out, in codes that quote nothing', async () => {
    const send = () => Promise.reject(Object.assign(new Error('535 user secret@mail refused'), { code: 'EAUTH' }));
    const { email, answers } = await press({ mailer: { description: 'a wrong one', send } });
    expect(answers[0]?.json()).toEqual({ to: email, outcome: 'failed', reason: 'Error EAUTH' });
  });

  it('ADM-2 says that it is kept where mails reach nobody', async () => {
    const { answers } = await press({ keepsMails: true });
    expect(answers[0]?.json()).toMatchObject({ outcome: 'kept', reason: null });
  });
});

describe('warnings', () => {
  const on = async (options: TestServerOptions, act: (of: TestServer, client: TestClient) => Promise<void>) => {
    const other = await startTestServer(options);
    try {
      const { id } = await makeUser(other.db, { isOperator: true });
      await act(other, await signedIn(other, id));
    } finally {
      await other.close();
    }
  };
  const QUIET = { securityContact: 'mailto:security@ward.test' };

  it('F-S3 ADM-2 a forwarded header without a declared proxy is said from then on, and not where one is declared', async () => {
    await on(QUIET, async (_, client) => {
      expect(await codes(client)).not.toContain('unknown_proxy');
      await client.send('GET', '/up', { headers: { 'x-forwarded-for': '198.51.100.7' } });
      expect(await codes(client)).toContain('unknown_proxy');
    });
    await on({ ...QUIET, trustedProxyHops: 1 }, async (_, client) => {
      await client.send('GET', '/up', { headers: { 'x-forwarded-for': '198.51.100.7' } });
      expect(await codes(client)).not.toContain('unknown_proxy');
    });
  });

  it('ADM-2 the settings: no security contact, mails that reach nobody, an address without encryption', async () => {
    await on({}, async (_, client) => expect(await codes(client)).toContain('no_security_contact'));
    const settings = { ...QUIET, keepsMails: true, publicUrl: 'http://wardline.example' };
    await on(settings, async (_, client) => {
      const answer = await client.send('GET', '/api/system/warnings', { headers: { host: 'wardline.example' } });
      const found = answer.json().data.map(({ code }: { code: string }) => code);
      expect(found).toEqual(expect.arrayContaining(['mail_kept', 'unencrypted_url']));
      expect(found).not.toContain('no_security_contact');
    });
    expect(['http://10.0.0.8:8080', 'https://a.example', 'http://127.0.0.1:8080', null].map(isUnencrypted)).toEqual([
      ...[true, false, false, false],
    ]);
  });

  it('ADM-2 the database in the package lacks fixes that came out since; one of the operator, and the demo, are passed over', async () => {
    const missing = async (client: TestClient) =>
      (await client.send('GET', '/api/system/warnings'))
        .json()
        .data.filter(({ code }: { code: string }) => code === 'database_fixes_missing');
    await on({ ...QUIET, embeddedDatabase: { releasedOn: '2026-05-14' } }, async ({ db }, client) => {
      const [warning] = await missing(client);
      expect(warning.count).toBe(countFixesSince('2026-05-14', new Date()));
      expect(warning.count).toBeGreaterThanOrEqual(2);
      await makeUser(db, { isDemo: true });
      expect(await missing(client)).toEqual([]);
    });
    await on({ ...QUIET, embeddedDatabase: null }, async (_, client) => expect(await missing(client)).toEqual([]));
  });

  it('ADM-2 demo accounts are a warning where others than this machine can reach them', async () => {
    await on(QUIET, async (other, client) => {
      await makeUser(other.db, { isDemo: true });
      expect(await codes(client)).not.toContain('demo_accounts_reachable');
      await client.send('GET', '/up', { headers: { 'x-forwarded-for': '198.51.100.7' } });
      expect(await codes(client)).toContain('demo_accounts_reachable');
    });
  });

  it('ADM-2 the queue: how many jobs were given up, and that what is due waits', async () => {
    await sql`delete from jobs`.execute(server.db);
    expect(await codes()).not.toContain('jobs_dead');
    await makeJob();
    await makeJob();
    await makeJob({ deadAt: null, runAt: new Date(Date.now() - 3_600_000) });
    const { data } = await get('warnings');
    expect(data).toEqual(
      expect.arrayContaining([
        { code: 'jobs_dead', count: 2 },
        { code: 'jobs_waiting', count: null },
      ]),
    );
  });

  it('OPS-8 ADM-2 no backup for two days, as the operator has set it, and never in the demo', async () => {
    const { db } = server;
    const warnings = async () =>
      (await get('warnings')).data.filter(({ code }: { code: string }) => code === 'backup_old');
    expect(await warnings()).toEqual([]);
    expect((await get('health')).backup).toEqual({ last_at: null });
    await sql`update users set created_at = now() - interval '49 hours'`.execute(db);
    expect(await warnings()).toEqual([{ code: 'backup_old', count: null }]);
    const { id } = await makeUser(db, { isDemo: true });
    expect(await warnings()).toEqual([]);
    await sql`update users set disabled_at = now() where id = ${id}`.execute(db);
    expect(await warnings()).toHaveLength(1);
    await noteBackup(db, 'backup.make', { rows: 1 });
    expect(await warnings()).toEqual([]);
    expect(Date.now() - Date.parse((await get('health')).backup.last_at)).toBeLessThan(60_000);
    const lastAt = new Date(Date.now() - 10 * 86_400_000);
    expect([0, 10, 11].map((days) => isBackupOld(days, { lastAt, begunAt: lastAt }))).toEqual([false, 10, false]);
    expect(isBackupOld(2, { lastAt: null, begunAt: null })).toBe(false);
  });

  it('ADM-2 CHAT-5 unread counts that the newest recount found wrong', async () => {
    const recounted = (day: string, unread: number) =>
      sql`insert into chat_recounts (day, unread, urgent) values (${day}, ${unread}, ${unread})`.execute(server.db);
    await recounted('2026-01-01', 2);
    expect((await get('warnings')).data).toContainEqual({ code: 'badges_wrong', count: 4 });
    await recounted('2026-01-02', 0);
    expect(await codes()).not.toContain('badges_wrong');
  });

  it('R22 ADM-2 stored files that are not as they were stored, and when all were last read through', async () => {
    expect((await get('health')).files.verified_at).toBeNull();
    await sql`insert into file_verifications (week, finished_at) values ('2026-11-15', '2026-11-15T02:10:00Z'), ('2026-11-22', null)`.execute(
      server.db,
    );
    expect((await get('health')).files.verified_at).toBe('2026-11-15T02:10:00.000Z');
    expect(await codes()).not.toContain('files_damaged');
    await sql`insert into damaged_files (key, problem) values ('a', 'changed'), ('b', 'missing')`.execute(server.db);
    expect((await get('warnings')).data).toContainEqual({ code: 'files_damaged', count: 2 });
    await sql`delete from damaged_files`.execute(server.db);
  });

  it('ADM-2 A46 the audit: entries that wait for long, and an end that no server left', async () => {
    // The first look has the end mailed, which is an entry itself.
    for (let look = 0; look < 2; look++) await server.runAudit();
    expect((await codes()).filter((code: string) => code.startsWith('audit'))).toEqual([]);
    await sql`insert into audit_entries (action, request_id, at) values ('session.start', 'old', now() - interval '1 hour')`.execute(
      server.db,
    );
    expect(await codes()).toContain('audit_behind');
    expect((await get('health')).audit).toMatchObject({ is_signed: true, waiting_since: expect.any(String) });
    await sql`select sign_audit_head(seq, sha256('somebody else')) from audit_head`.execute(server.db);
    expect(await codes()).toContain('audit_changed');
    expect((await get('health')).audit.is_signed).toBe(false);
  });

  it('ADM-2 a disk is low at less than 2 GiB or a tenth', () => {
    const GiB = 1024 ** 3;
    const low = (free: number, total: number) => isLow({ free_bytes: free * GiB, total_bytes: total * GiB });
    expect([low(1.9, 10), low(2.1, 10), low(9, 100), low(11, 100)]).toEqual([true, false, true, false]);
    expect(isLow(null)).toBe(false);
  });
});

it('ADM-2 the health says what the installation stands on, and counts what is stored', async () => {
  const health = await get('health');
  expect(health).toMatchObject({
    database: {
      is_embedded: true,
      is_writable: true,
      bytes: expect.any(Number),
      version: expect.stringMatching(/^\d+/),
    },
    disk: { free_bytes: expect.any(Number), total_bytes: expect.any(Number) },
    files: { kept_in: 'folder', is_available: true, count: 0, bytes: 0, unfinished_uploads: 0, malware_check: null },
  });
  expect(health.node_version).toBe(process.versions.node);
  expect(JSON.stringify(health)).not.toContain(server.filesRoot);
});

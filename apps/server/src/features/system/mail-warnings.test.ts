import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { asSystem } from '#/platform/db/stated-actor.ts';
import { makeUser } from '#/testing/factories/users.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';
import { systemFeature } from './index.ts';
import type { WarningMailDeps } from './mail-warnings.ts';

let server: TestServer;
/** An installation whose audit was changed outside the server. */
let deps: WarningMailDeps;
let isSigned: boolean;
let damaged: number;

beforeAll(async () => {
  server = await startTestServer();
  const settings = { host: '127.0.0.1', publicUrl: null, securityContact: null, backupDays: 0 };
  deps = {
    ...{ settings, keepsMails: false, hasUnknownProxy: () => true, operatorEmail: 'operator@ward.test' },
    countWrongBadges: async () => 0,
    countDamagedFiles: async () => damaged,
    readiness: async () => ({ writable: true, files: true, malware_check: null }) as never,
    readAudit: async () => ({ isSigned, waiting: 0, waitingSince: null }) as never,
    installation: { embeddedDatabase: null, hasBucket: false, dataDir: server.filesRoot },
  };
});
afterAll(() => server.close());
beforeEach(async () => {
  [isSigned, damaged] = [false, 0];
  await sql`delete from mailed_warnings`.execute(server.db);
});

/** As the server looks now and then, by the role that it works as. */
function mailNew(more: Partial<WarningMailDeps> = {}): Promise<void> {
  const unused = { mailer: null as never, productName: '', publicUrl: () => '', createCounter: () => null as never };
  const feature = systemFeature({ ...deps, ...more, ...unused, db: server.walled });
  return asSystem('purge', () => feature.purge());
}

/** What goes out by one look at the installation. */
async function look(more: Partial<WarningMailDeps> = {}) {
  const before = server.mails.length;
  await mailNew(more);
  await server.runJobs();
  return server.mails.slice(before);
}

const pass = (hours: number) =>
  sql`update mailed_warnings set mailed_at = mailed_at - make_interval(hours => ${hours})`.execute(server.db);

it('ADM-2 a warning is mailed to the operator in words when it begins, and after a week while it lasts', async () => {
  const [mail, ...others] = await look();
  expect(others).toEqual([]);
  expect(mail?.to).toBe('operator@ward.test');
  expect(mail?.subject).toContain('Wardline: The audit log was changed outside the server.');
  expect(mail?.text).toContain('Run “npm run audit -- verify” on the server; it names what was changed.');
  expect(mail?.text).toContain('/settings/system');
  expect(await look()).toEqual([]);
  await pass(7 * 24 - 1);
  expect(await look()).toEqual([]);
  await pass(2);
  expect(await look()).toHaveLength(1);
  expect(await look()).toEqual([]);
});

it('ADM-2 R22 one that comes beside others is mailed with them', async () => {
  await look();
  damaged = 2;
  const [mail] = await look();
  expect(mail?.text).toMatch(/The audit log was changed[\s\S]*2 stored files are damaged or missing\./);
  expect(mail?.subject).toMatch(/And \d other warnings?\.$/);
});

it('ADM-2 one that comes and goes is mailed once in a day', async () => {
  damaged = 1;
  await look();
  damaged = 0;
  expect(await look()).toEqual([]);
  damaged = 1;
  expect(await look()).toEqual([]);
  damaged = 0;
  await pass(25);
  expect(await look()).toEqual([]);
  damaged = 1;
  expect(await look()).toHaveLength(1);
});

it('ADM-2 several servers mail it once', async () => {
  const before = server.mails.length;
  await Promise.all([1, 2, 3, 4].map(() => mailNew()));
  await server.runJobs();
  expect(server.mails.slice(before)).toHaveLength(1);
});

it('ADM-2 goes to each system administrator where the operator has no address', async () => {
  const [one, two] = [await makeUser(server.db, { isOperator: true }), await makeUser(server.db, { isOperator: true })];
  await makeUser(server.db, { isOperator: true, disabledAt: new Date() });
  await makeUser(server.db);
  const mails = await look({ operatorEmail: null });
  expect(mails.map(({ to }) => to).sort()).toEqual([one.email, two.email].sort());
});

it('ADM-2 what a setting says or a visitor can bring about is not mailed, nor anything where mails reach nobody', async () => {
  isSigned = true;
  for (const { text } of await look()) expect(text).not.toMatch(/proxy|security contact/);
  isSigned = false;
  expect(await look({ keepsMails: true })).toEqual([]);
  expect(await look()).toHaveLength(1);
});

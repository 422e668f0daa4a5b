import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeUser } from '#/testing/factories/users.ts';
import { auditOf, signedIn } from '#/testing/test-client.ts';
import { startTestServer, TEST_APP_KEY, type TestServer } from '#/testing/test-server.ts';
import { verifyChain } from './verify-chain.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('F-S4 A46 the end of the chain is mailed to the operator once a day, names nobody, and can be compared', async () => {
  await server.runAudit();
  expect(await auditOf(server, 'audit.head.mail', null)).toEqual([]);
  const { id } = await makeUser(server.db);
  await (await signedIn(server, id)).send('POST', '/logout');
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-23T10:00:00Z') });
  try {
    await server.runAudit();
    await server.runAudit();
    await server.runJobs();
    expect(server.mails.map(({ to, subject }) => [to, subject])).toEqual([
      ['operator@ward.test', expect.stringMatching(/^Wardline audit, 2026-11-23: entry \d+$/)],
    ]);
    const text = server.mails[0]?.text ?? '';
    expect(text).not.toContain(id);
    const [, seq = '', hash = ''] = /--head (\d+):([0-9a-f]{64})/.exec(text) ?? [];
    const appKey = Buffer.from(TEST_APP_KEY);
    const kept = [{ seq: Number(seq), hash }];
    expect((await verifyChain(server.db, { appKey, kept })).tamperings).toEqual([]);
    const other = [{ seq: Number(seq), hash: '00'.repeat(32) }];
    expect((await verifyChain(server.db, { appKey, kept: other })).tamperings).toMatchObject([{ what: 'end' }]);
    vi.setSystemTime(new Date('2026-11-24T00:00:05Z'));
    await server.runAudit();
    await server.runJobs();
    expect(server.mails).toHaveLength(2);
    expect(await auditOf(server, 'audit.head.mail', null)).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
});

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashSecret } from '#/platform/http/session-cookie.ts';
import { makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { makeUser, testPasswordHash } from '#/testing/factories/users.ts';
import { linkMailedTo } from '#/testing/mailed-links.ts';
import { guestWithCookies, signedIn } from '#/testing/test-client.ts';
import { startTestServer, TEST_APP_KEY, type TestServer } from '#/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ signUp: 'open' });
});
afterAll(() => server.close());

/** Every row of every table as text. */
async function dump(): Promise<string> {
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(server.db);
  const rows: string[] = [];
  for (const { name } of tables.rows) {
    const found = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} t`.execute(server.db);
    rows.push(...found.rows.map((row) => row.row));
  }
  return rows.join('\n');
}

describe('a stolen dump of the database', () => {
  it('A8 holds no live link: none to a new password, of an invitation, to an address, and no note of one', async () => {
    const { db } = server;
    const person = await makeUser(db, { passwordHash: await testPasswordHash(TEST_APP_KEY) });
    const facility = await makeFacility(db);
    await makeMembership(db, { userId: person.id, facility, roles: ['facilityAdministrator'] });
    const browser = await guestWithCookies(server);
    const secrets: string[] = [];

    await browser.send('POST', '/forgot-password', { body: { email: person.email } });
    const { path: reset } = await linkMailedTo(server, person.email);
    const token = /^\/password-reset\/([^?]+)/.exec(reset)?.[1] ?? '';
    secrets.push(token);

    const admin = await signedIn(server, person.id);
    const invited = await admin.send('POST', `/api/facilities/${facility.id}/invitations`, { body: { role_ids: [] } });
    secrets.push(invited.json().token);

    const password = 'violet tram over the harbour';
    const body = { name: 'Ana Abel', email: 'ana@people.test', password, password_confirmation: password };
    await browser.send('POST', '/register', { body });
    const { path: verify, origin } = await linkMailedTo(server, body.email);
    secrets.push(new URL(verify, origin).searchParams.get('signature') ?? '', password);
    await browser.send('GET', verify);
    secrets.push(browser.cookies.get('wardline_link')?.split('.')[1] ?? '');

    const text = await dump();
    expect(text).toContain(hashSecret(token).toString('hex'));
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(20);
      for (const encoding of ['utf8', 'base64url', 'hex'] as const) {
        const bytes = Buffer.from(secret, encoding);
        // What is no hex ends where it stops to be: the byte or two before that stand in every dump.
        const isWhole = bytes.length >= 16;
        expect(isWhole && text.includes(bytes.toString('hex')), 'a secret in the dump').toBe(false);
      }
      expect(text.includes(secret), 'a secret in the dump').toBe(false);
    }
  });
});

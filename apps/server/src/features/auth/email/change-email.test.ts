import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type MadeUser, makeUser, TEST_PASSWORD, testPasswordHash } from '#/testing/factories/users.ts';
import { linkMailedTo, mailsTo, verifyLinkOf } from '#/testing/mailed-links.ts';
import { actsOf, audited, auditOf, newAddress, signedIn, type TestClient } from '#/testing/test-client.ts';
import { startTestServer, TEST_APP_KEY, type TestServer } from '#/testing/test-server.ts';

let server: TestServer;
let person: MadeUser;
let client: TestClient;
let email: string;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  person = await makeUser(server.db, { passwordHash: await testPasswordHash(TEST_APP_KEY) });
  client = await signedIn(server, person.id);
  email = `${crypto.randomUUID()}@people.test`;
});

const change = (to: string, { password = TEST_PASSWORD, ip = newAddress() } = {}) =>
  client.send('PUT', '/api/user/email', { body: { email: to, current_password: password }, ip });
const sendAgain = () => client.send('POST', '/email/verification-notification');

describe('asking for another address', () => {
  it('ACC-5 says what waits, keeps the old one, and can be taken back', async () => {
    const answer = await change(email);
    const account = { email: person.email, pending_email: email, email_verified_at: expect.any(String) };
    expect(answer.json()).toMatchObject(account);
    expect((await client.send('GET', '/api/user/account')).json()).toEqual(answer.json());
    const cancelled = await client.send('DELETE', '/api/user/email');
    expect(cancelled.json()).toMatchObject({ email: person.email, pending_email: null });
    expect((await client.send('DELETE', '/api/user/email')).statusCode).toBe(200);
    expect(await auditOf(server, 'email.change_cancel', person.id)).toHaveLength(1);
    expect(await mailsTo(server, email)).toEqual([]);
  });

  it('ACC-5 asks for the password again and counts wrong ones as tries to sign in', async () => {
    const ip = newAddress();
    for (let turn = 0; turn < 5; turn++) {
      const refused = await change(email, { password: 'wrong horse', ip });
      expect(refused.statusCode).toBe(422);
      expect(refused.json().errors).toEqual({ current_password: ['This is not your password.'] });
    }
    expect((await change(email, { ip })).statusCode).toBe(429);
    const refusals = await auditOf(server, 'password.refused', person.id);
    expect(refusals.map(({ outcome }) => outcome)).toEqual(Array(5).fill('refused'));
    expect((await client.send('GET', '/api/user/account')).json().pending_email).toBeNull();
  });

  it('A3 answers the same for an address that somebody has; only the mail there says so', async () => {
    const other = await makeUser(server.db);
    const answers = [await change(email), await change(other.email)];
    const bodies = answers.map((answer) => ({ ...answer.json(), pending_email: null, status: answer.statusCode }));
    expect(bodies[1]).toEqual(bodies[0]);
    const [mail] = await mailsTo(server, other.email);
    expect(mail?.subject).toBe('Someone tried to use your address at Wardline');
    expect(mail?.text).not.toContain('verify-email');
    expect(mail?.text).not.toContain(person.email);
  });

  it('ACC-5 refuses the address that one has', async () => {
    const refused = await change(` ${person.email.toUpperCase()}`);
    expect(refused.json().errors).toEqual({ email: ['This is your address already.'] });
  });

  it('A45 audits the address as an HMAC only', async () => {
    await change(email);
    const entries = await auditOf(server, 'email.change', person.id);
    expect(entries[0]?.detail).toEqual({ email_hmac: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(JSON.stringify(entries)).not.toContain(email);
  });
});

describe('the link to it', () => {
  it('ACC-5 ADM-3 what was asked, sent again, taken back and followed is each one entry about the account', async () => {
    await change(email);
    await client.send('DELETE', '/api/user/email');
    await client.send('DELETE', '/api/user/email');
    await change(email);
    await sendAgain();
    await client.send('GET', (await linkMailedTo(server, email)).path);
    const taken = await makeUser(server.db);
    await change(taken.email);
    const [waiting] = await server.db
      .selectFrom('email_changes')
      .select('expires_at')
      .where('user_id', '=', person.id)
      .execute();
    const link = verifyLinkOf({ id: person.id, email: taken.email, expiresAt: waiting?.expires_at ?? new Date() });
    await client.send('GET', link.pathname + link.search);
    const account = ['user', person.id] as const;
    const asked = audited('email.change', account, { detail: { email_hmac: expect.any(String) } });
    expect(await actsOf(server, person.id)).toEqual([
      asked,
      audited('email.change_cancel', account),
      asked,
      audited('email.link', account),
      audited('email.verify', account, { detail: { is_other: true } }),
      asked,
      audited('email.verify', account, { outcome: 'refused', detail: { is_taken: true } }),
    ]);
    expect((await client.send('GET', '/api/user/account')).json()).toMatchObject({ email, pending_email: null });
  });

  it('ACC-5 is sent again on request, good for another day, six times an hour in all', async () => {
    await change(email);
    const first = await linkMailedTo(server, email);
    const almostOver = new Date(Date.now() + 60_000);
    await server.db
      .updateTable('email_changes')
      .set({ expires_at: almostOver })
      .where('user_id', '=', person.id)
      .execute();
    expect((await sendAgain()).json()).toEqual({ status: `A link is on its way to ${email}.` });
    const again = await linkMailedTo(server, email);
    const expiresAt = Number(new URL(again.path, again.origin).searchParams.get('expires')) * 1000;
    expect(expiresAt).toBeGreaterThan(Date.now() + 86_000_000);
    expect(expiresAt).toBeLessThanOrEqual(Date.now() + 86_400_000);
    expect(again.path.split('?')[0]).toBe(first.path.split('?')[0]);
    for (let turn = 0; turn < 4; turn++) expect((await sendAgain()).statusCode).toBe(200);
    expect((await sendAgain()).statusCode).toBe(429);
    expect(await mailsTo(server, email)).toHaveLength(6);
    expect((await change(email)).statusCode).toBe(429);
  });

  it('A4 leads to the configured origin or the one listened on, whatever host a proxy names', async () => {
    const headers = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
    const body = { email, current_password: TEST_PASSWORD };
    await client.send('PUT', '/api/user/email', { body, headers });
    expect((await linkMailedTo(server, email)).origin).toBe(server.baseUrl);
  });
});

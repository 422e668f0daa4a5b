import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeUser } from '#/testing/factories/users.ts';
import { auditOf, guest, guestWithCookies, newAddress, signedIn, type TestClient } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ productName: 'Ward talk' });
});
afterAll(() => server.close());

const BODY = { name: 'Zoë Ødegård', email: 'zoe@people.test', message: 'Who admits me?\n\nI wait since Monday.' };

function post(
  client: TestClient,
  change: { body?: object; ip?: string; headers?: Record<string, string | null> } = {},
) {
  const { body = BODY, ip = newAddress(), headers = {} } = change;
  return client.send('POST', '/api/contact', { body, ip, headers });
}

describe('a message to the operator', () => {
  it('OPS-12 A46 of somebody signed out is queued with an audit entry, and mailed once', async () => {
    const response = await post(await guestWithCookies(server));
    expect([response.statusCode, response.payload]).toEqual([204, '']);
    expect(server.mails).toEqual([]);
    expect(await server.runJobs()).toBe(1);
    expect(server.mails).toEqual([
      {
        to: 'operator@ward.test',
        replyTo: 'zoe@people.test',
        subject: 'Ward talk: message from Zoë Ødegård',
        text: 'Zoë Ødegård <zoe@people.test> wrote by the contact form:\n\nWho admits me?\n\nI wait since Monday.\n',
      },
    ]);
    expect(await server.runJobs()).toBe(0);
    expect(await auditOf(server, 'contact.send', null)).toHaveLength(1);
  });

  it('OPS-12 A45 stays nowhere in the database once it is sent', async () => {
    await post(await guestWithCookies(server), { body: { ...BODY, message: 'MARKER-7f3a' } });
    await server.runJobs();
    const tables = await sql<{ name: string }>`
      select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(server.db);
    for (const { name } of tables.rows) {
      const found = await sql`select 1 from ${sql.table(name)} t where t::text like '%MARKER-7f3a%'`.execute(server.db);
      expect(found.rows, name).toEqual([]);
    }
  });

  it('A46 of somebody signed in names them in the audit', async () => {
    const { id } = await makeUser(server.db);
    expect((await post(await signedIn(server, id))).statusCode).toBe(204);
    expect(await auditOf(server, 'contact.send', id)).toHaveLength(1);
  });

  it('A6 without a CSRF token is refused', async () => {
    expect((await post(guest(server))).statusCode).toBe(419);
  });

  it('A29 that is empty, too long or from no address is refused at its fields', async () => {
    const client = await guestWithCookies(server);
    const response = await post(client, { body: { name: ' ', email: 'nobody', message: 'a'.repeat(4001) } });
    expect(response.statusCode).toBe(422);
    expect(response.json().errors).toEqual({
      name: ['The name field is required.'],
      email: ['The email field must be a valid email address.'],
      message: ['The message field must not be greater than 4000 characters.'],
    });
  });
});

describe('the limits', () => {
  it('A39 take five an hour from one place, however the address is written, and say when to come back', async () => {
    const client = await guestWithCookies(server);
    for (let turn = 0; turn < 5; turn++) {
      expect((await post(client, { ip: `2001:db8:0:9::${turn}` })).statusCode).toBe(204);
    }
    const refused = await post(client, { ip: '2001:db8:0:9::ffff' });
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500);
    expect((await post(client, { ip: '2001:db8:0:a::1' })).statusCode).toBe(204);
  });

  it('A39 take two hundred a day from everywhere together', async () => {
    const busy = await startTestServer();
    try {
      const client = await guestWithCookies(busy);
      const answers = new Map<number, number>();
      for (let turn = 0; turn < 203; turn++) {
        const { statusCode } = await post(client);
        answers.set(statusCode, (answers.get(statusCode) ?? 0) + 1);
      }
      expect(Object.fromEntries(answers)).toEqual({ 204: 200, 429: 3 });
    } finally {
      await busy.close();
    }
  });
});

it('OPS-4 a server whose mail would reach nobody says so and stores nothing', async () => {
  const mute = await startTestServer({ operatorEmail: null });
  try {
    const response = await post(await guestWithCookies(mute));
    expect(response.statusCode).toBe(503);
    expect(response.json()).toEqual({
      message: 'This server cannot send email, so your message would reach no one. Contact the operator another way.',
      code: 'unavailable',
    });
    expect(await mute.db.selectFrom('jobs').selectAll().execute()).toEqual([]);
  } finally {
    await mute.close();
  }
});

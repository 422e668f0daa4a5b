import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import type { SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { createJobs, enqueueJob } from '#/platform/jobs/jobs.ts';
import { createLog } from '#/platform/log.ts';
import { testDatabase } from '#/testing/test-database.ts';
import { createSmtpMailer } from './smtp-mailer.ts';
import { startMailServer, type TestMailServer } from './testing/mail-server.ts';

const FROM = { name: 'Ward talk', address: 'no-reply@ward.example' };

let running: TestMailServer | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

async function start(options?: SMTPServerOptions): Promise<TestMailServer> {
  running = await startMailServer(options);
  return running;
}

function mailerAt(port: number, { scheme = 'smtp', user = '', host = '127.0.0.1' } = {}) {
  return createSmtpMailer({ url: `${scheme}://${user}${host}:${port}`, from: FROM });
}

describe('a mail by SMTP', () => {
  const LINK = `https://chat.ward.example/password-reset/${'aB3_-'.repeat(60)}?email=zo%C3%AB%40ward.example`;
  it.each([
    ['letters of all kinds', 'Grüße, Zoë 你好 🏥 — “done”'],
    ['a link longer than a line may be', `Open\n${LINK}\nwithin 30 minutes.`],
    ['a line of 5000 letters', 'word '.repeat(1000).trim()],
    ['lines that are or begin with dots', '.\n..\n.hidden\nend.'],
    ['what looks like an encoding or a header', '=41 =?utf-8?q?x?=\nBcc: everybody@ward.example\n\n--boundary'],
    ['blanks at ends of lines, and lines that say From', 'a  \n\tb\nFrom here on  '],
  ])('OPS-12 arrives as it was written, as plain text in UTF-8: %s', async (_what, text) => {
    const server = await start();
    await mailerAt(server.port).send({ to: 'nurse@ward.example', subject: 'Verify your address', text });
    const [mail] = server.received;
    expect(mail?.parsed.text?.replace(/\n$/, '')).toBe(text);
    expect(mail?.parsed.html).toBeUndefined();
    expect(mail?.raw).toContain('Content-Type: text/plain; charset=utf-8');
    for (const line of mail?.raw.split('\r\n') ?? []) {
      expect(line.length).toBeLessThanOrEqual(78);
      expect(line).toMatch(/^[\x20-\x7e\t]*$/);
    }
  });

  it('OPS-12 says who sends it, that no person did, and has an id of our domain', async () => {
    const server = await start();
    await mailerAt(server.port).send({ to: 'nurse@ward.example', subject: 'Zoë’s invitation', text: 'Hello' });
    const { parsed, from, to } = server.received[0] ?? {};
    expect({ from, to }).toEqual({ from: 'no-reply@ward.example', to: ['nurse@ward.example'] });
    expect(parsed).toMatchObject({
      from: FROM,
      to: [{ address: 'nurse@ward.example' }],
      subject: 'Zoë’s invitation',
      messageId: expect.stringMatching(/^<[\w-]+@ward\.example>$/),
    });
    expect(parsed?.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }));
    expect(parsed?.replyTo).toBeUndefined();
  });

  it('OPS-12 takes answers elsewhere where that is one bare address, and nowhere otherwise', async () => {
    const server = await start();
    for (const replyTo of ['rosa@people.test', 'a@b.test,c@d.test', 'x <a@b.test>', 'a@b.test\r\nBcc: c@d.test']) {
      await mailerAt(server.port).send({ to: 'operator@ward.example', subject: 'x', text: 'x', replyTo });
    }
    const replies = server.received.map(({ parsed }) => parsed.replyTo?.map(({ address }) => address));
    expect(replies).toEqual([['rosa@people.test'], undefined, undefined, undefined]);
    for (const { to } of server.received) expect(to).toEqual(['operator@ward.example']);
  });

  it('A45 a subject cannot add a header, a recipient or a text', async () => {
    const server = await start();
    for (const end of ['\r\n', '\n', '\r', '\u2028', '\u0000\n', '\r\n\r\n']) {
      await mailerAt(server.port).send({
        to: 'nurse@ward.example',
        subject: `Hello${end}Bcc: everybody@ward.example${end}X-Evil: 1`,
        text: 'Body',
      });
    }
    for (const { to, parsed } of server.received) {
      expect(to).toEqual(['nurse@ward.example']);
      expect(parsed.headers.map(({ key }) => key)).not.toContain('x-evil');
      expect(parsed.bcc).toBeUndefined();
      expect(parsed.subject).toBe('Hello Bcc: everybody@ward.example X-Evil: 1');
      expect(parsed.text).toBe('Body\n');
    }
    expect(server.received).toHaveLength(6);
  });

  it.each([
    'one@ward.example, two@ward.example',
    'one@ward.example;two@ward.example',
    'Nurse <nurse@ward.example>',
    '<nurse@ward.example>',
    'nurse@ward.example\r\nBcc: two@ward.example',
    '"a b"@ward.example',
    'nurse(comment)@ward.example',
    'group:one@ward.example;',
    'a@b@ward.example',
    'nurse',
    '',
  ])('A45 nothing is sent to %j, which is not one bare address', async (to) => {
    const server = await start();
    await expect(mailerAt(server.port).send({ to, subject: 'x', text: 'x' })).rejects.toThrow(
      'the address of a mail is not one bare address',
    );
    expect(server.received).toEqual([]);
  });
});

describe('the way to the mail server', () => {
  const mail = { to: 'nurse@ward.example', subject: 'x', text: 'x' };
  const withTls: SMTPServerOptions = { disabledCommands: [] };

  it('OPS-12 signs in where a user is named, with special characters in the password, and fails where it is wrong', async () => {
    const seen: unknown[] = [];
    const server = await start({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth({ username, password }, _session, done) {
        seen.push([username, password]);
        if (password === 'p@ss:/?#word') done(null, { user: username });
        else done(new Error('no'));
      },
    });
    await mailerAt(server.port, { user: 'mail%40ward:p%40ss%3A%2F%3F%23word@' }).send(mail);
    await expect(mailerAt(server.port, { user: 'mail:wrong@' }).send(mail)).rejects.toMatchObject({ code: 'EAUTH' });
    expect(seen).toEqual([
      ['mail@ward', 'p@ss:/?#word'],
      ['mail', 'wrong'],
    ]);
    expect(server.received).toHaveLength(1);
  });

  it('OPS-12 a certificate that nobody vouches for is refused, by STARTTLS and from the start', async () => {
    const starttls = await start(withTls);
    await expect(mailerAt(starttls.port).send(mail)).rejects.toMatchObject({ code: 'ESOCKET' });
    await starttls.close();
    const smtps = await start({ secure: true });
    await expect(mailerAt(smtps.port, { scheme: 'smtps' }).send(mail)).rejects.toMatchObject({ code: 'ESOCKET' });
    expect([...starttls.received, ...smtps.received]).toEqual([]);
  });

  it('OPS-12 a mail leaves this machine by TLS only: a server elsewhere that has none gets nothing', async () => {
    const server = await start();
    // This address too leads to the server here, but is not known to be of this machine.
    const elsewhere = mailerAt(server.port, { host: '0.0.0.0' });
    await expect(elsewhere.send(mail)).rejects.toMatchObject({ code: 'ETLS' });
    expect(server.received).toEqual([]);
  });

  it('OPS-12 A45 its description says where mails go and nothing of the password', () => {
    const { description } = createSmtpMailer({ url: 'smtps://user:secret@mail.ward.example', from: FROM });
    expect(description).toBe('SMTP at mail.ward.example:465');
  });
});

it('OPS-12 while the mail server is down the mail waits as a job, and arrives when it is back', async () => {
  const database = await testDatabase();
  const port = await freePort();
  const mailer = mailerAt(port);
  const jobs = createJobs({
    db: database.db,
    log: createLog('silent'),
    handlers: { mail: () => mailer.send({ to: 'nurse@ward.example', subject: 'Late', text: 'x' }) },
  });
  await database.db.transaction().execute((tx) => enqueueJob(tx, { kind: 'mail', payload: {} }));
  await jobs.runDue();
  const waiting = await database.db.selectFrom('jobs').select(['attempts', 'last_error', 'dead_at']).execute();
  expect(waiting).toEqual([{ attempts: 1, last_error: 'Error ESOCKET', dead_at: null }]);
  const server = await start();
  const back = mailerAt(server.port);
  const later = createJobs({
    db: database.db,
    log: createLog('silent'),
    handlers: { mail: () => back.send({ to: 'nurse@ward.example', subject: 'Late', text: 'x' }) },
  });
  await database.db
    .updateTable('jobs')
    .set({ run_at: new Date(0) })
    .execute();
  expect(await later.runDue()).toBe(1);
  expect(server.received.map(({ parsed }) => parsed.subject)).toEqual(['Late']);
  expect(await database.db.selectFrom('jobs').selectAll().execute()).toEqual([]);
  await database.close();
});

/** A port of the loopback at which nobody listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

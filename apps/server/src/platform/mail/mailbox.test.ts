import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import PostalMime from 'postal-mime';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '#/platform/config/read-config.ts';
import { createHttpServer } from '#/platform/http/edge/create-http-server.ts';
import { createLog } from '#/platform/log.ts';
import { createMailFolder, type MailFolder } from './mail-folder.ts';
import { addMailboxRoutes } from './mailbox-routes.ts';
import { MAILBOX_ROLES } from './mailbox-style.ts';
import { openMailer } from './open-mailer.ts';

const FROM = { name: 'Wardline', address: 'wardline@localhost' };

let folder: string;
let mails: MailFolder;
beforeEach(async () => {
  folder = path.join(await mkdtemp(path.join(os.tmpdir(), 'wardline-mail-')), 'mail');
  mails = createMailFolder({ folder, from: FROM });
});
afterEach(() => rm(path.dirname(folder), { recursive: true }));

const send = (subject: string, text = 'Hello', replyTo?: string) =>
  mails.send({ to: 'nurse@ward.test', subject, text, ...(replyTo !== undefined && { replyTo }) });

describe('the folder', () => {
  it('OPS-12 keeps each mail as it would go out and as facts, in files that only this user reads', async () => {
    await send('Zoë’s link', 'Öffne\nhttps://ward.test/x', 'rosa@people.test');
    const [mail] = await mails.list();
    expect(mail).toMatchObject({
      from: 'Wardline <wardline@localhost>',
      to: 'nurse@ward.test',
      replyTo: 'rosa@people.test',
      subject: 'Zoë’s link',
      text: 'Öffne\nhttps://ward.test/x',
    });
    expect(await mails.read(mail?.id ?? '')).toEqual(mail);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    const files = await readdir(folder);
    expect(files.sort()).toEqual([`${mail?.id}.eml`, `${mail?.id}.json`]);
    for (const file of files) expect((await stat(path.join(folder, file))).mode & 0o777, file).toBe(0o600);
    const parsed = await PostalMime.parse(await readFile(path.join(folder, `${mail?.id}.eml`)));
    expect(parsed).toMatchObject({ subject: 'Zoë’s link', text: 'Öffne\nhttps://ward.test/x\n', from: FROM });
  });

  it('OPS-12 holds so many and no more: the oldest go', async () => {
    mails = createMailFolder({ folder, from: FROM, capacity: 3 });
    for (const subject of ['1', '2', '3', '4', '5']) await send(subject);
    expect((await mails.list()).map((mail) => mail.subject)).toEqual(['5', '4', '3']);
    expect(await readdir(folder)).toHaveLength(6);
  });

  it('OPS-12 is empty before the first mail, and reads no file but its own', async () => {
    expect(await mails.list()).toEqual([]);
    await send('x');
    for (const id of ['', '..', '../secrets/app-key', '../../etc/passwd', 'x'.repeat(36)]) {
      expect(await mails.read(id), id).toBeNull();
    }
  });
});

describe('the page', () => {
  let app: FastifyInstance;
  beforeEach(() => {
    app = createHttpServer({ log: createLog('silent'), secure: false, trustedProxyHops: 0 });
    addMailboxRoutes(app, mails);
  });
  afterEach(() => app.close());

  const get = (url: string, { headers = {}, ip = '127.0.0.1' }: { headers?: object; ip?: string } = {}) =>
    app.inject({ url, remoteAddress: ip, headers: { host: '127.0.0.1:8080', ...headers } });

  it('OPS-1 lists the mails with the newest first, and says so when there are none', async () => {
    expect((await get('/mailbox')).payload).toContain('No email yet.');
    await send('First');
    await send('Second');
    const { payload, statusCode } = await get('/mailbox');
    expect(statusCode).toBe(200);
    expect(payload.indexOf('Second')).toBeLessThan(payload.indexOf('First'));
    expect(payload).not.toContain('No email yet.');
    const href = /href="(\/mailbox\/[\w-]+)"/.exec(payload)?.[1] ?? '';
    expect((await get(href)).payload).toContain('<h1>Second</h1>');
    expect((await get('/mailbox/00000000-0000-7000-8000-000000000000')).statusCode).toBe(404);
  });

  it('OPS-1 makes web addresses of a text links, without what closes the sentence', async () => {
    await send(
      'x',
      'See https://ward.test/reset/a_-b?email=a%40b.test&x=1.\n(or http://ward.test/b) javascript:alert(1)',
    );
    const { payload } = await get(`/mailbox/${(await mails.list())[0]?.id}`);
    expect([...payload.matchAll(/<a href="(.*?)" rel="noreferrer">(.*?)<\/a>/g)].map((match) => match[1])).toEqual([
      'https://ward.test/reset/a_-b?email=a%40b.test&amp;x=1',
      'http://ward.test/b',
    ]);
  });

  it('A21 shows markup in a mail as text, runs nothing and takes no style but its own file', async () => {
    const evil = `"><script>alert(1)</script><img src=x onerror=alert(1)>'&`;
    await send(evil, `${evil}\nhttps://ward.test/"onmouseover="alert(1)`);
    const [mail] = await mails.list();
    for (const url of ['/mailbox', `/mailbox/${mail?.id}`]) {
      const { payload, headers } = await get(url);
      expect(payload).not.toMatch(/<script|<img|<style|style=|\son\w+="/);
      expect(payload).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
      expect(headers).toMatchObject({
        'content-security-policy':
          "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        'cache-control': 'no-store, private',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex',
      });
    }
    expect((await get('/mailbox.css')).headers['content-type']).toBe('text/css; charset=utf-8');
  });

  it.each([
    ['another machine', { ip: '192.0.2.7' }],
    ['another machine by IPv6', { ip: '2001:db8::1' }],
    ['a proxy on this machine', { headers: { 'x-forwarded-for': '192.0.2.7' } }],
    ['a proxy that names itself', { headers: { via: '1.1 proxy' } }],
    ['a proxy with the standard header', { headers: { forwarded: 'for=192.0.2.7' } }],
    ['a name that somebody points here', { headers: { host: 'evil.example:8080' } }],
    ['a name that begins like ours', { headers: { host: '127.0.0.1.evil.example' } }],
  ])('A4 does not exist for %s', async (_who, request) => {
    await send('secret link');
    for (const url of ['/mailbox', `/mailbox/${(await mails.list())[0]?.id}`, '/mailbox.css']) {
      expect((await get(url, request)).statusCode, url).toBe(404);
    }
  });

  it.each([
    ['127.0.0.1', '127.0.0.1:8080'],
    ['::ffff:127.0.0.1', 'localhost:8080'],
    ['::1', '[::1]:8080'],
  ])('OPS-1 is there for %s under the name %s', async (ip, host) => {
    expect((await get('/mailbox', { ip, headers: { host } })).statusCode).toBe(200);
  });

  it('OPS-1 has the colours of the product', async () => {
    const tokens = await readFile(path.join(import.meta.dirname, '../../../../../packages/ui/src/tokens.css'), 'utf8');
    const [light = '', dark = ''] = tokens.split('[data-mode="dark"] {');
    const resolve = (part: string, name: string): string => {
      const value = new RegExp(`^\\s*--${name}: (.*?);`, 'm').exec(part)?.[1] ?? `no ${name}`;
      return value.startsWith('var(--') ? resolve(light, value.slice(6, -1)) : value;
    };
    for (const [mode, part] of [
      ['light', light],
      ['dark', dark],
    ] as const) {
      for (const [role, colour] of Object.entries(MAILBOX_ROLES[mode]))
        expect(`${role} ${resolve(part, role)}`).toBe(`${role} ${colour}`);
    }
  });
});

describe('where mails go', () => {
  const partsOf = (settings: Record<string, string>) => openMailer(readConfig({ WARDLINE_DATA: folder, ...settings }));
  const SMTP = { WARDLINE_MAIL_URL: 'smtps://mail.ward.example', WARDLINE_MAIL_FROM: 'no-reply@ward.example' };

  it.each([
    ['a trial on the loopback shows them', {}, true, 'operator@localhost'],
    ['a trial with an operator', { WARDLINE_OPERATOR_EMAIL: 'op@ward.example' }, true, 'op@ward.example'],
    ['every interface shows none', { HOST: '0.0.0.0', WARDLINE_OPERATOR_EMAIL: 'op@ward.example' }, false, null],
    ['a proxy in front shows none', { WARDLINE_PUBLIC_URL: 'https://chat.ward.example' }, false, null],
    ['a mail server without operator', SMTP, false, null],
    [
      'a mail server and an operator',
      { ...SMTP, WARDLINE_OPERATOR_EMAIL: 'op@ward.example' },
      false,
      'op@ward.example',
    ],
    [
      'a mail server and a contact',
      { ...SMTP, WARDLINE_CONTACT_EMAIL: 'desk@ward.example' },
      false,
      'desk@ward.example',
    ],
  ])('OPS-4 %s', (_what, settings, hasMailbox, operatorEmail) => {
    const parts = partsOf(settings as Record<string, string>);
    expect({ hasMailbox: parts.mailbox !== null, operatorEmail: parts.operatorEmail }).toEqual({
      hasMailbox,
      operatorEmail,
    });
  });
});

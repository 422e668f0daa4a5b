import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { findCommand } from '#/app/commands/run-command.ts';
import { keepPlaceNote } from '#/app/start/place-note.ts';
import { readConfig } from '#/platform/config/read-config.ts';
import { createLog } from '#/platform/log.ts';
import { startMailServer } from '#/platform/mail/testing/mail-server.ts';
import { startFakeClamd } from '#/platform/malware/testing/fake-clamd.ts';
import { withClient } from '#/platform/postgres/database-setup.ts';
import { testDatabase } from '#/testing/test-database.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';
import { certificateFinding, checkAddress } from './check-address.ts';
import { checkDatabase, checksumFindings } from './check-database.ts';
import { checkMachine } from './check-machine.ts';
import { checkServices } from './check-services.ts';
import { checkSettings } from './check-settings.ts';
import { type Finding, formatFinding } from './finding.ts';

const log = createLog('silent');
let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'wardline-doctor-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const configOf = (environment: Readonly<Record<string, string>> = {}) =>
  readConfig({ WARDLINE_DATA: dataDir, ...environment });

/** What is not well, as it is said. */
const wrong = (findings: readonly Finding[]) =>
  findings.filter(({ state }) => state !== 'ok').map(({ state, says }) => `${state}: ${says}`);

const opened: Server[] = [];
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
afterAll(() => {
  for (const server of opened) server.close();
});

describe('settings', () => {
  it('OPS-11 a name that is no setting is told, with the setting that it is meant as', () => {
    const environment = { WARDLINE_PUBLICURL: 'https://chat.hospital.example', WARDLINE_DATA_FILE: 'x', HOME: 'x' };
    const findings = checkSettings(configOf(), environment).map(formatFinding);
    expect(findings).toContain(
      'warning  WARDLINE_PUBLICURL is no setting, and does nothing.\n         It may be meant as WARDLINE_PUBLIC_URL.',
    );
    expect(findings.join()).toContain('WARDLINE_DATA_FILE is no setting');
    expect(findings.join()).not.toContain('HOME');
  });

  it('OPS-11 a secret that others can read is told, the own one as what stops the start', () => {
    const own = path.join(dataDir, 'secrets', 'app-key');
    const given = path.join(dataDir, 'mail-url');
    mkdirSync(path.dirname(own));
    for (const file of [own, given]) {
      writeFileSync(file, 'x');
      chmodSync(file, 0o640);
    }
    const environment = { WARDLINE_MAIL_URL_FILE: given };
    expect(wrong(checkSettings(configOf(), environment)).join('\n')).toMatch(
      new RegExp(`error: The secret ${own} .*\nwarning: The secret ${given} `, 'u'),
    );
    for (const file of [own, given]) chmodSync(file, 0o600);
    expect(wrong(checkSettings(configOf(), environment)).join()).not.toContain('The secret');
  });

  it('OPS-11 several servers without a bucket are told that they need the same files', () => {
    const environment = {
      ...{ REDIS_URL: 'redis://127.0.0.1:1', DATABASE_URL: 'postgres://owner@127.0.0.1/wardline' },
      ...{ WARDLINE_APP_KEY: 'a'.repeat(32), WARDLINE_REALTIME_SECRET: 'b'.repeat(32) },
    };
    expect(wrong(checkSettings(configOf(environment), {})).join()).toContain('Several servers keep their files');
    expect(wrong(checkSettings(configOf(), {})).join()).not.toContain('Several servers');
  });

  it.each([
    [{}, 'warning: Only this machine can reach the server.'],
    [{ HOST: '0.0.0.0' }, 'warning: The server listens on 0.0.0.0 without HTTPS'],
    [{ WARDLINE_PUBLIC_URL: 'http://chat.hospital.example' }, 'error: http://chat.hospital.example is not encrypted.'],
    [{ WARDLINE_PUBLIC_URL: 'https://chat.hospital.example' }, 'warning: No proxy is declared'],
  ])('OPS-11 an address that is not good for people is told: %j', (environment, said) => {
    const security = { WARDLINE_SECURITY_CONTACT: 'mailto:security@hospital.example' };
    const findings = wrong(checkSettings(configOf({ ...environment, ...security }), {}));
    expect(findings).toEqual([expect.stringContaining(said)]);
  });
});

describe('the machine', () => {
  /** A provider whose clock is wrong by so much; it answers nothing but its time. */
  const clockOff = async (ms: number) => {
    const issuer = await serve((_request, response) => {
      response.setHeader('date', new Date(Date.now() + ms).toUTCString());
      response.end();
    });
    return configOf({
      WARDLINE_OIDC: JSON.stringify([{ id: 'staff', label: 'Staff', issuer, client_id: 'wardline' }]),
    });
  };

  it('OPS-11 a clock that differs from that of a named server is told, by how much and to which side', async () => {
    expect(wrong(await checkMachine(await clockOff(-3_600_000)))).toEqual([
      expect.stringMatching(/^error: The clock is 3[56]\d\d s ahead of that of 127\.0\.0\.1:\d+\.$/u),
    ]);
    expect(wrong(await checkMachine(await clockOff(3_600_000)))[0]).toContain(' s behind that of ');
    expect(wrong(await checkMachine(await clockOff(0)))).toEqual([]);
  });
});

describe('the database', () => {
  /** The databases of tests do not wait for the disk; this one does, as a server's must. */
  const waiting = (setting: 'on' | 'off') =>
    `do $$ begin execute format('alter role %I in database %I set synchronous_commit = ${setting}', current_user, current_database()); end $$;`;

  async function examined(change: string): Promise<string[]> {
    const database = await testDatabase(1);
    try {
      await withClient(database.connectionString, (client) => client.query(waiting('on') + change));
      const config = configOf({ DATABASE_URL: database.connectionString, WARDLINE_BACKUP_DAYS: '2' });
      return wrong(await checkDatabase(config, log));
    } finally {
      await database.close();
    }
  }

  it('OPS-11 one of this build that keeps what it confirms is well', async () => {
    expect(await examined('')).toEqual([]);
  });

  it.each([
    [waiting('off'), 'error: This PostgreSQL has synchronous_commit = off'],
    [
      `insert into schema_migrations (name, checksum) values ('9999_later', '${'0'.repeat(64)}')`,
      'error: The database and this build do not fit.',
    ],
    [
      'delete from schema_migrations where name = (select max(name) from schema_migrations)',
      'warning: The next start brings 1 migration to the database.',
    ],
    [
      `insert into users (id, name, email, password_hash, created_at)
        values (gen_random_uuid(), 'Ada', 'ada@people.test', 'x', now() - interval '9 days')`,
      'warning: No backup was ever made.',
    ],
  ])('OPS-11 what is wrong with it is told: %s', async (change, said) => {
    expect(await examined(change)).toEqual([expect.stringContaining(said)]);
  });

  it('R22 OPS-11 one that keeps no checksums of its pages is told', () => {
    expect(checksumFindings('on')).toEqual([]);
    expect(wrong(checksumFindings('off'))).toEqual([
      expect.stringContaining('warning: The database keeps no checksums'),
    ]);
  });

  it('OPS-11 one that does not answer is told, and that none is in the data folder yet', async () => {
    const config = configOf({ DATABASE_URL: 'postgres://owner:secret@127.0.0.1:1/wardline' });
    const [said] = wrong(await checkDatabase(config, log));
    expect(said).toMatch(/^error: The database cannot be used: .*ECONNREFUSED/u);
    expect(said).not.toContain('secret');
    expect(wrong(await checkDatabase(configOf(), log))).toEqual([
      expect.stringMatching(/^warning: There is no database in .*: the first start makes it\.$/),
    ]);
  });
});

it('OPS-5 OPS-11 a database or bucket that the settings lack, though the data folder notes it, is told', async () => {
  keepPlaceNote(dataDir, 'database', 'db.hospital.example:5432/wardline');
  keepPlaceNote(dataDir, 'bucket', 'ward-files/');
  const config = configOf({ WARDLINE_PUSH_HOSTS: 'none' });
  expect(wrong(await checkDatabase(config, log))).toEqual([
    expect.stringMatching(/^error: DATABASE_URL is not set\. The database of this installation has been at db\.hosp/),
  ]);
  expect(wrong(await checkServices(config, log))).toContainEqual(
    expect.stringMatching(
      /^error: S3_BUCKET is not set\. The files of this installation have been in the bucket ward-files/,
    ),
  );
});

describe('what it needs of others', () => {
  const withoutPush = { WARDLINE_PUSH_HOSTS: 'none' };

  it('OPS-11 a mail server, a malware scanner and a provider that answer are well', async () => {
    const mail = await startMailServer();
    const clamd = await startFakeClamd();
    const environment = {
      ...withoutPush,
      WARDLINE_MAIL_URL: `smtp://127.0.0.1:${mail.port}`,
      WARDLINE_MAIL_FROM: 'wardline@hospital.example',
      WARDLINE_CLAMD: `tcp://127.0.0.1:${clamd.address.port}`,
    };
    expect(wrong(await checkServices(configOf(environment), log))).toEqual([]);
    expect(mail.received).toEqual([]);
    await Promise.all([mail.close(), clamd.close()]);
  });

  it('OPS-11 a Redis that does not answer is told', async () => {
    const environment = {
      ...withoutPush,
      REDIS_URL: 'redis://:secret@127.0.0.1:1',
      DATABASE_URL: 'postgres://owner@127.0.0.1/wardline',
      WARDLINE_APP_KEY: 'a'.repeat(32),
      WARDLINE_REALTIME_SECRET: 'b'.repeat(32),
    };
    const findings = wrong(await checkServices(configOf(environment), log));
    expect(findings).toContainEqual(expect.stringMatching(/^error: Redis does not answer.*ECONNREFUSED/u));
    expect(findings.join()).not.toContain('secret');
  });

  it('OPS-11 each that does not answer is told by name, without its password', async () => {
    const environment = {
      ...withoutPush,
      WARDLINE_MAIL_URL: 'smtp://ada:secret@127.0.0.1:1',
      WARDLINE_MAIL_FROM: 'wardline@hospital.example',
      WARDLINE_CLAMD: 'tcp://127.0.0.1:1',
      WARDLINE_OIDC: JSON.stringify([
        { id: 'staff', label: 'Staff', issuer: 'http://127.0.0.1:1', client_id: 'wardline' },
      ]),
      S3_BUCKET: 'ward-files',
      S3_ENDPOINT: 'http://127.0.0.1:1',
      S3_ACCESS_KEY_ID: 'AKIDTEST',
      S3_SECRET_ACCESS_KEY: 'a secret of the tests',
    };
    const findings = wrong(await checkServices(configOf(environment), log));
    expect(findings).toEqual([
      expect.stringContaining('error: The bucket ward-files cannot be used'),
      expect.stringContaining('error: The mail server 127.0.0.1:1 cannot be used'),
      expect.stringContaining('error: clamd does not answer'),
      expect.stringContaining("error: Single sign-on ('staff') cannot be used"),
    ]);
    expect(findings.join()).not.toContain('secret');
  });
});

describe('the address', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  it('OPS-11 a server that is ready, and whose sockets come through, is well', async () => {
    const { port } = new URL(server.baseUrl);
    const findings = await checkAddress(configOf({ PORT: port, WARDLINE_PUBLIC_URL: server.baseUrl }));
    expect(findings.map(({ state, says }) => `${state}: ${says}`)).toEqual([
      `ok: The server at http://127.0.0.1:${port} is ready.`,
      `ok: ${server.baseUrl} leads to the server.`,
      'ok: WebSockets come through.',
    ]);
  });

  it('OPS-11 a proxy that leads elsewhere, or lets no sockets through, is told', async () => {
    const { port } = new URL(server.baseUrl);
    const elsewhere = await serve((_request, response) => void response.writeHead(404).end());
    expect(wrong(await checkAddress(configOf({ PORT: port, WARDLINE_PUBLIC_URL: elsewhere })))).toEqual([
      `error: ${elsewhere} leads elsewhere: /up answers 404.`,
    ]);
    const withoutSockets = await serve((_request, response) => void response.end('{"status":"up"}'));
    expect(wrong(await checkAddress(configOf({ PORT: port, WARDLINE_PUBLIC_URL: withoutSockets })))).toEqual([
      expect.stringContaining('error: WebSockets do not come through: '),
    ]);
  });

  it('OPS-11 an address that does not speak TLS is told, and a server that does not run', async () => {
    const plain = await serve((_request, response) => void response.end());
    const config = configOf({ PORT: '1', WARDLINE_PUBLIC_URL: plain.replace('http:', 'https:') });
    expect(wrong(await checkAddress(config))).toEqual([
      expect.stringContaining('error: No server runs at http://127.0.0.1:1: '),
      expect.stringContaining('error: 127.0.0.1 cannot be reached by TLS: '),
    ]);
  });

  it('OPS-11 a certificate is told before it ends', () => {
    const inDays = (days: number) => Date.now() + days * 86_400_000 + 60_000;
    expect(certificateFinding('chat.test', inDays(14)).state).toBe('ok');
    expect(certificateFinding('chat.test', inDays(13))).toMatchObject({
      state: 'warning',
      says: 'The certificate of chat.test ends in 13 days.',
    });
  });
});

it('OPS-11 the command ends with 1 where something does not work, and names what is well only when asked', async () => {
  const said = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  vi.stubEnv('WARDLINE_DATA', dataDir);
  vi.stubEnv('PORT', '1');
  vi.stubEnv('WARDLINE_PUSH_HOSTS', 'none');
  expect(await findCommand('doctor')?.([])).toBe(1);
  const short = said.mock.calls.join('');
  said.mockClear();
  expect(await findCommand('doctor')?.(['--all'])).toBe(1);
  const all = said.mock.calls.join('');
  said.mockRestore();
  vi.unstubAllEnvs();
  expect(short).toContain('error    No server runs at http://127.0.0.1:1: ');
  expect(short).toMatch(/^1 error, \d+ warnings, \d+ well\.$/mu);
  expect(short).not.toMatch(/^ok /mu);
  expect(short).toContain(`warning  There is no database in ${dataDir}: the first start makes it.`);
  expect(all).toMatch(/^ok /mu);
});

import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  act,
  type CensusFixture,
  entry,
  openCensusFixture,
  put,
  read,
  setNow,
} from '#/features/census/reports/testing/census-fixture.ts';
import { SHIPPED_ROLES } from '#/features/facilities/index.ts';
import { linkMailedTo } from '#/testing/mailed-links.ts';
import { guestWithCookies, newAddress, postLogin } from '#/testing/test-client.ts';

let ward: CensusFixture;
beforeAll(async () => {
  setNow('2026-11-18T12:00:00Z');
  ward = await openCensusFixture('UTC');
});
afterAll(() => ward.close());

const PASSWORD = 'violet tram over the harbour';
const MESSAGE = [
  'MSH|^~\\&|ADT|H1|CENSUS|H1|20261119101500+0000||ADT^A01|M1|P|2.5.1',
  'EVN|A01|20261119101500+0000||||20261119101500+0000',
  'PID|1||P1',
  'PV1|1|I|MED^1^1||||||||||||||||V1',
].join('\n');

/** The section of docs/census-files.md on connecting a patient system. */
async function readSteps(): Promise<{ readonly roleName: string; readonly program: string }> {
  const page = await readFile(new URL('../../../../../../docs/census-files.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split('### Connecting a patient system by HTTP');
  return {
    roleName: /role \*(.+?)\*/.exec(section)?.[1] ?? '',
    program: /```js\n([\s\S]+?)```/.exec(section)?.[1] ?? '',
  };
}

/** Steps 1 and 2, as the pages do them. */
async function signUpMachine(roleName: string, email: string): Promise<void> {
  const { facility, server } = ward;
  const { client: admin } = await ward.person(['facilityAdministrator']);
  const roles: { id: string; name: string }[] = (await admin.send('GET', `/api/facilities/${facility.id}/roles`)).json()
    .data;
  const role = roles.find(({ name }) => name === roleName);
  const made = await admin.send('POST', `/api/facilities/${facility.id}/invitations`, {
    body: { role_ids: [role?.id] },
  });
  expect(made.statusCode).toBe(201);
  const body = {
    ...{ name: 'Patient system', email, password: PASSWORD, password_confirmation: PASSWORD },
    invitation: made.json().token,
  };
  const browser = await guestWithCookies(server);
  expect((await browser.send('POST', '/register', { body, ip: newAddress() })).statusCode).toBe(204);
  const { path: link } = await linkMailedTo(server, email);
  await browser.send('GET', link);
  expect((await postLogin(browser, { email, password: PASSWORD })).statusCode).toBe(200);
}

/** Step 3: the program of the page, with nothing but what the page says. */
async function runDocumentedProgram(program: string, email: string, message: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'wardline-feed-'));
  try {
    const [script, file] = [path.join(folder, 'send-adt.mjs'), path.join(folder, 'admission.hl7')];
    await writeFile(script, program);
    await writeFile(file, message);
    const { stdout } = await promisify(execFile)(process.execPath, [
      script,
      ward.server.baseUrl,
      email,
      PASSWORD,
      file,
    ]);
    return stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

it('F-N11 CEN-8 a patient system is connected by the steps of docs/census-files.md, and may do nothing else', async () => {
  const med = await ward.unit('MED');
  const nurse = await ward.person(['chargeNurse'], [med]);
  const { roleName, program } = await readSteps();
  expect(SHIPPED_ROLES.patientSystem).toEqual({ name: roleName, permissions: ['census.feed'] });
  const email = 'adt@people.test';
  await signUpMachine(roleName, email);
  const admin = await ward.person(['facilityAdministrator']);
  const start = `/api/census/facilities/${ward.facility.id}/feed/start`;
  const started = await admin.client.send('POST', start, { body: { client_id: randomUUID() } });
  expect(started.json()).toMatchObject({ live_from: '2026-11-19' });
  setNow('2026-11-19T12:00:00Z');
  expect(await runDocumentedProgram(program, email, MESSAGE)).toBe('AA stored\n');
  expect(await runDocumentedProgram(program, email, MESSAGE)).toBe('AA stored\n');
  const day = { unit: med, date: '2026-11-19' };
  expect((await read(nurse, day)).feed?.counts.admissions).toBe(1);
  await expect(runDocumentedProgram(program, email, 'good morning')).rejects.toMatchObject({
    code: 1,
    stdout: 'AE this is not an HL7 v2 message\n',
  });

  const machine = await guestWithCookies(ward.server);
  await postLogin(machine, { email, password: PASSWORD });
  const asMachine = { id: '', name: '', client: machine };
  expect((await put(asMachine, day, entry({}, { seed: 1 }))).status).toBe(403);
  expect((await act(asMachine, day, ['approve', { version: 1 }])).status).toBe(403);
  for (const page of ['board', 'settings', 'logs', 'summary?from=2026-11-19&to=2026-11-19']) {
    const answer = await machine.send('GET', `/api/census/facilities/${ward.facility.id}/${page}`);
    expect([page, answer.statusCode]).toEqual([page, 403]);
  }
});

it('F-N11 every facility has the role, also one that was there before it', async () => {
  const { db } = ward.server;
  const text = await readFile(
    new URL('../../../../db/migrations/0012_patient_system_role.sql', import.meta.url),
    'utf8',
  );
  const { facility } = await ward.elsewhere();
  const rolesOf = () => db.selectFrom('roles').select('permissions').where('facility_id', '=', facility.id).execute();
  const hasFeed = async () => (await rolesOf()).filter(({ permissions }) => permissions.includes('census.feed')).length;
  await db.deleteFrom('roles').where('facility_id', '=', facility.id).where('name', '=', 'Patient system').execute();
  expect(await hasFeed()).toBe(0);
  await sql.raw(text).execute(db);
  await sql.raw(text).execute(db);
  expect(await hasFeed()).toBe(1);
});

import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '#/platform/db/database.ts';
import { createLog } from '#/platform/log.ts';
import { newId } from '#/platform/new-id.ts';
import { makeInvitation } from '#/testing/factories/accounts.ts';
import { type MadeFacility, makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { type MadeUser, makeUser } from '#/testing/factories/users.ts';
import { linkMailedTo, mailsTo } from '#/testing/mailed-links.ts';
import { multipart } from '#/testing/multipart.ts';
import { auditOf, newAddress, signedIn, type TestClient } from '#/testing/test-client.ts';
import { testDatabase } from '#/testing/test-database.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';
import { untilBlocked } from '#/testing/until-blocked.ts';
import { invitePeople } from './invite-people.ts';

let server: TestServer;
let facility: MadeFacility;
let admin: MadeUser;
let asAdmin: TestClient;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  facility = await makeFacility(server.db);
  admin = await makeUser(server.db);
  await makeMembership(server.db, { userId: admin.id, facility, roles: ['facilityAdministrator'] });
  asAdmin = await signedIn(server, admin.id);
});

const url = () => `/api/facilities/${facility.id}/invitation-imports`;
const give = (text: string | Buffer, apply = false, by = asAdmin) =>
  by.send(
    'POST',
    `${url()}?apply=${apply}`,
    multipart([{ name: 'file', value: text, filename: 'people.csv', type: 'text/csv' }]),
  );
const rowsOf = async (text: string) => (await give(text)).json().rows;
const newEmail = () => `${crypto.randomUUID()}@people.test`;
const lines = (...emails: string[]) => ['email,role', ...emails.map((email) => `${email},Clinician`)].join('\n');
const linesOf = (db: Database) => db.selectFrom('invitation_import_lines').selectAll().orderBy('line').execute();

/** As if the time of every mail had come. */
async function letMailsGo() {
  await sql`update jobs set run_at = now() where kind = 'invitations.mail'`.execute(server.db);
  await server.runJobs();
}

describe('checking a file of people', () => {
  it('ACC-1 takes columns by their names and synonyms, in any order, with comma, semicolon or tab, with a byte order mark', async () => {
    for (const text of [
      'E-Mail;Role name;Job title\nAna@People.test;clinician;Nurse, MED 3A',
      '\uFEFFjob title\trole\temail\tname\nNurse\tClinician\tana@people.test\t',
      'Email address,Full name,Roles\r\nana@people.test,Ana,"Clinician; Charge nurse"\r\n',
    ]) {
      const answer = await give(text);
      expect(answer.json(), text).toMatchObject({
        is_applied: false,
        counts: { new: 1, known: 0, refused: 0 },
        rows: [{ line: 2, email: 'ana@people.test', outcome: 'new', problems: [] }],
      });
    }
    expect(await linesOf(server.db)).toEqual([]);
  });

  it('ACC-1 refuses what is no such file, and says at the file why', async () => {
    const refused = async (text: string | Buffer) => (await give(text)).json().errors?.file?.[0];
    expect(await refused('email,role,telephone\na@b.test,Clinician,1')).toBe(
      'This column is not known: telephone. The columns are email, name, role, title.',
    );
    expect(await refused('name,role\nAna,Clinician')).toMatch(/^The column email is missing/);
    expect(await refused('email,mail,role\na@b.test,b@b.test,x')).toBe('A column is in the header twice.');
    expect(await refused('email,role\n\n')).toBe('The file has no lines below its header.');
    expect(await refused(Buffer.from('email,role\nj\xf6rg@b.test,Clinician', 'latin1'))).toMatch(/UTF-8/);
    expect(await refused(lines(...Array.from({ length: 1001 }, newEmail)))).toBe('The file has more than 1,000 lines.');
    expect(await refused(`email,role\n${'x'.repeat(600 * 1024)}`)).toBe('The file is larger than 512 kB.');
  });

  it('ACC-1 PERM-2 tells of each line what is wrong with it', async () => {
    const rows = await rowsOf(
      [
        ...['email,role,name', 'no address,Clinician,', ',Clinician,', 'a@b.test,,', 'c@b.test,Surgeon,'],
        ...[
          'd@b.test,Clinician,',
          'D@b.test,Clinician,',
          `e@b.test,Clinician,${'n'.repeat(121)}`,
          'f@b.test,Clinician,,x',
        ],
      ].join('\n'),
    );
    const said = rows.map((row: { line: number; problems: { message: string }[] }) => [
      row.line,
      row.problems.map(({ message }) => message),
    ]);
    expect(said).toEqual([
      [2, ['This is not an email address.']],
      [3, ['The email address is missing.']],
      [4, ['The role is missing.']],
      [5, ['There is no role “Surgeon”.']],
      [7, ['This address is in line 6 already.']],
      [8, ['At most 120 characters.']],
      [9, ['This line has more cells than the header.']],
      [6, []],
    ]);
  });

  it('ACC-1 A16 tells members and invited of this facility apart from people of another', async () => {
    const elsewhere = await makeFacility(server.db);
    const [member, other, gone] = [await makeUser(server.db), await makeUser(server.db), await makeUser(server.db)];
    await makeMembership(server.db, { userId: member.id, facility });
    await makeMembership(server.db, { userId: other.id, facility: elsewhere });
    await makeMembership(server.db, { userId: gone.id, facility });
    await server.db.updateTable('memberships').set({ ended_at: new Date() }).where('user_id', '=', gone.id).execute();
    const invited = newEmail();
    const late = newEmail();
    for (const [email, expiresAt] of [
      [invited, new Date(Date.now() + 60_000)],
      [late, new Date(Date.now() - 60_000)],
    ] as const) {
      await makeInvitation(server.db, { facility, createdBy: admin.id, expiresAt, email });
    }
    const rows = await rowsOf(lines(member.email, other.email, gone.email, invited, late));
    expect(rows.map((row: { outcome: string }) => row.outcome)).toEqual(['known', 'new', 'new', 'known', 'new']);
    expect(rows[0].problems[0].message).toBe('Is a member already.');
    expect(rows[3].problems[0].message).toBe('Has an invitation already.');
  });

  it('PERM-2 F-U7 A30 refuses a role beyond what one may grant, and takes the file whole or not at all', async () => {
    const inviter = await makeUser(server.db);
    const membership_id = await makeMembership(server.db, { userId: inviter.id, facility });
    const role_id = newId();
    const role = { id: role_id, facility_id: facility.id, name: 'Inviter', permissions: ['members.manage'] };
    await server.db.insertInto('roles').values(role).execute();
    await server.db
      .insertInto('membership_roles')
      .values({ membership_id, role_id, facility_id: facility.id })
      .execute();
    const client = await signedIn(server, inviter.id);
    const text = `email,role\n${newEmail()},Clinician\n${newEmail()},Facility administrator`;
    const refused = (await give(text, true, client)).json();
    expect(refused).toMatchObject({ is_applied: false, counts: { new: 1, refused: 1 } });
    expect(refused.rows[0].problems[0].message).toBe(
      'You can’t grant Facility administrator: it has permissions you don’t have.',
    );
    expect(await linesOf(server.db)).toEqual([]);
    expect((await give(text, true)).json()).toMatchObject({ is_applied: true, counts: { new: 2 } });
  });
});

describe('inviting the people of a file', () => {
  it('ACC-1 takes one of two files that a facility is given at once, and asks the other to wait', async () => {
    const { asked } = await server.db.transaction().execute(async (tx) => {
      await sql`lock table invitation_imports in exclusive mode`.execute(tx);
      const asked = [give(lines(newEmail()), true), give(lines(newEmail()), true)];
      await untilBlocked(server.db, Promise.all(asked), 2);
      return { asked };
    });
    expect((await Promise.all(asked)).map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  });

  it('ACC-1 A8 mails each their own link, which is stored and shown nowhere, and the page sees how far it is', async () => {
    const known = await makeUser(server.db);
    const elsewhere = await makeFacility(server.db);
    await makeMembership(server.db, { userId: known.id, facility: elsewhere });
    const fresh = newEmail();
    const given = await give(
      `email,role,name,title\n${known.email},Clinician,Kofi,Nurse\n${fresh},"Clinician;Charge nurse",,`,
      true,
    );
    expect(given.json()).toMatchObject({ is_applied: true, counts: { new: 2, known: 0, refused: 0 } });
    const progress = async () => (await asAdmin.send('GET', url())).json().data[0];
    expect(await progress()).toMatchObject({
      created_by_name: admin.name,
      counts: { waiting: 2, invited: 0, mailed: 0, refused: 0 },
    });
    expect((await give(lines(newEmail()), true)).statusCode).toBe(409);
    await letMailsGo();
    await letMailsGo();
    expect((await progress()).counts).toEqual({ waiting: 0, invited: 0, mailed: 2, refused: 0 });
    const { path } = await linkMailedTo(server, known.email);
    const token = new URL(path, 'http://wardline.test').searchParams.get('invitation') ?? '';
    const rows = await sql<{ text: string }>`
      select row_to_json(i)::text as text from invitations i where facility_id = ${facility.id}
      union all select row_to_json(l)::text from invitation_import_lines l where facility_id = ${facility.id}
      union all select row_to_json(a)::text from audit_entries a where facility_id = ${facility.id}`.execute(server.db);
    expect(rows.rows.length).toBeGreaterThan(4);
    expect(rows.rows.filter(({ text }) => text.includes(token))).toEqual([]);
    const listed = (await asAdmin.send('GET', `/api/facilities/${facility.id}/invitations`)).json().data;
    expect(listed).toMatchObject([
      { email: fresh, note: null, roles: ['Charge nurse', 'Clinician'], state: 'open' },
      { email: known.email, note: 'Kofi', title: 'Nurse', roles: ['Clinician'], state: 'open' },
    ]);
    const client = await signedIn(server, known.id);
    expect((await client.send('POST', `/api/invitations/${token}/accept`, { ip: newAddress() })).statusCode).toBe(204);
    const entries = (await auditOf(server, 'invitation.create', admin.id)).filter((e) => e.facility_id === facility.id);
    const [imported, ...others] = await auditOf(server, 'invitation.import', admin.id);
    expect(others).toEqual([]);
    const of = { facility_id: facility.id, object_type: 'invitation_import' };
    expect(imported).toMatchObject({ ...of, object_id: expect.any(String), detail: { people: 2 } });
    const { chargeNurse, clinician } = facility.roles;
    const details = entries.map(({ detail }) => detail as { role_ids: string[]; import: string });
    expect(details.map((detail) => detail.import)).toEqual([imported?.object_id, imported?.object_id]);
    expect(details.map(({ role_ids }) => role_ids.length).sort()).toEqual([1, 2]);
    expect(new Set(details.flatMap(({ role_ids }) => role_ids))).toEqual(new Set([chargeNurse, clinician]));
    const mailed = await auditOf(server, 'invitation.mail', null);
    const ours = mailed.filter(({ facility_id }) => facility_id === facility.id);
    expect(ours.map(({ object_id }) => object_id).sort()).toEqual(entries.map(({ object_id }) => object_id).sort());
    for (const entry of [...entries, ...ours]) expect(entry.object_type).toBe('invitation');
  });

  it('ACC-1 A3 of a facility that invited 2,000 people in 24 hours no more are taken; of another one they do not count', async () => {
    const imported = async (of: MadeFacility, people: number, hoursAgo: number) => {
      const id = newId();
      const created_at = new Date(Date.now() - hoursAgo * 3_600_000);
      const row = { id, facility_id: of.id, created_by: admin.id, created_at };
      await server.db.insertInto('invitation_imports').values(row).execute();
      await sql`
        insert into invitation_import_lines (import_id, facility_id, line, email, role_ids, state, problem)
        select ${id}, ${of.id}, n, 'gone-' || n || '@people.test', '{}', 'refused', 'Is a member already.' from generate_series(2, ${people}::int + 1) as n
      `.execute(server.db);
    };
    const other = await makeFacility(server.db);
    await makeMembership(server.db, { userId: admin.id, facility: other, roles: ['facilityAdministrator'] });
    await imported(other, 2_000, 1);
    await imported(facility, 2_000, 25);
    await imported(facility, 1_998, 23);
    // A file counts with all whom it would invite, and not with who is invited already.
    const beyond = await give(lines(newEmail(), newEmail(), newEmail()), true);
    expect([beyond.statusCode, beyond.json().errors]).toEqual([
      422,
      {
        file: ['1,998 people were invited by file in 24 hours. Shorten the file to 2 new people, or go on tomorrow.'],
      },
    ]);
    expect((await give(lines(admin.email, newEmail(), newEmail()), true)).json()).toMatchObject({ is_applied: true });
    await server.runJobs();
    const refused = await give(lines(newEmail()), true);
    expect([refused.statusCode, refused.json().errors]).toEqual([
      422,
      { file: ['2,000 people were invited by file in 24 hours. Go on tomorrow.'] },
    ]);
    // To try a file is nobody's mail.
    expect((await give(lines(newEmail()))).statusCode).toBe(200);
  });

  it('R2 killed -9 at half of 200 people, the next run invites the rest: none twice, none left out', async () => {
    const { db, connectionString, close } = await testDatabase();
    try {
      const place = await makeFacility(db);
      const boss = await makeUser(db);
      await makeMembership(db, { userId: boss.id, facility: place, roles: ['facilityAdministrator'] });
      const importId = newId();
      const of = { facility_id: place.id };
      await db
        .insertInto('invitation_imports')
        .values({ id: importId, ...of, created_by: boss.id })
        .execute();
      const people = Array.from({ length: 200 }, (_, index) => ({
        ...{ import_id: importId, ...of, line: index + 2, email: `person-${index}@people.test` },
        role_ids: [place.roles.clinician],
      }));
      await db.insertInto('invitation_import_lines').values(people).execute();
      const count = async (state: string) => (await linesOf(db)).filter((line) => line.state === state).length;
      const child = startChild(connectionString, importId);
      const ended = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)));
      while ((await count('invited')) < 100) await sleep(2);
      child.kill('SIGKILL');
      expect(await ended).toBe('SIGKILL');
      const atKill = await count('invited');
      expect(atKill).toBeGreaterThanOrEqual(100);
      expect(atKill).toBeLessThan(200);
      const context = { db, log: createLog('silent'), jobId: newId() };
      await invitePeople({ import_id: importId }, context);
      const all = await linesOf(db);
      expect(all.every(({ state }) => state === 'invited')).toBe(true);
      const made = await db.selectFrom('invitations').select('email').where('facility_id', '=', place.id).execute();
      expect(made).toHaveLength(200);
      expect(new Set(made.map(({ email }) => email)).size).toBe(200);
      const mails = await db.selectFrom('jobs').select('run_at').where('kind', '=', 'invitations.mail').execute();
      expect(mails).toHaveLength(200);
      const times = mails.map(({ run_at }) => run_at.getTime()).sort((a, b) => a - b);
      // A second between two of them.
      expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(199_000);
      const entries = db.selectFrom('audit_entries').select('id').where('action', '=', 'invitation.create');
      expect(await entries.execute()).toHaveLength(200);
    } finally {
      await close();
    }
  }, 120_000);

  it('A9 asks for every right again when it comes to a line, and for who has joined meanwhile', async () => {
    const joined = await makeUser(server.db);
    await give(lines(joined.email, newEmail()), true);
    await makeMembership(server.db, { userId: joined.id, facility });
    const row = { name: 'Clinician', permissions: ['audit.view', 'records.manage', 'chats.manage'] };
    await server.db.updateTable('roles').set(row).where('id', '=', facility.roles.clinician).execute();
    await server.db
      .updateTable('roles')
      .set({ permissions: ['members.manage'] })
      .where('id', '=', facility.roles.facilityAdministrator)
      .execute();
    await server.runJobs();
    const problems = async () =>
      (await linesOf(server.db)).filter((l) => l.facility_id === facility.id).map(({ problem }) => problem);
    expect(await problems()).toEqual(['Is a member already.', 'Who gave the file may not give this role any more.']);
    const refusals = (await auditOf(server, 'invitation.create', admin.id)).filter(
      ({ facility_id }) => facility_id === facility.id,
    );
    const refused = { object_type: 'invitation_import', object_id: expect.any(String), outcome: 'refused' };
    expect(refusals).toMatchObject([
      { ...refused, detail: { line: 3 } },
      { ...refused, detail: { line: 2 } },
    ]);
    await server.db
      .updateTable('roles')
      .set({ permissions: ['members.manage', 'audit.view', 'records.manage', 'chats.manage'] })
      .where('id', '=', facility.roles.facilityAdministrator)
      .execute();
    await give(lines(newEmail()), true);
    await server.db.updateTable('memberships').set({ ended_at: new Date() }).where('user_id', '=', admin.id).execute();
    await server.runJobs();
    expect(await problems()).toContain('Who gave the file may not invite any more.');
    const made = server.db.selectFrom('invitations').select('id').where('facility_id', '=', facility.id);
    expect(await made.execute()).toEqual([]);
  });

  it('ACC-1 an invitation that was revoked before its mail goes out is not mailed', async () => {
    const [kept, revoked] = [newEmail(), newEmail()];
    await give(lines(kept, revoked), true);
    await sql`update jobs set run_at = now() + interval '1 hour' where kind = 'invitations.mail'`.execute(server.db);
    await server.runJobs();
    await sql`update jobs set run_at = now() + interval '1 hour' where kind = 'invitations.mail'`.execute(server.db);
    const { data } = (await asAdmin.send('GET', `/api/facilities/${facility.id}/invitations`)).json();
    const { id } = data.find(({ email }: { email: string }) => email === revoked);
    await asAdmin.send('DELETE', `/api/facilities/${facility.id}/invitations/${id}`);
    await letMailsGo();
    expect(await mailsTo(server, kept)).toHaveLength(1);
    expect(await mailsTo(server, revoked)).toEqual([]);
    expect((await asAdmin.send('GET', url())).json().data[0].counts).toEqual({
      ...{ waiting: 0, invited: 0, mailed: 1, refused: 1 },
    });
  });

  it('R2 a mail whose process ended before it was noted goes out again, and its newest link alone counts', async () => {
    const email = newEmail();
    await give(lines(email), true);
    await letMailsGo();
    const first = (await linkMailedTo(server, email)).path;
    const [line] = await server.db
      .updateTable('invitation_import_lines')
      .set({ state: 'invited' })
      .where('email', '=', email)
      .returning('invitation_id')
      .execute();
    const payload = JSON.stringify({ invitation_id: line?.invitation_id });
    await server.db.insertInto('jobs').values({ id: newId(), kind: 'invitations.mail', payload }).execute();
    const second = (await linkMailedTo(server, email)).path;
    const client = await signedIn(server, (await makeUser(server.db)).id);
    const accept = async (path: string) => {
      const token = new URL(path, 'http://wardline.test').searchParams.get('invitation');
      return (await client.send('POST', `/api/invitations/${token}/accept`, { ip: newAddress() })).statusCode;
    };
    expect([await accept(first), await accept(second)]).toEqual([404, 204]);
  });

  it('A14 what became of each line is a file without formulas, kept for 30 days, and downloading it is audited', async () => {
    const email = `=cmd${crypto.randomUUID()}@people.test`;
    await give(`email,role,name\n${email},Clinician,"=1+1"`, true);
    await letMailsGo();
    const { id } = (await asAdmin.send('GET', url())).json().data[0];
    const file = await asAdmin.send('GET', `${url()}/${id}/lines`);
    expect(file.payload).toBe(`line,email,name,title,outcome,why\r\n2,'${email},'=1+1,,"invited, mail sent",\r\n`);
    expect((await auditOf(server, 'invitation.import_export', admin.id))[0]).toMatchObject({
      ...{ facility_id: facility.id, object_type: 'invitation_import', object_id: id },
    });
    await sql`update invitation_imports set created_at = now() - interval '31 days' where id = ${id}`.execute(
      server.db,
    );
    await sql`update invitations set created_at = now() - interval '31 days' where email = ${email}`.execute(server.db);
    const { purgeImports } = await import('./purge-imports.ts');
    await purgeImports(server.db);
    expect((await asAdmin.send('GET', url())).json().data).toEqual([]);
    const kept = (await asAdmin.send('GET', `/api/facilities/${facility.id}/invitations`)).json().data;
    expect(kept).toMatchObject([{ email: null }]);
  });
});

function startChild(connectionString: string, importId: string) {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  const file = path.join(import.meta.dirname, 'testing/invite-in-child.ts');
  const env = { ...process.env, TSX_TSCONFIG_PATH: path.join(import.meta.dirname, '../../../../tsconfig.json') };
  return spawn(process.execPath, ['--import', tsx, file, connectionString, importId], { env, stdio: 'inherit' });
}

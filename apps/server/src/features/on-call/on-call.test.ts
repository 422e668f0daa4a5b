import { MOST_ON_CALL_ROLES, type OnCallRole } from '@wardline/contract/facilities/on-call.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type MadeFacility, makeFacility, makeMembership, makeUnit } from '#/testing/factories/facilities.ts';
import { makeOnCallRole, makeShift } from '#/testing/factories/on-call.ts';
import { type MadeUser, makeUser } from '#/testing/factories/users.ts';
import { signedInMember } from '#/testing/signed-in-member.ts';
import { auditOf, signedIn, type TestClient } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';
import { openSocket } from '#/testing/test-socket.ts';
import { untilBlocked } from '#/testing/until-blocked.ts';
import { purgePresence } from './presence-queries.ts';

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();

interface Person extends MadeUser {
  readonly client: TestClient;
}

let server: TestServer;
let facility: MadeFacility;
let chief: Person;
let mira: Person;
let ana: Person;
let counter: Person;
let roleId: string;
let path: string;

beforeAll(async () => {
  server = await startTestServer();
  facility = await makeFacility(server.db, { name: 'St. Hedwig' });
  chief = await person('Owen Chief', ['houseSupervisor']);
  mira = await person('Mira Okafor', ['clinician'], '+353 1 555 0101');
  ana = await person('Ana Reyes', ['chargeNurse']);
  counter = await person('Ruth Counter', ['censusOfficer']);
});
afterAll(() => server.close());

beforeEach(async () => {
  const name = `Medical registrar ${crypto.randomUUID().slice(0, 8)}`;
  roleId = await makeOnCallRole(server.db, { facilityId: facility.id, name, phone: '4711' });
  path = `/api/facilities/${facility.id}/on-call-roles/${roleId}`;
});

async function person(name: string, roles: Parameters<typeof makeMembership>[1]['roles'], phone?: string) {
  const user = await makeUser(server.db, { name });
  await makeMembership(server.db, { userId: user.id, facility, ...(roles && { roles }), phone: phone ?? null });
  return { ...user, client: await signedIn(server, user.id) };
}

const hold = (who: MadeUser, from: number, to: number) =>
  makeShift(server.db, {
    ...{ facilityId: facility.id, roleId, userId: who.id },
    ...{ startsAt: inHours(from), endsAt: inHours(to) },
  });

const take = (who: Person, until: string, replaces: string | null) =>
  who.client.send('POST', `${path}/take-over`, { body: { until, replaces } });
const hand = (who: Person, to: MadeUser, replaces: string | null, until = inHours(6)) =>
  who.client.send('POST', `${path}/hand-over`, { body: { person_id: to.id, until, replaces } });
const plan = (who: Person, whom: MadeUser, from: string, to: string) =>
  who.client.send('POST', `${path}/shifts`, { body: { person_id: whom.id, starts_at: from, ends_at: to } });

/** A role beside that of the test. */
const otherRole = () => makeOnCallRole(server.db, { facilityId: facility.id, name: `Other ${crypto.randomUUID()}` });

async function roleSeenBy(who: Person): Promise<OnCallRole> {
  const { data } = (await who.client.send('GET', `/api/facilities/${facility.id}/on-call-roles?limit=200`)).json();
  return data.find(({ id }: OnCallRole) => id === roleId);
}

function shiftsOfRole() {
  return server.db
    .selectFrom('on_call_shifts')
    .select(['user_id', 'starts_at', 'ends_at'])
    .where('role_id', '=', roleId)
    .orderBy('starts_at')
    .execute();
}

it('CHAT-19 says who holds a role now and until when, and who comes next', async () => {
  await hold(ana, -10, -2);
  const now = await hold(mira, -2, 6);
  const next = await hold(ana, 6, 14);
  const role = await roleSeenBy(ana);
  expect(role).toMatchObject({ phone: '4711', now: { id: now, person: { name: 'Mira Okafor' } }, next: { id: next } });
  expect((await ana.client.send('GET', `${path}/shifts`)).json().data.map(({ id }: { id: string }) => id)).toEqual([
    now,
    next,
  ]);
  const page = async (query: string) => (await ana.client.send('GET', `${path}/shifts?limit=1${query}`)).json();
  expect(await page('')).toMatchObject({ data: [{ id: now }], next_cursor: now });
  expect(await page(`&cursor=${now}`)).toMatchObject({ data: [{ id: next }], next_cursor: null });
});

it('CHAT-19 shows telephone numbers only to who may see them', async () => {
  await hold(mira, -2, 6);
  expect((await roleSeenBy(ana)).now?.person.phone).toBe('+353 1 555 0101');
  expect(await roleSeenBy(counter)).toMatchObject({ phone: null, now: { person: { phone: null } } });
  const numberOf = async (who: Person, whom: MadeUser) =>
    (await who.client.send('GET', `/api/facilities/${facility.id}/members/${whom.id}`)).json().phone;
  expect(await numberOf(ana, mira)).toBe('+353 1 555 0101');
  expect(await numberOf(counter, mira)).toBeNull();
});

it('CHAT-19 one sets one’s own number, nobody else’s, and sees it without the permission', async () => {
  const set = (who: Person, whom: MadeUser, phone: string | null) =>
    who.client.send('PUT', `/api/facilities/${facility.id}/members/${whom.id}/phone`, { body: { phone } });
  expect((await set(counter, counter, '22 14')).json().phone).toBe('22 14');
  expect((await set(counter, ana, '22 15')).statusCode).toBe(403);
  expect((await set(counter, counter, 'call me')).statusCode).toBe(422);
  expect((await set(counter, counter, null)).json().phone).toBeNull();
  expect((await auditOf(server, 'member.set_phone', counter.id)).map(({ detail }) => detail)).toEqual([
    { has_phone: false },
    { has_phone: true },
  ]);
});

it('CHAT-19 finds people by what they are on call for now, and by its unit', async () => {
  const unitId = await makeUnit(server.db, { facilityId: facility.id, name: 'Burns unit', code: 'BRN' });
  roleId = await makeOnCallRole(server.db, { facilityId: facility.id, name: 'Burns fellow', unitId });
  await hold(mira, -1, 1);
  await hold(ana, 1, 3);
  const find = async (q: string) =>
    (await chief.client.send('GET', `/api/facilities/${facility.id}/members?q=${q}`)).json().data;
  for (const q of ['fellow', 'BRN', 'Burns+unit']) expect(await find(q)).toMatchObject([{ name: 'Mira Okafor' }]);
  expect((await find('mira'))[0].on_call).toContain('Burns fellow');
});

it('CHAT-19 taking over ends the shift of now and begins mine, with an audit entry', async () => {
  const before = await hold(mira, -2, 6);
  const taken = await take(ana, inHours(5), before);
  expect(taken.statusCode).toBe(200);
  expect(taken.json()).toMatchObject({ now: { person: { user_id: ana.id } }, next: null });
  const [first, second] = await shiftsOfRole();
  expect(first?.ends_at).toEqual(second?.starts_at);
  const [entry] = await auditOf(server, 'on_call.take_over', ana.id);
  expect(entry).toMatchObject({
    object_type: 'on_call_role',
    object_id: roleId,
    detail: { from: mira.id, to: ana.id },
  });
});

it('CHAT-19 of two who take over at once one does, and the other hears who', async () => {
  const before = await hold(chief, -2, 6);
  const answers = await Promise.all([take(ana, inHours(5), before), take(mira, inHours(4), before)]);
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  const winner = answers[0].statusCode === 200 ? ana : mira;
  const refused = answers.find(({ statusCode }) => statusCode === 409);
  expect(refused?.json().message).toMatch(new RegExp(`^${winner.name} holds Medical registrar`));
  expect((await roleSeenBy(chief)).now?.person.user_id).toBe(winner.id);
});

it('CHAT-19 a repeat of what was done changes nothing, and another end moves that of the shift', async () => {
  const until = inHours(5);
  const first = await take(ana, until, null);
  expect((await take(ana, until, null)).json()).toEqual(first.json());
  expect(await shiftsOfRole()).toHaveLength(1);
  expect(
    (await auditOf(server, 'on_call.take_over', ana.id)).filter(({ object_id }) => object_id === roleId),
  ).toHaveLength(1);
  const longer = inHours(7);
  expect((await take(ana, longer, first.json().now.id)).json().now.ends_at).toBe(longer);
  expect(await shiftsOfRole()).toHaveLength(1);
});

it('CHAT-19 taking over is for 24 hours at most, not into the past, and not over who is planned', async () => {
  await hold(mira, 4, 8);
  const messages = [];
  for (const until of [inHours(25), inHours(-1), inHours(5)])
    messages.push((await take(ana, until, null)).json().message);
  expect(messages).toEqual([
    'At most 24 hours.',
    'This time has passed.',
    'Mira Okafor is planned to start before that.',
  ]);
  expect((await take(ana, inHours(3), null)).statusCode).toBe(200);
});

it('CHAT-19 only who may be on call takes over, and who holds it or plans it hands it on', async () => {
  const shift = await hold(mira, -2, 6);
  expect((await take(counter, inHours(2), shift)).statusCode).toBe(403);
  expect((await hand(ana, chief, shift)).statusCode).toBe(403);
  expect((await hand(mira, counter, shift)).json().errors).toHaveProperty('person_id');
  expect((await hand(mira, ana, shift)).json().now.person.user_id).toBe(ana.id);
  expect((await hand(mira, chief, shift)).statusCode).toBe(409);
  const now = (await roleSeenBy(chief)).now;
  expect((await hand(chief, mira, now?.id ?? null)).json().now.person.user_id).toBe(mira.id);
});

it('CHAT-19 A16 who holds another role, or held this one, hands on no more than they hold', async () => {
  const [other, before] = [await otherRole(), await hold(mira, -9, -5)];
  const theirs = await makeShift(server.db, {
    ...{ facilityId: facility.id, roleId: other, userId: mira.id },
    ...{ startsAt: inHours(-1), endsAt: inHours(3) },
  });
  const now = await hold(ana, -1, 3);
  const answers = [await hand(mira, chief, theirs), await hand(mira, chief, null), await hand(mira, chief, before)];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403, 409]);
  expect((await roleSeenBy(chief)).now?.id).toBe(now);
});

it('CHAT-19 handing over is for seven days at most, up to who comes next and no further, and stands in the audit', async () => {
  const [far, next] = [inHours(30), inHours(20)];
  await makeShift(server.db, { facilityId: facility.id, roleId, userId: chief.id, startsAt: far, endsAt: inHours(40) });
  await makeShift(server.db, { facilityId: facility.id, roleId, userId: mira.id, startsAt: next, endsAt: far });
  const messages = [];
  for (const until of [inHours(169), inHours(0), inHours(35), new Date(Date.parse(next) + 1).toISOString()])
    messages.push((await hand(chief, ana, null, until)).json().errors?.until);
  const planned = ['Mira Okafor is planned to start before that.'];
  expect(messages).toEqual([['At most 7 days.'], ['This time has passed.'], planned, planned]);
  const socket = await openSocket(server);
  await socket.join(ana.client, `private-facility.${facility.id}`);
  expect((await hand(chief, ana, null, next)).json()).toMatchObject({
    now: { person: { user_id: ana.id }, ends_at: next },
    next: { person: { user_id: mira.id } },
  });
  expect((await socket.next(({ event }) => event === 'App\\Events\\OnCallChanged')).data).toMatchObject({
    role_id: roleId,
  });
  socket.close();
  const [entry] = await auditOf(server, 'on_call.hand_over', chief.id);
  expect(entry).toMatchObject({
    ...{ facility_id: facility.id, object_type: 'on_call_role', object_id: roleId },
    detail: { from: null, to: ana.id, until: next },
  });
});

it('CHAT-19 who takes over until the same minute as the one before them is another holder, and no repeat', async () => {
  const until = inHours(5);
  const before = await makeShift(server.db, {
    ...{ facilityId: facility.id, roleId, userId: mira.id },
    ...{ startsAt: inHours(-1), endsAt: until },
  });
  expect((await take(ana, until, before)).json().now.person.user_id).toBe(ana.id);
  const refused = await take(mira, inHours(4), before);
  expect([refused.statusCode, refused.json().message]).toEqual([
    ...[409, expect.stringMatching(/^Ana Reyes holds Medical registrar .* now\.$/)],
  ]);
  await server.db.deleteFrom('on_call_shifts').where('role_id', '=', roleId).execute();
  expect((await take(mira, inHours(4), before)).json().message).toMatch(/^No one holds Medical registrar/);
});

it('CHAT-19 A16 a shift is taken away from its own role alone, and ended where it has begun; one that is over stays', async () => {
  const remove = (id: string, at = path) => chief.client.send('DELETE', `${at}/shifts/${id}`);
  const [over, now, planned] = [await hold(mira, -9, -5), await hold(mira, -1, 3), await hold(ana, 3, 6)];
  const other = path.replace(roleId, await otherRole());
  expect((await remove(now, other)).statusCode).toBe(404);
  const refused = await remove(over);
  expect([refused.statusCode, refused.json().message]).toEqual([409, 'This shift is over.']);
  expect((await ana.client.send('DELETE', `${path}/shifts/${planned}`)).statusCode).toBe(403);
  const socket = await openSocket(server);
  await socket.join(ana.client, `private-facility.${facility.id}`);
  for (const id of [now, planned]) {
    expect((await remove(id)).statusCode).toBe(204);
    await socket.next(({ event }) => event === 'App\\Events\\OnCallChanged');
  }
  socket.close();
  const [first, second, ...more] = await shiftsOfRole();
  expect([first?.user_id, second?.user_id, more]).toEqual([mira.id, mira.id, []]);
  expect(second?.ends_at.getTime()).toBeLessThanOrEqual(Date.now());
  const entries = (await auditOf(server, 'on_call.shift.delete', chief.id)).slice(0, 2);
  expect(entries.map(({ object_id, detail }) => [object_id, detail])).toEqual([
    [roleId, { shift: planned, user: ana.id, had_begun: false }],
    [roleId, { shift: now, user: mira.id, had_begun: true }],
  ]);
});

it('CHAT-19 shifts that touch are planned beside each other, whoever holds other roles then, and are told and noted', async () => {
  const other = await otherRole();
  const [from, to, end] = [inHours(2), inHours(4), inHours(6)];
  const span = { facilityId: facility.id, startsAt: from, endsAt: end };
  await makeShift(server.db, { ...span, roleId: other, userId: mira.id });
  const socket = await openSocket(server);
  await socket.join(ana.client, `private-facility.${facility.id}`);
  expect((await plan(chief, ana, from, to)).statusCode).toBe(201);
  expect((await socket.next(({ event }) => event === 'App\\Events\\OnCallChanged')).data).toMatchObject({
    role_id: roleId,
  });
  socket.close();
  expect((await plan(chief, mira, to, end)).statusCode).toBe(201);
  expect((await plan(chief, mira, inHours(1), from)).statusCode).toBe(201);
  const [, second] = await auditOf(server, 'on_call.shift.plan', chief.id);
  expect(second).toMatchObject({ object_id: roleId, detail: { user: mira.id, starts_at: to, ends_at: end } });
  const fields = [];
  for (const [start, until] of [
    ...[
      [inHours(20), inHours(20)],
      [inHours(-3), inHours(-2)],
    ],
    ...[
      [inHours(20), inHours(20 + 169)],
      [inHours(367 * 24), inHours(367 * 24 + 1)],
    ],
  ] as [string, string][])
    fields.push(Object.entries((await plan(chief, ana, start, until)).json().errors).flat(2));
  expect(fields).toEqual([
    ['ends_at', 'A shift ends after it begins, and not in the past.'],
    ['ends_at', 'A shift ends after it begins, and not in the past.'],
    ['ends_at', 'At most 7 days.'],
    ['starts_at', 'At most a year ahead.'],
  ]);
  expect((await plan(chief, counter, inHours(8), inHours(9))).json().errors).toHaveProperty('person_id');
  const cursor = (await roleSeenBy(chief)).next?.id;
  const elsewhere = await ana.client.send('GET', `${path.replace(roleId, other)}/shifts?cursor=${cursor}`);
  expect(elsewhere.json().code).toBe('unprocessable');
});

it('CHAT-19 ADM-3 a role keeps its name beside what else is changed, takes a unit of its facility, and is noted and told', async () => {
  const there = await makeFacility(server.db);
  const both = await person('Bo Both', ['houseSupervisor']);
  await makeMembership(server.db, { userId: both.id, facility: there, roles: ['houseSupervisor'] });
  const [unit, theirs] = [
    await makeUnit(server.db, { facilityId: facility.id, name: 'Stroke unit', code: 'STR' }),
    await makeUnit(server.db, { facilityId: there.id, name: 'Stroke unit', code: 'STR' }),
  ];
  const roles = `/api/facilities/${facility.id}/on-call-roles`;
  const socket = await openSocket(server);
  await socket.join(ana.client, `private-facility.${facility.id}`);
  const isTold = async () => (await socket.next(({ event }) => event === 'App\\Events\\OnCallChanged')).data;
  const make = (name: string, unit_id: string) => both.client.send('POST', roles, { body: { name, unit_id } });
  expect((await make('Thrombectomy', theirs)).json().errors).toHaveProperty('unit_id');
  const made = (await make('Thrombectomy', unit)).json();
  expect(made).toMatchObject({ unit: { id: unit }, phone: null });
  expect(await isTold()).toEqual({ facility_id: facility.id, role_id: made.id });
  const change = async (body: object, at = roles) => both.client.send('PATCH', `${at}/${made.id}`, { body });
  expect((await change({ expected_version: 1, unit_id: theirs })).json().errors).toHaveProperty('unit_id');
  expect((await change({ expected_version: 1, name: 'THROMBECTOMY' })).json()).toMatchObject({
    version: 2,
    unit: { id: unit },
  });
  expect(await isTold()).toMatchObject({ role_id: made.id });
  const astray = roles.replace(facility.id, there.id);
  expect((await change({ expected_version: 2, phone: '4712' }, astray)).statusCode).toBe(404);
  const other = await hold(mira, 1, 3);
  expect((await both.client.send('DELETE', `${roles}/${made.id}`)).statusCode).toBe(204);
  expect(await isTold()).toMatchObject({ role_id: made.id });
  socket.close();
  expect((await roleSeenBy(chief)).next?.id).toBe(other);
  for (const action of ['on_call.role.create', 'on_call.role.update', 'on_call.role.retire']) {
    const [entry] = await auditOf(server, action, both.id);
    expect(entry, action).toMatchObject({ facility_id: facility.id, object_type: 'on_call_role', object_id: made.id });
  }
});

it('CHAT-19 a facility has so many roles at a time, retired ones aside, and who holds one that is retired is free at once', async () => {
  const small = await makeFacility(server.db);
  const head = await signedInMember(server, { facility: small, name: 'Hedda Head', roles: ['houseSupervisor'] });
  const rows = Array.from({ length: MOST_ON_CALL_ROLES + 1 }, (_, n) => ({
    ...{ id: crypto.randomUUID(), facility_id: small.id, name: `Role ${n}` },
    ...{ retired_at: n === 0 ? new Date() : null },
  }));
  await server.db.insertInto('on_call_roles').values(rows).execute();
  const roles = `/api/facilities/${small.id}/on-call-roles`;
  const make = () => head.client.send('POST', roles, { body: { name: 'Role 0' } });
  expect((await make()).json().errors.name).toEqual([`A facility has at most ${MOST_ON_CALL_ROLES} roles.`]);
  roleId = rows[1]?.id ?? '';
  await makeShift(server.db, {
    ...{ facilityId: small.id, roleId, userId: head.id },
    ...{ startsAt: inHours(-1), endsAt: inHours(3) },
  });
  expect((await head.client.send('DELETE', `${roles}/${roleId}`)).statusCode).toBe(204);
  const [ended] = await shiftsOfRole();
  expect(ended?.ends_at.getTime()).toBeLessThanOrEqual(Date.now());
  expect((await make()).statusCode).toBe(201);
});

it('CHAT-19 shifts are planned and taken away by who may, and never two at a time', async () => {
  expect((await plan(ana, ana, inHours(1), inHours(2))).statusCode).toBe(403);
  expect((await plan(chief, ana, inHours(1), inHours(9))).statusCode).toBe(201);
  const refused = await plan(chief, mira, inHours(8), inHours(12));
  expect([refused.statusCode, refused.json().message]).toEqual([409, 'Ana Reyes is on call then.']);
  const begun = (await plan(chief, mira, inHours(-3), inHours(0.9))).json();
  expect(Date.parse(begun.now.starts_at)).toBeGreaterThan(Date.now() - HOUR_MS);
  expect((await plan(chief, mira, inHours(20), inHours(19))).statusCode).toBe(422);
  expect((await plan(chief, mira, inHours(20), inHours(20 + 169))).statusCode).toBe(422);
  expect((await plan(chief, mira, inHours(367 * 24), inHours(367 * 24 + 1))).statusCode).toBe(422);
  const planned = (await roleSeenBy(chief)).next;
  expect((await chief.client.send('DELETE', `${path}/shifts/${planned?.id}`)).statusCode).toBe(204);
  expect((await roleSeenBy(chief)).next).toBeNull();
});

it('CHAT-19 two overlapping shifts that are planned at once become one', async () => {
  const answers = await Promise.all([
    plan(chief, ana, inHours(1), inHours(9)),
    plan(chief, mira, inHours(2), inHours(10)),
  ]);
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409]);
});

it('CHAT-19 the database itself refuses a second holder', async () => {
  await hold(ana, 1, 3);
  await expect(hold(mira, 2, 4)).rejects.toThrow('on_call_shifts_one_holder');
});

it('CHAT-19 shifts meet at midnight and over both changes of clocks without a gap or an overlap', async () => {
  // Europe/Berlin: the night of 25 October 2026 has 25 hours, that of 28 March 2027 has 23.
  const nights = ['2027-03-27T19:00:00Z', '2027-03-27T23:00:00Z', '2027-03-28T01:00:00Z', '2027-03-28T05:00:00Z'];
  const people = [ana, mira, ana];
  for (const [index, who] of people.entries()) {
    const [startsAt = '', endsAt = ''] = nights.slice(index, index + 2);
    await makeShift(server.db, { facilityId: facility.id, roleId, userId: who.id, startsAt, endsAt });
  }
  const heldBy = async (at: string) =>
    (
      await sql<{ user_id: string }>`
        select user_id from on_call_shifts where role_id = ${roleId} and starts_at <= ${at} and ends_at > ${at}`.execute(
        server.db,
      )
    ).rows.map(({ user_id }) => user_id);
  expect(await heldBy('2027-03-27T22:59:59.999Z')).toEqual([ana.id]);
  expect(await heldBy('2027-03-28T00:00:00+01:00')).toEqual([mira.id]);
  expect(await heldBy('2027-03-28T03:00:00+02:00')).toEqual([ana.id]);
  expect(await heldBy('2027-03-28T05:00:00Z')).toEqual([]);
});

it('CHAT-19 who leaves the facility holds nothing, and nobody is put in their place', async () => {
  const leaver = await person('Lea Leaver', ['clinician']);
  const admin = await person('Marit Admin', ['facilityAdministrator']);
  await hold(leaver, -2, 6);
  await hold(leaver, 8, 12);
  const socket = await openSocket(server);
  await socket.join(ana.client, `private-facility.${facility.id}`);
  expect((await admin.client.send('DELETE', `/api/facilities/${facility.id}/members/${leaver.id}`)).statusCode).toBe(
    204,
  );
  const told = await socket.next((frame) => frame.event === 'App\\Events\\OnCallChanged');
  expect(told.data).toEqual({ facility_id: facility.id, role_id: null });
  expect(await roleSeenBy(ana)).toMatchObject({ now: null, next: null });
  expect(await shiftsOfRole()).toHaveLength(1);
  expect((await plan(chief, leaver, inHours(1), inHours(2))).statusCode).toBe(422);
  await socket.close();
});

it('CHAT-19 who leaves while they are put on call is on call for nothing', async () => {
  const leaver = await person('Lou Leaver', ['clinician']);
  const handed = await server.db.transaction().execute(async (tx) => {
    await tx.updateTable('memberships').set({ ended_at: sql`now()` }).where('user_id', '=', leaver.id).execute();
    const asked = plan(chief, leaver, inHours(1), inHours(3));
    await untilBlocked(server.db, asked);
    return [asked];
  });
  expect((await handed[0])?.statusCode).toBe(422);
  expect(await shiftsOfRole()).toEqual([]);
});

it('CHAT-19 whose account is disabled holds nothing and is planned for nothing', async () => {
  const gone = await person('Dee Disabled', ['clinician']);
  await hold(gone, -2, 6);
  await hold(gone, 8, 12);
  await server.db.updateTable('users').set({ disabled_at: sql`now()` }).where('id', '=', gone.id).execute();
  expect(await roleSeenBy(ana)).toMatchObject({ now: null, next: null });
  expect((await plan(chief, gone, inHours(1), inHours(2))).statusCode).toBe(422);
  expect((await take(ana, inHours(10), null)).statusCode).toBe(200);
});

it('CHAT-19 whose account is disabled while they are put on call is on call for nothing', async () => {
  const gone = await person('Dot Disabled', ['clinician']);
  const planned = await server.db.transaction().execute(async (tx) => {
    await tx.updateTable('users').set({ disabled_at: sql`now()` }).where('id', '=', gone.id).execute();
    const asked = plan(chief, gone, inHours(1), inHours(3));
    await untilBlocked(server.db, asked);
    return [asked];
  });
  expect((await planned[0])?.statusCode).toBe(422);
  expect(await shiftsOfRole()).toEqual([]);
});

it('CHAT-19 A14 tells members of the facility that a role changed, and nobody else', async () => {
  const elsewhere = await makeFacility(server.db, { name: 'Elsewhere' });
  const stranger = await makeUser(server.db, { name: 'Stranger' });
  await makeMembership(server.db, { userId: stranger.id, facility: elsewhere, roles: ['clinician'] });
  const [inside, outside] = [await openSocket(server), await openSocket(server)];
  expect(await inside.join(mira.client, `private-facility.${facility.id}`)).toBe('joined');
  const strangerClient = await signedIn(server, stranger.id);
  expect(await outside.join(strangerClient, `private-facility.${facility.id}`)).toBe(403);
  await take(ana, inHours(5), null);
  const { data } = await inside.next((frame) => frame.event === 'App\\Events\\OnCallChanged');
  expect(data).toEqual({ facility_id: facility.id, role_id: roleId });
  await outside.settle();
  expect(JSON.stringify(outside.frames)).not.toContain('OnCallChanged');
  inside.close();
  outside.close();
});

it('CHAT-19 roles are made, changed at the version one saw, and retired, their names unlike each other', async () => {
  const roles = `/api/facilities/${facility.id}/on-call-roles`;
  const make = (who: Person, name: string) => who.client.send('POST', roles, { body: { name } });
  expect((await make(ana, 'Stroke nurse')).statusCode).toBe(403);
  const made = (await make(chief, 'Stroke nurse')).json();
  expect((await make(chief, 'STROKE nurse')).json().errors).toHaveProperty('name');
  const change = (body: object) => chief.client.send('PATCH', `${roles}/${made.id}`, { body });
  const renamed = { ...made, name: 'Stroke team', phone: '555', version: 2 };
  expect((await change({ expected_version: 1, name: 'Stroke team', phone: '555' })).json()).toEqual(renamed);
  const [entry] = await auditOf(server, 'on_call.role.update', chief.id);
  expect(entry).toMatchObject({ object_id: made.id, detail: { changed: ['name', 'phone'], version: 2 } });
  expect((await change({ expected_version: 1, phone: null })).statusCode).toBe(409);
  expect((await change({ expected_version: 2, unit_id: crypto.randomUUID() })).json().errors).toHaveProperty('unit_id');
  [roleId, path] = [made.id, `${roles}/${made.id}`];
  await hold(ana, -1, 3);
  await hold(mira, 3, 6);
  expect((await chief.client.send('DELETE', path)).statusCode).toBe(204);
  expect((await take(ana, inHours(1), null)).statusCode).toBe(404);
  expect(await shiftsOfRole()).toHaveLength(1);
  expect((await make(chief, 'Stroke team')).statusCode).toBe(201);
});

it('CHAT-19 roles come by name, a page at a time, also from one that was retired meanwhile', async () => {
  const small = await makeFacility(server.db, { name: 'Small' });
  const reader = await makeUser(server.db);
  await makeMembership(server.db, { userId: reader.id, facility: small });
  const client = await signedIn(server, reader.id);
  for (const name of ['Zebra', 'äther', 'Bleep']) {
    await makeOnCallRole(server.db, { facilityId: small.id, name });
  }
  const list = async (query: string) =>
    (await client.send('GET', `/api/facilities/${small.id}/on-call-roles?${query}`)).json();
  const first = await list('limit=2');
  expect(first.data.map(({ name }: OnCallRole) => name)).toEqual(['äther', 'Bleep']);
  await server.db
    .updateTable('on_call_roles')
    .set({ retired_at: new Date() })
    .where('id', '=', first.next_cursor)
    .execute();
  const second = await list(`cursor=${first.next_cursor}`);
  expect(second).toMatchObject({ data: [{ name: 'Zebra' }], next_cursor: null });
  expect((await list(`cursor=${roleId}`)).code).toBe('unprocessable');
});

it('URG-3 says who holds now what somebody holds at other times, and nothing of whoever is on call themselves', async () => {
  const dutyOf = async (who: Person) =>
    (await chief.client.send('GET', `/api/facilities/${facility.id}/members/${who.id}/duty`)).json();
  const lea = await person('Lea Duty', ['clinician']);
  const name = (await roleSeenBy(chief)).name;
  const namesFor = async (who: Person) => (await dutyOf(who)).instead.map((one: { name: string }) => one.name);
  await hold(lea, -10, -2);
  expect(await namesFor(lea)).not.toContain(name);
  await hold(mira, -2, 6);
  const proposed = (await dutyOf(lea)).instead.find((one: { name: string }) => one.name === name);
  expect(proposed).toMatchObject({ role_id: roleId, holder: { user_id: mira.id, name: 'Mira Okafor' } });
  expect(await dutyOf(mira)).toMatchObject({ is_on_call: true, instead: [] });
  expect(await namesFor(counter)).toEqual([]);
});

const say = (who: Person, said: object) =>
  who.client.send('PUT', `/api/facilities/${facility.id}/presence`, {
    body: { on_duty_until: null, busy: null, ...said },
  });
const presencePath = (...people: readonly MadeUser[]) =>
  `/api/facilities/${facility.id}/presence?people=${people.map(({ id }) => id).join(',')}`;
const presenceOf = async (asks: Person, of: MadeUser) =>
  (await asks.client.send('GET', presencePath(of))).json().data[0];

it('CHAT-12 shows who is on duty by a shift or their own word, and busy over both, until then and no longer', async () => {
  const zoe = await person('Zoe Present', ['clinician']);
  expect(await presenceOf(chief, zoe)).toMatchObject({ shift_until: null, on_duty_until: null, busy: null });
  const [until, busyUntil] = [inHours(8), inHours(1)];
  const said = await say(zoe, { on_duty_until: until, busy: { until: busyUntil, reason: 'in_theatre' } });
  expect(said.json()).toMatchObject({ on_duty_until: until, busy: { until: busyUntil, reason: 'in_theatre' } });
  expect(await presenceOf(chief, zoe)).toMatchObject(said.json());
  await hold(zoe, -1, 3);
  await server.db
    .updateTable('duty_statements')
    .set({ busy_until: new Date(Date.now() - 1000) })
    .where('user_id', '=', zoe.id)
    .execute();
  expect(await presenceOf(chief, zoe)).toMatchObject({ shift_until: expect.any(String), busy: null });
  for (const [field, wrong] of [
    ['on_duty_until', { on_duty_until: inHours(25) }],
    ['busy.until', { busy: { until: inHours(-1), reason: null } }],
  ] as const) {
    expect((await say(zoe, wrong)).json().errors).toHaveProperty([field]);
  }
  expect((await say(zoe, { busy: { until: inHours(1), reason: 'with the family of bed 4' } })).statusCode).toBe(422);
});

it('CHAT-12 tells whose page shows it what was said, without a time of use, and tells and notes nothing twice', async () => {
  const zoe = await person('Zoe Told', ['clinician']);
  const socket = await openSocket(server);
  await socket.join(chief.client, `private-facility.${facility.id}`);
  const busy = { until: inHours(1), reason: 'ward_round' };
  await say(zoe, { busy });
  await say(zoe, { busy });
  await say(zoe, {});
  const next = async () => (await socket.next((frame) => frame.event === 'App\\Events\\PresenceChanged')).data;
  expect(await next()).toEqual({ facility_id: facility.id, user_id: zoe.id, on_duty_until: null, busy });
  expect(await next()).toEqual({ facility_id: facility.id, user_id: zoe.id, on_duty_until: null, busy: null });
  const noted = await auditOf(server, 'presence.set', zoe.id);
  expect(noted.reverse().map(({ detail }) => detail)).toEqual([{ state: 'busy' }, { state: 'off_duty' }]);
  socket.close();
});

it('CHAT-12 what somebody says of themselves is told where anything of it differs, and is of one person in one facility', async () => {
  const zoe = await person('Zoe Twice', ['clinician']);
  const there = await makeFacility(server.db);
  await makeMembership(server.db, { userId: zoe.id, facility: there, roles: ['clinician'] });
  const until = inHours(6);
  const sayThere = { body: { on_duty_until: until, busy: null } };
  expect((await zoe.client.send('PUT', `/api/facilities/${there.id}/presence`, sayThere)).statusCode).toBe(200);
  await say(mira, { on_duty_until: until });
  const socket = await openSocket(server);
  await socket.join(chief.client, `private-facility.${facility.id}`);
  const busyUntil = inHours(1);
  const said = [
    ...[{ on_duty_until: until }, { on_duty_until: inHours(7) }],
    ...[
      { busy: { until: busyUntil, reason: null } },
      { busy: { until: busyUntil, reason: 'in_theatre' } },
      { busy: { until: inHours(2), reason: 'in_theatre' } },
      {},
    ],
  ];
  for (const one of said) {
    const answer = await say(zoe, one);
    const { data } = await socket.next(({ event }) => event === 'App\\Events\\PresenceChanged');
    const { on_duty_until, busy } = answer.json();
    expect(data).toEqual({ facility_id: facility.id, user_id: zoe.id, on_duty_until, busy });
    expect({ on_duty_until, busy }).toEqual({ on_duty_until: null, busy: null, ...one });
  }
  socket.close();
  const states = (await auditOf(server, 'presence.set', zoe.id)).map(
    ({ facility_id, object_type, object_id, detail }) => {
      expect([object_type, object_id]).toEqual(['user', zoe.id]);
      return [facility_id === there.id ? 'there' : 'here', (detail as { state: string }).state];
    },
  );
  expect(states.reverse()).toEqual([
    ['there', 'on_duty'],
    ...['on_duty', 'on_duty', 'busy', 'busy', 'busy', 'off_duty'].map((state) => ['here', state]),
  ]);
  const kept = await zoe.client.send('GET', `/api/facilities/${there.id}/presence?people=${zoe.id}`);
  expect(kept.json().data).toMatchObject([{ on_duty_until: until }]);
  expect(await presenceOf(chief, mira)).toMatchObject({ on_duty_until: until });
  const outside = await zoe.client.send(
    'PUT',
    `/api/facilities/${(await makeFacility(server.db)).id}/presence`,
    sayThere,
  );
  expect(outside.statusCode).toBe(404);
  await say(mira, {});
});

it('CHAT-12 says about when somebody was last there, only to their facility and only where it shows that', async () => {
  const zoe = await person('Zoe Seen', ['clinician']);
  const elsewhere = await makeFacility(server.db);
  await makeMembership(server.db, { userId: zoe.id, facility: elsewhere, roles: ['clinician'] });
  const seen = async () => (await presenceOf(chief, zoe)).last_seen;
  expect(await seen()).toBeNull();
  await presenceOf(zoe, chief);
  expect(await seen()).toBe('now');
  const setSeen = (seenAt: Date) =>
    server.db.updateTable('last_seen').set({ seen_at: seenAt }).where('user_id', '=', zoe.id).execute();
  await setSeen(new Date(Date.now() - 30 * 60_000));
  expect(await seen()).toBe('hour');
  // Within five minutes of the last note a request writes nothing.
  await presenceOf(zoe, chief);
  expect(await seen()).toBe('hour');
  await setSeen(new Date(Date.now() - 9 * 24 * HOUR_MS));
  expect(await seen()).toBeNull();
  const stranger = await zoe.client.send(
    'GET',
    `/api/facilities/${elsewhere.id}/presence?people=${chief.id},${zoe.id}`,
  );
  expect(stranger.json().data.map(({ user_id }: { user_id: string }) => user_id)).toEqual([zoe.id]);
  await setSeen(new Date());
  expect(await seen()).toBe('now');
  await server.db.updateTable('facilities').set({ shows_last_seen: false }).where('id', '=', facility.id).execute();
  expect(await seen()).toBeNull();
  await server.db.updateTable('facilities').set({ shows_last_seen: true }).where('id', '=', facility.id).execute();
});

it('CHAT-12 forgets what somebody said of their duty when they leave, or when it is over', async () => {
  const zoe = await person('Zoe Leaves', ['clinician']);
  const kept = () => server.db.selectFrom('duty_statements').select('user_id').where('user_id', '=', zoe.id).execute();
  await say(zoe, { on_duty_until: inHours(8) });
  await purgePresence(server.db);
  expect(await kept()).toHaveLength(1);
  const end = server.db.updateTable('memberships').set({ ended_at: new Date() }).where('user_id', '=', zoe.id);
  await end.execute();
  expect(await kept()).toEqual([]);
  const past = new Date(Date.now() - HOUR_MS);
  await server.db
    .insertInto('duty_statements')
    .values({ facility_id: facility.id, user_id: zoe.id, on_duty_until: past, busy_until: null })
    .execute();
  await purgePresence(server.db);
  expect(await kept()).toEqual([]);
});

it('URG-3 proposes nobody else for who is on duty by their own word, and somebody again once they are off duty', async () => {
  const zoe = await person('Zoe Word', ['clinician']);
  await hold(zoe, -10, -2);
  await hold(mira, -2, 6);
  const duty = async () =>
    (await chief.client.send('GET', `/api/facilities/${facility.id}/members/${zoe.id}/duty`)).json();
  expect((await duty()).instead).toHaveLength(1);
  await say(zoe, { on_duty_until: inHours(4) });
  expect(await duty()).toMatchObject({ is_on_call: false, instead: [], presence: { user_id: zoe.id } });
  await say(zoe, {});
  expect((await duty()).instead).toHaveLength(1);
});

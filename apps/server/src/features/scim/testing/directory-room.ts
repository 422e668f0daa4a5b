import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type MadeFacility, makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { type MadeUser, makeUser } from '#/testing/factories/users.ts';
import { signedIn, type TestClient } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';

export let server: TestServer;
export let facility: MadeFacility;
export let admin: MadeUser;
export let browser: TestClient;
/** The token of the directory. */
export let secret: string;

/** Gives each test a facility with a directory. */
export function useDirectoryRoom(): void {
  beforeAll(async () => {
    server = await startTestServer({ looksAfterSockets: false });
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    ({ facility, admin, browser, secret } = await openDirectory());
  });
}

/** A facility whose administrator has made a token for its directory. */
export async function openDirectory(roles: Parameters<typeof makeMembership>[1]['roles'] = ['facilityAdministrator']) {
  const made = await makeFacility(server.db);
  const person = await makeUser(server.db, { name: 'Avery Admin' });
  await makeMembership(server.db, { userId: person.id, facility: made, roles: roles ?? [] });
  const client = await signedIn(server, person.id);
  const body = { name: 'Directory', expires_in_days: 30 };
  const answer = await client.send('POST', `/api/facilities/${made.id}/scim-tokens`, { body });
  expect(answer.statusCode, answer.payload).toBe(201);
  return { facility: made, admin: person, browser: client, secret: answer.json().plain_text_token as string };
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export async function ask(
  method: Method,
  path: string,
  {
    body,
    token = secret,
    headers = {},
  }: { body?: unknown; token?: string | null; headers?: Record<string, string> } = {},
) {
  const response = await server.app.inject({
    ...{ method, url: `/scim/v2${path}` },
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/scim+json' }),
      ...headers,
    },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  });
  return {
    status: response.statusCode,
    headers: response.headers,
    json: response.payload === '' ? null : response.json(),
  };
}

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
let lastNumber = 0;
export const newAddress = () => `person${++lastNumber}.${facility.id.slice(-6)}@hospital.test`;

export function person(email = newAddress(), more: object = {}) {
  return {
    schemas: [USER],
    userName: email,
    name: { givenName: 'Kim', familyName: 'Park' },
    emails: [{ value: email, primary: true }],
    ...more,
  };
}
export const patch = (...Operations: object[]) => ({ schemas: [PATCH_OP], Operations });
export const userOf = async (more: object = {}, email = newAddress()) =>
  (await ask('POST', '/Users', { body: person(email, more) })).json;
export const membersOf = (facilityId = facility.id) =>
  server.db
    .selectFrom('memberships')
    .select('user_id')
    .where('facility_id', '=', facilityId)
    .where('ended_at', 'is', null)
    .execute();
/** As the operator of the installation disables accounts and enables them again. */
export const setDisabled = (ids: string[], isDisabled: boolean) =>
  server.db
    .updateTable('users')
    .set({ disabled_at: isDisabled ? new Date() : null })
    .where('id', 'in', ids)
    .execute();
export const auditActions = async () =>
  (
    await server.db
      .selectFrom('audit_entries')
      .selectAll()
      .where('facility_id', '=', facility.id)
      .orderBy('id')
      .execute()
  ).filter(({ action }) => action.startsWith('scim.'));

/** Its token's maker manages members and nothing else; somebody there has a role with more. */
export async function openWeakDirectory() {
  const made = await openDirectory();
  const stronger = await makeUser(server.db);
  await makeMembership(server.db, { userId: stronger.id, facility: made.facility, roles: ['facilityAdministrator'] });
  const strongerRole = made.facility.roles.facilityAdministrator;
  const role = {
    id: crypto.randomUUID(),
    facility_id: made.facility.id,
    name: 'Managers',
    permissions: ['members.manage'],
  };
  await server.db.insertInto('roles').values(role).execute();
  const membership = await server.db
    .selectFrom('memberships')
    .select('id')
    .where('user_id', '=', made.admin.id)
    .executeTakeFirstOrThrow();
  await server.db
    .updateTable('membership_roles')
    .set({ role_id: role.id })
    .where('membership_id', '=', membership.id)
    .execute();
  return { ...made, stronger, strongerRole };
}

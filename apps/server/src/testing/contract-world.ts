import { randomUUID } from 'node:crypto';
import type { AnyEndpoint } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { makeChat } from './factories/chats.ts';
import { type MadeFacility, makeFacility, makeMembership, makeUnit } from './factories/facilities.ts';
import { type MadeUser, makeUser, TEST_PASSWORD, testPasswordHash } from './factories/users.ts';
import { guestWithCookies, signedIn, type TestClient, withToken } from './test-client.ts';
import { startTestServer, TEST_APP_KEY, type TestServer } from './test-server.ts';
import { openSocket } from './test-socket.ts';

/** One facility with people, a chat and a marker in every text that is stored of it. */
export interface Side {
  readonly marker: string;
  readonly facility: MadeFacility;
  readonly chatId: string;
  readonly messageId: string;
  /** Has every right of the facility and manages the chat. */
  readonly entitled: MadeUser;
  /** In the chat, to read only, and without a role. */
  readonly reader: MadeUser;
  /** In the facility, without a role and not in the chat. */
  readonly member: MadeUser;
}

export interface World {
  readonly server: TestServer;
  readonly ours: Side;
  readonly theirs: Side;
  /** Was in our facility and its chat. */
  readonly former: MadeUser;
  /** Runs the installation and belongs to no facility. */
  readonly operator: MadeUser;
}

/** Two hospitals on one server that must never hear of each other. */
export async function makeWorld(): Promise<World> {
  const server = await startTestServer();
  const { db } = server;
  const operator = await makeUser(db, { isOperator: true });
  const ours = await makeSide(server, 'OURS');
  const theirs = await makeSide(server, 'THEIRS');
  const former = await makeUser(db);
  const membershipId = await makeMembership(db, { userId: former.id, facility: ours.facility, roles: ['clinician'] });
  await db
    .insertInto('chat_participants')
    .values({ chat_id: ours.chatId, user_id: former.id, facility_id: ours.facility.id, access: 'manage' })
    .execute();
  await db.updateTable('memberships').set({ ended_at: new Date() }).where('id', '=', membershipId).execute();
  return { server, ours, theirs, former, operator };
}

async function makeSide({ db }: TestServer, of: string): Promise<Side> {
  const marker = `MARK${of}${randomUUID().slice(0, 8)}`;
  const facility = await makeFacility(db, { name: `Hospital ${marker}`, timeZone: 'Europe/Berlin' });
  await db
    .updateTable('roles')
    .set({ name: sql`name || ${` ${marker}`}` })
    .where('facility_id', '=', facility.id)
    .execute();
  await makeUnit(db, { facilityId: facility.id, name: `Unit ${marker}`, code: marker.slice(-12), kind: marker });
  const person = (what: string) => makeUser(db, { name: `${what} ${marker}`, email: emailOf(what, marker) });
  const [entitled, reader, member] = [await person('Entitled'), await person('Reader'), await person('Member')];
  await makeMembership(db, {
    userId: entitled.id,
    facility,
    roles: ['clinician', 'chargeNurse', 'censusOfficer', 'facilityAdministrator'],
    title: `Title ${marker}`,
  });
  for (const user of [reader, member]) {
    await makeMembership(db, { userId: user.id, facility, title: `Title ${marker}` });
  }
  const messageId = randomUUID();
  const { id: chatId } = await makeChat(db, {
    facilityId: facility.id,
    kind: 'case',
    title: `Chat ${marker}`,
    patient: { name: `Patient ${marker}`, identifier: `No ${marker}`, bornOn: '1950-02-03', bed: marker.slice(-12) },
    participants: [{ userId: entitled.id }, { userId: reader.id, access: 'read' }],
    messages: [
      { id: messageId, senderId: entitled.id, body: `First ${marker}` },
      { senderId: entitled.id, body: `Second ${marker}` },
    ],
  });
  return { marker, facility, chatId, messageId, entitled, reader, member };
}

function emailOf(what: string, marker: string): string {
  return `${what}.${marker}@people.test`.toLowerCase();
}

export const ACTORS = [
  'signed out',
  'of another facility',
  'operator',
  'former member',
  'member without right',
  'reader of the chat',
  'with the right',
  'bearer with the right',
] as const;
export type ActorName = (typeof ACTORS)[number];

/** A client of its own for each call, so that one call's sign-out is not another's. */
export async function clientOf(
  { server, ours, theirs, former, operator }: World,
  actor: ActorName,
): Promise<TestClient> {
  if (actor === 'signed out') return guestWithCookies(server);
  if (actor === 'bearer with the right') return bearer(server, ours.entitled.id);
  const users = {
    'of another facility': theirs.entitled,
    operator,
    'former member': former,
    'member without right': ours.member,
    'reader of the chat': ours.reader,
    'with the right': ours.entitled,
  };
  return signedIn(server, users[actor].id);
}

async function bearer(server: TestServer, userId: string): Promise<TestClient> {
  const passwordHash = await testPasswordHash(TEST_APP_KEY);
  const { email } = await server.db
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('id', '=', userId)
    .returning('email')
    .executeTakeFirstOrThrow();
  const client = await guestWithCookies(server);
  const body = { email, password: TEST_PASSWORD, device_name: 'phone' };
  return withToken(server, (await client.send('POST', '/api/tokens', { body })).json().token);
}

/** A request that succeeds when somebody sends it who may. */
export interface Sample {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** For each endpoint a request about our facility, made anew for each call. */
export const SAMPLES: Readonly<Record<string, (world: World) => Promise<Sample>>> = {
  getCsrfCookie: async () => ({}),
  signIn: async (world) => ({ body: { ...(await somebodyWithPassword(world)), remember: false } }),
  signOut: async () => ({}),
  getUser: async () => ({}),
  createToken: async (world) => ({ body: { ...(await somebodyWithPassword(world)), device_name: 'Ward phone' } }),
  getDeviceKey: async () => ({}),
  listFacilities: async () => ({}),
  listMembers: async ({ ours }) => ({ params: { facility: ours.facility.id }, query: { q: 'e', limit: '5' } }),
  removeMember: async (world) => ({ params: { facility: world.ours.facility.id, user: await newMember(world) } }),
  listChats: async ({ ours }) => ({ params: { facility: ours.facility.id }, query: { state: 'open' } }),
  createChat: async ({ ours }) => ({
    params: { facility: ours.facility.id },
    body: {
      client_id: randomUUID(),
      kind: 'case',
      patient: { name: `Patient ${ours.marker}`, identifier: ours.marker },
      participant_ids: [],
    },
  }),
  getChat: async ({ ours }) => ({ params: { chat: ours.chatId } }),
  updateChat: async ({ server, ours }) => {
    const found = server.db.selectFrom('chats').select('version').where('id', '=', ours.chatId);
    const { version } = await found.executeTakeFirstOrThrow();
    return {
      params: { chat: ours.chatId },
      body: { expected_version: version, title: `${ours.marker} ${randomUUID().slice(0, 8)}` },
    };
  },
  listParticipants: async ({ ours }) => ({ params: { chat: ours.chatId }, query: { limit: '200' } }),
  addParticipant: async (world) => ({
    params: { chat: world.ours.chatId, user: await newMember(world) },
    body: { access: 'read' },
  }),
  removeParticipant: async (world) => {
    const user = await newMember(world);
    const { chatId, facility } = world.ours;
    await world.server.db
      .insertInto('chat_participants')
      .values({ chat_id: chatId, user_id: user, facility_id: facility.id, access: 'read' })
      .execute();
    return { params: { chat: chatId, user } };
  },
  listMessages: async ({ ours }) => ({ params: { chat: ours.chatId }, query: { after: '0', limit: '200' } }),
  sendMessage: async ({ ours }) => ({
    params: { chat: ours.chatId },
    body: {
      client_id: randomUUID(),
      body: `Said ${ours.marker}`,
      reply_to: ours.messageId,
      device_time: '2026-01-02T03:04:05Z',
    },
  }),
  raiseMarkers: async ({ ours }) => ({ params: { chat: ours.chatId }, body: { delivered_seq: 1, read_seq: 1 } }),
  sync: async () => ({ query: { limit: '100' } }),
  authoriseChannel: async ({ server, ours }) => {
    const socket = await openSocket(server);
    return { body: { socket_id: socket.id, channel_name: `presence-chat.${ours.chatId}` } };
  },
  authoriseUser: async ({ server }) => ({ body: { socket_id: (await openSocket(server)).id } }),
};

async function newMember({ server, ours }: World): Promise<string> {
  const { id } = await makeUser(server.db, { name: `New ${ours.marker}` });
  await makeMembership(server.db, { userId: id, facility: ours.facility });
  return id;
}

async function somebodyWithPassword({ server }: World): Promise<{ email: string; password: string }> {
  const { email } = await makeUser(server.db, { passwordHash: await testPasswordHash(TEST_APP_KEY) });
  return { email, password: TEST_PASSWORD };
}

export async function sampleOf(world: World, endpoint: AnyEndpoint): Promise<Sample> {
  const make = SAMPLES[endpoint.name];
  if (!make) throw new Error(`${endpoint.name} has no sample request`);
  return make(world);
}

export function urlOf(endpoint: AnyEndpoint, { params = {}, query = {} }: Sample): string {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(query).toString();
  return search === '' ? path : `${path}?${search}`;
}

export function isMutating(endpoint: AnyEndpoint): boolean {
  return endpoint.method !== 'GET';
}

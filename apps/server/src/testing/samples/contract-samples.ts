import { randomInt, randomUUID } from 'node:crypto';
import type { AnyEndpoint } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { newAttachmentKey } from '#/features/chat/attachments/attachment-store.ts';
import { hashSecret } from '#/platform/http/session-cookie.ts';
import { plainPng } from '#/platform/images/testing/pictures.ts';
import {
  makeInvitation,
  makeInvitationElsewhere,
  makeRegistration,
  makeResetLink,
  openSetUp,
} from '#/testing/factories/accounts.ts';
import { makeSession, makeUser, TEST_PASSWORD, testPasswordHash } from '#/testing/factories/users.ts';
import { verifyLinkOf } from '#/testing/mailed-links.ts';
import { multipart } from '#/testing/multipart.ts';
import { newAddress, type TestClient, type TestRequest } from '#/testing/test-client.ts';
import { TEST_APP_KEY } from '#/testing/test-server.ts';
import { openSocket } from '#/testing/test-socket.ts';
import { CENSUS_DAY_SAMPLES } from './census-day-samples.ts';
import { CENSUS_ENTRY_SAMPLES } from './census-entry-samples.ts';
import { CENSUS_EXCHANGE_SAMPLES } from './census-exchange-samples.ts';
import { CHAT_ROLE_SAMPLES, newRole } from './chat-role-samples.ts';
import { clientOf, entitledFor, newMember, type World } from './contract-world.ts';
import { CRITICAL_SAMPLES } from './critical-samples.ts';
import { EMERGENCY_SAMPLES } from './emergency-samples.ts';
import { EXAMINATION_SAMPLES } from './examination-samples.ts';
import { HANDOVER_SAMPLES } from './handover-samples.ts';
import { LABORATORY_SAMPLES } from './laboratory-samples.ts';
import { MESSAGE_TEMPLATE_SAMPLES } from './message-template-samples.ts';
import { NOTIFICATION_SAMPLES } from './notification-samples.ts';
import { ON_CALL_SAMPLES } from './on-call-samples.ts';
import { OWN_DATA_SAMPLES } from './own-data-samples.ts';
import { RECORD_SAMPLES } from './record-samples.ts';
import type { Sample } from './sample.ts';
import { halfSignedIn, SECOND_FACTOR_SAMPLES } from './second-factor-samples.ts';
import { SYSTEM_SAMPLES } from './system-samples.ts';
import { URGENT_SAMPLES } from './urgent-samples.ts';

export type { Sample };

/** What a sample sends besides its address. */
export function payloadOf({ file, stream }: AnyEndpoint, sample: Sample): Pick<TestRequest, 'body' | 'headers'> {
  const { body, headers } = sample;
  if (stream !== undefined) return { body: sample.stream, headers: { 'content-type': stream, ...headers } };
  if (file === undefined || sample.file === undefined) return { body, ...(headers && { headers }) };
  return multipart([{ name: file, value: sample.file, filename: 'me.png' }]);
}

const NEW_PASSWORD = {
  password: 'violet tram over the harbour',
  password_confirmation: 'violet tram over the harbour',
};

async function newScimToken({ server, ours }: World): Promise<string> {
  const id = randomUUID();
  await server.db
    .insertInto('scim_tokens')
    .values({
      ...{ id, facility_id: ours.facility.id, name: `Sample ${ours.marker}`, created_by: ours.entitled.id },
      ...{ token_hash: hashSecret(id), expires_at: new Date(Date.now() + 3_600_000) },
    })
    .execute();
  return id;
}

/** A file of people that waits for its job. */
async function newInvitationImport({ server, ours: { facility, entitled } }: World): Promise<string> {
  const id = randomUUID();
  const of = { facility_id: facility.id };
  await server.db
    .insertInto('invitation_imports')
    .values({ id, ...of, created_by: entitled.id })
    .execute();
  const line = { import_id: id, ...of, line: 2, email: `${id}@people.test`, role_ids: [facility.roles.clinician] };
  await server.db.insertInto('invitation_import_lines').values(line).execute();
  return id;
}

/** For each endpoint a request about our facility, made anew for each call. */
export const SAMPLES: Readonly<Record<string, (world: World) => Promise<Sample>>> = {
  ...CENSUS_ENTRY_SAMPLES,
  ...CENSUS_EXCHANGE_SAMPLES,
  ...LABORATORY_SAMPLES,
  getCsrfCookie: async () => ({}),
  signIn: async (world) => ({ body: { ...(await somebodyWithPassword(world)), remember: false } }),
  signOut: async () => ({}),
  getUser: async () => ({}),
  createToken: async (world) => ({ body: { ...(await somebodyWithPassword(world)), device_name: 'Ward phone' } }),
  getDeviceKey: async () => ({}),
  ...SECOND_FACTOR_SAMPLES,
  ...SYSTEM_SAMPLES,
  showSetUp: async ({ server }) => ({ params: { token: await openSetUp(server.db) } }),
  setUp: async ({ server }) => ({
    params: { token: await openSetUp(server.db) },
    body: {
      ...{ name: 'Robin Sample', email: `${randomUUID()}@people.test`, ...NEW_PASSWORD },
      ...{ facility_name: 'First Hospital', facility_code: 'FH', time_zone: 'Europe/Berlin', census_time: '07:00' },
    },
  }),
  register: async ({ server }) => ({
    body: {
      name: 'Robin Sample',
      email: `${randomUUID()}@people.test`,
      ...NEW_PASSWORD,
      invitation: (await makeInvitationElsewhere(server.db)).token,
    },
  }),
  forgotPassword: async (world) => ({ body: { email: (await somebodyWithPassword(world)).email } }),
  resetPassword: async ({ server }) => {
    const { id, email } = await makeUser(server.db);
    return { body: { token: await makeResetLink(server.db, { userId: id }), email, ...NEW_PASSWORD } };
  },
  verifyEmail: async ({ server }) => {
    const registration = await makeRegistration(server.db, { passwordHash: await testPasswordHash(TEST_APP_KEY) });
    const { pathname, searchParams } = verifyLinkOf(registration);
    const [, , id = '', hash = ''] = pathname.split('/');
    return { params: { id, hash }, query: Object.fromEntries(searchParams) };
  },
  sendVerification: async () => ({}),
  getAccount: async () => ({}),
  updateProfile: async () => ({ body: { name: 'Robin Sample' } }),
  changeEmail: async (world) => {
    await giveEverybodyThePassword(world);
    return { body: { email: `${randomUUID()}@people.test`, current_password: TEST_PASSWORD } };
  },
  cancelEmailChange: async () => ({}),
  changePassword: async (world) => {
    await giveEverybodyThePassword(world);
    return { body: { current_password: TEST_PASSWORD, ...NEW_PASSWORD } };
  },
  listSessions: async () => ({}),
  endSession: async ({ server, ours }) => {
    const secret = await makeSession(server.db, { userId: ours.entitled.id });
    const found = server.db.selectFrom('sessions').select('id').where('id_hash', '=', hashSecret(secret));
    return { params: { session: (await found.executeTakeFirstOrThrow()).id } };
  },
  endOtherSessions: async () => ({}),
  ...OWN_DATA_SAMPLES,
  listFacilities: async () => ({}),
  listUnits: async ({ ours }) => ({ params: { facility: ours.facility.id } }),
  listRoles: async ({ ours }) => ({ params: { facility: ours.facility.id } }),
  listInvitations: async ({ ours }) => ({ params: { facility: ours.facility.id }, query: { limit: '5' } }),
  createInvitation: async ({ ours: { facility, marker } }) => ({
    params: { facility: facility.id },
    body: { role_ids: [facility.roles.clinician], title: `Title ${marker}`, note: `Note ${marker}` },
  }),
  revokeInvitation: async ({ server, ours: { facility, entitled } }) => ({
    params: {
      facility: facility.id,
      invitation: (await makeInvitation(server.db, { facility, createdBy: entitled.id })).id,
    },
  }),
  importPeople: async ({ ours }) => ({
    params: { facility: ours.facility.id },
    query: { apply: 'false' },
    file: Buffer.from(`email,role,name\n${randomUUID()}@people.test,Clinician,Name ${ours.marker}\n`),
  }),
  listInvitationImports: async ({ ours }) => ({ params: { facility: ours.facility.id }, query: { limit: '5' } }),
  exportInvitationImport: async (world) => ({
    params: { facility: world.ours.facility.id, import: await newInvitationImport(world) },
  }),
  // To a third facility: who is asked about ours is or is not a member of it already.
  showInvitation: async ({ server }) => ({ params: { token: (await makeInvitationElsewhere(server.db)).token } }),
  acceptInvitation: async ({ server }) => ({ params: { token: (await makeInvitationElsewhere(server.db)).token } }),
  listAudit: async ({ ours }) => ({ params: { facility: ours.facility.id }, query: { limit: '5' } }),
  exportAudit: async ({ ours }) => ({ params: { facility: ours.facility.id }, query: { from: '2026-11-01' } }),
  findAuditedChats: async ({ ours }) => ({ params: { facility: ours.facility.id }, query: { q: 'MARK' } }),
  listReaders: async () => ({ query: { limit: '5' } }),
  listMembers: async ({ ours }) => ({ params: { facility: ours.facility.id }, query: { q: 'e', limit: '5' } }),
  listDeletedMembers: async ({ ours }) => ({ params: { facility: ours.facility.id }, query: { limit: '5' } }),
  getMember: async ({ ours }) => ({ params: { facility: ours.facility.id, user: ours.reader.id } }),
  setMemberPhone: async (world) => ({
    params: { facility: world.ours.facility.id, user: await newMember(world) },
    body: { phone: '+353 1 555 01 23' },
  }),
  setMemberTitle: async (world) => ({
    params: { facility: world.ours.facility.id, user: await newMember(world) },
    body: { title: 'Staff nurse, MED 3A' },
  }),
  ...ON_CALL_SAMPLES,
  ...URGENT_SAMPLES,
  ...CRITICAL_SAMPLES,
  ...NOTIFICATION_SAMPLES,
  ...MESSAGE_TEMPLATE_SAMPLES,
  ...EXAMINATION_SAMPLES,
  ...RECORD_SAMPLES,
  ...HANDOVER_SAMPLES,
  removeMember: async (world) => ({ params: { facility: world.ours.facility.id, user: await newMember(world) } }),
  getFacilitySettings: async ({ ours }) => ({ params: { facility: ours.facility.id } }),
  updateFacility: async (world) => ({
    params: { facility: world.ours.facility.id },
    body: {
      expected_version: await versionOfFacility(world),
      name: `Hospital ${world.ours.marker} ${randomUUID()}`,
      shift_starts: [{ name: world.ours.marker, time: '07:00' }],
    },
  }),
  setFacilityPolicies: async (world) => ({
    params: { facility: world.ours.facility.id },
    body: {
      expected_version: await versionOfFacility(world),
      second_factor_from: await factorRuleOf(world),
      idle_lock_minutes: randomInt(1, 61),
    },
  }),
  listScimTokens: async ({ ours }) => ({ params: { facility: ours.facility.id } }),
  createScimToken: async ({ server, ours }) => {
    // As if no other sample had made one: a facility has so many and no more.
    await server.db.deleteFrom('scim_tokens').where('name', '=', `Sample ${ours.marker}`).execute();
    const body = { name: `Sample ${ours.marker}`, expires_in_days: 30 };
    return { params: { facility: ours.facility.id }, body };
  },
  revokeScimToken: async (world) => ({
    params: { facility: world.ours.facility.id, token: await newScimToken(world) },
  }),
  createRole: async ({ server, ours }) => {
    // As if no other sample had made one: a facility has so many and no more.
    await sql`delete from roles where facility_id = ${ours.facility.id} and name like 'Sample %'`.execute(server.db);
    const name = `Sample ${ours.marker} ${randomUUID().slice(0, 8)}`;
    return { params: { facility: ours.facility.id }, body: { name, permissions: ['chats.create'] } };
  },
  updateRole: async (world) => ({
    params: { facility: world.ours.facility.id, role: world.ours.facility.roles.houseSupervisor },
    body: { name: `Supervisor ${world.ours.marker} ${randomUUID().slice(0, 8)}` },
  }),
  getRoleUse: async ({ ours }) => ({
    params: { facility: ours.facility.id, role: ours.facility.roles.facilityAdministrator },
  }),
  deleteRole: async ({ server, ours }) => {
    const name = `Sample ${ours.marker} ${randomUUID().slice(0, 8)}`;
    const role = { id: randomUUID(), facility_id: ours.facility.id, name, permissions: ['chats.create'] };
    await server.db.insertInto('roles').values(role).execute();
    return { params: { facility: ours.facility.id, role: role.id }, body: { replacement: null } };
  },
  giveRole: async (world) => ({
    params: {
      facility: world.ours.facility.id,
      user: await newMember(world),
      role: world.ours.facility.roles.clinician,
    },
  }),
  takeRole: async (world) => ({
    params: {
      facility: world.ours.facility.id,
      user: await newMember(world),
      role: world.ours.facility.roles.clinician,
    },
  }),
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
  findOwnCases: async ({ ours }) => ({
    params: { facility: ours.facility.id },
    body: { identifier: `No ${ours.marker}` },
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
    body: { access: 'read', history: 'now' },
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
  ...EMERGENCY_SAMPLES,
  ...CHAT_ROLE_SAMPLES,
  setNotifications: async ({ ours }) => ({
    params: { chat: ours.chatId },
    body: { notify: 'urgent', muted_until: '2027-01-02T03:04:05Z' },
  }),
  setFavorite: async ({ ours }) => ({ params: { chat: ours.chatId }, body: { is_favorite: true } }),
  setUnreadMark: async ({ ours }) => ({ params: { chat: ours.chatId }, body: { marked_unread_seq: 1 } }),
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
  setReaction: async ({ ours }) => ({
    params: { chat: ours.chatId, message: ours.messageId, code: 'done' },
    body: { is_set: true },
  }),
  sendDirectMessage: async (world) => ({
    params: { facility: world.ours.facility.id, user: await newMember(world) },
    body: { client_id: randomUUID(), body: `Said ${world.ours.marker}`, device_time: '2026-01-02T03:04:05Z' },
  }),
  editMessage: async (world) => ({
    params: { chat: world.ours.chatId, message: await newMessage(world) },
    body: { expected_version: 1, body: `Said better ${world.ours.marker}` },
  }),
  listMessageVersions: async ({ ours }) => ({
    params: { chat: ours.chatId, message: ours.messageId },
    query: { limit: '5' },
  }),
  deleteMessage: async (world) => ({
    params: { chat: world.ours.chatId, message: await newMessage(world) },
    body: { reason: `Wrong patient ${world.ours.marker}` },
  }),
  setPin: async (world) => ({
    params: { chat: world.ours.chatId, message: await newMessage(world) },
    body: { is_pinned: true },
  }),
  listPins: async ({ ours }) => ({ params: { chat: ours.chatId } }),
  forwardMessage: async (world) => ({
    params: { chat: world.ours.chatId },
    body: {
      client_id: randomUUID(),
      source: { chat: world.ours.chatId, message: await newMessage(world) },
      device_time: '2026-01-02T03:04:05Z',
    },
  }),
  getForwardSource: async ({ ours }) => ({ params: { chat: ours.chatId, message: ours.messageId } }),
  listDrafts: async () => ({ query: {} }),
  saveDraft: async ({ ours }) => ({
    params: { chat: ours.chatId },
    body: {
      draft: { body: `Begun ${ours.marker}`, reply_to: { id: ours.messageId, seq: 2 }, mentions: [] },
      seen_version: 0,
      writer: randomUUID(),
    },
  }),
  raiseMarkers: async ({ ours }) => ({ params: { chat: ours.chatId }, body: { delivered_seq: 1, read_seq: 1 } }),
  sync: async () => ({ query: { limit: '100' } }),
  search: async ({ ours }) => ({ query: { q: ours.marker, limit: '5' } }),
  authorizeChannel: async ({ server, ours }) => {
    const socket = await openSocket(server);
    return { body: { socket_id: socket.id, channel_name: `presence-chat.${ours.chatId}` } };
  },
  contactOperator: async () => ({
    body: { name: 'Rosa Imhof', email: 'rosa.imhof@people.test', message: 'Whom do I ask for a second facility?' },
  }),
  setAvatar: async () => ({ file: plainPng(64, 64) }),
  removeAvatar: async (world) => {
    await giveAvatars(world);
    return {};
  },
  signImages: async () => ({ body: { addresses: [`/_img/_/storage/avatars/${'A'.repeat(22)}`] } }),
  createUpload: async ({ ours }) => ({
    params: { chat: ours.chatId },
    headers: uploadHeaders({ ours }),
  }),
  createDirectUpload: async (world) => ({
    params: { facility: world.ours.facility.id, user: await newMember(world) },
    headers: uploadHeaders(world),
  }),
  createRoleUpload: async (world) => ({
    params: { facility: world.ours.facility.id, role: await newRole(world) },
    headers: uploadHeaders(world),
  }),
  getUploadLimits: async () => ({}),
  getUpload: async (world) => ({ params: { upload: await newUpload(world) } }),
  appendUpload: async (world) => ({
    params: { upload: await newUpload(world) },
    headers: { ...TUS, 'upload-offset': '0' },
    stream: SMALL_PDF,
  }),
  cancelUpload: async (world) => ({ params: { upload: await newUpload(world) }, headers: TUS }),
  listChatPictures: async (world) => {
    await newPicture(world);
    return { params: { chat: world.ours.chatId }, query: { limit: '5' } };
  },
  signAttachments: async () => ({ body: { addresses: [`/storage/attachments/${randomUUID()}/small`] } }),
  authorizeUser: async ({ server }) => ({ body: { socket_id: (await openSocket(server)).id } }),
  ...CENSUS_DAY_SAMPLES,
  getCensusBoard: async ({ ours }) => ({ params: { facility: ours.facility.id } }),
  getCensusHeatmap: async ({ ours }) => ({
    params: { facility: ours.facility.id },
    query: { from: '2026-11-01', to: '2026-11-19' },
  }),
  getCensusSummary: async ({ ours }) => ({
    params: { facility: ours.facility.id },
    query: { from: '2026-11-01', to: '2026-11-19', by: 'day' },
  }),
  getCensusForecast: async ({ ours }) => ({ params: { facility: ours.facility.id } }),
  listCensusLog: async ({ ours }) => ({ params: { facility: ours.facility.id }, query: { q: 'e', limit: '5' } }),
  verifyCensusLog: async ({ ours }) => ({ params: { facility: ours.facility.id }, query: { run: 'true' } }),
  exportCensusLog: async ({ ours }) => ({ params: { facility: ours.facility.id }, query: { format: 'csv' } }),
  notePrint: async ({ ours }) => ({
    params: { facility: ours.facility.id },
    body: { sheet: 'day', from: '2026-11-19', to: '2026-11-19' },
  }),
};

const TUS = { 'tus-resumable': '1.0.0' };
const uploadHeaders = ({ ours }: Pick<World, 'ours'>) => ({
  ...{ ...TUS, 'upload-length': String(SMALL_PDF.length), 'upload-metadata': `filename ${btoa(ours.marker)}` },
});
const SMALL_PDF = Buffer.from('%PDF-1.7 and no more');

/** Of the one who is entitled, for our chat, with nothing received yet. */
async function newUpload({ server: { db }, ours: { chatId, facility, entitled, marker } }: World): Promise<string> {
  const id = randomUUID();
  await db
    .insertInto('attachments')
    .values({
      ...{ id, chat_id: chatId, facility_id: facility.id, uploader_id: entitled.id, name: `File ${marker}` },
      ...{ key: newAttachmentKey(), upload_bytes: SMALL_PDF.length },
    })
    .execute();
  return id;
}

/** In a message of the chat, for who reads it; of another day, as what is sent in a day is limited. */
export async function newPicture({
  server: { db },
  ours: { chatId, entitled, messageId, marker },
}: Pick<World, 'server' | 'ours'>): Promise<string> {
  const id = randomUUID();
  await sql`
    insert into attachments (id, chat_id, facility_id, uploader_id, message_id, state, key, name, upload_bytes, received_bytes, bytes,
      kind, mime, sha256, width, height, blurhash, created_at)
    select ${id}, id, facility_id, ${entitled.id}, ${messageId}, 'ready', ${newAttachmentKey()}, ${`Picture ${marker}`}, 9, 9, 9,
      'image', 'image/webp', sha256('picture'), 640, 400, 'LEHV6nWB2yk8pyo0adR*.7kCMdnj', now() - interval '2 days'
    from chats where id = ${chatId}`.execute(db);
  return id;
}

/** Of the one who is entitled; others change it as little as they change any other. */
async function newMessage({ server: { db }, ours: { chatId, entitled, marker } }: World): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select id from append_message(gen_random_uuid(), ${chatId}, ${entitled.id}, gen_random_uuid(), 'text', ${`Said ${marker}`})`.execute(
    db,
  );
  return rows[0]?.id ?? '';
}

async function giveEverybodyThePassword({ server }: World): Promise<void> {
  const passwordHash = await testPasswordHash(TEST_APP_KEY);
  await server.db.updateTable('users').set({ password_hash: passwordHash }).execute();
}

/** Everybody who may ask has a picture that can be removed. */
async function giveAvatars({ server }: World): Promise<void> {
  await server.db
    .updateTable('users')
    .set({ avatar_key: sql`left(translate(encode(uuid_send(gen_random_uuid()), 'base64'), '+/', '-_'), 22)` })
    .execute();
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

/** Who is signed in is led past these. */
const STEPS_OF_SIGN_IN = ['signIn', 'beginPasskeySignIn', 'signInWithPasskey', 'beginSingleSignOn'];

/** Somebody whose request succeeds; `person`, who has the right, where the request does not sign them out. */
export async function clientFor(world: World, endpoint: AnyEndpoint, person?: TestClient): Promise<TestClient> {
  const { name } = endpoint;
  if (name === 'answerTwoFactorChallenge') return halfSignedIn(world);
  if (STEPS_OF_SIGN_IN.includes(name)) return clientOf(world, 'signed out');
  const actor = entitledFor(endpoint);
  return person && actor === 'with the right' && name !== 'signOut' ? person : clientOf(world, actor);
}

/** Sends it from an address of its own, so that no limit of another request is met. */
export function sendSample(client: TestClient, endpoint: AnyEndpoint, sample: Sample) {
  return client.send(endpoint.method, urlOf(endpoint, sample), { ...payloadOf(endpoint, sample), ip: newAddress() });
}

export function urlOf(endpoint: AnyEndpoint, { params = {}, query = {} }: Sample): string {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(query).toString();
  return search === '' ? path : `${path}?${search}`;
}

export function isMutating(endpoint: AnyEndpoint): boolean {
  return endpoint.method !== 'GET';
}

async function factorRuleOf({ server, ours }: World): Promise<string | null> {
  const found = server.db.selectFrom('facilities').select('second_factor_from').where('id', '=', ours.facility.id);
  return (await found.executeTakeFirstOrThrow()).second_factor_from;
}

async function versionOfFacility({ server, ours }: World): Promise<number> {
  const found = server.db.selectFrom('facilities').select('version').where('id', '=', ours.facility.id);
  return (await found.executeTakeFirstOrThrow()).version;
}

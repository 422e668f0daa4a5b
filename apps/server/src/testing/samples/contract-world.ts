import { randomUUID } from 'node:crypto';
import type { AnyEndpoint } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { newToken } from '#/features/auth/sessions/start-session.ts';
import { newAttachmentKey } from '#/features/chat/attachments/attachment-store.ts';
import { hashSecret } from '#/platform/http/session-cookie.ts';
import { makeInvitation } from '#/testing/factories/accounts.ts';
import { makeChat } from '#/testing/factories/chats.ts';
import { type MadeFacility, makeFacility, makeMembership, makeUnit } from '#/testing/factories/facilities.ts';
import { makeMessageTemplate } from '#/testing/factories/message-templates.ts';
import { makeOnCallRole, makeShift } from '#/testing/factories/on-call.ts';
import { type MadeUser, makePasskey, makeUser } from '#/testing/factories/users.ts';
import { guestWithCookies, signedIn, type TestClient, withToken } from '#/testing/test-client.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '#/testing/test-server.ts';

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
export async function makeWorld(options: TestServerOptions = {}): Promise<World> {
  const server = await startTestServer(options);
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
  const shift_starts = JSON.stringify([{ name: marker, time: '07:00' }]);
  await db.updateTable('facilities').set({ shift_starts }).where('id', '=', facility.id).execute();
  await db
    .updateTable('roles')
    .set({ name: sql`name || ${` ${marker}`}` })
    .where('facility_id', '=', facility.id)
    .execute();
  await makeUnit(db, { facilityId: facility.id, name: `Unit ${marker}`, code: marker.slice(-12), kind: marker });
  const person = (what: string) => makeUser(db, { name: `${what} ${marker}`, email: emailOf(what, marker) });
  const [entitled, reader, member] = [await person('Entitled'), await person('Reader'), await person('Member')];
  const membershipId = await makeMembership(db, {
    userId: entitled.id,
    facility,
    roles: ['clinician', 'chargeNurse', 'censusOfficer', 'facilityAdministrator'],
    title: `Title ${marker}`,
    phone: marker,
  });
  const roleId = await makeOnCallRole(db, { facilityId: facility.id, name: `On call ${marker}`, phone: marker });
  const span = { startsAt: new Date(Date.now() - 3_600_000), endsAt: new Date(Date.now() + 86_400_000) };
  await makeShift(db, { facilityId: facility.id, roleId, userId: entitled.id, ...span });
  await makeMessageTemplate(db, { facilityId: facility.id, userId: entitled.id, title: `Template ${marker}` });
  const feed = { id: randomUUID(), facility_id: facility.id, name: `Feed ${marker}`, permissions: ['census.feed'] };
  await db.insertInto('roles').values(feed).execute();
  await db
    .insertInto('membership_roles')
    .values({ membership_id: membershipId, role_id: feed.id, facility_id: facility.id })
    .execute();
  for (const user of [reader, member]) {
    await makeMembership(db, { userId: user.id, facility, title: `Title ${marker}` });
  }
  await makeInvitation(db, {
    ...{ facility, createdBy: entitled.id, title: `Title ${marker}`, note: `Note ${marker}` },
    email: emailOf('invited', marker),
  });
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
  await leaveChanges(db, { chatId, messageId, marker, entitled });
  return { marker, facility, chatId, messageId, entitled, reader, member };
}

/** A forwarded urgent message with a reaction that is pinned and mentions somebody, and one that was edited and then deleted, with what it said before. */
async function leaveChanges(
  db: TestServer['db'],
  { chatId, messageId, marker, entitled }: Pick<Side, 'chatId' | 'messageId' | 'marker' | 'entitled'>,
): Promise<void> {
  const reaction = { code: 'thanks', user_id: entitled.id, name: entitled.name, at: '2026-01-02T03:04:05.000Z' };
  const mention = { kind: 'user', id: entitled.id, name: entitled.name };
  const file = { id: randomUUID(), kind: 'pdf', name: `Letter ${marker}.pdf`, mime: 'application/pdf', bytes: 9 };
  const attachments = [{ ...file, width: null, height: null, blurhash: null }];
  const citation = {
    ...{ examination_id: randomUUID(), title: 'Renal profile', field: 'impression', label: 'Impression' },
    ...{ value: `Impression ${marker}`, unit: null, interpretation: null, report_version: 1 },
    now: { state: 'amended', report_version: 2, value: `Impression two ${marker}`, interpretation: null },
  };
  const pinned = { at: reaction.at, user_id: entitled.id, name: entitled.name };
  const forwarded = {
    sender: { id: entitled.id, name: entitled.name, title: `Title ${marker}` },
    sent_at: reaction.at,
    patient: { name: `Patient ${marker}`, identifier: `No ${marker}`, born_on: '1950-02-03' },
    source: { chat_id: chatId, message_id: messageId },
  };
  await sql`
    update messages set sender_role = ${`Role ${marker}`}, reactions = ${JSON.stringify([reaction])}::jsonb, mentions = ${JSON.stringify([mention])}::jsonb,
      attachments = ${JSON.stringify(attachments)}::jsonb, pinned = ${JSON.stringify(pinned)}::jsonb,
      forwarded = ${JSON.stringify(forwarded)}::jsonb, urgent = ${JSON.stringify(urgentOf(entitled, reaction.at))}::jsonb,
      citations = ${JSON.stringify([citation])}::jsonb, change_seq = 2
    where chat_id = ${chatId} and seq = 1`.execute(db);
  await sql`
    with before as (
      insert into message_versions (message_id, version, body, written_by, written_at)
      select id, version, body, sender_id, created_at from messages where chat_id = ${chatId} and seq = 2 returning message_id
    )
    update messages set body = '', deleted_at = now(), delete_reason = ${`Wrong chat ${marker}`}, change_seq = 1
    from before where id = before.message_id`.execute(db);
  // Its row, by which it is found; of another day, as what is sent in a day is limited.
  await sql`
    insert into attachments (id, chat_id, facility_id, uploader_id, message_id, state, key, name, upload_bytes, received_bytes, bytes, kind, mime, sha256, created_at)
    select ${file.id}, ${chatId}, facility_id, ${entitled.id}, ${messageId}, 'ready', ${newAttachmentKey()}, ${file.name}, 9, 9, 9, 'pdf',
      'application/pdf', sha256('file'), ${reaction.at}::timestamptz from chats where id = ${chatId}`.execute(db);
  await sql`update chats set head_change_seq = 2, pin_count = 1, urgent_count = 1 where id = ${chatId}`.execute(db);
  await sql`
    with begun as (
      insert into escalations (id, facility_id, subject, subject_id, started_by, started_at, plan, state, version, step)
      select ${messageId}, facility_id, 'message', id, sender_id, created_at,
        ${JSON.stringify({ steps: [], targets: { people: [entitled.id], roleId: null }, next: null, fallbackRoleId: null })}::jsonb,
        'exhausted', 2, 0
      from messages where id = ${messageId} returning id
    ), said as (
      insert into escalation_entries (escalation_id, place, at, kind, user_id, note)
      select id, 1, now(), 'sent', ${entitled.id}, ${`Come ${marker}`} from begun
    )
    insert into escalation_people (escalation_id, user_id, called_at, times, waits_for)
    select id, ${entitled.id}, now(), 1, 'accept' from begun`.execute(db);
}

/** What is told of an urgent message that somebody was called for. */
function urgentOf({ id, name }: MadeUser, at: string) {
  const reached = { delivered_at: at, seen_at: at, accepted_at: null };
  return {
    ...{ state: 'exhausted', version: 2, steps: [], step: 0, due_at: null, next: null },
    targets: { people: [{ user_id: id, name }], role: null },
    people: [{ user_id: id, name, role: null, called_at: at, times: 1, ...reached }],
    entries: [{ at, kind: 'sent', by: { user_id: id, name }, called: [name], note: null }],
  };
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

/** Who is given what an endpoint asks for: the system administration is for nobody of a facility. */
export function entitledFor({ path }: AnyEndpoint): ActorName {
  return path.startsWith('/api/system/') ? 'operator' : 'with the right';
}

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

/** From now on our facility needs second factors, as it has for long; each of its people has one. */
export async function needFactors({ server: { db }, ours }: World): Promise<void> {
  await db
    .updateTable('facilities')
    .set({ second_factor_from: '2020-01-01' })
    .where('id', '=', ours.facility.id)
    .execute();
  for (const { id } of [ours.entitled, ours.reader, ours.member]) await makePasskey(db, id);
}

async function bearer(server: TestServer, userId: string): Promise<TestClient> {
  const token = newToken();
  await server.db
    .insertInto('access_tokens')
    .values({
      ...{ id: randomUUID(), user_id: userId, name: 'phone', token_hash: hashSecret(token), abilities: ['*'] },
      ...{
        expires_at: new Date(Date.now() + 3_600_000),
        password_confirmed_at: new Date(),
        second_factor_at: new Date(),
      },
    })
    .execute();
  return withToken(server, token);
}

/** A member of our facility who is in none of its chats and has no role. */
export async function newMember({ server, ours }: World): Promise<string> {
  const { id } = await makeUser(server.db, { name: `New ${ours.marker}` });
  await makeMembership(server.db, { userId: id, facility: ours.facility });
  return id;
}

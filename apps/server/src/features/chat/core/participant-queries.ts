import type { Markers, Participant, ParticipantAccess } from '@wardline/contract/chat.ts';
import { type Selectable, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { Users } from '#/platform/db/types.ts';
import { avatarUrl } from '#/platform/images/avatar-url.ts';

/** The order of people, not of bytes. */
const byName = sql`u.name collate "und-x-icu"`;
const participantColumns = sql`p.user_id, u.name, p.title, u.avatar_key, p.access, p.delivered_seq, p.read_seq`;

interface ParticipantRow extends Omit<Participant, 'avatar_url'>, Pick<Selectable<Users>, 'avatar_key'> {}

const participants = typedRows<ParticipantRow>({
  user_id: 'string',
  name: 'string',
  title: 'string?',
  avatar_key: 'string?',
  access: 'string',
  delivered_seq: 'number',
  read_seq: 'number',
});

export interface ParticipantPage {
  readonly chatId: string;
  /** Who asks; the page is empty unless this person is in the chat. */
  readonly userId: string;
  readonly after: string | null;
  readonly limit: number;
}

/** The people of a chat by name, after the person who was last on the page before. */
export async function listParticipantRows(db: Database, page: ParticipantPage): Promise<Participant[]> {
  const past = page.after
    ? sql`(${byName}, u.id) > (select place.name collate "und-x-icu", place.id from users as place where place.id = ${page.after})`
    : sql`true`;
  const query = sql`
    select ${participantColumns}
    from active_participants as me
    join active_participants as p on p.chat_id = me.chat_id
    join users as u on u.id = p.user_id
    where me.chat_id = ${page.chatId} and me.user_id = ${page.userId} and ${past}
    order by ${byName}, u.id limit ${page.limit}`;
  return (await participants.read(db, query)).map(toParticipant);
}

export async function findParticipant(db: Database, chatId: string, userId: string): Promise<Participant | null> {
  const query = sql`
    select ${participantColumns} from active_participants as p join users as u on u.id = p.user_id
    where p.chat_id = ${chatId} and p.user_id = ${userId}`;
  const row = await participants.first(db, query);
  return row ? toParticipant(row) : null;
}

function toParticipant({ avatar_key, ...person }: ParticipantRow): Participant {
  return { ...person, avatar_url: avatarUrl(avatar_key) };
}

/**
 * Which of these people are members of the facility. Their memberships are held until the commit, so that nobody is put
 * into a chat of a facility they are leaving; taken before the chat's lock, as the end of a membership does.
 */
export async function holdMembers(
  tx: DatabaseTransaction,
  facilityId: string,
  userIds: readonly string[],
): Promise<Set<string>> {
  const held = await tx
    .selectFrom('memberships')
    .select('user_id')
    .where('facility_id', '=', facilityId)
    .where('user_id', '=', sql<string>`any(${userIds}::uuid[])`)
    .where('ended_at', 'is', null)
    .orderBy('user_id')
    .forShare()
    .execute();
  return new Set(held.map((row) => row.user_id));
}

export interface NewParticipants {
  readonly chatId: string;
  readonly facilityId: string;
  readonly userIds: readonly string[];
  readonly access: ParticipantAccess;
}

export async function insertParticipants(tx: DatabaseTransaction, people: NewParticipants): Promise<void> {
  await sql`
    insert into chat_participants (chat_id, user_id, facility_id, access)
    select ${people.chatId}, user_id, ${people.facilityId}, ${people.access}
    from unnest(${people.userIds}::uuid[]) as user_id`.execute(tx);
}

/** Puts a person in, back in, or under another access. Who comes back finds the old markers: they only rise. */
export async function upsertParticipant(
  tx: DatabaseTransaction,
  person: { chatId: string; facilityId: string; userId: string; access: ParticipantAccess },
): Promise<void> {
  const { chatId, facilityId, userId, access } = person;
  await tx
    .insertInto('chat_participants')
    .values({ chat_id: chatId, user_id: userId, facility_id: facilityId, access })
    .onConflict((conflict) => conflict.columns(['chat_id', 'user_id']).doUpdateSet({ access, left_at: null }))
    .execute();
}

/** False when the person was not in the chat. */
export async function endParticipation(tx: DatabaseTransaction, chatId: string, userId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('chat_participants')
    .set({ left_at: sql`now()` })
    .where('chat_id', '=', chatId)
    .where('user_id', '=', userId)
    .where('left_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export interface StandingMarkers extends Markers {
  readonly head_seq: number;
}

const standingMarkers = typedRows<StandingMarkers>({
  delivered_seq: 'number',
  read_seq: 'number',
  head_seq: 'number',
});

export interface WantedMarkers {
  readonly chatId: string;
  readonly userId: string;
  readonly delivered: number;
  readonly read: number;
}

/** Raises what is lower, never past the newest message; null when nothing rose. Reading implies delivery. */
export async function storeMarkers(tx: DatabaseTransaction, wanted: WantedMarkers): Promise<StandingMarkers | null> {
  const { chatId, userId, read } = wanted;
  const delivered = Math.max(wanted.delivered, read);
  const query = sql`
    update chat_participants as p set
      delivered_seq = greatest(p.delivered_seq, least(${delivered}::bigint, c.head_seq)),
      read_seq = greatest(p.read_seq, least(${read}::bigint, c.head_seq))
    from chats as c
    where p.chat_id = ${chatId} and p.user_id = ${userId} and p.left_at is null and c.id = p.chat_id
      and (p.delivered_seq < least(${delivered}::bigint, c.head_seq) or p.read_seq < least(${read}::bigint, c.head_seq))
    returning p.delivered_seq, p.read_seq, c.head_seq`;
  return (await standingMarkers.first(tx, query)) ?? null;
}

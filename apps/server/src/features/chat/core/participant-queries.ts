import type { Participant, ParticipantAccess } from '@wardline/contract/chat.ts';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { avatarUrl } from '#/platform/images/avatar-url.ts';

/** The order of people, not of bytes. */
const byName = sql`u.name collate "und-x-icu"`;
const participantColumns = sql`p.user_id, u.name, p.title, u.avatar_key, p.access, p.delivered_seq, p.read_seq`;

interface ParticipantRow extends Omit<Participant, 'avatar_url'> {
  readonly avatar_key: string | null;
}

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
  const { rows } = await sql<ParticipantRow>`
    select ${participantColumns}
    from active_participants as me
    join active_participants as p on p.chat_id = me.chat_id
    join users as u on u.id = p.user_id
    where me.chat_id = ${page.chatId} and me.user_id = ${page.userId} and ${past}
    order by ${byName}, u.id limit ${page.limit}`.execute(db);
  return rows.map(toParticipant);
}

export async function findParticipant(db: Database, chatId: string, userId: string): Promise<Participant | null> {
  const { rows } = await sql<ParticipantRow>`
    select ${participantColumns} from active_participants as p join users as u on u.id = p.user_id
    where p.chat_id = ${chatId} and p.user_id = ${userId}`.execute(db);
  return rows[0] ? toParticipant(rows[0]) : null;
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
  const { rows } = await sql<{ user_id: string }>`
    select user_id from memberships
    where facility_id = ${facilityId} and user_id = any(${userIds}::uuid[]) and ended_at is null
    order by user_id for share`.execute(tx);
  return new Set(rows.map((row) => row.user_id));
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

import type { Participant, ParticipantAccess } from '@wardline/contract/chat/chat.ts';
import { type Selectable, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { Users } from '#/platform/db/types.ts';
import { avatarUrl } from '#/platform/images/avatar-url.ts';

/** The order of people, not of bytes. */
const byName = sql`u.name collate "und-x-icu"`;
const participantColumns = sql`p.user_id, u.name, p.title, u.avatar_key, p.access, p.joined_seq,
  p.delivered_seq, p.read_seq, (select e.ends_at from emergency_accesses as e where e.id = p.emergency_id) as emergency_until,
  p.role_ids is not null as is_by_role`;

interface ParticipantRow
  extends Omit<Participant, 'avatar_url' | 'joined_seq' | 'emergency_until' | 'is_by_role'>,
    Pick<Selectable<Users>, 'avatar_key'> {
  readonly joined_seq: number;
  readonly emergency_until: Date | null;
  readonly is_by_role: boolean;
}

const participants = typedRows<ParticipantRow>({
  user_id: 'string',
  name: 'string',
  title: 'string?',
  avatar_key: 'string?',
  access: 'string',
  joined_seq: 'number',
  delivered_seq: 'number',
  read_seq: 'number',
  emergency_until: 'date?',
  is_by_role: 'boolean',
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

/** What somebody in a chat may do there by themselves, without what a role that they hold adds for now; null where they are not in it. */
export async function findOwnAccess(
  tx: DatabaseTransaction,
  chatId: string,
  userId: string,
): Promise<ParticipantAccess | null> {
  const found = await tx
    .selectFrom('chat_participants')
    .select(['access', 'own_access'])
    .where('chat_id', '=', chatId)
    .where('user_id', '=', userId)
    .where('left_at', 'is', null)
    .$narrowType<{ access: ParticipantAccess; own_access: ParticipantAccess | null }>()
    .executeTakeFirst();
  return found ? (found.own_access ?? found.access) : null;
}

/** Whoever is here by an emergency access or a role alone; they stay beyond it once somebody adds them. */
export function isOnLoan(person: Participant | null): boolean {
  return person !== null && (person.emergency_until !== null || person.is_by_role === true);
}

function toParticipant({ avatar_key, emergency_until, is_by_role, ...person }: ParticipantRow): Participant {
  return {
    ...person,
    avatar_url: avatarUrl(avatar_key),
    emergency_until: emergency_until?.toISOString() ?? null,
    ...(is_by_role && { is_by_role }),
  };
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

export interface PersonToAdd {
  readonly chatId: string;
  readonly facilityId: string;
  readonly userId: string;
  readonly access: ParticipantAccess;
  /** What a newcomer sees begins after it; who is in already keeps what they see. */
  readonly joinedSeq: number;
  /** By which they are in, where nobody added them. */
  readonly emergencyId?: string;
}

/**
 * Puts a person in by themselves, back in, or under another access; what a role that they hold gives beside it stays. Markers only
 * rise: nobody has to read what they cannot see.
 */
export async function upsertParticipant(tx: DatabaseTransaction, person: PersonToAdd): Promise<void> {
  const { chatId, facilityId, userId, access, joinedSeq, emergencyId = null } = person;
  await sql`
    insert into chat_participants as p
      (chat_id, user_id, facility_id, access, joined_seq, delivered_seq, read_seq, emergency_id)
    values (${chatId}, ${userId}, ${facilityId}, ${access}, ${joinedSeq}, ${joinedSeq}, ${joinedSeq}, ${emergencyId})
    on conflict (chat_id, user_id) do update set
      access = excluded.access, left_at = null, emergency_id = excluded.emergency_id,
      role_ids = null, own_access = null, own_joined_seq = null,
      joined_seq = case when p.left_at is null and p.role_ids is null then coalesce(p.own_joined_seq, p.joined_seq)
        else excluded.joined_seq end,
      delivered_seq = case when p.left_at is null then p.delivered_seq
        else greatest(p.delivered_seq, excluded.joined_seq) end,
      read_seq = case when p.left_at is null then p.read_seq else greatest(p.read_seq, excluded.joined_seq) end`.execute(
    tx,
  );
  await sql`select seat_role_holder(${chatId}::uuid, ${userId}::uuid)`.execute(tx);
}

/** Under the chat's lock: takes a person out who is in by themselves; what a role gives them stays. False where they are not. */
export async function endOwnParticipation(tx: DatabaseTransaction, chatId: string, userId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('chat_participants')
    .set({ left_at: sql`now()`, own_access: null, own_joined_seq: null })
    .where('chat_id', '=', chatId)
    .where('user_id', '=', userId)
    .where('left_at', 'is', null)
    .where('role_ids', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await sql`select seat_role_holder(${chatId}::uuid, ${userId}::uuid)`.execute(tx);
  return true;
}

import type {
  Chat,
  DirectPerson,
  DirectRole,
  LastMessage,
  Notify,
  ParticipantAccess,
} from '@wardline/contract/chat/chat.ts';
import { PINS_MAX } from '@wardline/contract/chat/chat-changes.ts';
import { type Selectable, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { Chats } from '#/platform/db/types.ts';
import { avatarUrl } from '#/platform/images/avatar-url.ts';

import type { ChatContext } from './policy.ts';

/** A chat with one person's place in it: what the rules and the transitions are asked about. */
export interface ChatRecord extends ChatContext {
  readonly id: string;
  readonly kind: Chat['kind'];
  readonly title: string;
  readonly version: number;
  readonly headSeq: number;
  readonly headChangeSeq: number;
  /** Whether the person is in it by an emergency access. */
  readonly isEmergency: boolean;
  /** The on-call role with which it is a direct chat. */
  readonly directRoleId: string | null;
}

/** Whom the person `p` has the direct chat `c` with. */
export const directOther = sql`case when c.direct_low = p.user_id then c.direct_high else c.direct_low end`;

/** A chat as the person sees who is in it; `c` is the `own_chats` of the query it is put into. */
export const chatColumns = sql`
  c.id, c.facility_id, c.kind, c.title, c.patient_name, c.patient_identifier, c.patient_born_on, c.patient_bed, c.state,
  c.head_seq, c.head_change_seq, c.version, c.last_message, c.created_at, c.updated_at, c.access, c.delivered_seq, c.read_seq,
  c.notify, c.muted_until, c.mention_seq, c.sound, c.is_favorite, c.marked_unread_seq,
  case when c.direct_user_id is not null then (
    select jsonb_build_object('user_id', u.id, 'name', u.name, 'avatar_key', u.avatar_key, 'title', place.title,
      'is_member', place.id is not null)
    from users as u left join memberships as place
      on place.user_id = u.id and place.facility_id = c.facility_id and place.ended_at is null
    where u.id = c.direct_user_id
  ) end as direct,
  case when c.direct_role_id is not null then direct_role(c.direct_role_id, c.direct_low, c.user_id) end as direct_role,
  c.participant_count, c.pin_count, c.urgent_count,
  least(100, greatest(0, c.head_seq - greatest(c.read_seq, c.joined_seq) - c.own_after_read))::int as unread`;

export interface ChatRow
  extends Omit<
    Selectable<Chats>,
    | 'changed_xid'
    | 'client_id'
    | 'content_hash'
    | 'created_by'
    | 'last_message'
    | 'participants_version'
    | 'direct_low'
    | 'direct_high'
    | 'direct_role_id'
    | 'expired_seq'
    | 'exported_at'
    | 'exported_seq'
    | 'exported_change_seq'
  > {
  readonly kind: Chat['kind'];
  readonly state: Chat['state'];
  readonly last_message: LastMessage | null;
  readonly direct: (Omit<DirectPerson, 'avatar_url'> & { readonly avatar_key: string | null }) | null;
  readonly direct_role: DirectRole | null;
  readonly access: ParticipantAccess;
  readonly delivered_seq: number;
  readonly read_seq: number;
  readonly notify: Notify;
  readonly muted_until: Date | null;
  readonly unread: number;
  readonly mention_seq: number;
  readonly sound: boolean;
  readonly is_favorite: boolean;
  readonly marked_unread_seq: number | null;
}

export const chats = typedRows<ChatRow>({
  id: 'string',
  facility_id: 'string',
  kind: 'string',
  title: 'string',
  patient_name: 'string?',
  patient_identifier: 'string?',
  patient_born_on: 'string?',
  patient_bed: 'string?',
  state: 'string',
  head_seq: 'number',
  head_change_seq: 'number',
  version: 'number',
  last_message: 'json?',
  direct: 'json?',
  direct_role: 'json?',
  created_at: 'date',
  updated_at: 'date',
  access: 'string',
  delivered_seq: 'number',
  read_seq: 'number',
  notify: 'string',
  muted_until: 'date?',
  participant_count: 'number',
  pin_count: 'number',
  urgent_count: 'number',
  unread: 'number',
  mention_seq: 'number',
  sound: 'boolean',
  is_favorite: 'boolean',
  marked_unread_seq: 'number?',
});

export function toChat(row: ChatRow): Chat {
  const { patient_name: name, patient_identifier: identifier, patient_born_on: born_on, patient_bed: bed } = row;
  const { access, delivered_seq, read_seq, unread, mention_seq, notify, sound, is_favorite, marked_unread_seq } = row;
  const muted_until = row.muted_until?.toISOString() ?? null;
  return {
    id: row.id,
    facility_id: row.facility_id,
    kind: row.kind,
    title: row.direct?.name ?? row.direct_role?.person?.name ?? row.title,
    direct: row.direct && toDirectPerson(row.direct),
    ...(row.direct_role && { direct_role: row.direct_role }),
    patient: name !== null && identifier !== null ? { name, identifier, born_on, bed } : null,
    state: row.state,
    head_seq: row.head_seq,
    head_change_seq: row.head_change_seq,
    version: row.version,
    participant_count: row.participant_count,
    pin_count: row.pin_count,
    urgent_count: row.urgent_count,
    last_message: row.last_message,
    my: {
      ...{ access, delivered_seq, read_seq, unread, mention_seq },
      ...{ notify, muted_until, sound, is_favorite, marked_unread_seq },
    },
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

function toDirectPerson({ avatar_key, ...person }: NonNullable<ChatRow['direct']>): DirectPerson {
  return { ...person, avatar_url: avatarUrl(avatar_key) };
}

export async function findChat(db: Database, userId: string, chatId: string): Promise<Chat | null> {
  const query = sql`
    select ${chatColumns} from own_chats as c where c.id = ${chatId} and c.user_id = ${userId}`;
  const row = await chats.first(db, query);
  return row ? toChat(row) : null;
}

const chatRecords = typedRows<
  Pick<
    ChatRow,
    'id' | 'facility_id' | 'kind' | 'state' | 'title' | 'version' | 'head_seq' | 'head_change_seq' | 'access'
  > & { is_emergency: boolean; direct_role_id: string | null }
>({
  id: 'string',
  facility_id: 'string',
  kind: 'string',
  state: 'string',
  title: 'string',
  version: 'number',
  head_seq: 'number',
  head_change_seq: 'number',
  access: 'string',
  is_emergency: 'boolean',
  direct_role_id: 'string?',
});

export async function findChatRecord(db: Database, userId: string, chatId: string): Promise<ChatRecord | null> {
  const query = sql`
    select c.id, c.facility_id, c.kind, c.state, c.title, c.version, c.head_seq, c.head_change_seq, c.access,
      c.emergency_id is not null as is_emergency, c.direct_role_id
    from own_chats as c where c.id = ${chatId} and c.user_id = ${userId}`;
  const row = await chatRecords.first(db, query);
  if (!row) return null;
  const { id, kind, title, version, state, access } = row;
  return {
    id,
    kind,
    title,
    version,
    state,
    facilityId: row.facility_id,
    headSeq: row.head_seq,
    headChangeSeq: row.head_change_seq,
    isEmergency: row.is_emergency,
    directRoleId: row.direct_role_id,
    participant: { userId, access },
  };
}

export interface NewChat {
  readonly id: string;
  readonly facilityId: string;
  readonly kind: 'case' | 'group' | 'announcement';
  readonly title: string;
  readonly patient: Chat['patient'];
  readonly createdBy: string;
  readonly clientId: string;
  readonly contentHash: Buffer;
}

/** False when this person has made a chat under this client_id before; a twin under way is waited for. */
export async function insertChat(tx: DatabaseTransaction, chat: NewChat): Promise<boolean> {
  const inserted = await tx
    .insertInto('chats')
    .values({
      id: chat.id,
      facility_id: chat.facilityId,
      kind: chat.kind,
      title: chat.title,
      patient_name: chat.patient?.name ?? null,
      patient_identifier: chat.patient?.identifier ?? null,
      patient_born_on: chat.patient?.born_on ?? null,
      patient_bed: chat.patient?.bed ?? null,
      created_by: chat.createdBy,
      client_id: chat.clientId,
      content_hash: chat.contentHash,
    })
    .onConflict((conflict) => conflict.columns(['created_by', 'client_id']).doNothing())
    .returning('id')
    .execute();
  return inserted.length === 1;
}

/** Every change of a chat or its people begins here, so that changes of one chat stand in a line. */
export async function lockChat(tx: DatabaseTransaction, chatId: string): Promise<void> {
  await sql`select from chats where id = ${chatId} for no key update`.execute(tx);
}

/** Under the chat's lock: one pinned message more or less. False where there are as many as there can be. */
export async function countPins(tx: DatabaseTransaction, chatId: string, step: 1 | -1): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('chats')
    .set((row) => ({ pin_count: row('pin_count', '+', step) }))
    .where('id', '=', chatId)
    .where('pin_count', '<=', PINS_MAX - step)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function storeChatChange(
  tx: DatabaseTransaction,
  chatId: string,
  next: { title: string; state: Chat['state']; version: number },
): Promise<void> {
  await tx.updateTable('chats').set(next).where('id', '=', chatId).execute();
}

/** What ChatChanged says of a chat, and to whom: the people who are in it now. */
export interface ChatChange {
  readonly chat_id: string;
  readonly facility_id: string;
  readonly head_seq: number;
  /** What stores a new message does not say it: sending changes none. */
  readonly head_change_seq?: number;
  readonly version: number;
  readonly pin_count?: number;
  readonly urgent_count?: number;
  readonly last_message: LastMessage | null;
  /** Who wrote the messages that this tells of, in their order, where it tells of sent ones. */
  readonly sender_ids?: readonly string[];
  /** Whom those messages mention. */
  readonly mentioned?: 'all' | readonly string[];
  readonly participant_ids: readonly string[];
}

const chatChanges = typedRows<Required<Omit<ChatChange, 'sender_ids' | 'mentioned'>>>({
  chat_id: 'string',
  facility_id: 'string',
  head_seq: 'number',
  head_change_seq: 'number',
  version: 'number',
  pin_count: 'number',
  urgent_count: 'number',
  last_message: 'json?',
  participant_ids: 'array',
});

export async function loadChatChange(tx: DatabaseTransaction, chatId: string): Promise<ChatChange> {
  const query = sql`
    select c.id as chat_id, c.facility_id, c.head_seq, c.head_change_seq, c.version, c.pin_count, c.urgent_count,
      c.last_message,
      array(select p.user_id from active_participants as p where p.chat_id = c.id) as participant_ids
    from chats as c where c.id = ${chatId}`;
  const changes = await chatChanges.first(tx, query);
  if (!changes) throw new Error('a locked chat is gone');
  return changes;
}

import type { MessageAct } from '@wardline/contract/chat/chat.ts';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { newId } from '#/platform/new-id.ts';

type Queryable = Database | DatabaseTransaction;

export interface ParticipantOptions {
  readonly userId: string;
  readonly access?: 'read' | 'write' | 'manage';
  /** How far this person has read; negative counts back from the newest message. */
  readonly readSeq?: number;
  readonly joinedSeq?: number;
}

export interface ChatContext {
  readonly id?: string;
  readonly facilityId: string;
  readonly kind?: 'case' | 'group' | 'direct' | 'announcement';
  readonly title?: string;
  readonly patient?: { name: string; identifier: string; bornOn?: string; bed?: string };
  readonly state?: 'open' | 'handed_over' | 'closed' | 'archived';
  /** The first one made it and manages it; the others may write. */
  readonly participants: readonly ParticipantOptions[];
  readonly messages?: readonly MessageOptions[];
  readonly createdAt?: Date;
  /** Where it was not the first participant who made it. */
  readonly createdBy?: string;
}

export interface MessageOptions {
  readonly id?: string;
  readonly senderId: string;
  readonly body: string;
  readonly kind?: 'text' | 'system';
  readonly at?: Date;
  readonly act?: MessageAct;
}

export interface MadeChat {
  readonly id: string;
  readonly facilityId: string;
  readonly headSeq: number;
}

/** A chat with its people and what they said, as if it had been said in this order: gapless, the last line kept. */
export async function makeChat(db: Queryable, options: ChatContext): Promise<MadeChat> {
  const { id = newId(), facilityId, kind = 'group', patient, participants, messages = [] } = options;
  const [maker] = participants;
  if (!maker) throw new Error('a chat is made by somebody');
  const createdAt = options.createdAt ?? messages[0]?.at ?? new Date();
  await db
    .insertInto('chats')
    .values({
      id,
      facility_id: facilityId,
      kind,
      title: options.title ?? patient?.name ?? `Sample chat ${id.slice(-4)}`,
      patient_name: patient?.name ?? null,
      patient_identifier: patient?.identifier ?? null,
      patient_born_on: patient?.bornOn ?? null,
      patient_bed: patient?.bed ?? null,
      state: options.state ?? 'open',
      ...(kind === 'direct' && directOf(participants)),
      created_by: options.createdBy ?? maker.userId,
      client_id: newId(),
      created_at: createdAt,
      updated_at: createdAt,
    })
    .execute();
  await makeMessages(db, { chatId: id, facilityId, after: 0, messages });
  await makeParticipants(db, { chatId: id, facilityId, kind, participants, headSeq: messages.length });
  return { id, facilityId, headSeq: messages.length };
}

function directOf(participants: readonly ParticipantOptions[]) {
  const [low, high, ...more] = participants.map(({ userId }) => userId).sort();
  if (low === undefined || high === undefined || more.length > 0) throw new Error('a direct chat is of two people');
  return { direct_low: low, direct_high: high };
}

interface ChatMessages {
  readonly chatId: string;
  readonly facilityId: string;
  /** The seq of the last that is there. */
  readonly after: number;
  readonly messages: readonly MessageOptions[];
}

/** What one statement stores within the time that it has, on a busy machine too. */
const SLICE = 2_000;

/** What is said after what is there, however much it is. */
export async function makeMessages(
  db: Queryable,
  { chatId, facilityId, after, messages }: ChatMessages,
): Promise<void> {
  for (let from = 0; from < messages.length; from += SLICE) {
    const slice = messages.slice(from, from + SLICE);
    const column = <T>(of: (message: MessageOptions) => T) => slice.map(of);
    await sql`
      insert into messages (id, chat_id, facility_id, seq, client_id, sender_id, kind, body, created_at, act_kind, act_id)
      select id, ${chatId}, ${facilityId}, ${after + from} + seq, client_id, sender_id, kind, body, created_at, act_kind, act_id
      from unnest(
        ${column((message) => message.id ?? newId())}::uuid[], ${column(() => newId())}::uuid[],
        ${column((message) => message.senderId)}::uuid[], ${column((message) => message.kind ?? 'text')}::text[],
        ${column((message) => message.body)}::text[],
        ${column((message) => (message.at ?? new Date()).toISOString())}::timestamptz[],
        ${column((message) => message.act?.kind ?? null)}::text[], ${column((message) => message.act?.id ?? null)}::uuid[]
      ) with ordinality as said (id, client_id, sender_id, kind, body, created_at, act_kind, act_id, seq)`.execute(db);
  }
  await sql`
    update chats set head_seq = m.seq, updated_at = m.created_at, last_message = last_message_of(m)
    from messages as m
    where chats.id = ${chatId} and m.chat_id = chats.id and m.seq = ${after + messages.length}`.execute(db);
}

async function makeParticipants(
  db: Queryable,
  {
    chatId,
    facilityId,
    kind,
    participants,
    headSeq,
  }: Pick<ChatContext, 'participants' | 'facilityId' | 'kind'> & { chatId: string; headSeq: number },
): Promise<void> {
  const readSeqOf = ({ readSeq = 0 }: ParticipantOptions) => (readSeq < 0 ? Math.max(0, headSeq + readSeq) : readSeq);
  const rows = participants.map((person, index) => ({
    chat_id: chatId,
    user_id: person.userId,
    facility_id: facilityId,
    access: person.access ?? (index === 0 && kind !== 'direct' ? 'manage' : 'write'),
    joined_seq: person.joinedSeq ?? 0,
    read_seq: readSeqOf(person),
    delivered_seq: readSeqOf(person),
  }));
  await db.insertInto('chat_participants').values(rows).execute();
}

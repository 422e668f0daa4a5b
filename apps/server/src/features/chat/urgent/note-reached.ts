import { sql } from 'kysely';
import { lockChat } from '#/features/chat/core/chat-queries.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { transition } from '#/platform/escalation/escalation.ts';
import { lockEscalation, readClock, type StoredEscalation } from '#/platform/escalation/escalation-queries.ts';
import type { Publication } from '#/platform/http/publish.ts';
import { storeUrgentChange, type UrgentContext } from './store-urgent-change.ts';
import type { UrgentPlan } from './who-to-call.ts';

interface Reached {
  readonly chatId: string;
  readonly userId: string;
  readonly delivered: number;
  readonly read: number;
}

const reached = typedRows<{ message_id: string; is_seen: boolean }>({ message_id: 'string', is_seen: 'boolean' });

/** As somebody's markers rise: the urgent messages that they were called for are on a device of theirs, or seen (URG-1). */
export async function noteReached(
  tx: DatabaseTransaction,
  { chatId, userId, delivered, read }: Reached,
): Promise<Publication[]> {
  const found = await reached.read(
    tx,
    sql`select m.id as message_id, m.seq <= ${read}::bigint as is_seen
      from escalation_people p
      join escalations e on e.id = p.escalation_id and e.subject = 'message' and e.state in ('calling', 'exhausted', 'accepted')
      join messages m on m.id = e.subject_id and m.chat_id = ${chatId}
      where p.user_id = ${userId} and p.seen_at is null and m.seq <= ${delivered}::bigint
        and (p.delivered_at is null or m.seq <= ${read}::bigint)
      order by m.id`,
  );
  const published: Publication[] = [];
  for (const { message_id: messageId, is_seen } of found) {
    const stored = await lockEscalation(tx, { kind: 'message', id: messageId });
    if (stored === null) continue;
    const type = is_seen ? 'seen' : 'delivered';
    published.push(...(await noteReachedBy(tx, stored, { messageId, chatId, userId, type })));
  }
  return published;
}

interface ReachedBy extends Pick<Reached, 'chatId' | 'userId'> {
  readonly messageId: string;
  readonly type: 'delivered' | 'seen';
}

/** One urgent message, whose escalation is held, is on a device of somebody, or seen; nothing where that is known. */
export async function noteReachedBy(
  tx: DatabaseTransaction,
  stored: StoredEscalation,
  { messageId, chatId, userId, type }: ReachedBy,
): Promise<Publication[]> {
  await lockChat(tx, chatId);
  const { escalation, facilityId } = stored;
  const changed = transition(escalation, { type, by: userId, at: await readClock(tx) });
  if (changed.kind !== 'changed') return [];
  const context: UrgentContext = {
    ...{ id: stored.id, plan: stored.plan as UrgentPlan, messageId, chatId, facilityId },
    senderId: escalation.startedBy,
  };
  const told = await storeUrgentChange(tx, context, { before: escalation, changed, lines: [], admitted: null });
  return [...told.publish, ...told.publishToAll];
}

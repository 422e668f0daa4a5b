import type { ChatRecord } from '#/features/chat/core/chat-queries.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { transition } from '#/platform/escalation/escalation.ts';
import { readClock, type StoredEscalation, storeTransition } from '#/platform/escalation/escalation-queries.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { Publication } from '#/platform/http/publish.ts';
import { findAlert } from './critical-alerts.ts';
import { callPeople, countUrgent } from './store-urgent-change.ts';
import type { UrgentPlan } from './who-to-call.ts';

interface Deletion {
  readonly chat: ChatRecord;
  readonly messageId: string;
  /** Held. */
  readonly escalation: StoredEscalation;
  readonly reason: string;
}

/** Under the chat's lock: nobody is called any more for what its sender deletes; null where nobody was. What called about a critical result stays. */
export async function withdrawDeleted(
  tx: DatabaseTransaction,
  { chat, messageId, escalation: stored, reason }: Deletion,
): Promise<Publication[] | null> {
  const { id, facilityId, escalation } = stored;
  if ((await findAlert(tx, messageId)) !== null) {
    throw new AppError('conflict', { message: 'A critical alert stays in the chat. It can be withdrawn.' });
  }
  const by = escalation.startedBy;
  const changed = transition(escalation, { type: 'withdrawn', at: await readClock(tx), by, note: reason });
  if (changed.kind !== 'changed') return null;
  await storeTransition(tx, id, changed);
  await countUrgent(tx, chat.id, -1);
  const place = { facilityId, chatId: chat.id, senderId: by };
  return callPeople(tx, { ...place, id, messageId, plan: stored.plan as UrgentPlan }, changed);
}

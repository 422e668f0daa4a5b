import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { transition } from '#/platform/escalation/escalation.ts';
import { readClock, type StoredEscalation } from '#/platform/escalation/escalation-queries.ts';
import { type Actor, membershipIn } from '#/platform/http/actor.ts';
import type { Publication } from '#/platform/http/publish.ts';
import { storeUrgentChange } from './store-urgent-change.ts';
import type { UrgentPlan } from './who-to-call.ts';

interface Withdrawal {
  readonly actor: Actor;
  readonly chatId: string;
  readonly note: string;
  /** What the chat calls it. */
  readonly what: 'critical alert' | 'urgent message';
}

/** Under the chat's lock: ends a call about what no longer holds, whoever sent it, and says so. Nothing where it is over. */
export async function withdrawOutdated(
  tx: DatabaseTransaction,
  { id, facilityId, subject, escalation, plan }: StoredEscalation,
  { actor, chatId, note, what }: Withdrawal,
): Promise<Publication[]> {
  const at = await readClock(tx);
  const changed = transition(escalation, { type: 'withdrawn', by: actor.userId, at, note, isOutdated: true });
  if (changed.kind !== 'changed') return [];
  const place = { facilityId, chatId, senderId: escalation.startedBy };
  const context = { ...place, id, messageId: subject.id, plan: plan as UrgentPlan };
  const sender = { id: actor.userId, name: actor.name, title: membershipIn(actor, facilityId)?.title ?? null };
  const lines = [{ sender, body: `withdrew the ${what}: ${note}` }];
  const told = await storeUrgentChange(tx, context, { before: escalation, changed, lines, admitted: null });
  return [...told.publish, ...told.publishToAll];
}

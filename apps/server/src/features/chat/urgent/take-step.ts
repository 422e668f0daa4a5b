import { sql } from 'kysely';
import { lockChat } from '#/features/chat/core/chat-queries.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { transition } from '#/platform/escalation/escalation.ts';
import type { TakeStep } from '#/platform/escalation/escalation-clock.ts';
import type { StoredEscalation } from '#/platform/escalation/escalation-queries.ts';
import { SERVER_USER } from '#/platform/http/server-actor.ts';
import { admittedLine } from './start-urgent.ts';
import { storeUrgentChange, type UrgentContext } from './store-urgent-change.ts';
import {
  type CallingPlace,
  findCalls,
  findReachable,
  holdTurn,
  type RingDeps,
  type TurnCalls,
  type UrgentPlan,
} from './who-to-call.ts';

/** What the clock does about an urgent message: calls again, calls further, reminds who accepted, or says that nobody is left. */
export function createTakeUrgentStep({ ring }: RingDeps): TakeStep {
  return async (tx, stored, now) => {
    const { escalation, facilityId, subject } = stored;
    const { seq, ...place } = await requirePlace(tx, stored);
    const context = { ...place, id: stored.id, messageId: subject.id, plan: stored.plan as UrgentPlan };
    const { calls, admitted } = await findDueCalls(tx, context, { seq, stored });
    const changed = transition(escalation, { type: 'due', at: now, calls });
    if (changed.kind !== 'changed') throw new Error('a due escalation has no step');
    const lines = [];
    const admittedPerson = admitted === null ? null : await findCalledAs(tx, { userId: admitted, calls });
    if (admittedPerson !== null) lines.push({ sender: speaker, body: admittedLine(admittedPerson) });
    if (changed.next.state === 'exhausted') lines.push({ sender: speaker, body: EXHAUSTED });
    const told = await storeUrgentChange(tx, context, { before: escalation, changed, lines, admitted });
    await ring(tx, { chatId: place.chatId, seq, userIds: calls.map(({ userId }) => userId) });
    const detail = {
      ...{ chat: place.chatId, step: changed.next.step, kind: changed.entry?.kind },
      ...{ called: calls.map(({ userId }) => userId), due_at: escalation.dueAt, ...(admitted && { admitted }) },
    };
    return {
      result: undefined,
      audit: { facilityId, objectType: 'message', objectId: subject.id, detail },
      publish: [...told.publish, ...told.publishToAll],
    };
  };
}

const speaker = { ...SERVER_USER, title: null };
const EXHAUSTED = 'Nobody has acknowledged the urgent message, and there is nobody left to call. Call by telephone.';

const places = typedRows<{ chat_id: string; seq: number; is_of_two: boolean }>({
  ...{ chat_id: 'string', seq: 'number', is_of_two: 'boolean' },
});

async function requirePlace(tx: DatabaseTransaction, { facilityId, subject, escalation }: StoredEscalation) {
  const found = await places.first(
    tx,
    sql`select m.chat_id, m.seq, c.direct_high is not null as is_of_two
      from messages m join chats c on c.id = m.chat_id where m.id = ${subject.id}`,
  );
  if (!found) throw new Error('an escalation without its message');
  const { chat_id: chatId, seq, is_of_two: isDirect } = found;
  return { chatId, seq, facilityId, isDirect, senderId: escalation.startedBy };
}

/** Takes the chat's lock after whoever may be let in is held as a member. */
async function findDueCalls(
  tx: DatabaseTransaction,
  context: UrgentContext & CallingPlace,
  { seq, stored: { escalation } }: { seq: number; stored: StoredEscalation },
): Promise<TurnCalls> {
  const { state, steps, step, people } = escalation;
  const rung = steps[step];
  if (state === 'accepted' || rung === undefined) {
    await lockChat(tx, context.chatId);
    const accepted = people.filter(({ acceptedAt }) => acceptedAt !== null);
    const here = await findReachable(tx, context, { seq, people: accepted.map(({ userId }) => userId) });
    return { calls: accepted.filter(({ userId }) => here.includes(userId)), admitted: null };
  }
  const turn = await holdTurn(tx, context, { plan: context.plan, call: rung.call });
  await lockChat(tx, context.chatId);
  return findCalls(tx, context, { seq, ...turn });
}

const calledAs = typedRows<{ name: string; role: string | null }>({ name: 'string', role: 'string?' });

async function findCalledAs(tx: DatabaseTransaction, { userId, calls }: { userId: string; calls: TurnCalls['calls'] }) {
  const roleId = calls.find((call) => call.userId === userId)?.roleId ?? null;
  const query = sql`select u.name, (select r.name from on_call_roles r where r.id = ${roleId}::uuid) as role
    from users u where u.id = ${userId}`;
  return (await calledAs.first(tx, query)) ?? null;
}

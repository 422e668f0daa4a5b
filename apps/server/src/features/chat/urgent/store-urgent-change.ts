import type { Message } from '@wardline/contract/chat/chat.ts';
import { userChannel } from '@wardline/contract/chat/chat.ts';
import type { Urgent } from '@wardline/contract/chat/urgent.ts';
import { sql } from 'kysely';
import {
  chatChanged,
  examinationChanged,
  membershipChanged,
  messageChanged,
  messageSent,
} from '#/features/chat/core/chat-events.ts';
import { loadChatChange } from '#/features/chat/core/chat-queries.ts';
import { appendLine, storeMessageChange } from '#/features/chat/core/message-queries.ts';
import { countUrgentCalls } from '#/features/chat/interruptions/count-calls.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { type Escalation, isOpen, type Transition } from '#/platform/escalation/escalation.ts';
import { storeTransition } from '#/platform/escalation/escalation-queries.ts';
import { type Publication, publication } from '#/platform/http/publish.ts';
import { describeAlert, followEscalation } from './critical-alerts.ts';
import type { Targets, UrgentPlace, UrgentPlan } from './who-to-call.ts';

/** An escalation with the message that it is about. */
export interface UrgentContext extends UrgentPlace {
  readonly id: string;
  readonly messageId: string;
  readonly plan: UrgentPlan;
}

type Changed = Transition & { readonly kind: 'changed' };

/** What a change is told by besides the message. */
interface Told {
  /** What the chat says of it, and in whose name. */
  readonly lines: readonly { readonly sender: Message['sender']; readonly body: string }[];
  /** Who came into the chat by it. */
  readonly admitted: string | null;
}

export interface UrgentChange {
  readonly message: Message;
  /** What everybody but who did it does not know yet. */
  readonly publish: readonly Publication[];
  /** What who did it does not know either. */
  readonly publishToAll: readonly Publication[];
}

/** Under the chat's lock: stores what a transition made, and says it to exactly those who may read the message. */
export async function storeUrgentChange(
  tx: DatabaseTransaction,
  context: UrgentContext,
  { before, changed, lines, admitted }: Told & { readonly before: Escalation; readonly changed: Changed },
): Promise<UrgentChange> {
  await storeTransition(tx, context.id, changed);
  await countUrgentCalls(tx, context.facilityId, changed);
  if (isOpen(before) && !isOpen(changed.next)) await countUrgent(tx, context.chatId, -1);
  const alert = await followEscalation(tx, context.messageId, changed.entry);
  const urgent = await describeUrgent(tx, context, changed.next);
  const stored = JSON.stringify(urgent);
  const message = await storeMessageChange(tx, context.messageId, sql`urgent = ${stored}::jsonb`);
  const said: Message[] = [];
  for (const { sender, body } of lines) said.push(await appendLine(tx, { chatId: context.chatId, sender, body }));
  const isTold = said.length > 0 || admitted !== null || isOpen(before) !== isOpen(changed.next);
  return {
    message,
    publish: await messageChanged(tx, 'UrgentMessageChanged', message),
    publishToAll: [
      ...(admitted === null ? [] : [admittedTo(context, admitted)]),
      ...said.flatMap(messageSent),
      ...(isTold ? chatChanged(await loadChatChange(tx, context.chatId)) : []),
      ...(await callPeople(tx, context, changed)),
      ...(alert === null ? [] : examinationChanged(alert)),
    ],
  };
}

export function admittedTo({ facilityId, chatId }: UrgentPlace, userId: string): Publication {
  return membershipChanged(userId, { facility_id: facilityId, chat_id: chatId, change: 'added' });
}

/**
 * Calls those whom a change calls now, each on their own channel, and says to all who were called and to the sender, who are in the
 * chat still, that it stands otherwise. The one place where anything that rings, buzzes or mails is to be begun.
 */
export async function callPeople(
  tx: DatabaseTransaction,
  { facilityId, chatId, messageId, senderId }: UrgentContext,
  { next, calls, entry }: Changed,
): Promise<Publication[]> {
  const called = { facility_id: facilityId, chat_id: chatId, message_id: messageId, step: next.step };
  // That somebody has it on a device, or has seen it, changes what waits for nobody; the sender sees who has not.
  const concerned = [...(entry === null ? [] : next.people.map(({ userId }) => userId)), senderId];
  const { rows: here } = await sql<{ user_id: string }>`
    select user_id from active_participants where chat_id = ${chatId} and user_id = any(${concerned}::uuid[])`.execute(
    tx,
  );
  const standsOtherwise = { chat_id: chatId, message_id: messageId };
  return [
    ...calls.map(({ userId }) => ({ ...publication(userChannel, userId, ['UrgentCalled', called]), facilityId })),
    ...here.map(({ user_id }) => ({
      ...publication(userChannel, user_id, ['UrgentChanged', standsOtherwise]),
      facilityId,
    })),
  ];
}

/** Under the chat's lock. */
export async function countUrgent(tx: DatabaseTransaction, chatId: string, step: 1 | -1): Promise<void> {
  await tx
    .updateTable('chats')
    .set((row) => ({ urgent_count: row('urgent_count', '+', step) }))
    .where('id', '=', chatId)
    .execute();
}

interface EntryRow {
  readonly at: Date;
  readonly kind: string;
  readonly user_id: string | null;
  readonly called: readonly string[];
  readonly note: string | null;
}
const entries = typedRows<EntryRow>({
  at: 'date',
  kind: 'string',
  user_id: 'string?',
  called: 'array',
  note: 'string?',
});

/** What all who read the message see of it, with names as they are now. */
export async function describeUrgent(
  tx: DatabaseTransaction,
  { id, messageId, plan }: Pick<UrgentContext, 'id' | 'messageId' | 'plan'>,
  { state, version, step, dueAt, people, startedBy }: Escalation,
): Promise<Urgent> {
  const timeline = await entries.read(
    tx,
    sql`select at, kind, user_id, called, note from escalation_entries where escalation_id = ${id} order by place`,
  );
  const critical = await describeAlert(tx, messageId);
  const asked = [plan.targets, ...(plan.next ? [plan.next] : [])];
  const names = await findNames(tx, {
    users: [
      ...people.map(({ userId }) => userId),
      ...asked.flatMap((targets) => targets.people),
      ...timeline.flatMap(({ user_id }) => user_id ?? []),
      startedBy,
    ],
    roles: [...people, ...asked].flatMap(({ roleId }) => roleId ?? []),
  });
  const nameOf = (someId: string) => names.get(someId) ?? '';
  const describe = ({ people: named, roleId }: Targets): Urgent['targets'] => ({
    people: named.map((userId) => ({ user_id: userId, name: nameOf(userId) })),
    role: roleId === null ? null : { id: roleId, name: nameOf(roleId) },
  });
  return {
    ...{ state, version, step, steps: [...plan.steps].map(({ afterMin, call }) => toStep(afterMin, call)) },
    targets: describe(plan.targets),
    next: plan.next && describe(plan.next),
    due_at: dueAt?.toISOString() ?? null,
    people: people.map((person) => ({
      ...{ user_id: person.userId, name: nameOf(person.userId), times: person.times },
      role: person.roleId === null ? null : nameOf(person.roleId),
      called_at: person.calledAt.toISOString(),
      delivered_at: person.deliveredAt?.toISOString() ?? null,
      seen_at: person.seenAt?.toISOString() ?? null,
      accepted_at: person.acceptedAt?.toISOString() ?? null,
    })),
    entries: timeline.map(({ at, kind, user_id, called, note }) => ({
      ...{ at: at.toISOString(), kind, note, called: called.map(nameOf) },
      by: user_id === null ? null : { user_id, name: nameOf(user_id) },
    })),
    ...(critical && { critical }),
  };
}

function toStep(after_min: number, call: string): Urgent['steps'][number] {
  return { after_min, call: call as Urgent['steps'][number]['call'] };
}

const named = typedRows<{ id: string; name: string }>({ id: 'string', name: 'string' });

async function findNames(
  tx: DatabaseTransaction,
  { users, roles }: { users: readonly string[]; roles: readonly string[] },
): Promise<Map<string, string>> {
  const rows = await named.read(
    tx,
    sql`select id, name from users where id = any(${users}::uuid[])
      union all select id, name from on_call_roles where id = any(${roles}::uuid[])`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

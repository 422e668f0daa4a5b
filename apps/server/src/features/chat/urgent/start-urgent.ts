import type { AskedUrgent, Message } from '@wardline/contract/chat/chat.ts';
import { sql } from 'kysely';
import { chatChanged, messageSent } from '#/features/chat/core/chat-events.ts';
import { type ChatRecord, loadChatChange } from '#/features/chat/core/chat-queries.ts';
import { appendLine } from '#/features/chat/core/message-queries.ts';
import { countUrgentCalls } from '#/features/chat/interruptions/count-calls.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { startEscalation } from '#/platform/escalation/escalation.ts';
import { insertEscalation, readClock } from '#/platform/escalation/escalation-queries.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { invalidField } from '#/platform/http/app-error.ts';
import type { Publication } from '#/platform/http/publish.ts';
import { newId } from '#/platform/new-id.ts';
import { followEscalation } from './critical-alerts.ts';
import { loadLadder } from './ladder.ts';
import { admittedTo, callPeople, countUrgent, describeUrgent } from './store-urgent-change.ts';
import {
  type CallingPlace,
  EVERYONE,
  findCalls,
  findReachable,
  holdTargets,
  type RingDeps,
  type Targets,
  type Turn,
  type UrgentPlan,
} from './who-to-call.ts';

type UrgentChat = Pick<ChatRecord, 'id' | 'facilityId' | 'directRoleId'> & { readonly kind: string };

interface Asking {
  readonly actor: Actor;
  readonly chat: UrgentChat;
  readonly urgent: AskedUrgent;
  /** So many times slower than the ladder of the facility. */
  readonly slowness?: number;
  /** The field at which a refusal is said. */
  readonly field?: string;
  /** Nobody was named: everybody in the chat is called. */
  readonly callsEveryone?: boolean;
}

/** What is known before the chat's lock. */
export interface UrgentStart {
  readonly place: CallingPlace;
  readonly plan: UrgentPlan;
  readonly turn: Turn;
  readonly field: string;
}

const LAST_MIN = 5;
const REMIND_MIN = 15;

/** Before the chat's lock: the ladder of the facility as it is now, and who holds the role that is called. */
export async function prepareUrgent(
  tx: DatabaseTransaction,
  { actor, chat, urgent, slowness = 1, field = 'urgent.targets', callsEveryone = false }: Asking,
): Promise<UrgentStart> {
  const { facilityId } = chat;
  const [targets, next] = [toTargets(urgent.targets), urgent.next ? toTargets(urgent.next) : null];
  const place = { facilityId, chatId: chat.id, isDirect: isOfTwo(chat), senderId: actor.userId };
  if (!callsEveryone && targets.people.length === 0 && targets.roleId === null) {
    throw invalidField(field, 'Choose who must acknowledge it.');
  }
  await requireRoles(tx, place, { field, asked: [targets, next] });
  const ladder = await loadLadder(tx, facilityId);
  const plan: UrgentPlan = {
    ...{ targets, next: next && (next.people.length > 0 || next.roleId !== null) ? next : null },
    steps: ladder.steps.map(({ after_min, call }) => ({ afterMin: after_min * slowness, call })),
    ...(slowness > 1 && { pace: { lastMin: LAST_MIN * slowness, remindMin: REMIND_MIN * slowness } }),
    fallbackRoleId: ladder.fallback?.role_id ?? null,
  };
  return { place, plan, turn: callsEveryone ? EVERYONE : await holdTargets(tx, place, targets), field };
}

/** A direct chat stays with its two people; whoever holds a role may be called further in one with a role. */
function isOfTwo({ kind, directRoleId }: UrgentChat): boolean {
  return kind === 'direct' && directRoleId === null;
}

function toTargets({ people, role_id }: AskedUrgent['targets']): Targets {
  return { people: [...new Set(people)], roleId: role_id };
}

const roleIds = typedRows<{ id: string }>({ id: 'string' });

async function requireRoles(
  tx: DatabaseTransaction,
  { facilityId, isDirect }: CallingPlace,
  { field, asked }: { field: string; asked: readonly (Targets | null)[] },
): Promise<void> {
  const wanted = new Set(asked.flatMap((targets) => targets?.roleId ?? []));
  if (wanted.size === 0) return;
  if (isDirect) throw invalidField(field, 'In a direct chat nobody else can be called.');
  const found = await roleIds.read(
    tx,
    sql`select id from on_call_roles
      where facility_id = ${facilityId} and id = any(${[...wanted]}::uuid[]) and retired_at is null`,
  );
  if (found.length < wanted.size) throw invalidField(field, 'An on-call role you chose is no longer there.');
}

interface Started {
  readonly message: Message;
  readonly publish: readonly Publication[];
  readonly publishToAll: readonly Publication[];
}

/** Under the chat's lock, with the message just stored: begins to call. To its readers the message is new, so this is no change of it. */
export async function startUrgent(
  tx: DatabaseTransaction,
  { place, plan, turn, field }: UrgentStart,
  { sent, ring }: Pick<RingDeps, 'ring'> & { readonly sent: Message },
): Promise<Started> {
  const { chatId, facilityId, senderId } = place;
  const { id: messageId, seq } = sent;
  const named = [...plan.targets.people, ...(plan.next?.people ?? [])];
  const here = new Set(await findReachable(tx, place, { seq, people: named }));
  if (named.some((userId) => !here.has(userId))) {
    throw invalidField(field, 'Somebody you chose can’t be called in this chat.');
  }
  const { calls, admitted } = await findCalls(tx, place, { seq, ...turn });
  const id = newId();
  const changed = startEscalation({
    ...{ by: senderId, at: await readClock(tx), steps: plan.steps, pace: plan.pace, calls },
  });
  const subject = { kind: 'message', id: messageId } as const;
  await insertEscalation(tx, { id, facilityId, subject, plan }, changed);
  await countUrgent(tx, chatId, 1);
  await ring(tx, { chatId, seq, userIds: calls.map(({ userId }) => userId) });
  await countUrgentCalls(tx, facilityId, changed);
  await followEscalation(tx, messageId, changed.entry);
  const urgent = await describeUrgent(tx, { id, messageId, plan }, changed.next);
  await sql`update messages set urgent = ${JSON.stringify(urgent)}::jsonb where id = ${messageId}`.execute(tx);
  const message = { ...sent, urgent };
  const body = admitted === null ? null : admittedLine(urgent.people.find(({ user_id }) => user_id === admitted));
  const line = body === null ? null : await appendLine(tx, { chatId, sender: sent.sender, body });
  return {
    message,
    publish: messageSent(message),
    publishToAll: [
      ...(admitted === null ? [] : [admittedTo(place, admitted)]),
      ...(line === null ? [] : messageSent(line)),
      ...chatChanged(await loadChatChange(tx, chatId)),
      ...(await callPeople(tx, { ...place, id, messageId, plan }, changed)),
    ],
  };
}

/** What the chat says of who came into it because they hold a role. */
export function admittedLine(person: { readonly name: string; readonly role: string | null } | undefined): string {
  return `called ${person?.name ?? 'somebody'} as ${person?.role ?? 'on call'}, who sees messages from the urgent one on`;
}

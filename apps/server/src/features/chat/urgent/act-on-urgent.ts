import type { Message } from '@wardline/contract/chat/chat.ts';
import type * as contract from '@wardline/contract/chat/urgent-acts.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { isOpen, waitsForReadBack } from '@wardline/examination/critical-alert.ts';
import { lockChat } from '#/features/chat/core/chat-queries.ts';
import { findMessage } from '#/features/chat/core/message-queries.ts';
import { answerUrgent, withdrawUrgent as mayWithdraw } from '#/features/chat/core/policy.ts';
import { requireChat } from '#/features/chat/core/require-chat.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { type EscalationEvent, transition } from '#/platform/escalation/escalation.ts';
import { lockEscalation, readClock, type StoredEscalation } from '#/platform/escalation/escalation-queries.ts';
import { membershipIn } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { authorize } from '#/platform/http/authorization/authorize.ts';
import type { Change, RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { findAlert, type StoredAlert } from './critical-alerts.ts';
import { storeUrgentChange } from './store-urgent-change.ts';
import type { UrgentPlan } from './who-to-call.ts';

type AcceptUrgent = typeof contract.acceptUrgent;
type CloseUrgent = typeof contract.closeUrgent;
type WithdrawUrgent = typeof contract.withdrawUrgent;

export function acceptUrgent(ctx: RequestContext, { params }: InputOf<AcceptUrgent>): Promise<ReplyOf<AcceptUrgent>> {
  const question = { ctx, chatId: params.chat, messageId: params.message };
  return ctx.write('urgent.accept', (tx) => act(tx, question, { type: 'accepted' }));
}

export function closeUrgent(
  ctx: RequestContext,
  { params, body: { note } }: InputOf<CloseUrgent>,
): Promise<ReplyOf<CloseUrgent>> {
  const question = { ctx, chatId: params.chat, messageId: params.message };
  return ctx.write('urgent.close', (tx) => act(tx, question, { type: 'acted', note }));
}

export function withdrawUrgent(
  ctx: RequestContext,
  { params, body: { note } }: InputOf<WithdrawUrgent>,
): Promise<ReplyOf<WithdrawUrgent>> {
  const question = { ctx, chatId: params.chat, messageId: params.message };
  return ctx.write('urgent.withdraw', (tx) => act(tx, question, { type: 'withdrawn', note }));
}

interface Question {
  readonly ctx: RequestContext;
  readonly chatId: string;
  readonly messageId: string;
}

type Act =
  | { readonly type: 'accepted' }
  | { readonly type: 'acted'; readonly note: string }
  | { readonly type: 'withdrawn'; readonly note: string };

async function act(
  tx: DatabaseTransaction,
  { ctx, chatId, messageId }: Question,
  wanted: Act,
): Promise<Change<Message>> {
  const { actor } = ctx;
  await requireMessage(tx, { ctx, chatId, messageId });
  const stored = await lockEscalation(tx, { kind: 'message', id: messageId });
  await lockChat(tx, chatId);
  const chat = await requireChat(tx, { actor, chatId });
  const message = await requireMessage(tx, { ctx, chatId, messageId });
  if (stored === null) throw new AppError('not_found');
  const { escalation, facilityId } = stored;
  if (wanted.type === 'withdrawn') authorize(actor, mayWithdraw, { chat, senderId: escalation.startedBy });
  else authorize(actor, answerUrgent, { chat, isCalled: isCalled(stored, actor.userId) });
  if (isRepeat(message, actor.userId, wanted)) return { result: message, audit: null };
  const alert = await findAlert(tx, messageId);
  if (alert !== null) requireReadBack(alert, wanted);
  const changed = transition(escalation, eventOf(wanted, { by: actor.userId, at: await readClock(tx) }));
  if (changed.kind === 'unchanged') return { result: message, audit: null };
  if (changed.kind === 'refused') throw new AppError('conflict', { message: overSentence(stored) });
  const context = {
    ...{ id: stored.id, plan: stored.plan as UrgentPlan, messageId, chatId, facilityId },
    senderId: escalation.startedBy,
  };
  const sender = { id: actor.userId, name: actor.name, title: membershipIn(actor, facilityId)?.title ?? null };
  const lines = [{ sender, body: lineOf(wanted, alert === null ? 'urgent message' : 'critical alert') }];
  const told = await storeUrgentChange(tx, context, { before: escalation, changed, lines, admitted: null });
  const detail = { chat: chatId, seq: message.seq, from: escalation.state, to: changed.next.state };
  return {
    result: told.message,
    audit: { facilityId, objectType: 'message', objectId: messageId, detail },
    publish: told.publish,
    publishToAll: told.publishToAll,
  };
}

async function requireMessage(tx: DatabaseTransaction, { ctx, chatId, messageId }: Question): Promise<Message> {
  const message = await findMessage(tx, { chatId, userId: ctx.actor.userId, messageId });
  if (message === null) throw new AppError('not_found');
  return message;
}

function isCalled({ escalation }: StoredEscalation, userId: string): boolean {
  return escalation.people.some((person) => person.userId === userId);
}

/** Of what closed it, also where the answer was lost. */
function isRepeat({ urgent }: Message, userId: string, wanted: Act): boolean {
  const last = urgent?.entries.at(-1);
  return (
    wanted.type !== 'accepted' && last?.kind === wanted.type && last.by?.user_id === userId && last.note === wanted.note
  );
}

function eventOf(wanted: Act, { by, at }: { by: string; at: Date }): EscalationEvent {
  return { ...wanted, by, at };
}

function lineOf(wanted: Act, what: string): string {
  if (wanted.type === 'accepted') return `acknowledged the ${what}`;
  return `${wanted.type === 'acted' ? 'closed' : 'withdrew'} the ${what}: ${wanted.note}`;
}

/** A critical result is accepted by reading it back alone, and nothing is done about it before. */
function requireReadBack(alert: StoredAlert, { type }: Act): void {
  const isBefore = waitsForReadBack(alert);
  if (type === 'accepted' && isOpen(alert)) {
    throw new AppError('conflict', {
      message: isBefore ? 'Read the result back first.' : 'Somebody else has read it back meanwhile.',
    });
  }
  if (type === 'acted' && isBefore) throw new AppError('conflict', { message: 'Read the result back first.' });
}

function overSentence({ escalation }: StoredEscalation): string {
  return escalation.state === 'closed'
    ? 'Somebody else has closed this message meanwhile.'
    : 'This message was withdrawn meanwhile.';
}

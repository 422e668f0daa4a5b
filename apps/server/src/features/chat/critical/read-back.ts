import type { Message } from '@wardline/contract/chat/chat.ts';
import type { ReadBack, WrongPart } from '@wardline/contract/chat/critical.ts';
import type * as contract from '@wardline/contract/chat/critical-acts.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { transition as moveAlert } from '@wardline/examination/critical-alert.ts';
import { compareReadBack } from '@wardline/examination/read-back.ts';
import { sql } from 'kysely';
import { type ChatRecord, lockChat } from '#/features/chat/core/chat-queries.ts';
import { findMessage } from '#/features/chat/core/message-queries.ts';
import { answerUrgent } from '#/features/chat/core/policy.ts';
import { requireChat } from '#/features/chat/core/require-chat.ts';
import { findAlert, type StoredAlert } from '#/features/chat/urgent/critical-alerts.ts';
import { storeUrgentChange, type UrgentContext } from '#/features/chat/urgent/store-urgent-change.ts';
import type { UrgentPlan } from '#/features/chat/urgent/who-to-call.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { type Entry, transition } from '#/platform/escalation/escalation.ts';
import { lockEscalation, readClock, type StoredEscalation } from '#/platform/escalation/escalation-queries.ts';
import { membershipIn } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { authorize } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';

type Receive = typeof contract.receiveCritical;
type ReadBackEndpoint = typeof contract.readBackCritical;

/** Somebody who was called has it before them. It calls on: who has it may have understood it otherwise. */
export function receiveCritical(ctx: RequestContext, { params }: InputOf<Receive>): Promise<ReplyOf<Receive>> {
  return ctx.write('critical.receive', async (tx) => {
    const opened = await openAlert(tx, ctx, params);
    const { alert, message, at } = opened;
    const change = moveAlert(alert, 'received', at.toISOString());
    if (change.kind === 'impossible') throw await overError(tx, opened);
    if (change.kind === 'unchanged') return { result: message, audit: null };
    const told = await note(tx, opened, { kind: 'received', line: 'received the critical alert', text: null });
    const { audit, ...rest } = told;
    return { ...rest, result: told.message, audit };
  });
}

/** What was said is kept whatever it was. What agrees ends the calling; what does not, nothing. */
export function readBackCritical(
  ctx: RequestContext,
  { params, body }: InputOf<ReadBackEndpoint>,
): Promise<ReplyOf<ReadBackEndpoint>> {
  return ctx.write('critical.read_back', async (tx) => {
    const opened = await openAlert(tx, ctx, params);
    const { alert, message, at } = opened;
    const wrong = compareReadBack(body, alert);
    const isRight = wrong.length === 0;
    const event = isRight ? 'read_back_right' : 'read_back_wrong';
    if (moveAlert(alert, event, at.toISOString()).kind === 'impossible') {
      // An answer that was lost is given again.
      if (isRight && (await findReader(tx, alert.id))?.user_id === ctx.actor.userId && alert.state === 'read_back_ok') {
        return { result: { is_right: true, wrong, message }, audit: null };
      }
      throw await overError(tx, opened);
    }
    await keepReadBack(tx, opened, { body, wrong });
    const parts = wrong.map(({ part, label }) => (label === null ? part : `${part} of ${label}`)).join(', ');
    const told = isRight
      ? await accept(tx, opened)
      : await note(tx, opened, {
          kind: 'misread',
          line: `read the critical result back, not agreed: ${parts}`,
          text: parts,
        });
    const { audit, ...rest } = told;
    const detail = { ...audit.detail, is_right: isRight, ...(isRight ? {} : { wrong }) };
    return { ...rest, result: { is_right: isRight, wrong, message: told.message }, audit: { ...audit, detail } };
  });
}

interface OpenedAlert {
  readonly ctx: RequestContext;
  readonly chat: ChatRecord;
  readonly message: Message;
  readonly stored: StoredEscalation;
  readonly alert: StoredAlert;
  readonly at: Date;
}

/** Holds the calling and the chat, as every change of an alert does; for who reads the chat and was called (403). */
async function openAlert(
  tx: DatabaseTransaction,
  ctx: RequestContext,
  { chat: chatId, message: messageId }: { chat: string; message: string },
): Promise<OpenedAlert> {
  const { actor } = ctx;
  const question = { chatId, userId: actor.userId, messageId };
  if ((await findMessage(tx, question)) === null) throw new AppError('not_found');
  const stored = await lockEscalation(tx, { kind: 'message', id: messageId });
  await lockChat(tx, chatId);
  const chat = await requireChat(tx, { actor, chatId });
  const message = await findMessage(tx, question);
  const alert = await findAlert(tx, messageId);
  if (message === null || stored === null || alert === null) throw new AppError('not_found');
  const isCalled = stored.escalation.people.some(({ userId }) => userId === actor.userId);
  authorize(actor, answerUrgent, { chat, isCalled });
  return { ctx, chat, message, stored, alert, at: await readClock(tx) };
}

/** The engine's own acceptance: nobody further is called, and who read it back is asked what was done. */
async function accept(tx: DatabaseTransaction, opened: OpenedAlert) {
  const { ctx, stored, at } = opened;
  const changed = transition(stored.escalation, { type: 'accepted', by: ctx.actor.userId, at });
  if (changed.kind !== 'changed') throw await overError(tx, opened);
  return store(tx, opened, { changed, line: 'read back the critical result' });
}

interface Noted {
  readonly kind: 'received' | 'misread';
  readonly line: string;
  readonly text: string | null;
}

/** A line of the timeline that leaves the calling as it is. */
function note(tx: DatabaseTransaction, opened: OpenedAlert, { kind, line, text }: Noted) {
  const { ctx, stored, at } = opened;
  const by = ctx.actor.userId;
  const entry: Entry = { kind, at, by, dueAt: null, called: [], note: text?.slice(0, NOTE_MAX) ?? null };
  return store(tx, opened, { changed: { kind: 'changed', next: stored.escalation, entry, calls: [] }, line });
}

const NOTE_MAX = 280;

type Changed = Parameters<typeof storeUrgentChange>[2]['changed'];

async function store(
  tx: DatabaseTransaction,
  { ctx: { actor }, chat, message, stored, alert }: OpenedAlert,
  { changed, line }: { changed: Changed; line: string },
) {
  const { facilityId, escalation } = stored;
  const context: UrgentContext = {
    ...{ id: stored.id, plan: stored.plan as UrgentPlan, messageId: message.id, chatId: chat.id, facilityId },
    senderId: escalation.startedBy,
  };
  const sender = { id: actor.userId, name: actor.name, title: membershipIn(actor, facilityId)?.title ?? null };
  const lines = [{ sender, body: line }];
  const told = await storeUrgentChange(tx, context, { before: escalation, changed, lines, admitted: null });
  const detail = { chat: chat.id, alert: alert.id, examination: alert.examination.id, from: alert.state };
  // Who did it sees the card as all others do: the answer goes to a dialog.
  const { message: card, publish, publishToAll } = told;
  return {
    message: card,
    publishToAll: [...publish, ...publishToAll],
    audit: { facilityId, objectType: 'message', objectId: message.id, detail },
  };
}

interface Said {
  readonly body: ReadBack;
  readonly wrong: readonly WrongPart[];
}

async function keepReadBack(tx: DatabaseTransaction, { ctx, alert, at }: OpenedAlert, { body, wrong }: Said) {
  await sql`
    insert into critical_read_backs (alert_id, place, user_id, at, is_right, said, wrong)
    select ${alert.id}, coalesce(max(place), 0) + 1, ${ctx.actor.userId}, ${at}, ${wrong.length === 0},
      ${JSON.stringify(body)}::jsonb, ${JSON.stringify(wrong)}::jsonb
    from critical_read_backs where alert_id = ${alert.id}`.execute(tx);
}

const readers = typedRows<{ user_id: string; name: string }>({ user_id: 'string', name: 'string' });

/** Who read it back last so that all agreed. */
async function findReader(tx: DatabaseTransaction, alertId: string) {
  const query = sql`
    select r.user_id, u.name from critical_read_backs r join users u on u.id = r.user_id
    where r.alert_id = ${alertId} and r.is_right order by r.place desc limit 1`;
  return readers.first(tx, query);
}

async function overError(tx: DatabaseTransaction, { alert }: OpenedAlert): Promise<AppError> {
  const reader = await findReader(tx, alert.id);
  const message =
    alert.state === 'withdrawn'
      ? 'This alert was withdrawn meanwhile.'
      : `${reader?.name ?? 'Somebody else'} has read it back meanwhile.`;
  return new AppError('conflict', { message });
}

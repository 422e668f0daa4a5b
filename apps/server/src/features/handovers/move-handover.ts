import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { moveHandover as endpoint } from '@wardline/contract/examinations/handovers.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { authorize } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import type { Publication } from '#/platform/http/publish.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { decide } from './core/decide.ts';
import type { HandoverDeps } from './core/deps.ts';
import { handoverChanged } from './core/handover-changed.ts';
import { changeHandover, receiveHandover, tickAction } from './core/policy.ts';
import { type OpenedHandover, requireHandover, serializeHandover } from './core/require-handover.ts';
import { insertReceipt, listVersions } from './core/sheet-queries.ts';
import { now, signerOf } from './core/sign-sheet.ts';

type Endpoint = typeof endpoint;
type Event = InputOf<Endpoint>['body']['event'];

/** Receives, declines or withdraws a hand-over (CHAT-7): its state, the receiver's signature, the lines in the chat and the audit entry, or nothing. */
export function moveHandover(deps: HandoverDeps) {
  return async (
    { actor, db, write }: RequestContext,
    { params, body }: InputOf<Endpoint>,
  ): Promise<ReplyOf<Endpoint>> => {
    const question = { actor, handoverId: params.handover };
    const seen = await requireHandover(deps, db, question);
    // Whoever only reads learns nothing of its state by trying.
    authorize(actor, tickAction, seen.chat);
    return write('handover.move', async (tx) => {
      await deps.chats.lock(tx, seen.chat.id);
      const before = await requireHandover(deps, tx, question);
      const { event, text } = body;
      const { next } = await decide(tx, before.handover, { event, expectedVersion: body.expected_version, text });
      authorizeEvent(actor, event, before);
      // Who received it is who it went to, also where they hold the role only since.
      const isReceipt = event === 'receive';
      const at = now(deps);
      const by = isReceipt ? { to_user: actor.userId } : { ended_by: actor.userId, ended_at: at, reason: text };
      await tx
        .updateTable('handovers')
        .set({ state: next.state, version: next.version, ...by })
        .where('id', '=', params.handover)
        .execute();
      const { chat_id: chatId, facility_id: facilityId } = before.handover.summary;
      const place = { actor, chatId, facilityId };
      const act = { kind: 'handover', id: params.handover } as const;
      const said = await deps.chats.say(tx, { ...place, body: formatLine(event, before, text), act });
      const signed = isReceipt ? await sign(deps, tx, { actor, before, synthesis: text, at }) : null;
      const opened = await requireHandover(deps, tx, question);
      const from = before.handover.summary.state;
      const detail = { chat: chatId, event, from, to: next.state, version: next.version, ...signed?.audit };
      return {
        result: await serializeHandover(tx, { actor, opened }),
        audit: { facilityId, objectType: 'handover', objectId: params.handover, detail },
        publish: await handoverChanged(tx, opened.handover),
        publishToAll: [...said, ...(signed?.publish ?? [])],
      };
    });
  };
}

function authorizeEvent(actor: Actor, event: Event, { chat, handover, isReceiver }: OpenedHandover): void {
  if (event === 'withdraw') authorize(actor, changeHandover, { chat, givenBy: handover.givenBy });
  else authorize(actor, receiveHandover, { chat, isReceiver });
}

/** What was done, said without the name. */
function formatLine(event: Event, { handover: { summary } }: OpenedHandover, text: string): string {
  if (event === 'receive') return `received the hand-over from ${summary.from}, version ${summary.sheet_version}`;
  return event === 'decline'
    ? `declined the hand-over from ${summary.from}: ${text}`
    : `withdrew the hand-over to ${summary.to}: ${text}`;
}

interface Receiving {
  readonly actor: Actor;
  readonly before: OpenedHandover;
  readonly synthesis: string;
  readonly at: string;
}

/** The receiver's signature over the sheet that stands, and the chat that goes with it where the giver said so. */
async function sign(
  { handovers }: HandoverDeps,
  tx: Transaction,
  { actor, before, synthesis, at }: Receiving,
): Promise<{ audit: object; publish: readonly Publication[] }> {
  const { id, chat_id: chatId, facility_id: facilityId } = before.handover.summary;
  const [sheet] = await listVersions(tx, id);
  if (!sheet) throw new AppError('not_found');
  const received = { by: signerOf(actor, facilityId), at };
  const about = { handover: id, version: sheet.version, sheet_sha256: sheet.sha256 };
  const sha256 = await insertReceipt(tx, { ...about, synthesis, received });
  const publish = sheet.hands_over_chat ? await handovers.handOver(tx, { actor, chatId, giver: sheet.given.by }) : [];
  return { audit: { sheet: sheet.version, sha256, hands_over_chat: sheet.hands_over_chat }, publish };
}

import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type * as contract from '@wardline/contract/examinations/handovers.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { idCursor } from '#/platform/http/cursor.ts';
import type { InputOf } from '#/platform/http/route.ts';
import type { HandoverDeps } from './core/deps.ts';
import { listSummaries } from './core/handover-queries.ts';
import { listSuggestions } from './core/handover-suggestions.ts';
import { requireHandover, serializeHandover } from './core/require-handover.ts';
import { findPatient } from './core/sign-sheet.ts';

type GetHandover = typeof contract.getHandover;
type ListSuggestions = typeof contract.listHandoverSuggestions;
type ListHandovers = typeof contract.listHandovers;
type NotePrint = typeof contract.noteHandoverPrint;

const PAGE = 50;

export function listHandoverSuggestions(deps: HandoverDeps) {
  return async (
    { actor, db, noteReads }: RequestContext,
    { params }: InputOf<ListSuggestions>,
  ): Promise<ReplyOf<ListSuggestions>> => {
    const chat = await deps.chats.open(db, { actor, chatId: params.chat });
    await noteReads('chat.read', [{ facilityId: chat.facilityId, objectType: 'chat', objectId: chat.id }]);
    const suggestions = await listSuggestions(deps, db, { chatId: chat.id, userId: actor.userId });
    return { patient: await findPatient(db, chat.id), suggestions, can_manage: chat.canManage };
  };
}

export function listHandovers({ chats }: HandoverDeps) {
  return async (
    { actor, db, noteReads }: RequestContext,
    { params, query }: InputOf<ListHandovers>,
  ): Promise<ReplyOf<ListHandovers>> => {
    const chat = await chats.open(db, { actor, chatId: params.chat });
    await noteReads('chat.read', [{ facilityId: chat.facilityId, objectType: 'chat', objectId: chat.id }]);
    const limit = query.limit ?? PAGE;
    const before = query.cursor === undefined ? null : idCursor(query.cursor);
    const found = await listSummaries(db, { chatId: chat.id, before, limit: limit + 1 });
    const data = found.slice(0, limit);
    return { data, next_cursor: found.length > limit ? (data.at(-1)?.id ?? null) : null };
  };
}

export function getHandover(deps: HandoverDeps) {
  return async (
    { actor, db, noteReads }: RequestContext,
    { params }: InputOf<GetHandover>,
  ): Promise<ReplyOf<GetHandover>> => {
    const opened = await requireHandover(deps, db, { actor, handoverId: params.handover });
    const { id: chatId, facilityId } = opened.chat;
    await noteReads('handover.view', [{ facilityId, objectType: 'handover', objectId: params.handover, chatId }]);
    return serializeHandover(db, { actor, opened });
  };
}

export function noteHandoverPrint(deps: HandoverDeps) {
  return async ({ actor, db, write }: RequestContext, { params }: InputOf<NotePrint>): Promise<ReplyOf<NotePrint>> => {
    const { chat, handover } = await requireHandover(deps, db, { actor, handoverId: params.handover });
    const detail = { chat: chat.id, version: handover.summary.sheet_version };
    await write('handover.print', async () => ({
      result: undefined,
      audit: { facilityId: chat.facilityId, objectType: 'handover', objectId: params.handover, detail },
    }));
  };
}

import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type * as contract from '@wardline/contract/examinations/examinations.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { idCursor } from '#/platform/http/cursor.ts';
import type { InputOf } from '#/platform/http/route.ts';
import type { ExaminationDeps } from './core/deps.ts';
import { listSummaries } from './core/examination-queries.ts';
import { requireExaminationToRead, serializeExamination } from './core/require-examination.ts';

type GetExamination = typeof contract.getExamination;
type ListExaminations = typeof contract.listExaminations;

const PAGE = 50;

export function getExamination(deps: ExaminationDeps) {
  return async (ctx: RequestContext, { params }: InputOf<GetExamination>): Promise<ReplyOf<GetExamination>> => {
    const opened = await requireExaminationToRead(deps, ctx, params.examination);
    return serializeExamination(deps, ctx.db, { actor: ctx.actor, opened });
  };
}

export function listExaminations({ chats }: ExaminationDeps) {
  return async (
    { actor, db, noteReads }: RequestContext,
    { params, query }: InputOf<ListExaminations>,
  ): Promise<ReplyOf<ListExaminations>> => {
    const chat = await chats.open(db, { actor, chatId: params.chat });
    await noteReads('chat.read', [{ facilityId: chat.facilityId, objectType: 'chat', objectId: chat.id }]);
    const limit = query.limit ?? PAGE;
    const before = query.cursor === undefined ? null : idCursor(query.cursor);
    const found = await listSummaries(db, { chatId: chat.id, userId: actor.userId, before, limit: limit + 1 });
    const data = found.slice(0, limit);
    return { data, next_cursor: found.length > limit ? (data.at(-1)?.id ?? null) : null };
  };
}

import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { listExaminationTemplates as endpoint } from '@wardline/contract/examinations/examinations.ts';
import { authorizeToKnow } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { idCursor } from '#/platform/http/cursor.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { seeTemplates } from './core/policy.ts';
import { listTemplateRows } from './core/template-queries.ts';

const PAGE = 50;

/** The forms of a facility. They say nothing of any patient: every member may see them. */
export async function listExaminationTemplates(
  { actor, db }: RequestContext,
  { params, query }: InputOf<typeof endpoint>,
): Promise<ReplyOf<typeof endpoint>> {
  const facilityId = params.facility;
  authorizeToKnow(actor, seeTemplates, { facilityId });
  const limit = query.limit ?? PAGE;
  const after = query.cursor === undefined ? null : idCursor(query.cursor);
  const found = await listTemplateRows(db, { facilityId, after, limit: limit + 1 });
  const data = found.slice(0, limit);
  return { data, next_cursor: found.length > limit ? (data.at(-1)?.id ?? null) : null };
}

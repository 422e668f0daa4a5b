import type { ParamsOf, QueryOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type { listMembers as endpoint } from '@wardline/contract/facilities.ts';
import { Id } from '@wardline/contract/values.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import { can } from '#/platform/http/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { avatarUrl } from '#/platform/images/avatar-url.ts';
import { seeFacility } from './policy.ts';
import { findMembers, findPlace, type MemberPlace } from './queries.ts';

const PAGE = 50;

interface Input {
  readonly params: ParamsOf<typeof endpoint>;
  readonly query: QueryOf<typeof endpoint>;
}

/** The people of a facility by name, a page at a time; `q` is part of a name. The cursor is the last person's id. */
export async function listMembers(
  { actor, db }: Pick<RequestContext, 'actor' | 'db'>,
  { params, query }: Input,
): Promise<ReplyOf<typeof endpoint>> {
  const facilityId = params.facility;
  if (!can(actor, seeFacility, { facilityId })) throw new AppError('not_found');
  const limit = query.limit ?? PAGE;
  const after = query.cursor === undefined ? null : await readCursor(db, facilityId, query.cursor);
  const rows = await findMembers(db, { facilityId, part: query.q ?? '', after, limit: limit + 1 });
  const data = rows
    .slice(0, limit)
    .map(({ avatar_key, ...member }) => ({ ...member, avatar_url: avatarUrl(avatar_key) }));
  return { data, next_cursor: rows.length > limit ? (data.at(-1)?.user_id ?? null) : null };
}

async function readCursor(db: RequestContext['db'], facilityId: string, cursor: string): Promise<MemberPlace> {
  const place = Id.safeParse(cursor).success ? await findPlace(db, { facilityId, userId: cursor }) : undefined;
  if (!place) throw invalidField('cursor', 'This is not a cursor.');
  return place;
}

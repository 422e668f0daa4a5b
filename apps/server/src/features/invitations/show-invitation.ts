import type { ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type { showInvitation as endpoint } from '@wardline/contract/invitations.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { placeOf } from '#/platform/http/client-address.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { Counter } from '#/platform/http/rate-limit.ts';
import { hashSecret } from '#/platform/http/session-cookie.ts';
import { findOpen } from './queries.ts';

/** Where an invitation leads, for whoever holds its link. One without force answers as one that never was. */
export function showInvitation({ looks }: { readonly looks: Counter }) {
  return async (
    { db, http }: Pick<RequestContext<Actor | null>, 'db' | 'http'>,
    { params }: { params: ParamsOf<typeof endpoint> },
  ): Promise<ReplyOf<typeof endpoint>> => {
    await looks.take(placeOf(http.ip));
    const found = await findOpen(db, hashSecret(params.token));
    if (!found) throw new AppError('not_found');
    return { facility_name: found.facility_name, expires_at: found.expires_at.toISOString() };
  };
}

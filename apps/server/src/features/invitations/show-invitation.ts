import type { ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type { showInvitation as endpoint } from '@wardline/contract/facilities/invitations.ts';
import { sql } from 'kysely';
import type { Database } from '#/platform/db/database.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { can } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { placeOf } from '#/platform/http/edge/client-address.ts';
import type { Counter } from '#/platform/http/rate-limit.ts';
import { hashSecret } from '#/platform/http/session-cookie.ts';
import { seeFacility } from './core/policy.ts';

/** Where an invitation leads, for whoever holds its link. One without force answers as one that never was. */
export function showInvitation({ looks }: { readonly looks: Counter }) {
  return async (
    { actor, db, http }: Pick<RequestContext<Actor | null>, 'actor' | 'db' | 'http'>,
    { params }: { params: ParamsOf<typeof endpoint> },
  ): Promise<ReplyOf<typeof endpoint>> => {
    await looks.take(placeOf(http.ip));
    const found = await findOpen(db, hashSecret(params.token));
    if (!found) throw new AppError('not_found');
    const { facility_id: facilityId, facility_name, expires_at, email } = found;
    const is_member = actor !== null && can(actor, seeFacility, { facilityId });
    return { facility_name, expires_at: expires_at.toISOString(), email, is_member };
  };
}

interface OpenInvitation {
  readonly facility_id: string;
  readonly facility_name: string;
  readonly expires_at: Date;
  readonly email: string | null;
}

/** The invitation of this token while somebody can join by it. */
async function findOpen(db: Database, tokenHash: Buffer): Promise<OpenInvitation | undefined> {
  const found = await sql<OpenInvitation>`
    select s.facility_id, f.name as facility_name, s.expires_at, i.email
    from standing_invitations s join invitations i on i.id = s.id join facilities f on f.id = s.facility_id
    where s.token_hash = ${tokenHash} and s.used_at is null and s.expires_at > now()`.execute(db);
  return found.rows[0];
}

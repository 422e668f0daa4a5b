import { membershipIn } from '#/platform/http/actor.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { LogAuthor } from './append-log.ts';

/** Who is behind a request, for the census log of a facility. */
export function authorOf({ actor, http }: Pick<RequestContext, 'actor' | 'http'>, facilityId: string): LogAuthor {
  return {
    actorId: actor.userId,
    actorName: actor.name,
    actorTitle: membershipIn(actor, facilityId)?.title ?? null,
    source: 'web',
    requestId: http.requestId,
    ip: http.ip,
    device: actor.credential.key,
  };
}

/** The server itself, by its clock. */
export function jobAuthor(jobId: string | null): LogAuthor {
  return {
    actorId: null,
    actorName: 'Wardline',
    actorTitle: null,
    source: 'job',
    requestId: jobId,
    ip: null,
    device: null,
  };
}

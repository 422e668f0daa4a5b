import type { NewLogEntry } from '#/features/census/core/append-log.ts';
import type { FacilityConfig } from '#/features/census/core/config-queries.ts';
import { readLog } from '#/features/census/core/policy.ts';
import { requireFacilityNow } from '#/features/census/core/require-facility.ts';
import { type Actor, hasPermission } from '#/platform/http/actor.ts';
import { can } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { refuse } from './note-once.ts';

export type LogContext = Pick<RequestContext, 'actor' | 'db' | 'write' | 'http'>;

/** The facility, for somebody who may read its log. A stranger learns nothing (404); a member is refused, on record (403). */
export async function requireLog(
  ctx: LogContext,
  facilityId: string,
  action: NewLogEntry['action'],
): Promise<FacilityConfig> {
  const place = await requireFacilityNow(ctx, facilityId);
  if (can(ctx.actor, readLog, { facilityId })) return place;
  return refuse(ctx, place, action);
}

/** Addresses of devices are for those who may see the audit. */
export function maySeeAddresses(actor: Actor, facilityId: string): boolean {
  return hasPermission(actor, facilityId, 'audit.view');
}

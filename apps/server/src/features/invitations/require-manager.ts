import type { Actor } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { authorize, can } from '#/platform/http/authorize.ts';
import { manageInvitations, seeFacility } from './policy.ts';

/** To a stranger the facility does not exist (404); a member without the right is refused (403). */
export function requireManager(actor: Actor, facilityId: string): void {
  if (!can(actor, seeFacility, { facilityId })) throw new AppError('not_found');
  authorize(actor, manageInvitations, { facilityId });
}

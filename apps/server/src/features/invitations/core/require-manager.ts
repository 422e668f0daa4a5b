import type { Actor } from '#/platform/http/actor.ts';
import { authorize, authorizeToKnow } from '#/platform/http/authorization/authorize.ts';
import { manageInvitations, seeFacility } from './policy.ts';

/** To a stranger the facility does not exist (404); a member without the right is refused (403). */
export function requireManager(actor: Actor, facilityId: string): void {
  authorizeToKnow(actor, seeFacility, { facilityId });
  authorize(actor, manageInvitations, { facilityId });
}

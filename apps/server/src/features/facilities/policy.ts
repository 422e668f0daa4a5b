import { hasPermission, membershipIn } from '#/platform/http/actor.ts';
import { action } from '#/platform/http/authorize.ts';

interface InFacility {
  readonly facilityId: string;
}

/** To know that a facility is there, and who belongs to it. */
export const seeFacility = action<InFacility>(
  'facility.see',
  (actor, { facilityId }) => membershipIn(actor, facilityId) !== undefined,
);

export const removeMembers = action<InFacility>('members.remove', (actor, { facilityId }) =>
  hasPermission(actor, facilityId, 'members.manage'),
);

/** A facility keeps somebody who can manage its members. `inCharge` are the people who can now. */
export function leavesNobodyInCharge(leaving: string, inCharge: readonly string[]): boolean {
  return inCharge.includes(leaving) && inCharge.length === 1;
}

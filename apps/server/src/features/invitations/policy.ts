import { MACHINE_PERMISSIONS } from '@wardline/contract/auth.ts';
import { hasPermission, membershipIn } from '#/platform/http/actor.ts';
import { action } from '#/platform/http/authorize.ts';

interface InFacility {
  readonly facilityId: string;
}

/** To know that a facility is there. */
export const seeFacility = action<InFacility>(
  'facility.see',
  (actor, { facilityId }) => membershipIn(actor, facilityId) !== undefined,
);

/** To decide who joins: its roles, its invitations. */
export const manageInvitations = action<InFacility>('invitations.manage', (actor, { facilityId }) =>
  hasPermission(actor, facilityId, 'members.manage'),
);

/** Nobody gives away a right that they do not have themselves, but for those of machines. */
export function exceedsOwn(permissions: readonly string[], own: readonly string[]): boolean {
  return permissions.some((permission) => !own.includes(permission) && !MACHINE_PERMISSIONS.includes(permission));
}

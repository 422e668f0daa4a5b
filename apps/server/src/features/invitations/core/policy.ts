import { hasPermission, membershipIn } from '#/platform/http/actor.ts';
import { action } from '#/platform/http/authorization/authorize.ts';

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

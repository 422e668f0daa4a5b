import { hasPermission, membershipIn } from '#/platform/http/actor.ts';
import { action } from '#/platform/http/authorization/authorize.ts';

interface InFacility {
  readonly facilityId: string;
}

/** Whether the facility is there at all for who asks. */
export const seeFacility = action<InFacility>(
  'audit.facility',
  (actor, { facilityId }) => membershipIn(actor, facilityId) !== undefined,
);

/** Who did and read what in a facility: for who answers for that. It opens no chat. */
export const viewAudit = action<InFacility>('audit.view', (actor, { facilityId }) =>
  hasPermission(actor, facilityId, 'audit.view'),
);

import { facilityChannel } from '@wardline/contract/facilities/facilities.ts';
import { hasPermission, membershipIn } from '#/platform/http/actor.ts';
import { action, can } from '#/platform/http/authorization/authorize.ts';
import type { ChannelRule } from '#/platform/realtime/channels/channel-rule.ts';

/** The news of a facility are for its members. */
export const channels: readonly ChannelRule[] = [
  { channel: facilityChannel, join: async (actor, id) => (can(actor, seeFacility, { facilityId: id }) ? {} : null) },
];

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

/** To say what roles allow, and who has them. */
export const manageRoles = action<InFacility>('roles.manage', (actor, { facilityId }) =>
  hasPermission(actor, facilityId, 'members.manage'),
);

export const manageFacility = action<InFacility>('facility.manage', (actor, { facilityId }) =>
  hasPermission(actor, facilityId, 'facility.manage'),
);

/** Numbers are for who is given them; one's own one always sees. */
export const seePhone = action<InFacility & { readonly userId: string }>(
  'phones.see',
  (actor, { facilityId, userId }) =>
    hasPermission(actor, facilityId, 'phones.view') ||
    (userId === actor.userId && seeFacility.allows(actor, { facilityId })),
);

/** One's own, and that of anybody for who manages the members. */
export const setPhone = action<InFacility & { readonly userId: string }>(
  'members.set_phone',
  (actor, { facilityId, userId }) =>
    removeMembers.allows(actor, { facilityId }) ||
    (userId === actor.userId && seeFacility.allows(actor, { facilityId })),
);

/** To say what somebody is there: nobody gives themselves a title. */
export const setTitle = action<InFacility>('members.set_title', (actor, { facilityId }) =>
  hasPermission(actor, facilityId, 'members.manage'),
);

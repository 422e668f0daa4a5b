import { facilityChannel } from '@wardline/contract/facilities.ts';
import { hasPermission, membershipIn } from '#/platform/http/actor.ts';
import { action, can } from '#/platform/http/authorize.ts';
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

/** A facility keeps somebody who can manage its members. `inCharge` are the people who can now. */
export function leavesNobodyInCharge(leaving: string, inCharge: readonly string[]): boolean {
  return inCharge.includes(leaving) && inCharge.length === 1;
}

import { facilityChannel } from '@wardline/contract/facilities.ts';
import { can } from '#/platform/http/authorize.ts';
import type { ChannelRule } from '#/platform/realtime/channels/channel-rule.ts';
import { seeFacility } from './policy.ts';

/** The news of a facility are for its members. */
export const channels: readonly ChannelRule[] = [
  { channel: facilityChannel, join: async (actor, id) => (can(actor, seeFacility, { facilityId: id }) ? {} : null) },
];

import { type CensusChanged, censusChannel } from '@wardline/contract/census.ts';
import { can } from '#/platform/http/authorize.ts';
import { type Publication, publication } from '#/platform/http/publish.ts';
import type { ChannelRule } from '#/platform/realtime/channels/channel-rule.ts';
import { subscribe } from './policy.ts';

/** News of a facility's census are for those who may open one of its pages; they carry no figure. */
export const channels: readonly ChannelRule[] = [
  { channel: censusChannel, join: async (actor, id) => (can(actor, subscribe, { facilityId: id }) ? {} : null) },
];

/** Something of this date is not what it was. */
export function censusChanged(change: CensusChanged): Publication {
  return publication(censusChannel, change.facility_id, ['CensusChanged', change]);
}

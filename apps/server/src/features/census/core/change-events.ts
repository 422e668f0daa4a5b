import { censusChannel } from '@wardline/contract/census/census.ts';
import { can } from '#/platform/http/authorization/authorize.ts';
import { type Publication, publication } from '#/platform/http/publish.ts';
import type { ChannelRule } from '#/platform/realtime/channels/channel-rule.ts';
import { subscribe } from './policy.ts';

/** News of a facility's census are for those who may open one of its pages; they carry no figure. */
export const channels: readonly ChannelRule[] = [
  { channel: censusChannel, join: async (actor, id) => (can(actor, subscribe, { facilityId: id }) ? {} : null) },
];

/** Dates of a facility that are not what they were. */
export interface CensusChange {
  readonly dates: readonly string[];
  /** Null where it is not one unit's alone. */
  readonly unitId: string | null;
  /** Only the report itself shows it. */
  readonly isDraft?: boolean;
}

/** One event for all that a transaction changed: from the first date to the last, and the unit where all name the same. */
export function censusChanged(facilityId: string, changes: readonly CensusChange[]): Publication[] {
  const dates = changes.flatMap((change) => change.dates).sort();
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined) return [];
  const [unitId = null, ...others] = new Set(changes.map((change) => change.unitId));
  const change = {
    facility_id: facilityId,
    census_date: first,
    ...(last !== first && { to_date: last }),
    unit_id: others.length === 0 ? unitId : null,
    ...(changes.every(({ isDraft }) => isDraft) && { is_draft: true }),
  };
  return [publication(censusChannel, facilityId, ['CensusChanged', change])];
}

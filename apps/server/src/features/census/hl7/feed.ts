import { createHmac } from 'node:crypto';
import type { LogAuthor } from '#/features/census/core/append-log.ts';
import type { FacilityConfig } from '#/features/census/core/config-queries.ts';
import { type DatedClock, eventDate } from './event-date.ts';
import type { StayName } from './read-adt.ts';

/** A facility that hears from its patient system, and who hands a message in. */
export interface Feed {
  readonly place: FacilityConfig;
  /** Unit codes as {@link unitKey} spells them → unit_no. */
  readonly units: ReadonlyMap<string, number>;
  /** The newest first: what happened under an earlier one stays on its date. */
  readonly clocks: readonly DatedClock[];
  /** The key of the hashes under which visits are kept. */
  readonly secret: Buffer;
  readonly author: LogAuthor;
  readonly now: Date;
}

/** A unit's code as it is compared: letters and digits alone, in capitals. */
export function unitKey(code: string): string {
  return code.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase();
}

/** Under this a visit is kept: without the secret nobody gets from it to a number, or from a number to it. */
export function visitKeyOf({ secret, place }: Feed, stay: StayName): Buffer {
  return createHmac('sha256', secret).update(`${place.facility_no}\u0000${stay}`).digest();
}

/** Whether the patient system says something of the reports of the date on which this happened. */
export function isLiveAt({ place, clocks }: Feed, instant: Date): boolean {
  const { feed_live_from: liveFrom } = place;
  return liveFrom !== null && eventDate(instant, clocks) >= liveFrom;
}

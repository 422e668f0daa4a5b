export type DutyState = 'on_duty' | 'busy' | 'off_duty';
export type BusyReason = 'in_theatre' | 'ward_round' | 'procedure' | 'with_patient' | 'in_meeting' | 'on_break';
export type LastSeen = 'now' | 'hour' | 'today' | 'yesterday' | 'week';

/** All that says whether somebody is there for a facility; instants in ISO 8601. */
export interface DutyFacts {
  /** Until when the last of the shifts lasts that they have now; null where they hold no on-call role. */
  readonly shift_until: string | null;
  /** What they said themselves, each until an instant. */
  readonly on_duty_until: string | null;
  readonly busy: { readonly until: string; readonly reason: BusyReason | null } | null;
}

export interface Duty {
  readonly state: DutyState;
  /** When this ends, in ms, so far as anybody knows; null off duty. */
  readonly until: number | null;
  /** Why somebody is busy, where they said it. */
  readonly reason: BusyReason | null;
}

/**
 * Whether a person is on duty, busy or off duty at `now` (ms): one rule for pages and server (decision 050). Busy is what they
 * said; without it a shift of now or their own word puts them on duty. Whoever holds an on-call role is never off duty.
 */
export function dutyOf({ shift_until, on_duty_until, busy }: DutyFacts, now: number): Duty {
  const lasting = (at: string | null) => (at !== null && Date.parse(at) > now ? Date.parse(at) : null);
  const busyUntil = lasting(busy?.until ?? null);
  if (busyUntil !== null) return { state: 'busy', until: busyUntil, reason: busy?.reason ?? null };
  const ends = [lasting(shift_until), lasting(on_duty_until)].filter((at) => at !== null);
  if (ends.length === 0) return { state: 'off_duty', until: null, reason: null };
  return { state: 'on_duty', until: Math.max(...ends), reason: null };
}

/** What is noted of somebody's use is up to five minutes older than the use; nobody is told more than this. */
const NOW_S = 10 * 60;
const HOUR_S = 60 * 60;
const WEEK_DAYS = 7;

/**
 * About when somebody used the product last, never at which time: `secondsAgo`, and by how many calendar days of the facility.
 * Null where that is a week or longer ago.
 */
export function lastSeenOf({ secondsAgo, daysAgo }: { secondsAgo: number; daysAgo: number }): LastSeen | null {
  if (secondsAgo < NOW_S) return 'now';
  if (secondsAgo < HOUR_S) return 'hour';
  if (daysAgo <= 0) return 'today';
  if (daysAgo === 1) return 'yesterday';
  return daysAgo < WEEK_DAYS ? 'week' : null;
}

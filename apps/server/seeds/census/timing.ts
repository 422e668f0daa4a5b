import type { FacilityConfig, NewFacilityDay } from '#/features/census/core/config-queries.ts';
import { newFacilityDay } from '#/features/census/core/facility-day-clock.ts';
import type { Random } from '../random.ts';
import type { SimulatedDay } from './simulate.ts';
import { type Story, slipOn } from './story.ts';

const MINUTE_MS = 60_000;
const HOUR = 60;
const DAY = 24 * HOUR;
/** After so many minutes the acts of the newest day are done; where it is earlier, they were done quicker. */
const BUSY_MINUTES = 9 * HOUR;
/** Younger days are signed and not yet locked. */
const LOCKED_FROM_DAYS_BACK = 3;

/** One census date of the facility, and when it was signed and locked. */
export interface TimedDay {
  readonly clock: NewFacilityDay;
  readonly daysBack: number;
  readonly status: 'open' | 'approved' | 'locked';
  readonly signedAt: Date | null;
  readonly lockedAt: Date | null;
}

/** A report with what became of it and when. */
export interface TimedReport extends SimulatedDay {
  readonly submittedAt: Date;
  readonly isOnTime: boolean;
  /** When it was approved or returned; null while nobody has looked at it. */
  readonly reviewedAt: Date | null;
  readonly status: 'submitted' | 'returned' | 'approved' | 'locked';
}

/** A day is signed in the morning after it if every unit is in and approved and the moves agree. */
export function timeDays(
  place: FacilityConfig,
  { story, dates }: { story: Story; dates: readonly string[] },
): TimedDay[] {
  return dates.map((date, index) => {
    const daysBack = dates.length - 1 - index;
    const clock = newFacilityDay(place, date);
    const isBroken = [...story.missing, ...story.returned].some((gap) => gap.daysBack === daysBack);
    const isSigned = daysBack > 0 && !isBroken;
    const isLocked = isSigned && daysBack >= LOCKED_FROM_DAYS_BACK;
    return {
      clock,
      daysBack,
      status: isLocked ? 'locked' : isSigned ? 'approved' : 'open',
      signedAt: isSigned ? minutesAfter(clock.censusAt, signedAfter(story, daysBack)) : null,
      lockedAt: isLocked ? minutesAfter(clock.censusAt, 2 * DAY + 11 * HOUR + 10) : null,
    };
  });
}

/** 11:04; a day that was corrected was signed once more, in the afternoon two days after the slip’s date. */
function signedAfter(story: Story, daysBack: number): number {
  const slip = slipOn(story, { daysBack });
  if (!slip) return 11 * HOUR + 4;
  return 16 * HOUR + 50 + (slip.isNext ? 1 : DAY);
}

/** When a unit’s report was handed in and looked at. */
export function timeReport(
  report: SimulatedDay,
  { day, story, random, now }: { day: TimedDay; story: Story; random: Random; now: Date },
): TimedReport {
  const { ward, daysBack } = report;
  const isTold = (list: readonly { readonly code: string; readonly daysBack: number }[]) =>
    list.some((told) => told.code === ward.code && told.daysBack === daysBack);
  const isLate = isTold(story.late) || random.next() < ward.late;
  const handedIn = isLate ? 61 + random.below(80) : 8 + random.below(44);
  const reviewed = 7 * HOUR + 30 + random.below(75);
  const { censusAt, dueAt } = day.clock;
  const pace = paceOf(censusAt, now);
  const submittedAt = minutesAfter(censusAt, handedIn * pace);
  const isReturned = isTold(story.returned);
  const isWaiting = isTold(story.unapproved);
  return {
    ...report,
    submittedAt,
    isOnTime: submittedAt <= dueAt,
    reviewedAt: isWaiting ? null : minutesAfter(censusAt, reviewed * pace),
    status: isReturned ? 'returned' : isWaiting ? 'submitted' : day.status === 'locked' ? 'locked' : 'approved',
  };
}

/** How much of their time the acts of the newest day take: all of it, or less where it is still early. */
export function paceOf(censusAt: Date, now: Date): number {
  return Math.min(1, (now.getTime() - censusAt.getTime()) / (BUSY_MINUTES * MINUTE_MS));
}

export function minutesAfter(instant: Date, minutes: number): Date {
  return new Date(instant.getTime() + Math.floor(minutes * MINUTE_MS));
}

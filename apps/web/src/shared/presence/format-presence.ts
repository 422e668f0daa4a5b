import {
  type BusyReason,
  type DutyState,
  dutyOf,
  type LastSeen,
} from '@wardline/contract/facilities/decide-presence.ts';
import type { Presence } from '@wardline/contract/facilities/presence.ts';
import type { Tone } from '@wardline/ui/mark/dot.tsx';
import { dayIn, formatDay, timeIn } from '#/shared/time/zoned-time.ts';

export const REASON_LABELS: Readonly<Record<BusyReason, string>> = {
  in_theatre: 'In theatre',
  ward_round: 'Ward round',
  procedure: 'Doing a procedure',
  with_patient: 'With a patient',
  in_meeting: 'In a meeting',
  on_break: 'On a break',
};

const SEEN_LABELS: Readonly<Record<LastSeen, string>> = {
  now: 'seen just now',
  hour: 'seen in the last hour',
  today: 'seen today',
  yesterday: 'seen yesterday',
  week: 'seen this week',
};

export const DUTY_TONES: Readonly<Record<DutyState, Tone>> = {
  on_duty: 'success',
  busy: 'warning',
  off_duty: 'neutral',
};

interface Clock {
  readonly zone: string;
  readonly now: number;
}

/** `On duty until 20:00`, `Busy until 14:30, in theatre`, `Off duty, seen yesterday`: each by the clock of the facility. */
export function formatPresence(presence: Presence, { zone, now }: Clock): string {
  const { state, until, reason } = dutyOf(presence, now);
  const end = until === null ? '' : ` until ${formatUntil(until, { zone, now })}`;
  if (state === 'busy') return `Busy${end}${reason === null ? '' : `, ${REASON_LABELS[reason].toLowerCase()}`}`;
  if (state === 'on_duty') return `On duty${end}`;
  return presence.last_seen === null ? 'Off duty' : `Off duty, ${SEEN_LABELS[presence.last_seen]}`;
}

/** `14:30`, or with its day where that is another one than today. */
export function formatUntil(until: number, { zone, now }: Clock): string {
  const [day, today] = [dayIn(zone, until), dayIn(zone, now)];
  return day === today ? timeIn(zone, until) : `${formatDay(day, today)}, ${timeIn(zone, until)}`;
}

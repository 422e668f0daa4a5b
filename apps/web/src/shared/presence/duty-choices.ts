import { type DutyFacts, type DutyState, dutyOf } from '@wardline/contract/facilities/decide-presence.ts';
import { MOST_STATED_HOURS } from '@wardline/contract/facilities/presence.ts';
import { formatUntil } from './format-presence.ts';

const MINUTE_MS = 60_000;
const BUSY_MINUTES = [30, 60, 120, 240];
const DUTY_MINUTES = [240, 480, 720, MOST_STATED_HOURS * 60];

interface Clock {
  readonly zone: string;
  readonly now: number;
}

/** Until when one may say that one is busy or on duty: some spans, and the end of the shift or of what one said before. */
export function endChoices(state: DutyState, known: DutyFacts, { zone, now }: Clock) {
  const latest = now + MOST_STATED_HOURS * 60 * MINUTE_MS;
  const spans = (state === 'busy' ? BUSY_MINUTES : DUTY_MINUTES).map((minutes) => ({
    at: Math.floor(now / MINUTE_MS + minutes) * MINUTE_MS,
    text: minutes < 60 ? `${minutes} minutes` : minutes === 60 ? '1 hour' : `${minutes / 60} hours`,
  }));
  const shift = dutyOf({ ...known, busy: null }, now).until;
  const ends = shift === null ? [] : [{ at: shift, text: state === 'busy' ? 'end of your duty' : 'as it is now' }];
  const all = state === 'busy' ? [...spans, ...ends] : [...ends, ...spans];
  return all
    .filter(({ at }) => at > now && at <= latest)
    .map(({ at, text }) => ({
      value: new Date(at).toISOString(),
      label: `${formatUntil(at, { zone, now })}, ${text}`,
    }));
}

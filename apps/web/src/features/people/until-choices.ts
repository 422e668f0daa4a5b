import type { OnCallRole } from '@wardline/contract/facilities/on-call.ts';
import { MOST_TAKEN_HOURS } from '@wardline/contract/facilities/on-call.ts';
import { formatWhen } from './format-when.ts';

const HOUR_MS = 3_600_000;
const QUARTER_MS = HOUR_MS / 4;
const HOURS = [4, 8, 12, MOST_TAKEN_HOURS];

/** Until when a role may be taken: to the end of the shift of now first, and never past who is planned next. */
export function untilChoices(
  { now: held, next }: OnCallRole,
  { zone, now }: { readonly zone: string; readonly now: number },
) {
  const latest = Math.min(
    now + MOST_TAKEN_HOURS * HOUR_MS,
    next ? Date.parse(next.starts_at) : Number.POSITIVE_INFINITY,
  );
  const reasons = new Map<number, string>();
  if (held) reasons.set(Date.parse(held.ends_at), 'end of this shift');
  if (next) reasons.set(Date.parse(next.starts_at), `when ${next.person.name} starts`);
  for (const hours of HOURS) {
    const at = Math.floor((now + hours * HOUR_MS) / QUARTER_MS) * QUARTER_MS;
    if (!reasons.has(at)) reasons.set(at, `${hours} hours`);
  }
  return [...reasons]
    .filter(([at]) => at > now && at <= latest)
    .map(([at, reason]) => ({ value: new Date(at).toISOString(), label: `${formatWhen(zone, at, now)}, ${reason}` }));
}

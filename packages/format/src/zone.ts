const SLOT_MS = 15 * 60_000;
/** Since 1973 dates of all zones break on a quarter of an hour: what was asked within one is known. */
const LAST_ODD_CLOCK = Date.UTC(1973, 0);
const MOST_KEPT = 20_000;
const clocks = new Map<string, Intl.DateTimeFormat>();
const dates = new Map<string, string>();

/** Made once for each zone: making one costs a thousand times what using it costs. An unknown zone counts as UTC. */
function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: isZone(zone) ? zone : 'UTC',
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  clocks.set(zone, made);
  return made;
}

/**
 * What a clock on the wall of an IANA zone shows at an instant, to the second, as milliseconds of a UTC day of the same name.
 * All that is asked of `Intl`: it gives numbers, which browsers and Node agree on; the words are ours.
 */
export function wallTime(zone: string, instant: number): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of clockOf(zone).formatToParts(instant)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** The calendar date, `YYYY-MM-DD`, of an instant in a zone. */
export function dateIn(zone: string, instant: number): string {
  if (instant < LAST_ODD_CLOCK) return new Date(wallTime(zone, instant)).toISOString().slice(0, 10);
  const slot = Math.floor(instant / SLOT_MS);
  const key = `${zone} ${slot}`;
  const kept = dates.get(key);
  if (kept) return kept;
  if (dates.size > MOST_KEPT) dates.clear();
  const date = new Date(wallTime(zone, slot * SLOT_MS)).toISOString().slice(0, 10);
  dates.set(key, date);
  return date;
}

/** How far a zone's clocks are ahead of UTC at an instant, in whole minutes. */
export function offsetMinutes(zone: string, instant: number): number {
  return Math.trunc((wallTime(zone, instant) - Math.floor(instant / 1000) * 1000) / 60_000);
}

/** The zone of this device, for what belongs to no facility. */
export function deviceZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** True for a zone that this machine can count in, also by one of its older names. */
export function isZone(zone: string): boolean {
  try {
    return zone !== '' && new Intl.DateTimeFormat('en', { timeZone: zone }) !== null;
  } catch {
    return false;
  }
}

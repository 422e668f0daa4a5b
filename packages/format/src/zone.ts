const SLOT_MS = 15 * 60_000;
const MOST_KEPT = 20_000;
const clocks = new Map<string, Intl.DateTimeFormat>();
/** How far a zone's clocks are ahead of UTC, by the quarter of an hour; null in one within which they are set. */
const offsets = new Map<string, Map<number, number | null>>();

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

/** All that is asked of `Intl`: it gives numbers, which browsers and Node agree on; the words are ours. */
function readOffset(zone: string, instant: number): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of clockOf(zone).formatToParts(instant)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - toSecond(instant);
}

/** Kept, since asking costs a hundred times as much: a list of messages asks at each drawing. */
function offsetAt(zone: string, instant: number): number {
  const slot = Math.floor(instant / SLOT_MS);
  const kept = keptOf(zone);
  let offset = kept.get(slot);
  if (offset === undefined) {
    const first = readOffset(zone, slot * SLOT_MS);
    offset = readOffset(zone, (slot + 1) * SLOT_MS - 1_000) === first ? first : null;
    kept.set(slot, offset);
  }
  return offset ?? readOffset(zone, instant);
}

function keptOf(zone: string): Map<number, number | null> {
  const known = offsets.get(zone);
  if (known !== undefined && known.size < MOST_KEPT) return known;
  const kept = new Map<number, number | null>();
  offsets.set(zone, kept);
  return kept;
}

function toSecond(instant: number): number {
  return Math.floor(instant / 1_000) * 1_000;
}

/**
 * What a clock on the wall of an IANA zone shows at an instant, to the second, as milliseconds of a UTC day of the same name.
 */
export function wallTime(zone: string, instant: number): number {
  return toSecond(instant) + offsetAt(zone, instant);
}

/** The calendar date, `YYYY-MM-DD`, of an instant in a zone. */
export function dateIn(zone: string, instant: number): string {
  return new Date(wallTime(zone, instant)).toISOString().slice(0, 10);
}

/** How far a zone's clocks are ahead of UTC at an instant, in whole minutes. */
export function offsetMinutes(zone: string, instant: number): number {
  return Math.trunc(offsetAt(zone, instant) / 60_000);
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

/** The header is exact to a second and answers travel: a clock within this is taken for right. */
const RIGHT_WITHIN_MS = 60_000;
/** An answer that took longer, or a device that slept meanwhile, says nothing of the time. */
const LONGEST_TRAVEL_MS = 10_000;

let leadMs = 0;

/** Takes the time from the Date header of an answer to what was asked at `askedAt` (ms, by the device's clock). */
export function hearServerTime(date: string | null, askedAt: number): void {
  const told = date === null ? Number.NaN : Date.parse(date);
  const heardAt = Date.now();
  if (Number.isNaN(told) || heardAt < askedAt || heardAt - askedAt > LONGEST_TRAVEL_MS) return;
  leadMs = Math.abs(told - heardAt) > RIGHT_WITHIN_MS ? told - heardAt : 0;
}

/** A time of the device's clock (ms) by the server's, as far as this page has heard it. */
export function onServerClock(deviceMs: number): number {
  return deviceMs + leadMs;
}

/**
 * The time (ms) by the server's clock, for what is said about due, late and today: the clock of a ward's computer may be
 * hours or years off. Until an answer was heard it is the device's. What is stored on the device keeps the device's time.
 */
export function serverNow(): number {
  return onServerClock(Date.now());
}

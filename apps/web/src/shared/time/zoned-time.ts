const slotMs = 15 * 60 * 1000;
const formats = new Map<string, Intl.DateTimeFormat>();
const days = new Map<string, string>();

/** The language tag dates and times follow: the reader's own English, else British English; words stay English. */
export function readerLocale(languages: readonly string[] = navigator.languages): string {
  return languages.find((language) => /^en\b/i.test(language)) ?? 'en-GB';
}

/** The zone of this device, for what belongs to no facility. */
export function deviceZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** A formatter, made once: making one costs a thousand times what using it costs. An unknown zone counts as UTC. */
export function dateFormat(locale: string, zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${zone} ${JSON.stringify(options)}`;
  const kept = formats.get(key);
  if (kept) return kept;
  const made = new Intl.DateTimeFormat(locale, { ...options, timeZone: isZone(zone) ? zone : 'UTC' });
  formats.set(key, made);
  return made;
}

/** The calendar day, `YYYY-MM-DD`, an instant falls on in a zone. Days of all zones break on a quarter of an hour. */
export function dayIn(zone: string, instant: number): string {
  const slot = Math.floor(instant / slotMs);
  const key = `${zone} ${slot}`;
  const kept = days.get(key);
  if (kept) return kept;
  if (days.size > 20_000) days.clear();
  const day = dateFormat('en-CA', zone, { year: 'numeric', month: '2-digit', day: '2-digit' }).format(slot * slotMs);
  days.set(key, day);
  return day;
}

/** The time of day, e.g. `00:35`. */
export function timeIn(zone: string, instant: number, locale: string = readerLocale()): string {
  return dateFormat(locale, zone, { timeStyle: 'short' }).format(instant);
}

/** The moment in full, for tooltips and screen readers. */
export function momentIn(zone: string, instant: number, locale: string = readerLocale()): string {
  const day = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
  return dateFormat(locale, zone, { ...day, hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(instant);
}

/** A calendar day in words, e.g. `Thu 19 Nov`; the year is said when it is not this one. */
export function formatDay(day: string, today: string, locale: string = readerLocale()): string {
  const isThisYear = day.slice(0, 4) === today.slice(0, 4);
  const options = { weekday: 'short', day: 'numeric', month: 'short' } as const;
  return dateFormat(locale, 'UTC', isThisYear ? options : { ...options, year: 'numeric' })
    .format(Date.parse(`${day}T12:00:00Z`))
    .replace(/^(\p{L}+), /u, '$1 ');
}

/** A day of birth, e.g. `14 Mar 1948`. */
export function formatBirthDate(day: string, locale: string = readerLocale()): string {
  return dateFormat(locale, 'UTC', { day: 'numeric', month: 'short', year: 'numeric' }).format(
    Date.parse(`${day}T12:00:00Z`),
  );
}

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }) !== null;
  } catch {
    return false;
  }
}

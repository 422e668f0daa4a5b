const formats = new Map<string, Intl.DateTimeFormat>();

function formatted(day: string, options: Intl.DateTimeFormatOptions): string {
  const key = JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
  formats.set(key, format);
  return format.format(Date.parse(`${day}T12:00:00Z`)).replace(',', '');
}

/** A calendar day with its weekday, e.g. 'Thu 19 Nov'. */
export function dayTitle(day: string): string {
  return formatted(day, { weekday: 'short', day: 'numeric', month: 'short' });
}

/** The month of a day, e.g. 'Nov'. */
export function monthName(day: string): string {
  return formatted(day, { month: 'short' });
}

/** The place of a day in its week: Monday is 0. */
export function weekdayIndex(day: string): number {
  return (new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7;
}

/** The names of the days of the week from Monday on. */
export function weekdayNames(): { short: string; long: string }[] {
  return Array.from({ length: 7 }, (_, index) => {
    // A Monday.
    const day = `2026-11-${String(16 + index).padStart(2, '0')}`;
    return { short: formatted(day, { weekday: 'short' }), long: formatted(day, { weekday: 'long' }) };
  });
}

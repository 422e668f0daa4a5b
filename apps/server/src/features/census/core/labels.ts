const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A census date in words: 'Thu 19 Nov'. */
export function formatDay(date: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  return `${WEEKDAYS[day.getUTCDay()]} ${day.getUTCDate()} ${MONTHS[day.getUTCMonth()]}`;
}

/** A unit's report in words: 'MED 3A', 'MAT newborn'. */
export function formatReport({ unit_code, class: population }: { unit_code: string; class: string }): string {
  return population === 'newborn' ? `${unit_code} newborn` : unit_code;
}

// Prints what the calendar says of ten years in every zone, to be compared between machines that stand in different zones.
import { censusDateOf, censusInstant, datesFrom, dayLength, firstInstant } from '../calendar.ts';
import { DAY_LENGTHS, ZONES } from './fixtures.ts';

const dates = datesFrom('2020-01-01', '2029-12-31');
const instants = ZONES.flatMap((time_zone) =>
  dates.map((date) => `${time_zone} ${date} ${censusInstant(date, { time_zone, census_time: '00:00' }).toISOString()}`),
);
const lengths = DAY_LENGTHS.map(([zone, date]) => {
  const begins = censusDateOf(firstInstant(date, '00:00', zone), { time_zone: zone, census_time: '00:00' });
  return `${zone} ${date} ${dayLength(date, zone)} ${begins}`;
});
process.stdout.write(`${new Date(2026, 6, 1).getTimezoneOffset()}\n${[...instants, ...lengths].join('\n')}\n`);

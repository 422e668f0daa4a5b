import { inflowOf, outflowOf } from '@wardline/census/balance.ts';
import { serverNow } from '@wardline/client/server-clock.ts';
import type { Counts } from '@wardline/contract/census/census.ts';
import type { OwedReport, UnitDay } from '@wardline/contract/census/unit.ts';
import { formatSpan } from '@wardline/format/spans.ts';
import { dayIn, formatDay, timeIn } from '#/shared/time/zoned-time.ts';

/** A census date with its weekday; the year is said when it is another one. */
export function formatDate(date: string, zone: string, now: number = serverNow()): string {
  return formatDay(date, dayIn(zone, now));
}

/** A report by its unit and date, and whom it counts where that is not the adults and children. */
export function reportTitle(
  {
    unit_code,
    census_date,
    population: of,
    time_zone,
  }: Pick<UnitDay, 'unit_code' | 'census_date' | 'population' | 'time_zone'>,
  now: number = serverNow(),
): string {
  return `${unit_code}, ${formatDate(census_date, time_zone, now)}${of === 'newborn' ? ', newborns' : ''}`;
}

/** What the page is about, beside the unit's name. */
export function reportContext(day: UnitDay, now: number = serverNow()): string {
  const who = day.population === 'newborn' ? 'newborns' : 'adults and children';
  return `${countedWhen(day, formatDate(day.census_date, day.time_zone, now))} · ${who}`;
}

type CensusMoment = Pick<UnitDay, 'census_date' | 'census_at' | 'time_zone'>;

/** The date with its hour. A count at midnight is of the day that ends then: `00:00` would read as its start. */
export function countedWhen(moment: CensusMoment, date: string): string {
  return isAtMidnight(moment) ? `end of ${date}` : `${date}, counted at ${censusTime(moment)}`;
}

/** Whether the count ends its day: it is made on the stroke of the next. */
export function isAtMidnight({ census_date, census_at, time_zone }: CensusMoment): boolean {
  return dayIn(time_zone, Date.parse(census_at)) !== census_date;
}

const censusTime = ({ census_at, time_zone }: CensusMoment) => timeIn(time_zone, Date.parse(census_at));

/** How urgent an owed report is, in words. */
export function formatOwed(report: OwedReport, now: number): string {
  if (report.status === 'returned') return report.last_reason ? `returned: ${report.last_reason}` : 'returned';
  if (report.status === 'amending') return 'being corrected';
  const due = Date.parse(report.due_at);
  const at = timeIn(report.time_zone, due);
  const isBegun = report.version > 0;
  if (now < Date.parse(report.census_at)) return `count at ${isAtMidnight(report) ? 'midnight' : censusTime(report)}`;
  if (now >= due) return `missing, ${formatSpan(now - due)} late`;
  return `${isBegun ? 'begun' : 'not in yet'}, due ${at}, ${formatSpan(due - now)} left`;
}

export interface Sum {
  readonly opening: number | null;
  readonly inflow: number;
  readonly outflow: number;
  /** Null while a part of the balance is not given. */
  readonly closing: number | null;
}

/** The balance as far as it goes: what is not given counts as none, and the closing is not told yet. */
export function sumOf(opening: number | null, counts: Counts): Sum {
  const { admissions, births, transfers_in, discharges, deaths, transfers_out } = counts;
  const parts = [opening, admissions, births, transfers_in, discharges, deaths, transfers_out];
  const inflow = inflowOf({ admissions: admissions ?? 0, births: births ?? 0, transfers_in: transfers_in ?? 0 });
  const outflow = outflowOf({ discharges: discharges ?? 0, deaths: deaths ?? 0, transfers_out: transfers_out ?? 0 });
  const isWhole = parts.every((part) => part !== null);
  return { opening, inflow, outflow, closing: isWhole ? (opening ?? 0) + inflow - outflow : null };
}

/** The arithmetic of a closing: `24 + 6 − 8`. */
export function arithmetic({ opening, inflow, outflow }: Sum): string {
  return `${opening ?? '–'} + ${inflow} − ${outflow}`;
}

import { COUNT_FIELDS, type Counts, mostOf } from '@wardline/contract/census/census.ts';

/** Counts in which every field of the balance is given. */
export interface BalanceInput {
  readonly opening: number;
  readonly admissions: number;
  readonly births: number;
  readonly transfers_in: number;
  readonly discharges: number;
  readonly deaths: number;
  readonly transfers_out: number;
  readonly ad_same_day: number;
  readonly on_leave: number;
}

/** What a unit-day comes to, in patients; `service_days` in patient days. */
export interface Balance {
  readonly closing: number;
  /** closing − on leave. */
  readonly present: number;
  /** present + admitted and discharged the same day: the daily inpatient census. */
  readonly service_days: number;
}

/**
 * closing = opening + admissions + births + transfers in − discharges − deaths − transfers out. Admissions, discharges and
 * deaths include same-day patients; `ad_same_day` is the part of them that was in and out since the last count.
 */
export function balanceOf(input: BalanceInput): Balance {
  const closing = input.opening + inflowOf(input) - outflowOf(input);
  const present = closing - input.on_leave;
  return { closing, present, service_days: present + input.ad_same_day };
}

/** Everybody who came into the unit. */
export function inflowOf(input: Pick<BalanceInput, 'admissions' | 'births' | 'transfers_in'>): number {
  return input.admissions + input.births + input.transfers_in;
}

/** Everybody who left it. */
export function outflowOf(input: Pick<BalanceInput, 'discharges' | 'deaths' | 'transfers_out'>): number {
  return input.discharges + input.deaths + input.transfers_out;
}

/** The balance as far as it can be told while somebody types: null while a part of it is not given. */
export function balanceWhile(opening: number | null, counts: Counts): Balance | null {
  const input = balanceInput(opening, counts);
  return input && balanceOf(input);
}

/** The facts of the balance, or null while one is not given. */
export function balanceInput(opening: number | null, counts: Counts): BalanceInput | null {
  const { admissions, births, transfers_in, discharges, deaths, transfers_out, ad_same_day, on_leave } = counts;
  const given = { opening, admissions, births, transfers_in, discharges, deaths, transfers_out, ad_same_day, on_leave };
  return Object.values(given).some((count) => count === null) ? null : (given as BalanceInput);
}

/** Counts in which nothing is given yet. */
export const NO_COUNTS: Counts = Object.freeze(toCounts(null));

/** The counts among these values, in the order of the report; what is missing is not given (null). */
export function toCounts(values: Readonly<Partial<Counts>> | null): Counts {
  return Object.fromEntries(COUNT_FIELDS.map((field) => [field, values?.[field] ?? null])) as Counts;
}

/** The counts of a day on which nobody came or went; the head count still has to be taken. Nobody left, so no stays are told. */
export function nilCounts(counted: number | null = null): Counts {
  return { ...(Object.fromEntries(COUNT_FIELDS.map((field) => [field, 0])) as Counts), discharge_days: null, counted };
}

/**
 * Reads a typed count: digits only, 0 to 9999, or to what its field can be. Blank is null (not given); anything else is undefined
 * (not a count).
 */
export function parseCount(text: string, field = ''): number | null | undefined {
  const digits = text.trim();
  if (digits === '') return null;
  return /^\d+$/.test(digits) && digits.length <= String(mostOf(field)).length ? Number(digits) : undefined;
}

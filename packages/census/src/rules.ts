import {
  type Beds,
  COUNT_FIELDS,
  type CountField,
  type Counts,
  type Finding,
  mostOf,
  type Population,
  REQUIRED_FIELDS,
  type RuleCode,
} from '@wardline/contract/census/census.ts';
import type { GivenTransfer } from '@wardline/contract/census/unit.ts';
import { counted, formatCount } from '@wardline/format/counts.ts';
import { formatRoundedDifference } from '@wardline/format/numbers.ts';
import { type BalanceInput, balanceInput, balanceOf } from './balance.ts';
import { PART_RULES } from './part-rules.ts';

/** Sentences that are long enough to be a reason. */
export const SHORTEST_REASON = 5;

const MOST = 9999;

/** Everything that the rules of one report look at. */
export interface ReportInput {
  readonly unit_id: string;
  readonly population: Population;
  readonly opening: number | null;
  /** The closing of the day before, when there is one: what the opening must be. */
  readonly previous_closing: number | null;
  readonly counts: Counts;
  /** A total that somebody typed beside the computed one. */
  readonly typed_closing?: number | null | undefined;
  readonly transfers: readonly GivenTransfer[];
  readonly beds: Beds;
  readonly variance_reason: string | null;
  /** By how many the head count differed when the reason was given; null or left out where nobody knows. */
  readonly variance_for?: number | null | undefined;
  readonly capacity_reason: string | null;
  /** The unit closes after this date. */
  readonly is_last_day?: boolean | undefined;
}

const LABELS: Readonly<Record<CountField, string>> = {
  admissions: 'Admissions',
  births: 'Births',
  transfers_in: 'Transfers in',
  discharges: 'Discharges',
  deaths: 'Deaths',
  deaths_u48: 'Deaths under 48 h',
  transfers_out: 'Transfers out',
  ad_same_day: 'Admitted and discharged same day',
  on_leave: 'On leave',
  observation: 'Observation patients',
  discharge_days: 'Discharge days',
  counted: 'Head count',
};

/** The words of a count on screens, sheets and in sentences. */
export function labelOf(field: CountField): string {
  return LABELS[field];
}

/** What takes no room on a screen: zero-width spaces and joiners, marks of direction, fillers. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/gu;

/** True for words that say something: at least five visible characters after trimming; null says nothing. */
export function isReason(text: string | null | undefined): boolean {
  return [...(text ?? '').replace(INVISIBLE, '').trim()].length >= SHORTEST_REASON;
}

const finding = (code: RuleCode, field: string | null, message: string): Finding => ({ code, field, message });

/**
 * What is wrong with a report that is being written: everything that would be wrong whatever is still to come. A draft may
 * lack values; what is there must not contradict itself.
 */
export function draftFindings(report: ReportInput): Finding[] {
  return [...countFindings(report), ...transferFindings(report), ...balanceFindings(report)];
}

/** What keeps a report from being submitted: all of {@link draftFindings}, what is missing, and what lacks words. */
export function submitFindings(report: ReportInput): Finding[] {
  return [...missingFindings(report), ...draftFindings(report), ...lastDayFindings(report), ...reasonFindings(report)];
}

/** Whoever is left in a unit that closes would be in the facility's census no more, without having left it. */
function lastDayFindings({ is_last_day, opening, counts }: ReportInput): Finding[] {
  const input = balanceInput(opening, counts);
  if (!is_last_day || !input) return [];
  const { closing } = balanceOf(input);
  if (closing <= 0) return [];
  const left = counted(closing, 'patient is left', 'patients are left');
  const message = `The unit closes after this day, and ${left} in it. Enter where they went, or have its last day changed.`;
  return [finding('UNIT_CLOSES', 'closing', message)];
}

function countFindings({ counts, beds }: ReportInput): Finding[] {
  const bad = COUNT_FIELDS.filter((field) => !isCount(counts[field], mostOf(field)));
  return [
    ...bad.map((field) =>
      finding('INVALID_COUNT', field, `${LABELS[field]} must be a whole number from 0 to ${mostOf(field)}.`),
    ),
    ...bedFindings(beds),
  ];
}

/**
 * Beds that cannot be: no more are staffed than are set up or opened as surge, and those that are blocked are staffed ones. Where
 * no plan says what is set up (days from before there was one), the report alone says how many were staffed.
 */
function bedFindings({ physical, surge, staffed, blocked }: Beds): Finding[] {
  const all = physical + surge;
  const findings: Finding[] = [];
  if (all > 0 && staffed > all) {
    findings.push(finding('STAFFED_EXCEEDS_BEDS', 'beds_staffed', 'More beds are staffed than there are.'));
  }
  if (blocked > Math.min(all, staffed)) {
    const most = blocked > all ? 'there are' : 'are staffed';
    findings.push(finding('BLOCKED_EXCEEDS_BEDS', 'beds_blocked', `More beds are blocked than ${most}.`));
  }
  return findings;
}

function isCount(value: number | null, most = MOST): boolean {
  return value === null || (Number.isInteger(value) && value >= 0 && value <= most);
}

function missingFindings({ opening, counts }: ReportInput): Finding[] {
  const missing = REQUIRED_FIELDS.filter((field) => counts[field] === null);
  return [
    ...(opening === null
      ? [finding('MISSING_VALUE', 'seed', 'Enter how many patients were in the unit before its first report.')]
      : []),
    ...missing.map((field) =>
      finding('MISSING_VALUE', field, `${LABELS[field]} not entered. Enter 0 if there were none.`),
    ),
  ];
}

function transferFindings({ unit_id, counts, transfers }: ReportInput): Finding[] {
  const findings = transfers.some((transfer) => transfer.unit_id === unit_id)
    ? [finding('TRANSFER_SELF', 'transfers', 'A unit cannot transfer to itself.')]
    : [];
  for (const direction of ['in', 'out'] as const) {
    const field = direction === 'in' ? 'transfers_in' : 'transfers_out';
    const said = transfers.filter((transfer) => transfer.direction === direction);
    const partners = new Set(said.map((transfer) => transfer.unit_id));
    if (partners.size !== said.length) findings.push(finding('DUPLICATE', field, 'A partner unit is listed twice.'));
    const sum = said.reduce((total, { count }) => total + count, 0);
    const total = counts[field];
    if (total !== null && total !== sum) {
      findings.push(finding('UNBALANCED', field, `${LABELS[field]} is ${total}, but the partners add up to ${sum}.`));
    }
  }
  return findings;
}

function balanceFindings(report: ReportInput): Finding[] {
  const { counts, opening, previous_closing } = report;
  const findings: Finding[] = [];
  if ((counts.births ?? 0) > 0 && report.population !== 'newborn') {
    findings.push(finding('BIRTHS_NOT_ALLOWED', 'births', 'Births are counted in the report of the newborn.'));
  }
  if (previous_closing !== null && opening !== previous_closing) {
    findings.push(
      finding('OPENING_MISMATCH', 'opening', `The day before closed with ${previous_closing}; that is the opening.`),
    );
  }
  const input = balanceInput(opening, counts);
  return [
    ...findings,
    ...partFindings(counts, input && balanceOf(input).closing),
    ...dischargeDayFindings(counts),
    ...(input ? closingFindings(input, report) : []),
  ];
}

/** Parts that are more than their whole, as far as both are known: by {@link PART_RULES}. */
export function partFindings(counts: Counts, closing: number | null): Finding[] {
  return PART_RULES.flatMap(({ field, of, code, format }) => {
    const part = counts[field];
    const whole = of === 'closing' ? closing : sumIfGiven(of.map((name) => counts[name]));
    if (part === null || whole === null || whole < 0 || !isCount(part) || part <= whole) return [];
    return [finding(code, field, format(whole, part))];
  });
}

/** Everybody who was discharged or died had stayed a day at least; where nobody was, there are no days. */
function dischargeDayFindings({ discharge_days: days, discharges, deaths }: Counts): Finding[] {
  const left = sumIfGiven([discharges, deaths]);
  if (days === null || left === null || (left === 0 ? days === 0 : days >= left)) return [];
  const message =
    left === 0
      ? `Nobody was discharged or died; there are no ${days} discharge days.`
      : `${left} were discharged or died, each after a day at least; ${days} discharge ${days === 1 ? 'day is' : 'days are'} too few.`;
  return [finding('DISCHARGE_DAYS_MISMATCH', 'discharge_days', message)];
}

function sumIfGiven(counts: readonly (number | null)[]): number | null {
  return counts.reduce((sum, count) => (sum === null || count === null ? null : sum + count), 0);
}

function closingFindings(input: BalanceInput, { typed_closing }: ReportInput): Finding[] {
  const { closing } = balanceOf(input);
  const findings: Finding[] = [];
  if (closing < 0) {
    findings.push(
      finding(
        'NEGATIVE_CLOSING',
        'closing',
        `More patients left than were in the unit: the closing would be ${formatCount(closing)}.`,
      ),
    );
  } else if (closing > MOST) {
    findings.push(finding('INVALID_COUNT', 'closing', `The closing would be ${closing}, which no unit can hold.`));
  }
  if (typeof typed_closing === 'number' && typed_closing !== closing) {
    findings.push(
      finding('UNBALANCED', 'closing', `The total entered is ${typed_closing}; what was counted comes to ${closing}.`),
    );
  }
  return findings;
}

type Numbers = Pick<ReportInput, 'opening' | 'counts'>;

/** By how many the head count differs from who should be there; null while one of the two is not known. */
export function differenceOf({ opening, counts }: Numbers): number | null {
  const input = balanceInput(opening, counts);
  return input === null || counts.counted === null ? null : counts.counted - balanceOf(input).present;
}

/** True where the reason for a head count was given for another difference: it says nothing of this one. */
export function isOfOtherNumbers(
  report: Numbers & Pick<ReportInput, 'variance_reason' | 'variance_for'>,
): report is Numbers & { readonly variance_reason: string; readonly variance_for: number } {
  const { variance_reason, variance_for = null } = report;
  const difference = differenceOf(report);
  const isKnown = variance_for !== null && difference !== null && difference !== 0;
  return isReason(variance_reason) && isKnown && variance_for !== difference;
}

/** Which reasons the numbers ask for; null while they are not complete enough to tell. */
export function askedReasons({ opening, counts, beds }: Pick<ReportInput, 'opening' | 'counts' | 'beds'>): {
  readonly variance_reason: boolean | null;
  readonly capacity_reason: boolean | null;
} {
  const input = balanceInput(opening, counts);
  if (!input) return { variance_reason: null, capacity_reason: null };
  const { present } = balanceOf(input);
  return {
    variance_reason: counts.counted === null ? null : counts.counted !== present,
    capacity_reason: isOverCapacity(present, beds),
  };
}

/** What is allowed, but asks for words: a head count that differs, more patients than beds. */
function reasonFindings(report: ReportInput): Finding[] {
  const { counts, beds, variance_reason, capacity_reason } = report;
  const input = balanceInput(report.opening, counts);
  if (!input) return [];
  const { closing, present } = balanceOf(input);
  // Wrong numbers need other numbers, not words.
  if (closing < 0 || present < 0) return [];
  const asked = askedReasons(report);
  const findings: Finding[] = [];
  if (asked.variance_reason && !isReason(variance_reason)) {
    findings.push(
      finding(
        'VARIANCE_NEEDS_REASON',
        'variance_reason',
        `${counts.counted} were counted, ${present} are computed. Correct a number, or say why they differ.`,
      ),
    );
  } else if (isOfOtherNumbers(report)) {
    const [before, now] = [report.variance_for, differenceOf(report)].map((of) => formatRoundedDifference(of, 0));
    findings.push(
      finding(
        'VARIANCE_NEEDS_REASON',
        'variance_reason',
        `The head count differs by ${now}, and the reason was given for ${before}. Say why anew, or keep it.`,
      ),
    );
  }
  if (asked.capacity_reason && !isReason(capacity_reason)) {
    findings.push(
      finding(
        'OVER_CAPACITY_NEEDS_REASON',
        'capacity_reason',
        `${present} patients and ${beds.blocked} blocked beds are more than the ${beds.physical} beds. Say where they are.`,
      ),
    );
  }
  return findings;
}

/** Occupied and blocked are more than the physical beds. A unit without beds of its own (ED boarders) has no capacity. */
export function isOverCapacity(present: number, beds: Pick<Beds, 'physical' | 'blocked'>): boolean {
  return beds.physical > 0 && present + beds.blocked > beds.physical;
}

/** What the two sides say of a move of patients between two units. */
export interface TransferText {
  readonly out_count: number | null;
  readonly in_count: number | null;
  /** Whether both units have handed in their reports. */
  readonly is_both_in: boolean;
}

/**
 * True where two sides that have both handed in do not say the same; whoever has handed in without a word of the move means
 * 0. Before that it is no gap: the report that is missing is.
 */
export function isGap(move: TransferText): boolean {
  return transferGap([move]) > 0;
}

/** By how many patients the two sides of all moves differ. */
export function transferGap(moves: readonly TransferText[]): number {
  return moves
    .filter(({ is_both_in }) => is_both_in)
    .reduce((sum, { out_count, in_count }) => sum + Math.abs((out_count ?? 0) - (in_count ?? 0)), 0);
}

/**
 * Compares a total that came from elsewhere with the sum of the units. A total that holds one unit twice is named as that:
 * it is the commonest error of hospital totals.
 */
export function totalFinding(
  total: number,
  units: readonly { readonly unit_code: string; readonly closing: number }[],
): Finding | null {
  const sum = units.reduce((all, { closing }) => all + closing, 0);
  if (total === sum) return null;
  const twice = units.find(({ closing }) => closing > 0 && closing === total - sum);
  if (twice) {
    return finding(
      'DOUBLE_COUNT',
      'total',
      `${total} counts ${twice.unit_code} twice: the units add up to ${sum}, and its ${twice.closing} are in that already.`,
    );
  }
  return finding('UNBALANCED', 'total', `The total entered is ${total}; the units add up to ${sum}.`);
}

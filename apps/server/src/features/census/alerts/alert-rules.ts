import { exactRatio } from '@wardline/census/ratio.ts';
import type { CensusAlert } from '@wardline/contract/census/board.ts';
import type { Population } from '@wardline/contract/census/census.ts';
import { formatPercent } from '@wardline/format/numbers.ts';
import { formatDay, formatReport } from '#/features/census/core/labels.ts';
import type {
  DatedReport,
  GapContext,
  OpenAlert,
  PressureContext,
  RestatedContext,
  SpokenOf,
  VarianceContext,
} from './active-alert-queries.ts';

export type AlertRule = CensusAlert['rule'];

/** Something that holds now. What only keeps an alert up (it has eased, but not enough) raises none. */
export interface ActiveAlert {
  readonly facility_no: number;
  /** Null: about the facility as a whole. */
  readonly unit_no: number | null;
  /** Null: about the unit as a whole. */
  readonly population: Population | null;
  readonly rule: AlertRule;
  readonly date: string;
  readonly message: string;
  readonly raises: boolean;
}

/** An alert that was raised at high is cleared so many points under it, so that it does not come and go. */
const EASED_POINTS = 3;

/** These are about a date: of each date there is one. The others are about now. */
const DATED: ReadonlySet<AlertRule> = new Set([
  'report_missing',
  'transfer_gap',
  'head_count_variance',
  'forecast_breach',
]);

export function missingReports(rows: readonly DatedReport[]): ActiveAlert[] {
  return rows.map((row) => ({
    ...placeOf(row),
    rule: 'report_missing',
    message: `${formatReport(row)} report of ${formatDay(row.date, row)} missing`,
    raises: true,
  }));
}

export function transferGaps(rows: readonly GapContext[]): ActiveAlert[] {
  return rows.map((row) => ({
    ...placeOf(row),
    rule: 'transfer_gap',
    message:
      `Transfer gap on ${formatDay(row.date, row)}: ${formatReport(row)} says ${row.out_count} to ${row.partner_code}, ` +
      `${row.partner_code} says ${row.in_count}`,
    raises: true,
  }));
}

export function variances(rows: readonly VarianceContext[]): ActiveAlert[] {
  return rows.map((row) => ({
    ...placeOf(row),
    rule: 'head_count_variance',
    message: `${formatReport(row)} counted ${row.counted} on ${formatDay(row.date, row)}, ${row.present} computed`,
    raises: true,
  }));
}

export function oftenRestated(rows: readonly RestatedContext[]): ActiveAlert[] {
  return rows.map((row) => ({
    ...placeOf({ ...row, population: null }),
    rule: 'often_restated',
    message: `${row.unit_code} restated ${row.times} times in a week`,
    raises: true,
  }));
}

/** High by two counts in a row; over its staffed beds by one. */
export function pressures(rows: readonly PressureContext[]): ActiveAlert[] {
  return rows.flatMap((row) => [...highPressure(row), ...overStaffed(row)]);
}

function highPressure(row: PressureContext): ActiveAlert[] {
  const { occupied, staffed, previous_occupied: before, previous_staffed: beforeStaffed, high_percent: high } = row;
  if (staffed === 0 || occupied * 100 <= (high - EASED_POINTS) * staffed) return [];
  const wasHigh = before !== null && beforeStaffed !== null && isAtLeast(high, before, beforeStaffed);
  const percent = exactRatio(occupied, staffed, { factor: 100 });
  return [
    {
      ...placeOf(row),
      rule: 'over_high',
      message: `${formatReport(row)} ${formatPercent(percent)} of ${staffed} staffed beds; high is ${formatPercent(high)}`,
      raises: wasHigh && isAtLeast(high, occupied, staffed),
    },
  ];
}

function overStaffed(row: PressureContext): ActiveAlert[] {
  if (row.occupied <= row.staffed) return [];
  const message = `${formatReport(row)} ${row.occupied} patients, ${row.staffed} staffed beds`;
  return [{ ...placeOf(row), rule: 'over_staffed', message, raises: true }];
}

function isAtLeast(percent: number, occupied: number, staffed: number): boolean {
  return staffed > 0 && occupied * 100 >= percent * staffed;
}

function placeOf(row: Pick<ActiveAlert, 'facility_no' | 'unit_no' | 'population' | 'date'>) {
  const { facility_no, unit_no, population, date } = row;
  return { facility_no, unit_no, population, date };
}

function spokenKey({ facility_no, unit_no, population, rule }: SpokenOf): string {
  return [facility_no, rule, unit_no, population].join(' ');
}

function keyOf(one: SpokenOf & { readonly date: string }): string {
  return DATED.has(one.rule) ? `${spokenKey(one)} ${one.date}` : spokenKey(one);
}

/** What is said of a unit as a whole is said of each of its populations. */
function orWhole<One extends SpokenOf>(one: One): readonly One[] {
  return one.population === null ? [one] : [one, { ...one, population: null }];
}

const LONGEST_MESSAGE = 300;

/** One alert says all that holds of its report: every partner of a transfer gap, as far as there is room. */
function joined({ message }: ActiveAlert, other: ActiveAlert): string {
  const both = `${message}; ${other.message}`;
  return both.length <= LONGEST_MESSAGE ? both : message;
}

interface Known {
  readonly open: readonly OpenAlert[];
  readonly spoken: readonly SpokenOf[];
}

export interface AlertChanges {
  readonly raised: readonly ActiveAlert[];
  readonly cleared: readonly OpenAlert[];
}

/**
 * What holds against what was said: an open alert that does not hold any more is cleared, a rule speaks of a report once a
 * shift. Populations go each their own way, since a line that names two reports would name one that has come in meanwhile.
 */
export function alertChanges(
  standing: readonly ActiveAlert[],
  { open, spoken }: Known,
  rules: ReadonlySet<AlertRule>,
): AlertChanges {
  const held = new Set(standing.flatMap(orWhole).map(keyOf));
  const known = new Set(open.map(keyOf));
  const quiet = new Set(spoken.map(spokenKey));
  const raised = new Map<string, ActiveAlert>();
  for (const one of standing) {
    const isSaid = orWhole(one).some((said) => quiet.has(spokenKey(said)) || known.has(keyOf(said)));
    if (!one.raises || isSaid) continue;
    const before = raised.get(keyOf(one));
    raised.set(keyOf(one), before ? { ...before, message: joined(before, one) } : one);
  }
  const cleared = open.filter((alert) => rules.has(alert.rule) && !held.has(keyOf(alert)));
  return { raised: [...raised.values()], cleared };
}

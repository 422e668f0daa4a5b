import { exactRatio } from '@wardline/census/ratio.ts';
import type { CensusAlert } from '@wardline/contract/census-board.ts';
import { dayWords, reportWords } from '../day-words.ts';
import type {
  GapFacts,
  MissingReport,
  OpenAlert,
  PressureFacts,
  RestatedFacts,
  VarianceFacts,
} from './alert-queries.ts';

export type AlertRule = CensusAlert['rule'];

/** Something that holds now. What only keeps an alert up (it has eased, but not enough) raises none. */
export interface Standing {
  readonly facility_no: number;
  readonly unit_no: number;
  readonly rule: AlertRule;
  readonly date: string;
  readonly message: string;
  readonly raises: boolean;
}

/** An alert that was raised at high is cleared so many points under it, so that it does not come and go. */
const EASED_POINTS = 3;

/** These are about a date: of each date there is one. The others are about a unit as it is now. */
const DATED: ReadonlySet<AlertRule> = new Set([
  'report_missing',
  'transfer_gap',
  'head_count_variance',
  'forecast_breach',
]);

export function missingReports(rows: readonly MissingReport[]): Standing[] {
  return rows.map((row) => ({
    ...placeOf(row),
    rule: 'report_missing',
    message: `${reportWords(row)} report of ${dayWords(row.date)} missing`,
    raises: true,
  }));
}

export function transferGaps(rows: readonly GapFacts[]): Standing[] {
  return rows.map((row) => ({
    ...placeOf(row),
    rule: 'transfer_gap',
    message:
      `Transfer gap on ${dayWords(row.date)}: ${row.unit_code} says ${row.out_count} to ${row.partner_code}, ` +
      `${row.partner_code} says ${row.in_count}`,
    raises: true,
  }));
}

export function variances(rows: readonly VarianceFacts[]): Standing[] {
  return rows.map((row) => ({
    ...placeOf(row),
    rule: 'head_count_variance',
    message: `${reportWords(row)} counted ${row.counted} on ${dayWords(row.date)}, ${row.present} computed`,
    raises: true,
  }));
}

export function oftenRestated(rows: readonly RestatedFacts[]): Standing[] {
  return rows.map((row) => ({
    ...placeOf(row),
    rule: 'often_restated',
    message: `${row.unit_code} restated ${row.times} times in a week`,
    raises: true,
  }));
}

/** High by two counts in a row; over its staffed beds by one. */
export function pressures(rows: readonly PressureFacts[]): Standing[] {
  return rows.flatMap((row) => [...highPressure(row), ...overStaffed(row)]);
}

function highPressure(row: PressureFacts): Standing[] {
  const { occupied, staffed, previous_occupied: before, previous_staffed: beforeStaffed, high_percent: high } = row;
  if (staffed === 0 || occupied * 100 <= (high - EASED_POINTS) * staffed) return [];
  const wasHigh = before !== null && beforeStaffed !== null && isAtLeast(high, before, beforeStaffed);
  const percent = exactRatio(occupied, staffed, { factor: 100 });
  return [
    {
      ...placeOf(row),
      rule: 'over_high',
      message: `${reportWords(row)} ${percent}% of ${staffed} staffed beds; high is ${high}%`,
      raises: wasHigh && isAtLeast(high, occupied, staffed),
    },
  ];
}

function overStaffed(row: PressureFacts): Standing[] {
  if (row.occupied <= row.staffed) return [];
  const message = `${reportWords(row)} ${row.occupied} patients, ${row.staffed} staffed beds`;
  return [{ ...placeOf(row), rule: 'over_staffed', message, raises: true }];
}

function isAtLeast(percent: number, occupied: number, staffed: number): boolean {
  return staffed > 0 && occupied * 100 >= percent * staffed;
}

function placeOf({ facility_no, unit_no, date }: Pick<Standing, 'facility_no' | 'unit_no' | 'date'>) {
  return { facility_no, unit_no, date };
}

interface Keyed {
  readonly facility_no: number;
  readonly unit_no: number | null;
  readonly rule: AlertRule;
  readonly date: string;
}

function keyOf({ facility_no, unit_no, rule, date }: Keyed): string {
  return [facility_no, rule, unit_no, ...(DATED.has(rule) ? [date] : [])].join(' ');
}

const LONGEST_MESSAGE = 300;

/** One alert says all that holds of its unit: both classes, every partner; as far as there is room. */
function joined({ message }: Standing, other: Standing): string {
  const both = `${message}; ${other.message}`;
  return both.length <= LONGEST_MESSAGE ? both : message;
}

interface Known {
  readonly open: readonly OpenAlert[];
  readonly spoken: readonly Pick<Keyed, 'facility_no' | 'unit_no' | 'rule'>[];
}

export interface AlertChanges {
  readonly raised: readonly Standing[];
  readonly cleared: readonly OpenAlert[];
}

/** What holds against what was said: an open alert that does not hold any more is cleared, a rule speaks once a shift. */
export function alertChanges(
  standing: readonly Standing[],
  { open, spoken }: Known,
  rules: ReadonlySet<AlertRule>,
): AlertChanges {
  const held = new Set(standing.map(keyOf));
  const known = new Set(open.map(keyOf));
  const quiet = new Set(spoken.map(({ facility_no, unit_no, rule }) => `${facility_no} ${rule} ${unit_no}`));
  const raised = new Map<string, Standing>();
  for (const one of standing) {
    const isQuiet = quiet.has(`${one.facility_no} ${one.rule} ${one.unit_no}`);
    if (!one.raises || isQuiet || known.has(keyOf(one))) continue;
    const before = raised.get(keyOf(one));
    raised.set(keyOf(one), before ? { ...before, message: joined(before, one) } : one);
  }
  const cleared = open.filter((alert) => rules.has(alert.rule) && !held.has(keyOf(alert)));
  return { raised: [...raised.values()], cleared };
}

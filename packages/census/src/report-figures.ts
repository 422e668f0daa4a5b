import {
  type Beds,
  COUNT_FIELDS,
  type CountField,
  type Counts,
  type Population,
} from '@wardline/contract/census/census.ts';
import { toCounts } from './balance.ts';
import { labelOf } from './rules.ts';

/** The counts that are told of a report: births of newborns alone, discharge days where they were given. */
export function toldFields({ population, counts }: { population: Population; counts: Partial<Counts> }): CountField[] {
  return COUNT_FIELDS.filter((field) => {
    if (field === 'births') return population === 'newborn';
    return field !== 'discharge_days' || typeof counts.discharge_days === 'number';
  });
}

/** Everything that a report says in numbers and why, in the order in which it is told. */
export const REPORT_FIGURES = [
  'opening',
  ...COUNT_FIELDS,
  'closing',
  'present',
  'service_days',
  'variance',
  'beds_licensed',
  'beds_physical',
  'beds_staffed',
  'beds_surge',
  'beds_blocked',
  'variance_reason',
  'capacity_reason',
] as const;
export type ReportFigure = (typeof REPORT_FIGURES)[number];
export type ReportFigures = Readonly<Record<ReportFigure, number | string | null>>;

/** What one report says, as a unit-day of the contract or as a row of the database. */
export interface FiguresInput {
  readonly opening: number | null;
  readonly counts: Partial<Counts>;
  readonly closing: number | null;
  readonly service_days: number | null;
  readonly beds: Beds;
  readonly variance_reason: string | null;
  readonly capacity_reason: string | null;
}

/** The figures of a report by name; what is not given is null. */
export function figuresOf(report: FiguresInput): ReportFigures {
  const { opening, closing, service_days, beds, variance_reason, capacity_reason } = report;
  return {
    opening,
    ...toCounts(report.counts),
    closing,
    present: presentOf(report),
    service_days,
    variance: varianceOf(report),
    beds_licensed: beds.licensed,
    beds_physical: beds.physical,
    beds_staffed: beds.staffed,
    beds_surge: beds.surge,
    beds_blocked: beds.blocked,
    variance_reason,
    capacity_reason,
  };
}

function presentOf({ closing, counts }: Pick<FiguresInput, 'closing' | 'counts'>): number | null {
  const onLeave = counts.on_leave ?? null;
  return closing === null || onLeave === null ? null : closing - onLeave;
}

/** By how many the head count differs from who should be there: 0 where it agrees, null while one of the two is not known. */
export function varianceOf(report: Pick<FiguresInput, 'closing' | 'counts'>): number | null {
  const present = presentOf(report);
  const counted = report.counts.counted ?? null;
  return present === null || counted === null ? null : counted - present;
}

/** A figure that is not what it was. */
export interface FigureChange {
  readonly field: ReportFigure;
  readonly from: number | string | null;
  readonly to: number | string | null;
}

/** The figures that differ, in their order. */
export function changedFigures(before: ReportFigures, after: ReportFigures): FigureChange[] {
  return REPORT_FIGURES.filter((field) => before[field] !== after[field]).map((field) => ({
    field,
    from: before[field],
    to: after[field],
  }));
}

const LABELS: Readonly<Record<Exclude<ReportFigure, CountField>, string>> = {
  opening: 'Opening',
  closing: 'Closing',
  present: 'Present',
  service_days: 'Service days',
  variance: 'Variance',
  beds_licensed: 'Licensed beds',
  beds_physical: 'Physical beds',
  beds_staffed: 'Staffed beds',
  beds_surge: 'Surge beds',
  beds_blocked: 'Blocked beds',
  variance_reason: 'Why the head count differs',
  capacity_reason: 'Why over capacity',
};

/** The words of a figure on a sheet. A name that this version does not know is said as it is written. */
export function figureLabel(field: string): string {
  if ((COUNT_FIELDS as readonly string[]).includes(field)) return labelOf(field as CountField);
  return Object.hasOwn(LABELS, field) ? LABELS[field as keyof typeof LABELS] : field.replaceAll('_', ' ');
}

import { exactRatio } from '@wardline/census/ratio.ts';
import { absenceOf, isHandedIn } from '@wardline/census/states.ts';
import type { FacilityDay, UnitOfDay } from '@wardline/contract/census/day.ts';
import { formatSpan } from '@wardline/format/spans.ts';
import { counted, formatCount, formatDecimal } from '#/features/census/core/format-figure.ts';
import { timeIn } from '#/shared/time/zoned-time.ts';

export type ReportTone = 'done' | 'to-do' | 'late' | 'missing' | 'waiting';

/** How a unit's report stands, in a word with its time. */
export interface ReportState {
  readonly tone: ReportTone;
  readonly word: string;
}

type DayState = Pick<FacilityDay, 'time_zone' | 'due_at'>;

/** How a unit's report stands: `approved, 00:44`, `late, 01:52`, `missing, due 01:00`, `not in yet, due 01:00`. */
export function reportState(unit: UnitOfDay, { time_zone, due_at }: DayState): ReportState {
  const due = timeIn(time_zone, Date.parse(due_at));
  if (!isHandedIn(unit.status)) return openState(unit, due);
  const at = unit.submitted_at === null ? '' : `, ${timeIn(time_zone, Date.parse(unit.submitted_at))}`;
  const late = unit.is_on_time === false ? ', late' : '';
  switch (unit.status) {
    case 'submitted':
      return { tone: late === '' ? 'to-do' : 'late', word: `to approve${late}${at}` };
    case 'amending':
      return { tone: 'to-do', word: 'being corrected' };
    case 'locked':
      return { tone: 'done', word: `locked${late}${at}` };
    default:
      return { tone: late === '' ? 'done' : 'late', word: `approved${late}${at}` };
  }
}

function openState({ status, conditions }: UnitOfDay, due: string): ReportState {
  const absence = absenceOf({ status, conditions });
  if (absence === 'returned') return { tone: 'late', word: absence };
  if (absence === 'missing') return { tone: 'missing', word: `missing, due ${due}` };
  return { tone: 'waiting', word: status === 'draft' ? `begun, due ${due}` : `not in yet, due ${due}` };
}

/** How much of the unit's beds was taken over the day, in exact per cent. */
export function formatOccupancy(
  { service_days, beds, counts_in_occupancy }: UnitOfDay,
  { denominator }: Pick<FacilityDay, 'denominator'>,
): string {
  const isKnown = counts_in_occupancy && service_days !== null;
  return formatDecimal(isKnown ? exactRatio(service_days, beds[denominator], { factor: 100 }) : null);
}

/** The units whose report is not in. */
export function unitsOut(day: Pick<FacilityDay, 'units'>): UnitOfDay[] {
  return day.units.filter(({ status }) => !isHandedIn(status));
}

/** `7 of 8 units in; 1 late; ICU missing`. */
export function formatCompleteness(day: FacilityDay): string {
  const late = day.units.filter(({ status, is_on_time }) => isHandedIn(status) && is_on_time === false).length;
  const out = unitsOut(day);
  const named = (['missing', 'returned', 'not in yet'] as const).map((absence) => ({
    absence,
    units: out.filter((unit) => absenceOf(unit) === absence),
  }));
  return [
    `${formatCount(day.units_submitted)} of ${counted(day.units_expected, 'unit')} in`,
    ...(late > 0 ? [`${formatCount(late)} late`] : []),
    ...named.flatMap(({ absence, units }) => (units.length > 0 ? [`${unitNames(units)} ${absence}`] : [])),
  ].join('; ');
}

/** Up to three units by name, more by number. */
export function unitNames(units: readonly { readonly unit_code: string }[]): string {
  const codes = [...new Set(units.map(({ unit_code }) => unit_code))];
  if (codes.length > 3) return counted(codes.length, 'unit');
  return codes.length < 2 ? codes.join('') : `${codes.slice(0, -1).join(', ')} and ${codes.at(-1)}`;
}

/** How long until something is due, or since: `2 h 18 min left`, `20 days late`. */
export function formatDue(dueAt: number, now: number): string {
  return `${formatSpan(Math.abs(dueAt - now))} ${now <= dueAt ? 'left' : 'late'}`;
}

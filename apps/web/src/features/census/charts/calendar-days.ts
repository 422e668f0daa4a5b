import { addDays, type CensusDate } from '@wardline/census/calendar.ts';
import type { CalendarDay } from '@wardline/ui/chart/month-calendar.tsx';
import { BadgeCheck, Calculator, Check, Lock, Minus, OctagonAlert, RotateCcw, TriangleAlert } from 'lucide-react';
import type { Heatmap } from '#/features/census/core/changes/summary-queries.ts';
import { formatEstimate } from '#/features/census/core/estimate-labels.ts';
import { namesOf } from '#/features/census/core/unit-names.ts';
import type { HeatUnit } from './heat-card.tsx';

/** A day of a calendar, and what its table says of it. */
export type ToldDay = CalendarDay & { readonly told: string };
type DayState = Omit<CalendarDay, 'date'>;

const NONE: DayState = { state: 'none', glyph: Minus, word: 'Not expected' };
const NOT_IN: DayState = { state: 'missing', glyph: OctagonAlert, word: 'Not in' };
const INCOMPLETE: DayState = { ...NOT_IN, word: 'Incomplete' };
const ESTIMATED: DayState = { state: 'estimate', glyph: Calculator, word: 'Estimated' };
const LOCKED: DayState = { state: 'done', glyph: Lock, word: 'Locked' };
const LATE: DayState = { state: 'late', glyph: TriangleAlert, word: 'Late' };
const RESTATED: DayState = { state: 'soon', glyph: RotateCcw, word: 'Restated' };
const STATES: Readonly<Record<string, DayState>> = {
  '-': NONE,
  m: NOT_IN,
  s: { state: 'in', glyph: Check, word: 'Submitted' },
  a: { state: 'done', glyph: BadgeCheck, word: 'Approved' },
  l: LOCKED,
  e: ESTIMATED,
};

/** The states of a unit's reports: that one was late or restated says more than how far it has got. */
export function unitDays(unit: HeatUnit, from: CensusDate): ToldDay[] {
  return [...unit.marks].map((mark, index) => {
    const isIn = isInBy(mark);
    const state = STATES[mark] ?? NONE;
    const shown = isIn && unit.restated.includes(index) ? RESTATED : isIn && unit.late.includes(index) ? LATE : state;
    const estimate = unit.estimates?.find((one) => one.index === index);
    const told = estimate ? `Not in, ${formatEstimate(estimate)}` : shown.word;
    return { date: addDays(from, index), ...shown, told };
  });
}

/** The states of a facility's days: whether it is signed, or else what its units have handed in. */
export function facilityDays({ days = '', from, units }: Heatmap): ToldDay[] {
  const length = units[0]?.marks.length ?? 0;
  const nameOf = namesOf(units);
  return Array.from({ length }, (_, index) => {
    const state = SIGNED[days[index] ?? 'o'] ?? stateOf(units, index);
    const out = units.filter(({ marks }) => marks[index] === 'm' || marks[index] === 'e').map(nameOf);
    const missing = out.length === 0 ? '' : `: ${out.join(', ')} not in`;
    const told = `${state.word}${missing}`;
    return { date: addDays(from, index), ...state, told };
  });
}

const SIGNED: Readonly<Record<string, DayState>> = {
  s: { state: 'done', glyph: BadgeCheck, word: 'Signed' },
  l: LOCKED,
  r: { state: 'soon', glyph: RotateCcw, word: 'Reopened' },
};

/** Of a day that is not signed: what is worst of its reports. */
function stateOf(units: readonly HeatUnit[], index: number): DayState {
  const marks = units.map((unit) => unit.marks[index] ?? '-').filter((mark) => mark !== '-');
  if (marks.length === 0) return NONE;
  if (marks.includes('m')) return INCOMPLETE;
  if (marks.includes('e')) return ESTIMATED;
  if (units.some(({ late }) => late.includes(index))) return LATE;
  return { state: 'in', glyph: Check, word: 'All in' };
}

function isInBy(mark: string): boolean {
  return mark !== '-' && mark !== 'm' && mark !== 'e';
}

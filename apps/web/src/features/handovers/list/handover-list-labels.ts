import {
  type BegunShift,
  type HandoverListRow,
  type HandoverListUnit,
  type HandoverStanding,
  NO_UNIT,
} from '@wardline/contract/examinations/handovers.ts';
import { counted } from '@wardline/format/counts.ts';
import type { BadgeTone } from '@wardline/ui/mark/badge.tsx';
import { CircleAlert, type LucideIcon } from 'lucide-react';
import { FORMAT_LABELS, STATE_LOOKS } from '#/features/handovers/core/handover-labels.ts';

/** What the badge of a patient says. */
export const STANDING_LOOKS: Readonly<
  Record<HandoverStanding, { readonly word: string; readonly tone: BadgeTone; readonly icon: LucideIcon }>
> = {
  none: { word: 'No hand-over yet', tone: 'warning', icon: CircleAlert },
  declined: STATE_LOOKS.declined,
  waiting: STATE_LOOKS.given,
  received: STATE_LOOKS.received,
};

/** Who is still to be handed over. */
export function isWithout({ standing }: Pick<HandoverListRow, 'standing'>): boolean {
  return standing === 'none' || standing === 'declined';
}

export const NO_UNIT_LABEL = 'No unit';

export function unitKey(unitId: string | null): string {
  return unitId ?? NO_UNIT;
}

/** As a choice among units: its code, and how far it is. */
export function formatUnitChoice({ unit, patients, without }: HandoverListUnit): string {
  const left = without === 0 ? `all ${patients} handed over` : `${without} of ${patients} not handed over`;
  return `${unit?.code ?? NO_UNIT_LABEL}: ${left}`;
}

/** How far the unit is, in one line. */
export function formatProgress({ patients, without, waiting }: HandoverListUnit): string {
  const left = without === 0 ? `All ${patients} handed over` : `${without} of ${patients} not handed over`;
  return waiting === 0 ? left : `${left} · ${waiting} waiting to be received`;
}

/** The shift of the facility that began at an instant; null where none did. */
export function shiftOf(shifts: readonly BegunShift[], since: string): BegunShift | null {
  return shifts.find((shift) => Date.parse(shift.since) === Date.parse(since)) ?? null;
}

/** `Night, since Wed 18 Nov, 19:00`; any other time has no name. */
export function formatShift(
  { name, since }: { readonly name: string | undefined; readonly since: string },
  moment: (at: string) => string,
): string {
  return `${name === undefined ? 'S' : `${name}, s`}ince ${moment(since)}`;
}

/** From whom to whom, and by what form: `Ana Reyes → Mira Okafor as Registrar · I-PASS`. */
export function formatGiving({ from, to, role, format }: NonNullable<HandoverListRow['handover']>): string {
  return `${from} → ${to}${role ? ` as ${role}` : ''} · ${FORMAT_LABELS[format]}`;
}

export function formatUrgent(count: number): string {
  return counted(count, 'urgent message open', 'urgent messages open');
}

export function formatCritical(count: number): string {
  return counted(count, 'critical result open', 'critical results open');
}

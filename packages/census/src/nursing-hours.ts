import type { NursingPart, NursingSums } from '@wardline/contract/census/nursing.ts';
import { exactRatio } from './ratio.ts';

const HOURS = /^(\d{1,6})(?:\.(\d{1,2}))?$/;
const HUNDREDTHS = 100;

/** Hours as they were written ('3120.5') in whole hundredths of an hour; null where it is no such number. */
export function hundredthsOf(hours: string): number | null {
  const [, whole, part = ''] = HOURS.exec(hours) ?? [];
  return whole === undefined ? null : Number(whole) * HUNDREDTHS + Number(part.padEnd(2, '0'));
}

/**
 * Hours as somebody typed or pasted them, in hundredths: '3,120.25', '3.120,25' and '3 120,25' are the same. As hours have at
 * most two decimals, three digits behind a point or comma are thousands. Null where nothing is given, undefined where it is
 * no number of hours.
 */
export function readHours(text: string): number | null | undefined {
  const plain = text.replace(/[\s'’]/g, '');
  if (plain === '') return null;
  const [, whole = '', point, part] = /^(\d{1,3}(?:([.,])\d{3})+|\d+)(?:([.,])\d{1,2})?$/.exec(plain) ?? [];
  if (whole === '' || (point !== undefined && point === part)) return undefined;
  const decimals = plain.slice(whole.length).replace(',', '.');
  return hundredthsOf(whole.replace(/[.,]/g, '') + decimals) ?? undefined;
}

/** Hundredths of an hour as exact text with two decimals: 312050 is '3120.50'. */
export function hoursText(hundredths: number): string {
  return exactRatio(hundredths, HUNDREDTHS) ?? '';
}

/** A unit's month: what nurses worked in it, in hundredths of an hour or null, and the patient days of its reports. */
export interface UnitMonthHours {
  readonly rn: number | null;
  readonly other: number | null;
  readonly patientDays: number;
  /** Every report that was expected is in: hours of a whole month over part of its patient days would say too much. */
  readonly isWhole: boolean;
}

/**
 * Numerators and denominators of these unit-months: a month counts in both or in neither. Without the hours of registered
 * nurses there are none of all nursing staff either; with them alone only the former are known.
 */
export function nursingSums(months: readonly UnitMonthHours[]): NursingSums {
  const whole = months.filter(({ isWhole }) => isWhole);
  return {
    unit_months_expected: months.length,
    rn: partOf(whole, ({ rn }) => rn),
    all: partOf(whole, ({ rn, other }) => (rn === null || other === null ? null : rn + other)),
  };
}

function partOf(
  months: readonly UnitMonthHours[],
  hundredthsIn: (month: UnitMonthHours) => number | null,
): NursingPart {
  const part = { hundredths: 0, patient_days: 0, unit_months: 0 };
  for (const month of months) {
    const hundredths = hundredthsIn(month);
    if (hundredths === null) continue;
    part.hundredths += hundredths;
    part.patient_days += month.patientDays;
    part.unit_months += 1;
  }
  return part;
}

/** Nursing hours per patient day, exact with two decimals; null without patient days, which no unit-month without hours brings. */
export function hoursPerPatientDay({ hundredths, patient_days }: NursingPart): string | null {
  return exactRatio(hundredths, patient_days * HUNDREDTHS);
}

// Whoever compiles this file needs them, whichever files they begin with.
/// <reference path="./ucum-lhc.d.ts" />

import { UcumLhcUtils } from '@lhncbc/ucum-lhc';
import type { UnitChecks } from '@wardline/examination/forms/form-problems.ts';
import { unitOfLoinc } from '@wardline/examination/forms/loinc.ts';

const ucum = UcumLhcUtils.getInstance();

/** Longer ones are none that anything is measured in. */
const LONGEST = 60;
/** What a unit may be written with; anything else is not looked up. */
const WRITTEN = /^[!-~]+$/;
/** Names of things that are not the same although UCUM gives them the same dimension: grey and sievert, moles and equivalents. */
const KINDS = /(?:eq|osm|mol|Gy|Sv|Bq|Hz|\{[^}]*\})/g;
/** Binary fractions are used to tell which power of ten it is, and for nothing else. */
const PRECISION = 1e-9;

/** Whether a code is one of UCUM’s, written as UCUM writes it. */
export function isUnit(code: string): boolean {
  return unitOf(code) !== null;
}

/**
 * By which power of ten a number of one unit is multiplied to be one of another: 3 from `mmol/L` to `umol/L`. Null where the units
 * measure different things, or differ by anything else: a molar mass, a temperature’s zero, minutes.
 */
export function powerOfTenBetween(from: string, to: string): number | null {
  if (from === to) return 0;
  const [a, b] = [unitOf(from), unitOf(to)];
  if (a === null || b === null || kindsOf(from) !== kindsOf(to) || !isCommensurable(a, b)) return null;
  const ratio = a.magnitude / b.magnitude;
  const power = Math.round(Math.log10(ratio));
  return Math.abs(ratio / 10 ** power - 1) < PRECISION ? power : null;
}

/** Whether two units measure the same, by whatever they differ: also degrees Celsius and Fahrenheit. */
function measureSame(from: string, to: string): boolean {
  if (from === to) return true;
  const [a, b] = [unitOf(from), unitOf(to)];
  if (a === null || b === null || a.isArbitrary_ || b.isArbitrary_ || kindsOf(from) !== kindsOf(to)) return false;
  return a.dim_ && b.dim_ ? a.dim_.equals(b.dim_) : !a.dim_ && !b.dim_;
}

/** What forms ask of units. */
export const UNIT_CHECKS = {
  isUnit,
  fits(code: string, loinc: string): boolean | null {
    const known = unitOfLoinc(loinc);
    return known === null || !isUnit(code) ? null : measureSame(code, known);
  },
} satisfies UnitChecks;

type Unit = NonNullable<ReturnType<typeof ucum.getSpecifiedUnit>['unit']> & { readonly magnitude: number };

function unitOf(code: string): Unit | null {
  if (code.length > LONGEST || !WRITTEN.test(code)) return null;
  const { status, ucumCode } = ucum.validateUnitString(code);
  if (status !== 'valid' || ucumCode !== code) return null;
  const { unit } = ucum.getSpecifiedUnit(code, 'validate');
  // A name that every object has, as `constructor`, is found by the library and is no unit.
  return typeof unit?.magnitude_ === 'number' ? { ...unit, magnitude: unit.magnitude_ } : null;
}

function isCommensurable(a: Unit, b: Unit): boolean {
  if (a.cnv_ || b.cnv_ || a.isArbitrary_ || b.isArbitrary_) return false;
  return a.dim_ && b.dim_ ? a.dim_.equals(b.dim_) : !a.dim_ && !b.dim_;
}

function kindsOf(code: string): string {
  return (code.match(KINDS) ?? []).sort().join();
}

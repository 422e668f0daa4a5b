/**
 * numerator ÷ denominator × factor, rounded half away from zero to `places` decimals, as text with exactly that many
 * ("61.62"). Integers in, exact: no binary fraction is ever formed. Null where there is no denominator.
 */
export function exactRatio(
  numerator: number,
  denominator: number,
  { factor = 1, places = 2 }: { readonly factor?: number; readonly places?: number } = {},
): string | null {
  if (denominator === 0) return null;
  const scaled = BigInt(numerator) * BigInt(factor) * 10n ** BigInt(places);
  return decimal(divideHalfUp(scaled, BigInt(denominator)), places);
}

/** The nearest whole number to a ÷ b; a half goes away from zero. */
function divideHalfUp(a: bigint, b: bigint): bigint {
  const isNegative = a < 0n !== b < 0n;
  const [over, under] = [a < 0n ? -a : a, b < 0n ? -b : b];
  const rounded = (2n * over + under) / (2n * under);
  return isNegative ? -rounded : rounded;
}

function decimal(units: bigint, places: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, '0');
  const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  return units < 0n ? `-${text}` : text;
}

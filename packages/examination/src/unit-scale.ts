import { plainDecimal } from './decimal.ts';
import { readQuantity } from './reference-range.ts';

/** The prefixes of UCUM (c/s) as powers of ten. */
const PREFIXES: Readonly<Record<string, number>> = {
  ...{ T: 12, G: 9, M: 6, k: 3, h: 2, da: 1 },
  ...{ d: -1, c: -2, m: -3, u: -6, n: -9, p: -12, f: -15 },
};
/** Unit atoms of UCUM that take a prefix, as far as findings are measured in them. A litre is written both ways. */
const METRIC = ['mol', 'g', 'L', 'l', 'm', 's', 'Pa', 'eq', 'osm', 'U', '[iU]', '[IU]', 'kat', 'V', 'Hz', 'm[Hg]'];
/** Atoms that take none. */
const OTHERS = ['min', 'h', 'd', 'wk', 'mo', 'a', 'deg', '%'];

interface Scale {
  /** Of ten. */
  readonly power: number;
  /** What is measured: each atom with its exponent, in order; the same for units that differ by a power of ten alone. */
  readonly kind: string;
}

/**
 * A quantity as it was entered, in another unit, both by their UCUM codes: `6.8` of mmol/L is `6800` of umol/L. Only where the units
 * differ by a power of ten, so that nothing is rounded and no digit is lost or made up; `<` and `>` stay. Null where the text is no
 * quantity or the units differ by anything else: a molar mass, a temperature's zero, minutes.
 */
export function convertQuantity(text: string, from: string, to: string): string | null {
  const quantity = readQuantity(text);
  const power = powerBetween(from, to);
  if (quantity === null || power === null) return null;
  return `${quantity.comparator ?? ''}${shifted(plainDecimal(quantity.number), power)}`;
}

function powerBetween(from: string, to: string): number | null {
  if (from === to) return 0;
  const [a, b] = [scaleOf(from), scaleOf(to)];
  return a === null || b === null || a.kind !== b.kind ? null : a.power - b.power;
}

/** Null for a unit that is not known well enough. */
function scaleOf(unit: string): Scale | null {
  const exponents = new Map<string, number>();
  let power = 0;
  for (const [index, side] of unit.split('/').entries()) {
    const sign = index === 0 ? 1 : -1;
    for (const term of side.split('.')) {
      if (term === '' && index === 0) continue;
      const found = readTerm(term);
      if (found === null) return null;
      power += sign * found.power;
      if (found.atom) exponents.set(found.atom, (exponents.get(found.atom) ?? 0) + sign);
    }
  }
  const parts = [...exponents].filter(([, exponent]) => exponent !== 0).map(([atom, exponent]) => `${atom}${exponent}`);
  return { power, kind: parts.sort().join(' ') };
}

/** One term: `mmol`, `10*9`, `1`; those with an exponent of their own are not read. */
function readTerm(term: string): { readonly power: number; readonly atom: string } | null {
  if (term === '1') return { power: 0, atom: '' };
  const [, exponent] = /^10[*^]([+-]?\d{1,2})$/.exec(term) ?? [];
  if (exponent !== undefined) return { power: Number(exponent), atom: '' };
  if (METRIC.includes(term) || OTHERS.includes(term)) return { power: 0, atom: atomOf(term) };
  for (const length of [1, 2]) {
    const [prefix, atom] = [term.slice(0, length), term.slice(length)];
    const power = PREFIXES[prefix];
    if (power !== undefined && METRIC.includes(atom)) return { power, atom: atomOf(atom) };
  }
  return null;
}

function atomOf(atom: string): string {
  return { l: 'L', '[IU]': '[iU]' }[atom] ?? atom;
}

/** The point moved by so many places. */
function shifted(plain: string, power: number): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(plain) ?? [];
  const digits = `${'0'.repeat(Math.max(0, 1 - whole.length - power))}${whole}${fraction}`.padEnd(
    whole.length + power,
    '0',
  );
  const places = Math.max(0, fraction.length - power);
  const point = digits.length - places;
  const before = digits.slice(0, point).replace(/^0+(?=\d)/, '');
  return `${sign}${before}${places > 0 ? `.${digits.slice(point)}` : ''}`;
}

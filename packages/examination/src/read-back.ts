import type { CriticalFinding, ReadBack, WrongPart } from '@wardline/contract/chat/critical.ts';
import { compareDecimals } from './decimal.ts';
import { readSpan } from './entry.ts';
import { readQuantity } from './reference-range.ts';

/** Who the patient is, as the head of the chat shows it. */
export interface KnownPatient {
  readonly name: string;
  readonly identifier: string;
  /** YYYY-MM-DD. */
  readonly born_on: string | null;
}

/**
 * What of a read-back does not agree with the findings and the patient; empty where all does. It names the part and not what would
 * be right. A finding that was left out is a wrong value.
 */
export function compareReadBack(
  { findings, patient }: ReadBack,
  known: { readonly findings: readonly CriticalFinding[]; readonly patient: KnownPatient },
): WrongPart[] {
  const wrong: WrongPart[] = [];
  for (const { field, label, value, unit } of known.findings) {
    const said = findings.find((finding) => finding.field === field);
    if (!said || !isSameValue(said.value, value)) wrong.push({ part: 'value', label });
    if (!said || !isSameUnit(said.unit, unit)) wrong.push({ part: 'unit', label });
  }
  if (!isSamePatient(patient, known.patient)) wrong.push({ part: 'patient', label: null });
  return wrong;
}

/**
 * Whether a value was said again: numbers as numbers, exactly and never in binary fractions (`6,80` is `6.8`), with the same `<` or
 * `>`; two with a dash as two; anything else by its words, whatever their case, marks and spaces.
 */
export function isSameValue(said: string, wanted: string): boolean {
  if (readQuantity(wanted)) return isSameQuantity(said, wanted);
  const [span, heard] = [readSpan(wanted.trim()), readSpan(said.trim())];
  if (span) return heard !== null && isSameQuantity(heard.from, span.from) && isSameQuantity(heard.to, span.to);
  const folded = wordsOf(wanted).join(' ');
  return folded !== '' && wordsOf(said).join(' ') === folded;
}

function isSameQuantity(said: string, wanted: string): boolean {
  const [heard, known] = [readQuantity(said), readQuantity(wanted)];
  if (!heard || !known || heard.comparator !== known.comparator) return false;
  return compareDecimals(heard.number, known.number) === 0;
}

/**
 * Whether a unit was said again, by its UCUM code or as it is printed. Case counts, since milli and mega differ by it, save in the
 * litre, which UCUM writes both ways; spaces do not, nor how a power or a micro sign is written, nor the sign before a power of
 * ten. Where there is no unit, none is said.
 */
export function isSameUnit(said: string, unit: CriticalFinding['unit']): boolean {
  if (unit === null) return said.trim() === '';
  const heard = foldUnit(said);
  return heard !== '' && (heard === foldUnit(unit.code) || heard === foldUnit(unit.label));
}

function foldUnit(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/μ/g, 'u')
    .replace(/[\s^*·]/g, '')
    .replace(/^[x×](?=10)/i, '')
    .replace(/(?<![A-Za-z])([a-z]?)l(?![A-Za-z])/g, '$1L');
}

/** By the second identifier, or by name and date of birth; whatever else is said must agree as well. */
export function isSamePatient(said: ReadBack['patient'], { name, identifier, born_on }: KnownPatient): boolean {
  const isNamed = said.name.trim() !== '';
  const isIdentified = said.identifier.trim() !== '';
  if (isNamed && !isSameName(said.name, name)) return false;
  if (isIdentified && spokenIdentifier(said.identifier) !== spokenIdentifier(identifier)) return false;
  if (said.born_on !== null && said.born_on !== born_on) return false;
  return isIdentified || (isNamed && said.born_on !== null);
}

/** In any order, whatever their case and marks: `Novák, Jan` is Jan Novak. */
function isSameName(said: string, name: string): boolean {
  const [heard, known] = [said, name].map((text) => wordsOf(text).sort().join(' '));
  return known !== '' && heard === known;
}

/** Letters and digits alone, without `MRN` before them and without marks, as one says them; an index of numbers keeps the marks. */
function spokenIdentifier(text: string): string {
  return wordsOf(text).join('').replace(/^mrn/, '');
}

function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

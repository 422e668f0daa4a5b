import type { Entry, ReferenceRange, TemplateField } from '@wardline/contract/examinations/examinations.ts';
import { Interpretation } from '@wardline/contract/interpretation.ts';
import { isDecimal } from '@wardline/examination/decimal.ts';
import { readQuantity } from '@wardline/examination/reference-range.ts';
import { LOINC } from '#/platform/fhir/resources.ts';
import { isUnit } from '../../core/units.ts';
import { COMPARED } from '../observations.ts';
import type { Concept, Quantity, Said } from './fhir-shapes.ts';

/** A finding with the field that a form needs to say it. */
export interface Told {
  readonly field: TemplateField;
  readonly entry: Entry;
  /** In the file; 0 of what has no entry of its own. */
  readonly line: number;
}

interface Place {
  readonly code: string;
  readonly line: number;
  readonly note: string | null;
}

/** One finding of a file as a field of a form and what stands in it; null where it has no value. What no field can say is text. */
export function fieldOf(said: Said, { code, line, note }: Place): Told | null {
  const value = valueSaid(said);
  if (value === null) return null;
  const loinc = said.code.coding?.find(({ system }) => system === LOINC)?.code;
  const { text, ...kind } = value;
  const ranges = value.kind === 'quantity' || value.kind === 'range' ? rangesOf(said, value.unit?.code) : [];
  const flags = (said.interpretation ?? []).flatMap(({ coding }) => coding ?? []).map((one) => one.code);
  const interpretation = Interpretation.safeParse(flags.find((flag) => Interpretation.safeParse(flag).success));
  const comparison = COMPARISONS.find(([, text]) => text === note)?.[0] ?? null;
  return {
    field: {
      ...{ code, label: labelOf(said.code), part: code.startsWith('f') ? 'finding' : 'report' },
      ...(loinc !== undefined && LOINC_CODE.test(loinc) ? { loinc } : {}),
      ...kind,
      ...(ranges.length > 0 ? { ranges } : {}),
    },
    entry: { field: code, value: text, interpretation: interpretation.data ?? null, comparison },
    line,
  };
}

const LOINC_CODE = /^\d{1,7}-\d$/;
const COMPARISONS = Object.entries(COMPARED) as [keyof typeof COMPARED, string][];

/** What a concept is called; by its code where it has no words. */
export function textOf({ text, coding = [] }: Concept): string {
  return text || coding.find(({ display }) => display)?.display || coding.find(({ code }) => code)?.code || '';
}

/** A code of another system than LOINC is kept as text, behind what it is called. */
function labelOf(concept: Concept): string {
  const text = textOf(concept);
  const others = (concept.coding ?? []).flatMap(({ system, code }) =>
    system !== LOINC && code && code !== text ? [code] : [],
  );
  return others.length > 0 ? `${text} (${others.join(', ')})` : text || 'Finding';
}

type Value = Pick<TemplateField, 'kind' | 'unit' | 'options'> & { readonly text: string };

function valueSaid(said: Said): Value | null {
  const { valueQuantity, valueRange, valueCodeableConcept, valueBoolean, valueString, valueInteger } = said;
  if (valueQuantity) return quantityOf(valueQuantity);
  if (valueRange) return spanOf(valueRange);
  if (valueInteger) return quantityOf({ value: valueInteger });
  if (valueBoolean !== undefined) return { kind: 'boolean', text: valueBoolean ? 'yes' : 'no' };
  if (valueString) return { kind: 'text', text: valueString };
  const label = valueCodeableConcept && textOf(valueCodeableConcept);
  return label ? { kind: 'code', options: [{ code: 'said', label }], text: 'said' } : null;
}

function quantityOf({ value, comparator = '', unit, code }: Quantity): Value | null {
  if (value === undefined) return null;
  const text = `${comparator}${value.text}`;
  const isKnown = code !== undefined && isUnit(code);
  const hasUnit = unit !== undefined || code !== undefined;
  if (readQuantity(text) === null || (hasUnit && !isKnown))
    return { kind: 'text', text: [text, unit ?? code].filter(Boolean).join(' ') };
  return { kind: 'quantity', ...(isKnown ? { unit: { code, label: unit ?? code } } : {}), text };
}

function spanOf({ low, high }: NonNullable<Said['valueRange']>): Value | null {
  const [from, to] = [quantityOf(low), quantityOf(high)];
  if (!from || !to) return null;
  const isSpan = from.kind === 'quantity' && to.kind === 'quantity' && from.unit?.code === to.unit?.code;
  const text = `${from.text}–${to.text}`;
  return isSpan ? { kind: 'range', ...(from.unit ? { unit: from.unit } : {}), text } : { kind: 'text', text };
}

/** The first, where it is in the unit of the value: what a value is held against elsewhere says nothing in another. */
function rangesOf({ referenceRange }: Said, unit: string | undefined): ReferenceRange[] {
  const [range] = referenceRange ?? [];
  const limit = (quantity: Quantity | undefined) =>
    quantity?.value && isDecimal(quantity.value.text) && quantity.code === unit ? quantity.value.text : undefined;
  const [low, high] = [limit(range?.low), limit(range?.high)];
  return low === undefined && high === undefined
    ? []
    : [{ ...(low === undefined ? {} : { low }), ...(high === undefined ? {} : { high }) }];
}

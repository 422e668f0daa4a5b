import type { Hl7Segment } from '@medplum/core';
import type { ReferenceRange, TemplateField } from '@wardline/contract/examinations/examinations.ts';
import { Interpretation } from '@wardline/contract/interpretation.ts';
import { isDecimal } from '@wardline/examination/decimal.ts';
import { graver, readQuantity } from '@wardline/examination/reference-range.ts';
import { Hl7Error } from '#/platform/hl7/hl7-error.ts';
import { partOf, readTime, valuesOf } from '#/platform/hl7/read-message.ts';
import { isUnit } from '../core/units.ts';
import type { LaboratoryFinding } from './laboratory-report.ts';

export const LOINC_CODE = /^\d{1,7}-\d$/;
/** HL7 table 0085: deleted, and sent of the wrong patient or specimen. */
const WITHDRAWN = new Set(['D', 'W']);

type Read = LaboratoryFinding & { readonly isDocument: boolean };

/** One OBX as a finding. Never throws: what no field can say is text, and what is not taken is named. */
export function findingOf(
  segment: Hl7Segment,
  { codes, zone, now }: { readonly codes: ReadonlyMap<string, string>; readonly zone: TimeZone; readonly now: Date },
): Read {
  const [code, text, system] = [1, 2, 3].map((at) => partOf(segment, [3, at]));
  const otherText = partOf(segment, [3, 5]);
  const unit = unitOf(segment);
  const status = partOf(segment, [11, 1]);
  const isWithdrawn = WITHDRAWN.has(status);
  const said = status === 'X' ? textValue('No result') : saidValue(segment, unit);
  const { range, written } = rangeOf(partOf(segment, [7, 1]));
  const flags = flagsOf(segment);
  const time = timeOf(segment, zone, now);
  const isNumber = said.kind === 'quantity' || said.kind === 'range';
  const reference = isNumber && written === '' ? '' : partOf(segment, [7, 1]);
  const notes = [
    status === 'W' ? 'Taken back by the laboratory: it was wrong' : '',
    reference && `Reference: ${reference}`,
    ...flags.others.map((flag) => `Flag: ${flag}`),
    time.written && `Time: ${time.written}`,
  ];
  return {
    key: [code, system, partOf(segment, [4, 1])].join('|').slice(0, 300),
    label: (text || otherText || code || 'Finding').slice(0, 200),
    ...{ code: code ?? '', loinc: loincOf(segment, codes) },
    ...{ kind: said.kind, unit: isNumber ? said.unit : null, value: isWithdrawn ? '' : said.value },
    range: isNumber ? range : null,
    interpretation: isWithdrawn ? null : flags.interpretation,
    note: notes.filter(Boolean).join('\n') || null,
    ...(time.observedAt && { observedAt: time.observedAt }),
    ...{ isWithdrawn, isDocument: said.isDocument ?? false },
  };
}

type TimeZone = Parameters<typeof readTime>[1];

/** OBX-14; as written where it is no time of day, or still to come: no result is refused for it. */
function timeOf(segment: Hl7Segment, zone: TimeZone, now: Date) {
  const written = partOf(segment, [14, 1]).slice(0, 60);
  if (!/^\d{10}/.test(written)) return { observedAt: null, written };
  try {
    const at = readTime(written, zone);
    return at > now ? { observedAt: null, written } : { observedAt: at.toISOString(), written: '' };
  } catch (error) {
    if (error instanceof Hl7Error) return { observedAt: null, written };
    throw error;
  }
}

/** OBX-3: as the code or the other one, else as the set-up says of the laboratory's own. */
function loincOf(segment: Hl7Segment, codes: ReadonlyMap<string, string>): string | null {
  for (const at of [1, 4]) {
    const [code, system] = [partOf(segment, [3, at]), partOf(segment, [3, at + 2])];
    if (/^(LN|LOINC)$/i.test(system) && LOINC_CODE.test(code)) return code;
  }
  return codes.get(partOf(segment, [3, 1])) ?? null;
}

interface Value {
  readonly kind: TemplateField['kind'];
  readonly value: string;
  readonly unit: LaboratoryFinding['unit'];
  readonly isDocument?: true;
}

function textValue(value: string): Value {
  return { kind: 'text', value, unit: null };
}

interface SaidUnit {
  /** Null where UCUM does not know it: then a number with it is text, since nobody could compare it. */
  readonly unit: LaboratoryFinding['unit'];
  readonly written: string;
}

function saidValue(segment: Hl7Segment, unit: SaidUnit): Value {
  const type = partOf(segment, [2, 1]);
  const lines = valuesOf(segment, 5);
  switch (type) {
    case 'NM':
      return quantity(lines[0] ?? '', unit);
    case 'SN':
      return structured(segment, unit);
    case 'ST':
    case '':
      // Many laboratories send numbers so.
      return lines.length === 1 && unit.written !== '' ? quantity(lines[0] ?? '', unit) : textValue(lines.join('\n'));
    case 'TX':
    case 'FT':
    case 'IS':
    case 'ID':
      return textValue(lines.join('\n'));
    case 'CE':
    case 'CWE':
    case 'CNE':
    case 'CF':
      return textValue(lines.map((_, repetition) => codedText(segment, repetition)).join('\n'));
    case 'DT':
      return textValue(lines.map(formatDay).join('\n'));
    case 'TM':
      return textValue(lines.map(formatTime).join('\n'));
    case 'TS':
    case 'DTM':
      return textValue(
        lines
          .map((line) => [formatDay(line.slice(0, 8)), formatTime(line.slice(8))].filter(Boolean).join(' '))
          .join('\n'),
      );
    default:
      return { ...textValue(`Not taken: sent as ${type.slice(0, 10)}. Ask the laboratory for it.`), isDocument: true };
  }
}

/** The words of a code: its text, what was said originally, else the code. */
function codedText(segment: Hl7Segment, repetition: number): string {
  return [2, 9, 5, 1].map((at) => partOf(segment, [5, at, repetition])).find(Boolean) ?? '';
}

function quantity(given: string, { unit, written }: SaidUnit): Value {
  const value = given.trim();
  const isKnown = readQuantity(value) !== null && (unit !== null || written === '');
  return isKnown ? { kind: 'quantity', value, unit } : textValue([value, written].filter(Boolean).join(' '));
}

/** A comparator, a number, a separator, a number: `>^40`, `^2^-^5`, `^1^:^128`. */
function structured(segment: Hl7Segment, unit: SaidUnit): Value {
  const [comparator = '', from = '', separator = '', to = ''] = [1, 2, 3, 4].map((at) => partOf(segment, [5, at]));
  if (separator === '') return quantity(`${comparator === '=' ? '' : comparator}${from}`, unit);
  const isSpan = separator === '-' && comparator === '' && isDecimal(from) && isDecimal(to);
  if (isSpan && (unit.unit !== null || unit.written === ''))
    return { kind: 'range', value: `${from}–${to}`, unit: unit.unit };
  return textValue([`${comparator}${from}${separator}${to}`, unit.written].filter(Boolean).join(' '));
}

function formatDay(text: string): string {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(text) ?? [];
  return year ? `${year}-${month}-${day}` : text;
}

function formatTime(text: string): string {
  const [, hour, minute, second, zone] = /^(\d{2})(\d{2})(?:(\d{2})(?:\.\d{1,4})?)?([+-]\d{4})?$/.exec(text) ?? [];
  return hour ? [`${hour}:${minute}${second ? `:${second}` : ''}`, zone].filter(Boolean).join(' ') : text;
}

/** How laboratories write what UCUM writes otherwise. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/µ|μ/g, 'u'],
  [/^x?\s*10\s*[*^]\s*(\d+)\s*\/\s*/i, '10*$1/'],
  [/^x?10e(\d+)\/l$/i, '10*$1/L'],
  [/(^|\/)([mdun]?)l$/, '$1$2L'],
  [/^mEq\b/, 'meq'],
  [/^mmHg$/i, 'mm[Hg]'],
  [/^(m?)IU\//, '$1[IU]/'],
  [/^(m|u)?U\/l$/, '$1U/L'],
  [/^(sec|secs)$/i, 's'],
];

/** OBX-6: as UCUM writes it, or as laboratories do. */
function unitOf(segment: Hl7Segment): SaidUnit {
  const [code = '', label = ''] = [1, 2].map((at) => partOf(segment, [6, at]));
  const written = (label || code).slice(0, 60);
  const spelled = SPELLINGS.reduce((unit, [found, meant]) => unit.replace(found, meant), code);
  const known = [spelled, code].find((unit) => unit !== '' && isUnit(unit));
  return { unit: known === undefined ? null : { code: known, label: written }, written };
}

const LIMIT = '[+-]?\\d+(?:\\.\\d+)?';
const BETWEEN = new RegExp(`^\\(?\\s*(${LIMIT})\\s*(?:-|–|to|\\.\\.)\\s*(${LIMIT})\\s*\\)?$`, 'i');
const BELOW = new RegExp(`^(?:<|<=|≤)\\s*(${LIMIT})$`);
const ABOVE = new RegExp(`^(?:>|>=|≥)\\s*(${LIMIT})$`);

/** OBX-7 as limits; as written where it says anything else. */
function rangeOf(text: string): { readonly range: ReferenceRange | null; readonly written: string } {
  const said = text.slice(0, 200).trim();
  if (said === '') return { range: null, written: '' };
  const [, low, high] = BETWEEN.exec(said) ?? [];
  if (low !== undefined && high !== undefined) return { range: { low, high }, written: '' };
  const below = BELOW.exec(said)?.[1];
  if (below !== undefined) return { range: { high: below }, written: '' };
  const above = ABOVE.exec(said)?.[1];
  return above === undefined ? { range: null, written: said } : { range: { low: above }, written: '' };
}

/** What other versions of table 0078 call what ours names. */
const FLAGS: Readonly<Record<string, string>> = { '<': 'L', '>': 'H', LU: 'LL', HU: 'HH', DET: 'POS', ND: 'NEG' };

/** OBX-8: the gravest that we know, and the others as they are. */
function flagsOf(segment: Hl7Segment): { readonly interpretation: Interpretation | null; readonly others: string[] } {
  let interpretation: Interpretation | null = null;
  const others: string[] = [];
  valuesOf(segment, 8).forEach((_, repetition) => {
    const flag = partOf(segment, [8, 1, repetition]);
    const known = Interpretation.safeParse(FLAGS[flag] ?? flag.toUpperCase());
    if (known.success) interpretation = graver(interpretation, known.data);
    else if (flag !== '')
      others.push([flag, partOf(segment, [8, 2, repetition])].filter(Boolean).join(', ').slice(0, 60));
  });
  return { interpretation, others };
}

import type {
  ExaminationTemplate,
  ReferenceRange,
  TemplateField,
  TemplateOption,
} from '@wardline/contract/examinations/examinations.ts';
import { compareDecimals, isDecimal } from '../decimal.ts';
import { bandsOverlap, formatBand, isEmptyBand, missingBands } from './age-bands.ts';
import { isLoinc } from './loinc.ts';
import { news2Problems } from './news2-fields.ts';

/** What is wrong with a form, where; a warning is told and hinders nothing. */
export interface FormProblem {
  /** `name`, `fields`, `news2`, `fields.3.label`, `fields.3.options.0.code`, `fields.3.ranges.1.critical_low`. */
  readonly path: string;
  readonly text: string;
  readonly isWarning: boolean;
}

/** What a UCUM library says of units; null where it was not asked yet. */
export interface UnitChecks {
  readonly isUnit: (code: string) => boolean | null;
  /** Whether a unit measures what a LOINC code stands for; null also where nobody knows. */
  readonly fits: (code: string, loinc: string) => boolean | null;
}

export type Form = Pick<ExaminationTemplate, 'type' | 'name' | 'loinc' | 'is_bedside' | 'fields'>;

interface Known {
  readonly units: UnitChecks;
  /** The kind of each field that an earlier version has had, by code: a code is never used for another. */
  readonly usedCodes: Readonly<Record<string, TemplateField['kind']>>;
}

const CODE = /^[a-z][a-z0-9_]{0,39}$/;
const OPTION_CODE = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,59}$/;
const LIMITS = ['low', 'high', 'critical_low', 'critical_high'] as const;
/** What else files say of an examination by a name like a field's. */
const RESERVED: readonly string[] = ['news2', 'request', 'imported'];

/**
 * All that is wrong with a form before it can be a version, and what who publishes it should know. The same on the device, where it is
 * said at each field as one types, and on the server, which publishes nothing with an error.
 */
export function formProblems(form: Form, { units, usedCodes }: Known): FormProblem[] {
  const { fields } = form;
  return [
    ...(form.name.trim() === '' ? [error('name', 'Enter the name of the form.')] : []),
    ...loincProblems('loinc', form.loinc),
    ...(fields.length === 0 ? [error('fields', 'Add at least one field.')] : []),
    ...(fields.length > 0 && fields.every(({ part }) => part === 'request')
      ? [error('fields', 'Add at least one field for what is found: a report without findings can’t be signed.')]
      : []),
    ...fields.flatMap((field, index) =>
      fieldProblems(field, { path: `fields.${index}`, fields, index, units, usedCodes }),
    ),
    ...news2Problems(fields).map(({ path, text }) => error(path, text)),
  ];
}

/** True where nothing hinders that it is published. */
export function isPublishable(problems: readonly FormProblem[]): boolean {
  return problems.every(({ isWarning }) => isWarning);
}

interface Place extends Known {
  readonly path: string;
  readonly fields: readonly TemplateField[];
  readonly index: number;
}

function fieldProblems(field: TemplateField, place: Place): FormProblem[] {
  const { path } = place;
  const { kind, options = [], ranges = [] } = field;
  const isMeasured = kind === 'quantity' || kind === 'range';
  return [
    ...nameProblems(field, place),
    ...loincProblems(`${path}.loinc`, field.loinc),
    ...(field.part !== 'finding' && kind !== 'text' && kind !== 'code'
      ? [error(`${path}.kind`, 'Numbers and yes or no are findings: move it below “Findings”.')]
      : []),
    ...(isMeasured ? unitProblems(field, place) : []),
    ...(kind === 'code' ? optionProblems(options, `${path}.options`) : []),
    ...(isMeasured ? [...absoluteProblems(field, path), ...rangesProblems(ranges, `${path}.ranges`)] : []),
    ...(isMeasured || !(field.unit || ranges.length > 0 || hasAbsolute(field))
      ? []
      : [error(`${path}.kind`, 'Only numbers have units and ranges.')]),
    ...(kind === 'code' || options.length === 0 ? [] : [error(`${path}.kind`, 'Only a choice has a list.')]),
  ];
}

function nameProblems({ code, label, kind }: TemplateField, { path, fields, index, usedCodes }: Place): FormProblem[] {
  const before = fields.slice(0, index);
  const used = Object.hasOwn(usedCodes, code) ? usedCodes[code] : undefined;
  return [
    ...(label.trim() === '' ? [error(`${path}.label`, 'Enter the name of the field.')] : []),
    ...(label.trim() !== '' && before.some((other) => isSameText(other.label, label))
      ? [warning(`${path}.label`, 'Another field has this name too.')]
      : []),
    ...codeProblems(code, `${path}.code`),
    ...(before.some((other) => other.code === code) && code !== ''
      ? [error(`${path}.code`, 'Another field has this code. Each needs its own.')]
      : []),
    ...(used !== undefined && used !== kind
      ? [error(`${path}.kind`, `An earlier version has “${code}” as ${KIND_LABELS[used]}. Add a new field instead.`)]
      : []),
  ];
}

function codeProblems(code: string, path: string): FormProblem[] {
  if (!CODE.test(code)) return [error(path, 'Small letters, digits and _, beginning with a letter; 40 at most.')];
  return RESERVED.includes(code) ? [error(path, `“${code}” is used by Wardline itself. Choose another.`)] : [];
}

/** What a field asks for, as people say it. */
export const KIND_LABELS: Readonly<Record<TemplateField['kind'], string>> = {
  ...{ quantity: 'a number', range: 'two numbers', code: 'a choice', boolean: 'yes or no', text: 'text' },
};

function loincProblems(path: string, loinc: string | undefined): FormProblem[] {
  if (!loinc || isLoinc(loinc)) return [];
  return [error(path, 'This is no LOINC code: its last digit does not fit the others.')];
}

function unitProblems({ unit, loinc }: TemplateField, { path, units }: Place): FormProblem[] {
  if (!unit)
    return [warning(`${path}.unit`, 'Without a unit nobody knows what the number means. For points take {score}.')];
  if (unit.code === '') return [error(`${path}.unit`, 'Choose the unit, or take it away.')];
  if (units.isUnit(unit.code) === false) {
    return [
      error(`${path}.unit`, `“${unit.code}” is no unit of UCUM. Capital and small letters count: mm[Hg], not mmHg.`),
    ];
  }
  return [
    ...(unit.label === '' ? [error(`${path}.unit`, 'Enter how the unit is written.')] : []),
    ...(loinc && isLoinc(loinc) && units.fits(unit.code, loinc) === false
      ? [error(`${path}.loinc`, `LOINC ${loinc} stands for something that is not measured in ${unit.code}.`)]
      : []),
  ];
}

function optionProblems(options: readonly TemplateOption[], path: string): FormProblem[] {
  return [
    ...(options.length < 2 ? [error(path, 'Enter at least two choices.')] : []),
    ...options.flatMap(({ code, label }, index) => {
      const before = options.slice(0, index);
      return [
        ...(label.trim() === '' ? [error(`${path}.${index}.label`, 'Enter the choice.')] : []),
        ...(label.trim() !== '' && before.some((other) => isSameText(other.label, label))
          ? [error(`${path}.${index}.label`, 'This choice is there already.')]
          : []),
        ...(OPTION_CODE.test(code)
          ? []
          : [error(`${path}.${index}.code`, 'Letters, digits, dots, dashes and _; 60 at most.')]),
        ...(before.some((other) => other.code === code)
          ? [error(`${path}.${index}.code`, 'Another choice has this code. Each needs its own.')]
          : []),
      ];
    }),
  ];
}

const hasAbsolute = ({ absolute_low, absolute_high }: TemplateField) =>
  absolute_low !== undefined || absolute_high !== undefined;

/** What a patient can have at all: numbers, and wide enough for every limit of the ranges. */
function absoluteProblems(field: TemplateField, path: string): FormProblem[] {
  const { absolute_low: low, absolute_high: high, ranges = [] } = field;
  const wrong = (['absolute_low', 'absolute_high'] as const).filter(
    (limit) => field[limit] !== undefined && !isDecimal(field[limit]),
  );
  if (wrong.length > 0) return wrong.map((limit) => error(`${path}.${limit}`, 'Enter a number.'));
  if (low !== undefined && high !== undefined && compareDecimals(low, high) >= 0) {
    return [error(`${path}.absolute_high`, 'The highest must be more than the lowest.')];
  }
  const limits = ranges.flatMap((range) => LIMITS.flatMap((limit) => range[limit] ?? [])).filter(isDecimal);
  return [
    ...(low !== undefined && limits.some((limit) => compareDecimals(limit, low) < 0)
      ? [error(`${path}.absolute_low`, 'A range below goes lower than this.')]
      : []),
    ...(high !== undefined && limits.some((limit) => compareDecimals(limit, high) > 0)
      ? [error(`${path}.absolute_high`, 'A range below goes higher than this.')]
      : []),
  ];
}

function rangesProblems(ranges: readonly ReferenceRange[], path: string): FormProblem[] {
  const overlaps = ranges.flatMap((range, index) => {
    const other = ranges.slice(0, index).findIndex((before) => bandsOverlap(before, range));
    const where = `${path}.${index}.band`;
    return other < 0 ? [] : [error(where, `Overlaps range ${other + 1}, ${formatBand(ranges[other] ?? {})}.`)];
  });
  const missing = overlaps.length === 0 ? missingBands(ranges) : [];
  return [
    ...ranges.flatMap((range, index) => rangeProblems(range, `${path}.${index}`)),
    ...overlaps,
    ...missing.map((who) => warning(path, `No range for: ${who}. Values there have no flag.`)),
  ];
}

function rangeProblems(range: ReferenceRange, path: string): FormProblem[] {
  const wrong = LIMITS.filter((limit) => range[limit] !== undefined && !isDecimal(range[limit]));
  const isAbove = (a: string | undefined, b: string | undefined) =>
    a !== undefined && b !== undefined && isDecimal(a) && isDecimal(b) && compareDecimals(a, b) > 0;
  const isNotBelow = (a: string | undefined, b: string | undefined) =>
    a !== undefined && b !== undefined && isDecimal(a) && isDecimal(b) && compareDecimals(a, b) >= 0;
  const { low, high, critical_low, critical_high } = range;
  return [
    ...(isEmptyBand(range)
      ? [error(`${path}.band`, 'The age it ends at must be higher than the one it begins with.')]
      : []),
    ...wrong.map((limit) => error(`${path}.${limit}`, 'Enter a number.')),
    ...(LIMITS.every((limit) => range[limit] === undefined)
      ? [error(`${path}.low`, 'Enter at least one limit, or take the range away.')]
      : []),
    ...(isAbove(low, high) ? [error(`${path}.high`, 'The upper limit is below the lower one.')] : []),
    ...(isNotBelow(critical_low, low ?? high)
      ? [error(`${path}.critical_low`, 'Critically low must be lower than what is normal.')]
      : []),
    ...(isNotBelow(high ?? low, critical_high)
      ? [error(`${path}.critical_high`, 'Critically high must be higher than what is normal.')]
      : []),
    ...(low === undefined && high === undefined && isNotBelow(critical_low, critical_high)
      ? [error(`${path}.critical_high`, 'Critically high must be higher than critically low.')]
      : []),
  ];
}

function isSameText(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}

function error(path: string, text: string): FormProblem {
  return { path, text, isWarning: false };
}

function warning(path: string, text: string): FormProblem {
  return { path, text, isWarning: true };
}

import {
  type Entry,
  EXAMINATION_VALUE_MAX,
  type ExaminationTemplate,
  type TemplateField,
} from '@wardline/contract/examinations/examinations.ts';
import type { Interpretation } from '@wardline/contract/interpretation.ts';
import { flagQuantity, graver, rangeFor, type Subject } from '@wardline/examination/reference-range.ts';
import type { LaboratoryFinding, LaboratoryReport } from './laboratory-report.ts';

type Form = Omit<ExaminationTemplate, 'id' | 'version'> & { readonly is_imported: true };

/** What is held against the findings of a report: our own forms, and whose values they are. */
export interface Limits {
  readonly templates: readonly ExaminationTemplate[];
  readonly subject: Subject;
}

/**
 * A report as a form that is made of it and what stands in it. A field is named by the place of its finding, which never changes: so every
 * version of the report is read by the newest form. What was taken back keeps its field, empty.
 */
export function laboratoryForm(report: LaboratoryReport, limits: Limits): { form: Form; entries: Entry[] } {
  const told = report.findings.flatMap((finding, index) => {
    const { observedAt } = finding;
    const time = observedAt === undefined || observedAt === report.observedAt ? {} : { observed_at: observedAt };
    return fieldsOf(finding, { code: `f${index + 1}`, limits }).map(({ field, entry }) => ({
      field,
      entry: { ...entry, ...time },
    }));
  });
  const { title: name, loinc, note } = report;
  const comments = textFields({ code: 'comments', label: 'Comments', part: 'report' }, note ?? '');
  const all = [...told, ...comments];
  return {
    form: {
      ...{ type: 'laboratory', name, is_imported: true },
      ...(loinc ? { loinc } : {}),
      fields: all.map(({ field }) => field),
    },
    entries: all.map(({ entry }) => entry),
  };
}

interface Told {
  readonly field: TemplateField;
  readonly entry: Entry;
}

function fieldsOf(finding: LaboratoryFinding, { code, limits }: { code: string; limits: Limits }): Told[] {
  const { label, loinc, kind, unit, value, range, note } = finding;
  const interpretation = interpretationOf(finding, limits);
  const known = { ...(loinc ? { loinc } : {}) };
  const comment = note ? textFields({ code: `${code}n`, label: `${label}: comment`, part: 'finding' }, note) : [];
  if (kind === 'text') {
    const texts = textFields({ code, label, part: 'finding', ...known }, value);
    return [...texts.map((told, place) => (place === 0 ? flagged(told, interpretation) : told)), ...comment];
  }
  const field = {
    code,
    label,
    kind,
    part: 'finding',
    ...known,
    ...(unit && { unit }),
    ...(range && { ranges: [range] }),
  } as const;
  return [
    { field: { ...field, ranges: range ? [range] : [] }, entry: entryOf(code, value, interpretation) },
    ...comment,
  ];
}

function flagged({ field, entry }: Told, interpretation: Interpretation | null): Told {
  return { field, entry: { ...entry, interpretation } };
}

function entryOf(field: string, value: string, interpretation: Interpretation | null = null): Entry {
  return { field, value, interpretation, comparison: null };
}

/** A text that is longer than a field goes on in the next. */
function textFields(given: Pick<TemplateField, 'code' | 'label' | 'part' | 'loinc'>, text: string): Told[] {
  const parts = Array.from({ length: Math.max(1, Math.ceil(text.length / EXAMINATION_VALUE_MAX)) }, (_, place) =>
    text.slice(place * EXAMINATION_VALUE_MAX, (place + 1) * EXAMINATION_VALUE_MAX),
  );
  return parts.map((part, place) => {
    const code = place === 0 ? given.code : `${given.code}_${place + 1}`;
    const label = place === 0 ? given.label : `${given.label} (${place + 1})`;
    return { field: { ...given, code, label, kind: 'text' }, entry: entryOf(code, part) };
  });
}

/** The graver of what the laboratory says and what our own critical limits say; without a flag by the range that was sent. */
function interpretationOf(finding: LaboratoryFinding, { templates, subject }: Limits): Interpretation | null {
  const { kind, value, interpretation, range, unit, loinc } = finding;
  if (kind !== 'quantity' || value === '') return interpretation;
  const own = templates
    .filter(({ type }) => type === 'laboratory')
    .flatMap(({ fields }) => fields)
    .filter((field) => loinc !== null && field.loinc === loinc && field.unit?.code === unit?.code);
  const critical = own.map(({ ranges = [] }) => {
    const { critical_low, critical_high } = rangeFor(ranges, subject) ?? {};
    return flagQuantity(value, { ...(critical_low && { critical_low }), ...(critical_high && { critical_high }) });
  });
  const said = interpretation ?? (range ? flagQuantity(value, range) : null);
  return critical.filter((flag) => flag !== 'N').reduce((gravest, flag) => graver(gravest, flag), said);
}

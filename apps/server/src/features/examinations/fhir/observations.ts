import type {
  Entry,
  ExaminationTemplate,
  ReferenceRange,
  ReportVersion,
  TemplateField,
} from '@wardline/contract/examinations/examinations.ts';
import { plainDecimal } from '@wardline/examination/decimal.ts';
import { readSpan } from '@wardline/examination/entry.ts';
import { isForNews2, news2, observationsOf as observedForNews2 } from '@wardline/examination/news2.ts';
import { rangeFor, readQuantity, type Subject } from '@wardline/examination/reference-range.ts';
import { formatRegion } from '@wardline/format/region.ts';
import { FhirDecimal } from '#/platform/fhir/fhir-json.ts';
import { HL7, idOf, LOINC, type Resource, referenceTo } from '#/platform/fhir/resources.ts';

/** What all findings of a report have in common. */
export interface Findings {
  readonly examinationId: string;
  readonly template: ExaminationTemplate;
  readonly entries: readonly Entry[];
  /** What the entries point to. */
  readonly pictures: NonNullable<ReportVersion['pictures']>;
  /** Whose values they are, for the reference ranges. */
  readonly subject: Subject;
  /** status, subject, effectiveDateTime, issued, performer. */
  readonly frame: Readonly<Record<string, unknown>>;
}

interface Finding {
  readonly field: TemplateField;
  readonly entry: Entry;
}

const UCUM = 'http://unitsofmeasure.org';
const CATEGORIES: Readonly<Record<ExaminationTemplate['type'], string>> = {
  ...{ laboratory: 'laboratory', vital_signs: 'vital-signs', imaging: 'imaging' },
  ...{ ecg: 'procedure', physical: 'exam', consultation: 'exam' },
};
/** FHIR's vital signs know a pressure by its panel, with systolic and diastolic as its parts. */
const BLOOD_PRESSURE = { code: '85354-9', parts: ['8480-6', '8462-4'] as readonly string[] };
/** The vital signs' own code of a saturation, beside the one that says how it was taken. */
const SATURATION = { pulse_oximetry: '59408-5', vital_sign: '2708-6' };
export const COMPARED = {
  ...{ new: 'New against the examination before', stable: 'As in the examination before' },
  ...{ worse: 'Worse than in the examination before', better: 'Better than in the examination before' },
} as const;

/** An Observation for each finding and each section of a signed report, a blood pressure as one, and the NEWS2 score. */
export function observationsOf(findings: Findings): Resource[] {
  const { template, entries } = findings;
  const found = template.fields.flatMap((field): Finding[] => {
    const entry = entries.find(({ field: code, value }) => code === field.code && value !== '');
    return entry && field.part !== 'request' ? [{ field, entry }] : [];
  });
  const pressures = found.filter(({ field }) => isPressure(template, field));
  const single = found
    .filter((finding) => !pressures.includes(finding))
    .map((finding) => observation(findings, finding));
  return [...single, ...pressurePanel(findings, pressures), ...score(findings, single)];
}

function isPressure({ type }: ExaminationTemplate, { loinc }: TemplateField): boolean {
  return type === 'vital_signs' && loinc !== undefined && BLOOD_PRESSURE.parts.includes(loinc);
}

/** Of the Observation that says what a field of a report says. */
export function observationIdOf(examinationId: string, template: ExaminationTemplate, field: TemplateField): string {
  return idOf(examinationId, isPressure(template, field) ? BLOOD_PRESSURE.code : field.code);
}

function begun({ examinationId, template, frame }: Findings, name: string) {
  return {
    resourceType: 'Observation',
    id: idOf(examinationId, name),
    ...frame,
    category: [{ coding: [{ system: `${HL7}/observation-category`, code: CATEGORIES[template.type] }] }],
  };
}

function observation(findings: Findings, { field, entry }: Finding): Resource {
  return {
    ...begun(findings, field.code),
    ...ownTime(entry),
    ...said(findings.subject, { field, entry }),
    ...seenOn(findings, entry),
  };
}

function ownTime({ observed_at }: Entry) {
  return observed_at === undefined ? {} : { effectiveDateTime: observed_at };
}

/** R4 knows which picture a finding was made on, and has no element for where on it (ImagingSelection is R5): that is said in words. */
function seenOn({ pictures }: Findings, { comparison, regions = [] }: Entry) {
  const seen = pictures.filter(({ id }) => regions.some(({ attachment_id }) => attachment_id === id));
  const places = regions.map((region) => {
    const name = pictures.find(({ id }) => id === region.attachment_id)?.name;
    return { text: `Seen on ${name ?? 'a picture'}: ${formatRegion(region)}` };
  });
  const notes = [...(comparison === null ? [] : [{ text: COMPARED[comparison] }]), ...places];
  return {
    ...(notes.length > 0 ? { note: notes } : {}),
    ...(seen.length > 0 ? { derivedFrom: seen.map(({ id, name }) => referenceTo({ id }, name)) } : {}),
  };
}

function pressurePanel(findings: Findings, parts: readonly Finding[]): Resource[] {
  const [first] = parts;
  if (first === undefined) return [];
  return [
    {
      ...begun(findings, BLOOD_PRESSURE.code),
      ...ownTime(first.entry),
      code: { coding: [{ system: LOINC, code: BLOOD_PRESSURE.code }], text: 'Blood pressure' },
      component: parts.map((part) => said(findings.subject, part)),
    },
  ];
}

/** NEWS2 as it follows from the findings; none while a part is missing, and none of a child. */
function score(findings: Findings, from: readonly Resource[]): Resource[] {
  const observed = observedForNews2(findings.template.fields, findings.entries);
  const total = observed && isForNews2(findings.subject) ? news2(observed).total : null;
  if (total === null) return [];
  return [
    {
      ...begun(findings, 'news2'),
      code: { text: 'National Early Warning Score 2 (NEWS2)' },
      valueInteger: total,
      derivedFrom: from.map((resource) => referenceTo(resource)),
    },
  ];
}

/** What was found, what it means, and against what. */
function said(subject: Subject, { field, entry }: Finding) {
  const range = field.kind === 'quantity' || field.kind === 'range' ? rangeFor(field.ranges ?? [], subject) : null;
  return {
    code: codeOf(field),
    ...valueElement(field, entry.value),
    ...(entry.interpretation === null
      ? {}
      : {
          interpretation: [{ coding: [{ system: `${HL7}/v3-ObservationInterpretation`, code: entry.interpretation }] }],
        }),
    ...(range?.low === undefined && range?.high === undefined ? {} : { referenceRange: [limitsOf(field, range)] }),
  };
}

function codeOf({ loinc, label }: TemplateField) {
  const codes =
    loinc === SATURATION.pulse_oximetry ? [loinc, SATURATION.vital_sign] : loinc === undefined ? [] : [loinc];
  return { ...(codes.length > 0 ? { coding: codes.map((code) => ({ system: LOINC, code })) } : {}), text: label };
}

function valueElement(field: TemplateField, value: string): object {
  switch (field.kind) {
    case 'quantity':
      return { valueQuantity: quantityOf(field, value) };
    case 'range': {
      const span = readSpan(value);
      return span
        ? { valueRange: { low: quantityOf(field, span.from), high: quantityOf(field, span.to) } }
        : { valueString: value };
    }
    case 'code':
      return { valueCodeableConcept: { text: field.options?.find(({ code }) => code === value)?.label ?? value } };
    case 'boolean':
      return { valueBoolean: value === 'yes' };
    case 'text':
      return { valueString: value };
  }
}

function quantityOf({ unit }: TemplateField, text: string) {
  const quantity = readQuantity(text);
  if (quantity === null) throw new TypeError(`a stored quantity that is none: ${text}`);
  return {
    value: new FhirDecimal(plainDecimal(quantity.number)),
    ...(quantity.comparator === null ? {} : { comparator: quantity.comparator }),
    ...(unit === undefined ? {} : { unit: unit.label, system: UCUM, code: unit.code }),
  };
}

function limitsOf(field: TemplateField, { low, high }: ReferenceRange) {
  return {
    ...(low === undefined ? {} : { low: quantityOf(field, low) }),
    ...(high === undefined ? {} : { high: quantityOf(field, high) }),
  };
}

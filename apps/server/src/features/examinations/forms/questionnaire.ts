import type { ExaminationTemplate, TemplateField } from '@wardline/contract/examinations/examinations.ts';
import { plainDecimal } from '@wardline/examination/decimal.ts';
import { PART_LABELS } from '@wardline/examination/forms/form-difference.ts';
import { FhirDecimal } from '#/platform/fhir/fhir-json.ts';
import { LOINC } from '#/platform/fhir/resources.ts';

const UNIT = 'http://hl7.org/fhir/StructureDefinition/questionnaire-unit';
const UCUM = 'http://unitsofmeasure.org';
/** Of Structured Data Capture: `Questionnaire` itself has a least and a most only for plain numbers and dates. */
const LIMITS = {
  absolute_low: 'http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-minQuantity',
  absolute_high: 'http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-maxQuantity',
} as const;

/** A form as a FHIR R4 Questionnaire. Reference ranges, flags and scores have no place in it: they stay behind. */
export function questionnaireOf(template: ExaminationTemplate, publishedAt: Date): object {
  const { id, version, name, loinc, fields } = template;
  const parts = (['request', 'finding', 'report'] as const).map((part) => ({
    part,
    fields: fields.filter((field) => field.part === part),
  }));
  return {
    resourceType: 'Questionnaire',
    id,
    identifier: [{ system: 'urn:ietf:rfc:3986', value: `urn:uuid:${id}` }],
    version: String(version),
    title: name,
    status: 'active',
    subjectType: ['Patient'],
    date: publishedAt.toISOString(),
    ...(loinc ? { code: [{ system: LOINC, code: loinc }] } : {}),
    item: parts
      .filter((one) => one.fields.length > 0)
      .map((one) => ({
        linkId: `part ${one.part}`,
        text: PART_LABELS[one.part],
        type: 'group',
        item: sectionItems(one.part, one.fields),
      })),
  };
}

/** Those that stand below the same heading are a group. */
function sectionItems(part: string, fields: readonly TemplateField[]): object[] {
  const sections = new Set(['', ...fields.map(({ section }) => section ?? '')]);
  return [...sections].flatMap((section, index) => {
    const items = fields.filter((field) => (field.section ?? '') === section).map(toItem);
    return section === '' ? items : [{ linkId: `${part} ${index}`, text: section, type: 'group', item: items }];
  });
}

function toItem(field: TemplateField): object {
  const { code, label, help, loinc, is_required } = field;
  const extension = field.kind === 'quantity' ? quantityExtensions(field) : [];
  return {
    linkId: code,
    text: label,
    ...(extension.length > 0 ? { extension } : {}),
    ...(loinc ? { code: [{ system: LOINC, code: loinc }] } : {}),
    ...{ type: TYPES[field.kind], required: is_required === true },
    ...(field.kind === 'code'
      ? { answerOption: (field.options ?? []).map((one) => ({ valueCoding: { code: one.code, display: one.label } })) }
      : {}),
    ...(help ? { item: [{ linkId: `${code} help`, text: help, type: 'display' }] } : {}),
  };
}

function quantityExtensions(field: TemplateField): object[] {
  const { unit } = field;
  const coded = unit && { unit: unit.label, system: UCUM, code: unit.code };
  return [
    ...(unit ? [{ url: UNIT, valueCoding: { system: UCUM, code: unit.code, display: unit.label } }] : []),
    ...(['absolute_low', 'absolute_high'] as const).flatMap((limit) => {
      const value = field[limit];
      return value === undefined
        ? []
        : [{ url: LIMITS[limit], valueQuantity: { value: new FhirDecimal(plainDecimal(value)), ...coded } }];
    }),
  ];
}

/** Two numbers have no type of their own there. */
const TYPES: Readonly<Record<TemplateField['kind'], string>> = {
  ...{ quantity: 'quantity', range: 'string', code: 'choice', boolean: 'boolean', text: 'text' },
};

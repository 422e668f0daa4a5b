import type { ExaminationTemplate, TemplateField } from '@wardline/contract/examinations/examinations.ts';
import { PART_LABELS } from '@wardline/examination/forms/form-difference.ts';
import { LOINC } from '#/platform/fhir/resources.ts';

const UNIT = 'http://hl7.org/fhir/StructureDefinition/questionnaire-unit';
const UCUM = 'http://unitsofmeasure.org';

/** A form as a FHIR R4 Questionnaire. Ranges, flags and scores have no place in it: they stay behind. */
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
  const { code, label, help, unit, loinc, is_required } = field;
  return {
    linkId: code,
    text: label,
    ...(unit && field.kind === 'quantity'
      ? { extension: [{ url: UNIT, valueCoding: { system: UCUM, code: unit.code, display: unit.label } }] }
      : {}),
    ...(loinc ? { code: [{ system: LOINC, code: loinc }] } : {}),
    ...{ type: TYPES[field.kind], required: is_required === true },
    ...(field.kind === 'code'
      ? { answerOption: (field.options ?? []).map((one) => ({ valueCoding: { code: one.code, display: one.label } })) }
      : {}),
    ...(help ? { item: [{ linkId: `${code} help`, text: help, type: 'display' }] } : {}),
  };
}

/** Two numbers have no type of their own there. */
const TYPES: Readonly<Record<TemplateField['kind'], string>> = {
  ...{ quantity: 'quantity', range: 'string', code: 'choice', boolean: 'boolean', text: 'text' },
};

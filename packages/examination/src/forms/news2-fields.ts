import type { TemplateField } from '@wardline/contract/examinations/examinations.ts';

type Mark = NonNullable<TemplateField['news2']>;

type Measured = Pick<TemplateField, 'label' | 'loinc' | 'unit' | 'absolute_low' | 'absolute_high'>;
const measured = (news2: Mark, field: Measured): TemplateField => ({
  ...{ code: news2, kind: 'quantity', part: 'finding', news2, decimals: news2 === 'temperature' ? 1 : 0 },
  ...field,
});
/** What a patient can have at all, far beyond what was ever seen. */
const upTo = (absolute_high: string, absolute_low = '0') => ({ absolute_low, absolute_high });
const PER_MINUTE = { code: '/min', label: '/min' };

/** The observations that NEWS2 is made of, as a form has them that has none yet. */
export const NEWS2_FIELDS: readonly TemplateField[] = [
  measured('respiration', { label: 'Respiratory rate', unit: PER_MINUTE, loinc: '9279-1', ...upTo('150') }),
  measured('spo2', { label: 'SpO₂', unit: { code: '%', label: '%' }, loinc: '59408-5', ...upTo('100') }),
  {
    ...{ code: 'spo2_scale', label: 'SpO₂ scale', kind: 'code', part: 'finding', news2: 'spo2_scale' },
    options: [
      { code: '1', label: 'Scale 1' },
      { code: '2', label: 'Scale 2, target 88–92 %' },
    ],
  },
  {
    ...{ code: 'oxygen', label: 'Air or oxygen', kind: 'code', part: 'finding', news2: 'oxygen' },
    options: [
      { code: 'air', label: 'Air' },
      { code: 'oxygen', label: 'Oxygen' },
    ],
  },
  measured('systolic', {
    label: 'Systolic pressure',
    unit: { code: 'mm[Hg]', label: 'mmHg' },
    loinc: '8480-6',
    ...upTo('400'),
  }),
  measured('pulse', { label: 'Pulse', unit: PER_MINUTE, loinc: '8867-4', ...upTo('400') }),
  {
    ...{ code: 'consciousness', label: 'Consciousness', kind: 'code', part: 'finding', news2: 'consciousness' },
    options: [
      { code: 'A', label: 'Alert', interpretation: 'N' },
      { code: 'C', label: 'New confusion', interpretation: 'AA' },
      { code: 'V', label: 'Responds to voice', interpretation: 'AA' },
      { code: 'P', label: 'Responds to pain', interpretation: 'AA' },
      { code: 'U', label: 'Unresponsive', interpretation: 'AA' },
    ],
  },
  measured('temperature', {
    label: 'Temperature',
    unit: { code: 'Cel', label: '°C' },
    loinc: '8310-5',
    ...upTo('50', '10'),
  }),
];

/** What hinders a form that computes NEWS2 from doing so: a part that is missing, twice there, or asked for otherwise. */
export function news2Problems(fields: readonly TemplateField[]): { path: string; text: string }[] {
  if (!fields.some(({ news2 }) => news2)) return [];
  return NEWS2_FIELDS.flatMap((wanted) => {
    const found = fields.flatMap((field, index) => (field.news2 === wanted.news2 ? [{ field, index }] : []));
    const [first, second] = found;
    if (first === undefined)
      return wanted.news2 === 'spo2_scale' ? [] : [{ path: 'news2', text: missing(wanted.label) }];
    if (second !== undefined)
      return [{ path: `fields.${second.index}.news2`, text: `NEWS2 has ${wanted.label} twice.` }];
    return mismatches(first.field, wanted).map((text) => ({ path: `fields.${first.index}.news2`, text }));
  });
}

const missing = (label: string) => `NEWS2 needs ${label}. Put it back, or turn NEWS2 off for this form.`;

function mismatches(field: TemplateField, wanted: TemplateField): string[] {
  if (field.kind !== wanted.kind || field.part !== 'finding') {
    return [`NEWS2 needs this field as a finding that is ${wanted.kind === 'code' ? 'a choice' : 'a number'}.`];
  }
  if (wanted.unit && field.unit?.code !== wanted.unit.code) return [`NEWS2 needs this field in ${wanted.unit.code}.`];
  const codes = (of: TemplateField) => (of.options ?? []).map(({ code }) => code);
  const [has, needs] = [codes(field), codes(wanted)];
  if (has.length === needs.length && needs.every((code) => has.includes(code))) return [];
  return [`NEWS2 needs exactly these choices, by code: ${needs.join(', ')}.`];
}

/** The same fields with NEWS2: those of its parts that are not there come at the end of the findings. */
export function withNews2(fields: readonly TemplateField[]): TemplateField[] {
  const marked = fields.map((field) => {
    const wanted = NEWS2_FIELDS.find(({ code }) => code === field.code);
    return wanted?.news2 && mismatches(field, wanted).length === 0 ? { ...field, news2: wanted.news2 } : field;
  });
  const codes = marked.map(({ code }) => code);
  const added = NEWS2_FIELDS.filter(({ news2 }) => !marked.some((field) => field.news2 === news2)).map((field) => ({
    ...field,
    code: codes.includes(field.code) ? `news2_${field.code}` : field.code,
  }));
  const last = marked.findLastIndex(({ part }) => part === 'finding');
  return [...marked.slice(0, last + 1), ...added, ...marked.slice(last + 1)];
}

/** The same fields without NEWS2: they stay, and nothing is reckoned of them. */
export function withoutNews2(fields: readonly TemplateField[]): TemplateField[] {
  return fields.map(({ news2: _news2, ...field }) => field);
}

import type { TemplateField } from '@wardline/contract/examinations/examinations.ts';

type Mark = NonNullable<TemplateField['news2']>;

const measured = (news2: Mark, label: string, unit: { code: string; label: string }, loinc: string): TemplateField => ({
  ...{ code: news2, label, kind: 'quantity', part: 'finding', unit, loinc, news2 },
  decimals: news2 === 'temperature' ? 1 : 0,
});
const PER_MINUTE = { code: '/min', label: '/min' };

/** The observations that NEWS2 is made of, as a form has them that has none yet. */
export const NEWS2_FIELDS: readonly TemplateField[] = [
  measured('respiration', 'Respiratory rate', PER_MINUTE, '9279-1'),
  measured('spo2', 'SpO₂', { code: '%', label: '%' }, '59408-5'),
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
  measured('systolic', 'Systolic pressure', { code: 'mm[Hg]', label: 'mmHg' }, '8480-6'),
  measured('pulse', 'Pulse', PER_MINUTE, '8867-4'),
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
  measured('temperature', 'Temperature', { code: 'Cel', label: '°C' }, '8310-5'),
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

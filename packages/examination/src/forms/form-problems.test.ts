import type { ReferenceRange, TemplateField } from '@wardline/contract/examinations/examinations.ts';
import { describe, expect, it } from 'vitest';
import { missingBands } from './age-bands.ts';
import { type Form, formProblems, isPublishable } from './form-problems.ts';
import { isLoinc } from './loinc.ts';
import { NEWS2_FIELDS, withNews2, withoutNews2 } from './news2-fields.ts';

const UNITS = ['mmol/L', 'mg/dL', '/min', '%', 'mm[Hg]', 'Cel'];
const units = {
  isUnit: (code: string) => UNITS.includes(code),
  fits: (code: string, loinc: string) => (loinc === '2823-3' ? code === 'mmol/L' : null),
};
const potassium: TemplateField = {
  ...{ code: 'potassium', label: 'Potassium', kind: 'quantity', part: 'finding' },
  unit: { code: 'mmol/L', label: 'mmol/L' },
};
const withField = (change: Partial<TemplateField>): Form => form([{ ...potassium, ...change }]);
const withRanges = (...ranges: ReferenceRange[]) => withField({ ranges });
const choice = (...options: NonNullable<TemplateField['options']>): Form => {
  const { unit: _unit, ...field } = potassium;
  return form([{ ...field, kind: 'code', options }]);
};

function form(fields: readonly TemplateField[], change: Partial<Form> = {}): Form {
  return { type: 'laboratory', name: 'Profile', fields: [...fields], ...change };
}
const problems = (of: Form, usedCodes: Readonly<Record<string, TemplateField['kind']>> = {}) =>
  formProblems(of, { units, usedCodes });
const said = (of: Form) => problems(of).map(({ path, text, isWarning }) => `${isWarning ? '~' : ''}${path}: ${text}`);

describe('EXAM-2 a form', () => {
  it('EXAM-2 without fault can be published', () => {
    expect(said(withRanges({ low: '3.5', high: '5.3', critical_low: '2.5', critical_high: '6.5' }))).toEqual([]);
    expect(said(withField({ absolute_low: '0.5', absolute_high: '6.5', ranges: [{ critical_high: '6.5' }] }))).toEqual(
      [],
    );
    expect(isPublishable(problems(withField({})))).toBe(true);
  });

  it.each([
    [form([potassium], { name: ' ' }), 'name: Enter the name of the form.'],
    [form([potassium], { loinc: '58410-3' }), 'loinc: This is no LOINC code: its last digit does not fit the others.'],
    [form([]), 'fields: Add at least one field.'],
    [
      form([{ code: 'question', label: 'Question', kind: 'text', part: 'request' }]),
      'fields: Add at least one field for what is found: a report without findings can’t be signed.',
    ],
    [withField({ label: '' }), 'fields.0.label: Enter the name of the field.'],
    [
      withField({ code: 'Potassium' }),
      'fields.0.code: Small letters, digits and _, beginning with a letter; 40 at most.',
    ],
    [withField({ code: 'news2' }), 'fields.0.code: “news2” is used by Wardline itself. Choose another.'],
    [
      form([potassium, { ...potassium, label: 'Kalium' }]),
      'fields.1.code: Another field has this code. Each needs its own.',
    ],
    [form([potassium, { ...potassium, code: 'k' }]), '~fields.1.label: Another field has this name too.'],
    [withField({ part: 'report' }), 'fields.0.kind: Numbers and yes or no are findings: move it below “Findings”.'],
    [withField({ kind: 'text' }), 'fields.0.kind: Only numbers have units and ranges.'],
    [
      form([{ code: 'a', label: 'A', kind: 'boolean', part: 'finding', options: [{ code: 'x', label: 'X' }] }]),
      'fields.0.kind: Only a choice has a list.',
    ],
    [withField({ absolute_low: 'x' }), 'fields.0.absolute_low: Enter a number.'],
    [
      withField({ absolute_low: '20', absolute_high: '20.0' }),
      'fields.0.absolute_high: The highest must be more than the lowest.',
    ],
    [
      withField({ absolute_low: '3', ranges: [{ low: '3.5', critical_low: '2.5' }] }),
      'fields.0.absolute_low: A range below goes lower than this.',
    ],
    [
      withField({ absolute_high: '6', ranges: [{ high: '5.3', critical_high: '6.5' }] }),
      'fields.0.absolute_high: A range below goes higher than this.',
    ],
    [
      form([{ code: 'a', label: 'A', kind: 'boolean', part: 'finding', absolute_high: '1' }]),
      'fields.0.kind: Only numbers have units and ranges.',
    ],
    [
      withField({ unit: undefined }),
      '~fields.0.unit: Without a unit nobody knows what the number means. For points take {score}.',
    ],
    [withField({ unit: { code: '', label: '' } }), 'fields.0.unit: Choose the unit, or take it away.'],
    [
      withField({ unit: { code: 'mmHg', label: 'mmHg' } }),
      'fields.0.unit: “mmHg” is no unit of UCUM. Capital and small letters count: mm[Hg], not mmHg.',
    ],
    [withField({ unit: { code: '%', label: '' } }), 'fields.0.unit: Enter how the unit is written.'],
    [
      withField({ loinc: '2823-3', unit: { code: 'mg/dL', label: 'mg/dL' } }),
      'fields.0.loinc: LOINC 2823-3 stands for something that is not measured in mg/dL.',
    ],
    [withField({ loinc: '2823-4' }), 'fields.0.loinc: This is no LOINC code: its last digit does not fit the others.'],
  ] as const)('EXAM-2 is refused or warned of at its field: %#', (wrong, text) => {
    expect(said(wrong as Form)).toEqual([text]);
  });

  it.each([
    [[{ code: 'a', label: 'A' }], 'fields.0.options: Enter at least two choices.'],
    [
      [
        { code: 'a', label: 'A' },
        { code: 'a', label: 'B' },
      ],
      'fields.0.options.1.code: Another choice has this code. Each needs its own.',
    ],
    [
      [
        { code: 'a', label: 'A' },
        { code: 'b', label: 'a ' },
      ],
      'fields.0.options.1.label: This choice is there already.',
    ],
    [
      [
        { code: 'a', label: '' },
        { code: 'b', label: 'B' },
      ],
      'fields.0.options.0.label: Enter the choice.',
    ],
    [
      [
        { code: 'a b', label: 'A' },
        { code: 'b', label: 'B' },
      ],
      'fields.0.options.0.code: Letters, digits, dots, dashes and _; 60 at most.',
    ],
  ])('EXAM-2 has lists whose choices can be told apart: %#', (options, text) => {
    expect(said(choice(...options))).toEqual([text]);
  });

  it('EXAM-1 never uses a code for another kind of value than an earlier version did', () => {
    expect(problems(withField({}), { potassium: 'text' })).toMatchObject([
      { path: 'fields.0.kind', text: 'An earlier version has “potassium” as text. Add a new field instead.' },
    ]);
    expect(problems(withField({}), { potassium: 'quantity' })).toEqual([]);
    expect(problems(withField({ code: 'constructor' }))).toEqual([]);
  });
});

describe('EXAM-2 ranges', () => {
  it.each([
    [{ low: '5.3', high: '3.5' }, 'high: The upper limit is below the lower one.'],
    [{ low: '3,5', high: 'five' }, 'high: Enter a number.'],
    [{}, 'low: Enter at least one limit, or take the range away.'],
    [{ low: '3.5', critical_low: '3.50' }, 'critical_low: Critically low must be lower than what is normal.'],
    [{ high: '5.3', critical_low: '6' }, 'critical_low: Critically low must be lower than what is normal.'],
    [{ high: '5.3', critical_high: '5.3' }, 'critical_high: Critically high must be higher than what is normal.'],
    [{ low: '3.5', critical_high: '3' }, 'critical_high: Critically high must be higher than what is normal.'],
    [{ critical_low: '6', critical_high: '2' }, 'critical_high: Critically high must be higher than critically low.'],
  ])('EXAM-2 EXAM-5 have limits in their order: %o', (range, text) => {
    expect(said(withRanges(range))).toEqual([`fields.0.ranges.0.${text}`]);
  });

  const years = (value: number) => ({ value, unit: 'a' as const });
  it.each([
    [[{ age_to: years(18) }, { age_from: years(17) }], ['fields.0.ranges.1.band: Overlaps range 1, under 18 years.']],
    [[{ age_to: years(18) }, { age_from: { value: 216, unit: 'mo' } }], []],
    [[{ sex: 'female' }, { sex: 'male' }], []],
    [[{ sex: 'female' }, {}], ['fields.0.ranges.1.band: Overlaps range 1, female.']],
    [[{ sex: 'female' }], ['~fields.0.ranges: No range for: male, any age. Values there have no flag.']],
    [
      [{ age_from: years(5), age_to: years(5) }],
      [
        'fields.0.ranges.0.band: The age it ends at must be higher than the one it begins with.',
        '~fields.0.ranges: No range for: under 5 years. Values there have no flag.',
        '~fields.0.ranges: No range for: 5 years and over. Values there have no flag.',
      ],
    ],
  ] as const)('EXAM-2 are for everybody once: %#', (bands, texts) => {
    expect(said(withRanges(...bands.map((band) => ({ ...band, low: '1' }) as ReferenceRange)))).toEqual(texts);
  });

  it('EXAM-2 say between which ages there is none, for whom', () => {
    const newborn = { age_to: { value: 28, unit: 'd' as const } };
    const [woman, man] = [
      { sex: 'female' as const, age_from: years(18) },
      { sex: 'male' as const, age_from: years(16) },
    ];
    expect(missingBands([man, newborn, woman])).toEqual([
      'female, 28 days to under 18 years',
      'male, 28 days to under 16 years',
    ]);
    expect(missingBands([newborn, { age_from: { value: 28, unit: 'd' } }])).toEqual([]);
    expect(missingBands([])).toEqual([]);
  });
});

describe('EXAM-4 NEWS2', () => {
  const vital = (fields: readonly TemplateField[]) => form(fields, { type: 'vital_signs', name: 'Vital signs' });
  const without = (code: string) => NEWS2_FIELDS.filter((field) => field.code !== code);

  it('EXAM-4 needs each of its observations, and says which is not there', () => {
    expect(said(vital(NEWS2_FIELDS))).toEqual([]);
    expect(said(vital(without('pulse')))).toEqual([
      'news2: NEWS2 needs Pulse. Put it back, or turn NEWS2 off for this form.',
    ]);
    expect(said(vital(without('spo2_scale')))).toEqual([]);
    expect(said(vital(withoutNews2(without('pulse'))))).toEqual([]);
  });

  it.each([
    ['pulse', { unit: { code: 'Cel', label: '°C' } }, 'NEWS2 needs this field in /min.'],
    ['pulse', { kind: 'text', unit: undefined }, 'NEWS2 needs this field as a finding that is a number.'],
    [
      'oxygen',
      {
        options: [
          { code: 'air', label: 'Air' },
          { code: 'o2', label: 'O₂' },
        ],
      },
      'NEWS2 needs exactly these choices, by code: air, oxygen.',
    ],
  ] as const)('EXAM-4 needs %s as it reckons with it', (code, change, text) => {
    const fields = NEWS2_FIELDS.map((field) =>
      field.code === code ? ({ ...field, ...change } as TemplateField) : field,
    );
    expect(said(vital(fields)).filter((line) => line.includes('NEWS2'))).toEqual([
      `fields.${fields.findIndex((field) => field.code === code)}.news2: ${text}`,
    ]);
  });

  it('EXAM-4 is turned on with what is missing, and off with every field left', () => {
    const some = withoutNews2(NEWS2_FIELDS.slice(0, 3));
    const on = withNews2([
      { code: 'pulse', label: 'Pulse felt', kind: 'text', part: 'finding' },
      ...some,
      { code: 'note', label: 'Note', kind: 'text', part: 'report' },
    ]);
    expect(said(vital(on)).filter((line) => !line.startsWith('~'))).toEqual([]);
    expect(on.map(({ code }) => code)).toEqual([
      ...[
        'pulse',
        'respiration',
        'spo2',
        'spo2_scale',
        'oxygen',
        'systolic',
        'news2_pulse',
        'consciousness',
        'temperature',
      ],
      'note',
    ]);
    expect(withoutNews2(on).some(({ news2 }) => news2)).toBe(false);
  });
});

it.each([
  ['2823-3', true],
  ['2823-4', false],
  ['85353-1', true],
  ['2823', false],
  ['12345678-1', false],
  ['', false],
  ['a-1', false],
])('EXAM-2 LOINC %j has its check digit: %s', (text, holds) => {
  expect(isLoinc(text)).toBe(holds);
});

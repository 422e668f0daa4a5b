import type { TemplateField } from '@wardline/contract/examinations/examinations.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formDifferences } from './form-difference.ts';
import type { Form } from './form-problems.ts';
import { lostValues } from './newer-form.ts';

const field = (code: string, change: Partial<TemplateField> = {}): TemplateField => ({
  ...{ code, label: code.toUpperCase(), kind: 'quantity', part: 'finding', ...change },
});
const form = (...fields: TemplateField[]): Form => ({ type: 'laboratory', name: 'Profile', fields });

it('EXAM-1 what changed between two versions is said in words', () => {
  const before = form(
    field('a', {
      unit: { code: 'mmol/L', label: 'mmol/L' },
      ranges: [{ low: '3.5', high: '5.3', critical_high: '6.5' }],
    }),
    field('b'),
    field('c', { is_required: true, help: 'Fasting' }),
  );
  const after: Form = {
    ...before,
    name: 'Renal',
    fields: [
      field('c', { label: 'Chloride' }),
      field('a', {
        ...{ unit: { code: 'umol/L', label: 'µmol/L' }, absolute_low: '0', absolute_high: '900' },
        ranges: [
          { sex: 'female', age_from: { value: 18, unit: 'a' }, low: '3.5' },
          { sex: 'male', high: '5', critical_low: '1' },
        ],
      }),
      field('d', { kind: 'code', options: [{ code: 'x', label: 'X', interpretation: 'AA' }] }),
    ],
  };
  expect(formDifferences(before, after)).toEqual([
    'Name: Profile → Renal.',
    'Removed B.',
    'Renamed C to Chloride.',
    'Chloride: help: Fasting → none.',
    'Chloride: no longer needed to sign.',
    'A: unit: mmol/L → µmol/L (umol/L).',
    'A: what a patient can have: none → 0 to 900 µmol/L.',
    'A: ranges: everybody: 3.5 to 5.3, critical at 6.5 and above → female, 18 years and over: from 3.5; male: up to 5, critical at 1 and below.',
    'Added D: a choice.',
    'Moved A.',
  ]);
  expect(formDifferences(null, before)).toEqual([
    'Added A: a number in mmol/L.',
    'Added B: a number.',
    'Added C: a number.',
  ]);
});

it('EXAM-1 two forms are told apart exactly where they differ', () => {
  const codes = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { minLength: 1 });
  fc.assert(
    fc.property(codes, codes, (from, to) => {
      const said = formDifferences(form(...from.map((code) => field(code))), form(...to.map((code) => field(code))));
      expect(said.length === 0).toBe(from.join() === to.join());
      // Put back where it was, what is said to have moved is all that differs in order.
      const moved = said.filter((text) => text.startsWith('Moved ')).map((text) => text.slice(6, -1).toLowerCase());
      const staying = (list: readonly string[], other: readonly string[]) =>
        list.filter((code) => other.includes(code) && !moved.includes(code));
      expect(staying(from, to)).toEqual(staying(to, from));
    }),
  );
});

it.each([
  [field('a'), '5', []],
  [field('a', { ranges: [{ low: '9' }], label: 'Renamed' }), '5', []],
  [field('a', { decimals: 0 }), '5.5', ['A']],
  [field('a', { absolute_high: '5' }), '5.5', ['A']],
  [field('a', { kind: 'text' }), '5', ['A']],
  [field('a', { unit: { code: 'g', label: 'g' } }), '5', ['A']],
  [field('a', { part: 'request' }), '5', ['A']],
  [field('b'), '5', ['A']],
  [field('b'), '', []],
] as const)(
  'EXAM-1 a version of a form has a place for a value, or says that it has none: %#',
  (after, value, lost) => {
    expect(lostValues(form(field('a')), form(after), [{ field: 'a', value }])).toEqual(lost);
  },
);

it('EXAM-1 a marked place on a picture is lost where the new field can’t be seen on one', () => {
  const region = { attachment_id: 'x', shape: 'point', x: 0, y: 0, width: 0, height: 0 } as const;
  const entry = { field: 'a', value: '5', regions: [region] };
  const imaging = (part: TemplateField['part']) => ({
    ...form(field('a', { kind: 'text', part })),
    type: 'imaging' as const,
  });
  expect(lostValues(imaging('finding'), imaging('report'), [entry])).toEqual([]);
  expect(lostValues(imaging('finding'), { ...imaging('finding'), type: 'laboratory' }, [entry])).toEqual(['A']);
});

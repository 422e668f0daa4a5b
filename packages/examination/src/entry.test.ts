import type { Entry, TemplateField } from '@wardline/contract/examinations/examinations.ts';
import { expect, it } from 'vitest';
import { differences, entryError, formatError, interpret, isInterpreted, toEntry } from './entry.ts';

const subject = { sex: null, bornOn: null, day: '2026-11-23' };
const field = (change: Partial<TemplateField>): TemplateField => ({
  ...{ code: 'k', label: 'Potassium', kind: 'quantity', part: 'finding' },
  ...change,
});
const options = [
  { code: 'sinus', label: 'Sinus rhythm', interpretation: 'N' as const },
  { code: 'vt', label: 'Ventricular tachycardia', interpretation: 'AA' as const },
];
const POSSIBLE = { absolute_low: '0.5', absolute_high: '20', unit: { code: 'mmol/L', label: 'mmol/L' } };
const OF_15 = { absolute_low: '3', absolute_high: '15', unit: { code: '{score}', label: 'of 15' } };
const MM = { code: 'mm', label: 'mm' };

it.each([
  [{ kind: 'quantity' }, '6.8', null],
  [{ kind: 'quantity' }, '<0,5', null],
  [{ kind: 'quantity' }, 'six', 'Enter a number.'],
  [{ kind: 'quantity', decimals: 0 }, '18', null],
  [{ kind: 'quantity', decimals: 0 }, '18.5', 'Enter a whole number.'],
  [{ kind: 'quantity', decimals: 1 }, '>36.5', null],
  [{ kind: 'quantity', decimals: 1 }, '36.55', 'Digits after the point: 1 at most.'],
  [{ kind: 'range' }, '12-15', null],
  [{ kind: 'range' }, '0.5 – 1', null],
  [{ kind: 'range' }, '12', 'Enter two numbers with a dash between them.'],
  [{ kind: 'code', options }, 'vt', null],
  [{ kind: 'code', options }, 'VT', 'Choose one of the list.'],
  [{ kind: 'boolean' }, 'yes', null],
  [{ kind: 'boolean' }, 'true', 'Choose yes or no.'],
  [{ kind: 'text' }, 'anything', null],
  [{ kind: 'quantity' }, '', null],
  [{ kind: 'quantity', ...POSSIBLE }, '20', null],
  [{ kind: 'quantity', ...POSSIBLE }, '0,5', null],
  [{ kind: 'quantity', ...POSSIBLE }, '68', '68 can’t be right. Possible: 0.5 to 20 mmol/L.'],
  [{ kind: 'quantity', ...POSSIBLE }, '> 68', '68 can’t be right. Possible: 0.5 to 20 mmol/L.'],
  [{ kind: 'quantity', ...POSSIBLE }, '0.49', '0.49 can’t be right. Possible: 0.5 to 20 mmol/L.'],
  [{ kind: 'quantity', absolute_low: '0' }, '-3', '-3 can’t be right. Possible: 0 or more.'],
  [{ kind: 'range', absolute_high: '3000', unit: MM }, '12-4000', '4000 can’t be right. Possible: 3000 mm or less.'],
  [{ kind: 'quantity', ...OF_15 }, '16', '16 can’t be right. Possible: 3 to 15.'],
] as const)('EXAM-2 a field of %o takes %j, or says why not', (change, value, error) => {
  expect(entryError(field(change as Partial<TemplateField>), value)).toBe(error);
});

it('EXAM-2 of a value that is being typed only how it is written is told, not that it is too low yet', () => {
  expect(formatError(field({ absolute_low: '50' }), '1')).toBeNull();
  expect(formatError(field({ absolute_low: '50' }), 'x')).toBe('Enter a number.');
});

it('EXAM-2 what a value means comes of the template where it says so, else of who entered it', () => {
  const ranges = [{ low: '3.5', high: '5.3', critical_high: '6.5' }];
  expect(interpret(field({ ranges }), '6.5', subject)).toBe('HH');
  expect(interpret(field({ ranges, decimals: 0 }), '6.5', subject)).toBeNull();
  expect(interpret(field({ kind: 'range', ranges }), '3-4', subject)).toBe('L');
  expect(interpret(field({ kind: 'range', ranges }), '4-7', subject)).toBe('HH');
  expect(interpret(field({ kind: 'code', options }), 'vt', subject)).toBe('AA');
  const chosen = { field: 'k', value: 'Left lower lobe', interpretation: 'A' as const, comparison: 'new' as const };
  expect(toEntry(field({ kind: 'text' }), chosen, subject)).toEqual(chosen);
  // Nobody calls a critical value normal.
  const called = toEntry(field({ ranges }), { field: 'k', value: '6.80', interpretation: 'N' }, subject);
  expect(called).toEqual({ field: 'k', value: '6.80', interpretation: 'HH', comparison: null });
  expect(
    [field({ ranges }), field({}), field({ kind: 'code', options }), field({ kind: 'text' })].map(isInterpreted),
  ).toEqual([true, false, true, false]);
});

it('EXAM-3 the difference of two reports names what was changed, added and taken out, in the form’s order', () => {
  const entry = (code: string, value: string, change: Partial<Entry> = {}): Entry => ({
    ...{ field: code, value, interpretation: null, comparison: null },
    ...change,
  });
  const fields = ['na', 'k', 'ur', 'impression'].map((code) => field({ code }));
  const before = [entry('impression', 'Normal'), entry('k', '6.8'), entry('na', '131')];
  const after = [entry('ur', '18'), entry('k', '4.8'), entry('na', '131', { interpretation: 'L' })];
  expect(
    differences(fields, before, after).map(({ field, before, after }) => [field, before?.value, after?.value]),
  ).toEqual([
    ['na', '131', '131'],
    ['k', '6.8', '4.8'],
    ['ur', undefined, '18'],
    ['impression', 'Normal', undefined],
  ]);
  expect(differences(fields, before, before)).toEqual([]);
});

import type { TemplateField } from '@wardline/contract/examinations/examinations.ts';
import { expect, it } from 'vitest';
import { findMissing } from './completeness.ts';

const fields: readonly TemplateField[] = [
  { code: 'question', label: 'Clinical question', kind: 'text', part: 'request', is_required: true },
  { code: 'sodium', label: 'Sodium', kind: 'quantity', part: 'finding' },
  { code: 'impression', label: 'Impression', kind: 'text', part: 'report' },
];
const EMPTY = 'Enter at least one finding to sign.';
const UNASKED = { question: 'Clinical question is needed to sign.' };

it.each([
  ['nothing', [], UNASKED, EMPTY],
  ['what was asked alone', ['question'], {}, EMPTY],
  ['a finding alone', ['sodium'], UNASKED, null],
  ['an impression alone', ['impression'], UNASKED, null],
  ['a field of another form', ['potassium'], UNASKED, EMPTY],
])('EXAM-3 a report with %s cannot be signed', (_, codes, missing, whole) => {
  const entries = codes.map((field) => ({ field, value: 'x' }));
  expect(findMissing(fields, entries)).toEqual({ fields: missing, whole });
});

it('EXAM-3 a report with what its form requires and one finding can be signed; a value that was taken out again is none', () => {
  const given = (sodium: string) => [
    { field: 'question', value: 'Why?' },
    { field: 'sodium', value: sodium },
  ];
  expect(findMissing(fields, given('140'))).toBeNull();
  for (const taken of ['', ' ']) expect(findMissing(fields, given(taken))).toEqual({ fields: {}, whole: EMPTY });
});

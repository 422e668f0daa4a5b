import type { TemplateField } from '@wardline/contract/examinations/examinations.ts';
import { expect, it } from 'vitest';
import { addField, changeKind, codeOfLabel, inOrder, moveField, renameField, stepField } from './form-fields.ts';

const text = (code: string, part: TemplateField['part'], section?: string): TemplateField => ({
  ...{ code, label: code, kind: 'text', part, ...(section && { section }) },
});
const number = (code: string): TemplateField => ({ code, label: code, kind: 'quantity', part: 'finding' });
const drawn = (fields: readonly TemplateField[]) =>
  fields.map(({ code, part, section }) => `${part[0]}${section ? `/${section}` : ''}:${code}`).join(' ');

it('EXAM-2 fields stand by part and below their heading, whatever order they were kept in', () => {
  const fields = [
    text('a', 'report'),
    text('b', 'finding', 'X'),
    text('c', 'finding'),
    text('d', 'finding', 'X'),
    text('e', 'request'),
  ];
  expect(drawn(inOrder(fields))).toBe('r:e f:c f/X:b f/X:d r:a');
});

it.each([
  [1, -1, 'f:b f:a f/X:c r:d'],
  [1, 1, 'f:a f/X:b f/X:c r:d'],
  [2, -1, 'f:a f:b f:c r:d'],
  [3, -1, 'f:a f:b f/X:c f/X:d'],
  [0, -1, 'r:a f:b f/X:c r:d'],
  [3, 1, 'f:a f:b f/X:c r:d'],
] as const)(
  'EXAM-2 a step of field %i by %i goes past a neighbour, into a section or into a part',
  (index, step, after) => {
    const fields = [text('a', 'finding'), text('b', 'finding'), text('c', 'finding', 'X'), text('d', 'report')];
    expect(drawn(stepField(fields, index, step))).toBe(after);
  },
);

it('EXAM-2 a number stays among the findings', () => {
  const fields = [text('a', 'request'), number('b'), text('c', 'report')];
  expect(drawn(stepField(fields, 1, -1))).toBe(drawn(fields));
  expect(drawn(moveField(fields, 1, 0))).toBe(drawn(fields));
  expect(drawn(moveField(fields, 0, 1))).toBe('f:b f:a r:c');
  expect(drawn(moveField(fields, 2, 1))).toBe('r:a f:c f:b');
});

it('EXAM-2 a new field stands at the end of its part, with a code of its own that follows its name', () => {
  const first = addField([text('a', 'request'), text('z', 'report')], 'finding', []);
  expect([drawn(first.fields), first.index]).toEqual(['r:a f:field r:z', 1]);
  const named = renameField(first.fields, 1, { label: 'Örtlich pO₂ (arteriell)', usedCodes: [] });
  expect(named[1]?.code).toBe('ortlich_po2_arteriell');
  const own = named.map((field) => (field.part === 'finding' ? { ...field, code: 'mine' } : field));
  expect(renameField(own, 1, { label: 'Other', usedCodes: [] })[1]?.code).toBe('mine');
  // What a version has keeps its code under any name.
  expect(renameField([text('a', 'finding')], 0, { label: 'B', usedCodes: ['a'] })[0]).toMatchObject({
    code: 'a',
    label: 'B',
  });
  expect(addField([], 'request', ['field']).fields[0]).toMatchObject({ code: 'field_2', kind: 'text' });
});

it.each([
  ['Potassium', [], 'potassium'],
  ['Potassium', ['potassium', 'potassium_2'], 'potassium_3'],
  ['24 h urine', [], 'h_urine'],
  ['尿', [], 'field'],
  ['x'.repeat(60), [], 'x'.repeat(36)],
] as const)('EXAM-2 the code of %s beside %j is %s', (label, taken, code) => {
  expect(codeOfLabel(label, taken)).toBe(code);
});

it('EXAM-2 another kind takes with it what only the kind before had', () => {
  const unit = { code: 'mm', label: 'mm' };
  const field: TemplateField = { ...number('a'), unit, decimals: 1, ranges: [{ low: '1' }] };
  expect(changeKind(field, 'range')).toEqual({ ...number('a'), kind: 'range', unit, ranges: [{ low: '1' }] });
  expect(changeKind(field, 'code')).toEqual({ ...number('a'), kind: 'code', options: [] });
  expect(changeKind({ ...number('a'), kind: 'code', options: [{ code: 'x', label: 'X' }] }, 'text')).toEqual({
    ...number('a'),
    kind: 'text',
  });
});

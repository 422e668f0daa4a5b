import type { Examination, TemplateField } from '@wardline/contract/examinations/examinations.ts';
import type { FormDefinition } from '@wardline/contract/examinations/forms.ts';
import { Interpretation } from '@wardline/contract/interpretation.ts';
import { formProblems, isPublishable } from '@wardline/examination/forms/form-problems.ts';
import { COMMON_UNITS, unitOfLoinc } from '@wardline/examination/forms/loinc.ts';
import { isCritical } from '@wardline/examination/reference-range.ts';
import fc from 'fast-check';
import { Fhir } from 'fhir/fhir.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { UNIT_CHECKS } from '#/features/examinations/core/units.ts';
import { newId } from '#/platform/new-id.ts';
import { makeFacility } from '#/testing/factories/facilities.ts';
import { runs } from '#/testing/nightly.ts';
import { type SignedInMember, signedInMember } from '#/testing/signed-in-member.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';

const validator = new Fhir();
let server: TestServer;
let chief: SignedInMember;
let facilityId: string;
let chatId: string;

beforeAll(async () => {
  server = await startTestServer();
  const facility = await makeFacility(server.db);
  facilityId = facility.id;
  const roles = ['clinician', 'facilityAdministrator'] as const;
  chief = await signedInMember(server, { facility, name: 'Ines Chief', roles: [...roles] });
  const patient = { name: 'Edith Maron', identifier: '40-118-236', born_on: '1948-03-14' };
  const body = { client_id: newId(), kind: 'case', patient, participant_ids: [] };
  chatId = (await chief.client.send('POST', `/api/facilities/${facilityId}/chats`, { body })).json().id;
});
afterAll(() => server.close());

async function ok<Result>(answer: ReturnType<SignedInMember['client']['send']>): Promise<Result> {
  const given = await answer;
  expect([200, 201], given.body).toContain(given.statusCode);
  return given.json();
}
const send = <Result>(method: 'GET' | 'POST' | 'PATCH', path: string, body: object) =>
  ok<Result>(chief.client.send(method, path, { body }));

const labels = fc
  .string({ minLength: 1, maxLength: 24, unit: 'grapheme' })
  .map((text) => text.trim() || 'µ “quoted” <b>');
const LOINC = ['2823-3', '8480-6', '9279-1', '8310-5', '718-7'];
const numbers = fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 9 })).map(([from, step]) => ({
  critical_low: String(from),
  low: `${from + step}.50`,
  high: String(from + 2 * step + 1),
  critical_high: String(from + 3 * step + 2),
}));

const measured = fc
  .record({
    kind: fc.constantFrom('quantity' as const, 'range' as const),
    unit: fc.option(fc.constantFrom(...COMMON_UNITS), { nil: undefined }),
    loinc: fc.option(fc.constantFrom(...LOINC), { nil: undefined }),
    ranges: fc.constantFrom('none', 'all', 'sexes', 'ages'),
    limits: numbers,
  })
  .map(({ kind, unit, loinc, ranges, limits }) => {
    const known = loinc && unitOfLoinc(loinc);
    const age = { value: 18, unit: 'a' as const };
    const bands = {
      ...{
        none: undefined,
        all: [limits],
        sexes: [
          { sex: 'female' as const, ...limits },
          { sex: 'male' as const, ...limits },
        ],
      },
      ages: [
        { age_to: age, ...limits },
        { age_from: age, high: limits.high },
      ],
    };
    return {
      ...{ kind, part: 'finding' as const },
      ...(known ? { loinc, unit: { code: known, label: known } } : unit && { unit: { ...unit } }),
      ...(bands[ranges as keyof typeof bands] && { ranges: bands[ranges as keyof typeof bands] }),
    };
  });
const flags = fc.option(fc.constantFrom(...Interpretation.options), { nil: undefined });
const choice = fc
  .record({
    part: fc.constantFrom('request' as const, 'finding' as const, 'report' as const),
    meanings: fc.array(flags, { minLength: 2, maxLength: 5 }),
  })
  .map(({ part, meanings }) => ({
    ...{ kind: 'code' as const, part },
    options: meanings.map((interpretation, at) => ({
      code: `c${at}`,
      label: `Choice ${at}`,
      ...(interpretation && { interpretation }),
    })),
  }));
const plain = fc.constantFrom(
  { kind: 'boolean' as const, part: 'finding' as const },
  ...(['request', 'finding', 'report'] as const).map((part) => ({ kind: 'text' as const, part })),
);
const anyForm: fc.Arbitrary<FormDefinition> = fc
  .record({
    type: fc.constantFrom('imaging', 'laboratory', 'vital_signs', 'physical', 'ecg', 'consultation'),
    fields: fc.array(
      fc.tuple(fc.oneof(measured, choice, plain), labels, fc.boolean(), fc.option(labels, { nil: undefined })),
      { minLength: 1, maxLength: 12 },
    ),
    finding: measured,
  })
  .map(({ type, fields, finding }) => ({
    ...{ type: type as FormDefinition['type'], name: `Form ${newId()}` },
    fields: [
      { code: 'first', label: 'First', ...finding },
      ...fields.map(([field, label, is_required, section], index) => ({
        ...{ code: `f_${index}`, label: `${label} ${index}`, ...field },
        ...(is_required && { is_required }),
        ...(section && { section, help: section }),
      })),
    ] as TemplateField[],
  }));

function anyValue({ kind, options, ranges }: TemplateField): string {
  if (kind === 'quantity') return ranges?.[0]?.critical_high ?? '<7.50';
  if (kind === 'range') return '4–6.50';
  if (kind === 'code') return options?.at(-1)?.code ?? '';
  return kind === 'boolean' ? 'yes' : 'Ward round, “quoted”, µ';
}

it('EXAM-2 EXAM-3 EXAM-6 any form that is published takes a value in each field, is signed and goes out as valid FHIR', async () => {
  const property = fc.asyncProperty(anyForm, async (definition) => {
    expect(isPublishable(formProblems(definition, { units: UNIT_CHECKS, usedCodes: {} }))).toBe(true);
    const forms = `/api/facilities/${facilityId}/examination-forms`;
    const made = await send<{ id: string }>('POST', forms, { definition });
    await send('POST', `${forms}/${made.id}/transitions`, { expected_revision: 1, act: 'publish' });
    const begun = { client_id: newId(), template_id: made.id, patient_sex: 'female' };
    let examination = await send<Examination>('POST', `/api/chats/${chatId}/examinations`, begun);
    expect(examination.template.fields).toEqual(definition.fields);
    const entries = definition.fields.map((field) => ({ field: field.code, value: anyValue(field) }));
    const path = `/api/examinations/${examination.id}`;
    examination = await send('PATCH', path, { expected_version: 1, entries });
    expect(examination.entries).toHaveLength(entries.length);
    for (const to of ['requested', 'in_progress', 'reported']) {
      const found = examination.entries.filter(
        ({ field }) => definition.fields.find(({ code }) => code === field)?.part !== 'request',
      );
      const isGrave = found.some(({ interpretation }) => isCritical(interpretation));
      const critical =
        to === 'reported' && isGrave ? { critical: { kind: 'none', reason: 'Told at the bedside' } } : {};
      const body = { to, expected_version: examination.version, ...critical };
      examination = await send('POST', `${path}/transitions`, body);
    }
    for (const file of [`${path}/fhir`, `${forms}/${made.id}/file?format=fhir`]) {
      const answer = await chief.client.send('GET', file);
      expect(answer.statusCode, answer.body).toBe(200);
      const { messages } = validator.validate(answer.json(), { errorOnUnexpected: true });
      expect(messages.filter(({ severity }) => severity === 'error')).toEqual([]);
    }
  });
  await fc.assert(property, { numRuns: runs(6) });
}, 120_000);

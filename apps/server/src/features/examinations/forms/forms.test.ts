import type { Examination, ExaminationTemplate } from '@wardline/contract/examinations/examinations.ts';
import {
  type FacilityForm,
  FORM_FIELDS_MAX,
  FORMS_MAX,
  type FormAct,
  type FormDefinition,
  FormFile,
  type FormSummary,
} from '@wardline/contract/examinations/forms.ts';
import { formProblems } from '@wardline/examination/forms/form-problems.ts';
import { COMMON_UNITS, unitOfLoinc } from '@wardline/examination/forms/loinc.ts';
import { Fhir } from 'fhir/fhir.js';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toTemplate } from '#/features/examinations/core/template-queries.ts';
import { isUnit, UNIT_CHECKS } from '#/features/examinations/core/units.ts';
import { writeFhir } from '#/platform/fhir/fhir-json.ts';
import { newId } from '#/platform/new-id.ts';
import { formDefinition, makeExaminationForm, TEMPLATES } from '#/testing/factories/examinations.ts';
import { type MadeFacility, makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { type SignedInMember as Person, signedInMember } from '#/testing/signed-in-member.ts';
import { auditOf } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';
import { untilBlocked } from '#/testing/until-blocked.ts';
import { questionnaireOf } from './questionnaire.ts';

let server: TestServer;
let facility: MadeFacility;
let chief: Person;
let second: Person;
let nurse: Person;
let path: string;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  facility = await makeFacility(server.db, { name: 'St. Brigid General' });
  const roles = ['clinician', 'facilityAdministrator'] as const;
  chief = await signedInMember(server, { facility, name: 'Ines Chief', roles: [...roles] });
  second = await signedInMember(server, { facility, name: 'Sam Second', roles: [...roles] });
  nurse = await signedInMember(server, { facility, name: 'Mira Okafor' });
  path = `/api/facilities/${facility.id}/examination-forms`;
});

const send = (method: 'GET' | 'PATCH' | 'POST' | 'PUT' | 'DELETE', to: string, body?: object, who = chief) =>
  who.client.send(method, to, body ? { body } : {});
async function ok<Result = FacilityForm>(answer: ReturnType<typeof send>): Promise<Result> {
  const given = await answer;
  expect(given.statusCode, given.body).toBeLessThan(300);
  return given.statusCode === 204 ? (undefined as Result) : given.json();
}
const create = (definition: FormDefinition, copied_from: string | null = null) =>
  ok(send('POST', path, { definition, copied_from }));
const save = ({ id, revision }: FormSummary, definition: FormDefinition, who = chief) =>
  send('PUT', `${path}/${id}/draft`, { expected_revision: revision, definition }, who);
const act = ({ id, revision }: FormSummary, what: FormAct, who = chief) =>
  send('POST', `${path}/${id}/transitions`, { expected_revision: revision, act: what }, who);
const published = async (definition: FormDefinition, copiedFrom?: string) =>
  ok(act(await create(definition, copiedFrom), 'publish'));
const list = async () => (await ok<{ data: FormSummary[] }>(send('GET', `${path}?limit=200`))).data;
const get = (id: string) => ok(send('GET', `${path}/${id}`));
const offered = async (who = nurse): Promise<ExaminationTemplate[]> =>
  (await who.client.send('GET', `/api/facilities/${facility.id}/examination-templates?limit=200`)).json().data;
const names = async () => (await offered()).map(({ name }) => name).toSorted();

async function begin(template_id: string): Promise<Examination> {
  const patient = { name: 'Edith Maron', identifier: newId(), born_on: '1948-03-14' };
  const chat = { client_id: newId(), kind: 'case', patient, participant_ids: [] };
  const { id } = await ok<{ id: string }>(send('POST', `/api/facilities/${facility.id}/chats`, chat));
  return ok(send('POST', `/api/chats/${id}/examinations`, { client_id: newId(), template_id }));
}
const read = (id: string) => ok<Examination>(send('GET', `/api/examinations/${id}`));
const enter = ({ id, version }: Examination, values: Readonly<Record<string, string>>) =>
  ok<Examination>(
    chief.client.send('PATCH', `/api/examinations/${id}`, {
      body: { expected_version: version, entries: Object.entries(values).map(([field, value]) => ({ field, value })) },
    }),
  );

describe('shipped forms', () => {
  it('EXAM-2 hold to every rule that a facility’s own must keep, in each of their versions', async () => {
    const rows = await server.db
      .selectFrom('examination_templates')
      .selectAll()
      .where('facility_id', 'is', null)
      .execute();
    expect(rows.length).toBeGreaterThanOrEqual(7);
    for (const { id, version, definition } of rows) {
      const template = toTemplate({ id, version, definition: definition as object });
      const wrong = formProblems(template, { units: UNIT_CHECKS, usedCodes: {} }).filter(({ isWarning }) => !isWarning);
      expect(wrong, template.name).toEqual([]);
    }
  });

  it('EXAM-2 and the units to choose from are UCUM’s, and fit the LOINC codes that they are named for', async () => {
    expect(COMMON_UNITS.filter(({ code }) => !isUnit(code))).toEqual([]);
    const codes = (await offered()).flatMap(({ fields }) =>
      fields.flatMap(({ loinc, unit }) => (loinc && unit ? [{ loinc, unit }] : [])),
    );
    expect(codes.length).toBeGreaterThan(20);
    for (const { loinc, unit } of codes) {
      if (unitOfLoinc(loinc)) expect(UNIT_CHECKS.fits(unit.code, loinc), loinc).toBe(true);
    }
    expect(UNIT_CHECKS.fits('[degF]', '8310-5')).toBe(true);
    expect([UNIT_CHECKS.fits('mg/dL', '14749-6'), UNIT_CHECKS.fits('mg/dL', '99999-9')]).toEqual([false, null]);
  });

  it('EXAM-1 are not changed: a copy stands in the place of one, until one goes back', async () => {
    expect(await names()).toContain('Renal profile');
    const shipped = await get(TEMPLATES.renalProfile);
    expect(shipped).toMatchObject({ is_shipped: true, version: 2, own_copy: null, changed: null });
    const { id: _id, version: _version, ...definition } = shipped.published ?? ({} as ExaminationTemplate);
    for (const answer of [await save(shipped, definition), await act(shipped, 'retire')]) {
      expect([answer.statusCode, answer.json().message]).toEqual([
        409,
        'This form comes with Wardline. Copy it, and change the copy.',
      ]);
    }
    const copy = await create({ ...definition, name: 'Renal, ward 3' }, TEMPLATES.renalProfile);
    expect(copy).toMatchObject({ version: 0, has_draft: true, copied_from: { id: shipped.id, version: 2, newest: 2 } });
    // A draft changes nothing for anybody.
    expect(await names()).not.toContain('Renal, ward 3');
    expect((await list()).find(({ id }) => id === shipped.id)?.own_copy).toEqual({
      id: copy.id,
      is_in_its_place: false,
    });
    expect((await send('POST', path, { definition, copied_from: shipped.id })).statusCode).toBe(409);
    const inPlace = await ok(act(copy, 'publish'));
    expect(await names()).toEqual(expect.arrayContaining(['Renal, ward 3']));
    expect(await names()).not.toContain('Renal profile');
    // While another form has its name the shipped one does not come back beside it.
    const namesake = await ok(act(await create({ ...formDefinition('renal profile') }), 'publish'));
    const refused = await act(inPlace, 'return_to_shipped');
    expect(refused.json().errors).toEqual({ name: ['Another form that is in use has this name.'] });
    await ok(act(namesake, 'retire'));
    const back = await ok(act(inPlace, 'return_to_shipped'));
    expect([back.state, await names()]).toEqual(['shipped_again', expect.not.arrayContaining(['Renal, ward 3'])]);
    expect(await names()).toContain('Renal profile');
    await ok(act(back, 'use_again'));
    expect(await names()).not.toContain('Renal profile');
  });

  it('EXAM-1 a copy keeps the name of the form in whose place it comes', async () => {
    const shipped = await get(TEMPLATES.vitalSigns);
    const { id: _id, version: _version, ...definition } = shipped.published ?? ({} as ExaminationTemplate);
    const fields = definition.fields.map((field, at) => (at === 0 ? { ...field, help: 'At rest' } : field));
    const copy = await create({ ...definition, fields }, shipped.id);
    const inPlace = await ok(act(copy, 'publish'));
    expect((await names()).filter((name) => name === 'Vital signs')).toHaveLength(1);
    await ok(act(inPlace, 'return_to_shipped'));
    expect((await names()).filter((name) => name === 'Vital signs')).toHaveLength(1);
  });

  it('EXAM-1 A16 a copy of one facility stands in nobody else’s way', async () => {
    const shipped = await get(TEMPLATES.renalProfile);
    const { id: _id, version: _version, ...definition } = shipped.published ?? ({} as ExaminationTemplate);
    await published({ ...definition, name: 'Ours' }, TEMPLATES.renalProfile);
    const elsewhere = await makeFacility(server.db);
    const other = await signedInMember(server, {
      facility: elsewhere,
      name: 'Olga Other',
      roles: ['facilityAdministrator'],
    });
    const { data } = (await other.client.send('GET', `/api/facilities/${elsewhere.id}/examination-templates`)).json();
    expect(data.map(({ name }: ExaminationTemplate) => name)).toContain('Renal profile');
    expect(data.map(({ name }: ExaminationTemplate) => name)).not.toContain('Ours');
    // Nor is it to be had under another facility's address.
    const mine = (await list()).find(({ name }) => name === 'Ours');
    const asked = await other.client.send('GET', `/api/facilities/${elsewhere.id}/examination-forms/${mine?.id}`);
    expect(asked.statusCode).toBe(404);
  });
});

describe('a draft', () => {
  it('A48 EXAM-1 is saved at the revision one saw, and the later of two is told whose change came first', async () => {
    const made = await create(formDefinition('Lactate'));
    const renamed = await ok(save(made, { ...formDefinition('Lactate'), name: 'Lactate and more' }));
    expect([renamed.revision, renamed.name]).toEqual([2, 'Lactate and more']);
    const late = await save(made, formDefinition('Late'), second);
    expect([late.statusCode, late.json().message]).toEqual([409, 'Ines Chief changed this form in the meantime.']);
    expect((await get(made.id)).draft?.name).toBe('Lactate and more');
    const [a, b] = await Promise.all([save(renamed, formDefinition('A')), save(renamed, formDefinition('B'), second)]);
    expect([a.statusCode, b.statusCode].toSorted()).toEqual([200, 409]);
    const about = { object_id: made.id, detail: { changes: ['Name: Lactate → Lactate and more.'] } };
    expect(await auditOf(server, 'examination.form.draft', chief.id)).toContainEqual(expect.objectContaining(about));
  });

  it('EXAM-1 is dropped, and what was published stays; one that never was is gone', async () => {
    const made = await create(formDefinition('Lactate'));
    const drop = ({ id, revision }: FormSummary) => send('DELETE', `${path}/${id}/draft?expected_revision=${revision}`);
    expect((await drop({ ...made, revision: 9 })).statusCode).toBe(409);
    expect((await drop(made)).statusCode).toBe(204);
    expect((await send('GET', `${path}/${made.id}`)).statusCode).toBe(404);
    const form = await published(formDefinition('Lactate'));
    expect((await drop(form)).statusCode).toBe(409);
    const changed = await ok(save(form, formDefinition('Other')));
    await ok(drop(changed));
    expect(await get(form.id)).toMatchObject({ name: 'Lactate', draft: null, version: 1, revision: 4 });
  });

  it('EXAM-1 may be unfinished, and keeps its type and its caps', async () => {
    const made = await create({ type: 'imaging', name: '', fields: [] });
    expect((await save(made, { ...formDefinition('x') })).json().errors).toHaveProperty('type');
    const field = { code: '', label: '', kind: 'text', part: 'finding' } as const;
    const fields = (count: number) => Array.from({ length: count }, () => field);
    expect((await save(made, { type: 'imaging', name: 'x', fields: fields(FORM_FIELDS_MAX) })).statusCode).toBe(200);
    for (const wrong of [
      { type: 'imaging', name: 'x', fields: fields(FORM_FIELDS_MAX + 1) },
      { type: 'imaging', name: 'x', fields: [{ ...field, script: 'x' }] },
      {
        type: 'imaging',
        name: 'x',
        fields: fields(60).map((one) => ({
          ...one,
          kind: 'code',
          options: Array.from({ length: 60 }, (_, at) => ({ code: `o${at}`, label: 'L'.repeat(20) })),
        })),
      },
    ]) {
      expect((await save({ ...made, revision: 2 }, wrong as FormDefinition)).statusCode).toBe(422);
    }
  });

  it('EXAM-1 a facility has at most so many forms, also when two add the last at once', async () => {
    const about = { facilityId: facility.id, userId: chief.id };
    for (let number = 1; number < FORMS_MAX; number += 1) {
      await makeExaminationForm(server.db, { ...about, name: `Form ${number}` });
    }
    const add = () => send('POST', path, { definition: formDefinition('Last') });
    const answers = await Promise.all([add(), add()]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 422]);
    expect(await list()).toHaveLength(FORMS_MAX + 7);
    const first = await ok<{ data: FormSummary[]; next_cursor: string }>(send('GET', `${path}?limit=60`));
    const rest = await ok<{ data: FormSummary[]; next_cursor: null }>(
      send('GET', `${path}?limit=60&cursor=${first.next_cursor}`),
    );
    expect(new Set([...first.data, ...rest.data].map(({ id }) => id)).size).toBe(FORMS_MAX + 7);
    expect((await send('GET', `${path}?cursor=zebra`)).statusCode).toBe(422);
  });
});

it('EXAM-1 A16 a form is changed in its own facility alone, also by who manages those of two', async () => {
  const there = await makeFacility(server.db);
  const both = await signedInMember(server, { facility, name: 'Bo Both', roles: ['facilityAdministrator'] });
  await makeMembership(server.db, { userId: both.id, facility: there, roles: ['facilityAdministrator'] });
  const draft = await create(formDefinition('Lactate'));
  const used = await published(formDefinition('Glucose'));
  const astray = `/api/facilities/${there.id}/examination-forms`;
  const definition = formDefinition('Mine');
  const tries = [
    send('PUT', `${astray}/${draft.id}/draft`, { expected_revision: draft.revision, definition }, both),
    send('DELETE', `${astray}/${draft.id}/draft?expected_revision=${draft.revision}`, undefined, both),
    send('POST', `${astray}/${draft.id}/transitions`, { expected_revision: draft.revision, act: 'publish' }, both),
    send('POST', `${astray}/${used.id}/transitions`, { expected_revision: used.revision, act: 'retire' }, both),
  ];
  for (const answer of tries) expect((await answer).statusCode).toBe(404);
  expect([await get(draft.id), await get(used.id)]).toEqual([draft, used]);
  const copied = await send('POST', astray, { definition, copied_from: used.id }, both);
  expect([copied.statusCode, Object.keys(copied.json().errors)]).toEqual([422, ['copied_from']]);
  // Its name is free there, and how many there are is counted by the facility.
  const theirs = await ok(send('POST', astray, { definition: formDefinition('Glucose') }, both));
  const publish = { expected_revision: theirs.revision, act: 'publish' };
  expect((await send('POST', `${astray}/${theirs.id}/transitions`, publish, both)).statusCode).toBe(200);
});

it('EXAM-1 ADM-3 each step of a form stands in the audit, by its name and version, with what it was copied from', async () => {
  const shipped = await get(TEMPLATES.renalProfile);
  const { id: _id, version: _version, ...definition } = shipped.published ?? ({} as ExaminationTemplate);
  const copy = await create({ ...definition, name: 'Renal, ward 3' }, shipped.id);
  const inPlace = await ok(act(copy, 'publish'));
  const back = await ok(act(inPlace, 'return_to_shipped'));
  const again = await ok(act(back, 'use_again'));
  const drafted = await ok(save(again, { ...definition, name: 'Renal, ward 4' }));
  await ok(send('DELETE', `${path}/${copy.id}/draft?expected_revision=${drafted.revision}`));
  const own = await create(formDefinition('Lactate'));
  await ok(send('DELETE', `${path}/${own.id}/draft?expected_revision=${own.revision}`));
  const told = await server.db
    .selectFrom('audit_entries')
    .select(['action', 'object_id', 'detail'])
    .where('facility_id', '=', facility.id)
    .where('object_type', '=', 'examination_form')
    .where('action', 'not in', ['examination.form.draft', 'examination.form.publish'])
    .orderBy('id')
    .execute();
  const name = 'Renal, ward 3';
  expect(told.map(({ action, object_id, detail }) => [action.slice(17), object_id, detail])).toEqual([
    ['create', copy.id, { name, type: 'laboratory', copied_from: { id: shipped.id, version: 2 } }],
    ['return_to_shipped', copy.id, { name, version: 1 }],
    ['use_again', copy.id, { name, version: 1 }],
    ['discard', copy.id, { name }],
    ['create', own.id, { name: 'Lactate', type: 'laboratory' }],
    ['discard', own.id, { name: 'Lactate', removed: true }],
  ]);
});

describe('a version', () => {
  it('EXAM-1 is published whole or not at all, with what it lacks said at its field', async () => {
    const wrong = formDefinition('Lactate');
    const [lactate, ...others] = wrong.fields;
    if (!lactate) throw new Error('no field');
    const unit = { code: 'mmHg', label: 'mmHg' };
    const made = await create({
      ...wrong,
      fields: [{ ...lactate, unit, ranges: [{ high: '2', critical_high: '1' }] }, ...others],
    });
    const refused = await act(made, 'publish');
    expect([refused.statusCode, refused.json().errors]).toEqual([
      422,
      {
        'fields.0.unit': ['“mmHg” is no unit of UCUM. Capital and small letters count: mm[Hg], not mmHg.'],
        'fields.0.ranges.0.critical_high': ['Critically high must be higher than what is normal.'],
      },
    ]);
    expect(await names()).not.toContain('Lactate');
    const foreign = await ok(
      save(made, { ...wrong, fields: [{ ...lactate, unit: { code: 'mg/dL', label: 'mg/dL' } }, ...others] }),
    );
    expect((await act(foreign, 'publish')).json().errors).toHaveProperty(['fields.0.loinc']);
    expect((await act(await ok(save(foreign, wrong)), 'publish')).statusCode).toBe(200);
    expect(await names()).toContain('Lactate');
  });

  it('EXAM-1 follows the one before; who published what and what changed is kept', async () => {
    const form = await published(formDefinition('Lactate'));
    const same = await ok(save(form, formDefinition('Lactate')));
    expect((await act(same, 'publish')).json().errors.draft).toEqual(['Nothing is different from version 1.']);
    const { fields, ...rest } = formDefinition('Lactate');
    const draft = await ok(save(same, { ...rest, fields: fields.slice(1) }, second));
    const newer = await ok(act(draft, 'publish', second));
    expect(newer).toMatchObject({ version: 2, has_draft: false, changed: { by: { name: 'Sam Second' } } });
    const { data, next_cursor } = await ok<{
      data: { template: ExaminationTemplate; published: { by: { name: string } } }[];
      next_cursor: string;
    }>(send('GET', `${path}/${form.id}/versions?limit=1`));
    expect(data.map(({ template, published: { by } }) => [template.version, by.name])).toEqual([[2, 'Sam Second']]);
    const rest2 = await ok<{ data: unknown[]; next_cursor: null }>(
      send('GET', `${path}/${form.id}/versions?cursor=${next_cursor}`),
    );
    expect([rest2.data.length, rest2.next_cursor]).toEqual([1, null]);
    expect((await send('GET', `${path}/${form.id}/versions?cursor=x`)).statusCode).toBe(422);
    const detail = { name: 'Lactate', version: 2, changes: ['Removed Lactate.'] };
    expect(await auditOf(server, 'examination.form.publish', second.id)).toContainEqual(
      expect.objectContaining({ object_type: 'examination_form', object_id: form.id, detail }),
    );
    // The code of a field that is gone is never used for another kind of value.
    const again = {
      ...rest,
      fields: [...fields.slice(1), { code: 'lactate', label: 'Lactate seen', kind: 'text', part: 'finding' } as const],
    };
    expect((await act(await ok(save(newer, again)), 'publish')).json().errors).toHaveProperty(['fields.2.kind']);
  });

  it('EXAM-1 has a name of its own among those that are in use', async () => {
    await published(formDefinition('Lactate'));
    const other = await create(formDefinition('LACTATE'));
    expect((await act(other, 'publish')).json().errors.name).toEqual(['Another form that is in use has this name.']);
    const shipped = await create(formDefinition('Renal profile'));
    expect((await act(shipped, 'publish')).json().errors).toHaveProperty('name');
    const about = { facilityId: facility.id, userId: chief.id, isPublished: true };
    const older = await makeExaminationForm(server.db, { ...about, name: 'Renal profile' });
    expect((await act(await get(older), 'retire')).statusCode).toBe(200);
  });

  it('EXAM-1 of a retired form begins no examination, and what was begun with it goes on', async () => {
    const form = await published(formDefinition('Lactate'));
    const begun = await enter(await begin(form.id), { lactate: '3.10' });
    const retired = await ok(act(form, 'retire'));
    expect(await names()).not.toContain('Lactate');
    const body = { client_id: newId(), template_id: form.id };
    expect((await send('POST', `/api/chats/${begun.chat_id}/examinations`, body)).json().errors).toHaveProperty(
      'template_id',
    );
    expect(await read(begun.id)).toMatchObject({
      ...{ title: 'Lactate', newer_form: null, template: { version: 1 } },
      entries: [{ field: 'lactate', value: '3.10', interpretation: 'H' }],
    });
    expect((await enter(begun, { lactate: '4.5' })).entries[0]?.interpretation).toBe('HH');
    for (const [what, code] of [
      ['retire', 409],
      ['publish', 409],
      ['return_to_shipped', 409],
      ['use_again', 200],
    ] as const) {
      expect((await act(retired, what)).statusCode, what).toBe(code);
    }
    expect(await names()).toContain('Lactate');
  });
});

describe('an examination that was begun before', () => {
  const withRange = (high: string): FormDefinition => {
    const definition = formDefinition('Lactate');
    return {
      ...definition,
      fields: definition.fields.map((field) => (field.code === 'lactate' ? { ...field, ranges: [{ high }] } : field)),
    };
  };
  const renew = ({ id, version }: Examination, template_version: number, who = chief) =>
    send('PUT', `/api/examinations/${id}/form`, { expected_version: version, template_version }, who);

  it('EXAM-1 EXAM-2 keeps its version, and goes on in the newer one only where no value is lost', async () => {
    const form = await published(formDefinition('Lactate'));
    const begun = await enter(await begin(form.id), { lactate: '3.10', sample: 'venous' });
    expect(begun.newer_form).toBeNull();
    const newer = await ok(act(await ok(save(form, withRange('5'))), 'publish'));
    expect(await read(begun.id)).toMatchObject({ template: { version: 1 }, newer_form: { version: 2, lost: [] } });
    expect((await renew(begun, 1)).statusCode).toBe(409);
    expect((await renew({ ...begun, version: 1 }, 2)).statusCode).toBe(409);
    const renewed = await ok<Examination>(renew(begun, 2));
    expect(renewed).toMatchObject({
      ...{ template: { version: 2 }, newer_form: null, version: begun.version + 1 },
      entries: [{ field: 'lactate', value: '3.10', interpretation: 'N' }, { value: 'venous' }],
    });
    const detail = { chat: begun.chat_id, version: renewed.version, form_version: 2, before: 1 };
    expect(await auditOf(server, 'examination.form.renew', chief.id)).toContainEqual(
      expect.objectContaining({ detail }),
    );
    const fields = withRange('5').fields.filter(({ code }) => code !== 'sample');
    await ok(act(await ok(save(newer, { ...withRange('5'), fields })), 'publish'));
    expect((await read(begun.id)).newer_form).toEqual({ version: 3, lost: ['Sample'] });
    const refused = await renew(renewed, 3);
    expect([refused.statusCode, refused.json().errors]).toEqual([
      422,
      { template_version: ['The new form has no place for: Sample.'] },
    ]);
    expect((await read(begun.id)).template.version).toBe(2);
  });

  it('EXAM-1 A16 does not go on in it by whose right to write ends while it waits', async () => {
    const form = await published(formDefinition('Lactate'));
    const begun = await begin(form.id);
    await ok(act(await ok(save(form, withRange('5'))), 'publish'));
    let renewing: ReturnType<typeof renew> | undefined;
    await server.db.transaction().execute(async (tx) => {
      await sql`select from examinations where id = ${begun.id} for no key update`.execute(tx);
      renewing = renew(begun, 2);
      await untilBlocked(server.db, renewing);
      await sql`update chat_participants set access = 'read' where chat_id = ${begun.chat_id}`.execute(tx);
    });
    expect((await renewing)?.statusCode).toBe(403);
    expect((await read(begun.id)).template.version).toBe(1);
  });

  it('EXAM-2 A48 takes no value that was entered in the unit of the version before', async () => {
    const form = await published(formDefinition('Lactate'));
    const begun = await begin(form.id);
    const { fields } = formDefinition('Lactate');
    const unit = { code: 'umol/L', label: 'µmol/L' };
    const inOther = fields.map((field) => (field.code === 'lactate' ? { ...field, unit } : field));
    await ok(act(await ok(save(form, { ...formDefinition('Lactate'), fields: inOther })), 'publish'));
    const renewed = await ok<Examination>(renew(begun, 2));
    const change = (expected_version: number, entered: string | null) => ({
      expected_version,
      entries: [{ field: 'lactate', value: '18', unit: entered }],
    });
    // Somebody who was offline meanwhile, and somebody whose signature waited.
    const path = `/api/examinations/${begun.id}`;
    for (const [method, at, body] of [
      ['PATCH', path, change(begun.version, 'mmol/L')],
      ['PATCH', path, change(renewed.version, null)],
      ['POST', `${path}/transitions`, { to: 'requested', ...change(renewed.version, 'mmol/L') }],
    ] as const) {
      const refused = await send(method, at, body);
      expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['entries.lactate']]);
    }
    expect((await send('PATCH', path, change(begun.version, 'mmol/L'))).json().message).toBe(
      '18 was entered in mmol/L. The form has µmol/L now: enter it anew.',
    );
    expect((await read(begun.id)).entries).toEqual([]);
    expect(await ok(send('PATCH', path, change(begun.version, 'umol/L')))).toMatchObject({
      entries: [{ value: '18' }],
    });
  });

  it('EXAM-3 is signed by its version for ever', async () => {
    const form = await published(formDefinition('Lactate'));
    let examination = await enter(await begin(form.id), { lactate: '3.10' });
    for (const to of ['requested', 'in_progress', 'reported']) {
      const body = { to, expected_version: examination.version };
      examination = await ok(send('POST', `/api/examinations/${examination.id}/transitions`, body));
    }
    await ok(act(await ok(save(form, withRange('5'))), 'publish'));
    expect(await read(examination.id)).toMatchObject({ template: { version: 1 }, newer_form: null });
    expect((await renew(examination, 2)).statusCode).toBe(409);
  });
});

describe('a file', () => {
  const validator = new Fhir();

  it('EXAM-1 is called what the form is, in letters that any disk takes, and cut to sixty', async () => {
    const nameOf = async (name: string) => {
      const { id } = await published(formDefinition(name));
      return (await send('GET', `${path}/${id}/file?format=wardline`)).headers['content-disposition'];
    };
    expect(await nameOf('Säure / Basen (2. Wahl)')).toBe('attachment; filename="saure-basen-2-wahl.form.json"');
    expect(await nameOf('a'.repeat(75))).toBe(`attachment; filename="${'a'.repeat(60)}.form.json"`);
    expect(await nameOf('乳酸')).toBe('attachment; filename="examination.form.json"');
  });

  it('EXAM-1 of one hospital is a form of another', async () => {
    const form = await published({ ...formDefinition('Lactate'), loinc: '24336-0' });
    const answer = await send('GET', `${path}/${form.id}/file?format=wardline`);
    expect(answer.headers['content-disposition']).toBe('attachment; filename="lactate.form.json"');
    const file = FormFile.parse(answer.json());
    expect(file.form).toEqual({ ...formDefinition('Lactate'), loinc: '24336-0' });
    const elsewhere = await makeFacility(server.db);
    const other = await signedInMember(server, {
      facility: elsewhere,
      name: 'Olga Other',
      roles: ['facilityAdministrator'],
    });
    const taken = await other.client.send('POST', `/api/facilities/${elsewhere.id}/examination-forms`, {
      body: { definition: file.form },
    });
    expect(taken.json()).toMatchObject({ version: 0, has_draft: true, draft: file.form });
    const detail = { name: 'Lactate', version: 1, format: 'wardline' };
    expect(await auditOf(server, 'examination.form.export', chief.id)).toContainEqual(
      expect.objectContaining({ object_id: form.id, detail }),
    );
    const draft = await create(formDefinition('Unpublished'));
    expect((await send('GET', `${path}/${draft.id}/file?format=wardline`)).statusCode).toBe(404);
  });

  it('EXAM-6 is a FHIR R4 Questionnaire that an independent validator takes, for every shipped form', async () => {
    for (const template of await offered()) {
      const answer = await send('GET', `${path}/${template.id}/file?format=fhir`);
      expect(answer.headers['content-type']).toBe('application/fhir+json; charset=utf-8');
      const { messages } = validator.validate(answer.json(), { errorOnUnexpected: true });
      expect(
        messages.filter(({ severity }) => severity === 'error'),
        template.name,
      ).toEqual([]);
      for (const { label } of template.fields) expect(answer.body).toContain(JSON.stringify(label));
    }
  });

  it('EXAM-6 groups what stands below a heading, and has the help of a field', () => {
    const fields = [
      { code: 'a', label: 'A', kind: 'text', part: 'finding', section: 'Gases', help: 'At rest' },
      { code: 'b', label: 'B', kind: 'boolean', part: 'finding' },
    ] as const;
    const made = questionnaireOf(
      { id: newId(), version: 3, type: 'physical', name: 'F', fields: [...fields] },
      new Date(),
    );
    expect(validator.validate(made, { errorOnUnexpected: true }).messages).toEqual([]);
    expect(made).toMatchObject({
      version: '3',
      item: [
        {
          text: 'Findings',
          item: [
            { linkId: 'b', type: 'boolean', required: false },
            { text: 'Gases', type: 'group', item: [{ linkId: 'a', item: [{ text: 'At rest', type: 'display' }] }] },
          ],
        },
      ],
    });
  });
});

it('EXAM-2 EXAM-6 what a patient can have stands in the Questionnaire, by digits and unit', () => {
  const quantity = { kind: 'quantity', part: 'finding', unit: { code: 'Cel', label: '°C' } } as const;
  const fields = [{ code: 't', label: 'T', ...quantity, absolute_low: '10', absolute_high: '50.0' }];
  const made = questionnaireOf({ id: newId(), version: 1, type: 'physical', name: 'F', fields }, new Date());
  const sdc = 'http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire';
  expect(writeFhir(made)).toContain(
    `{"url":"${sdc}-maxQuantity","valueQuantity":{"value":50.0,"unit":"°C","system":"http://unitsofmeasure.org","code":"Cel"}}`,
  );
  expect(writeFhir(made)).toContain(`{"url":"${sdc}-minQuantity","valueQuantity":{"value":10,`);
});

it('EXAM-2 whether a unit is UCUM’s, and measures what a LOINC code stands for, is told to who writes forms', async () => {
  const ask = (query: string, who = chief) =>
    send('GET', `/api/facilities/${facility.id}/examination-units?${query}`, undefined, who);
  expect((await ask('code=mm%5BHg%5D&loinc=8480-6')).json()).toEqual({ is_unit: true, fits_loinc: true });
  expect((await ask('code=mmHg')).json()).toEqual({ is_unit: false, fits_loinc: null });
  expect((await ask('code=mg/dL&loinc=2823-3')).json()).toEqual({ is_unit: true, fits_loinc: false });
  expect([(await ask('code=g', nurse)).statusCode, (await ask('code=')).statusCode]).toEqual([403, 422]);
});

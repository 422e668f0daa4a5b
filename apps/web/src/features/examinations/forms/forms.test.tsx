// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { DeviceStore } from '@wardline/client/store/device-store.ts';
import { createMemoryStore } from '@wardline/client/store/memory-store.ts';
import { FakeRefusal } from '@wardline/client/testing/fake-api.ts';
import type { Examination, ExaminationTemplate } from '@wardline/contract/examinations/examinations.ts';
import {
  checkUnit,
  createExaminationForm,
  discardFormDraft,
  type FacilityForm,
  type FormDefinition,
  getExaminationForm,
  listExaminationForms,
  listFormVersions,
  moveExaminationForm,
  renewExaminationForm,
  saveFormDraft,
} from '@wardline/contract/examinations/forms.ts';
import { NEWS2_FIELDS } from '@wardline/examination/forms/news2-fields.ts';
import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { NewerForm } from '#/features/examinations/panel/newer-form.tsx';
import { DeviceContext } from '#/shared/contexts/device-context.ts';
import { createFakeApp, setOnline } from '#/testing/fake-app.tsx';
import { ana, anaUser, mira, stBrigid } from '#/testing/fake-chats.ts';
import { bornOn, FormPreview } from './form-preview.tsx';
import { FormsScreen } from './forms-screen.tsx';
import { readFormFile } from './new-form-dialog.tsx';

beforeAll(() =>
  Promise.all([import('./publish-dialog.tsx'), import('#/shared/forms/dialogs/confirm-dialog.tsx')]).then(
    () => undefined,
  ),
);
beforeEach(() => setOnline(true));
afterEach(cleanup);

const facility = { ...stBrigid, permissions: ['facility.manage'] };
const uuid = (number: number) => `019ff2c9-0000-7000-8000-00000000001${number}`;
const by = (who: typeof ana, at = '2026-11-20T10:00:00.000Z') => ({ by: { user_id: who.id, name: who.name }, at });

const lactate: FormDefinition = {
  ...{ type: 'laboratory', name: 'Lactate' },
  fields: [
    {
      ...{ code: 'lactate', label: 'Lactate', kind: 'quantity', part: 'finding' },
      ...{ unit: { code: 'mmol/L', label: 'mmol/L' }, ranges: [{ high: '2.0', critical_high: '4.0' }] },
    },
    { code: 'sample', label: 'Sample', kind: 'text', part: 'finding', help: 'Arterial or venous' },
    { code: 'impression', label: 'Impression', kind: 'text', part: 'report' },
  ],
};
const template = (definition: FormDefinition, version = 1): ExaminationTemplate => ({
  ...definition,
  id: uuid(1),
  version,
});

function formOf(change: Partial<FacilityForm> = {}): FacilityForm {
  return {
    ...{
      id: uuid(1),
      type: 'laboratory',
      name: 'Lactate',
      is_shipped: false,
      state: 'in_use',
      version: 1,
      revision: 3,
    },
    ...{ has_draft: false, field_count: 3, copied_from: null, own_copy: null, changed: by(ana) },
    ...{
      published: template(lactate),
      draft: null,
      shipped: null,
      used_codes: { lactate: 'quantity', sample: 'text' },
    },
    ...change,
  };
}

/** A server that has one form, and what was sent to it. */
function open(
  first: FacilityForm,
  { store = createMemoryStore(ana.id) as DeviceStore, id = uuid(1) as string | null } = {},
) {
  const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
  const server = { now: first, sent: [] as { name: string; body: unknown }[], conflict: null as FacilityForm | null };
  app.api.on(getExaminationForm, () => server.now);
  app.api.on(listExaminationForms, () => ({ data: [server.now], next_cursor: null }));
  app.api.on(listFormVersions, () => ({
    data: server.now.published ? [{ template: server.now.published, published: by(mira) }] : [],
    next_cursor: null,
  }));
  app.api.on(checkUnit, ({ query }) => ({ is_unit: query.code === 'mg/dL', fits_loinc: query.loinc ? false : null }));
  app.api.on(createExaminationForm, ({ body }) => {
    server.sent.push({ name: 'create', body });
    return formOf({ id: uuid(2), draft: body.definition, version: 0, published: null });
  });
  app.api.on(saveFormDraft, ({ body }) => {
    server.sent.push({ name: 'save', body });
    const { revision } = server.now;
    server.now = { ...server.now, draft: body.definition, has_draft: true, revision: revision + 1 };
    return server.now;
  });
  app.api.on(moveExaminationForm, ({ body }) => {
    server.sent.push({ name: body.act, body });
    const { draft, version, revision } = server.now;
    server.now =
      body.act === 'publish' && draft
        ? {
            ...server.now,
            published: template(draft, version + 1),
            draft: null,
            has_draft: false,
            version: version + 1,
          }
        : { ...server.now, state: body.act === 'retire' ? 'retired' : 'in_use' };
    server.now = { ...server.now, revision: revision + 1 };
    return server.now;
  });
  app.api.on(discardFormDraft, () => undefined);
  app.draw(
    <DeviceContext value={{ store, outbox: {} as never }}>
      <FormsScreen facility={facility} formId={id} />
    </DeviceContext>,
  );
  return { app, server, store };
}
const input = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const row = (name: RegExp) => screen.getByRole('button', { name, expanded: false });

it('EXAM-1 the forms of a facility stand by type, each with how it stands and who changed it', async () => {
  open(formOf({ has_draft: true }), { id: null });
  const list = within(await screen.findByRole('list', { name: 'Laboratory' }));
  const link = list.getByRole('link', { name: /Lactate/ });
  expect(link.getAttribute('href')).toBe(`/settings/facility?view=forms&form=${uuid(1)}`);
  expect(link.textContent).toMatch(/In use.*Draft.*Version 1 · 3 fields · changed by Ana/);
});

it('EXAM-2 what is written is tried beside it at once, by the very form that takes values, and is flagged by age and sex', async () => {
  open(formOf());
  const value = () => screen.getByLabelText('Lactate');
  fireEvent.change(await screen.findByLabelText('Lactate'), { target: { value: '4.0' } });
  expect(screen.getByText('Critically high')).toBeTruthy();
  expect(screen.getByText('Arterial or venous')).toBeTruthy();
  fireEvent.click(row(/^Lactate Number/));
  input('Critically high', '5');
  expect(screen.getByText('High', { selector: '.flag, .badge, td *, td' })).toBeTruthy();
  input('Name', 'Lactate in blood');
  expect(screen.getByLabelText('Lactate in blood')).toBeTruthy();
  expect(value).toThrow();
});

it('EXAM-2 wrong input is said at its field, and nothing of it is published', async () => {
  const { server } = open(formOf());
  fireEvent.click(await screen.findByRole('button', { name: /^Lactate Number/ }));
  input('Critically high', '1');
  expect(screen.getByText('Critically high must be higher than what is normal.')).toBeTruthy();
  expect(screen.getByText('1 to mend')).toBeTruthy();
  press('Publish');
  expect(screen.getByText('One thing is to be mended before it can be published.')).toBeTruthy();
  input('Critically high', '6');
  expect(screen.queryByText('1 to mend')).toBeNull();
  press('Publish');
  const dialog = within(await screen.findByRole('dialog', { name: 'Publish version 2?' }));
  expect(dialog.getByText(/critical at 4\.0 and above → .*critical at 6 and above/)).toBeTruthy();
  fireEvent.click(dialog.getByRole('button', { name: 'Publish version 2' }));
  await waitFor(() => expect(server.sent.map(({ name }) => name)).toEqual(['save', 'publish']));
  expect(server.sent[1]?.body).toEqual({ expected_revision: 4, act: 'publish' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('EXAM-2 a unit that is not among the common ones is asked of the server, and what it says stands at the field', async () => {
  open(formOf());
  fireEvent.click(await screen.findByRole('button', { name: /^Lactate Number/ }));
  fireEvent.change(screen.getByLabelText('Unit'), { target: { value: 'other' } });
  input('UCUM code', 'mmHg');
  expect(await screen.findByText(/“mmHg” is no unit of UCUM/)).toBeTruthy();
  input('UCUM code', 'mg/dL');
  input('LOINC code', '2524-7');
  expect(await screen.findByText('LOINC 2524-7 stands for something that is not measured in mg/dL.')).toBeTruthy();
  input('LOINC code', '2524-8');
  expect(screen.getByText('This is no LOINC code: its last digit does not fit the others.')).toBeTruthy();
});

it('EXAM-2 the arrow keys move a field, which is said, and a new one has a code of its name', async () => {
  const { server } = open(formOf());
  const handle = await screen.findByRole('button', { name: 'Move Sample: arrow up or down' });
  fireEvent.keyDown(handle, { key: 'ArrowUp' });
  expect(screen.getByText('Sample: Findings, 1 of 2.')).toBeTruthy();
  press('Add a field to Findings');
  input('Name', 'pH of the blood');
  expect((screen.getByLabelText('Code') as HTMLInputElement).value).toBe('ph_of_the_blood');
  press('Save draft');
  await waitFor(() => expect(server.sent).toHaveLength(1));
  const codes = ['sample', 'lactate', 'ph_of_the_blood', 'impression'].map((code) => ({ code }));
  expect(server.sent[0]?.body).toMatchObject({ definition: { fields: codes } });
});

it('EXAM-1 what a version has keeps its code and its kind', async () => {
  open(formOf());
  fireEvent.click(await screen.findByRole('button', { name: /^Sample Text/ }));
  expect((screen.getByLabelText('Code') as HTMLInputElement).readOnly).toBe(true);
  expect((screen.getByLabelText('Asks for') as HTMLSelectElement).disabled).toBe(true);
  expect(screen.getByText('Stays. For another kind add a new field.')).toBeTruthy();
});

it('EXAM-4 a field that NEWS2 needs can’t be removed before NEWS2 is turned off', async () => {
  const vital: FormDefinition = { type: 'vital_signs', name: 'Vital signs', fields: [...NEWS2_FIELDS] };
  open(formOf({ draft: vital, has_draft: true, type: 'vital_signs' }));
  const remove = await screen.findByRole('button', { name: 'Pulse can’t be removed: NEWS2 needs it' });
  expect((remove as HTMLButtonElement).disabled).toBe(true);
  expect(screen.getByRole('region', { name: 'NEWS2' })).toBeTruthy();
  fireEvent.click(screen.getByLabelText('Compute NEWS2'));
  expect(screen.queryByRole('region', { name: 'NEWS2' })).toBeNull();
  press('Remove Pulse');
  expect(screen.queryByRole('button', { name: /^Pulse Number/ })).toBeNull();
  fireEvent.click(screen.getByLabelText('Compute NEWS2'));
  expect(screen.getByRole('button', { name: /^Pulse Number/ })).toBeTruthy();
});

it('A48 EXAM-1 the later of two is told, loses nothing over a reload, and decides', async () => {
  const { store } = open(formOf());
  await screen.findByLabelText('Name of the form');
  input('Name of the form', 'Lactate, mine');
  cleanup();
  const draft = { ...lactate, name: 'Lactate, theirs' };
  const again = open(formOf({ revision: 4, changed: by(mira), draft, has_draft: true }), { store });
  expect(await screen.findByText(new RegExp(`${mira.name} changed this form`))).toBeTruthy();
  expect((screen.getByLabelText('Name of the form') as HTMLInputElement).value).toBe('Lactate, mine');
  expect((screen.getByRole('button', { name: 'Save draft' }) as HTMLButtonElement).disabled).toBe(true);
  press('Show the difference');
  expect(screen.getByText('Name: Lactate, theirs → Lactate, mine.')).toBeTruthy();
  press('Keep mine');
  press('Save draft');
  await waitFor(() => expect(again.server.sent).toHaveLength(1));
  expect(again.server.sent[0]?.body).toMatchObject({ expected_revision: 4, definition: { name: 'Lactate, mine' } });
  await waitFor(async () => expect(await store.meta(`examination-form/${uuid(1)}`)).toBeUndefined());
});

it('A48 EXAM-1 what was written of a form that somebody removed meanwhile becomes a new one, also after a reload', async () => {
  const { store, app, server } = open(formOf({ version: 0, published: null, draft: lactate, has_draft: true }));
  await screen.findByLabelText('Name of the form');
  input('Name of the form', 'Lactate, mine');
  const gone = () => {
    throw new FakeRefusal('not_found');
  };
  app.api.on(saveFormDraft, gone);
  app.api.on(getExaminationForm, gone);
  press('Save draft');
  expect(await screen.findByText('What you wrote of “Lactate, mine” is kept on this device.')).toBeTruthy();
  expect(server.sent).toEqual([]);
  cleanup();
  const again = open(formOf(), { store });
  again.app.api.on(getExaminationForm, ({ params }) => {
    if (params.form === uuid(1)) throw new FakeRefusal('not_found');
    return again.server.now;
  });
  expect(await screen.findByText('What you wrote of “Lactate, mine” is kept on this device.')).toBeTruthy();
  press('Make a new form of it');
  await waitFor(() => expect(again.server.sent).toHaveLength(1));
  expect(again.server.sent[0]).toMatchObject({ name: 'create', body: { definition: { name: 'Lactate, mine' } } });
  await waitFor(async () => expect(await store.meta(`examination-form/${uuid(1)}`)).toBeUndefined());
});

it('EXAM-2 what is only to be known of a field is not marked as wrong', async () => {
  open(formOf());
  await screen.findByLabelText('Name of the form');
  fireEvent.click(screen.getByRole('button', { name: /^Add a field to Findings/ }));
  input('Name', 'Lactate');
  const marked = () =>
    ['Unit', 'Name'].map((label) => screen.getByLabelText(label, { exact: true }).getAttribute('aria-invalid'));
  expect(screen.getByText(/^Without a unit nobody knows what the number means/)).toBeTruthy();
  expect(screen.getByText('Another field has this name too.')).toBeTruthy();
  expect(marked()).toEqual([null, null]);
  input('Name', ' ');
  expect(screen.getByText('Enter the name of the field.')).toBeTruthy();
  expect(marked()).toEqual([null, 'true']);
});

it('EXAM-2 any form is drawn with every field in its section, and each takes a value', () => {
  const field = fc.record({
    part: fc.constantFrom('request' as const, 'finding' as const, 'report' as const),
    kind: fc.constantFrom('quantity' as const, 'range' as const, 'code' as const, 'boolean' as const, 'text' as const),
    section: fc.option(fc.constantFrom('Gases', 'Salts'), { nil: undefined }),
    help: fc.option(fc.constant('At rest'), { nil: undefined }),
  });
  const options = [
    { code: 'a', label: 'Low flow' },
    { code: 'b', label: 'High flow', interpretation: 'AA' as const },
  ];
  const values = { quantity: '7.20', range: '4–5', code: 'b', boolean: 'yes', text: 'As before' };
  fc.assert(
    fc.property(fc.array(field, { minLength: 1, maxLength: 6 }), (drawn) => {
      const fields = drawn.flatMap((one, index) => {
        const part = one.kind === 'text' || one.kind === 'code' ? one.part : 'finding';
        return { code: `f_${index}`, label: `Field ${index}`, ...one, part, ...(one.kind === 'code' && { options }) };
      });
      const definition: FormDefinition = { type: 'ecg', name: 'Any', fields };
      const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
      app.draw(<FormPreview definition={definition} today="2026-11-25" />);
      for (const { label, kind, section } of fields) {
        const control = screen.getByLabelText<HTMLInputElement>(label);
        fireEvent.change(control, { target: { value: values[kind] } });
        expect(control.value).toBe(values[kind]);
        if (section) expect(screen.getAllByRole('heading', { name: section }).length).toBeGreaterThan(0);
      }
      expect(screen.queryAllByText('Enter a number.')).toEqual([]);
      cleanup();
    }),
    { numRuns: 15 },
  );
});

it('EXAM-1 a shipped form is read and tried; to change it, a copy is made', async () => {
  const { app, server } = open(formOf({ is_shipped: true, revision: 0, changed: null }));
  expect(await screen.findByText('This form comes with Wardline.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Save draft' })).toBeNull();
  press('Change it');
  await waitFor(() => expect(server.sent[0]).toMatchObject({ name: 'create', body: { copied_from: uuid(1) } }));
  await waitFor(() =>
    expect(app.navigate).toHaveBeenCalledWith({ href: `/settings/facility?view=forms&form=${uuid(2)}` }),
  );
});

it('EXAM-1 offline a form is written on, and saved when the network is back', async () => {
  open(formOf());
  await screen.findByLabelText('Name of the form');
  act(() => setOnline(false));
  input('Name of the form', 'Written offline');
  expect(screen.getByText('What you write is kept on this device. Save it when you are back online.')).toBeTruthy();
  expect((screen.getByRole('button', { name: 'Save draft' }) as HTMLButtonElement).disabled).toBe(true);
});

it.each([
  [{ wardline_form: 1, form: lactate }, lactate],
  [{ wardline_form: 2, form: lactate }, 'This is no form of Wardline. Export it with “Export for another hospital”.'],
  ['not JSON', 'This is no form of Wardline. Export it with “Export for another hospital”.'],
  [
    { wardline_form: 1, form: { ...lactate, fields: [{ ...lactate.fields[0], kind: 'script' }] } },
    'This form can’t be taken over: form.fields.0.kind is not as Wardline writes it.',
  ],
])('EXAM-1 a file is a form, or says why it is none: %#', async (content, read) => {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  expect(await readFormFile(new File([text], 'a.form.json'))).toEqual(read);
});

it.each([
  ['40', 'a', '1986-11-25'],
  ['2', 'mo', '2026-09-25'],
  ['28', 'd', '2026-10-28'],
  ['', 'a', null],
  ['x', 'a', null],
  ['9000', 'a', null],
] as const)('EXAM-2 somebody of %s %s was born on %s', (age, unit, day) => {
  expect(bornOn('2026-11-25', age, unit)).toBe(day);
});

it('EXAM-1 an examination that was begun before goes on in the newer version, or says what has no place in it', async () => {
  const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
  const begunBy = { by: { user_id: ana.id, name: ana.name }, at: '2026-11-20T10:00:00.000Z' };
  const begun: Examination = {
    ...{
      id: uuid(5),
      chat_id: uuid(6),
      facility_id: facility.id,
      type: 'laboratory',
      title: 'Lactate',
      state: 'draft',
    },
    ...{ version: 4, report_version: 0, critical: [], must_acknowledge: false, updated_at: begunBy.at, patient: null },
    ...{ template: template(lactate), patient_sex: null, created: begunBy, requested: null, reason: null, entries: [] },
    my: { can_write: true, can_sign: true, can_mark_in_error: true, read_version: 0, acknowledged_version: 0 },
  };
  const sent: unknown[] = [];
  app.api.on(renewExaminationForm, ({ body }) => {
    sent.push(body);
    return { ...begun, version: 5, template: template(lactate, 2), newer_form: null };
  });
  const lost = { ...begun, newer_form: { version: 3, lost: ['Sample', 'Lactate'] } };
  const around = (page: React.ReactNode) => (
    <DeviceContext value={{ store: createMemoryStore(ana.id), outbox: {} as never }}>{page}</DeviceContext>
  );
  app.draw(<NewerForm examination={lost} hasTyped={false} />, around);
  expect(screen.getByText(/the new one has no place for Sample, Lactate\./)).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
  cleanup();
  app.draw(<NewerForm examination={{ ...begun, newer_form: { version: 2, lost: [] } }} hasTyped />, around);
  const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Go on in version 2' });
  expect(button().disabled).toBe(true);
  cleanup();
  app.draw(<NewerForm examination={{ ...begun, newer_form: { version: 2, lost: [] } }} hasTyped={false} />, around);
  fireEvent.click(button());
  await waitFor(() => expect(sent).toEqual([{ expected_version: 4, template_version: 2 }]));
});

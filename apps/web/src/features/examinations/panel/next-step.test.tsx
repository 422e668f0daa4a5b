// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { DeviceStore } from '@wardline/client/store/device-store.ts';
import { createMemoryStore } from '@wardline/client/store/memory-store.ts';
import { listParticipants } from '@wardline/contract/chat/chat.ts';
import { listOnCallRoles } from '@wardline/contract/facilities/on-call.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  at,
  entry,
  examinationOf,
  field,
  openExamination,
  person,
  press,
  renal,
  toStored,
  typeInto,
  uuid,
  version,
  vital,
} from '#/features/examinations/testing/open-examination.tsx';
import { setOnline } from '#/testing/fake-app.tsx';
import { ana, mira } from '#/testing/fake-chats.ts';

beforeEach(() => setOnline(true));
afterEach(() => void vi.restoreAllMocks());

describe('the next step', () => {
  it('EXAM-1 of a draft is to request it; at the bedside it is started at once', async () => {
    const lab = openExamination(examinationOf({ state: 'draft', requested: null }));
    const { unmount } = lab.draw();
    await press('Request');
    await waitFor(() => expect(lab.asked).toMatchObject([{ to: 'requested', expected_version: 3 }]));
    unmount();
    const bedside = openExamination(examinationOf({ state: 'draft', requested: null, template: vital }));
    bedside.draw();
    await press('Start');
    await waitFor(() =>
      expect(bedside.asked).toMatchObject([
        { to: 'requested', expected_version: 3 },
        { to: 'in_progress', expected_version: 4 },
      ]),
    );
  });

  it('EXAM-3 signing asks first, and signs what stands', async () => {
    const { asked, draw } = openExamination(examinationOf({ entries: toStored([entry('potassium', '5.0')]) }));
    draw();
    await press('Sign report');
    const dialog = await screen.findByRole('dialog', { name: 'Sign this report?' });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Sign report' }));
    await waitFor(() => expect(asked[0]).toMatchObject({ to: 'reported', expected_version: 3 }));
    expect(await screen.findByText('Reported v1')).toBeTruthy();
    expect(screen.queryByRole('textbox', { name: 'Impression' })).toBeNull();
  });

  it('EXAM-3 what another enters while who signs is asked for the reason is not signed over', async () => {
    const { asked, server, draw, heard } = openExamination(
      examinationOf({ state: 'reported', report_version: 1, entries: toStored([entry('potassium', '5.1')]) }),
      { versions: [version(1, '5.1', ana)] },
    );
    draw();
    await press('Amend');
    await typeInto('Potassium', '4.8');
    await press('Sign amendment');
    const dialog = within(await screen.findByRole('dialog', { name: 'Sign the amendment?' }));
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'Haemolysed' } });
    server.now = {
      ...server.now,
      report_version: 2,
      version: 4,
      entries: toStored([entry('potassium', '5.0')], 4, mira),
    };
    act(() => heard.changed());
    await screen.findByText('Dr. Mira Okafor entered 5.0.');
    fireEvent.click(dialog.getByRole('button', { name: 'Sign amendment' }));
    expect(await dialog.findByText('Decide first whose value stands: Potassium.')).toBeTruthy();
    expect(asked.filter((body) => Object(body).to)).toEqual([]);
  });

  it('EXAM-3 A48 what is needed to sign is said at its field before anything is asked, offline as well', async () => {
    const needed = {
      code: 'impression',
      label: 'Impression',
      kind: 'text',
      part: 'report',
      is_required: true,
    } as const;
    const template = { ...renal, fields: [...renal.fields.slice(0, 2), needed] };
    const { asked, draw } = openExamination(examinationOf({ template }));
    draw();
    await typeInto('Potassium', '5.0');
    await waitFor(() => expect(asked).toHaveLength(1));
    setOnline(false);
    await press('Sign report');
    expect(screen.getByText('Needed to sign: Impression.')).toBeTruthy();
    expect(screen.getByText('Impression is needed to sign.')).toBeTruthy();
    expect(document.activeElement).toBe(await field('Impression'));
    expect(screen.queryByRole('dialog')).toBeNull();
    await typeInto('Impression', 'As before.');
    expect(screen.queryByText(/eeded to sign[:.]/)).toBeNull();
    await press('Sign report');
    expect(await screen.findByRole('dialog', { name: 'Sign this report?' })).toBeTruthy();
  });

  it('EXAM-3 an empty report is not signed; what is missing holds nothing else up', async () => {
    const { asked, draw } = openExamination(examinationOf());
    draw();
    await press('Sign report');
    expect(screen.getByText('Enter at least one finding to sign.')).toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
    fireEvent.keyDown(await screen.findByRole('button', { name: 'More' }), { key: 'Enter' });
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Return to requested' }));
    const dialog = within(await screen.findByRole('dialog'));
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'Wrong tube' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Return' }));
    await waitFor(() => expect(asked).toMatchObject([{ to: 'requested', reason: 'Wrong tube' }]));
  });

  it('EXAM-5 with a critical finding it is signed with a decision alone: whom to call, and how soon', async () => {
    const { app, asked, draw } = openExamination(examinationOf());
    app.api.on(listOnCallRoles, () => ({ data: [], next_cursor: null }));
    const participant = { access: 'write', delivered_seq: 0, read_seq: 0, title: null } as const;
    app.api.on(listParticipants, () => ({
      data: [ana, mira].map((who) => ({ ...participant, ...person(who) })),
      next_cursor: null,
    }));
    draw();
    await typeInto('Potassium', '6.8');
    await press('Sign report');
    const dialog = within(await screen.findByRole('dialog', { name: 'Sign the report: critical result' }));
    expect(dialog.getByText('Potassium 6.8 mmol/L, HH')).toBeTruthy();
    expect(await dialog.findByRole('checkbox', { name: mira.name })).toBeTruthy();
    expect(dialog.queryByRole('checkbox', { name: ana.name }), 'nobody calls themselves').toBeNull();
    fireEvent.click(dialog.getByRole('button', { name: 'Sign and call' }));
    expect(dialog.getByRole('alert').textContent).toBe('Choose whom to call.');
    expect(document.activeElement).toBe(dialog.getByRole('checkbox', { name: mira.name }));
    fireEvent.click(dialog.getByRole('checkbox', { name: mira.name }));
    fireEvent.click(dialog.getByRole('radio', { name: /Within hours/ }));
    fireEvent.click(dialog.getByRole('button', { name: 'Sign and call' }));
    const critical = { kind: 'alert', category: 'hours', targets: { people: [mira.id], role_id: null } };
    await waitFor(() => expect(asked.find((body) => Object(body).to)).toMatchObject({ to: 'reported', critical }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('EXAM-5 or it is signed without an alert, with why; an amendment asks of what is new alone', async () => {
    const signed = examinationOf({
      state: 'reported',
      report_version: 1,
      entries: toStored([entry('potassium', '6.8')]),
      critical_decisions: [{ report_version: 1, by: person(ana), at, reason: 'Known' }],
    });
    const { app, asked, draw } = openExamination(signed, { versions: [version(1, '6.8', ana)] });
    app.api.on(listOnCallRoles, () => ({ data: [], next_cursor: null }));
    app.api.on(listParticipants, () => ({ data: [], next_cursor: null }));
    draw();
    const results = await screen.findByRole('region', { name: 'Critical results' });
    expect(results.textContent).toContain('No alert for version 1: Known');
    await press('Amend');
    await typeInto('Sodium', '140');
    await press('Sign amendment');
    const plain = await screen.findByRole('dialog', { name: 'Sign the amendment?' });
    fireEvent.click(within(plain).getByRole('button', { name: 'Back' }));
    await typeInto('Potassium', '7.1');
    await press('Sign amendment');
    const dialog = within(await screen.findByRole('dialog', { name: 'Sign the amendment: critical result' }));
    fireEvent.click(dialog.getByRole('radio', { name: /No alert/ }));
    const sign = () => fireEvent.click(dialog.getByRole('button', { name: 'Sign without alert' }));
    sign();
    expect(dialog.getAllByText('Say why.')).toHaveLength(2);
    fireEvent.change(dialog.getByLabelText('Reason for the amendment'), { target: { value: 'Repeated' } });
    fireEvent.change(dialog.getByLabelText('Why does nobody need to be called?'), { target: { value: 'Told' } });
    sign();
    const critical = { kind: 'none', reason: 'Told' };
    const signing = { to: 'amended', reason: 'Repeated', critical };
    await waitFor(() => expect(asked.find((body) => Object(body).to)).toMatchObject(signing));
  });

  it('EXAM-5 the panel shows how far an alert has got, who read it back wrongly, and the way to its call', async () => {
    const times = { identified_at: at, notified_at: at, received_at: at, read_back_at: null, acted_at: null };
    const [potassium] = [{ field: 'potassium', label: 'Potassium', value: '6.8', interpretation: 'HH' as const }];
    const alert = {
      ...{ id: uuid(7), examination_id: uuid(5), message_id: uuid(8), seq: 12, title: 'Renal profile', version: 4 },
      ...{ report_version: 1, category: 'minutes', state: 'received', times: { ...times, closed_at: null } },
      findings: [{ ...potassium, unit: { code: 'mmol/L', label: 'mmol/L' } }],
      read_backs: [{ by: person(mira), at, is_right: false, wrong: [{ part: 'value', label: 'Potassium' }] }],
    } as const;
    const entries = toStored([entry('potassium', '6.8')]);
    const signed = { state: 'reported', report_version: 1, entries, critical_alerts: [alert] } as never;
    openExamination(examinationOf(signed), { versions: [version(1, '6.8', ana)] }).draw();
    const results = within(await screen.findByRole('region', { name: 'Critical results' }));
    expect(results.getByText('Received, not read back')).toBeTruthy();
    expect(results.getAllByRole('listitem').filter(({ className }) => className === 'is-reached')).toHaveLength(3);
    expect(results.getByText(/read it back, and the value of Potassium did not agree/)).toBeTruthy();
    expect(results.getByRole('link', { name: 'Open in the chat' }).getAttribute('href')).toBe('/chat?message=12');
  });

  it('CHAT-7 what needs a reason asks for it, and what another changed meanwhile is told there', async () => {
    const { app, asked, draw } = openExamination(examinationOf());
    draw();
    await press('More');
    fireEvent.keyDown(await screen.findByRole('button', { name: 'More' }), { key: 'Enter' });
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Cancel examination' }));
    const dialog = await screen.findByRole('dialog', { name: 'Cancel this examination?' });
    const send = () => fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel examination' }));
    send();
    expect(within(dialog).getByText('Say why.')).toBeTruthy();
    fireEvent.change(within(dialog).getByLabelText('Reason'), { target: { value: 'Not needed' } });
    app.api.around = async ({ line }, go) =>
      line.startsWith('POST')
        ? Response.json({ message: 'Someone changed this in the meantime.' }, { status: 409 })
        : go();
    send();
    expect(await within(dialog).findByText('Someone changed this in the meantime.')).toBeTruthy();
    app.answer();
    send();
    await waitFor(() => expect(asked).toMatchObject([{ to: 'cancelled', expected_version: 3, reason: 'Not needed' }]));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('EXAM-3 an amendment is typed over the report, kept, and signed with a reason', async () => {
    const store: DeviceStore = createMemoryStore(ana.id);
    const signed = examinationOf({
      state: 'reported',
      report_version: 1,
      entries: toStored([entry('potassium', '6.8')]),
    });
    const { asked, draw } = openExamination(signed, { store, versions: [version(1, '6.8', ana)] });
    const { unmount } = draw();
    await press('Amend');
    await typeInto('Potassium', '4.8');
    unmount();
    draw();
    await waitFor(async () => expect((await field('Potassium')).value).toBe('4.8'));
    await press('Sign amendment');
    const dialog = await screen.findByRole('dialog', { name: 'Sign the amendment?' });
    fireEvent.change(within(dialog).getByLabelText('Reason'), { target: { value: 'Haemolysed' } });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Sign amendment' }));
    const change = { to: 'amended', reason: 'Haemolysed', entries: [{ field: 'potassium', value: '4.8' }] };
    await waitFor(() => expect(asked.find((body) => Object(body).to)).toMatchObject(change));
    expect(await screen.findByText('Amended v2')).toBeTruthy();
  });

  it('EXAM-3 A48 nothing is signed over what another entered meanwhile, nor without what does not fit', async () => {
    const { asked, server, draw, heard } = openExamination(
      examinationOf({ state: 'reported', report_version: 1, entries: toStored([entry('potassium', '6.8')]) }),
      { versions: [version(1, '6.8', ana)] },
    );
    draw();
    await press('Amend');
    await typeInto('Potassium', '4.8');
    const entries = toStored([entry('potassium', '5.0'), entry('sodium', '140')], 4, mira);
    server.now = { ...server.now, state: 'amended', report_version: 2, version: 4, entries };
    act(() => heard.changed());
    await waitFor(async () => expect((await field('Sodium')).value).toBe('140'));
    const inTheWay = async () => (await screen.findByText(/^What you typed|^Decide first/)).textContent;
    await typeInto('Sodium', 'many');
    await press('Sign amendment');
    expect(await inTheWay()).toBe('What you typed does not fit yet: Sodium.');
    await typeInto('Sodium', '141');
    expect(await inTheWay(), 'what is solved is not said any more').toBe('Decide first whose value stands: Potassium.');
    await press('Sign amendment');
    expect(screen.queryByRole('dialog'), 'nobody is asked for a reason before').toBeNull();
    expect(document.activeElement).toBe(await field('Potassium'));
    expect(screen.getByText('Dr. Mira Okafor entered 5.0.')).toBeTruthy();
    expect(asked.filter((body) => Object(body).to)).toEqual([]);
  });

  it('EXAM-1 who only reads is offered nothing', async () => {
    const my = {
      can_write: false,
      can_sign: false,
      can_mark_in_error: false,
      read_version: 0,
      acknowledged_version: 0,
    };
    openExamination(examinationOf({ my, entries: toStored([entry('potassium', '6.8')]) })).draw();
    expect(await screen.findByText('6.8')).toBeTruthy();
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(screen.queryByRole('button', { name: /Sign|More|Amend/ })).toBeNull();
  });
});

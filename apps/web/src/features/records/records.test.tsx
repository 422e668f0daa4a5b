// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { FakeRefusal } from '@wardline/client/testing/fake-api.ts';
import { confirmPassword } from '@wardline/contract/account/second-factor.ts';
import {
  getRetention,
  type LegalHold,
  liftLegalHold,
  listLegalHolds,
  placeLegalHold,
  previewRetention,
  type Retention,
  setRetention,
} from '@wardline/contract/chat/records.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { listMembers } from '@wardline/contract/facilities/members.ts';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { ana, anaUser, leila, stBrigid } from '#/testing/fake-chats.ts';
import { RecordsPanel } from './records-panel.tsx';

// What a press would load is there, so that no test waits for it.
beforeAll(() =>
  Promise.all([
    import('./new-hold-dialog.tsx'),
    import('./patient-record-dialog.tsx'),
    import('#/shared/forms/dialogs/confirm-dialog.tsx'),
    import('#/shared/forms/dialogs/download-dialog.tsx'),
    import('#/shared/forms/dialogs/password-dialog.tsx'),
  ]),
);

const facility: Facility = { ...stBrigid, permissions: ['facility.manage', 'records.manage'] };
const WHY = 'Claim of the family, file 12/2026.';
const kept: Retention = {
  rules: (['case', 'group', 'direct', 'announcement'] as const).map((kind) => ({
    ...{ kind, mode: 'keep', days: null, effective_at: '1970-01-01T00:00:00.000Z' },
  })),
  version: 2,
  next_run_at: null,
};
const hold: LegalHold = {
  id: '01970000-0000-7000-8000-0000000000d1',
  subject: { kind: 'patient', identifier: 'MRN 40-118-236', chat_count: 2 },
  reason: WHY,
  placed_by: { id: ana.id, name: ana.name },
  placed_at: '2026-11-19T10:00:00.000Z',
  lifted: null,
};

function open({ holds = [] as LegalHold[], retention = kept } = {}) {
  const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
  const state = { retention, holds, sent: [] as unknown[] };
  app.api.on(getRetention, () => state.retention);
  app.api.on(previewRetention, ({ body }) => ({
    kinds: body.rules.map(({ kind, days }) => ({
      ...{ kind, chats: days === null ? 0 : 3, messages: days === null ? 0 : 40, held_chats: days === null ? 0 : 1 },
    })),
  }));
  app.api.on(setRetention, ({ body }) => {
    state.sent.push(body);
    if (body.expected_version !== state.retention.version) throw new FakeRefusal('conflict');
    const rules = body.rules.map((rule) => ({ ...rule, effective_at: '2099-01-01T00:00:00.000Z' }));
    state.retention = { rules, version: state.retention.version + 1, next_run_at: '2026-11-25T02:00:00.000Z' };
    return state.retention;
  });
  app.api.on(listLegalHolds, () => ({ data: state.holds, next_cursor: null }));
  app.api.on(placeLegalHold, ({ body }) => {
    state.sent.push(body);
    state.holds = [{ ...hold, reason: body.reason }];
    return hold;
  });
  app.api.on(liftLegalHold, ({ params, body }) => {
    state.sent.push({ ...params, ...body });
    state.holds = [];
    return hold;
  });
  app.api.on(listMembers, () => ({
    data: [leila].map(({ id, name, title }) => ({ user_id: id, name, title, roles: [] })),
    next_cursor: null,
  }));
  app.draw(<RecordsPanel facility={facility} />);
  return { ...app, state };
}

const choose = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

describe('how long messages are kept', () => {
  it('ADM-4 what a rule would delete is said before it is saved', async () => {
    const { state } = open();
    await screen.findByLabelText('Team chats');
    choose('Team chats', 'delete');
    fireEvent.change(screen.getByRole('spinbutton', { name: 'Days, Team chats' }), { target: { value: '90' } });
    fireEvent.click(screen.getByRole('button', { name: 'Save rules' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete messages for good?' }));
    expect(
      dialog.getByText(/Team chats: up to 40 messages in 3 chats\. 1 chat on legal hold is left out/),
    ).toBeTruthy();
    expect(state.sent).toEqual([]);
    fireEvent.click(dialog.getByRole('button', { name: 'Save rules' }));
    await waitFor(() => expect(state.sent).toHaveLength(1));
    expect(state.sent).toMatchObject([{ expected_version: 2 }]);
    expect((state.sent[0] as { rules: unknown[] }).rules).toContainEqual({ kind: 'group', mode: 'delete', days: 90 });
    expect(await screen.findByText(/Deletes nothing before/)).toBeTruthy();
  });

  it('ADM-4 days that cannot be are said at their row, before they are sent and after', async () => {
    const { state, refuse, api } = open();
    await screen.findByLabelText('Team chats');
    choose('Team chats', 'delete');
    const days = screen.getByRole('spinbutton', { name: 'Days, Team chats' });
    const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save rules' }));
    fireEvent.change(days, { target: { value: '7' } });
    const asked = api.asked.length;
    save();
    expect(await screen.findByText(/^Days: a whole number from 30 to /)).toBeTruthy();
    expect(document.activeElement).toBe(days);
    expect([api.asked.length, state.sent]).toEqual([asked, []]);
    fireEvent.change(days, { target: { value: '90' } });
    const row = screen.getAllByRole('combobox').indexOf(screen.getByLabelText('Team chats'));
    refuse(422, { errors: { [`rules.${row}.days`]: ['Too few for this facility.'] } });
    save();
    expect(await screen.findByText('Too few for this facility.')).toBeTruthy();
    expect(document.activeElement).toBe(days);
    expect(screen.queryByRole('alert')?.textContent ?? 'Too few for this facility.').toBe('Too few for this facility.');
  });

  it('ADM-4 keeping longer is saved without a question', async () => {
    const rules = kept.rules.map((rule) =>
      rule.kind === 'direct' ? { ...rule, mode: 'delete' as const, days: 60 } : rule,
    );
    const { state } = open({ retention: { ...kept, rules } });
    await screen.findByLabelText('Direct chats');
    choose('Direct chats', 'keep');
    fireEvent.click(screen.getByRole('button', { name: 'Save rules' }));
    await waitFor(() => expect(state.sent).toHaveLength(1));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('ADM-4 what somebody else changed meanwhile is not written over', async () => {
    const { state } = open();
    await screen.findByLabelText('Team chats');
    choose('Team chats', 'delete');
    state.retention = { ...kept, version: 3 };
    fireEvent.click(screen.getByRole('button', { name: 'Save rules' }));
    const dialog = within(await screen.findByRole('dialog'));
    fireEvent.click(dialog.getByRole('button', { name: 'Save rules' }));
    expect((await dialog.findByRole('alert')).textContent).not.toBe('');
  });
});

describe('legal holds', () => {
  it('ADM-4 a patient is held by their number, with a reason', async () => {
    const { state } = open();
    expect(await screen.findByText('No legal holds')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'New legal hold' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New legal hold' }));
    fireEvent.click(dialog.getByRole('button', { name: 'Place hold' }));
    expect(await dialog.findByText('Enter the number.')).toBeTruthy();
    fireEvent.change(dialog.getByLabelText('MRN or other ID'), { target: { value: ' MRN 40 ' } });
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: WHY } });
    fireEvent.click(dialog.getByRole('button', { name: 'Place hold' }));
    await waitFor(() => expect(state.sent).toHaveLength(1));
    expect(state.sent).toMatchObject([{ subject: { kind: 'patient', identifier: 'MRN 40' }, reason: WHY }]);
    expect(await screen.findByText('Patient MRN 40-118-236, 2 chats')).toBeTruthy();
  });

  it('ADM-4 a person is chosen; without one the dialog says so and keeps the reason', async () => {
    const { state } = open();
    fireEvent.click(await screen.findByRole('button', { name: 'New legal hold' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New legal hold' }));
    fireEvent.click(dialog.getByRole('radio', { name: 'A person' }));
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: WHY } });
    fireEvent.click(dialog.getByRole('button', { name: 'Place hold' }));
    expect(await dialog.findByText('Choose a person.')).toBeTruthy();
    expect((dialog.getByLabelText('Reason') as HTMLTextAreaElement).value).toBe(WHY);
    fireEvent.click(await dialog.findByRole('radio', { name: new RegExp(leila.name) }));
    fireEvent.click(dialog.getByRole('button', { name: 'Place hold' }));
    await waitFor(() => expect(state.sent).toMatchObject([{ subject: { kind: 'person', user_id: leila.id } }]));
  });

  it('ADM-4 a hold says who, when and why, and is ended with a reason', async () => {
    const { state } = open({ holds: [hold] });
    const list = within(await screen.findByRole('list', { name: 'Legal holds' }));
    expect(list.getByText(new RegExp(`${WHY.replaceAll('.', '\\.')} · ${ana.name}, `))).toBeTruthy();
    fireEvent.click(list.getByRole('button', { name: /End hold of Patient/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'End legal hold' }));
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'The claim is settled.' } });
    fireEvent.click(dialog.getByRole('button', { name: 'End hold' }));
    await waitFor(() => expect(state.sent).toMatchObject([{ legal_hold: hold.id, reason: 'The claim is settled.' }]));
    expect(await screen.findByText('No legal holds')).toBeTruthy();
  });

  it('ADM-4 UI-2 the password is asked for before an export, and what tells of the file does not lie over the question', async () => {
    const { api } = open();
    let isConfirmed = false;
    api.on(confirmPassword, () => {
      isConfirmed = true;
      return null;
    });
    vi.stubGlobal('fetch', async () =>
      isConfirmed
        ? new Response('archive')
        : Response.json({ message: 'Confirm.', code: 'password_unconfirmed' }, { status: 423 }),
    );
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:file');
    const kept: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      kept.push(this.download);
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Export a patient’s chats' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Export a patient’s chats' }));
    fireEvent.change(dialog.getByLabelText('MRN or other ID'), { target: { value: 'MRN 40' } });
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: WHY } });
    fireEvent.click(dialog.getByRole('button', { name: 'Export' }));
    const question = within(await screen.findByRole('dialog', { name: 'Confirm it’s you' }));
    // Somebody types slower than it takes until a file is told of.
    await new Promise((wait) => setTimeout(wait, 700));
    expect(screen.queryByRole('dialog', { name: /^Exporting/ })).toBeNull();
    fireEvent.change(question.getByLabelText('Password', { selector: 'input' }), {
      target: { value: 'a long password' },
    });
    fireEvent.click(question.getByRole('button', { name: 'Confirm' }));
    await waitFor(() => expect(kept).toEqual(['record.zip']));
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
});

// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { FakeRefusal } from '@wardline/client/testing/fake-api.ts';
import { confirmPassword } from '@wardline/contract/account/second-factor.ts';
import {
  getRetention,
  type HoldablePerson,
  type LegalHold,
  liftLegalHold,
  listHoldablePeople,
  listLegalHolds,
  listUnexportedChats,
  placeLegalHold,
  previewRetention,
  type Retention,
  setRetention,
  type UnexportedChat,
} from '@wardline/contract/chat/records.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
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

const goran: HoldablePerson = {
  ...{ id: '01970000-0000-7000-8000-0000000000d7', name: 'Goran Left', title: 'Porter' },
  left_at: '2026-11-12T10:00:00.000Z',
};

function open({ holds = [] as LegalHold[], retention = kept, unexported = [] as UnexportedChat[] } = {}) {
  const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
  const state = { retention, holds, unexported, sent: [] as unknown[] };
  app.api.on(getRetention, () => state.retention);
  app.api.on(previewRetention, ({ body }) => ({
    kinds: body.rules.map(({ kind, mode, days }) => ({
      ...{ kind, chats: 0, messages: 0, held_chats: 0, unexported_chats: 0 },
      ...(mode === 'delete' && days !== null && { chats: 3, messages: 40, held_chats: 1 }),
      ...(mode === 'delete_exported' && { unexported_chats: 2 }),
    })),
    held_people: 1,
  }));
  app.api.on(setRetention, ({ body }) => {
    state.sent.push(body);
    if (body.expected_version !== state.retention.version) throw new FakeRefusal('conflict');
    const rules = body.rules.map((rule) => ({ ...rule, effective_at: '2099-01-01T00:00:00.000Z' }));
    state.retention = { rules, version: state.retention.version + 1, next_run_at: '2026-11-25T02:00:00.000Z' };
    return state.retention;
  });
  app.api.on(listUnexportedChats, () => ({ data: state.unexported, next_cursor: null }));
  app.api.on(listLegalHolds, ({ query }) => ({
    data: state.holds.filter(({ lifted }) => query.state === 'all' || lifted === null),
    next_cursor: null,
  }));
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
  app.api.on(listHoldablePeople, () => ({
    data: [goran, { id: leila.id, name: leila.name, title: leila.title, left_at: null }],
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
      dialog.getByText(
        /Team chats: up to 40 messages in 3 chats\. What 1 person on legal hold wrote stays, and is counted here\. 1 chat on legal hold is left out/,
      ),
    ).toBeTruthy();
    expect(state.sent).toEqual([]);
    fireEvent.click(dialog.getByRole('button', { name: 'Save rules' }));
    await waitFor(() => expect(state.sent).toHaveLength(1));
    expect(state.sent).toMatchObject([{ expected_version: 2 }]);
    expect((state.sent[0] as { rules: unknown[] }).rules).toContainEqual({ kind: 'group', mode: 'delete', days: 90 });
    expect(await screen.findByText(/Deletes nothing before/)).toBeTruthy();
    expect(await screen.findByText('Saved.')).toBeTruthy();
    // The next night is before the rule begins: it deletes nothing.
    expect(screen.queryByText(/Next night/)).toBeNull();
  });

  it('ADM-4 the next night is said once a rule is in force by then', async () => {
    const effective_at = '2026-11-24T10:00:00.000Z';
    const rules = kept.rules.map((rule) => ({ ...rule, mode: 'delete' as const, days: 90, effective_at }));
    open({ retention: { ...kept, rules, next_run_at: '2026-11-25T02:00:00.000Z' } });
    expect(await screen.findByText(/Next night: Wed 25 Nov/)).toBeTruthy();
  });

  it('ADM-4 of what waits for an export nobody is told that it is too young', async () => {
    open();
    await screen.findByLabelText('Patient chats');
    choose('Patient chats', 'delete_exported');
    fireEvent.click(screen.getByRole('button', { name: 'Save rules' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete messages for good?' }));
    const said = 'These rules delete nothing now. 2 chats are old enough and wait for an export.';
    expect(dialog.getByText(new RegExp(said))).toBeTruthy();
  });

  it('ADM-4 chats that wait for an export are named, and exported from there', async () => {
    const chat = {
      ...{ id: '01970000-0000-7000-8000-0000000000d8', kind: 'case' as const, title: null },
      patient: { name: 'Edith Maron', identifier: 'MRN 40' },
    };
    const { state } = open({ unexported: [{ chat, exported_at: null }] });
    const asked: unknown[] = [];
    vi.stubGlobal('fetch', async (url: string, { body }: RequestInit) => {
      asked.push([new URL(url).pathname, JSON.parse(String(body))]);
      state.unexported = [];
      return new Response('archive');
    });
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:file');
    const kept: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      kept.push(this.download);
    });
    const list = within(await screen.findByRole('list', { name: 'Waiting for an export' }));
    expect(list.getByText('Never exported')).toBeTruthy();
    fireEvent.click(list.getByRole('button', { name: 'Export Edith Maron, MRN 40' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Export to the record' }));
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: WHY } });
    fireEvent.click(dialog.getByRole('button', { name: 'Export' }));
    await waitFor(() => expect(kept).toEqual([`record-${chat.id}.zip`]));
    expect(asked).toEqual([[`/api/chats/${chat.id}/record`, { reason: WHY }]]);
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Waiting for an export' })).toBeNull());
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
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

  it('ADM-4 somebody who has left is found and held, and it says when they left', async () => {
    const { state } = open();
    fireEvent.click(await screen.findByRole('button', { name: 'New legal hold' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New legal hold' }));
    fireEvent.click(dialog.getByRole('radio', { name: 'A person' }));
    fireEvent.click(await dialog.findByRole('radio', { name: /^Goran Left, Porter, left Thu 12 Nov/ }));
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: WHY } });
    fireEvent.click(dialog.getByRole('button', { name: 'Place hold' }));
    await waitFor(() => expect(state.sent).toMatchObject([{ subject: { kind: 'person', user_id: goran.id } }]));
  });

  it('ADM-4 a hold of a number that no chat has says that it holds nothing', async () => {
    open({ holds: [{ ...hold, subject: { kind: 'patient', identifier: 'MRN 40-118-23', chat_count: 0 } }] });
    const list = within(await screen.findByRole('list', { name: 'Legal holds' }));
    expect(list.getByText('Holds nothing yet')).toBeTruthy();
    expect(list.getByText(/^No chat of this facility has the number MRN 40-118-23: check it/)).toBeTruthy();
  });

  it('ADM-4 ended holds are shown where they are asked for: by whom, when and why', async () => {
    const lifted = {
      by: { id: leila.id, name: leila.name },
      ...{ at: '2026-11-20T10:00:00.000Z', reason: 'The claim is settled.' },
    };
    open({ holds: [{ ...hold, lifted }] });
    expect(await screen.findByText('No legal holds')).toBeTruthy();
    fireEvent.click(screen.getByRole('checkbox', { name: 'Show ended holds' }));
    const list = within(await screen.findByRole('list', { name: 'Legal holds' }));
    expect(list.getByText('Ended')).toBeTruthy();
    expect(list.getByText(new RegExp(`ended by ${leila.name}, .*: The claim is settled\\.`))).toBeTruthy();
    expect(list.queryByRole('button', { name: /End hold/ })).toBeNull();
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

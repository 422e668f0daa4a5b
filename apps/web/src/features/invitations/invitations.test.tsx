// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { testConfig } from '@wardline/client/testing/test-config.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import {
  type InvitationImport,
  type importPeople,
  listInvitationImports,
} from '@wardline/contract/facilities/invitation-imports.ts';
import {
  acceptInvitation,
  createInvitation,
  type Invitation,
  listInvitations,
  listRoles,
  revokeInvitation,
  showInvitation,
} from '@wardline/contract/facilities/invitations.ts';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { PageConfigContext } from '#/shared/contexts/page-config.ts';
import { pageToasts } from '#/shared/contexts/show-toast.ts';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { anaUser, harbour, stBrigid } from '#/testing/fake-chats.ts';
import { InvitationsPanel } from './invitations-panel.tsx';
import { JoinDialog } from './join-dialog.tsx';

// What a press would load is there, so that no test waits for it.
beforeAll(() =>
  Promise.all([import('#/shared/forms/dialogs/confirm-dialog.tsx'), import('@wardline/client/toasts/toasts.ts')]),
);

const id = (number: number) => `01970000-0000-7000-8000-0000000000${String(number).padStart(2, '0')}`;
const token = 'i'.repeat(43);
const open: Invitation = {
  id: id(1),
  note: 'Lena from MAT',
  title: 'Midwife',
  roles: ['Clinician'],
  created_by_name: 'Marit Solheim',
  created_at: '2026-11-20T00:00:00Z',
  expires_at: '2026-11-27T12:00:00Z',
  state: 'open',
};
const used: Invitation = { ...open, id: id(2), note: null, title: null, roles: [], state: 'used' };

const reportOf = (is_applied: boolean): ReplyOf<typeof importPeople> => ({
  is_applied,
  counts: { new: 1, known: 1, refused: 0 },
  rows: [
    { line: 2, email: 'ana@people.test', name: 'Ana', outcome: 'new', problems: [] },
    {
      ...{ line: 3, email: 'kofi@people.test', name: null, outcome: 'known' },
      problems: [{ column: 'email', code: 'KNOWN', message: 'Is a member already.' }],
    },
  ],
});
const imported = (counts: Partial<InvitationImport['counts']>): InvitationImport => ({
  ...{ id: id(30), created_by_name: 'Marit Solheim', created_at: '2026-11-20T00:00:00Z' },
  counts: { waiting: 0, invited: 0, mailed: 0, refused: 0, ...counts },
});

afterEach(() => void vi.restoreAllMocks());

function setUp({ invitations = [open, used], imports = [] as InvitationImport[], isMailSent = true } = {}) {
  const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
  const state = { invitations, imports, made: [] as unknown[], applied: [] as boolean[] };
  const { api } = app;
  api.on(listInvitations, ({ params, query }) => {
    if (params.facility !== stBrigid.id) return { data: [], next_cursor: null };
    return query.cursor === undefined && state.invitations.length > 2
      ? { data: state.invitations.slice(0, 2), next_cursor: 'more' }
      : { data: state.invitations.slice(query.cursor === undefined ? 0 : 2), next_cursor: null };
  });
  api.on(listInvitationImports, () => ({ data: state.imports, next_cursor: null }));
  // The fake server reads JSON only; a file is a form.
  api.around = async ({ line }, go) => {
    if (!line.startsWith(`POST /api/facilities/${stBrigid.id}/invitation-imports`)) return go();
    const isApplied = line.endsWith('apply=true');
    state.applied.push(isApplied);
    if (isApplied) state.imports = [imported({ waiting: 1 })];
    return Response.json(reportOf(isApplied));
  };
  api.on(listRoles, () => ({
    data: [
      { id: id(8), name: 'Clinician', permissions: [] },
      { id: id(9), name: 'Charge nurse', permissions: ['chats.create'] },
      { id: id(7), name: 'Census officer', permissions: ['chats.create', 'census.logs'] },
    ],
  }));
  api.on(createInvitation, ({ body }) => {
    state.made.push(body);
    const invitation = { ...open, id: id(3), note: body.note ?? null };
    state.invitations = [invitation, ...state.invitations];
    return { invitation, token };
  });
  api.on(revokeInvitation, ({ params }) => {
    state.invitations = state.invitations.map((invitation) =>
      invitation.id === params.invitation ? { ...invitation, state: 'revoked' } : invitation,
    );
    return undefined;
  });
  const draw = (...facilities: [typeof stBrigid, ...(typeof stBrigid)[]]) =>
    app.draw(
      <PageConfigContext value={{ ...testConfig(), mail: { is_sent: isMailSent } }}>
        <InvitationsPanel facilities={facilities} />
      </PageConfigContext>,
    );
  return { ...app, state, draw };
}
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

describe('ACC-1 inviting', () => {
  it('ACC-1 invitations are listed with whom they are for, what they give and how they stand', async () => {
    const { draw } = setUp();
    draw(stBrigid);
    const rows = await screen.findAllByRole('listitem');
    expect(rows[0]?.textContent).toMatch(
      /^Lena from MATOpenMidwife · Clinician · by Marit Solheim · until Fri.*Revoke$/,
    );
    expect(rows[1]?.textContent).toBe('SomeoneUsedno role · by Marit Solheim');
    expect(screen.getAllByRole('button', { name: /^Revoke/ })).toHaveLength(1);
  });

  it('ACC-1 one that somebody signed up with waits for their email, and can be revoked', async () => {
    const { draw } = setUp({ invitations: [{ ...open, state: 'waiting' }] });
    draw(stBrigid);
    const [row] = await screen.findAllByRole('listitem');
    expect(row?.textContent).toMatch(/^Lena from MATWaiting for email.* · until Fri.*Revoke$/);
  });

  it('ACC-1 one is made with roles, title and note; its link is shown this once, to be copied', async () => {
    const { draw, state } = setUp();
    draw(stBrigid);
    press('Invite a colleague');
    const dialog = within(await screen.findByRole('dialog', { name: 'Invite a colleague to St. Brigid General' }));
    fireEvent.click(await dialog.findByLabelText('Charge nurse'));
    fireEvent.input(dialog.getByLabelText('Note'), { target: { value: 'Kofi, ICU' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Create link' }));
    const link = `${location.origin}/sign-up?invitation=${token}`;
    expect((await screen.findByLabelText<HTMLInputElement>('Link')).value).toBe(link);
    expect(state.made).toEqual([{ role_ids: [id(9)], note: 'Kofi, ICU', title: null }]);
    const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    press('Copy');
    expect(await screen.findByText('Copied.')).toBeTruthy();
    expect(copied).toHaveBeenCalledWith(link);
    press('Done');
    expect(await screen.findByText('Kofi, ICU')).toBeTruthy();
    expect(screen.queryByText(token)).toBeNull();
  });

  it('ACC-1 without a role it says what one can do then', async () => {
    const { draw } = setUp();
    draw(stBrigid);
    press('Invite a colleague');
    const box = await screen.findByLabelText('Charge nurse');
    expect(screen.getByText(/^Without a role they can only/)).toBeTruthy();
    fireEvent.click(box);
    expect(screen.queryByText(/^Without a role/)).toBeNull();
  });

  it('ACC-1 where no mail server is set, inviting says that the mails reach no one', async () => {
    const { draw } = setUp({ isMailSent: false, imports: [imported({ mailed: 2 })] });
    draw(stBrigid);
    expect(await screen.findByText('2 invited by mail, which reaches no one')).toBeTruthy();
    press('Invite a colleague');
    expect(await screen.findByText(/^Only people with an account can join/)).toBeTruthy();
    press('Cancel');
    press('Invite from a file');
    expect(await screen.findByText(/^No mail server is set, so the mails reach no one\. CSV with/)).toBeTruthy();
  });

  it('PERM-2 a role that gives more than one has oneself cannot be given, and says so', async () => {
    const { draw } = setUp();
    draw(stBrigid);
    press('Invite a colleague');
    const box = async (name: string) => await screen.findByLabelText<HTMLInputElement>(name);
    expect([(await box('Charge nurse')).disabled, (await box('Census officer')).disabled]).toEqual([false, true]);
    expect(screen.getAllByText('You can’t grant this role.')).toHaveLength(1);
  });

  it('F-U7 whoever decides who belongs grants the everyday roles without having their rights', async () => {
    const { draw } = setUp();
    draw({ ...stBrigid, permissions: ['members.manage'] });
    press('Invite a colleague');
    for (const name of ['Charge nurse', 'Census officer'])
      expect((await screen.findByLabelText<HTMLInputElement>(name)).disabled).toBe(false);
  });

  it('ACC-1 a browser that does not copy leaves the link selected and says so', async () => {
    const { draw } = setUp();
    draw(stBrigid);
    press('Invite a colleague');
    fireEvent.click(await screen.findByRole('button', { name: 'Create link' }));
    const link = await screen.findByLabelText<HTMLInputElement>('Link');
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('not allowed'));
    press('Copy');
    expect(await screen.findByText(/The link is selected: copy it yourself/)).toBeTruthy();
    expect([link.selectionStart, link.selectionEnd]).toEqual([0, link.value.length]);
  });

  it('ACC-1 a file of people is checked line by line, then its people are invited, and the panel says how far it is', async () => {
    const { draw, state } = setUp();
    draw(stBrigid);
    expect(screen.queryByText(/^File by/)).toBeNull();
    press('Invite from a file');
    const dialog = within(
      await screen.findByRole('dialog', { name: 'Invite people to St. Brigid General from a file' }),
    );
    expect(dialog.getByRole('button', { name: 'Download a template' })).toBeTruthy();
    const input = document.querySelector<HTMLInputElement>('input[type=file]');
    if (!input) throw new Error('no field for a file');
    fireEvent.change(input, { target: { files: [new File(['email,role'], 'people.csv', { type: 'text/csv' })] } });
    expect(
      await dialog.findByText(
        /^1 person to invite. 1 line passed over: a member, or invited already. Nobody is invited yet.$/,
      ),
    ).toBeTruthy();
    expect(dialog.getByText('Is a member already.')).toBeTruthy();
    fireEvent.click(dialog.getByRole('button', { name: 'Invite 1 person' }));
    expect(await dialog.findByText(/^1 person will be invited/)).toBeTruthy();
    expect(state.applied).toEqual([false, true]);
    expect(await screen.findByText('0 invited by mail · 1 under way')).toBeTruthy();
  });

  it('ACC-1 once a file is worked off its outcome stays, with the lines to download', async () => {
    const { draw } = setUp({ imports: [imported({ mailed: 12, refused: 2 })] });
    const asked = vi.fn(async (_url: string) => Response.json({ message: 'No.' }, { status: 403 }));
    vi.stubGlobal('fetch', asked);
    draw(stBrigid);
    expect(await screen.findByText('12 invited by mail · 2 not invited')).toBeTruthy();
    expect(screen.queryByRole('progressbar')).toBeNull();
    press('Download what became of each line');
    await waitFor(() => expect(asked.mock.calls[0]?.[0]).toContain(`/invitation-imports/${id(30)}/lines`));
    vi.unstubAllGlobals();
  });

  it('ACC-1 a refusal stands in the dialog', async () => {
    const { draw, refuse } = setUp();
    draw(stBrigid);
    press('Invite a colleague');
    const dialog = within(await screen.findByRole('dialog'));
    await dialog.findByLabelText('Clinician');
    refuse(422, { errors: { role_ids: ['You cannot give a role that you do not have.'] } });
    fireEvent.click(dialog.getByRole('button', { name: 'Create link' }));
    expect((await dialog.findByRole('alert')).textContent).toBe('You cannot give a role that you do not have.');
  });

  it('ACC-1 TOAST-1 an open one is revoked once that was confirmed', async () => {
    const { api, draw } = setUp();
    draw(stBrigid);
    fireEvent.click(await screen.findByRole('button', { name: 'Revoke Lena from MAT' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Revoke the invitation for Lena from MAT?' }));
    expect(api.asked.some((line) => line.startsWith('DELETE'))).toBe(false);
    fireEvent.click(dialog.getByRole('button', { name: 'Revoke' }));
    expect(await screen.findByText('Revoked')).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() =>
      expect(
        pageToasts
          .get()
          ?.get()
          .map(({ title }) => title),
      ).toEqual(['Invitation revoked']),
    );
  });

  it('ACC-1 older ones come when they are asked for', async () => {
    const { draw } = setUp({ invitations: [open, used, { ...used, id: id(4), note: 'The oldest' }] });
    draw(stBrigid);
    expect(await screen.findAllByRole('listitem')).toHaveLength(2);
    press('Show more');
    expect(await screen.findByText('The oldest')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });

  it('ACC-1 who manages several facilities chooses one; an empty list says what an invitation does', async () => {
    const { draw } = setUp();
    draw(stBrigid, harbour);
    await screen.findAllByRole('listitem');
    fireEvent.change(screen.getByLabelText('Facility'), { target: { value: harbour.id } });
    expect(await screen.findByText('No invitations yet')).toBeTruthy();
  });
});

describe('ACC-1 an invitation taken by somebody who has an account', () => {
  function setUpJoin() {
    const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
    const onJoined = vi.fn(async (_name: string) => undefined);
    const onClose = vi.fn();
    app.api.on(showInvitation, () => ({ facility_name: 'Harbour Clinic', expires_at: open.expires_at }));
    app.api.on(acceptInvitation, () => undefined);
    const draw = () =>
      app.draw(<JoinDialog token={token} email={anaUser.email} onJoined={onJoined} onClose={onClose} />);
    return { ...app, draw, onJoined, onClose };
  }

  it('ACC-1 asks first, then joins', async () => {
    const { api, draw, onJoined } = setUpJoin();
    draw();
    expect(await screen.findByRole('dialog', { name: 'Join Harbour Clinic?' })).toBeTruthy();
    expect(api.asked).toEqual([`GET /api/invitations/${token}`]);
    press('Join');
    await waitFor(() => expect(onJoined).toHaveBeenCalledWith('Harbour Clinic'));
    expect(api.asked[1]).toBe(`POST /api/invitations/${token}/accept`);
  });

  it('ACC-1 not now joins nothing', async () => {
    const { api, draw, onClose, onJoined } = setUpJoin();
    draw();
    fireEvent.click(await screen.findByRole('button', { name: 'Not now' }));
    expect(onClose).toHaveBeenCalledOnce();
    expect(onJoined).not.toHaveBeenCalled();
    expect(api.asked).toHaveLength(1);
  });

  it('ACC-1 who belongs there already is told so at once, and asked nothing', async () => {
    const { api, draw } = setUpJoin();
    api.on(showInvitation, () => ({ facility_name: 'Harbour Clinic', expires_at: open.expires_at, is_member: true }));
    draw();
    expect(await screen.findByText(/^You already belong to Harbour Clinic\. Share this link/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Join' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Close' })).toBeTruthy();
  });

  it('ACC-1 one without force can only be closed', async () => {
    const { draw, refuse } = setUpJoin();
    refuse(404);
    draw();
    expect(await screen.findByText('This invitation is no longer valid.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Join' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  });

  it('ACC-1 a failure is said and can be tried again', async () => {
    const { draw, refuse, answer } = setUpJoin();
    refuse(503, { message: 'The service is not available right now.' });
    draw();
    expect(await screen.findByText('The service is not available right now.')).toBeTruthy();
    answer();
    press('Retry');
    await screen.findByRole('button', { name: 'Join' });
    refuse(422, { errors: { invitation: ['You are a member of this facility already.'] } });
    press('Join');
    expect((await screen.findByRole('alert')).textContent).toBe('You are a member of this facility already.');
  });
});

// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { FakeRefusal } from '@wardline/client/testing/fake-api.ts';
import { testConfig } from '@wardline/client/testing/test-config.ts';
import { getUser } from '@wardline/contract/account/auth.ts';
import { confirmPassword } from '@wardline/contract/account/second-factor.ts';
import { testPush } from '@wardline/contract/chat/notifications.ts';
import {
  discardJob,
  getJobQueue,
  getSystemHealth,
  listDeadJobs,
  listSystemWarnings,
  retryJob,
  type SystemHealth,
  testMail,
} from '@wardline/contract/facilities/system.ts';
import { disableAccount, listAccounts, type SystemAccount } from '@wardline/contract/facilities/system-accounts.ts';
import {
  createFacility,
  deactivateFacility,
  listAllFacilities,
  reopenFacility,
  type SystemFacility,
} from '@wardline/contract/facilities/system-facilities.ts';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { PageConfigContext } from '#/shared/contexts/page-config.ts';
import { createFakeApp, setOnline } from '#/testing/fake-app.tsx';
import { anaUser, leila } from '#/testing/fake-chats.ts';
import { SystemScreen } from './system-screen.tsx';
import { SystemNotice } from './warnings.tsx';

// What a press would load is there, so that no test waits for it.
beforeAll(() =>
  Promise.all([
    import('./account-dialog.tsx'),
    import('./facility-dialogs.tsx'),
    import('#/shared/forms/dialogs/confirm-dialog.tsx'),
    import('#/shared/forms/dialogs/password-dialog.tsx'),
  ]),
);

afterEach(() => {
  setOnline(true);
  vi.restoreAllMocks();
});

const account: SystemAccount = {
  ...{ id: leila.id, name: leila.name, email: 'leila@ward.test', is_operator: false, disabled: null },
  facilities: [{ id: '01970000-0000-7000-8000-0000000000f1', name: 'St. Brigid', roles: ['Clinician'] }],
  ...{ last_seen: 'today', second_factors: { app: true, passkeys: 0, providers: 0 }, open_sessions: 2 },
};
const facility: SystemFacility = {
  ...{ id: '01970000-0000-7000-8000-0000000000f1', version: 1, name: 'St. Brigid', code: 'SB' },
  ...{ time_zone: 'Europe/Dublin', people_count: 12, unit_count: 3, administrator_count: 0 },
  deactivated_at: null,
};
const job = {
  ...{ id: '01970000-0000-7000-8000-0000000000e1', kind: 'auth.forgot_password', reason: 'Error ECONNREFUSED' },
  ...{ attempts: 6, created_at: new Date().toISOString(), dead_at: new Date(Date.now() - 3_600_000).toISOString() },
};
const health: SystemHealth = {
  ...{ version: '0.1.0', node_version: '20.19.0' },
  database: { version: '18.4', is_embedded: true, bytes: 50_000_000, is_writable: true },
  disk: { free_bytes: 40 * 1024 ** 3, total_bytes: 100 * 1024 ** 3 },
  files: {
    ...{ kept_in: 'folder', is_available: true, count: 2, bytes: 3_000_000, unfinished_uploads: 1, verified_at: null },
    ...{ malware_check: null, held: 0 },
  },
  backup: { last_at: new Date(Date.now() - 5 * 3_600_000).toISOString() },
  audit: { entries: 1_234, waiting: 0, waiting_since: null, is_signed: true },
};

type Warnings = { code: 'backup_old' | 'jobs_dead' | 'unknown_proxy' | 'mail_kept'; count: number | null }[];

function open(part: string, { warnings = [] as Warnings, accounts = [account], jobs = [job] } = {}) {
  const app = createFakeApp({ status: 'signed-in', user: { ...anaUser, is_operator: true }, confirmed: true });
  const state = {
    deactivatedAt: null as string | null,
    accounts,
    jobs,
    sent: [] as unknown[],
    asked: [] as (string | undefined)[],
  };
  const page = <Item,>(data: Item[]) => ({ data, next_cursor: null });
  app.api.on(listSystemWarnings, () => ({ data: warnings }));
  app.api.on(listAccounts, ({ query }) => {
    state.asked.push(query.q);
    return page(state.accounts);
  });
  app.api.on(listAllFacilities, () => page([{ ...facility, deactivated_at: state.deactivatedAt }]));
  app.api.on(listDeadJobs, () => page(state.jobs));
  app.api.on(getJobQueue, () => ({
    kinds: [{ kind: 'notifications.push', waiting: 3, retrying: 1, dead: 0 }],
    oldest_due_at: null,
  }));
  app.api.on(getSystemHealth, () => health);
  const config = testConfig();
  const drawScreen = (of: ReactNode) =>
    app.draw(of, (around) => <PageConfigContext value={config}>{around}</PageConfigContext>);
  const draw = () => drawScreen(<SystemScreen part={part} me={{ id: anaUser.id, email: anaUser.email }} hasPush />);
  return { ...app, state, draw, drawScreen };
}

const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }));

describe('the warnings', () => {
  it('F-S3 ADM-2 stand over the page with what to do, and one line of them on the dashboard', async () => {
    const { draw } = open('jobs', {
      warnings: [
        { code: 'unknown_proxy', count: null },
        { code: 'jobs_dead', count: 2 },
      ],
    });
    const { unmount } = draw();
    const list = await screen.findByRole('list', { name: 'Warnings' });
    expect(within(list).getAllByRole('listitem')).toHaveLength(2);
    expect(list.textContent).toContain('set WARDLINE_TRUSTED_PROXY_HOPS');
    expect(list.textContent).toContain('2 jobs failed for good.');
    unmount();

    const other = open('', {
      warnings: [
        { code: 'unknown_proxy', count: null },
        { code: 'mail_kept', count: null },
      ],
    });
    other.drawScreen(<SystemNotice />);
    const line = await screen.findByText(/A request came through a proxy/);
    expect(line.closest('p')?.textContent).toContain('And 1 other warning.');
    expect(screen.getByRole('link', { name: 'System administration' }).getAttribute('href')).toBe('/settings/system');
  });

  it('OPS-8 ADM-2 tell how old the last backup is, or that there is none', async () => {
    for (const [count, title] of [
      [3, 'The last backup is 3 days old.'],
      [null, 'There is no backup yet.'],
    ] as const) {
      const { unmount } = open('jobs', { warnings: [{ code: 'backup_old', count }] }).draw();
      expect((await screen.findByRole('list', { name: 'Warnings' })).textContent).toContain(title);
      unmount();
    }
  });

  it('ADM-2 are not there where nothing is the matter', async () => {
    const { draw, api } = open('accounts');
    draw();
    await screen.findByText(leila.name);
    await waitFor(() => expect(api.asked).toContain('GET /api/system/warnings'));
    expect(screen.queryByRole('list', { name: 'Warnings' })).toBeNull();
  });
});

describe('an account', () => {
  it('ADM-2 is found by its address, and says where it belongs, how it signs in and about when it was there', async () => {
    const { draw, state } = open('accounts');
    draw();
    type('Search names and email', 'leila@');
    await waitFor(() => expect(state.asked.at(-1)).toBe('leila@'));
    await press(`Manage ${leila.name}`);
    const dialog = await screen.findByRole('dialog', { name: leila.name });
    for (const text of ['St. Brigid: Clinician', 'Today', 'Authenticator app', '2 sessions']) {
      expect(dialog.textContent).toContain(text);
    }
  });

  it.each([
    [true, 'Not yet: the account is new'],
    [false, 'Not in the last week'],
    [undefined, 'Not in the last week'],
  ])('ADM-2 that was not seen lately is told from one that nobody has used yet (%s)', async (is_unused, text) => {
    open('accounts', { accounts: [{ ...account, last_seen: null, is_unused }] }).draw();
    await press(`Manage ${leila.name}`);
    expect((await screen.findByRole('dialog', { name: leila.name })).textContent).toContain(text);
  });

  it('ADM-2 is disabled with a reason, once the password was given; nothing typed is lost where it was not', async () => {
    const { draw, api } = open('accounts');
    let isConfirmed = false;
    const sent: unknown[] = [];
    api.on(getUser, () => anaUser);
    api.on(confirmPassword, () => {
      isConfirmed = true;
      return {};
    });
    api.on(disableAccount, ({ body }) => {
      if (!isConfirmed) throw new FakeRefusal('password_unconfirmed');
      sent.push(body);
      return { ...account, open_sessions: 0, disabled: { at: new Date().toISOString(), reason: body.reason } };
    });
    draw();
    await press(`Manage ${leila.name}`);
    await press('Disable account');
    await press('Disable');
    expect(await screen.findByText('Say why.')).toBeTruthy();
    type('Reason', 'Lost her phone');
    await press('Disable');
    const question = await screen.findByRole('dialog', { name: 'Confirm it’s you' });
    fireEvent.click(within(question).getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByText(/Nothing was changed/)).toBeTruthy();
    expect((screen.getByLabelText('Reason') as HTMLTextAreaElement).value).toBe('Lost her phone');
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Confirm it’s you' })).toBeNull());
    await press('Disable');
    const again = within(await screen.findByRole('dialog', { name: 'Confirm it’s you' }));
    fireEvent.change(again.getByLabelText('Password'), { target: { value: 'right' } });
    fireEvent.click(again.getByRole('button', { name: 'Confirm' }));
    await waitFor(() => expect(sent).toEqual([{ reason: 'Lost her phone' }]));
    expect(await screen.findByRole('button', { name: 'Enable account' })).toBeTruthy();
    expect(screen.getByRole('status').textContent).toContain('signed out everywhere');
  });

  it('ADM-2 A30 offers nothing about oneself', async () => {
    const { draw } = open('accounts', {
      accounts: [{ ...account, id: anaUser.id, name: anaUser.name, is_operator: true }],
    });
    draw();
    await press(`Manage ${anaUser.name}`);
    const dialog = within(await screen.findByRole('dialog', { name: anaUser.name }));
    expect(dialog.getByText(/This is your own account/)).toBeTruthy();
    expect(dialog.getAllByRole('button').map((button) => button.textContent)).not.toContain('Disable account');
  });

  it('ADM-2 SHELL-7 offline it is said that the page needs the network, instead of warnings that never load', async () => {
    const { draw } = open('jobs');
    setOnline(false);
    draw();
    expect(await screen.findAllByText('Available when you’re online')).toHaveLength(2);
    expect(screen.queryByText('Loading the warnings')).toBeNull();
    for (const said of screen.getAllByText('Available when you’re online')) expect(said.closest('[hidden]')).toBeNull();
  });

  it('ADM-2 that nobody has is said with what was looked for', async () => {
    const { draw } = open('accounts', { accounts: [] });
    draw();
    type('Search names and email', 'zzz');
    expect(await screen.findByText('No one found for “zzz”')).toBeTruthy();
  });
});

describe('facilities', () => {
  it('ADM-2 closes a facility once its name was typed, says that it is closed, and opens it again after a question', async () => {
    const { draw, api, state } = open('facilities');
    api.on(deactivateFacility, ({ body }) => {
      if (body.name !== facility.name) throw new FakeRefusal('conflict');
      state.deactivatedAt = '2026-11-24T10:00:00Z';
      return { ...facility, deactivated_at: state.deactivatedAt };
    });
    api.on(reopenFacility, () => {
      state.deactivatedAt = null;
      return facility;
    });
    draw();
    await press('Close St. Brigid');
    await screen.findByRole('dialog', { name: 'Close St. Brigid?' });
    await press('Close facility');
    expect(await screen.findByText('Enter the name of the facility.')).toBeTruthy();
    type('Facility name', 'St. Brigid');
    await press('Close facility');
    expect(await screen.findByText('Closed')).toBeTruthy();
    expect(screen.getByText('St. Brigid is closed.')).toBeTruthy();
    await press('Open St. Brigid again');
    await press('Open again');
    expect(await screen.findByText('St. Brigid is open again.')).toBeTruthy();
    expect(await screen.findByRole('button', { name: 'Close St. Brigid' })).toBeTruthy();
  });

  it('ADM-2 one without an administrator says so, and a new one is added with whom to invite', async () => {
    const { draw, api } = open('facilities');
    const sent: unknown[] = [];
    api.on(createFacility, ({ body }) => {
      sent.push(body);
      return { ...facility, name: body.name };
    });
    draw();
    expect(await screen.findByText('No administrator')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Invite an administrator of St. Brigid' })).toBeTruthy();
    await press('Add a facility');
    await screen.findByRole('dialog', { name: 'Add a facility' });
    type('Facility name', 'Harbour Clinic');
    type('Short name', 'HC');
    type('Time zone', 'Europe/Dublin');
    await press('Add and invite');
    expect(await screen.findByText('Enter an email address.')).toBeTruthy();
    expect((screen.getByLabelText('Facility name') as HTMLInputElement).value).toBe('Harbour Clinic');
    type('Administrator’s email', 'chief@ward.test');
    await press('Add and invite');
    await waitFor(() =>
      expect(sent).toEqual([
        {
          ...{ name: 'Harbour Clinic', code: 'HC', time_zone: 'Europe/Dublin', census_time: '00:00' },
          ...{ administrator_email: 'chief@ward.test', latitude: null, longitude: null },
        },
      ]),
    );
    expect((await screen.findByText(/Harbour Clinic was added/)).getAttribute('role')).toBe('status');
  });
});

describe('jobs', () => {
  it('ADM-2 one that failed for good says why in words, and is tried again or discarded', async () => {
    const { draw, api, state } = open('jobs');
    const done: string[] = [];
    api.on(retryJob, () => void done.push('retry'));
    api.on(discardJob, () => {
      done.push('discard');
      state.jobs = [];
      return undefined;
    });
    draw();
    const list = await screen.findByRole('list', { name: 'Failed for good' });
    expect(list.textContent).toContain('Email to reset a password');
    expect(list.textContent).toContain('The other server refused the connection (Error ECONNREFUSED)');
    expect(list.textContent).toContain('1 h ago, after 6 tries');
    expect((await screen.findByRole('list', { name: 'Queue' })).textContent).toContain('3 waiting · 1 tried again');
    await press(/^Try again/);
    await waitFor(() => expect(done).toEqual(['retry']));
    await press(/^Discard: /);
    await press('Discard');
    expect(await screen.findByText('No failed jobs')).toBeTruthy();
  });
});

describe('email and push', () => {
  it('ADM-2 say at the button what came of the test', async () => {
    const { draw, api } = open('sending');
    const outcomes = [
      { to: anaUser.email, outcome: 'failed', reason: 'Error EAUTH' },
      { to: anaUser.email, outcome: 'kept', reason: null },
      { to: anaUser.email, outcome: 'sent', reason: null },
    ] as const;
    let turn = 0;
    api.on(testMail, () => outcomes[turn++] ?? outcomes[2]);
    api.on(testPush, () => ({ is_sent: false }));
    draw();
    for (const said of [
      /Not sent. The mail server refused the sign-in \(Error EAUTH\)/,
      /reaches no one/,
      /Handed to the mail server for/,
    ]) {
      await press('Send test email');
      expect((await screen.findByText(said)).getAttribute('role')).toBe('status');
    }
    await press('Send test push');
    expect(await screen.findByText(/This device gets no notifications/)).toBeTruthy();
  });
});

it('ADM-2 the health is said in words, and what did not load can be loaded again', async () => {
  const { draw, api, refuse, answer } = open('health');
  refuse(500);
  draw();
  await screen.findByText('The health did not load');
  answer();
  await press('Retry');
  expect(await screen.findByText('18.4, embedded')).toBeTruthy();
  for (const text of ['40 GB of 100 GB', '2 attachments, 2.9 MB', 'As the server left it', '1,234']) {
    expect(screen.getByText(text)).toBeTruthy();
  }
  expect(api.asked).toContain('GET /api/system/health');
});

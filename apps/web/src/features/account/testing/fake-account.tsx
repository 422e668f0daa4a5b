import { fireEvent, screen, within } from '@testing-library/react';
import {
  type Account,
  endOtherSessions,
  endSession,
  getAccount,
  listSessions,
  type Session,
} from '@wardline/contract/account/account.ts';
import type { User } from '@wardline/contract/account/auth.ts';
import { type DataCopy, listDataCopies, requestDataCopy } from '@wardline/contract/account/own-data.ts';
import { listPasskeys, type Passkey } from '@wardline/contract/account/passkeys.ts';
import { getSecondFactors, type SecondFactors } from '@wardline/contract/account/second-factor.ts';
import { vi } from 'vitest';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { anaUser } from '#/testing/fake-chats.ts';
import { SettingsScreen } from '../settings-screen.tsx';

const id = (number: number) => `01970000-0000-7000-8000-00000000000${number}`;
export const here: Session = {
  id: id(1),
  kind: 'session',
  name: null,
  user_agent: 'Mozilla/5.0 (Windows NT 10.0) Chrome/142.0.0.0 Safari/537.36',
  ip: '10.4.0.17',
  is_current: true,
  remember: false,
  created_at: '2026-11-19T20:00:00Z',
  last_active_at: '2026-11-20T00:00:00Z',
};
const phone: Session = {
  ...here,
  id: id(2),
  is_current: false,
  remember: true,
  ip: '10.9.1.2',
  user_agent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile/15E148 Safari/604.1',
};
const script: Session = { ...phone, id: id(3), kind: 'token', name: 'Bed board', user_agent: null, remember: false };

const newCopy: DataCopy = {
  ...{ id: id(4), state: 'preparing', requested_at: '2026-11-20T00:00:00Z' },
  ...{ expires_at: null, bytes: null, is_complete: null },
};
export const readyCopy: DataCopy = {
  ...{ id: id(5), state: 'ready', requested_at: '2026-11-19T20:00:00Z' },
  ...{ expires_at: '2026-11-20T20:00:00Z', bytes: 12_345, is_complete: true },
};

/** The settings of Ana, with a server in memory that keeps her account and her sessions. */
export function setUpSettings({ user = anaUser, slots = {} as { installedApp?: string; invitations?: string } } = {}) {
  const app = createFakeApp({ status: 'signed-in', user, confirmed: true });
  const state = {
    account: {
      email: user.email,
      email_verified_at: user.email_verified_at,
      pending_email: null,
      password_changed_at: '2026-08-03T10:00:00Z',
    } as Account,
    sessions: [here, phone, script],
    factors: { totp_confirmed_at: null, recovery_codes_left: 0, has_short_password: false } as SecondFactors,
    passkeys: [] as Passkey[],
    copies: [] as DataCopy[],
    sent: [] as unknown[],
  };
  const { api } = app;
  api.on(listDataCopies, () => ({ data: state.copies }));
  api.on(requestDataCopy, () => {
    state.copies = [newCopy, ...state.copies];
    return newCopy;
  });
  api.on(listPasskeys, () => ({ data: state.passkeys }));
  api.on(getSecondFactors, () => state.factors);
  api.on(getAccount, () => state.account);
  api.on(listSessions, () => ({ data: state.sessions }));
  api.on(endSession, ({ params }) => {
    state.sessions = state.sessions.filter((session) => session.id !== params.session);
    return undefined;
  });
  api.on(endOtherSessions, () => {
    state.sessions = [here];
    return undefined;
  });
  const onChanged = vi.fn(async () => undefined);
  const onDeleted = vi.fn(async () => undefined);
  const screenOf = (person: User, current = '') => (
    <SettingsScreen
      user={person}
      current={current}
      onChanged={onChanged}
      onDeleted={onDeleted}
      build="b-7"
      {...slots}
    />
  );
  return {
    ...app,
    state,
    onChanged,
    onDeleted,
    screenOf,
    draw: (current?: string) => app.draw(screenOf(user, current)),
  };
}

export const type = (label: string, value: string) =>
  fireEvent.input(screen.getByLabelText(label), { target: { value } });
export const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
export const part = (name: string) => within(screen.getByRole('region', { name }));

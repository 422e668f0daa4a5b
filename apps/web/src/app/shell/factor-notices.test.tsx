// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen } from '@testing-library/react';
import { FakeRefusal } from '@wardline/client/testing/fake-api.ts';
import type { User } from '@wardline/contract/account/auth.ts';
import { beginPasskeyConfirmation } from '@wardline/contract/account/passkeys.ts';
import { expect, it } from 'vitest';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { anaUser, stBrigid } from '#/testing/fake-chats.ts';
import { ClosedScreen, FactorNotices } from './factor-notices.tsx';

const rule = { facility_id: stBrigid.id, facility_name: stBrigid.name, from: '2999-11-30' };

interface Opened extends Partial<User> {
  isClosed: boolean;
  path?: string;
}

function open({ isClosed, path = '/dashboard', ...more }: Opened) {
  const user: User = { ...anaUser, factor_rules: [{ ...rule, is_closed: isClosed }], ...more };
  const app = createFakeApp({ status: 'signed-in', user, confirmed: true });
  app.draw(<FactorNotices user={user} path={path} isNewcomer={user.memberships.length === 0} />);
  return app;
}

it('ACC-3 says on the dashboard from which day a second factor is needed, and leads to where it is set up', () => {
  open({ isClosed: false });
  expect(screen.getByRole('status').textContent).toContain(
    `From Sat 30 Nov 2999 on, ${stBrigid.name} opens with a second factor only.`,
  );
  expect(screen.getByRole('link', { name: 'Set it up' }).getAttribute('href')).toBe('/settings#security');
});

it.each([
  ['on other pages', { path: '/chats' }],
  ['to who has one', { has_second_factor: true }],
])('ACC-3 says nothing of a day to come %s', (_where, more) => {
  open({ isClosed: false, ...more });
  expect(screen.queryByRole('status')).toBeNull();
});

it('ACC-3 says on every page what is closed, and how it opens', () => {
  open({ isClosed: true, path: '/chats' });
  expect(screen.getByText(`${stBrigid.name} needs a second factor.`)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Set it up' })).toBeTruthy();
});

it('ACC-3 offers the passkey to who has one and signed in without it, and says what went wrong', async () => {
  const app = open({ isClosed: true, has_second_factor: true });
  app.api.on(beginPasskeyConfirmation, () => {
    throw new FakeRefusal('too_many_requests');
  });
  fireEvent.click(screen.getByRole('button', { name: 'Use passkey' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Too many attempts');
  expect(app.session.refresh).not.toHaveBeenCalled();
});

it.each([
  ['once, by the page in the place of every other', '/chats', 0],
  ['over the page of the account, where it is mended', '/settings', 1],
])('ACC-3 where nothing is open it is said %s', (_how, path, notices) => {
  open({ isClosed: true, path, memberships: [] });
  expect(screen.queryAllByText(`${stBrigid.name} needs a second factor.`)).toHaveLength(notices);
});

it('ACC-3 stands in the place of every page where nothing is open', () => {
  const user: User = { ...anaUser, memberships: [], factor_rules: [{ ...rule, is_closed: true }] };
  const app = createFakeApp({ status: 'signed-in', user, confirmed: true });
  app.draw(<ClosedScreen user={user} />);
  expect(screen.getByRole('link', { name: 'Set up a second factor' }).getAttribute('href')).toBe('/settings#security');
  expect(screen.getByText(/What you have not sent yet is kept/)).toBeTruthy();
});

// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { anaUser, harbour, stBrigid } from '#/testing/fake-chats.ts';
import { ClosedFacilitiesNotice, ClosedFacilitiesScreen } from './closed-facilities.tsx';

const user = { ...anaUser, memberships: [], closed_facilities: [stBrigid.name, harbour.name] };
const open = () => createFakeApp({ status: 'signed-in', user, confirmed: true });

it('ADM-2 in the place of every page it is said which facilities were closed, and that nothing is lost', () => {
  open().draw(<ClosedFacilitiesScreen {...user} signOut={<button type="button">Sign out</button>} />);
  const text = `${stBrigid.name} and ${harbour.name} were closed by the system administrator.`;
  expect(screen.getByText(text)).toBeTruthy();
  expect(screen.getByText(/What you have not sent yet is kept on this device/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Sign out' })).toBeTruthy();
});

it('ADM-2 beside open facilities it is a line that names the closed one', () => {
  open().draw(<ClosedFacilitiesNotice closed_facilities={[stBrigid.name]} />);
  expect(screen.getByText(`${stBrigid.name} was closed by the system administrator.`)).toBeTruthy();
});

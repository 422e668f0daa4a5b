// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import {
  countEmergencyAccesses,
  type EmergencyAccess,
  listEmergencyAccesses,
  reviewEmergencyAccess,
} from '@wardline/contract/chat/emergency-access.ts';
import { beforeEach, expect, it } from 'vitest';
import { createFakeApp, setOnline } from '#/testing/fake-app.tsx';
import { ana, anaUser, leila, stBrigid } from '#/testing/fake-chats.ts';
import { EmergenciesWaiting } from './emergencies-waiting.tsx';
import { EmergencyPage } from './emergency-page.tsx';

beforeEach(() => setOnline(true));

const at = '2026-11-20T00:10:00.000Z';
const access: EmergencyAccess = {
  ...{ id: '019ff2c9-0000-7000-8000-000000000021', reason: 'Cardiac arrest on MED 3A.', opened_at: at, ends_at: at },
  chat: { id: '019ff2c9-0000-7000-8000-000000000022', kind: 'case', title: 'Edith', patient: null } as never,
  ...{ person: { id: leila.id, name: leila.name }, is_open: false, review: null },
};

function open(waiting: number) {
  const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
  const server = { waiting };
  app.api.on(countEmergencyAccesses, () => ({ waiting: server.waiting }));
  return { ...app, server };
}

it.each([
  [1, false, '1 emergency access to review.'],
  [3, true, '3 emergency accesses to review at St. Brigid General.'],
])('ADM-4 the dashboard says how many nobody has reviewed: %s', async (waiting, isNamed, title) => {
  open(waiting).draw(<EmergenciesWaiting facility={stBrigid} isNamed={isNamed} />);
  expect(await screen.findByText(title)).toBeTruthy();
  const address = `/settings/emergency?facility=${stBrigid.id}`;
  expect(screen.getByRole('link', { name: 'Review' }).getAttribute('href')).toBe(address);
});

it('ADM-4 says nothing where none waits, and as soon as the last one is reviewed', async () => {
  const app = open(1);
  app.api.on(listEmergencyAccesses, () => ({ data: app.server.waiting > 0 ? [access] : [], next_cursor: null }));
  app.api.on(reviewEmergencyAccess, () => {
    app.server.waiting = 0;
    const by = { id: ana.id, name: ana.name };
    return { ...access, review: { verdict: 'justified', note: null, by, at } as never };
  });
  app.draw(
    <>
      <EmergenciesWaiting facility={stBrigid} isNamed={false} />
      <EmergencyPage facility={{ ...stBrigid, permissions: ['audit.view'] }} />
    </>,
  );
  await screen.findByText('1 emergency access to review.');
  fireEvent.click(await screen.findByRole('button', { name: /Review/ }));
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.click(dialog.getByRole('radio', { name: 'Justified' }));
  fireEvent.click(dialog.getByRole('button', { name: /Save|Review|Sign/ }));
  await waitFor(() => expect(screen.queryByText('1 emergency access to review.')).toBeNull());
});

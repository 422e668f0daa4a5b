// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { createScimToken, listScimTokens, revokeScimToken, type ScimToken } from '@wardline/contract/account/scim.ts';
import { beforeAll, expect, it } from 'vitest';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { ana, anaUser, stBrigid } from '#/testing/fake-chats.ts';
import { DirectoryCard } from './directory-card.tsx';

const entra: ScimToken = {
  id: '01970000-0000-7000-8000-0000000000b1',
  name: 'Entra ID',
  created_by: { user_id: ana.id, name: ana.name },
  created_at: '2026-11-20T10:00:00Z',
  last_used_at: null,
  expires_at: '2027-02-18T10:00:00Z',
};

// What a press would load is there, so that no test waits for it.
beforeAll(() =>
  Promise.all([import('#/shared/forms/dialogs/confirm-dialog.tsx'), import('@wardline/client/toasts/toasts.ts')]),
);

function open(tokens: ScimToken[]) {
  const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
  const sent: unknown[] = [];
  let kept = tokens;
  app.api.on(listScimTokens, () => ({ data: kept }));
  app.api.on(createScimToken, ({ body }) => {
    sent.push(body);
    const made = { ...entra, name: body.name };
    kept = [made];
    return { scim_token: made, plain_text_token: 'wardline_scim_secret' };
  });
  app.api.on(revokeScimToken, () => {
    kept = [];
    return undefined;
  });
  app.draw(<DirectoryCard facility={stBrigid} />);
  return { sent };
}

it('ACC-4 ADM-1 a token for the directory is made with name and days, and shown once', async () => {
  const { sent } = open([]);
  fireEvent.click(await screen.findByRole('button', { name: 'Create token for the directory' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Create a directory token' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Create token' }));
  expect(await dialog.findByText('Enter a name.')).toBeTruthy();
  fireEvent.input(dialog.getByLabelText('Name'), { target: { value: 'Okta' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Create token' }));
  expect(await screen.findByDisplayValue('wardline_scim_secret')).toBeTruthy();
  expect(sent).toEqual([{ name: 'Okta', expires_in_days: 365 }]);
  fireEvent.click(screen.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByDisplayValue('wardline_scim_secret')).toBeNull());
  expect(await screen.findByText('Okta')).toBeTruthy();
});

it('ACC-4 ADM-1 who made a token, when it was used and until when it lasts is shown; it is revoked once that was confirmed', async () => {
  open([entra]);
  expect(
    await screen.findByText(`Created Fri 20 Nov by ${ana.name}, not used yet, expires Thu 18 Feb 2027.`),
  ).toBeTruthy();
  expect(screen.getByText(/\/scim\/v2$/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Revoke Entra ID' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Revoke the directory token Entra ID?' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Revoke' }));
  await waitFor(() => expect(screen.queryByText('Entra ID')).toBeNull());
});

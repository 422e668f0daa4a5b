// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import {
  createPersonalToken,
  listPersonalTokens,
  type PersonalToken,
  revokePersonalToken,
  revokePersonalTokens,
} from '@wardline/contract/account/personal-tokens.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { part, press, setUpSettings, type } from '../testing/fake-account.tsx';

const board: PersonalToken = {
  id: '01970000-0000-7000-8000-0000000000a1',
  name: 'Bed board',
  abilities: ['census:read'],
  last_used_at: null,
  expires_at: '2027-02-18T10:00:00Z',
  created_at: '2026-11-20T10:00:00Z',
};

function setUpTokens(tokens: PersonalToken[]) {
  const settings = setUpSettings();
  const { api, state } = settings;
  let kept = tokens;
  api.on(listPersonalTokens, () => ({ data: kept }));
  api.on(createPersonalToken, ({ body }) => {
    state.sent.push(body);
    const made = { ...board, id: '01970000-0000-7000-8000-0000000000a9', name: body.name, abilities: body.abilities };
    kept = [made, ...kept];
    return { access_token: made, plain_text_token: 'wardline_secret' };
  });
  api.on(revokePersonalToken, ({ params }) => {
    kept = kept.filter(({ id }) => id !== params.token);
    return undefined;
  });
  api.on(revokePersonalTokens, () => {
    kept = [];
    return undefined;
  });
  return settings;
}

// What a press would load is there, so that no test waits for it.
beforeAll(() =>
  Promise.all([
    import('#/shared/forms/dialogs/confirm-dialog.tsx'),
    import('@wardline/client/toasts/toasts.ts'),
    import('./token-rows.tsx'),
  ]),
);

const confirmIn = async (title: string, button: string) =>
  fireEvent.click(within(await screen.findByRole('dialog', { name: title })).getByRole('button', { name: button }));

describe('ACC-5 access tokens', () => {
  it('ACC-5 are listed with what they may, when they were used and until when they last', async () => {
    setUpTokens([{ ...board, abilities: ['census:read', 'census:report'] }]).draw();
    const text = await part('Sign-in and security').findByText(/Access token, created/);
    expect(text.textContent).toMatch(
      /^Read the census · Fill in and hand in census reports.*not used yet, expires Thu 18 Feb 2027\.$/,
    );
    expect(screen.queryByRole('button', { name: 'Revoke all access tokens' })).toBeNull();
  });

  it('ACC-5 one is made with a name, abilities and days, and shown once', async () => {
    const { draw, state } = setUpTokens([]);
    draw();
    fireEvent.click(await screen.findByRole('button', { name: 'Create an access token' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Create an access token' }));
    expect(screen.getByLabelText('Expires after')).toHaveProperty('value', '90');
    fireEvent.input(dialog.getByLabelText('Name'), { target: { value: 'Ward display' } });
    fireEvent.click(screen.getByLabelText('Read the census'));
    type('Expires after', '30');
    press('Create token');
    expect(await screen.findByDisplayValue('wardline_secret')).toBeTruthy();
    expect(state.sent).toEqual([{ name: 'Ward display', abilities: ['census:read'], expires_in_days: 30 }]);
    press('Done');
    await waitFor(() => expect(screen.queryByDisplayValue('wardline_secret')).toBeNull());
    expect(await screen.findByText('Ward display')).toBeTruthy();
  });

  it('ACC-5 without an ability nothing is sent, and what was typed stays', async () => {
    const { draw, state } = setUpTokens([]);
    draw();
    fireEvent.click(await screen.findByRole('button', { name: 'Create an access token' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Create an access token' }));
    fireEvent.input(dialog.getByLabelText('Name'), { target: { value: 'Ward display' } });
    press('Create token');
    expect(await screen.findByText('Choose what it may be used for.')).toBeTruthy();
    expect(dialog.getByLabelText('Name')).toHaveProperty('value', 'Ward display');
    expect(state.sent).toEqual([]);
  });

  it('ACC-5 one is revoked, or all, once that was confirmed', async () => {
    const { api, draw } = setUpTokens([
      board,
      { ...board, id: board.id.replace('a1', 'a2'), name: 'Second' },
      { ...board, id: board.id.replace('a1', 'a3'), name: 'Third' },
    ]);
    draw();
    fireEvent.click(await screen.findByRole('button', { name: 'Revoke Bed board' }));
    expect(api.asked).not.toContain(`DELETE /api/user/tokens/${board.id}`);
    await confirmIn('Revoke the access token Bed board?', 'Revoke');
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Revoke Bed board' })).toBeNull());
    fireEvent.click(screen.getByRole('button', { name: 'Revoke all access tokens' }));
    await confirmIn('Revoke all access tokens?', 'Revoke all');
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Revoke Third' })).toBeNull());
    expect(api.asked).toContain('DELETE /api/user/tokens');
  });
});

// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { press, readyCopy, setUpSettings } from '../testing/fake-account.tsx';

// What a press would load is there, so that no test waits for it.
beforeAll(() => Promise.all([import('./own-data-panel.tsx'), import('#/shared/forms/dialogs/password-dialog.tsx')]));

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('ACC-5 a copy of one’s own data', () => {
  it('ACC-5 is asked for at a press, once, and stands as being made', async () => {
    const { api, draw } = setUpSettings();
    draw();
    fireEvent.click(await screen.findByRole('button', { name: 'Get a copy of your data' }));
    await screen.findByText('Being made. We’ll email you when it is ready.');
    expect(api.asked.filter((asked) => asked === 'POST /api/user/data-copies')).toHaveLength(1);
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Get a copy of your data' });
    await waitFor(() => expect(button.disabled).toBe(true));
  });

  it('ACC-5 asks who one is before it is given, and is not fetched where that stays unanswered', async () => {
    const { state, draw } = setUpSettings();
    state.copies = [readyCopy];
    draw();
    await screen.findByText(/^12 kB, kept until /);
    const fetched = vi.fn(async () =>
      Response.json({ message: 'Password confirmation required.', code: 'password_unconfirmed' }, { status: 423 }),
    );
    vi.stubGlobal('fetch', fetched);
    fireEvent.click(screen.getByRole('button', { name: /^Download the copy asked for/ }));
    await screen.findByRole('dialog', { name: 'Confirm it’s you' });
    press('Cancel');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(fetched).toHaveBeenCalledTimes(1);
    await screen.findByText('Nothing was changed: you did not confirm your password.');
  });

  it('ACC-5 says at its place why it was refused', async () => {
    const { draw, refuse } = setUpSettings();
    draw();
    const button = await screen.findByRole('button', { name: 'Get a copy of your data' });
    refuse(429, { message: 'You can ask for 2 copies in 24 hours.', retryAfterS: 3600 });
    fireEvent.click(button);
    await screen.findByText(/^Too many attempts[.] Try again in /);
  });
});

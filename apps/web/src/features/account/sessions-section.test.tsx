// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, describe, expect, it } from 'vitest';
import { pageToasts } from '#/shared/contexts/show-toast.ts';
import { part, setUpSettings } from './testing/fake-account.tsx';

// What a press would load is there, so that no test waits for it.
beforeAll(() =>
  Promise.all([import('#/shared/forms/dialogs/confirm-dialog.tsx'), import('@wardline/client/toasts/toasts.ts')]),
);

describe('ACC-5 sessions and devices', () => {
  it('ACC-5 are listed with their place and time last seen; this device is marked and cannot be ended here', async () => {
    const { draw } = setUpSettings();
    draw();
    const rows = await part('Sessions and devices').findAllByRole('listitem');
    expect(rows.map((row) => row.textContent)).toEqual([
      expect.stringMatching(/^Chrome on Windows10\.4\.0\.17 · nowThis device$/),
      expect.stringMatching(/^Safari on iPhone10\.9\.1\.2 · .* · own deviceEnd$/),
      expect.stringMatching(/^Bed board10\.9\.1\.2 · .*End$/),
    ]);
    expect(rows[1]?.querySelector('time')?.dateTime).toBe('2026-11-20T00:00:00.000Z');
    expect(screen.queryByRole('button', { name: 'End Chrome on Windows' })).toBeNull();
  });

  it('ACC-5 one is ended', async () => {
    const { draw } = setUpSettings();
    draw();
    fireEvent.click(await screen.findByRole('button', { name: 'End Safari on iPhone' }));
    await waitFor(() => expect(screen.queryByText('Safari on iPhone')).toBeNull());
    expect(screen.getByText('Bed board')).toBeTruthy();
  });

  it('ACC-5 TOAST-1 all others are ended once that was confirmed', async () => {
    const { api, draw } = setUpSettings();
    draw();
    fireEvent.click(await screen.findByRole('button', { name: 'End all others' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'End all other sessions?' }));
    expect(api.asked).not.toContain('DELETE /api/user/sessions');
    fireEvent.click(dialog.getByRole('button', { name: 'End all others' }));
    await waitFor(() => expect(part('Sessions and devices').getAllByRole('listitem')).toHaveLength(1));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.queryByRole('button', { name: 'End all others' })).toBeNull();
    await waitFor(() =>
      expect(
        pageToasts
          .get()
          ?.get()
          .map(({ title }) => title),
      ).toEqual(['All other sessions ended']),
    );
  });

  it('SHELL-4 a list that cannot be loaded leaves the rest alone and is asked for again', async () => {
    const { draw, refuse, answer } = setUpSettings();
    refuse(503, { message: 'The service is not available right now.' });
    draw();
    expect(await screen.findByText('The sessions could not be loaded')).toBeTruthy();
    expect(screen.getByLabelText('Name')).toBeTruthy();
    answer();
    const panel = screen.getByRole('region', { name: 'Sessions and devices' });
    fireEvent.click(within(panel).getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Safari on iPhone')).toBeTruthy();
  });
});

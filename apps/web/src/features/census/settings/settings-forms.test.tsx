// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeAll, describe, expect, it } from 'vitest';
import { openSettings } from './testing/fake-settings.tsx';
import { dialogNamed, field, fill, part, press, saved } from './testing/settings-actions.ts';

// The question comes with its own code, which is slow the first time.
beforeAll(() => import('#/shared/forms/dialogs/confirm-dialog.tsx'));

describe('signing', () => {
  it('CEN-3 3.7 four eyes and the permissions that are split off are sent', async () => {
    const { state } = openSettings();
    fireEvent.click(await field('Four eyes: no one approves their own report'));
    fireEvent.click(await field('Reopening a signed day'));
    fireEvent.click(await field('Approving and returning reports'));
    await press('Save signing');
    await saved('Signing');
    expect(state.sent[0]).toMatchObject({ four_eyes: false, split_permissions: ['census.approve', 'census.reopen'] });
  });

  it('F-N5 CEN-3 changing the settings is no act that falls to the summary, and the form says from when on it holds', async () => {
    openSettings();
    await field('Four eyes: no one approves their own report');
    expect(screen.queryByLabelText(/census\.configure/)).toBeNull();
    expect(screen.getByText(/apply from the next census date on\. Everyone/)).toBeTruthy();
  });
});

describe('the log', () => {
  it('CEN-7 an address that is added has the focus; when one is taken off the list has it', async () => {
    openSettings();
    await press('Add an email');
    await press('Add an email');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Email 2')));
    await press('Remove email 2');
    expect(screen.queryByLabelText('Email 2')).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Send the head of the log to' }));
  });
});

describe('a part of the settings', () => {
  it('CEN-3 undoing takes back what was said of it as well, and the outcome has the focus', async () => {
    openSettings();
    await fill('Grace, minutes', 'soon');
    await press('Save census hour');
    const grace = await field('Grace, minutes');
    await waitFor(() => expect(grace.getAttribute('aria-invalid')).toBe('true'));
    screen.getByRole('button', { name: 'Undo' }).focus();
    await press('Undo');
    expect(grace.value).toBe('60');
    expect(grace.getAttribute('aria-invalid')).toBeNull();
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Undone.'));
    await fill('Grace, minutes', 'late');
    expect(part('Census hour').queryByText('Undone.')).toBeNull();
    await press('Save census hour');
    await waitFor(() => expect(grace.getAttribute('aria-invalid')).toBe('true'));
  });

  it('CEN-3 what is saved takes its button away, and the outcome has the focus', async () => {
    openSettings();
    await fill('Grace, minutes', '30');
    screen.getByRole('button', { name: 'Save census hour' }).focus();
    await press('Save census hour');
    await saved('Census hour');
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Saved.'));
  });
});

describe('occupancy', () => {
  it('CEN-9 the scale shows what is typed, once it is one', async () => {
    openSettings();
    await fill('Target, %', '80');
    expect(part('Occupancy').getByText('target 80')).toBeTruthy();
    await fill('Target, %', '95');
    expect(part('Occupancy').getByText('target 85')).toBeTruthy();
  });

  it('CEN-9 a band under the one before it is refused at its field', async () => {
    const { state } = openSettings();
    await fill('Target, %', '95');
    await press('Save occupancy');
    expect(await part('Occupancy').findByText('At least the target, 95.')).toBeTruthy();
    expect((await field('High, %')).getAttribute('aria-invalid')).toBe('true');
    await fill('High, %', '110');
    await press('Save occupancy');
    expect(await part('Occupancy').findByText('At least high, 110.')).toBeTruthy();
    expect(state.sent).toEqual([]);
  });

  it('F-N2 CEN-9 denominator, bands, boarding hours and whether stays are asked for are sent', async () => {
    const { state } = openSettings();
    fireEvent.click(await screen.findByRole('radio', { name: /^Physical beds/ }));
    await fill('High, %', '95');
    await fill('Boarding from, hours', '6');
    fireEvent.click(part('Occupancy').getByRole('checkbox', { name: 'Units report discharge days' }));
    await press('Save occupancy');
    await saved('Occupancy');
    const bands = { target: 85, high: 95, full: 100 };
    expect(state.sent).toEqual([
      { version: 7, denominator: 'physical', bands, boarding_hours: 6, asks_discharge_days: true },
    ]);
  });
});

describe('the log', () => {
  it('CEN-7 a shorter time asks before what was written loses its text', async () => {
    const { state } = openSettings();
    await fill('Keep entries for, years', '6');
    await press('Save log settings');
    const dialog = await dialogNamed('Keep the log for 6 years only?');
    expect(
      dialog.getByText(
        'What was changed, by whom and why can no longer be read in entries older than 6 years. Their text is gone for good; their hashes stay, so the chain still verifies.',
      ),
    ).toBeTruthy();
    expect(state.sent).toEqual([]);
    fireEvent.click(dialog.getByRole('button', { name: 'Keep 6 years' }));
    await saved('Log');
    expect(state.sent).toEqual([{ version: 7, log_retention_years: 6, log_head_emails: [] }]);
  });

  it('CEN-7 a longer time does not ask', async () => {
    const { state } = openSettings({ shown: { log_retention_years: 6 } });
    await fill('Keep entries for, years', '');
    await press('Save log settings');
    await saved('Log');
    expect(state.sent[0]).toMatchObject({ log_retention_years: null });
  });

  it('CEN-7 each address has its own error; what is empty is left out; five are the most', async () => {
    const { state } = openSettings({ shown: { log_head_emails: ['director@stbrigid.example'] } });
    for (let added = 0; added < 4; added += 1) await press('Add an email');
    expect(screen.queryByRole('button', { name: 'Add an email' })).toBeNull();
    await fill('Email 3', 'nobody');
    await fill('Email 4', ' Records@StBrigid.example ');
    await press('Save log settings');
    expect(await part('Log').findByText('This is not an email address.')).toBeTruthy();
    expect((await field('Email 3')).getAttribute('aria-invalid')).toBe('true');
    expect((await field('Email 1')).getAttribute('aria-invalid')).toBeNull();
    await press('Remove email 3');
    await press('Save log settings');
    await saved('Log');
    expect(state.sent).toEqual([
      {
        version: 7,
        log_retention_years: null,
        log_head_emails: ['director@stbrigid.example', 'records@stbrigid.example'],
      },
    ]);
  });
});

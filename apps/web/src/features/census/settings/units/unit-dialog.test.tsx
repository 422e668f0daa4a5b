// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { beds, med, now, openSettings, settings, unit } from '#/features/census/settings/testing/fake-settings.tsx';
import { dialogNamed } from '#/features/census/settings/testing/settings-actions.ts';
import { setOnline } from '#/testing/fake-app.tsx';
import { ana, leila, priya } from '#/testing/fake-chats.ts';

// Dialog and question come with their own code, which is slow the first time.
beforeAll(() => Promise.all([import('./unit-dialog.tsx'), import('#/shared/forms/dialogs/confirm-dialog.tsx')]));
beforeEach(() => {
  vi.spyOn(Date, 'now').mockReturnValue(now);
});
afterEach(() => void vi.restoreAllMocks());

async function openUnit(setting: Parameters<typeof openSettings>[0] = {}, button = 'Edit MED 3A') {
  const app = openSettings(setting);
  fireEvent.click(await screen.findByRole('button', { name: button }));
  const dialog = await dialogNamed('MED 3A');
  const fill = (label: string, value: string) => fireEvent.change(dialog.getByLabelText(label), { target: { value } });
  const press = (name: string) => fireEvent.click(dialog.getByRole('button', { name }));
  const saved = () => waitFor(() => expect(dialog.getByText('Saved.')).toBeTruthy());
  return { ...app, dialog, fill, press, saved };
}

describe('what a unit reports', () => {
  it('CEN-3 populations, counting, names outside and dates are sent of the version that is shown', async () => {
    const { dialog, state, fill, press, saved } = await openUnit();
    fireEvent.click(dialog.getByLabelText('Newborns'));
    fireEvent.click(dialog.getByLabelText('Counts in occupancy'));
    fill('HSLOC code', ' 1060-3 ');
    fill('SAFR group', '');
    fill('Last day', '2026-12-31');
    press('Save reports');
    await saved();
    expect(state.sentUnits).toEqual([
      {
        version: 7,
        populations: ['adult_and_child', 'newborn'],
        counts_in_census: true,
        counts_in_occupancy: false,
        hsloc: '1060-3',
        safr_group: null,
        active_from: null,
        active_to: '2026-12-31',
      },
    ]);
  });

  it('CEN-3 a unit without a population, and what the server refuses, are said at their fields', async () => {
    const { dialog, state, refuse, fill, press } = await openUnit();
    fireEvent.click(dialog.getByLabelText('Adults and children'));
    press('Save reports');
    expect(await dialog.findByText('Choose at least one population.')).toBeTruthy();
    expect(state.sentUnits).toEqual([]);
    fireEvent.click(dialog.getByLabelText('Adults and children'));
    fill('Last day', '2026-11-18');
    refuse(422, { errors: { active_to: ['The unit has a report of Thu 19 Nov.'] } });
    press('Save reports');
    expect(await dialog.findByText('The unit has a report of Thu 19 Nov.')).toBeTruthy();
    expect(dialog.getByLabelText('Last day').getAttribute('aria-invalid')).toBe('true');
  });
});

describe('the people of a unit', () => {
  it('CEN-3 members of the facility are found by name, put on and taken off', async () => {
    const { dialog, state, fill, press, saved } = await openUnit();
    fill('Search people to add', 'priya');
    fireEvent.click(await dialog.findByRole('checkbox', { name: /^Priya Nair/ }));
    press('Remove Leila Haddad');
    expect(
      within(dialog.getByRole('list', { name: 'Who reports' }))
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['Ana Reyes', 'Priya Nair']);
    press('Save people');
    await saved();
    expect(state.sentUnits).toEqual([{ version: 7, people: [ana.id, priya.id] }]);
  });

  it('CEN-1 who may not report, by no role of theirs, is named', async () => {
    const [first, second] = med.people;
    const people = [
      { ...(first ?? ana), may_report: false },
      { ...(second ?? leila), may_report: true },
    ];
    const { dialog, press, saved } = await openUnit({ shown: { units: [{ ...med, people }] } });
    expect(dialog.getByText(`${ana.name} can’t report.`).parentElement?.textContent).toContain(
      'They have no role for it',
    );
    expect(screen.getByRole('row', { name: /MED 3A/, hidden: true }).textContent).not.toMatch(/can’t report/i);
    press(`Remove ${ana.name}`);
    press('Save people');
    await saved();
    expect(dialog.queryByText(/can’t report/)).toBeNull();
  });

  it('CEN-1 a unit for which nobody may report says so in the list', async () => {
    const people = med.people.map((person) => ({ ...person, may_report: false }));
    openSettings({ shown: { units: [{ ...med, people }] } });
    expect((await screen.findByRole('row', { name: /MED 3A/ })).textContent).toContain('Ana Reyes + 1 Can’t report');
  });

  it('CEN-3 who is put back where they were is no change', async () => {
    const { dialog, press } = await openUnit();
    press(`Remove ${ana.name}`);
    expect(dialog.getByRole('button', { name: 'Save people' })).toBeTruthy();
    fireEvent.change(dialog.getByLabelText('Search people to add'), { target: { value: 'ana' } });
    fireEvent.click(await dialog.findByRole('checkbox', { name: /^Ana Reyes/ }));
    expect(dialog.queryByRole('button', { name: 'Save people' })).toBeNull();
  });

  it('CEN-3 a name that nobody has is said', async () => {
    const { dialog, fill } = await openUnit();
    fill('Search people to add', 'xyz');
    expect(await dialog.findByText('No one found for “xyz”.')).toBeTruthy();
  });
});

describe('the beds of a unit', () => {
  const dated = {
    ...med,
    beds: [beds('1900-01-01', 28), beds('2026-11-20', 26, { reason: 'Two nurses short' }), beds('2026-12-01', 30)],
  };

  it('CEN-3 stand from date to date, the newest first, with those of today and those that are planned marked', async () => {
    const { dialog } = await openUnit({ shown: { units: [dated] } });
    const rows = within(dialog.getByRole('table', { name: 'Beds from date to date' }))
      .getAllByRole('row')
      .slice(1);
    const text = (row: HTMLElement) =>
      within(row).getByRole('rowheader').textContent +
      within(row)
        .getAllByRole('cell')
        .map((cell) => ` ${cell.querySelector('.table-value')?.textContent}`)
        .join('');
    expect(rows.map(text)).toEqual([
      'Tue 1 Dec Planned 30 30 30 4 ',
      'Fri 20 Nov Now 30 30 26 4 Two nurses short',
      'The start  30 30 28 4 ',
    ]);
  });

  it('CEN-3 that are planned are taken back after a question, and no others', async () => {
    const { dialog, state } = await openUnit({ shown: { units: [dated] } });
    expect(dialog.getAllByRole('button', { name: /^Remove the beds/ })).toHaveLength(1);
    fireEvent.click(dialog.getByRole('button', { name: 'Remove the beds from Tue 1 Dec' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Remove' }));
    const remove_beds = { population: 'adult_and_child', from: '2026-12-01' };
    await waitFor(() => expect(state.sentUnits).toEqual([{ version: 7, remove_beds }]));
  });

  it('CEN-3 begin as they are now and are sent with their first date and the reason', async () => {
    const { dialog, state, fill, press, saved } = await openUnit({ shown: { units: [dated] } });
    expect((dialog.getByLabelText('Staffed') as HTMLInputElement).value).toBe('26');
    fill('Other beds from', '2026-11-24');
    fill('Staffed', '24');
    fill('Reason', 'Closed bay');
    press('Save beds');
    await saved();
    expect(state.sentUnits).toEqual([
      {
        version: 7,
        beds: {
          population: 'adult_and_child',
          from: '2026-11-24',
          licensed: 30,
          physical: 30,
          staffed: 24,
          surge: 4,
          reason: 'Closed bay',
        },
      },
    ]);
    expect(dialog.getByRole('table', { name: 'Beds from date to date' }).textContent).toContain('Closed bay');
    expect((dialog.getByLabelText('Other beds from') as HTMLInputElement).value).toBe('');
  });

  it('ADM-1 the first ones begin with today', async () => {
    const { dialog, state, fill, press, saved } = await openUnit({ shown: { units: [{ ...med, beds: [] }] } });
    fill('Staffed', '24');
    fill('Physical', '28');
    press('Save beds');
    await saved();
    const from = settings.clock_fixed.census_date;
    const kinds = { licensed: 0, physical: 28, staffed: 24, surge: 0 };
    const sent = { population: 'adult_and_child', from, ...kinds, reason: '' };
    expect(state.sentUnits).toEqual([{ version: 7, beds: sent }]);
    expect((dialog.getByLabelText('Other beds from') as HTMLInputElement).value).toBe('');
  });

  it('ADM-1 of a population without any begin with today, and those of one with beds wait for a date', async () => {
    const both = {
      ...med,
      populations: ['adult_and_child' as const, 'newborn' as const],
      beds: [beds('1900-01-01', 28)],
    };
    const { dialog, fill } = await openUnit({ shown: { units: [both] } });
    fill('Population', 'newborn');
    expect((dialog.getByLabelText('Beds from') as HTMLInputElement).value).toBe(settings.clock_fixed.census_date);
    fill('Population', 'adult_and_child');
    expect((dialog.getByLabelText('Other beds from') as HTMLInputElement).value).toBe('');
  });

  it('CEN-3 without a date, with a number that is none, or as they are already, are refused at their field', async () => {
    const { dialog, state, fill, press } = await openUnit({ shown: { units: [dated] } });
    fill('Staffed', '24');
    press('Save beds');
    expect(await dialog.findByText('Choose the first date.')).toBeTruthy();
    fill('Other beds from', '2026-12-05');
    fill('Staffed', 'x');
    press('Save beds');
    expect(await dialog.findByText('A whole number from 0 to 9999.')).toBeTruthy();
    expect(dialog.getByLabelText('Staffed').getAttribute('aria-invalid')).toBe('true');
    fill('Staffed', '30');
    press('Save beds');
    expect(await dialog.findByText('The beds are already these from this date on.')).toBeTruthy();
    expect(state.sentUnits).toEqual([]);
  });

  it('CEN-3 what the server refuses of them is said at its field', async () => {
    const { dialog, refuse, fill, press } = await openUnit();
    fill('Other beds from', '2026-11-24');
    fill('Staffed', '99');
    refuse(422, { errors: { 'beds.staffed': ['More beds are staffed than there are.'] } });
    press('Save beds');
    expect(await dialog.findByText('More beds are staffed than there are.')).toBeTruthy();
    expect(dialog.getByLabelText('Staffed').getAttribute('aria-invalid')).toBe('true');
  });

  it('CEN-3 of another population begin with those of that population', async () => {
    const both = unit(1, 'MED 3A', {
      populations: ['adult_and_child', 'newborn'],
      beds: [beds('1900-01-01', 28), beds('1900-01-01', 14, { population: 'newborn', physical: 15 })],
    });
    const { dialog, fill } = await openUnit({ shown: { units: [both] } });
    fill('Other beds from', '2026-11-24');
    fill('Population', 'newborn');
    expect((dialog.getByLabelText('Other beds from') as HTMLInputElement).value).toBe('2026-11-24');
    expect((dialog.getByLabelText('Staffed') as HTMLInputElement).value).toBe('14');
    expect((dialog.getByLabelText('Physical') as HTMLInputElement).value).toBe('15');
  });
});

describe('closing', () => {
  it('CEN-3 what was typed and not saved is not thrown away unasked', async () => {
    const { fill, press, unsaved } = await openUnit();
    fill('HSLOC code', '1060-3');
    press('Close');
    const question = await dialogNamed('Close MED 3A without saving?');
    fireEvent.click(question.getByRole('button', { name: 'Keep editing' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Close MED 3A without saving?' })).toBeNull());
    expect((screen.getByLabelText('HSLOC code') as HTMLInputElement).value).toBe('1060-3');
    press('Close');
    fireEvent.click(await screen.findByRole('button', { name: 'Close without saving' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect([...unsaved]).toEqual([]);
  });

  it('CEN-3 what is unsaved on the page behind it does not hold it', async () => {
    const app = openSettings();
    fireEvent.change(await screen.findByLabelText('Grace, minutes'), { target: { value: '90' } });
    fireEvent.click(screen.getByRole('button', { name: 'Edit MED 3A' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect([...app.unsaved]).toEqual(['clock']);
  });

  it('CEN-3 a network that goes keeps what was typed, and says why it cannot be saved', async () => {
    const { dialog, fill } = await openUnit();
    fill('Other beds from', '2026-11-24');
    act(() => setOnline(false));
    expect(dialog.getByText(/^You’re offline\. Changing settings needs the network/)).toBeTruthy();
    expect(dialog.getByRole('button', { name: 'Save beds' }).closest('fieldset[disabled]')).toBeTruthy();
    act(() => setOnline(true));
    expect((dialog.getByLabelText('Other beds from') as HTMLInputElement).value).toBe('2026-11-24');
  });

  it('CEN-3 3.7 who may not configure reads people and beds, and has nothing to change them with', async () => {
    const { dialog } = await openUnit({ shown: { may: { configure: false } } }, 'View MED 3A');
    expect(dialog.getByRole('list', { name: 'Who reports' }).textContent).toBe(`${ana.name}${leila.name}`);
    expect(dialog.getByRole('table', { name: 'Beds from date to date' })).toBeTruthy();
    expect(dialog.queryByLabelText('Search people to add')).toBeNull();
    expect(dialog.queryByLabelText('Other beds from')).toBeNull();
    expect(dialog.getByLabelText('HSLOC code').closest('fieldset[disabled]')).toBeTruthy();
  });
});

describe('a unit that was added by mistake', () => {
  it('ADM-1 is deleted after a question, and what keeps it is said there', async () => {
    const { answer, press, refuse } = await openUnit();
    press('Delete this unit');
    const question = await dialogNamed('Delete MED 3A?');
    const said = 'MED 3A has 3 reports, so it stays. Set its last day instead.';
    refuse(422, { errors: { unit: [said] } });
    const sure = () => fireEvent.click(question.getByRole('button', { name: 'Delete unit' }));
    sure();
    expect(await question.findByText(said)).toBeTruthy();
    answer();
    sure();
    expect(await screen.findByRole('button', { name: 'Edit SUR 2B' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Edit MED 3A' })).toBeNull();
    expect(screen.queryByRole('dialog', { name: 'MED 3A' })).toBeNull();
  });

  it('ADM-1 is offered to nobody who may only read the settings', async () => {
    const { dialog } = await openUnit({ shown: { may: { configure: false } } }, 'View MED 3A');
    expect(dialog.queryByRole('button', { name: 'Delete this unit' })).toBeNull();
  });
});

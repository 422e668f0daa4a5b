// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { LogEntry } from '@wardline/contract/census/logs.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setOnline } from '#/testing/fake-app.tsx';
import { stubResizeObserver } from '#/testing/stub-resize-observer.ts';
import { now, openSettings, settings, unit } from './testing/fake-settings.tsx';
import { field, fill, part, press, saved } from './testing/settings-actions.ts';

beforeEach(() => {
  vi.spyOn(Date, 'now').mockReturnValue(now);
});
afterEach(() => void vi.restoreAllMocks());

describe('reading', () => {
  it('CEN-3 3.7 who may not configure reads all of it, with the reason why nothing can be changed', async () => {
    openSettings({ shown: { may: { configure: false } }, permissions: ['census.view'] });
    expect((await field('Grace, minutes')).value).toBe('60');
    expect(
      screen.getByText(
        'You can read these settings. Changing them needs the permission to set up units, beds and the census.',
      ),
    ).toBeTruthy();
    for (const control of screen.getAllByRole<HTMLInputElement>('textbox')) {
      expect(control.closest('fieldset[disabled]'), control.name).toBeTruthy();
    }
    expect(screen.getByRole('button', { name: 'View MED 3A' }).closest('fieldset[disabled]')).toBeNull();
  });

  it('CEN-3 without a network nothing can be changed, and what was typed stays', async () => {
    openSettings();
    await fill('Grace, minutes', '90');
    act(() => setOnline(false));
    expect(
      screen.getByText('You’re offline. Changing settings needs the network; what you entered stays here.'),
    ).toBeTruthy();
    expect((await field('Grace, minutes')).closest('fieldset[disabled]')).toBeTruthy();
    act(() => setOnline(true));
    expect((await field('Grace, minutes')).value).toBe('90');
    expect((await field('Grace, minutes')).closest('fieldset[disabled]')).toBeNull();
  });

  it('CEN-3 NAV-5 3.7 who signs without the board reads and changes them as a view of the summary', async () => {
    openSettings({ permissions: ['census.report_summary', 'census.logs'], page: '/census-summary' });
    expect((await field('Grace, minutes')).closest('fieldset[disabled]')).toBeNull();
    expect(screen.getByRole('link', { name: 'Units' }).getAttribute('href')).toBe(
      '/census-summary?view=settings#units',
    );
    expect(screen.getByRole('link', { name: 'Summary' }).getAttribute('aria-current')).toBe('page');
  });

  it('CEN-3 the part that the address names is brought into view once it is there', async () => {
    const seen: string[] = [];
    stubResizeObserver();
    // As newer browsers answer it.
    vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
      seen.push(this.id);
      return Promise.resolve() as never;
    });
    openSettings({ current: 'units' });
    await screen.findByRole('region', { name: 'Units' });
    expect(seen).toEqual(['units']);
    expect(screen.getByRole('link', { name: 'Units' }).getAttribute('aria-current')).toBe('true');
    expect(cleanup).not.toThrow();
  });

  it('SHELL-4 settings that do not load say so, and load when asked again', async () => {
    const app = openSettings();
    app.refuse(503);
    await waitFor(() => expect(app.api.asked).toHaveLength(1));
    app.answer();
    await press('Retry');
    expect(await field('Grace, minutes')).toBeTruthy();
  });
});

it('F-N16 times and dates are written as the facility says, each with an example', async () => {
  const { state } = openSettings();
  fireEvent.click(await screen.findByRole('radio', { name: /^12 hours/ }));
  fireEvent.click(screen.getByRole('radio', { name: /^Month first/ }));
  expect(part('Times and dates').getByText('2:05 PM')).toBeTruthy();
  expect(part('Times and dates').getByText('Sat Nov 21, 2026')).toBeTruthy();
  await press('Save formats');
  await saved('Times and dates');
  expect(state.sent).toEqual([{ version: 7, hour_cycle: 'h12', date_order: 'mdy' }]);
});

describe('the census hour', () => {
  it('CEN-3 3.3 says from which census date a change counts, and sends it of the version that is shown', async () => {
    const { state } = openSettings();
    expect(
      await screen.findByText('A change made now counts from Sat 21 Nov; earlier days keep their clock.'),
    ).toBeTruthy();
    await fill('Grace, minutes', '90');
    expect(screen.getByText('Counts from Sat 21 Nov; earlier days keep their clock.')).toBeTruthy();
    await press('Save census hour');
    await saved('Census hour');
    expect(state.sent).toEqual([{ version: 7, time_zone: 'Asia/Manila', census_time: '00:00', grace_minutes: 90 }]);
    expect(screen.queryByRole('button', { name: 'Save census hour' })).toBeNull();
  });

  it('CEN-3 3.3 an hour that has passed by the last count of the old clock counts a date later', async () => {
    openSettings();
    await fill('Time zone', 'Pacific/Kiritimati');
    await fill('Census hour', '00:10');
    expect(screen.getByText('Counts from Sun 22 Nov; earlier days keep their clock.')).toBeTruthy();
  });

  it('CEN-3 3.3 a clock that is planned says from when it counts', async () => {
    openSettings({ shown: { clock_from: '2026-11-21' } });
    expect(await screen.findByText('This clock counts from Sat 21 Nov; earlier days keep theirs.')).toBeTruthy();
  });

  it('CEN-3 what is wrong is said at its field before it is sent', async () => {
    const { state } = openSettings();
    await fill('Grace, minutes', '1441');
    await press('Save census hour');
    expect(await part('Census hour').findByText('A whole number from 0 to 1440.')).toBeTruthy();
    expect((await field('Grace, minutes')).getAttribute('aria-invalid')).toBe('true');
    expect(state.sent).toEqual([]);
  });

  it('CEN-3 what the server refuses is said at the field it names', async () => {
    const app = openSettings();
    await fill('Time zone', 'Mars/Olympus');
    await press('Save census hour');
    expect(await part('Census hour').findByText(/^There is no time zone “Mars\/Olympus”/)).toBeTruthy();
    await fill('Time zone', 'Europe/Oslo');
    app.refuse(422, { errors: { time_zone: ['This is not a time zone.'] } });
    await press('Save census hour');
    expect(await part('Census hour').findByText('This is not a time zone.')).toBeTruthy();
    expect((await field('Time zone')).value).toBe('Europe/Oslo');
  });
});

describe('somebody else', () => {
  const byRuth = { outcome: 'done', actor_name: 'Ruth Calloway' } as LogEntry;
  const stale = (app: ReturnType<typeof openSettings>) => {
    app.state.settings = {
      ...app.state.settings,
      version: 8,
      grace_minutes: 45,
      bands: { target: 80, high: 92, full: 100 },
    };
  };

  it('CEN-3 CEN-R13 who changed what meanwhile is said, what was typed stays, and saving again sends it', async () => {
    const app = openSettings();
    app.state.log = [entry({ ...byRuth, outcome: 'refused', actor_name: 'Ana Reyes' }), entry(byRuth), entry({})];
    await fill('Grace, minutes', '90');
    stale(app);
    await press('Save census hour');
    expect((await part('Census hour').findByRole('alert')).textContent).toBe(
      'Ruth Calloway saved first. The grace: 60 → 45. The bands: 85, 92, 100 % → 80, 92, 100 %. What you entered is still here: check it, then save again.',
    );
    expect((await field('Grace, minutes')).value).toBe('90');
    expect((await field('Target, %')).value).toBe('80');
    await press('Save census hour');
    await saved('Census hour');
    expect(app.state.sent.at(-1)).toMatchObject({ version: 8, grace_minutes: 90 });
  });

  it('CEN-3 CEN-R13 who may not read the log is not told who it was', async () => {
    const app = openSettings({ permissions: ['census.view', 'census.report_summary'] });
    app.state.log = [entry(byRuth)];
    await fill('Grace, minutes', '90');
    stale(app);
    await press('Save census hour');
    expect((await part('Census hour').findByRole('alert')).textContent).toContain('Someone else saved first.');
    expect(app.api.asked.filter((line) => line.includes('/logs'))).toEqual([]);
  });

  it('CEN-3 saving one part neither loses nor refuses what was typed in another', async () => {
    const { state, unsaved } = openSettings();
    await fill('Lock after, days', '30');
    await fill('Grace, minutes', '90');
    expect([...unsaved].sort()).toEqual(['clock', 'signing']);
    await press('Save census hour');
    await saved('Census hour');
    expect((await field('Lock after, days')).value).toBe('30');
    expect([...unsaved]).toEqual(['signing']);
    await press('Save signing');
    await saved('Signing');
    expect(state.sent.at(-1)).toMatchObject({ version: 8, lock_after_days: 30 });
    expect([...unsaved]).toEqual([]);
  });

  it('CEN-3 what is typed while a save is under way stays, and is saved next', async () => {
    const app = openSettings();
    await fill('Grace, minutes', '90');
    let letGo: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    app.api.around = (_request, go) => gate.then(go);
    await press('Save census hour');
    await fill('Grace, minutes', '120');
    letGo();
    await waitFor(() => expect(app.state.sent).toHaveLength(1));
    await waitFor(() => expect(app.state.settings.grace_minutes).toBe(90));
    expect((await field('Grace, minutes')).value).toBe('120');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Save census hour' }).ariaBusy).toBeFalsy());
    await press('Save census hour');
    await saved('Census hour');
    expect(app.state.sent[1]).toMatchObject({ version: 8, grace_minutes: 120 });
  });

  it('CEN-3 Undo takes back what was typed', async () => {
    const { unsaved } = openSettings();
    await fill('Grace, minutes', '90');
    await press('Undo');
    expect((await field('Grace, minutes')).value).toBe('60');
    expect([...unsaved]).toEqual([]);
  });
});

describe('the units', () => {
  it('CEN-3 thirty units are listed with what they report, and found by code, name and person', async () => {
    const units = Array.from({ length: 30 }, (_, index) => unit(index + 10, `W${index + 1}`));
    openSettings({
      shown: {
        units: [...units.slice(0, 29), unit(1, 'NUR', { unit_name: 'Neonatal', populations: ['newborn'], people: [] })],
      },
    });
    const table = within(await screen.findByRole('table', { name: 'Units and their beds' }));
    expect(table.getAllByRole('row')).toHaveLength(31);
    expect(part('Units').getByText('30 units')).toBeTruthy();
    fireEvent.change(screen.getByLabelText('Search units and people'), { target: { value: 'neonat' } });
    expect(part('Units').getByText('1 of 30 units')).toBeTruthy();
    expect(table.getAllByRole('row')[1]?.textContent).toContain('NUR Neonatal');
    fireEvent.change(screen.getByLabelText('Search units and people'), { target: { value: 'ana reyes' } });
    expect(part('Units').getByText('29 of 30 units')).toBeTruthy();
    fireEvent.change(screen.getByLabelText('Search units and people'), { target: { value: 'zzz' } });
    expect(table.getByText('No matching data')).toBeTruthy();
  });

  it('ADM-1 none yet are said with how they come, and one is one unit', async () => {
    openSettings({ shown: { units: [] } });
    expect(await screen.findByText('Add your units one by one, or import them from a file.')).toBeTruthy();
    cleanup();
    openSettings({ shown: { units: [unit(1, 'MED 3A')] } });
    await screen.findByRole('button', { name: 'Edit MED 3A' });
    expect(part('Units').getByText('1 unit')).toBeTruthy();
  });

  it('CEN-3 a row says populations, counting, the beds of today, dates and people', async () => {
    const shown = unit(1, 'MAT', {
      populations: ['adult_and_child', 'newborn'],
      counts_in_occupancy: false,
      active_from: '2026-01-05',
      beds: [
        {
          ...settings.units[0]?.beds[0],
          population: 'adult_and_child',
          from: '1900-01-01',
          licensed: 20,
          physical: 18,
          staffed: 16,
          surge: 0,
          reason: null,
        },
        {
          population: 'adult_and_child',
          from: '2026-11-25',
          licensed: 20,
          physical: 18,
          staffed: 10,
          surge: 0,
          reason: null,
        },
        { population: 'newborn', from: '2026-11-20', licensed: 14, physical: 14, staffed: 14, surge: 0, reason: null },
      ],
    });
    openSettings({ shown: { units: [shown] } });
    const table = within(await screen.findByRole('table', { name: 'Units and their beds' }));
    const cells = table.getAllByRole('cell').map((cell) => cell.querySelector('.table-value')?.textContent);
    expect(cells).toEqual([
      'Adults and children, Newborns Census only',
      '16 staffed of 18, 14 staffed of 14',
      'From Mon 5 Jan 2026',
      'Ana Reyes',
      'Edit',
    ]);
  });
});

function entry(more: Partial<LogEntry>): LogEntry {
  return {
    seq: 1,
    at: '2026-11-20T08:00:00.000Z',
    actor_id: null,
    actor_name: 'Paul Weber',
    actor_title: null,
    action: 'settings.change',
    outcome: 'done',
    unit_id: null,
    unit_code: null,
    census_date: null,
    population: null,
    before: null,
    after: null,
    after_approval: false,
    reason_code: null,
    reason: null,
    source: 'web',
    device_time: null,
    request_id: null,
    app_version: null,
    ip: null,
    discussion_chat_id: null,
    is_readable: true,
    redacted_at: null,
    redacted_after_years: null,
    prev_hash: '',
    hash: '',
    ...more,
  };
}

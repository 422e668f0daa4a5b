// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { FakeRefusal } from '@wardline/client/testing/fake-api.ts';
import { type CensusSettings, getCensusSettings } from '@wardline/contract/census/settings.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import {
  createRole,
  type FacilitySettings,
  getFacilitySettings,
  giveRole,
  setFacilityPolicies,
  takeRole,
  updateFacility,
  updateRole,
} from '@wardline/contract/facilities/facility-settings.ts';
import { listRoles } from '@wardline/contract/facilities/invitations.ts';
import { listMembers, type Member, removeMember, setMemberTitle } from '@wardline/contract/facilities/members.ts';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { ana, anaUser, leila, stBrigid } from '#/testing/fake-chats.ts';
import { checklistOf } from './checklist.ts';
import { SetUpNotice } from './checklist-card.tsx';
import { FacilitySettingsScreen } from './facility-settings-screen.tsx';

// What a press would load is there, so that no test waits for it.
beforeAll(() =>
  Promise.all([
    import('./member-dialog.tsx'),
    import('./role-dialog.tsx'),
    import('#/shared/forms/dialogs/confirm-dialog.tsx'),
  ]),
);

const facility: Facility = {
  ...stBrigid,
  permissions: ['members.manage', 'facility.manage', 'census.view', 'census.configure'],
};

const settings: FacilitySettings = {
  id: facility.id,
  version: 3,
  name: facility.name,
  code: 'SB',
  latitude: null,
  longitude: null,
  holders: { 'members.manage': 1 },
  member_count: 1,
};

const unit: CensusSettings['units'][number] = {
  unit_id: '01970000-0000-7000-8000-000000000201',
  unit_code: 'ICU',
  unit_name: 'Intensive care',
  populations: ['adult_and_child'],
  counts_in_census: true,
  counts_in_occupancy: true,
  hsloc: null,
  safr_group: null,
  active_from: '2026-11-20',
  active_to: null,
  people: [],
  beds: [],
};
const beds = {
  population: 'adult_and_child',
  from: '2026-11-20',
  licensed: 4,
  physical: 4,
  staffed: 4,
  surge: 0,
} as const;

const census: CensusSettings = {
  facility_id: facility.id,
  version: 1,
  time_zone: 'Europe/Dublin',
  census_time: '07:00',
  grace_minutes: 60,
  clock_from: '1900-01-01',
  clock_fixed: { census_date: '2026-11-20', census_at: '2026-11-20T16:00:00.000Z' },
  sign_off_time: '11:00',
  lock_after_days: 14,
  four_eyes: true,
  denominator: 'staffed',
  bands: { target: 85, high: 92, full: 100 },
  split_permissions: [],
  boarding_hours: 4,
  asks_discharge_days: false,
  log_retention_years: null,
  log_head_emails: [],
  hour_cycle: 'h23',
  date_order: 'dmy',
  units: [],
  may: { configure: true },
};

const roles = [
  { id: '01970000-0000-7000-8000-0000000000a1', name: 'Clinician', permissions: ['chats.create', 'census.view'] },
  { id: '01970000-0000-7000-8000-0000000000a2', name: 'Auditor', permissions: ['audit.view'] },
  {
    ...{ id: '01970000-0000-7000-8000-0000000000a3', name: 'Administrator' },
    permissions: ['members.manage', 'facility.manage'],
  },
  { id: '01970000-0000-7000-8000-0000000000a4', name: 'Staff office', permissions: ['members.manage'] },
];

function open({
  shown = settings,
  permissions = facility.permissions,
  myRoles = [],
}: {
  shown?: FacilitySettings;
  permissions?: string[];
  myRoles?: string[];
} = {}) {
  const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
  const state = { settings: shown, sent: [] as unknown[] };
  const people: Member[] = [ana, leila].map(({ id, name, title }) => ({
    user_id: id,
    name,
    title,
    roles: id === ana.id ? myRoles : [],
  }));
  app.api.on(getFacilitySettings, () => state.settings);
  app.api.on(getCensusSettings, () => census);
  app.api.on(listMembers, () => ({ data: people, next_cursor: null }));
  app.api.on(listRoles, () => ({ data: roles }));
  app.api.on(setFacilityPolicies, ({ body }) => {
    state.sent.push(body);
    if (body.expected_version !== state.settings.version) throw new FakeRefusal('conflict');
    const { expected_version, ...change } = body;
    state.settings = { ...state.settings, ...change, version: expected_version + 1 };
    return state.settings;
  });
  app.api.on(updateFacility, ({ body }) => {
    state.sent.push(body);
    if (body.expected_version !== state.settings.version) throw new FakeRefusal('conflict');
    const { expected_version, ...change } = body;
    state.settings = { ...state.settings, ...(change as Partial<FacilitySettings>), version: expected_version + 1 };
    return state.settings;
  });
  const change = (user: string, to: (roles: string[]) => string[]) => {
    const at = people.findIndex(({ user_id }) => user_id === user);
    const now = people[at];
    if (!now) throw new FakeRefusal('not_found');
    const next = { ...now, roles: to(now.roles) };
    people[at] = next;
    return next;
  };
  const nameOf = (id: string) => roles.find((role) => role.id === id)?.name ?? '';
  app.api.on(giveRole, ({ params }) => change(params.user, (held) => [...held, nameOf(params.role)]));
  app.api.on(takeRole, ({ params }) =>
    change(params.user, (held) => held.filter((name) => name !== nameOf(params.role))),
  );
  app.api.on(setMemberTitle, ({ params, body }) => {
    state.sent.push(body);
    const at = people.findIndex(({ user_id }) => user_id === params.user);
    const now = people[at];
    if (!now) throw new FakeRefusal('not_found');
    const next = { ...now, title: body.title };
    people[at] = next;
    return next;
  });
  app.api.on(createRole, ({ body }) => {
    state.sent.push(body);
    return { id: roles[0]?.id ?? '', ...body };
  });
  app.api.on(updateRole, ({ params, body }) => {
    state.sent.push(body);
    return { id: params.role, name: body.name ?? '', permissions: [] };
  });
  app.api.on(removeMember, ({ params }) => void state.sent.push(params));
  const onOwnChange = vi.fn(async () => {});
  const draw = () =>
    app.draw(
      <FacilitySettingsScreen
        facility={{ ...facility, permissions }}
        myId={ana.id}
        myRoles={myRoles}
        current=""
        invitations={<p>The invitations</p>}
        records={<p>The rules</p>}
        onOwnChange={onOwnChange}
      />,
    );
  const drawNotice = () => app.draw(<SetUpNotice facility={{ ...facility, permissions }} />);
  return { ...app, state, onOwnChange, draw, drawNotice };
}

const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

describe('the checklist of a facility', () => {
  const states = (of: CensusSettings, more: Partial<FacilitySettings> = {}) =>
    Object.fromEntries(checklistOf({ ...settings, ...more }, of).map(({ id, isDone }) => [id, isDone]));

  it('ADM-1 begins with all but the hour to do, and ends when each is done', () => {
    expect(states(census)).toEqual({
      ...{ clock: true, units: false, beds: false, people: false, reporters: false, signing: false, deputy: false },
    });
    const whole = { ...unit, beds: [{ ...beds, reason: null }], people: [{ id: ana.id, name: ana.name }] };
    const holders = { 'members.manage': 2, 'census.report_summary': 1 };
    const done = states({ ...census, units: [whole] }, { member_count: 2, holders });
    expect(Object.values(done).every(Boolean)).toBe(true);
  });

  it('ADM-1 asks no beds of a place without, no reports of what is not counted, and nothing of a unit that closed', () => {
    const boarders = { ...unit, counts_in_occupancy: false };
    expect(states({ ...census, units: [boarders] })).toMatchObject({ units: true, beds: true, reporters: false });
    const closed = { ...unit, active_to: '2026-11-19' };
    expect(states({ ...census, units: [closed] })).toMatchObject({ units: false, beds: false, reporters: false });
    const whole = { ...unit, beds: [{ ...beds, reason: null }], people: [{ id: ana.id, name: ana.name }] };
    expect(states({ ...census, units: [whole, { ...unit, counts_in_census: false }] })).toMatchObject({
      ...{ beds: false, reporters: true },
    });
  });

  it('ADM-1 CEN-1 counts no unit as reported for by people who may not', () => {
    const person = { id: ana.id, name: ana.name };
    const of = (may_report: boolean) => ({ ...census, units: [{ ...unit, people: [{ ...person, may_report }] }] });
    expect(states(of(false))).toMatchObject({ reporters: false });
    expect(states(of(true))).toMatchObject({ reporters: true });
  });

  it('ADM-1 leads to where each is done', async () => {
    const { draw } = open();
    draw();
    const units = await screen.findByRole('link', { name: /Add your units/ });
    expect(units.getAttribute('href')).toBe('/census?view=settings#units');
    expect(screen.getByText('1 of 7 done')).toBeTruthy();
    expect(screen.getByRole('link', { name: /Invite your colleagues/ }).getAttribute('href')).toBe(
      '/settings/facility#invitations',
    );
  });

  it('ADM-1 is led to from the dashboard while something of it is left', async () => {
    open().drawNotice();
    const name = 'The set-up of St. Brigid General is not finished: 1 of 7 done.';
    expect((await screen.findByText(name)).parentElement?.textContent).toContain('Next: Add your units.');
    expect(screen.getByRole('link', { name: 'Checklist' }).getAttribute('href')).toBe('/settings/facility#checklist');
  });

  it('ADM-1 is not spoken of on the dashboard once all of it is done', async () => {
    const holders = { 'members.manage': 2, 'census.report_summary': 1 };
    const { api, drawNotice } = open({ shown: { ...settings, member_count: 2, holders } });
    const whole = { ...unit, beds: [{ ...beds, reason: null }], people: [{ id: ana.id, name: ana.name }] };
    const answered = vi.fn(() => ({ ...census, units: [whole] }));
    api.on(getCensusSettings, answered);
    drawNotice();
    await waitFor(() => expect(answered).toHaveBeenCalled());
    await act(async () => {});
    expect(screen.queryByText(/is not finished/)).toBeNull();
  });

  it('ADM-1 without the census says what it knows', async () => {
    const { draw } = open({ permissions: ['facility.manage'] });
    draw();
    expect(await screen.findByText('0 of 3 done')).toBeTruthy();
    expect(screen.queryByRole('link', { name: /Add your units/ })).toBeNull();
  });
});

describe('what a facility is called', () => {
  it('ADM-1 is saved with its place, for the version that was seen', async () => {
    const { draw, state } = open();
    draw();
    await screen.findByLabelText('Facility name');
    type('Facility name', 'St. Hedwig');
    type('Latitude', '52,52');
    type('Longitude', '13.4');
    fireEvent.click(screen.getByRole('button', { name: 'Save facility' }));
    await waitFor(() =>
      expect(state.sent).toEqual([
        { expected_version: 3, name: 'St. Hedwig', code: 'SB', latitude: 52.52, longitude: 13.4 },
      ]),
    );
  });

  it('ADM-1 all that is wrong with it is said at once, at its fields, and nothing is sent', async () => {
    const { draw, state } = open();
    draw();
    await screen.findByLabelText('Facility name');
    const wrong = { 'Facility name': '', 'Short name': 'X', Latitude: '95' };
    for (const [label, value] of Object.entries(wrong)) type(label, value);
    fireEvent.click(screen.getByRole('button', { name: 'Save facility' }));
    await screen.findByText('Enter the name of the facility.');
    for (const said of ['2 to 4 letters or digits.', 'Between −90 and 90.', 'Both or neither: latitude and longitude.'])
      expect(screen.getAllByText(said), said).not.toHaveLength(0);
    for (const label of [...Object.keys(wrong), 'Longitude'])
      expect(screen.getByLabelText(label).getAttribute('aria-invalid'), label).toBe('true');
    expect(state.sent).toEqual([]);
  });

  it('HAND-1 has one to four shifts with name and time, said where something is missing', async () => {
    const usual = [
      { name: 'Day', time: '07:00' },
      { name: 'Night', time: '19:00' },
    ];
    const { draw, state } = open({ shown: { ...settings, shift_starts: usual } });
    draw();
    const shift = async (number: number) => within(await screen.findByRole('group', { name: `Shift ${number}` }));
    const valuesOf = (one: Awaited<ReturnType<typeof shift>>) =>
      ['Name', 'Begins at'].map((label) => one.getByLabelText<HTMLInputElement>(label).value);
    expect([valuesOf(await shift(1)), valuesOf(await shift(2))]).toEqual([
      ['Day', '07:00'],
      ['Night', '19:00'],
    ]);
    const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
    press('Add a shift');
    press('Add a shift');
    expect(screen.queryByRole('button', { name: 'Add a shift' })).toBeNull();
    press('Remove shift 1');
    const late = await shift(2);
    fireEvent.change(late.getByLabelText('Name'), { target: { value: 'Late' } });
    press('Save shifts');
    expect(late.getByText('Enter when it begins.')).toBeTruthy();
    expect(state.sent).toEqual([]);
    fireEvent.change(late.getByLabelText('Begins at'), { target: { value: '14:00' } });
    press('Remove shift 3');
    press('Save shifts');
    const shift_starts = [usual[1], { name: 'Late', time: '14:00' }];
    await waitFor(() => expect(state.sent).toEqual([{ expected_version: 3, shift_starts }]));
    press('Remove shift 2');
    expect(screen.queryByRole('button', { name: /^Remove shift/ })).toBeNull();
  });

  it('ADM-1 is not saved over what somebody else saved first', async () => {
    const { draw, state } = open();
    draw();
    await screen.findByLabelText('Facility name');
    state.settings = { ...settings, version: 4 };
    type('Facility name', 'St. Hedwig');
    fireEvent.click(screen.getByRole('button', { name: 'Save facility' }));
    expect((await screen.findByRole('alert')).textContent).not.toBe('');
    expect(state.settings.name).toBe(settings.name);
  });
});

describe('the security rules of a facility', () => {
  it.each(['0', '61', '1.5'])(
    'ACC-6 %s minutes are refused in the words of the label, and not sent',
    async (minutes) => {
      const { draw, state } = open();
      draw();
      await screen.findByLabelText(/^Lock shared computers/);
      type('Lock shared computers after (minutes)', minutes);
      fireEvent.click(screen.getByRole('button', { name: 'Save security rules' }));
      expect(await screen.findByText('Minutes: a whole number from 1 to 60.')).toBeTruthy();
      expect(state.sent).toEqual([]);
    },
  );

  it('ADM-1 two presses of Save in one moment send once', async () => {
    const { draw, state } = open();
    draw();
    await screen.findByLabelText(/^Lock shared computers/);
    type('Lock shared computers after (minutes)', '20');
    const save = screen.getByRole('button', { name: 'Save security rules' });
    act(() => {
      save.click();
      save.click();
    });
    await waitFor(() => expect(state.settings.version).toBe(settings.version + 1));
    expect(state.sent).toHaveLength(1);
  });
});

describe('the roles of people', () => {
  async function openRoles(of: string) {
    fireEvent.click(await screen.findByRole('button', { name: `Roles of ${of}` }));
    return within(await screen.findByRole('dialog', { name: of }));
  }

  it('ADM-1 say what each allows, and are given and taken at a press', async () => {
    const { draw, onOwnChange } = open();
    draw();
    const dialog = await openRoles(leila.name);
    const box = (await dialog.findByRole('checkbox', { name: 'Clinician' })) as HTMLInputElement;
    expect(dialog.getByText('May start chats, see the census.')).toBeTruthy();
    fireEvent.click(box);
    await waitFor(() => expect(box.checked).toBe(true));
    await waitFor(() => expect(box.disabled).toBe(false));
    fireEvent.click(box);
    await waitFor(() => expect(box.checked).toBe(false));
    expect(onOwnChange).not.toHaveBeenCalled();
  });

  it('F-U7 A30 one that allows more than one may grant can’t be pressed, and says so', async () => {
    const { draw } = open({ permissions: ['members.manage', 'facility.manage', 'chats.create'] });
    draw();
    const dialog = await openRoles(leila.name);
    const box = (await dialog.findByRole('checkbox', { name: 'Auditor' })) as HTMLInputElement;
    expect(box.disabled).toBe(true);
    expect(dialog.getByText('May read the audit log. You can’t give or take this role.')).toBeTruthy();
  });

  it('ACC-7 one’s own change is asked for at once', async () => {
    const { draw, onOwnChange } = open();
    draw();
    const dialog = await openRoles(ana.name);
    fireEvent.click(await dialog.findByRole('checkbox', { name: 'Clinician' }));
    await waitFor(() => expect(onOwnChange).toHaveBeenCalledOnce());
  });

  it('ADM-1 one’s own administration is given up only after a question that says what goes', async () => {
    const { draw, api } = open({ myRoles: ['Administrator', 'Staff office', 'Clinician'] });
    draw();
    const dialog = await openRoles(ana.name);
    const box = async (name: string) => (await dialog.findByRole('checkbox', { name })) as HTMLInputElement;
    const taken = () => api.asked.filter((line) => line.startsWith('DELETE'));
    fireEvent.click(await box('Administrator'));
    expect(await screen.findByText(/^At once you may no longer change the facility at /)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByText(/^At once you may no longer/)).toBeNull());
    expect([taken(), (await box('Administrator')).checked]).toEqual([[], true]);
    fireEvent.click(await box('Administrator'));
    fireEvent.click(await screen.findByRole('button', { name: 'Give up' }));
    await waitFor(async () => expect((await box('Administrator')).checked).toBe(false));
    await waitFor(async () => expect((await box('Clinician')).disabled).toBe(false));
    // What takes nothing of it is not asked about.
    fireEvent.click(await box('Clinician'));
    await waitFor(() => expect(taken()).toHaveLength(2));
  });

  it('ADM-1 the title of a person is said and taken away', async () => {
    const { draw, state } = open();
    draw();
    const dialog = await openRoles(leila.name);
    const field = dialog.getByLabelText<HTMLInputElement>('Title');
    expect([field.value, dialog.queryByRole('button', { name: 'Save title' })]).toEqual([leila.title, null]);
    for (const [value, title] of [
      ['Midwife', 'Midwife'],
      [' ', null],
    ] as const) {
      fireEvent.change(field, { target: { value } });
      fireEvent.click(dialog.getByRole('button', { name: 'Save title' }));
      await waitFor(() => expect(state.sent.at(-1)).toEqual({ title }));
      await waitFor(() => expect(dialog.queryByRole('button', { name: 'Save title' })).toBeNull());
    }
  });

  it('A30 what the server refuses is said in the dialog', async () => {
    const { draw, refuse } = open();
    draw();
    const dialog = await openRoles(ana.name);
    const box = await dialog.findByRole('checkbox', { name: 'Clinician' });
    refuse(409, { message: 'This is the last person who can manage the members.' });
    fireEvent.click(box);
    expect((await dialog.findByRole('alert')).textContent).toBe('This is the last person who can manage the members.');
  });

  it('ADM-1 somebody is removed after a question', async () => {
    const { draw, state } = open();
    draw();
    const dialog = await openRoles(leila.name);
    fireEvent.click(dialog.getByRole('button', { name: 'Remove from the facility' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(state.sent).toEqual([{ facility: facility.id, user: leila.id }]));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});

describe('the roles of a facility', () => {
  it('PERM-2 a role that one has oneself loses the administration only after a question', async () => {
    const { draw, state } = open({ myRoles: ['Administrator'] });
    draw();
    const list = within(await screen.findByRole('list', { name: 'Roles' }));
    fireEvent.click(list.getByRole('button', { name: 'Edit Administrator' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Administrator' }));
    fireEvent.click(dialog.getByRole('checkbox', { name: 'invite, remove and give roles' }));
    fireEvent.click(dialog.getByRole('button', { name: 'Save role' }));
    expect(await screen.findByText(/^At once you may no longer invite, remove and give roles at /)).toBeTruthy();
    expect(state.sent).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Give up' }));
    await waitFor(() => expect(state.sent).toEqual([{ name: 'Administrator', add: [], take: ['members.manage'] }]));
  });

  it('PERM-2 say what they allow, and are changed by what is ticked and what is not', async () => {
    const { draw, state, onOwnChange } = open();
    draw();
    const list = within(await screen.findByRole('list', { name: 'Roles' }));
    expect(list.getByText('May read the audit log.')).toBeTruthy();
    fireEvent.click(list.getByRole('button', { name: 'Edit Clinician' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Clinician' }));
    fireEvent.click(dialog.getByRole('checkbox', { name: 'see the census' }));
    fireEvent.click(dialog.getByRole('checkbox', { name: 'be on call' }));
    fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'Doctor' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Save role' }));
    await waitFor(() => expect(state.sent).toEqual([{ name: 'Doctor', add: ['on_call.take'], take: ['census.view'] }]));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(onOwnChange).toHaveBeenCalledOnce();
  });

  it('PERM-2 a new one has a name and what was ticked', async () => {
    const { draw, state } = open();
    draw();
    fireEvent.click(await screen.findByRole('button', { name: 'New role' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New role' }));
    fireEvent.click(dialog.getByRole('button', { name: 'Make role' }));
    expect(await dialog.findByText('Enter the name of the role.')).toBeTruthy();
    fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'Ward clerk' } });
    fireEvent.click(dialog.getByRole('checkbox', { name: 'see phone numbers' }));
    fireEvent.click(dialog.getByRole('button', { name: 'Make role' }));
    await waitFor(() => expect(state.sent).toEqual([{ name: 'Ward clerk', permissions: ['phones.view'] }]));
  });

  it('A30 PERM-2 what one may not grant can’t be ticked, and a role with it not be opened', async () => {
    const { draw } = open();
    draw();
    const edit = (await screen.findByRole('button', { name: 'Edit Auditor' })) as HTMLButtonElement;
    expect(edit.disabled).toBe(true);
    fireEvent.click(screen.getByRole('button', { name: 'New role' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New role' }));
    expect((dialog.getByRole('checkbox', { name: /audit log/ }) as HTMLInputElement).disabled).toBe(true);
  });
});

describe('security', () => {
  it('ADM-1 sends the day and the minutes, and says how many have no second factor', async () => {
    const { state, draw } = open({ shown: { ...settings, member_count: 12, without_factor_count: 3 } });
    draw();
    expect(await screen.findByText('3 of 12 people have no second factor yet.')).toBeTruthy();
    fireEvent.change(screen.getByLabelText('Members need a second factor from'), { target: { value: '2026-11-30' } });
    fireEvent.change(screen.getByLabelText('Lock shared computers after (minutes)'), { target: { value: '5' } });
    fireEvent.click(screen.getByLabelText('People may take along what they wrote here'));
    state.settings = { ...state.settings, version: 4 };
    fireEvent.click(screen.getByRole('button', { name: 'Save security rules' }));
    expect(await screen.findByRole('alert')).toBeTruthy();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Save security rules' })).toBeTruthy());
    fireEvent.click(screen.getByRole('button', { name: 'Save security rules' }));
    await waitFor(() =>
      expect(state.sent.at(-1)).toEqual({
        expected_version: 4,
        second_factor_from: '2026-11-30',
        idle_lock_minutes: 5,
        own_texts_in_copies: true,
      }),
    );
  });
});

// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { listCriticalTimes } from '@wardline/contract/chat/critical-acts.ts';
import { listInterruptions } from '@wardline/contract/chat/interruptions.ts';
import { getUrgentLadder, setUrgentLadder } from '@wardline/contract/chat/urgent-acts.ts';
import { type Facility, listUnits } from '@wardline/contract/facilities/facilities.ts';
import { listMembers, type Member, setMemberPhone } from '@wardline/contract/facilities/members.ts';
import {
  createOnCallRole,
  deleteShift,
  handOver,
  listOnCallRoles,
  listShifts,
  type OnCallRole,
  planShift,
  type Shift,
  takeOver,
} from '@wardline/contract/facilities/on-call.ts';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { createFakeApp, setOnline } from '#/testing/fake-app.tsx';
import { ana, anaUser, harbour, leila, mira, stBrigid } from '#/testing/fake-chats.ts';
import { formatSpan } from './format-when.ts';
import { PeopleScreen } from './people-screen.tsx';
import { untilChoices } from './until-choices.ts';
import { untilNextChange } from './use-on-call.ts';

// What a press would load is there, so that no test waits for it.
beforeAll(() =>
  Promise.all([
    import('./pass-on-dialog.tsx'),
    import('./role-dialog.tsx'),
    import('./shifts-dialog.tsx'),
    import('./phone-dialog.tsx'),
    import('#/shared/forms/dialogs/confirm-dialog.tsx'),
  ]),
);
afterEach(() => {
  setOnline(true);
  vi.restoreAllMocks();
});

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
const id = (number: number) => `01970000-0000-7000-8000-0000000000${String(number).padStart(2, '0')}`;
const takes: Facility = { ...stBrigid, permissions: ['chats.create', 'on_call.take', 'phones.view'] };
const plans: Facility = { ...takes, permissions: [...takes.permissions, 'on_call.manage'] };

const shift = (who: typeof mira, from: number, to: number, phone: string | null = null): Shift => ({
  id: crypto.randomUUID(),
  person: { user_id: who.id, name: who.name, title: who.title, avatar_url: null, phone },
  starts_at: inHours(from),
  ends_at: inHours(to),
});
const registrar: OnCallRole = {
  ...{ id: id(1), name: 'Medical registrar', unit: null, phone: '4711', version: 1 },
  now: shift(mira, -2, 6, '+353 1 555 0101'),
  next: shift(leila, 6, 18),
};
const porter: OnCallRole = { ...registrar, id: id(2), name: 'Porter', phone: null, now: null, next: null };

const people: Member[] = [
  { user_id: ana.id, name: ana.name, title: ana.title, roles: ['Clinician'], phone: null, on_call: [] },
  { user_id: leila.id, name: leila.name, title: null, roles: ['Clinician'], phone: null, on_call: [] },
  {
    ...{ user_id: mira.id, name: mira.name, title: 'Registrar', roles: ['Clinician'] },
    ...{ phone: '+353 1 555 0101', on_call: ['Medical registrar'] },
  },
];

interface Shown {
  readonly facility?: Facility;
  readonly facilities?: readonly Facility[];
  readonly roles?: OnCallRole[];
  readonly shifts?: Shift[];
  readonly isDown?: boolean;
  /** There are more people than were asked for. */
  readonly isCut?: boolean;
  readonly view?: string;
}

function show({
  facility = takes,
  facilities,
  roles = [registrar, porter],
  shifts,
  isDown = false,
  isCut = false,
  view,
}: Shown = {}) {
  const address = view ? `/people?view=${view}` : '/people';
  const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true }, { address });
  const planned = shifts ?? [registrar.now, registrar.next].flatMap((one) => one ?? []);
  const state = {
    roles,
    shifts: planned,
    asked: [] as unknown[],
    searched: [] as (string | undefined)[],
    of: [] as unknown[],
  };
  app.api.on(listMembers, ({ query }) => {
    state.searched.push(query.q);
    state.of.push(query.may);
    const found = people.filter(({ name }) => name.toLowerCase().includes((query.q ?? '').toLowerCase()));
    return { data: found, next_cursor: isCut ? 'more' : null };
  });
  app.api.on(listOnCallRoles, () => ({ data: state.roles, next_cursor: null }));
  app.api.on(listShifts, () => ({ data: state.shifts, next_cursor: null }));
  app.api.on(listUnits, () => ({ data: [] }));
  const onOpen = vi.fn();
  if (isDown) app.refuse(500);
  app.draw(
    <PeopleScreen
      {...{ facility, onOpen }}
      facilities={facilities ?? [facility]}
      myId={ana.id}
      hrefOf={(facilityId, userId) => `/chat/f-${facilityId}/p-${userId}`}
      roleHrefOf={(facilityId, roleId) => `/chat/f-${facilityId}/r-${roleId}`}
    />,
  );
  return { ...app, state, onOpen };
}
const row = async (name: string) => within(await screen.findByRole('region', { name }));
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));

it('CHAT-19 CHAT-17 people are listed with what they are on call for, their number, and a name that opens the chat', async () => {
  const { onOpen } = show();
  const rows = within(await screen.findByRole('list', { name: 'People' })).getAllByRole('listitem');
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('Ana Reyes (you)'),
    expect.stringContaining('Leila HaddadClinician'),
    expect.stringContaining('Dr. Mira OkaforOn callRegistrar · Medical registrar+353 1 555 0101'),
  ]);
  const link = screen.getByRole('link', { name: 'Dr. Mira Okafor' });
  expect(link.getAttribute('href')).toBe(`/chat/f-${stBrigid.id}/p-${mira.id}`);
  link.addEventListener('click', (event) => event.preventDefault());
  fireEvent.click(link);
  expect(onOpen).toHaveBeenCalledWith(stBrigid.id, expect.objectContaining({ user_id: mira.id }));
  const call = screen.getByRole('link', { name: 'Call Dr. Mira Okafor, +353 1 555 0101' });
  expect(call.getAttribute('href')).toBe('tel:+35315550101');
  expect(screen.queryByRole('link', { name: /Ana Reyes/ })).toBeNull();
});

it('CHAT-19 people are searched on the server, and nobody found is said', async () => {
  const { state } = show();
  await screen.findByText('Leila Haddad');
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'zzz' } });
  expect(await screen.findByRole('heading', { name: 'No one found for “zzz”' })).toBeTruthy();
  expect(state.searched).toContain('zzz');
});

it('CHAT-19 one gives one’s own number, and that of nobody else', async () => {
  const { api, state } = show();
  api.on(setMemberPhone, ({ params, body }) => {
    state.asked.push([params.user, body]);
    return { user_id: ana.id, name: ana.name, title: null, roles: [], phone: body.phone };
  });
  await screen.findByText('Leila Haddad');
  expect(screen.queryByRole('button', { name: /^Edit phone number/ })).toBeNull();
  press('Add phone number');
  fireEvent.input(await screen.findByLabelText('Phone'), { target: { value: '22 14' } });
  press('Save');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(state.asked).toEqual([[ana.id, { phone: '22 14' }]]);
});

it('CHAT-19 on call shows who holds each role until when, who comes next, and what nobody holds', async () => {
  show({ view: 'on-call' });
  const held = await row('Medical registrar');
  expect(held.getByRole('link', { name: 'Dr. Mira Okafor' })).toBeTruthy();
  expect(held.getByText(/^until /)).toBeTruthy();
  expect(held.getByText(/^Next: Leila Haddad, from /)).toBeTruthy();
  expect(held.getByRole('link', { name: 'Call Medical registrar, 4711' }).getAttribute('href')).toBe('tel:4711');
  expect(held.queryByRole('button', { name: /^Hand over/ })).toBeNull();
  expect((await row('Porter')).getByText('No one on call')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'New role' })).toBeNull();
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'leila' } });
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Porter' })).toBeNull());
});

it('CHAT-19 who may not be on call reads only', async () => {
  show({ view: 'on-call', facility: { ...stBrigid, permissions: [] } });
  const held = await row('Medical registrar');
  expect(held.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual([
    'Shifts of Medical registrar',
  ]);
  fireEvent.click(held.getByRole('button'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Shifts: Medical registrar' }));
  const shifts = within(await dialog.findByRole('list', { name: 'Shifts' }));
  expect(shifts.getAllByRole('listitem')).toHaveLength(2);
  expect(shifts.queryAllByRole('button')).toEqual([]);
  expect(dialog.queryByRole('form')).toBeNull();
});

it('CHAT-19 taking over asks until when, and says who took it meanwhile', async () => {
  const { api, state, refuse, answer } = show({ view: 'on-call' });
  api.on(takeOver, ({ body }) => {
    state.asked.push(body);
    return { ...registrar, now: shift(ana, 0, 6) };
  });
  fireEvent.click((await row('Medical registrar')).getByRole('button', { name: 'Take over Medical registrar' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Take over: Medical registrar' }));
  expect(dialog.getByText(/^Dr. Mira Okafor is on call until/)).toBeTruthy();
  refuse(409, { message: 'Leila Haddad is Medical registrar now.' });
  fireEvent.click(dialog.getByRole('button', { name: 'Take over' }));
  expect((await dialog.findByRole('alert')).textContent).toContain('Leila Haddad is Medical registrar now.');
  answer();
  await waitFor(() =>
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Take over' }).disabled).toBe(false),
  );
  fireEvent.click(dialog.getByRole('button', { name: 'Take over' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(state.asked).toEqual([{ until: registrar.now?.ends_at, replaces: registrar.now?.id }]);
});

it('CHAT-19 what one holds is handed over to a colleague who is chosen', async () => {
  const mine = { ...registrar, now: shift(ana, -1, 5) };
  const { api, state } = show({ view: 'on-call', roles: [mine] });
  api.on(handOver, ({ body }) => {
    state.asked.push(body);
    return { ...mine, now: shift(leila, 0, 5) };
  });
  const held = await row('Medical registrar');
  expect(held.queryByRole('button', { name: /^Take over/ })).toBeNull();
  fireEvent.click(held.getByRole('button', { name: 'Hand over Medical registrar' }));
  const dialog = within(await screen.findByRole('dialog'));
  const send = dialog.getByRole<HTMLButtonElement>('button', { name: 'Hand over' });
  expect(send.disabled).toBe(true);
  fireEvent.click(await dialog.findByLabelText('Leila Haddad'));
  expect(dialog.queryByLabelText(/Ana Reyes/)).toBeNull();
  fireEvent.click(send);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(state.asked).toEqual([{ person_id: leila.id, until: mine.now.ends_at, replaces: mine.now.id }]);
});

it('CHAT-19 who plans makes roles, and a refused name is said at the field', async () => {
  const { api, state, refuse, answer } = show({ view: 'on-call', facility: plans });
  api.on(createOnCallRole, ({ body }) => {
    state.asked.push(body);
    return porter;
  });
  await row('Porter');
  press('New role');
  const dialog = within(await screen.findByRole('dialog', { name: 'New on-call role' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Create role' }));
  expect(await dialog.findByText('Enter a name.')).toBeTruthy();
  fireEvent.input(dialog.getByLabelText('Name'), { target: { value: 'Stroke nurse' } });
  refuse(422, { errors: { name: ['There is an on-call role of this name already.'] } });
  fireEvent.click(dialog.getByRole('button', { name: 'Create role' }));
  expect(await dialog.findByText('There is an on-call role of this name already.')).toBeTruthy();
  answer();
  fireEvent.click(dialog.getByRole('button', { name: 'Create role' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(state.asked).toEqual([{ name: 'Stroke nurse', unit_id: null, phone: null }]);
});

it('CHAT-19 who plans adds the shift that follows the last, by the facility’s clock, and is told whom it meets', async () => {
  // Half an hour before the clocks go forward in Dublin.
  const last = { ...shift(leila, 6, 18), ends_at: '2027-03-28T00:30:00.000Z' };
  const { api, state, refuse, answer } = show({
    view: 'on-call',
    facility: { ...plans, time_zone: 'Europe/Dublin' },
    shifts: [last],
    isCut: true,
  });
  api.on(planShift, ({ body }) => {
    state.asked.push(body);
    state.shifts = [last, { ...last, id: id(9), starts_at: body.starts_at, ends_at: body.ends_at }];
    return registrar;
  });
  fireEvent.click((await row('Medical registrar')).getByRole('button', { name: 'Shifts of Medical registrar' }));
  const form = within(await screen.findByRole('form', { name: 'Add shift' }));
  expect(await form.findByText('Search to find others.')).toBeTruthy();
  expect(state.of.at(-1)).toBe('on_call.take');
  const filledIn = (label: string) => form.getByLabelText<HTMLInputElement>(label).value;
  expect([filledIn('From'), filledIn('To')]).toEqual(['2027-03-28T00:30', '2027-03-28T13:30']);
  const add = form.getByRole('button', { name: 'Add shift' });
  fireEvent.click(add);
  expect(await form.findByText('Choose who is on call.')).toBeTruthy();
  fireEvent.change(form.getByLabelText('From'), { target: { value: '0001-01-01T00:00' } });
  fireEvent.click(add);
  expect(await form.findByText('From: enter a day and a time.')).toBeTruthy();
  fireEvent.change(form.getByLabelText('From'), { target: { value: '2027-03-28T00:30' } });
  fireEvent.click(await form.findByLabelText(/Mira/));
  refuse(409, { message: 'Leila Haddad is on call then.' });
  fireEvent.click(add);
  expect((await form.findByRole('alert')).textContent).toContain('Leila Haddad is on call then.');
  answer();
  await waitFor(() => expect(form.getByRole<HTMLButtonElement>('button', { name: 'Add shift' }).disabled).toBe(false));
  fireEvent.click(add);
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('From').value).toBe('2027-03-28T13:30'));
  expect(state.asked).toEqual([
    { person_id: mira.id, starts_at: '2027-03-28T00:30:00.000Z', ends_at: '2027-03-28T12:30:00.000Z' },
  ]);
});

it('CHAT-19 who plans ends the shift of now and removes a planned one, and is asked first', async () => {
  const { api, state } = show({ view: 'on-call', facility: plans });
  api.on(deleteShift, ({ params }) => {
    state.asked.push(params.shift);
    state.shifts = state.shifts.filter((one) => one.id !== params.shift);
    return undefined;
  });
  fireEvent.click((await row('Medical registrar')).getByRole('button', { name: 'Shifts of Medical registrar' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Shifts: Medical registrar' }));
  fireEvent.click(await dialog.findByRole('button', { name: /^Remove shift of Leila Haddad/ }));
  fireEvent.click(await screen.findByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(dialog.queryByRole('button', { name: /^Remove shift/ })).toBeNull());
  fireEvent.click(dialog.getByRole('button', { name: /^End shift of Dr. Mira Okafor/ }));
  fireEvent.click(await screen.findByRole('button', { name: 'End shift' }));
  expect(await dialog.findByText('No shifts planned.')).toBeTruthy();
  expect(state.asked).toEqual([registrar.next?.id, registrar.now?.id]);
});

it('CHAT-19 offline it says so, and nothing is taken over', async () => {
  show({ view: 'on-call' });
  await row('Medical registrar');
  setOnline(false);
  expect(await screen.findByText(/^You’re offline/)).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Take over Porter' }).disabled).toBe(true);
});

it.each([
  ['People', 'people'],
  ['On call', 'on-call'],
])('CHAT-19 what did not load is said, and asked for again at a press: %s', async (name, view) => {
  const { answer } = show({ view, isDown: true });
  const retry = await screen.findByRole('button', { name: 'Retry' });
  answer();
  fireEvent.click(retry);
  expect(await screen.findByRole('list', { name })).toBeTruthy();
});

it('CHAT-19 of several facilities one is chosen', async () => {
  const { api } = show({ facilities: [takes, harbour] });
  await screen.findByText('Leila Haddad');
  fireEvent.change(screen.getByLabelText('Facility'), { target: { value: harbour.id } });
  await waitFor(() => expect(api.asked.some((line) => line.includes(`/facilities/${harbour.id}/members`))).toBe(true));
});

it('CHAT-19 a role is offered until the end of the shift of now, and never past who begins next', () => {
  const now = Date.parse('2026-11-20T09:07:00Z');
  const at = (time: string) => `2026-11-20T${time}:00.000Z`;
  const held = registrar.now && { ...registrar.now, ends_at: at('13:00') };
  const next = registrar.next && { ...registrar.next, starts_at: at('20:00') };
  expect(untilChoices({ ...registrar, now: held, next }, { zone: 'UTC', now })).toEqual([
    { value: at('13:00'), label: '13:00, end of this shift' },
    { value: at('20:00'), label: '20:00, when Leila Haddad starts' },
    { value: at('17:00'), label: '17:00, 8 hours' },
  ]);
  const hours = untilChoices(porter, { zone: 'UTC', now }).map(({ value }) => value);
  expect(hours).toEqual([at('13:00'), at('17:00'), at('21:00'), '2026-11-21T09:00:00.000Z']);
});

it('CHAT-19 a shift says its days where one would not know them', () => {
  const now = Date.parse('2026-11-20T09:07:00Z');
  const span = (from: string, to: string) => formatSpan('UTC', { from: Date.parse(from), to: Date.parse(to), now });
  expect(span('2026-11-20T08:00:00Z', '2026-11-20T20:00:00Z')).toBe('08:00 – 20:00');
  expect(span('2026-11-20T20:00:00Z', '2026-11-21T08:00:00Z')).toBe('20:00 – Sat 21 Nov, 08:00');
  expect(span('2026-11-19T20:00:00Z', '2026-11-20T10:00:00Z')).toBe('Thu 19 Nov, 20:00 – Fri 20 Nov, 10:00');
  expect(span('2026-11-21T08:00:00Z', '2026-11-21T20:00:00Z')).toBe('Sat 21 Nov, 08:00 – 20:00');
});

it('CHAT-19 who is on call is asked again just after the next shift begins or ends', () => {
  const now = Date.parse(registrar.now?.ends_at ?? '') - 60_000;
  expect(untilNextChange([registrar, porter], now)).toBe(60_500);
  expect(untilNextChange([porter], now)).toBe(3_600_000);
});

it('EXAM-5 who plans the shifts sees how long critical results took, by month and unit, as a file too; others do not', async () => {
  show({ view: 'critical' });
  expect(await screen.findByRole('searchbox', { name: 'Search by name, title, role or unit' })).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Critical results' })).toBeNull();
  cleanup();
  const { api } = show({
    view: 'critical',
    facility: { ...takes, permissions: [...takes.permissions, 'on_call.manage'] },
  });
  const steps = { count: 10, median_s: 300, p90_s: 5400 };
  api.on(listCriticalTimes, ({ query }) => ({
    data: [
      {
        ...{ month: query.to, unit: { id: takes.id, code: 'ICU', name: 'Intensive care' } },
        category: 'minutes' as const,
        ...{ raised: 10, withdrawn: 1, open: 2, notified: { ...steps, median_s: 2, p90_s: 3 }, received: steps },
        ...{ read_back: steps, acted: { count: 0, median_s: null, p90_s: null } },
      },
    ],
  }));
  const table = within(await screen.findByRole('table', { name: 'Times to each step' }));
  const cells = table.getAllByRole('row')[1]?.querySelectorAll('th, td');
  expect([...(cells ?? [])].slice(1).map(({ textContent }) => textContent)).toEqual([
    ...['UnitICU', 'How soonWithin minutes', 'Alerts10 (2 open, 1 withdrawn)', 'Notifiedunder 1 min (under 1 min)'],
    ...['Received5 min (1 h 30 min)', 'Read back5 min (1 h 30 min)', 'Done–'],
  ]);
  expect(screen.getByRole('button', { name: 'Export CSV' })).toBeTruthy();
});

it('CHAT-23 who plans the shifts sees how often roles are called, few never told apart, as a table too; others do not', async () => {
  show({ view: 'interruptions' });
  expect(await screen.findByRole('searchbox', { name: 'Search by name, title, role or unit' })).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Interruptions' })).toBeNull();
  cleanup();
  const { api } = show({
    view: 'interruptions',
    facility: { ...takes, permissions: [...takes.permissions, 'on_call.manage'] },
  });
  const answers = { count: 10, median_s: 120, p90_s: 540 };
  const none = { count: null, median_s: null, p90_s: null };
  api.on(listInterruptions, () => ({
    data: [
      {
        role: { id: registrar.id, name: 'Clinician' },
        total: { silent: 40, aloud: null, urgent: 15, answers },
        hours: [
          { hour: 2, silent: 0, aloud: null, urgent: 15, answers },
          { hour: 9, silent: 40, aloud: 0, urgent: null, answers: none },
        ],
      },
      { role: { id: porter.id, name: 'Head nurse' }, total: null, hours: [] },
    ],
  }));
  const table = within(await screen.findByRole('table', { name: 'By role' }));
  expect(table.getAllByRole('row')[1]?.textContent).toContain('Silent40With soundfewUrgent calls15');
  expect(screen.getByText('Not shown, held by few: Head nurse')).toBeTruthy();
  const map = within(screen.getByRole('grid', { name: 'Urgent calls by role and hour' }));
  expect(map.getByLabelText('Clinician, 02:00, Urgent calls: 15').textContent).toBe('15');
  expect(map.getByLabelText('Clinician, 09:00, Urgent calls: few').textContent).toBe('few');
  expect(map.getByLabelText('Clinician, 10:00, Urgent calls: none').textContent).toBe('');
  fireEvent.change(screen.getByLabelText('Shown by hour'), { target: { value: 'median' } });
  expect(screen.getByLabelText('Clinician, 02:00, Minutes to acknowledge: 2')).toBeTruthy();
  press('Show as table');
  const rows = within(screen.getByRole('table', { name: 'By role and hour' })).getAllByRole('row');
  expect(rows[1]?.textContent).toContain('Hour02:00Silent0With soundfewUrgent calls15Acknowledged10');
  expect(rows[1]?.textContent).toContain('2 min (9 min)');
});

it('URG-1 who plans the shifts sets whom urgent messages call; others do not see it', async () => {
  show({ view: 'on-call' });
  await screen.findByRole('list', { name: 'On call' });
  expect(screen.queryByRole('button', { name: 'Who urgent messages call' })).toBeNull();
  cleanup();
  const { api } = show({
    view: 'on-call',
    facility: { ...takes, permissions: [...takes.permissions, 'on_call.manage'] },
  });
  const saved = vi.fn();
  const ladder = { steps: [{ after_min: 5, call: 'again' as const }], fallback: null, version: 0 };
  api.on(getUrgentLadder, () => ladder);
  api.on(setUrgentLadder, ({ body }) => {
    saved(body);
    return ladder;
  });
  await screen.findByRole('list', { name: 'On call' });
  press('Who urgent messages call');
  fireEvent.change(await screen.findByLabelText('Step 1, after minutes'), { target: { value: '3' } });
  press('Add step');
  fireEvent.change(screen.getByLabelText('Fallback role'), { target: { value: registrar.id } });
  press('Save');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const steps = [
    { after_min: 3, call: 'again' },
    { after_min: 8, call: 'everyone' },
  ];
  expect(saved).toHaveBeenCalledExactlyOnceWith({ expected_version: 0, steps, fallback_role_id: registrar.id });
});

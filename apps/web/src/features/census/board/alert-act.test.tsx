// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { acknowledgeAlert, type CensusAlert, getCensusAlert } from '@wardline/contract/census/board.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { CensusAlertAct } from '#/features/census/census-alert-act.tsx';
import { RealtimeContext } from '#/shared/contexts/realtime-context.ts';
import { createFakeApp, setOnline } from '#/testing/fake-app.tsx';
import { ana, anaUser, stBrigid } from '#/testing/fake-chats.ts';

const now = Date.parse('2026-11-20T14:30:00Z');
const facility: Facility = { ...stBrigid, permissions: ['census.view'] };
const open: CensusAlert = {
  id: '01970000-0000-7000-8000-0000000000c1',
  rule: 'over_high',
  unit_id: '01970000-0000-7000-8000-000000000101',
  unit_code: 'ONC',
  census_date: '2026-11-19',
  message: 'ONC 94.44% of 18 staffed beds; high is 92%',
  raised_at: '2026-11-20T13:50:00Z',
  acknowledged_at: null,
  acknowledged_by: null,
  cleared_at: null,
};
const takenBy = (name: string, at = '2026-11-20T14:02:00Z') =>
  ({ ...open, acknowledged_at: at, acknowledged_by: { id: ana.id, name } }) satisfies CensusAlert;

beforeEach(() => {
  vi.restoreAllMocks();
  vi.spyOn(Date, 'now').mockReturnValue(now);
  setOnline(true);
});

type Heard = { readonly CensusChanged: (change: unknown) => void };

function setUp(first: CensusAlert = open, permissions: Facility['permissions'] = facility.permissions) {
  const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
  const state = { alert: first, asked: 0 };
  let heard: Heard | undefined;
  app.api.on(getCensusAlert, () => {
    state.asked += 1;
    return state.alert;
  });
  const join = (_channel: unknown, _id: string, { events }: { events: Heard }) => {
    heard = events;
    return { leave: () => undefined };
  };
  app.draw(
    <RealtimeContext value={{ join } as never}>
      <CensusAlertAct id={open.id} facility={{ ...facility, permissions }} />
    </RealtimeContext>,
  );
  const tell = (census_date: string) =>
    act(async () => heard?.CensusChanged({ facility_id: facility.id, census_date, unit_id: null }));
  return { ...app, state, tell };
}

const button = () => screen.findByRole('button', { name: 'Acknowledge' });

describe('an alert in a chat', () => {
  it('CEN-9 is acknowledged where it is said, and then names who did and when', async () => {
    const { api, state } = setUp();
    api.on(acknowledgeAlert, ({ params: { facility: at, alert } }) => {
      expect([at, alert]).toEqual([facility.id, open.id]);
      state.alert = takenBy('Ruth Calloway');
      return state.alert;
    });
    fireEvent.click(await button());
    expect(await screen.findByText('Acknowledged by Ruth Calloway, 14:02')).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('CEN-9 who comes second sees who was first, and no error', async () => {
    const { api } = setUp();
    api.on(acknowledgeAlert, () => takenBy('Owen Hart', '2026-11-19T23:58:00Z'));
    fireEvent.click(await button());
    expect(await screen.findByText('Acknowledged by Owen Hart, Thu 19 Nov, 23:58')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('CEN-9 who stood on the button stands on what came of it', async () => {
    const { api } = setUp();
    api.on(acknowledgeAlert, () => takenBy('Ruth Calloway'));
    const pressed = await button();
    pressed.focus();
    fireEvent.click(pressed);
    const text = await screen.findByText(/^Acknowledged by/);
    expect(document.activeElement).toBe(text);
  });

  it('CEN-9 nobody else’s focus is taken when another one acknowledges it', async () => {
    const { state, tell } = setUp();
    await button();
    state.alert = takenBy('Ruth Calloway');
    await tell('2026-11-19');
    await screen.findByText('Acknowledged by Ruth Calloway, 14:02');
    expect(document.activeElement).toBe(document.body);
  });

  it('CEN-9 follows news of its date alone, and asks no more once somebody took it on', async () => {
    const { state, tell } = setUp();
    await button();
    const before = state.asked;
    await tell('2026-11-18');
    expect(state.asked).toBe(before);
    state.alert = takenBy('Ruth Calloway');
    await tell('2026-11-19');
    await screen.findByText('Acknowledged by Ruth Calloway, 14:02');
    const since = state.asked;
    await tell('2026-11-19');
    expect(state.asked).toBe(since);
  });

  it('CEN-9 one that cleared before anybody took it on asks for nothing', async () => {
    setUp({ ...open, cleared_at: '2026-11-20T14:10:00Z' });
    expect(await screen.findByText('Cleared, 14:10')).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('CEN-9 waits for the network with the reason beside it, and can be pressed again then', async () => {
    setUp();
    const waiting = await button();
    await act(async () => setOnline(false));
    expect(waiting.hasAttribute('disabled')).toBe(true);
    expect(screen.getByText('You are offline.')).toBeTruthy();
    await act(async () => setOnline(true));
    expect(waiting.hasAttribute('disabled')).toBe(false);
    expect(screen.queryByText(/You are offline/)).toBeNull();
  });

  it('CEN-9 says why it was not acknowledged, and keeps the button', async () => {
    const { refuse } = setUp();
    const pressed = await button();
    refuse(503);
    fireEvent.click(pressed);
    const error = await screen.findByRole('alert');
    expect(error.textContent).not.toBe('');
    expect(pressed.getAttribute('aria-describedby')).toBe(error.id);
  });

  it('CEN-9 one that did not load says so and is asked for again', async () => {
    const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
    app.refuse(500);
    app.draw(<CensusAlertAct id={open.id} facility={facility} />);
    expect(await screen.findByText('The alert status did not load.')).toBeTruthy();
    app.api.on(getCensusAlert, () => open);
    app.answer();
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await button()).toBeTruthy();
  });

  it('CEN-9 A16 without the board nothing is asked and nothing stands beside the line', async () => {
    const { state } = setUp(open, ['census.report_units']);
    await waitFor(() => expect(document.querySelector('.m-act')).toBeNull());
    expect([state.asked, screen.queryByRole('button')]).toEqual([0, null]);
  });

  it.each([403, 404])('CEN-9 A16 nothing stands beside the line where the server answers %s', async (status) => {
    const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
    app.refuse(status);
    const { container } = app.draw(<CensusAlertAct id={open.id} facility={facility} />);
    await waitFor(() => expect(container.querySelector('.m-act')).toBeNull());
    expect(container.textContent).toBe('');
  });
});

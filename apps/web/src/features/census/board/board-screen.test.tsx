// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import 'fake-indexeddb/auto';
import { datesFrom } from '@wardline/census/calendar.ts';
import { transportError } from '@wardline/client/http/api-error.ts';
import type { DeviceStore } from '@wardline/client/store/device-store.ts';
import { openDeviceStore } from '@wardline/client/store/open-device-store.ts';
import { createSilentLog } from '@wardline/client/testing/silent-log.ts';
import { acknowledgeAlert, type CensusAlert, remindUnit } from '@wardline/contract/census/board.ts';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { pageToasts } from '#/shared/contexts/show-toast.ts';
import { setOnline } from '#/testing/fake-app.tsx';
import { ana } from '#/testing/fake-chats.ts';
import { card, cards, setUpBoard } from './testing/board-page.tsx';
import { board, facility, grace, icu, now, units } from './testing/sample-board.ts';

beforeAll(() => import('@wardline/client/toasts/toasts.ts'));
beforeEach(() => {
  vi.spyOn(Date, 'now').mockReturnValue(now);
  vi.spyOn(Element.prototype, 'scrollIntoView').mockReturnValue();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

describe('the board', () => {
  it('CEN-5 the total says how many units are in, the exact share of beds taken, and what is free, blocked and apart', async () => {
    setUpBoard().draw();
    const total = await screen.findByRole('region', { name: 'Facility total' });
    expect(total.textContent).toBe(
      'In census 92 7 of 8 units in, end of Thu 19 NovStaffed beds occupied 77 of 98, 78.57 %Free, staffed 18 Blocked 3 Newborn 9 of 14Boarders 6 without a unit bed',
    );
  });

  it('CEN-5 a missing unit is told with how late it is and who was there last, and its people are reminded', async () => {
    const { api, draw } = setUpBoard();
    const reminded: unknown[] = [];
    api.on(remindUnit, ({ params, body }) => {
      reminded.push([params.date, body]);
      return { discussion_chat_id: icu.unit_id };
    });
    draw();
    const missing = await card('ICU');
    expect(missing.getByText('of 10 staffed, as of Wed 18 Nov')).toBeDefined();
    const told = missing.getAllByRole('definition').map(({ textContent }) => textContent);
    expect(told).toEqual(['01:00', '7 h 42 min', 'no']);
    expect(missing.getByText('Missing')).toBeDefined();
    fireEvent.click(missing.getByRole('button', { name: `Remind ${grace.name}` }));
    await waitFor(() =>
      expect(reminded).toEqual([['2026-11-19', { unit_id: icu.unit_id, population: 'adult_and_child' }]]),
    );
    await waitFor(() =>
      expect(
        pageToasts
          .get()
          ?.get()
          .map(({ title }) => title),
      ).toContain('Reminded Grace Mbeki'),
    );
  });

  it('F-N16 a missing report stands once on the board: on its card, where it is acknowledged too', async () => {
    const alert: CensusAlert = {
      id: grace.id,
      rule: 'report_missing',
      unit_id: icu.unit_id,
      unit_code: 'ICU',
      population: 'adult_and_child',
      census_date: '2026-11-19',
      message: 'ICU report of Thu 19 Nov missing',
      raised_at: '2026-11-20T08:40:00Z',
      acknowledged_at: null,
      acknowledged_by: null,
    };
    const before = {
      ...alert,
      id: icu.unit_id,
      census_date: '2026-11-18',
      message: 'ICU report of Wed 18 Nov missing',
    };
    const { api, draw } = setUpBoard({ shown: { alerts: [alert, before] } });
    api.on(acknowledgeAlert, () => ({ ...alert, acknowledged_at: '2026-11-20T08:42:00Z', acknowledged_by: grace }));
    draw();
    const missing = await card('ICU');
    expect(screen.getAllByText('Missing')).toHaveLength(1);
    expect(screen.queryByText(alert.message)).toBeNull();
    const others = within(screen.getByRole('region', { name: 'Alerts' })).getAllByRole('listitem');
    expect(others.map((row) => row.textContent)).toEqual([expect.stringContaining(before.message)]);
    fireEvent.click(missing.getByRole('button', { name: 'Acknowledge' }));
    expect(await missing.findByText('acknowledged by Grace Mbeki, just now')).toBeDefined();
  });

  it('F-N16 a board is loaded once: it asks when it hears of changes, and again only for those', async () => {
    const { loads, heard, subscribe, draw } = setUpBoard({ isSubscribed: false });
    draw();
    await act(async () => undefined);
    expect(loads).toEqual({ board: 0, heatmap: 0, forecast: 0 });
    await act(async () => subscribe[0]?.());
    await screen.findByRole('img', { name: /^Trend .*Expected/ });
    expect(loads).toEqual({ board: 1, heatmap: 1, forecast: 1 });
    await act(async () =>
      heard[0]?.CensusChanged({ facility_id: facility.id, census_date: '2026-11-19', unit_id: null }),
    );
    await waitFor(() => expect(loads).toEqual({ board: 2, heatmap: 2, forecast: 2 }));
  });

  it('F-N16 a board without a subscription is loaded all the same, and anew once there is one', async () => {
    const { loads, subscribe, draw } = setUpBoard({ isSubscribed: false });
    draw();
    await screen.findByRole('img', { name: /^Trend .*Expected/ }, { timeout: 10_000 });
    expect(loads).toEqual({ board: 1, heatmap: 1, forecast: 1 });
    await act(async () => subscribe[0]?.());
    await waitFor(() => expect(loads).toEqual({ board: 2, heatmap: 2, forecast: 2 }));
  });

  it('CEN-5 a reminder that is refused says so where it was pressed', async () => {
    const { refuse, draw } = setUpBoard();
    draw();
    const missing = await card('ICU');
    refuse(429, { retryAfterS: 600 });
    fireEvent.click(missing.getByRole('button', { name: 'Remind Grace Mbeki' }));
    expect((await missing.findByRole('alert')).textContent).toMatch(/10 min/);
  });

  it('CEN-5 a missing unit with a discussion leads to it', async () => {
    const discussion = icu.unit_id;
    setUpBoard({ shown: { units: [{ ...icu, discussion_chat_id: discussion }] } }).draw();
    const link = await screen.findByRole('link', { name: 'Open discussion' });
    expect(link.getAttribute('href')).toBe(`/chat/f-${facility.id}/c-${discussion}`);
  });

  it('CEN-5 who may not ask for a report is not offered to', async () => {
    setUpBoard({ permissions: ['census.view', 'census.report_units'] }).draw();
    expect((await card('ICU')).getByText('Missing')).toBeDefined();
    expect(screen.queryByRole('button', { name: /^Remind/ })).toBeNull();
  });

  it('CEN-5 cards stand by pressure, each with its beds, its flow, who counted when and how its report stands', async () => {
    setUpBoard().draw();
    expect((await cards()).map((one) => within(one).getByRole('heading').textContent)).toEqual([
      'ICU',
      'ONC',
      'SUR 2B',
      'MED 3A',
      'PED',
      'NUR',
      'MAT',
      'ED',
    ]);
    const oncology = await card('ONC');
    expect(oncology.getByText('Over 92 %')).toBeDefined();
    expect(
      oncology.getByRole('img', { name: '17 of 18 staffed beds occupied, 0 blocked, 1 free, 94.44 %' }),
    ).toBeDefined();
    const surgery = await card('SUR 2B');
    expect(surgery.getByText('Submitted')).toBeDefined();
    expect(surgery.getByText('1, 2')).toBeDefined();
    expect(surgery.getByText('Counted, end of Thu 19 Nov').getAttribute('datetime')).toBe('2026-11-20T00:00:00Z');
    expect((await card('PED')).getByText(', handed in late')).toBeDefined();
    expect((await card('ED')).queryByRole('img')).toBeNull();
    expect((await card('ED')).queryByText(/^Waiting/)).toBeNull();
  });

  it('CEN-1 CEN-5 a head count that differs is marked on its card and in its row, by how many and why', async () => {
    const differing = units.map((unit) =>
      unit.unit_code === 'MED 3A'
        ? { ...unit, variance: 1, variance_reason: 'One came back unseen.' }
        : { ...unit, variance: 0 },
    );
    setUpBoard({ shown: { units: differing } }).draw();
    const note = (await card('MED 3A')).getByText('Head count +1').parentElement;
    expect(note?.textContent).toBe('Head count +1One came back unseen.');
    fireEvent.click(screen.getByRole('radio', { name: 'Table' }));
    const row = within(await screen.findByRole('row', { name: /^MED 3A/ }));
    expect(row.getByText('Head count +1').parentElement?.textContent).toContain('One came back unseen.');
    expect(screen.getAllByText(/^Head count [+−]/)).toHaveLength(1);
  });

  it('CEN-5 CEN-8 a place without beds says how many wait for as long as the facility calls boarding, where that is known', async () => {
    const told = units.map((one) => (one.unit_code === 'ED' ? { ...one, boarding_over: 2 } : one));
    setUpBoard({ shown: { units: told, boarding_hours: 4 } }).draw();
    expect((await card('ED')).getByText('Waiting 4 h or longer').nextElementSibling?.textContent).toBe('2');
    expect((await card('MED 3A')).queryByText(/^Waiting/)).toBeNull();
  });

  it('CEN-5 a card leads to its report, and where one may not open reports to its calendar alone', async () => {
    const { draw } = setUpBoard();
    const { unmount } = draw();
    const link = (await card('MED 3A')).getByRole('link', { name: 'MED 3A' });
    expect(link.getAttribute('href')).toBe(
      `/census-unit?unit=${units[0]?.unit_id}&date=2026-11-19&population=adult_and_child`,
    );
    unmount();
    setUpBoard({ permissions: ['census.view'] }).draw();
    const viewed = await card('SUR 2B');
    expect(viewed.queryByRole('link')).toBeNull();
    expect(await screen.findByRole('grid', { name: 'Reports of MED 3A' })).toBeDefined();
    fireEvent.click(viewed.getByRole('button', { name: 'Calendar of SUR 2B' }));
    expect(screen.getByRole('grid', { name: 'Reports of SUR 2B' })).toBeDefined();
  });

  it('CEN-5 the same units stand in a table, by pressure until a head is pressed', async () => {
    setUpBoard().draw();
    fireEvent.click(await screen.findByRole('radio', { name: 'Table' }));
    const table = screen.getByRole('table', { name: 'Units' });
    const names = () =>
      within(table)
        .getAllByRole('rowheader')
        .map(({ textContent }) => textContent);
    expect(names().slice(0, 3)).toEqual(['ICU', 'ONC', 'SUR 2B']);
    press('Free');
    expect(names().slice(0, 2)).toEqual(['ONC', 'SUR 2B']);
    expect(within(table).getByRole('columnheader', { name: 'Free' }).getAttribute('aria-sort')).toBe('ascending');
    press('Free');
    expect(names().slice(0, 2)).toEqual(['MAT', 'MED 3A']);
    // Who has no free beds to tell of is last either way.
    expect(names().slice(-2).sort()).toEqual(['ED', 'ICU']);
  });
});

describe('what asks to be looked at', () => {
  const alert: CensusAlert = {
    id: icu.unit_id,
    rule: 'over_high',
    unit_id: units[5]?.unit_id ?? null,
    unit_code: 'ONC',
    census_date: '2026-11-19',
    message: 'ONC is over 92 %',
    raised_at: '2026-11-20T08:40:00Z',
    acknowledged_at: null,
    acknowledged_by: null,
  };

  it('CEN-9 an alert names its rule and is acknowledged by the one who takes it on', async () => {
    const { api, draw } = setUpBoard({ shown: { alerts: [alert] } });
    api.on(acknowledgeAlert, () => ({ ...alert, acknowledged_at: '2026-11-20T08:42:00Z', acknowledged_by: grace }));
    draw();
    const alerts = within(await screen.findByRole('region', { name: 'Alerts' }));
    expect(alerts.getByRole('listitem').textContent).toBe(
      'ONC is over 92 %2 min agoOccupancyONC, Thu 19 NovAcknowledge',
    );
    fireEvent.click(alerts.getByRole('button', { name: 'Acknowledge' }));
    expect(await alerts.findByText('ONC, Thu 19 Nov · acknowledged by Grace Mbeki, just now')).toBeDefined();
    expect(alerts.queryByRole('button')).toBeNull();
  });

  it('CEN-9 an acknowledgement that fails says why and can be tried again', async () => {
    const { refuse, draw } = setUpBoard({ shown: { alerts: [alert] } });
    draw();
    const alerts = within(await screen.findByRole('region', { name: 'Alerts' }));
    refuse(403, { message: 'You may not do this.' });
    fireEvent.click(alerts.getByRole('button', { name: 'Acknowledge' }));
    expect(await alerts.findByText('You may not do this.')).toBeDefined();
    expect(alerts.getByRole('button', { name: 'Acknowledge' })).toBeDefined();
  });
});

describe('how true it is', () => {
  it('CEN-5 the board asks again when it hears that something changed', async () => {
    const { state, heard, draw } = setUpBoard();
    draw();
    await cards();
    state.board = {
      ...board,
      units: [
        {
          ...icu,
          conditions: [],
          status: 'submitted',
          occupied: 9,
          basis: 'report',
          counted_at: '2026-11-20T00:00:00Z',
        },
      ],
    };
    heard[0]?.CensusChanged({ facility_id: facility.id, census_date: '2026-11-19', unit_id: null });
    await waitFor(async () => expect(await cards()).toHaveLength(1));
  });

  it('F-C8 31 events at once load board, heat map and forecast once, abort nothing, and leave pictures of other dates', async () => {
    const { api, draw, heard } = setUpBoard();
    draw();
    await cards();
    await screen.findByRole('region', { name: 'Next 7 days' });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    let aborted = 0;
    api.around = ({ init }, go) => {
      init.signal?.addEventListener('abort', () => {
        aborted += 1;
      });
      return go();
    };
    const askedFor = async (changes: readonly object[]) => {
      const before = api.asked.length;
      for (const change of changes) heard[0]?.CensusChanged({ facility_id: facility.id, unit_id: null, ...change });
      await act(() => vi.advanceTimersByTimeAsync(1000));
      return api.asked.slice(before).map((line) => line.replace(/.*\/|\?.*/g, ''));
    };
    const month = datesFrom('2026-10-20', board.census_date).map((census_date) => ({ census_date }));
    expect(month).toHaveLength(31);
    expect((await askedFor(month)).toSorted()).toEqual(['board', 'forecast', 'heatmap']);
    expect(await askedFor([{ census_date: '2024-01-01', to_date: '2024-12-31' }])).toEqual(['board']);
    expect(aborted).toBe(0);
  });

  it('CEN-5 without a network the last board stays, with its time', async () => {
    const { draw } = setUpBoard();
    draw();
    await cards();
    setOnline(false);
    expect((await screen.findByText(/Not up to date/)).parentElement?.textContent).toContain(
      'Not up to date. As of 08:42, just now; offline. It updates when you’re back online.',
    );
    expect(await cards()).toHaveLength(8);
    setOnline(true);
  });

  const ownStore = (isOwnDevice = true) =>
    openDeviceStore({
      userId: ana.id,
      log: createSilentLog(),
      isOwnDevice,
      fetchKey: async () => btoa(String.fromCharCode(...new Uint8Array(32).fill(7))),
    });
  const kept = (store: DeviceStore) => store.meta(`census/board/${facility.id}`);

  it('CEN-5 over a reload without a network the last board is there with its age, every figure says as of when, and nothing can be asked', async () => {
    const store = await ownStore();
    const first = setUpBoard({ store });
    const { unmount } = first.draw();
    await cards();
    await waitFor(async () => expect(await kept(store)).toBeDefined());
    unmount();
    vi.spyOn(Date, 'now').mockReturnValue(now + 3 * 60 * 60_000);
    const second = setUpBoard({ store });
    second.api.around = async () => Promise.reject(transportError('network', 'offline'));
    setOnline(false);
    second.draw();
    expect(await cards()).toHaveLength(8);
    expect(screen.getByText(/; offline/).textContent).toContain(
      'As of 08:42, 3 h ago; offline. It updates when you’re back online.',
    );
    const total = screen.getByRole('region', { name: 'Facility total' });
    expect(within(total).getAllByText('as of 08:42')).toHaveLength(6);
    for (const one of await cards()) expect(within(one).getByText('as of 08:42')).toBeDefined();
    // What came in since is not known: how late a unit is stands still.
    expect((await card('ICU')).getByText('7 h 42 min')).toBeDefined();
    const asks = screen.getAllByRole<HTMLButtonElement>('button', { name: /^(Remind|Acknowledge)/ });
    expect(asks.map(({ disabled }) => disabled)).toEqual(asks.map(() => true));
    setOnline(true);
  });

  it('CEN-5 A32 a shared device keeps no board', async () => {
    const store = await ownStore(false);
    setUpBoard({ store }).draw();
    await cards();
    expect(await kept(store)).toBeUndefined();
  });

  it('CEN-5 a board that may not be seen any more is neither shown nor kept', async () => {
    const store = await ownStore();
    const first = setUpBoard({ store });
    const { unmount } = first.draw();
    await cards();
    await waitFor(async () => expect(await kept(store)).toBeDefined());
    unmount();
    const second = setUpBoard({ store });
    second.refuse(403, { message: 'You may not see this.' });
    second.draw();
    expect(await screen.findByRole('heading', { name: 'The board did not load' })).toBeDefined();
    expect(screen.queryByRole('region', { name: 'Facility total' })).toBeNull();
    await waitFor(async () => expect(await kept(store)).toBeUndefined());
  });

  it('CEN-5 a board that did not load says so and is asked again', async () => {
    const { refuse, answer, draw } = setUpBoard();
    refuse(503, { message: 'Busy.' });
    draw();
    expect(await screen.findByRole('heading', { name: 'The board did not load' })).toBeDefined();
    answer();
    press('Retry');
    expect(await cards()).toHaveLength(8);
  });

  it('CEN-5 a facility without units says who adds them', async () => {
    setUpBoard({ shown: { units: [] } }).draw();
    expect(await screen.findByRole('heading', { name: 'No units report a census' })).toBeDefined();
    expect(screen.queryByRole('link', { name: 'Add your units' })).toBeNull();
  });

  it('CEN-5 ADM-1 a facility whose units have their first day now says when they show', async () => {
    setUpBoard({ shown: { units: [] }, permissions: ['census.view', 'census.configure'], unitCount: 1 }).draw();
    expect(await screen.findByRole('heading', { name: 'No counts yet' })).toBeDefined();
    const why = 'No unit reported for Thu 19 Nov 2026. A unit shows here once its first day is over.';
    expect(screen.getByText(why)).toBeDefined();
    expect(screen.queryByRole('link', { name: 'Add your units' })).toBeNull();
  });

  it('CEN-5 ADM-1 to whoever may set the census up it leads there', async () => {
    setUpBoard({ shown: { units: [] }, permissions: ['census.view', 'census.configure'] }).draw();
    const link = await screen.findByRole('link', { name: 'Add your units' });
    expect(link.getAttribute('href')).toBe('/census?view=settings#units');
  });
});

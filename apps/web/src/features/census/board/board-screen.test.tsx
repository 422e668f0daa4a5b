// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import 'fake-indexeddb/auto';
import { transportError } from '@wardline/client/http/api-error.ts';
import type { DeviceStore } from '@wardline/client/store/device-store.ts';
import { createMemoryStore } from '@wardline/client/store/memory-store.ts';
import { openDeviceStore } from '@wardline/client/store/open-device-store.ts';
import { createSilentLog } from '@wardline/client/testing/silent-log.ts';
import {
  acknowledgeAlert,
  type CensusAlert,
  getCensusBoard,
  getCensusForecast,
  getCensusHeatmap,
  remindUnit,
} from '@wardline/contract/census-board.ts';
import type { Facility } from '@wardline/contract/facilities.ts';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { DeviceContext } from '#/page/device-context.ts';
import { RealtimeContext } from '#/page/realtime-context.ts';
import { pageToasts } from '#/page/show-toast.ts';
import { createFakeApp, setOnline } from '#/testing/fake-app.tsx';
import { ana, anaUser } from '#/testing/fake-chats.ts';
import { BoardScreen } from './board-screen.tsx';
import { board, facility, forecast, grace, heatmap, icu, now, series, units } from './testing/sample-board.ts';
import type { Board, Forecast } from './use-board.ts';

// Parts of the page load when they are first needed.
configure({ asyncUtilTimeout: 8000 });

const router = vi.hoisted(() => ({ navigate: vi.fn(async () => undefined) }));
vi.mock('@tanstack/react-router', () => ({ useRouter: () => router }));

beforeAll(() => import('@wardline/client/toasts/toasts.ts'));
beforeEach(() => {
  router.navigate.mockClear();
  vi.spyOn(Date, 'now').mockReturnValue(now);
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-GB']);
  Element.prototype.scrollIntoView = vi.fn();
});
afterEach(() => void vi.restoreAllMocks());

type Heard = { readonly CensusChanged: (change: unknown) => void };

interface Setting {
  readonly store?: DeviceStore;
  readonly shown?: Partial<Board>;
  readonly seen?: Forecast;
  readonly permissions?: Facility['permissions'];
}

function setUp({
  store = createMemoryStore(ana.id),
  shown = {},
  seen = forecast,
  permissions = facility.permissions,
}: Setting = {}) {
  const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
  const state = { board: { ...board, ...shown } as Board, asked: [] as string[] };
  const heard: Heard[] = [];
  app.api.on(getCensusBoard, () => state.board);
  app.api.on(getCensusForecast, () => seen);
  app.api.on(getCensusHeatmap, ({ query: { from, to } }) => {
    const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
    state.asked.push(`${days} days to ${to}`);
    return heatmap(days, from);
  });
  const realtime = {
    join: (_channel: unknown, _id: string, { events }: { events: Heard }) => {
      heard.push(events);
      return { leave: () => undefined };
    },
  };
  const draw = () =>
    app.draw(
      <DeviceContext value={{ store, outbox: null as never }}>
        <RealtimeContext value={realtime as never}>
          <BoardScreen facility={{ ...facility, permissions }} />
        </RealtimeContext>
      </DeviceContext>,
    );
  return { ...app, state, heard, draw };
}

const cards = async () => {
  const section = await screen.findByRole('region', { name: 'Units by pressure' });
  return within(section).getAllByRole('listitem');
};
const card = async (name: string) => {
  const found = (await cards()).find((one) => within(one).getByRole('heading').textContent === name);
  if (!found) throw new Error(`There is no card of ${name}.`);
  return within(found);
};
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

describe('the board', () => {
  it('CEN-5 the total says how many units are in, the exact share of beds taken, and what is free, blocked and apart', async () => {
    setUp().draw();
    const total = await screen.findByRole('region', { name: 'Facility total' });
    expect(total.textContent).toBe(
      'In census 92 7 of 8 units inStaffed beds occupied 77 of 98, 78.57 %Free, staffed 18 Blocked 3 Newborn 9 of 14Boarders 6 in no unit bed',
    );
  });

  it('CEN-5 a missing unit is told with how late it is and who was there last, and its people are reminded', async () => {
    const { api, draw } = setUp();
    const reminded: unknown[] = [];
    api.on(remindUnit, ({ params, body }) => {
      reminded.push([params.date, body]);
      return { thread_chat_id: icu.unit_id };
    });
    draw();
    const banner = await screen.findByText(/The total leaves it out/);
    expect(banner.textContent).toBe(
      'ICU is missing. Due 01:00, 7 h 42 min late. The total leaves it out; 9 patients were there on Wed 18 Nov.',
    );
    const missing = await card('ICU');
    expect(missing.getByText('Missing')).toBeDefined();
    fireEvent.click(missing.getByRole('button', { name: `Remind ${grace.name}` }));
    await waitFor(() => expect(reminded).toEqual([['2026-11-19', { unit_id: icu.unit_id, class: 'adult_child' }]]));
    await waitFor(() =>
      expect(
        pageToasts
          .get()
          ?.get()
          .map(({ title }) => title),
      ).toContain('Reminded Grace Mbeki'),
    );
  });

  it('CEN-5 a reminder that is refused says so where it was pressed', async () => {
    const { refuse, draw } = setUp();
    draw();
    const missing = await card('ICU');
    refuse(429, { retryAfterS: 600 });
    fireEvent.click(missing.getByRole('button', { name: 'Remind Grace Mbeki' }));
    expect((await missing.findByRole('alert')).textContent).toMatch(/10 min/);
  });

  it('CEN-5 a missing unit with a thread leads to it', async () => {
    const thread = icu.unit_id;
    setUp({ shown: { units: [{ ...icu, thread_chat_id: thread }] } }).draw();
    const link = await screen.findByRole('link', { name: 'Open its thread' });
    expect(link.getAttribute('href')).toBe(`/chat/f-${facility.id}/c-${thread}`);
  });

  it('CEN-5 who may not ask for a report is not offered to', async () => {
    setUp({ permissions: ['census.view', 'census.report_units'] }).draw();
    expect((await card('ICU')).getByText('Missing')).toBeDefined();
    expect(screen.getByText('ICU is missing.')).toBeDefined();
    expect(screen.queryByRole('button', { name: /^Remind/ })).toBeNull();
  });

  it('CEN-5 cards stand by pressure, each with its beds, its flow, who counted when and how its report stands', async () => {
    setUp().draw();
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
    expect(surgery.getByText('Counted 00:00').getAttribute('datetime')).toBe('2026-11-20T00:00:00Z');
    expect((await card('PED')).getByText(', handed in late')).toBeDefined();
    expect((await card('ED')).queryByRole('img')).toBeNull();
    expect((await card('ED')).queryByText(/^Waiting/)).toBeNull();
  });

  it('CEN-5 CEN-8 a place without beds says how many wait for as long as the facility calls boarding, where that is known', async () => {
    const told = units.map((one) => (one.unit_code === 'ED' ? { ...one, boarding_over: 2 } : one));
    setUp({ shown: { units: told, boarding_hours: 4 } }).draw();
    expect((await card('ED')).getByText('Waiting 4 h or longer').nextElementSibling?.textContent).toBe('2');
    expect((await card('MED 3A')).queryByText(/^Waiting/)).toBeNull();
  });

  it('CEN-5 a card leads to its report, and where one may not open reports to its calendar alone', async () => {
    const { draw } = setUp();
    const { unmount } = draw();
    const link = (await card('MED 3A')).getByRole('link', { name: 'MED 3A' });
    expect(link.getAttribute('href')).toBe(`/census-unit?unit=${units[0]?.unit_id}&date=2026-11-19&class=adult_child`);
    unmount();
    setUp({ permissions: ['census.view'] }).draw();
    const viewed = await card('SUR 2B');
    expect(viewed.queryByRole('link')).toBeNull();
    expect(await screen.findByRole('grid', { name: 'Reports of MED 3A' })).toBeDefined();
    fireEvent.click(viewed.getByRole('button', { name: 'Calendar of SUR 2B' }));
    expect(screen.getByRole('grid', { name: 'Reports of SUR 2B' })).toBeDefined();
  });

  it('CEN-5 the same units stand in a table, by pressure until a head is pressed', async () => {
    setUp().draw();
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
    const { api, draw } = setUp({ shown: { alerts: [alert] } });
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
    const { refuse, draw } = setUp({ shown: { alerts: [alert] } });
    draw();
    const alerts = within(await screen.findByRole('region', { name: 'Alerts' }));
    refuse(403, { message: 'You may not do this.' });
    fireEvent.click(alerts.getByRole('button', { name: 'Acknowledge' }));
    expect(await alerts.findByText('You may not do this.')).toBeDefined();
    expect(alerts.getByRole('button', { name: 'Acknowledge' })).toBeDefined();
  });
});

describe('pictures', () => {
  it('CEN-5 a cell of the heat map leads to the report of its unit and day', async () => {
    setUp().draw();
    const cell = await screen.findByRole('cell', { name: /^MED 3A, Wed 18 Nov 2026: 78\.57 %, 22 of 28 beds$/ });
    fireEvent.click(cell);
    expect(router.navigate).toHaveBeenCalledWith({
      href: `/census-unit?unit=${units[0]?.unit_id}&date=2026-11-18&class=adult_child`,
    });
  });

  it('CEN-5 CEN-9 the pictures name the beds that the facility counts by; what is expected stands beside staffed ones', async () => {
    const { api, draw } = setUp();
    api.on(getCensusHeatmap, ({ query: { from } }) => ({ ...heatmap(31, from), denominator: 'licensed' as const }));
    draw();
    expect(await screen.findByText('% of licensed beds')).toBeDefined();
    expect(screen.getByRole('heading', { name: 'Occupied beds and licensed beds' })).toBeDefined();
    expect(
      await screen.findByRole('img', { name: /^Trend .*: Counted \d+, Expected \d+, Staffed beds 98$/ }),
    ).toBeDefined();
  });

  it('CEN-5 for who may open nothing a cell of the heat map shows the calendar of its unit, whose days lead nowhere', async () => {
    setUp({ permissions: ['census.view'] }).draw();
    fireEvent.click(await screen.findByRole('cell', { name: /^SUR 2B, Thu 19 Nov 2026/ }));
    const calendar = await screen.findByRole('grid', { name: 'Reports of SUR 2B' });
    expect(document.activeElement?.contains(calendar)).toBe(true);
    expect(calendar.className).not.toContain('is-open');
    expect(router.navigate).not.toHaveBeenCalled();
  });

  it('CEN-5 for who compiles and reports for no unit a cell leads to its day', async () => {
    setUp({ permissions: ['census.view', 'census.report_summary'] }).draw();
    fireEvent.click(await screen.findByRole('cell', { name: /^SUR 2B, Thu 19 Nov 2026/ }));
    expect(router.navigate).toHaveBeenCalledWith({ href: '/census-summary?by=day&from=2026-11-19&to=2026-11-19' });
  });

  it('CEN-5 CEN-9 days are named in the reader’s way, in the pictures as beside them', async () => {
    vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-US']);
    setUp().draw();
    const calendar = await screen.findByRole('grid', { name: 'Reports of MED 3A' });
    expect(within(calendar).getByText('Thu Nov 19: Locked')).toBeDefined();
    expect(await screen.findByRole('img', { name: /^Trend from Tue Oct 20 to Thu Nov 19: / })).toBeDefined();
    expect(await screen.findByRole('img', { name: /^Trend from .* to Sat Nov 21: / })).toBeDefined();
  });

  it('CEN-5 a month is asked for at first, a year when it is wanted', async () => {
    const { state, draw } = setUp();
    draw();
    fireEvent.click(await screen.findByRole('radio', { name: 'Year' }));
    await waitFor(() => expect(state.asked).toEqual(['31 days to 2026-11-19', '365 days to 2026-11-19']));
  });

  it('CEN-9 the forecast shows the week to come with its typical miss and how often its range held', async () => {
    setUp().draw();
    expect(await screen.findByText(/Typical miss one day ahead: 1\.8 patients/)).toBeDefined();
    expect(screen.getByText(/it held 82 of 100 over 56 test days/)).toBeDefined();
    expect(screen.getByText('99 patients expected for 98 staffed beds.')).toBeDefined();
  });

  it('CEN-9 where there is no forecast it says why and draws none', async () => {
    setUp({
      seen: { ...forecast, series: [{ ...series, method: null, absent_because: 'too_short', points: [] }] },
    }).draw();
    expect(await screen.findByText('A forecast needs 28 days of reports.')).toBeDefined();
  });

  it('CEN-5 a picture that fails says so in its place, and the board stands', async () => {
    const { api, draw } = setUp();
    const { around } = api;
    api.around = (request, go) =>
      request.line.includes('/forecast')
        ? Promise.resolve(Response.json({ message: 'No.' }, { status: 500 }))
        : around(request, go);
    draw();
    expect(await screen.findByText('The forecast did not load')).toBeDefined();
    expect(await cards()).toHaveLength(8);
  });
});

describe('how true it is', () => {
  it('CEN-5 the board asks again when it hears that something changed', async () => {
    const { state, heard, draw } = setUp();
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

  it('CEN-5 without a network the last board stays, with its time', async () => {
    const { draw } = setUp();
    draw();
    await cards();
    setOnline(false);
    expect((await screen.findByText(/This is not the board of now/)).parentElement?.textContent).toContain(
      'This is not the board of now. As of 08:42, just now; not connected. It follows again when there is a network.',
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
    const first = setUp({ store });
    const { unmount } = first.draw();
    await cards();
    await waitFor(async () => expect(await kept(store)).toBeDefined());
    unmount();
    vi.spyOn(Date, 'now').mockReturnValue(now + 3 * 60 * 60_000);
    const second = setUp({ store });
    second.api.around = async () => Promise.reject(transportError('network', 'offline'));
    setOnline(false);
    second.draw();
    expect(await cards()).toHaveLength(8);
    expect(screen.getByText(/not connected/).textContent).toContain('As of 08:42, 3 h ago; not connected.');
    const total = screen.getByRole('region', { name: 'Facility total' });
    expect(within(total).getAllByText('as of 08:42')).toHaveLength(6);
    for (const one of await cards()) expect(within(one).getByText('as of 08:42')).toBeDefined();
    // What came in since is not known: how late a unit is stands still.
    expect(screen.getByText(/The total leaves it out/).textContent).toContain('7 h 42 min late');
    const asks = screen.getAllByRole<HTMLButtonElement>('button', { name: /^(Remind|Acknowledge)/ });
    expect(asks.map(({ disabled }) => disabled)).toEqual(asks.map(() => true));
    setOnline(true);
  });

  it('CEN-5 A32 a shared device keeps no board', async () => {
    const store = await ownStore(false);
    setUp({ store }).draw();
    await cards();
    expect(await kept(store)).toBeUndefined();
  });

  it('CEN-5 a board that may not be seen any more is neither shown nor kept', async () => {
    const store = await ownStore();
    const first = setUp({ store });
    const { unmount } = first.draw();
    await cards();
    await waitFor(async () => expect(await kept(store)).toBeDefined());
    unmount();
    const second = setUp({ store });
    second.refuse(403, { message: 'You may not see this.' });
    second.draw();
    expect(await screen.findByRole('heading', { name: 'The board did not load' })).toBeDefined();
    expect(screen.queryByRole('region', { name: 'Facility total' })).toBeNull();
    await waitFor(async () => expect(await kept(store)).toBeUndefined());
  });

  it('CEN-5 a board that did not load says so and is asked again', async () => {
    const { refuse, answer, draw } = setUp();
    refuse(503, { message: 'Busy.' });
    draw();
    expect(await screen.findByRole('heading', { name: 'The board did not load' })).toBeDefined();
    answer();
    press('Retry');
    expect(await cards()).toHaveLength(8);
  });

  it('CEN-5 a facility without units says who adds them', async () => {
    setUp({ shown: { units: [] } }).draw();
    expect(await screen.findByRole('heading', { name: 'No unit reports a census' })).toBeDefined();
  });
});

import { balanceWhile, NO_COUNTS } from '@wardline/census/balance.ts';
import { createSharedOutbox } from '@wardline/client/outbox/shared-outbox.ts';
import type { DeviceStore } from '@wardline/client/store/device-store.ts';
import { createMemoryStore } from '@wardline/client/store/memory-store.ts';
import { FakeRefusal } from '@wardline/client/testing/fake-api.ts';
import { createFakeTabs } from '@wardline/client/testing/fake-tabs.ts';
import { createSilentLog } from '@wardline/client/testing/silent-log.ts';
import { getCensusBoard } from '@wardline/contract/census/board.ts';
import { getUnitDay, putUnitDay, type UnitDay, type UnitDayEntry } from '@wardline/contract/census/unit.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { DeviceContext } from '#/shared/contexts/device-context.ts';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { ana, anaUser, leila, stBrigid } from '#/testing/fake-chats.ts';
import { CensusGrid } from '../census-grid.tsx';

const id = (number: number) => `01970000-0000-7000-8000-0000000002${String(number).padStart(2, '0')}`;
export const ids = { med: id(1), sur: id(2), nur: id(3), icu: id(4) };
export const date = '2026-11-19';
const beds = { licensed: 30, physical: 30, staffed: 28, surge: 0, blocked: 0 };
const canWrite = { edit: true, submit: true, withdraw: false, return: false, approve: false, amend: false };

export function unitDay(unit_id: string, unit_code: string, rest: Partial<UnitDay> = {}): UnitDay {
  return {
    facility_id: stBrigid.id,
    unit_id,
    unit_code,
    unit_name: `${unit_code} ward`,
    census_date: date,
    population: 'adult_and_child',
    status: 'draft',
    conditions: [],
    source: 'manual',
    version: 1,
    opening: 20,
    opening_from: '2026-11-18',
    counts: { ...NO_COUNTS, births: 0 },
    closing: null,
    present: null,
    service_days: null,
    beds,
    transfers: [],
    variance_reason: null,
    capacity_reason: null,
    note: null,
    time_zone: 'UTC',
    census_at: '2026-11-20T00:00:00Z',
    due_at: '2026-11-20T01:00:00Z',
    submitted_at: null,
    submitted_by: null,
    is_on_time: null,
    approved_at: null,
    approved_by: null,
    last_reason: null,
    discussion_chat_id: null,
    may: canWrite,
    ...rest,
  };
}

const facility: Facility = { ...stBrigid, permissions: ['census.view', 'census.report_units'] };

/** Ana's grid of MED, SUR and newborn over a server in memory; the ICU is Leila's. */
export function setUpGrid(store: DeviceStore = createMemoryStore(ana.id)) {
  const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
  const days = new Map<string, UnitDay>(
    [
      unitDay(ids.med, 'MED 3A'),
      unitDay(ids.sur, 'SUR 2B', {
        transfers: [
          { unit_id: ids.icu, unit_code: 'ICU', direction: 'in', mine: null, theirs: 2, partner_status: 'submitted' },
        ],
      }),
      unitDay(ids.nur, 'NUR', { population: 'newborn', counts: NO_COUNTS, opening: 8 }),
      unitDay(ids.icu, 'ICU', { may: { ...canWrite, edit: false, submit: false } }),
    ].map((day) => [day.unit_id, day]),
  );
  const state = { sent: [] as UnitDayEntry[] };
  const { api } = app;
  api.on(getCensusBoard, () => ({
    facility_id: stBrigid.id,
    census_date: date,
    time_zone: 'UTC',
    census_at: '2026-11-20T00:00:00Z',
    due_at: '2026-11-20T01:00:00Z',
    bands: { target: 85, high: 92, full: 100 },
    alerts: [],
    // The ICU is the fullest, so the board begins with it.
    units: [...days.values()]
      .toSorted((a, b) => Number(b.unit_id === ids.icu) - Number(a.unit_id === ids.icu))
      .map((day) => ({
        ...day,
        counts_in_occupancy: true,
        occupied: null,
        basis: null,
        counted_at: null,
        transfers_in: null,
        transfers_out: null,
        last_known: null,
        people: [day.unit_id === ids.icu ? leila : ana].map(({ id: person, name }) => ({ id: person, name })),
      })),
  }));
  api.on(getUnitDay, ({ params }) => {
    const day = days.get(params.unit);
    if (!day) throw new FakeRefusal('forbidden');
    return day;
  });
  api.on(putUnitDay, ({ params, body }) => {
    const day = days.get(params.unit);
    if (!day) throw new FakeRefusal('forbidden');
    state.sent.push(body);
    if (body.version !== day.version) throw new FakeRefusal('conflict');
    const saved: UnitDay = {
      ...day,
      counts: body.counts,
      variance_reason: body.variance_reason ?? null,
      version: day.version + 1,
      closing: balanceWhile(day.opening, body.counts)?.closing ?? null,
      ...(body.submit
        ? {
            status: 'submitted' as const,
            submitted_at: '2026-11-20T00:41:00Z',
            may: { ...canWrite, edit: false, submit: false },
          }
        : {}),
    };
    days.set(params.unit, saved);
    return saved;
  });
  const device = openDevice(store);
  const draw = (on = device) =>
    app.draw(
      <DeviceContext value={on}>
        <CensusGrid facility={facility} date={date} />
      </DeviceContext>,
    );
  return { ...app, state, days, device, draw };
}

/** Ana's device; another one of the same store is what she finds after a reload. */
export function openDevice(store: DeviceStore) {
  const log = createSilentLog();
  const outbox = createSharedOutbox({ store, userId: ana.id, log, firstKind: 'message', ...createFakeTabs() });
  void outbox.open();
  return { store, outbox };
}

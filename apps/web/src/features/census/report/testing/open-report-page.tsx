import { screen } from '@testing-library/react';
import { createSharedOutbox } from '@wardline/client/outbox/shared-outbox.ts';
import { createMemoryStore } from '@wardline/client/store/memory-store.ts';
import { createFakeTabs } from '@wardline/client/testing/fake-tabs.ts';
import { createSilentLog } from '@wardline/client/testing/silent-log.ts';
import { getCensusBoard } from '@wardline/contract/census/board.ts';
import {
  getUnitDay,
  listOwedReports,
  putUnitDay,
  type UnitDay,
  type UnitDayEntry,
} from '@wardline/contract/census/unit.ts';
import { type Facility, listUnits } from '@wardline/contract/facilities/facilities.ts';
import { board } from '#/features/census/board/testing/sample-board.ts';
import type { ReportPlace } from '#/features/census/report/engine/report-unit.ts';
import { UnitReportPage } from '#/features/census/report/unit-report-screen.tsx';
import { DeviceContext } from '#/shared/contexts/device-context.ts';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { FACILITY_ID, ICU_ID, ONC_ID, UNIT_ID } from './fake-report.ts';

export const ME = '01970000-0000-7000-8000-0000000000a1';
const facility: Facility = {
  id: FACILITY_ID,
  name: 'St. Brigid General',
  code: 'SB',
  time_zone: 'UTC',
  hour_cycle: 'h23',
  date_order: 'dmy',
  unit_count: 3,
  permissions: ['census.report_units'],
};
const unit = (id: string, code: string, position: number) => ({
  id,
  code,
  name: `Unit ${code}`,
  kind: 'ward',
  position,
});

/** The page of Ana, before a server that holds one report and one that comes after it. */
export function openPage(day: UnitDay, asked: ReportPlace | null = null, mine: Facility['permissions'] = []) {
  const app = createFakeApp();
  const server = { day, seen: [] as UnitDayEntry[], hasNext: true, board };
  const second = { ...day, census_date: '2026-11-20' };
  app.api.on(listOwedReports, () => ({
    data: [server.day, ...(server.hasNext ? [second] : [])].filter(
      ({ status }) => status === 'draft' || status === 'returned',
    ),
    next_cursor: null,
  }));
  app.api.on(listUnits, () => ({ data: [unit(UNIT_ID, 'MED 3A', 1), unit(ICU_ID, 'ICU', 2), unit(ONC_ID, 'ONC', 3)] }));
  app.api.on(getCensusBoard, () => server.board);
  app.api.on(getUnitDay, ({ params }) => (params.date === second.census_date ? second : server.day));
  app.api.on(putUnitDay, ({ body }) => {
    server.seen.push(body);
    const { submit, counts } = body;
    const handedIn = { submitted_at: '2026-11-20T00:38:00Z', is_on_time: true, closing: 23, service_days: 23 };
    server.day = {
      ...server.day,
      counts,
      version: server.day.version + 1,
      ...(submit ? { status: 'submitted' as const, ...handedIn, may: { ...server.day.may, edit: false } } : {}),
    };
    return server.day;
  });
  const store = createMemoryStore(ME);
  const outbox = createSharedOutbox({
    store,
    userId: ME,
    log: createSilentLog(),
    firstKind: 'message',
    ...createFakeTabs(),
  });
  void outbox.open();
  app.draw(
    <DeviceContext value={{ store, outbox }}>
      <UnitReportPage facility={{ ...facility, permissions: [...facility.permissions, ...mine] }} asked={asked} />
    </DeviceContext>,
  );
  return { app, server, store };
}

export const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });

export async function openedSheet(): Promise<HTMLElement> {
  return await screen.findByRole('form', { name: 'Report of Medical ward 3A' });
}

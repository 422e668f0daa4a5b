// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { createMemoryStore } from '@wardline/client/store/memory-store.ts';
import { getCensusBoard } from '@wardline/contract/census/board.ts';
import {
  listOwedReports,
  listReportsToApprove,
  type OwedReport,
  type ReportsToApprove,
} from '@wardline/contract/census/unit.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { board, facility, icu, units } from '#/features/census/board/testing/sample-board.ts';
import { CensusOwed, CensusToday } from '#/features/census/census-dashboard.tsx';
import { DeviceContext } from '#/shared/contexts/device-context.ts';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { ana, anaUser, harbour } from '#/testing/fake-chats.ts';

beforeEach(() => {
  vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-20T00:38:00Z'));
});
afterEach(() => void vi.restoreAllMocks());

const owed = (code: string, more: Partial<OwedReport> = {}): OwedReport => ({
  facility_id: facility.id,
  unit_id: icu.unit_id,
  unit_code: code,
  unit_name: code,
  census_date: '2026-11-19',
  population: 'adult_and_child',
  status: 'draft',
  conditions: ['due'],
  version: 0,
  time_zone: 'UTC',
  census_at: '2026-11-20T00:00:00Z',
  due_at: '2026-11-20T01:00:00Z',
  last_reason: null,
  ...more,
});

function setUp(reports: readonly OwedReport[], facilities: readonly Facility[] = [facility]) {
  const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
  app.api.on(listOwedReports, () => ({ data: [...reports], next_cursor: null }));
  app.api.on(getCensusBoard, () => board);
  app.api.on(listReportsToApprove, () => ({ data: [] }));
  const device = { store: createMemoryStore(ana.id), outbox: null as never };
  const draw = (page: ReactNode) => app.draw(<DeviceContext value={device}>{page}</DeviceContext>);
  return { ...app, draw, facilities };
}
const rows = async () => (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent);

describe('reports owed', () => {
  it('CEN-1 the dashboard lists what my units owe, with the time left, and leads to each', async () => {
    const { draw, facilities } = setUp([
      owed('MED 3A', { version: 3 }),
      owed('SUR 2B', { census_date: '2026-11-18', due_at: '2026-11-19T01:00:00Z', conditions: ['missing'] }),
      owed('ICU', { unit_id: crypto.randomUUID(), status: 'returned', last_reason: 'transfers do not match' }),
    ]);
    draw(<CensusOwed facilities={facilities} />);
    expect(await rows()).toEqual([
      '22 minleftMED 3A, Thu 19 Novdue 01:00, begunContinue',
      '23 h 38 minlateSUR 2B, Wed 18 Novdue 01:00, not startedReport',
      'ReturnedICU, Thu 19 Novreturned: transfers do not matchAnswer',
    ]);
    expect(screen.getByRole('link', { name: 'Continue' }).getAttribute('href')).toBe(
      `/census-unit?unit=${icu.unit_id}&date=2026-11-19&population=adult_and_child`,
    );
    expect(screen.getByText('3 reports')).toBeDefined();
  });

  it('CEN-1 who works at several facilities sees which one a report is of', async () => {
    const { draw } = setUp([owed('MED 3A')]);
    draw(<CensusOwed facilities={[facility, { ...harbour, permissions: ['census.report_units'] }]} />);
    expect((await rows())[0]).toContain('St. Brigid General · due 01:00, not started');
  });

  it('CEN-1 nothing owed is said, and who reports nowhere is not asked', async () => {
    const { draw, facilities, api } = setUp([]);
    const { unmount } = draw(<CensusOwed facilities={facilities} />);
    expect(await screen.findByText('No reports due from your units')).toBeDefined();
    unmount();
    api.asked.length = 0;
    draw(<CensusOwed facilities={[{ ...facility, permissions: ['census.view'] }]} />);
    expect(document.body.textContent).toBe('');
    expect(api.asked).toEqual([]);
  });
});

describe('reports to approve', () => {
  const waiting = (census_date: string, codes: readonly string[]): ReportsToApprove => ({
    facility_id: facility.id,
    census_date,
    time_zone: 'UTC',
    reports: codes.map((unit_code) => ({ unit_id: icu.unit_id, unit_code, population: 'adult_and_child' })),
  });
  const officer = (permissions: Facility['permissions']) => [{ ...facility, permissions }];

  it('CEN-6 the dashboard shows an officer how many reports wait, of which days and units, and leads to each day', async () => {
    const { draw, api } = setUp([]);
    api.on(listReportsToApprove, () => ({
      data: [waiting('2026-11-18', ['ICU']), waiting('2026-11-19', ['MED 3A', 'SUR 2B'])],
    }));
    draw(<CensusOwed facilities={officer(['census.report_summary', 'census.report_units'])} />);
    const section = within(await screen.findByRole('region', { name: 'Census reports to approve' }));
    expect((await section.findAllByRole('listitem')).map(({ textContent }) => textContent)).toEqual([
      '1to approveWed 18 NovICUReview',
      '2to approveThu 19 NovMED 3A and SUR 2BReview',
    ]);
    expect(section.getByText('3 reports')).toBeDefined();
    expect(section.getByRole('link', { name: 'Review Thu 19 Nov' }).getAttribute('href')).toBe(
      `/census-summary?by=day&from=2026-11-19&to=2026-11-19&facility=${facility.id}`,
    );
    expect(screen.queryByText('No reports due')).toBeNull();
  });

  it('CEN-6 SHELL-7 days that do not fit the card are a press away, at which a keyboard goes on', async () => {
    const { draw, api } = setUp([]);
    const dates = [1, 2, 3, 4, 5, 6, 7].map((day) => `2026-11-0${day}`);
    api.on(listReportsToApprove, () => ({ data: dates.map((date) => waiting(date, ['ICU'])) }));
    draw(<CensusOwed facilities={officer(['census.report_summary'])} />);
    const section = within(await screen.findByRole('region', { name: 'Census reports to approve' }));
    expect(await section.findAllByRole('listitem')).toHaveLength(5);
    fireEvent.click(section.getByRole('button', { name: 'Show 2 more days' }));
    expect(section.getAllByRole('listitem')).toHaveLength(7);
    expect(section.queryByRole('button')).toBeNull();
    expect(document.activeElement).toBe(section.getByRole('link', { name: 'Review Fri 6 Nov' }));
  });

  it('CEN-6 who approves without the summary is led to a report, and where nothing waits there is no card', async () => {
    const { draw, api } = setUp([]);
    const answers = [{ data: [waiting('2026-11-19', ['MED 3A'])] }, { data: [] }];
    api.on(listReportsToApprove, () => answers.shift() ?? { data: [] });
    const { unmount } = draw(<CensusOwed facilities={officer(['census.approve'])} />);
    expect((await screen.findByRole('link', { name: 'Review Thu 19 Nov' })).getAttribute('href')).toBe(
      `/census-unit?unit=${icu.unit_id}&date=2026-11-19&population=adult_and_child`,
    );
    unmount();
    draw(<CensusOwed facilities={officer(['census.approve'])} />);
    await waitFor(() => expect(answers).toEqual([]));
    await waitFor(() => expect(screen.queryByRole('region')).toBeNull());
  });
});

describe('occupancy now', () => {
  it('CEN-5 the dashboard shows how full each unit is, and what a unit that is not in had last', async () => {
    const { draw, facilities } = setUp([]);
    draw(<CensusToday facilities={facilities} currentId={facility.id} />);
    const strip = within(await screen.findByRole('region', { name: 'Occupancy now' }));
    await strip.findByText('MED 3A');
    const tiles = strip.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(tiles).toHaveLength(units.length);
    expect(tiles).toContain('ICU9 of 10Missing, as of Wed 18 Nov');
    expect(tiles).toContain('ONC17 of 18Over 92 %');
    expect(tiles).toContain('ED6 waitingwithout a unit bed');
    expect(strip.getByText('St. Brigid General · 7 of 8 units in, end of Thu 19 Nov')).toBeDefined();
    expect(strip.getByRole('link', { name: 'Open the board' }).getAttribute('href')).toBe('/census');
  });

  it('CEN-5 who may see no board sees none on the dashboard', () => {
    const { draw, api } = setUp([]);
    draw(<CensusToday facilities={[{ ...facility, permissions: [] }]} currentId={facility.id} />);
    expect(document.body.textContent).toBe('');
    expect(api.asked).toEqual([]);
  });
});

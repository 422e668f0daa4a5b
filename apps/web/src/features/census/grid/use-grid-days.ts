import { useQuery, useQueryClient } from '@tanstack/react-query';
import { addDays } from '@wardline/census/calendar.ts';
import { serverNow } from '@wardline/client/server-clock.ts';
import { CensusClass } from '@wardline/contract/census.ts';
import { listOwedReports, type UnitDay } from '@wardline/contract/census-unit.ts';
import type { Facility } from '@wardline/contract/facilities.ts';
import { Id } from '@wardline/contract/values.ts';
import * as z from 'zod/mini';
import { askOrReadBoard } from '#/features/census/core/ask-board.ts';
import { askOrRead } from '#/features/census/core/kept-copy.ts';
import { refetchChanged } from '#/features/census/core/refetch-changed.ts';
import { useCensusChanges } from '#/features/census/core/use-census-changes.ts';
import { type AskWays, askDay } from '#/features/census/report/engine/use-reports.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useDevice } from '#/shared/contexts/device-context.ts';
import { dayIn } from '#/shared/time/zoned-time.ts';

const Report = z.object({ unit_id: Id, class: CensusClass });
type Report = z.infer<typeof Report>;

/** With a dead network a query still asks: the device has an answer. */
const always = { networkMode: 'always' } as const;

/** The reports of all units that I report for, of one census date; fresh whenever something of that date changed. */
export function useGridDays(facility: Facility, date: string) {
  const call = useCall();
  const { store } = useDevice();
  const queries = useQueryClient();
  // A report that is not begun opens with what the day before closes with.
  const queryKey = ['census-grid', facility.id, { from: addDays(date, -1), to: date }];
  const query = useQuery({
    ...always,
    queryKey,
    queryFn: async ({ signal }): Promise<UnitDay[]> => {
      const ways = { call, store };
      const reports = await myReports(ways, facility, signal);
      const days = reports.map(({ unit_id, class: of }) => askDay(ways, { unit: unit_id, date, class: of }));
      return (await Promise.all(days)).map(({ value }) => value);
    },
  });
  useCensusChanges(facility.id, (change) => refetchChanged(queries, { queryKey, change, showsDrafts: true }));
  return query;
}

/** Who may see the board finds all of them there; somebody else at least those that are owed. */
async function myReports({ call, store }: AskWays, facility: Facility, signal: AbortSignal): Promise<Report[]> {
  const { id, permissions } = facility;
  if (permissions.includes('census.view')) {
    const { units } = await askOrReadBoard({ call, store, facilityId: id, signal });
    return units.filter(({ people }) => people.some((person) => person.id === store.userId));
  }
  const owed = await askOrRead({
    store,
    name: `census/grid/${id}`,
    shape: z.array(Report),
    ask: async () => {
      const { data } = await call(listOwedReports, { query: { facility: id, limit: 200 }, signal });
      return data.map(({ unit_id, class: of }) => ({ unit_id, class: of }));
    },
  });
  return [...new Map(owed.value.map((report) => [`${report.unit_id} ${report.class}`, report])).values()];
}

/** The newest census date whose hour has come, where the board may be seen; else yesterday. Null until it is known. */
export function useNewestCount({ id, permissions, time_zone }: Facility): string | null {
  const call = useCall();
  const { store } = useDevice();
  const maySee = permissions.includes('census.view');
  const query = useQuery({
    ...always,
    queryKey: ['census-grid', id, 'newest'],
    queryFn: async ({ signal }) => (await askOrReadBoard({ call, store, facilityId: id, signal })).census_date,
    enabled: maySee,
  });
  const yesterday = addDays(dayIn(time_zone, serverNow()), -1);
  return maySee ? (query.data ?? (query.isError ? yesterday : null)) : yesterday;
}

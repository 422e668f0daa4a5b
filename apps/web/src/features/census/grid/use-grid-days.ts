import { addDays } from '@wardline/census/calendar.ts';
import { serverNow } from '@wardline/client/server-clock.ts';
import { Population } from '@wardline/contract/census/census.ts';
import { listOwedReports, type UnitDay } from '@wardline/contract/census/unit.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Id } from '@wardline/contract/values.ts';
import * as z from 'zod/mini';
import { askOrReadBoard, type Board } from '#/features/census/core/ask-board.ts';
import { refetchChanged } from '#/features/census/core/changes/refetch-changed.ts';
import { useCensusChanges } from '#/features/census/core/changes/use-census-changes.ts';
import { askOrRead } from '#/features/census/core/kept-copy.ts';
import { type AskWays, askDay } from '#/features/census/report/engine/use-reports.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useDevice } from '#/shared/contexts/device-context.ts';
import { useQuery, useQueryClient } from '#/shared/queries/use-query.ts';
import { dayIn } from '#/shared/time/zoned-time.ts';
import { rowKey } from './grid-state.ts';

const Report = z.object({ unit_id: Id, population: Population });
type Report = z.infer<typeof Report>;
type BoardUnit = Board['units'][number];

/** With a dead network a query still asks: the device has an answer. */
const always = { networkMode: 'always' } as const;

/** The reports of one census date. */
export interface GridDays {
  /** Mine first, then those of the other units that I may see. */
  readonly days: readonly UnitDay[];
  /** Who reports for the units that are not mine, by the row's key; empty where nobody does. */
  readonly reporters: ReadonlyMap<string, readonly string[]>;
  /** Codes of units that are not mine and are not on this device either. */
  readonly absent: readonly string[];
}

/** The reports of all units, of one census date; fresh whenever something of that date changed. */
export function useGridDays(facility: Facility, date: string) {
  const call = useCall();
  const { store } = useDevice();
  const queries = useQueryClient();
  // A report that is not begun opens with what the day before closes with.
  const queryKey = ['census-grid', facility.id, { from: addDays(date, -1), to: date }];
  const query = useQuery({
    ...always,
    queryKey,
    queryFn: async ({ signal }): Promise<GridDays> => {
      const ways = { call, store };
      const { mine, others } = await listReports(ways, facility, signal);
      const ask = ({ unit_id, population: of }: Report) => askDay(ways, { unit: unit_id, date, population: of });
      const [own, theirs] = await Promise.all([
        Promise.all(mine.map(ask)),
        // What is only read must not keep from me what I have to write.
        Promise.allSettled(others.map(ask)),
      ]);
      const read = theirs.flatMap((asked) => (asked.status === 'fulfilled' ? [asked.value] : []));
      return {
        days: [...own, ...read].map(({ value }) => value),
        reporters: new Map(others.map((unit) => [rowKey(unit), unit.people.map(({ name }) => name)])),
        absent: others.flatMap(({ unit_code }, index) => (theirs[index]?.status === 'rejected' ? [unit_code] : [])),
      };
    },
  });
  useCensusChanges(facility.id, (change) => refetchChanged(queries, { queryKey, change, showsDrafts: true }));
  return query;
}

interface Reports {
  readonly mine: readonly Report[];
  readonly others: readonly BoardUnit[];
}

/** Who may see the board finds all units there; somebody else at least those of their own that are owed. */
async function listReports({ call, store }: AskWays, facility: Facility, signal: AbortSignal): Promise<Reports> {
  const { id, permissions } = facility;
  if (permissions.includes('census.view')) {
    const { units } = await askOrReadBoard({ call, store, facilityId: id, signal });
    const isMine = ({ people }: BoardUnit) => people.some((person) => person.id === store.userId);
    return { mine: units.filter(isMine), others: units.filter((unit) => !isMine(unit)) };
  }
  const owed = await askOrRead({
    store,
    name: `census/grid/${id}`,
    shape: z.array(Report),
    ask: async () => {
      const { data } = await call(listOwedReports, { query: { facility: id, limit: 200 }, signal });
      return data.map(({ unit_id, population: of }) => ({ unit_id, population: of }));
    },
  });
  return { mine: [...new Map(owed.value.map((report) => [rowKey(report), report])).values()], others: [] };
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

import { useQuery } from '@tanstack/react-query';
import { addDays } from '@wardline/census/calendar.ts';
import type { Call } from '@wardline/client/http/call.ts';
import { getUser } from '@wardline/contract/auth.ts';
import { getUnitDay, listOwedReports, type UnitDay } from '@wardline/contract/census.ts';
import { getCensusBoard } from '@wardline/contract/census-facility.ts';
import type { Facility } from '@wardline/contract/facilities.ts';
import { useCall } from '#/page/call-context.ts';
import { dayIn } from '#/page/zoned-time.ts';
import { useCensusNews } from '../use-census-news.ts';

type Report = Pick<UnitDay, 'unit_id' | 'class'>;

/** The reports of all units that I report for, of one census date; fresh whenever something of that date changed. */
export function useGridDays(facility: Facility, date: string) {
  const call = useCall();
  const query = useQuery({
    queryKey: ['census-grid', facility.id, date],
    queryFn: async ({ signal }) => {
      const reports = await myReports(call, facility, signal);
      const days = reports.map(({ unit_id, class: name }) =>
        call(getUnitDay, { params: { unit: unit_id, date, class: name }, signal }),
      );
      return Promise.all(days);
    },
  });
  useCensusNews(facility.id, (change) => {
    if (change === null || change.census_date === date) void query.refetch();
  });
  return query;
}

/** Who may see the board finds all of them there; somebody else at least those that are owed. */
async function myReports(call: Call, { id, permissions }: Facility, signal: AbortSignal): Promise<Report[]> {
  if (permissions.includes('census.view')) {
    const [me, board] = await Promise.all([
      call(getUser, { signal }),
      call(getCensusBoard, { params: { facility: id }, signal }),
    ]);
    return board.units.filter(({ people }) => people.some((person) => person.id === me.id));
  }
  const owed = await call(listOwedReports, { query: { facility: id, limit: 200 }, signal });
  const seen = new Map(owed.data.map((report) => [`${report.unit_id} ${report.class}`, report]));
  return [...seen.values()];
}

/** The newest census date whose hour has come, where the board may be seen; else yesterday. Null until it is known. */
export function useNewestCount({ id, permissions, time_zone }: Facility): string | null {
  const call = useCall();
  const maySee = permissions.includes('census.view');
  const query = useQuery({
    queryKey: ['census-grid', id, 'newest'],
    queryFn: async ({ signal }) => (await call(getCensusBoard, { params: { facility: id }, signal })).census_date,
    enabled: maySee,
  });
  const yesterday = addDays(dayIn(time_zone, Date.now()), -1);
  return maySee ? (query.data ?? (query.isError ? yesterday : null)) : yesterday;
}

import { addDays, type CensusDate } from '@wardline/census/calendar.ts';
import type { Call } from '@wardline/client/http/call.ts';
import { serverNow } from '@wardline/client/server-clock.ts';
import { getCensusHeatmap } from '@wardline/contract/census/board.ts';
import { getFacilityDay, getSignedDay, type UnitOfDay } from '@wardline/contract/census/day.ts';
import { getCensusSummary, type SummaryStep } from '@wardline/contract/census/summary.ts';
import { getUnitDay } from '@wardline/contract/census/unit.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { useCallback } from 'react';
import type { Period } from '#/features/census/core/period/period.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '#/shared/queries/use-query.ts';
import { dayIn } from '#/shared/time/zoned-time.ts';
import { refetchChanged } from './refetch-changed.ts';
import { useCensusChanges } from './use-census-changes.ts';

export type Heatmap = ReplyOf<typeof getCensusHeatmap>;

/** Of everything that the summary of a facility has loaded. */
export const summaryKey = (facilityId: string) => ['census-summary', facilityId] as const;
const dayKey = (facilityId: string, date: CensusDate) =>
  [...summaryKey(facilityId), 'day', { from: date, to: date }] as const;

interface Range {
  readonly from: CensusDate;
  readonly to: CensusDate;
}

function dayOptions(call: Call, facilityId: string, date: CensusDate) {
  return queryOptions({
    queryKey: dayKey(facilityId, date),
    queryFn: ({ signal }) => call(getFacilityDay, { params: { facility: facilityId, date }, signal }),
  });
}

/** One census date of the facility. */
export function useFacilityDay(facilityId: string, date: CensusDate, { isWanted = true } = {}) {
  const call = useCall();
  return useQuery({ ...dayOptions(call, facilityId, date), enabled: isWanted });
}

/** One report of a date, with what the day does not tell of it. */
export function useReportOf(
  { facility_id: facilityId, census_date: date }: DayName,
  { unit_id: unit, population, version }: Pick<UnitOfDay, 'unit_id' | 'population' | 'version'>,
) {
  const call = useCall();
  return useQuery({
    queryKey: [...summaryKey(facilityId), 'report', unit, population, { from: date, to: date }],
    queryFn: ({ signal }) => call(getUnitDay, { params: { unit, date, population }, signal }),
    enabled: version > 0,
  });
}

/** What a census date said when it was signed. */
export function useSignedDay(facilityId: string, date: CensusDate) {
  const call = useCall();
  return useQuery({
    queryKey: [...summaryKey(facilityId), 'signed', { from: date, to: date }],
    queryFn: ({ signal }) => call(getSignedDay, { params: { facility: facilityId, date }, signal }),
  });
}

/** The sums of a period, as a whole and step by step. */
export function useSummary(facilityId: string, { from, to }: Range, by: SummaryStep = 'total') {
  const call = useCall();
  return useQuery({
    queryKey: [...summaryKey(facilityId), 'sums', by, { from, to }],
    queryFn: ({ signal }) =>
      call(getCensusSummary, { params: { facility: facilityId }, query: { from, to, by }, signal }),
  });
}

/** Every unit on every day of the period. */
export function useHeatmap(facilityId: string, { from, to }: Range, { isWanted = true } = {}) {
  const call = useCall();
  return useQuery({
    queryKey: [...summaryKey(facilityId), 'heatmap', { from, to }],
    queryFn: ({ signal }) => call(getCensusHeatmap, { params: { facility: facilityId }, query: { from, to }, signal }),
    enabled: isWanted,
  });
}

/** The newest census date whose hour has come; null until that is known. Where it cannot be told it is yesterday. */
export function useNewestDate({ id, time_zone }: Facility): CensusDate | null {
  const today = dayIn(time_zone, serverNow());
  const day = useFacilityDay(id, today);
  if (day.isPending && day.fetchStatus !== 'paused') return null;
  const hasCome = day.data !== undefined && Date.parse(day.data.census_at) <= serverNow();
  return hasCome ? today : addDays(today, -1);
}

/** Loads what is shown of the facility's summary anew when something of its dates changed. */
export function useFreshSummary(facilityId: string): void {
  const queries = useQueryClient();
  useCensusChanges(facilityId, (change) => refetchChanged(queries, { queryKey: summaryKey(facilityId), change }));
}

/** Loads what is shown of the facility's summary anew. */
export function useRefresh(facilityId: string): () => Promise<void> {
  const queries = useQueryClient();
  return useCallback(() => queries.invalidateQueries({ queryKey: summaryKey(facilityId) }), [queries, facilityId]);
}

/** The day as it is now, past what is remembered of it. */
export function fetchDayAnew(queries: QueryClient, call: Call, { facility_id, census_date }: DayName) {
  return queries.fetchQuery({ ...dayOptions(call, facility_id, census_date), staleTime: 0 });
}

interface DayName {
  readonly facility_id: string;
  readonly census_date: CensusDate;
}

/** By which steps a period is drawn: by day while its days can be told apart. */
export function stepOf({ from, to }: Pick<Period, 'from' | 'to'>): 'day' | 'month' {
  return Date.parse(to) - Date.parse(from) <= 400 * 86_400_000 ? 'day' : 'month';
}

import type { Call } from '@wardline/client/http/call.ts';
import type { DeviceStore } from '@wardline/client/store/device-store.ts';
import { getUnitDay, listOwedReports, OwedReport, UnitDay } from '@wardline/contract/census/unit.ts';
import { listUnits, Unit } from '@wardline/contract/facilities/facilities.ts';
import { useEffect } from 'react';
import * as z from 'zod/mini';
import { type HeardChange, isTouched, refetchChanged } from '#/features/census/core/changes/refetch-changed.ts';
import { askOrRead, type Copy } from '#/features/census/core/kept-copy.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useDevice } from '#/shared/contexts/device-context.ts';
import { keepPreviousData, useQuery, useQueryClient } from '#/shared/queries/use-query.ts';
import { keptNames } from './report-outbox.ts';
import type { ReportPlace } from './report-unit.ts';

/** How many owed reports are fetched ahead, so that they open without a network. */
const AHEAD = 20;

export interface AskWays {
  readonly call: Call;
  readonly store: DeviceStore;
}

/** With a dead network a query still asks: the device has an answer. */
const always = { networkMode: 'always' } as const;

export const owedKey = (facilityId: string) => ['census-owed', facilityId] as const;
const dayKey = ({ unit, date, population: of }: ReportPlace) => ['census-day', unit, date, of] as const;

export function placeOf(report: Pick<OwedReport, 'unit_id' | 'census_date' | 'population'>): ReportPlace {
  return { unit: report.unit_id, date: report.census_date, population: report.population };
}

/** The reports that my units owe, the most urgent first; also without a network. */
export function useOwedReports(facilityId: string) {
  const call = useCall();
  const { store } = useDevice();
  const queries = useQueryClient();
  const owed = useQuery({
    ...always,
    queryKey: owedKey(facilityId),
    queryFn: ({ signal }) =>
      askOrRead({
        store,
        name: `census/owed/${facilityId}`,
        shape: z.array(OwedReport),
        ask: async () => (await call(listOwedReports, { query: { facility: facilityId, limit: 100 }, signal })).data,
      }),
    refetchInterval: 5 * 60_000,
  });
  const ask = useAskDay();
  const { data } = owed;
  useEffect(() => {
    if (!data || data.isFromDevice || !store.isCaching) return;
    for (const report of data.value.slice(0, AHEAD)) {
      const place = placeOf(report);
      void queries.prefetchQuery({ ...always, queryKey: dayKey(place), queryFn: () => ask(place), staleTime: 60_000 });
    }
  }, [data, store, queries, ask]);
  return owed;
}

/** One report; also without a network, where it was seen or fetched ahead. */
export function useUnitDay(place: ReportPlace) {
  const ask = useAskDay();
  return useQuery({ ...always, queryKey: dayKey(place), queryFn: () => ask(place) });
}

function useAskDay() {
  const call = useCall();
  const { store } = useDevice();
  return (place: ReportPlace) => askDay({ call, store }, place);
}

/** A report as the server tells it, or as this device keeps it. */
export function askDay({ call, store }: AskWays, place: ReportPlace): Promise<Copy<UnitDay>> {
  return askOrRead({
    store,
    name: keptNames.day(place),
    shape: UnitDay,
    ask: () => call(getUnitDay, { params: { unit: place.unit, date: place.date, population: place.population } }),
  });
}

/** The units of the facility, to name a partner; also without a network. */
export function useKeptUnits(facilityId: string) {
  const call = useCall();
  const { store } = useDevice();
  return useQuery({
    ...always,
    queryKey: ['census-units', facilityId],
    queryFn: ({ signal }) =>
      askOrRead({
        store,
        name: `census/units/${facilityId}`,
        shape: z.array(Unit),
        ask: async () => (await call(listUnits, { params: { facility: facilityId }, signal })).data,
      }),
    staleTime: 5 * 60_000,
    placeholderData: keepPreviousData,
  });
}

/** Takes what the server answered to an act, and asks anew what else that changed. */
export function useTellReports(facilityId: string) {
  const queries = useQueryClient();
  return {
    /** The report is now this. */
    took(day: UnitDay): void {
      queries.setQueryData<Copy<UnitDay>>(dayKey(placeOf(day)), { value: day, isFromDevice: false });
      void queries.invalidateQueries({ queryKey: owedKey(facilityId) });
    },
    refresh: (place: ReportPlace) => void queries.invalidateQueries({ queryKey: dayKey(place) }),
    heard(change: HeardChange, shown: ReportPlace | null): void {
      refetchChanged(queries, { queryKey: owedKey(facilityId), change });
      if (shown && isReportTouched(change, shown))
        refetchChanged(queries, { queryKey: dayKey(shown), change, showsDrafts: true });
    },
  };
}

/** A report opens with what earlier ones of its unit close with; of other units it says only what moved on its own date. */
export function isReportTouched(change: HeardChange, { unit, date }: ReportPlace): boolean {
  const isOthers = change !== null && change.unit_id !== null && change.unit_id !== unit;
  return isOthers ? isTouched(change, { from: date, to: date }) : change === null || change.census_date <= date;
}

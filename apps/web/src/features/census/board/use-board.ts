import { addDays, type CensusDate } from '@wardline/census/calendar.ts';
import { FORECAST_HISTORY_DAYS } from '@wardline/census/forecast/forecast.ts';
import { ApiError, isTemporary } from '@wardline/client/http/api-error.ts';
import type { DeviceStore } from '@wardline/client/store/device-store.ts';
import {
  acknowledgeAlert,
  type BoardUnit,
  type CensusAlert,
  getCensusForecast,
  getCensusHeatmap,
  remindUnit,
} from '@wardline/contract/census/board.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { useEffect } from 'react';
import { askBoard, type Board, readKeptBoard } from '#/features/census/core/ask-board.ts';
import { refetchChanged } from '#/features/census/core/changes/refetch-changed.ts';
import { useCensusFollowing } from '#/features/census/core/changes/use-census-changes.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useDevice } from '#/shared/contexts/device-context.ts';
import { keepPreviousData, useQuery, useQueryClient } from '#/shared/queries/use-query.ts';

export type { Board };
export type Forecast = ReplyOf<typeof getCensusForecast>;

const keyOf = (facilityId: string) => ['census-board', facilityId] as const;
const nowKey = (facilityId: string) => [...keyOf(facilityId), 'now'] as const;
/** Nobody has to tell a board that a deadline has passed. */
const againMs = 60_000;

/** Whether the page hears what changes: asked before, everything would be asked twice. */
interface Follows {
  readonly isFollowing: boolean;
}

/** Every unit as it is now. While there is no network what was seen last stays, also over a reload, with its own time. */
export function useBoard(facilityId: string, { isFollowing }: Follows) {
  const call = useCall();
  const { store } = useDevice();
  useKeptBoard(store, facilityId);
  return useQuery({
    queryKey: nowKey(facilityId),
    queryFn: ({ signal }) => askBoard({ call, store, facilityId, signal }),
    enabled: isFollowing,
    refetchInterval: againMs,
  });
}

/** Shows what this device keeps until the server has answered. */
function useKeptBoard(store: DeviceStore, facilityId: string): void {
  const queries = useQueryClient();
  useEffect(() => {
    let isGone = false;
    void readKeptBoard(store, facilityId).then((kept) => {
      const { data, error } = queries.getQueryState<Board>(nowKey(facilityId)) ?? {};
      const isRefused = error instanceof ApiError && !isTemporary(error);
      if (isGone || kept === null || data !== undefined || isRefused) return;
      queries.setQueryData(nowKey(facilityId), kept.board, { updatedAt: kept.seen_at });
    });
    return () => {
      isGone = true;
    };
  }, [store, facilityId, queries]);
}

/** Every unit on each of so many days up to a date. */
export function useHeatmap(facilityId: string, to: CensusDate, { days, isFollowing }: Follows & { days: number }) {
  const call = useCall();
  const range = { from: addDays(to, 1 - days), to };
  return useQuery({
    queryKey: [...keyOf(facilityId), 'heatmap', range],
    queryFn: ({ signal }) => call(getCensusHeatmap, { params: { facility: facilityId }, query: range, signal }),
    enabled: isFollowing,
    // A year takes a moment: the month stays in its place until then.
    placeholderData: keepPreviousData,
  });
}

/** Next 7 days after a date, from the days up to it. */
export function useForecast(facilityId: string, to: CensusDate, { isFollowing }: Follows) {
  const call = useCall();
  const past = { from: addDays(to, 1 - FORECAST_HISTORY_DAYS), to };
  return useQuery({
    queryKey: [...keyOf(facilityId), 'forecast', past],
    queryFn: ({ signal }) => call(getCensusForecast, { params: { facility: facilityId }, signal }),
    enabled: isFollowing,
    placeholderData: keepPreviousData,
  });
}

/** Asks anew for what is shown of the facility where something of its dates has changed; true once it hears of that. */
export function useBoardChanges(facilityId: string): boolean {
  const queries = useQueryClient();
  const queryKey = keyOf(facilityId);
  return useCensusFollowing(facilityId, {
    onBegin: () => void queries.invalidateQueries({ queryKey }, { cancelRefetch: false }),
    onChange: (change) => refetchChanged(queries, { queryKey, change }),
  });
}

/** Asks the people of a unit for the report that it owes. */
export function useRemind({ facility_id, census_date }: Pick<Board, 'facility_id' | 'census_date'>) {
  const call = useCall();
  const queries = useQueryClient();
  return async ({ unit_id, population: name }: Pick<BoardUnit, 'unit_id' | 'population'>) => {
    await call(remindUnit, {
      params: { facility: facility_id, date: census_date },
      body: { unit_id, population: name },
    });
    await queries.invalidateQueries({ queryKey: nowKey(facility_id) });
  };
}

/** Says that one has seen an alert and takes care of it. */
export function useAcknowledge(facilityId: string) {
  const call = useCall();
  const queries = useQueryClient();
  return async ({ id }: Pick<CensusAlert, 'id'>) => {
    const seen = await call(acknowledgeAlert, { params: { facility: facilityId, alert: id } });
    queries.setQueryData<Board>(
      nowKey(facilityId),
      (board) => board && { ...board, alerts: board.alerts.map((alert) => (alert.id === id ? seen : alert)) },
    );
  };
}

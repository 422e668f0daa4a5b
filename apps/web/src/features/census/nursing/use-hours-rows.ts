import { statusOf } from '@wardline/client/http/api-error.ts';
import { listNursingHours, type NursingMonth, putNursingHours } from '@wardline/contract/census/nursing.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { useRef } from 'react';
import { summaryKey, useRefresh } from '#/features/census/core/changes/summary-queries.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { useQuery, useQueryClient } from '#/shared/queries/use-query.ts';
import { formatOtherValue, givenIn, type HoursRow, isUnsaved, textsOf } from './hours-row.ts';
import { type HoursText, insistingRow, type OwnRow, rowOf, typedRow, useOwnRows } from './own-rows.ts';

type Listed = ReplyOf<typeof listNursingHours>;

/** The nursing hours of a facility's month, line by line: each is saved by itself and says how it stands. */
export function useHoursRows(facilityId: string, month: string) {
  const own = useOwnRows();
  const { query, monthOf, put } = useStoredHours(facilityId, month);
  const running = useRef(new Map<string, Promise<void>>());
  const send = async (unitId: string, row: OwnRow, given: NonNullable<ReturnType<typeof givenIn>>) => {
    own.keep(unitId, { ...row, state: 'saving', text: '' });
    try {
      const saved = await put(unitId, { client_id: row.clientId, version: row.version, ...given });
      own.settle(unitId, row, { texts: textsOf(saved), version: saved.version, state: 'saved' });
    } catch (error) {
      const isStale = statusOf(error) === 409;
      if (isStale) await query.refetch();
      const theirs = isStale ? monthOf(unitId) : undefined;
      const text = theirs ? formatOtherValue(theirs) : formatFailure(error);
      own.settle(unitId, row, { state: isStale ? 'conflict' : 'failed', text });
    }
  };
  const save = async (unitId: string): Promise<void> => {
    await running.current.get(unitId);
    const [row, standing] = [own.all().get(unitId), monthOf(unitId)];
    if (!row || !standing || row.state === 'conflict' || running.current.has(unitId)) return;
    const given = givenIn(row.texts);
    if (!given || !isUnsaved({ month: standing, texts: row.texts })) return;
    const work = send(unitId, row, given).finally(() => running.current.delete(unitId));
    running.current.set(unitId, work);
    await work;
  };
  const rows = (query.data?.units ?? []).map((unit): HoursRow => rowOf(unit, own.drawn.get(unit.unit_id)));
  return { query, rows, save, ...actsOn({ own, monthOf, save }) };
}

export type HoursRows = ReturnType<typeof useHoursRows>;

/** What the server has of a month, and the way to change it. */
function useStoredHours(facilityId: string, month: string) {
  const call = useCall();
  const queries = useQueryClient();
  const refresh = useRefresh(facilityId);
  const queryKey = [...summaryKey(facilityId), 'nursing-hours', { from: `${month}-01`, to: `${month}-31` }];
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(listNursingHours, { params: { facility: facilityId, month }, signal }),
  });
  return {
    query,
    monthOf: (unitId: string) =>
      queries.getQueryData<Listed>(queryKey)?.units.find(({ unit_id }) => unit_id === unitId),
    async put(unitId: string, body: Parameters<typeof call<typeof putNursingHours>>[1]['body']) {
      const saved = await call(putNursingHours, { params: { unit: unitId, month }, body });
      const put = (unit: NursingMonth) => (unit.unit_id === unitId ? saved : unit);
      queries.setQueryData<Listed>(queryKey, (list) => list && { ...list, units: list.units.map(put) });
      void refresh();
      return saved;
    },
  };
}

interface ActContext {
  readonly own: ReturnType<typeof useOwnRows>;
  readonly monthOf: (unitId: string) => NursingMonth | undefined;
  readonly save: (unitId: string) => Promise<void>;
}

/** What can be done to the lines besides saving one. */
function actsOn({ own, monthOf, save }: ActContext) {
  return {
    type(texts: readonly HoursText[]) {
      for (const text of texts) {
        const standing = monthOf(text.unitId);
        if (standing) own.keep(text.unitId, typedRow(standing, own.all().get(text.unitId), text));
      }
    },
    /** Saves what can be saved; answers how many lines are not. */
    async saveAll() {
      await Promise.all([...own.all().keys()].map(save));
      return [...own.all()].filter(([unitId, { texts }]) => {
        const standing = monthOf(unitId);
        return standing !== undefined && isUnsaved({ month: standing, texts });
      }).length;
    },
    takeTheirs: (unitId: string) => own.keep(unitId, null),
    keepMine(unitId: string) {
      const [row, standing] = [own.all().get(unitId), monthOf(unitId)];
      if (!row || !standing) return;
      own.keep(unitId, insistingRow(standing, row));
      void save(unitId);
    },
  };
}

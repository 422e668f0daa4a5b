import { ApiError, statusOf } from '@wardline/client/http/api-error.ts';
import { getUnitDay, putUnitDay, type UnitDay } from '@wardline/contract/census.ts';
import { useEffect, useEffectEvent, useReducer, useRef } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { useCall } from '#/page/call-context.ts';
import { actionWords } from '#/page/form-trouble.ts';
import { readRow } from './grid-entry.ts';
import {
  type CellEdit,
  EMPTY_GRID,
  type GridAction,
  type GridRow,
  type GridState,
  gridReducer,
  isDirty,
} from './grid-state.ts';

const SAVE_AFTER_MS = 800;

export interface Grid {
  readonly state: GridState;
  readonly edit: (edits: readonly CellEdit[]) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  /** Saves the row and hands it in. */
  readonly submit: (row: GridRow) => void;
  readonly act: (action: Extract<GridAction, { type: 'retry' | 'keep-mine' | 'take-theirs' }>) => void;
}

/** The grid's rows as they are typed and saved: each by itself, a moment after the last change. */
export function useCensusGrid(days: readonly UnitDay[]): Grid {
  const [state, dispatch] = useReducer(gridReducer, days, openGrid);
  const send = useSendRow(dispatch);
  useEffect(() => dispatch({ type: 'heard', days }), [days]);

  const { rows } = state;
  useEffect(() => {
    const waiting = rows.filter(isToBeSaved);
    if (waiting.length === 0) return;
    const timer = setTimeout(() => waiting.forEach((row) => void send(row, false)), SAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [rows, send]);

  // Who leaves within the moment loses nothing.
  const flush = useEffectEvent(() => rows.filter(isToBeSaved).forEach((row) => void send(row, false)));
  useEffect(() => () => flush(), []);

  const retryAll = useEffectEvent(() => {
    for (const { key, save } of rows) if (save.kind === 'refused') dispatch({ type: 'retry', key });
  });
  useEffect(() => {
    window.addEventListener('online', retryAll);
    return () => window.removeEventListener('online', retryAll);
  }, []);

  return {
    state,
    edit: (edits) => dispatch({ type: 'edit', edits }),
    undo: () => dispatch({ type: 'undo' }),
    redo: () => dispatch({ type: 'redo' }),
    submit: (row) => void send(row, true),
    act: dispatch,
  };
}

function openGrid(days: readonly UnitDay[]): GridState {
  return gridReducer(EMPTY_GRID, { type: 'heard', days });
}

function isToBeSaved(row: GridRow): boolean {
  const isFree = row.save.kind === 'idle' || row.save.kind === 'saved';
  return isFree && isDirty(row) && readRow(row.day, row.typed).entry !== null;
}

function useSendRow(dispatch: (action: GridAction) => void) {
  const call = useCall();
  const ids = useRef(new Map<string, { readonly body: string; readonly id: string }>());
  // A repeat of the same save is the same request.
  const clientIdOf = (key: string, body: string): string => {
    const known = ids.current.get(key);
    if (known?.body === body) return known.id;
    const id = uuidv7();
    ids.current.set(key, { body, id });
    return id;
  };
  return useStable(async ({ key, day, typed }: GridRow, submit: boolean): Promise<void> => {
    const { entry } = readRow(day, typed);
    if (!entry) return;
    const params = { unit: day.unit_id, date: day.census_date, class: day.class };
    const body = { ...entry, version: day.version, submit };
    dispatch({ type: 'saving', key });
    try {
      const client_id = clientIdOf(key, JSON.stringify(body));
      dispatch({ type: 'saved', key, day: await call(putUnitDay, { params, body: { ...body, client_id } }) });
    } catch (error) {
      if (statusOf(error) === 409) {
        const theirs = await call(getUnitDay, { params }).catch(() => null);
        if (theirs) return dispatch({ type: 'conflict', key, theirs });
      }
      const findings = error instanceof ApiError ? error.findings : [];
      dispatch({ type: 'refused', key, message: actionWords(error), findings });
    }
  });
}

/** The same function for ever, doing what the newest one does. */
function useStable<Args extends readonly unknown[], Result>(
  work: (...args: Args) => Result,
): (...args: Args) => Result {
  const latest = useRef(work);
  useEffect(() => {
    latest.current = work;
  });
  return useRef((...args: Args) => latest.current(...args)).current;
}

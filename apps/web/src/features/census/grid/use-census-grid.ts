import type { UnitDay } from '@wardline/contract/census/unit.ts';
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { createReportEditor } from '#/features/census/report/engine/report-editor.ts';
import { reportOutbox } from '#/features/census/report/engine/report-outbox.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useDevice } from '#/shared/contexts/device-context.ts';
import { createGridEditor, type GridEditor } from './grid-editor.ts';
import type { GridState } from './grid-state.ts';

/** A grid on the page: how it stands, and what can be done with it. */
export interface Grid extends Pick<GridEditor, 'edit' | 'undo' | 'redo' | 'submit' | 'act'> {
  readonly state: GridState;
}

/** Runs the reports of one census date as rows: each is kept on this device at once, and saved when it rests. */
export function useCensusGrid(days: readonly UnitDay[], refresh: () => void): Grid {
  const call = useCall();
  const { store, outbox } = useDevice();
  const ask = useRef(refresh);
  useEffect(() => {
    ask.current = refresh;
  });
  const editor = useMemo(() => {
    const reports = reportOutbox(outbox, call);
    return createGridEditor((day) => createReportEditor({ day, store, call, reports, refresh: () => ask.current() }));
  }, [store, outbox, call]);
  useEffect(() => editor.take(days), [editor, days]);
  const stopping = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    clearTimeout(stopping.current);
    return () => {
      // Not at once: in strict mode React unmounts and mounts again in one go.
      stopping.current = setTimeout(editor.stop);
    };
  }, [editor]);
  const state = useSyncExternalStore(editor.subscribe, editor.get);
  return { ...editor, state };
}

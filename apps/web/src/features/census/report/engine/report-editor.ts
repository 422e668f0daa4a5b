import { createEngine, createRequests, type EffectHandlers, runBy } from '@wardline/client/engine.ts';
import { ApiError, isTemporary, statusOf } from '@wardline/client/http/api-error.ts';
import type { Call } from '@wardline/client/http/call.ts';
import { createSource, type Observable } from '@wardline/client/observable.ts';
import type { NewOutboxItem } from '@wardline/client/outbox/outbox.ts';
import { onServerClock } from '@wardline/client/server-clock.ts';
import type { DeviceStore } from '@wardline/client/store/device-store.ts';
import type { Finding, SummedField } from '@wardline/contract/census/census.ts';
import { putUnitDay, type UnitDay } from '@wardline/contract/census/unit.ts';
import { v7 as uuidv7 } from 'uuid';
import { readKeptDraft } from './kept-draft.ts';
import type { ReportDraft } from './report-draft.ts';
import {
  type EditorState,
  initialReport,
  type ReportChange,
  type ReportEffect,
  reduceReport,
  type SaveFailure,
} from './report-editor-reducer.ts';
import { rulesOf } from './report-findings.ts';
import { dropWaiting, keptNames, type ReportOutbox } from './report-outbox.ts';
import { isPlace, type ReportPayload, type ReportPlace } from './report-unit.ts';
import { describeFailure } from './send-report.ts';

export type { EditorState } from './report-editor-reducer.ts';

/** How long typing rests before the draft goes to the server. */
export const SAVE_AFTER_MS = 1500;

interface EditorDeps {
  readonly day: UnitDay;
  readonly store: DeviceStore;
  readonly call: Call;
  readonly reports: ReportOutbox;
  /** Asks for the report anew and hands it to `take`. */
  readonly refresh: () => void;
  readonly now?: () => number;
  readonly newId?: () => string;
}

/** One report while somebody writes it; none of it waits for the network. */
export interface ReportEditor extends Observable<EditorState> {
  /** Reads what this device keeps of the draft; what was typed before it resolves is kept. */
  open(): Promise<void>;
  change(next: (draft: ReportDraft) => ReportDraft): void;
  /** A newer answer of the server. What is typed stays; a version that does not fit it is a conflict. */
  take(day: UnitDay): void;
  /** What keeps the report from being submitted; none: it is on its way, with what the person was asked about and confirmed. */
  submit(confirmed?: readonly SummedField[]): Promise<readonly Finding[]>;
  /** Sends again what was refused. */
  retry(): Promise<void>;
  /** Takes a submitted report that has not gone out back into the draft. */
  takeBack(): Promise<void>;
  /** Goes on from the server's version with what was chosen. */
  resolve(draft: ReportDraft): void;
  stop(): void;
}

/** Runs the reducer of one report: `reduceReport` decides, the handlers do. */
export function createReportEditor(deps: EditorDeps): ReportEditor {
  const { reports, now = Date.now, newId = uuidv7 } = deps;
  const place: ReportPlace = { unit: deps.day.unit_id, date: deps.day.census_date, population: deps.day.population };
  const requests = createRequests();
  const refused = new Map<number, readonly Finding[]>();
  const items = () => reports.unsent.get().filter(({ payload }) => isPlace(payload, place));
  const initial = initialReport(deps.day, items());
  const shown = createSource<EditorState>(initial.shown);
  const dispatch = (changes: ReportChange): void =>
    engine.dispatch({ ...changes, now: now(), serverNow: onServerClock(now()), newId: newId() });
  const settle = (requestId: number, work: Promise<void>): void =>
    void work.then(
      () => requests.answer(requestId, null),
      (error) => requests.answer(requestId, { error }),
    );
  const undo = [
    reports.unsent.subscribe(() => dispatch({ type: 'outbox-changed', items: items() })),
    reports.delivered.subscribe(() => {
      const day = reports.delivered.get();
      const isMine =
        day !== null && isPlace({ unit: day.unit_id, date: day.census_date, population: day.population }, place);
      if (isMine) dispatch({ type: 'delivered', day });
    }),
  ];
  const engine = createEngine({
    initial,
    reduce: reduceReport,
    onState: (state) => shown.set(state.shown),
    run: runBy({
      ...reportHandlers({ ...deps, place, dispatch, settle }),
      refuse({ requestId, findings }) {
        refused.set(requestId, findings);
        requests.answer(requestId, null);
      },
      answer: ({ requestId }) => requests.answer(requestId, null),
      end() {
        for (const end of undo.splice(0)) end();
      },
    }),
    // A fault of ours, for whoever reports what nobody caught.
    onError: (error) =>
      queueMicrotask(() => {
        throw error;
      }),
  });
  const ask = (changes: (requestId: number) => ReportChange): Promise<void> => {
    const { requestId, done } = requests.open();
    dispatch(changes(requestId));
    return done;
  };

  return {
    get: shown.get,
    subscribe: shown.subscribe,
    open: () => ask((requestId) => ({ type: 'opened', requestId })),
    change: (change) => dispatch({ type: 'changed', change }),
    take: (day) => dispatch({ type: 'told', day }),
    async submit(confirmed = []) {
      const { requestId, done } = requests.open();
      dispatch({ type: 'submit', requestId, confirmed });
      await done;
      const findings = refused.get(requestId) ?? [];
      refused.delete(requestId);
      return findings;
    },
    retry: () => ask((requestId) => ({ type: 'retry', requestId })),
    takeBack: () => ask((requestId) => ({ type: 'take-back', requestId })),
    resolve: (draft) => dispatch({ type: 'resolved', draft }),
    stop: () => dispatch({ type: 'stopped' }),
  };
}

interface HandlerDeps extends EditorDeps {
  readonly place: ReportPlace;
  readonly dispatch: (changes: ReportChange) => void;
  /** The work of one who waits for it: it is done when this is. */
  readonly settle: (requestId: number, work: Promise<void>) => void;
}

/** What the runner does with its own hands. */
type RunnerEffect = 'refuse' | 'answer' | 'end';
type Handled = Exclude<ReportEffect, { readonly type: RunnerEffect }>;

function reportHandlers(deps: HandlerDeps): EffectHandlers<Handled> {
  const { reports, place, dispatch, settle } = deps;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const replace = async (item: NewOutboxItem<ReportPayload>): Promise<void> => {
    await dropWaiting(reports, place);
    await reports.unsent.add(item);
  };
  const queued = (): void => dispatch({ type: 'save-queued' });
  return {
    ...keepHandlers(deps),
    'start-timer'() {
      clearTimeout(timer);
      timer = setTimeout(() => dispatch({ type: 'save-due' }), SAVE_AFTER_MS);
    },
    'stop-timer': () => clearTimeout(timer),
    save: ({ item }) => void save(deps, item),
    // What cannot wait in the outbox is still kept as a draft.
    'queue-save': ({ item }) => void reports.unsent.add(item).then(queued, queued),
    'replace-save': ({ item }) => void replace(item).then(queued, queued),
    'hand-in': ({ requestId, item }) => settle(requestId, replace(item)),
    'drop-waiting': () => void dropWaiting(reports, place),
    'take-back': ({ requestId }) =>
      void dropWaiting(reports, place).then(
        () => dispatch({ type: 'taken-back', requestId }),
        (error) => settle(requestId, Promise.reject(error)),
      ),
    'retry-item': ({ requestId, clientId }) => settle(requestId, reports.unsent.retry(clientId)),
    refresh: () => deps.refresh(),
  };
}

type KeepEffect = Extract<ReportEffect, { readonly type: 'read-kept' | 'keep' | 'drop-kept' | 'keep-soon' }>;

function keepHandlers({ store, place, dispatch }: HandlerDeps): EffectHandlers<KeepEffect> {
  const name = keptNames.draft(place);
  return {
    'read-kept': ({ requestId }) =>
      void store
        .meta(name)
        .catch(() => undefined)
        .then((value) => dispatch({ type: 'kept-read', requestId, kept: readKeptDraft(value) })),
    keep: ({ kept }) =>
      void store.write([{ type: 'put-meta', name, value: kept, isCache: false }]).then(
        () => dispatch({ type: 'kept', draft: kept.draft }),
        // A notice over the page says when this device keeps nothing; the server's draft remains.
        () => undefined,
      ),
    'drop-kept': () => void store.write([{ type: 'remove-meta', name }]).catch(() => undefined),
    'keep-soon': () => queueMicrotask(() => dispatch({ type: 'keep-due' })),
  };
}

async function save({ call, dispatch }: HandlerDeps, item: NewOutboxItem<ReportPayload>): Promise<void> {
  const { unit, date, population: of, entry } = item.payload;
  const body = { ...entry, client_id: item.clientId, device_time: item.writtenAt };
  await call(putUnitDay, { params: { unit, date, population: of }, body }).then(
    (day) => dispatch({ type: 'save-answered', day }),
    (error) => dispatch({ type: 'save-failed', item, failure: toFailure(error) }),
  );
}

function toFailure(error: unknown): SaveFailure {
  return {
    isTemporary: isTemporary(error),
    isConflict: statusOf(error) === 409,
    findings: error instanceof ApiError ? rulesOf(error.findings) : [],
    reason: describeFailure(error),
  };
}

import { isHandedIn } from '@wardline/census/states.ts';
import { ApiError, isTemporary, statusOf } from '@wardline/client/http/api-error.ts';
import type { Call } from '@wardline/client/http/call.ts';
import { createSource, type Observable } from '@wardline/client/observable.ts';
import type { NewOutboxItem } from '@wardline/client/outbox/outbox.ts';
import type { OutboxItem } from '@wardline/client/outbox/outbox-item.ts';
import { onServerClock } from '@wardline/client/server-clock.ts';
import type { DeviceStore } from '@wardline/client/store/device-store.ts';
import type { Finding } from '@wardline/contract/census.ts';
import { putUnitDay, type UnitDay } from '@wardline/contract/census-unit.ts';
import { v7 as uuidv7 } from 'uuid';
import { readKeptDraft } from './kept-draft.ts';
import { meetingOf } from './reconcile-draft.ts';
import { draftOf, draftOfEntry, entryOf, isSameDraft, type ReportDraft, withPartnersOf } from './report-draft.ts';
import { earlyFindings, findingsOf, isSameEntry, rulesOf, withoutSeed } from './report-findings.ts';
import {
  dropWaiting,
  keptNames,
  laneOf,
  type ReportOutbox,
  waitingReport,
  waitingSave,
  whenAnswered,
} from './report-outbox.ts';
import { isPlace, type ReportPayload, type ReportPlace } from './report-unit.ts';
import { describeFailure } from './send-report.ts';

/** How long typing rests before the draft goes to the server. */
export const SAVE_AFTER_MS = 1500;

export interface EditorState {
  /** The report as the server last told it. */
  readonly day: UnitDay;
  /** The report on which the draft stands. */
  readonly base: UnitDay;
  readonly draft: ReportDraft;
  /** Submitted on this device and not acknowledged. */
  readonly unsent: OutboxItem<ReportPayload> | null;
  /** Typed on this device, and not on the server for want of a network; or refused when it got there. */
  readonly waiting: OutboxItem<ReportPayload> | null;
  readonly isSaving: boolean;
  /** Why the server did not save what is typed. */
  readonly refusal: string | null;
  /** When the draft was last kept, and how far it got. */
  readonly saved: { readonly at: number; readonly on: 'server' | 'device' } | null;
  /** Somebody changed the report since the draft began. */
  readonly isConflicting: boolean;
  /** What the server found wrong with what is in the draft. */
  readonly refusals: readonly Finding[];
  /** Arrived while this page was open. */
  readonly receipt: UnitDay | null;
}

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
  /** What keeps the report from being submitted; none: it is on its way. */
  submit(): Promise<readonly Finding[]>;
  /** Sends again what was refused. */
  retry(): Promise<void>;
  /** Takes a submitted report that has not gone out back into the draft. */
  takeBack(): Promise<void>;
  /** Goes on from the server's version with what was chosen. */
  resolve(draft: ReportDraft): void;
  stop(): void;
}

export function createReportEditor(deps: EditorDeps): ReportEditor {
  const { store, call, reports, now = Date.now, newId = uuidv7 } = deps;
  const place: ReportPlace = { unit: deps.day.unit_id, date: deps.day.census_date, class: deps.day.class };
  const draftName = keptNames.draft(place);
  const state = createSource<EditorState>({
    day: deps.day,
    base: deps.day,
    draft: draftOf(deps.day),
    unsent: null,
    waiting: null,
    isSaving: false,
    refusal: null,
    saved: null,
    isConflicting: false,
    refusals: [],
    receipt: null,
  });
  let isStopped = false;
  let isTyped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let saving: Promise<void> | null = null;

  const set = (part: Partial<EditorState>): void => state.set({ ...state.get(), ...part });
  const isDirty = ({ draft, base } = state.get()): boolean => !isSameDraft(draft, draftOf(base));

  const keep = (): void => {
    const { base, draft } = state.get();
    const isKept = isDirty();
    const change = isKept
      ? ({ type: 'put-meta', name: draftName, value: { base, draft }, isCache: false } as const)
      : ({ type: 'remove-meta', name: draftName } as const);
    store.write([change]).then(
      () => isKept && state.get().draft === draft && set({ saved: { at: now(), on: 'device' } }),
      // A notice over the page says when this device keeps nothing; the server's draft remains.
      () => undefined,
    );
  };

  const save = async (): Promise<void> => {
    const wasStopped = isStopped;
    await whenAnswered(reports, place);
    const { base, draft, unsent, isConflicting, day, waiting } = state.get();
    if (wasStopped || isConflicting || unsent || !day.may.edit || !isDirty()) return;
    if (findingsOf(draft, base, false).length > 0) return;
    const payload: ReportPayload = { ...place, entry: { ...entryOf(draft, base), submit: false }, base };
    if (waiting && isSameEntry(waiting.payload, payload)) return;
    const item = { clientId: newId(), lane: laneOf(place), payload, writtenAt: new Date(now()).toISOString() };
    if (waiting === null) return await send(item);
    await dropWaiting(reports, place);
    await reports.unsent.add(item);
  };
  const send = async (item: NewOutboxItem<ReportPayload>): Promise<void> => {
    const { unit, date, class: of, entry } = item.payload;
    set({ isSaving: true });
    try {
      const body = { ...entry, client_id: item.clientId, device_time: item.writtenAt };
      stored(await call(putUnitDay, { params: { unit, date, class: of }, body }));
      keep();
    } catch (error) {
      set({ isSaving: false });
      // The same request again: the server may have it, only its answer was lost.
      if (isTemporary(error)) await reports.unsent.add(item).catch(() => undefined);
      else if (statusOf(error) === 409) deps.refresh();
      else set({ refusals: error instanceof ApiError ? rulesOf(error.findings) : [], refusal: describeFailure(error) });
    }
  };
  /** What was typed is on the server; what was typed since goes there next. */
  const stored = (day: UnitDay): void => {
    const draft = withoutSeed(withPartnersOf(state.get().draft, day), day);
    set({ base: day, day, draft, refusals: [], refusal: null, isSaving: false, isConflicting: false });
    set({ saved: { at: now(), on: 'server' } });
    if (isDirty()) plan();
  };
  const saveNow = (): Promise<void> => {
    clearTimeout(timer);
    saving = (saving ?? Promise.resolve()).then(save).finally(() => {
      saving = null;
    });
    return saving;
  };
  const plan = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void saveNow(), SAVE_AFTER_MS);
  };

  const discardUnsent = (): Promise<void> => dropWaiting(reports, place);

  const take = (day: UnitDay): void => {
    const draft = withPartnersOf(state.get().draft, day);
    const meeting = meetingOf(state.get(), day);
    if (meeting === 'differs') set({ day, isConflicting: true });
    else if (meeting === 'under way') set({ day, draft, isConflicting: false });
    else if (meeting === 'untouched') set({ day, base: day, draft: draftOf(day), isConflicting: false });
    else if (meeting !== 'older') set({ day, base: day, draft, isConflicting: false });
    if (meeting === 'same' && !day.may.edit) void discardUnsent();
    if (meeting === 'moved') plan();
  };

  const followWaiting = (): void => {
    const { waiting: before } = state.get();
    const waiting = waitingSave(reports.unsent.get(), place);
    if (waiting === before) return;
    set({ waiting });
    if (waiting === null) return;
    if (!isTyped && !isDirty()) adopt(waiting);
    if (waiting.state !== 'failed') {
      set({ refusal: null });
      return;
    }
    const isOlder = waiting.refusal?.status === 409;
    set({ refusals: rulesOf(waiting.refusal?.findings ?? []), refusal: isOlder ? null : waiting.reason });
    take(state.get().day);
    if (isOlder) deps.refresh();
  };
  /** Goes on with what this device has not sent. */
  const adopt = ({ payload }: OutboxItem<ReportPayload>): void =>
    set({ base: payload.base, draft: draftOfEntry(payload.entry, payload.base) });
  const followOutbox = (): void => {
    followWaiting();
    const { unsent: before } = state.get();
    const unsent = waitingReport(reports.unsent.get(), place);
    if (unsent === before) return;
    set({ unsent });
    if (unsent === null || unsent.state !== 'failed') return;
    // After a reload the draft may be gone, the payload is not.
    if (!isTyped) adopt(unsent);
    set({ refusals: rulesOf(unsent.refusal?.findings ?? []) });
    // The newer version may have come while this one was under way.
    take(state.get().day);
    deps.refresh();
  };
  const followDelivered = (): void => {
    const day = reports.delivered.get();
    if (day === null || !isPlace({ unit: day.unit_id, date: day.census_date, class: day.class }, place)) return;
    if (!isHandedIn(day.status) || day.may.edit) {
      stored(day);
      // After the outbox has taken the kept draft away with what it sent.
      queueMicrotask(keep);
      return;
    }
    isTyped = false;
    set({ day, base: day, draft: draftOf(day), receipt: day, saved: null, isConflicting: false, refusals: [] });
  };
  const undo = [reports.unsent.subscribe(followOutbox), reports.delivered.subscribe(followDelivered)];

  return {
    get: state.get,
    subscribe: state.subscribe,
    async open() {
      followOutbox();
      const kept = readKeptDraft(await store.meta(draftName).catch(() => undefined));
      const { day, unsent, waiting } = state.get();
      if (isStopped || isTyped) return;
      if (unsent) {
        adopt(unsent);
      } else if (waiting && !kept) {
        adopt(waiting);
      } else if (kept && day.may.edit) {
        isTyped = true;
        set({ base: kept.base, draft: kept.draft });
      }
      take(day);
      if (state.get().unsent === null && isDirty()) plan();
    },
    change(next) {
      isTyped = true;
      set({ draft: next(state.get().draft), refusals: [], refusal: null, receipt: null });
      keep();
      plan();
    },
    take,
    async submit() {
      clearTimeout(timer);
      await saving;
      await whenAnswered(reports, place);
      const { draft, base, day, isConflicting } = state.get();
      if (isConflicting) return [{ code: 'VERSION_CONFLICT', field: null, message: 'Compare the two versions first.' }];
      const findings = findingsOf(draft, day, true);
      if (findings.length > 0) return findings;
      const early = earlyFindings(day, onServerClock(now()));
      set({ refusals: early });
      if (early.length > 0) return early;
      await discardUnsent();
      const writtenAt = new Date(now()).toISOString();
      const entry = { ...entryOf(draft, base), submit: true };
      const payload: ReportPayload = { ...place, entry, base };
      await reports.unsent.add({ clientId: newId(), lane: laneOf(place), payload, writtenAt });
      return [];
    },
    async retry() {
      const { waiting, unsent } = state.get();
      const kept = unsent ?? waiting;
      if (kept) return await reports.unsent.retry(kept.clientId);
      set({ refusal: null, refusals: [] });
      await saveNow();
    },
    async takeBack() {
      isTyped = true;
      await discardUnsent();
      keep();
    },
    resolve(draft) {
      const { day } = state.get();
      isTyped = true;
      set({ base: day, draft: withPartnersOf(draft, day), isConflicting: false, refusals: [], refusal: null });
      void discardUnsent();
      keep();
      plan();
    },
    stop() {
      void save();
      isStopped = true;
      clearTimeout(timer);
      for (const end of undo) end();
    },
  };
}

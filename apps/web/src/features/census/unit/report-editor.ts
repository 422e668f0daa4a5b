import { draftFindings, submitFindings } from '@wardline/census/rules.ts';
import { ApiError, statusOf } from '@wardline/client/http/api-error.ts';
import type { Call } from '@wardline/client/http/call.ts';
import { createSource, type Observable } from '@wardline/client/observable.ts';
import type { OutboxItem } from '@wardline/client/outbox/outbox-item.ts';
import type { DeviceStore } from '@wardline/client/store/device-store.ts';
import { type Finding, putUnitDay, type UnitDay } from '@wardline/contract/census.ts';
import type { BrokenRule } from '@wardline/contract/errors.ts';
import { v7 as uuidv7 } from 'uuid';
import { readKeptDraft } from './kept-draft.ts';
import {
  draftOf,
  draftOfEntry,
  entryOf,
  factsOf,
  isSameDraft,
  type ReportDraft,
  withPartnersOf,
  wrongTexts,
} from './report-draft.ts';
import { keptNames, laneOf, type ReportOutbox } from './report-outbox.ts';
import { isPlace, type ReportPayload, type ReportPlace } from './report-place.ts';

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
  /** Takes a submitted report that has not gone out back into the draft. */
  takeBack(): Promise<void>;
  /** Goes on from the server's version with what was chosen. */
  resolve(draft: ReportDraft): void;
  stop(): void;
}

/** All that is wrong with a draft by the rules that device and server share. */
export function findingsOf(draft: ReportDraft, day: UnitDay, isSubmitting: boolean): Finding[] {
  const facts = factsOf(draft, day);
  const found = [...wrongTexts(draft), ...(isSubmitting ? submitFindings(facts) : draftFindings(facts))];
  // One sentence for each field: what is typed wrongly is also missing.
  return found.filter(({ field }, index) => field === null || found.findIndex((one) => one.field === field) === index);
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
    const { base, draft, unsent, isConflicting, day } = state.get();
    if (isStopped || isConflicting || unsent || !day.may.edit || !isDirty()) return;
    if (findingsOf(draft, base, false).length > 0) return;
    const { unit, date, class: of } = place;
    try {
      const reply = await call(putUnitDay, {
        params: { unit, date, class: of },
        body: {
          ...entryOf(draft, base),
          client_id: newId(),
          submit: false,
          device_time: new Date(now()).toISOString(),
        },
      });
      const isUnchanged = state.get().draft === draft;
      set({ base: reply, day: reply, draft: withoutSeed(state.get().draft, reply), refusals: [] });
      keep();
      set({ saved: { at: now(), on: 'server' } });
      if (!isUnchanged) plan();
    } catch (error) {
      // Without an answer the draft is safe on the device, and goes with the next change.
      if (statusOf(error) === 409) deps.refresh();
      else if (error instanceof ApiError) set({ refusals: rulesOf(error.findings) });
    }
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

  const discardUnsent = async (): Promise<void> => {
    const { unsent } = state.get();
    if (unsent) await reports.unsent.discard(unsent.clientId);
  };

  const take = (day: UnitDay): void => {
    const { base, draft, unsent } = state.get();
    const isUnderWay = unsent !== null && unsent.state !== 'failed';
    if (unsent === null && !isDirty()) {
      set({ day, base: day, draft: draftOf(day), isConflicting: false });
    } else if (day.version === base.version || isUnderWay) {
      set({ day, draft: withPartnersOf(draft, day), isConflicting: false, ...(isUnderWay ? {} : { base: day }) });
    } else if (day.version > base.version) {
      // The other version may say the same, or be an earlier try of this one.
      const isSame = isSameDraft(draft, draftOf(day));
      set(isSame ? { day, base: day, isConflicting: false } : { day, isConflicting: true });
      if (isSame && !day.may.edit) void discardUnsent();
    }
  };

  const followOutbox = (): void => {
    const { unsent: before } = state.get();
    const unsent = reports.unsent.get().findLast(({ payload }) => isPlace(payload, place)) ?? null;
    if (unsent === before) return;
    set({ unsent });
    if (unsent === null || unsent.state !== 'failed') return;
    // After a reload the draft may be gone, the payload is not.
    if (!isTyped) set({ base: unsent.payload.base, draft: draftOfEntry(unsent.payload.entry, unsent.payload.base) });
    set({ refusals: rulesOf(unsent.refusal?.findings ?? []) });
    // The newer version may have come while this one was under way.
    take(state.get().day);
    deps.refresh();
  };
  const followDelivered = (): void => {
    const day = reports.delivered.get();
    if (day === null || !isPlace({ unit: day.unit_id, date: day.census_date, class: day.class }, place)) return;
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
      const { day, unsent } = state.get();
      if (isStopped || isTyped) return;
      if (unsent) {
        set({ base: unsent.payload.base, draft: draftOfEntry(unsent.payload.entry, unsent.payload.base) });
      } else if (kept && day.may.edit) {
        isTyped = true;
        set({ base: kept.base, draft: kept.draft });
      }
      take(day);
      if (state.get().unsent === null && isDirty()) plan();
    },
    change(next) {
      isTyped = true;
      set({ draft: next(state.get().draft), refusals: [], receipt: null });
      keep();
      plan();
    },
    take,
    async submit() {
      clearTimeout(timer);
      await saving;
      const { draft, base, day, isConflicting } = state.get();
      if (isConflicting) return [{ code: 'VERSION_CONFLICT', field: null, message: 'Compare the two versions first.' }];
      const findings = findingsOf(draft, day, true);
      if (findings.length > 0) return findings;
      await discardUnsent();
      const writtenAt = new Date(now()).toISOString();
      const entry = { ...entryOf(draft, base), submit: true };
      const payload: ReportPayload = { ...place, entry, base };
      await reports.unsent.add({ clientId: newId(), lane: laneOf(place), payload, writtenAt });
      return [];
    },
    async takeBack() {
      isTyped = true;
      await discardUnsent();
      keep();
    },
    resolve(draft) {
      const { day } = state.get();
      isTyped = true;
      set({ base: day, draft: withPartnersOf(draft, day), isConflicting: false, refusals: [] });
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

/** What the server found wrong with the report itself; that it is of an older version is said by the comparison. */
function rulesOf(findings: readonly BrokenRule[]): Finding[] {
  return findings.filter(({ code }) => code !== 'VERSION_CONFLICT') as Finding[];
}

/** Once stored, the opening is carried forward like any other. */
function withoutSeed(draft: ReportDraft, { opening }: UnitDay): ReportDraft {
  if (opening === null || draft.numbers.seed === '') return draft;
  return { ...draft, numbers: { ...draft.numbers, seed: '' } };
}

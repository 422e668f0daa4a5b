import { isHandedIn } from '@wardline/census/states.ts';
import type { Step } from '@wardline/client/engine.ts';
import type { NewOutboxItem } from '@wardline/client/outbox/outbox.ts';
import type { OutboxItem } from '@wardline/client/outbox/outbox-item.ts';
import type { Finding, SummedField } from '@wardline/contract/census/census.ts';
import { MOST_REPLACED, type UnitDay } from '@wardline/contract/census/unit.ts';
import type { KeptDraft } from './kept-draft.ts';
import { meetingOf } from './reconcile-draft.ts';
import {
  draftOf,
  draftOfEntry,
  entryOf,
  isSameDraft,
  type ReportDraft,
  withoutStaleReasons,
  withPartnersOf,
  withReasonOf,
} from './report-draft.ts';
import { earlyFindings, findingsOf, isSameEntry, rulesOf, withoutSeed } from './report-findings.ts';
import { laneOf, waitingReport, waitingSave } from './report-outbox.ts';
import type { ReportPayload, ReportPlace } from './report-unit.ts';

/** What the page shows of a report while somebody writes it. */
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

/** The whole of an editor. */
export interface ReportEditorState {
  readonly place: ReportPlace;
  readonly shown: EditorState;
  /** What the outbox holds of this report. */
  readonly items: readonly OutboxItem<ReportPayload>[];
  readonly isTyped: boolean;
  /** What was sent since the last answer, by client id: what of it has arrived is this person's own and no conflict. */
  readonly sent: readonly string[];
  /** The page is gone; a last save may still be under way. */
  readonly isStopped: boolean;
  /** A save waits for the answer to what is under way in the outbox, or is under way itself. */
  readonly saving: 'waiting' | 'busy' | null;
  /** Another save follows this one. */
  readonly isSaveWanted: boolean;
  /** Who waits for the saves to end, and who for a report to be handed in. */
  readonly saveRequests: readonly number[];
  readonly submitRequests: readonly number[];
  /** Unusual counts that the person was asked about and confirmed. */
  readonly confirmed: readonly SummedField[];
}

/** Why the server did not take a save. */
export interface SaveFailure {
  readonly isTemporary: boolean;
  /** Somebody else was faster. */
  readonly isConflict: boolean;
  readonly findings: readonly Finding[];
  readonly reason: string;
}

/** What happens; the time, also by the server's clock, and an unused id come with each event. */
export type ReportEvent = { readonly now: number; readonly serverNow: number; readonly newId: string } & ReportChange;
export type ReportChange =
  | { readonly type: 'opened'; readonly requestId: number }
  | { readonly type: 'kept-read'; readonly requestId: number; readonly kept: KeptDraft | null }
  | { readonly type: 'changed'; readonly change: (draft: ReportDraft) => ReportDraft }
  /** The draft is on the device. */
  | { readonly type: 'kept'; readonly draft: ReportDraft }
  | { readonly type: 'keep-due' }
  /** A newer answer of the server. */
  | { readonly type: 'told'; readonly day: UnitDay }
  | { readonly type: 'outbox-changed'; readonly items: readonly OutboxItem<ReportPayload>[] }
  /** The outbox has handed over what waited of this report. */
  | { readonly type: 'delivered'; readonly day: UnitDay }
  | { readonly type: 'save-due' }
  | { readonly type: 'save-answered'; readonly day: UnitDay }
  | { readonly type: 'save-failed'; readonly item: NewOutboxItem<ReportPayload>; readonly failure: SaveFailure }
  /** What is to be saved waits in the outbox, or could not be put there. */
  | { readonly type: 'save-queued' }
  | { readonly type: 'submit'; readonly requestId: number; readonly confirmed: readonly SummedField[] }
  | { readonly type: 'retry'; readonly requestId: number }
  | { readonly type: 'take-back'; readonly requestId: number }
  | { readonly type: 'taken-back'; readonly requestId: number }
  | { readonly type: 'resolved'; readonly draft: ReportDraft }
  | { readonly type: 'stopped' };

export type ReportEffect =
  | { readonly type: 'read-kept'; readonly requestId: number }
  | { readonly type: 'keep'; readonly kept: KeptDraft }
  | { readonly type: 'drop-kept' }
  /** Keeps the draft once the outbox has taken the kept one away with what it sent. */
  | { readonly type: 'keep-soon' }
  | { readonly type: 'start-timer' }
  | { readonly type: 'stop-timer' }
  | { readonly type: 'save'; readonly item: NewOutboxItem<ReportPayload> }
  /** The same request again: the server may have it, only its answer was lost. */
  | { readonly type: 'queue-save'; readonly item: NewOutboxItem<ReportPayload> }
  /** In place of what waits of this report. */
  | { readonly type: 'replace-save'; readonly item: NewOutboxItem<ReportPayload> }
  | { readonly type: 'hand-in'; readonly requestId: number; readonly item: NewOutboxItem<ReportPayload> }
  | { readonly type: 'refuse'; readonly requestId: number; readonly findings: readonly Finding[] }
  | { readonly type: 'drop-waiting' }
  | { readonly type: 'take-back'; readonly requestId: number }
  | { readonly type: 'retry-item'; readonly requestId: number; readonly clientId: string }
  | { readonly type: 'answer'; readonly requestId: number }
  | { readonly type: 'refresh' }
  /** Nothing is awaited any more. */
  | { readonly type: 'end' };

type ReportStep = Step<ReportEditorState, ReportEffect>;
type EventOf<Type extends ReportEvent['type']> = Extract<ReportEvent, { readonly type: Type }>;

const CONFLICT: Finding = { code: 'VERSION_CONFLICT', field: null, message: 'Compare the two versions first.' };

export function initialReport(day: UnitDay, items: readonly OutboxItem<ReportPayload>[]): ReportEditorState {
  return {
    place: { unit: day.unit_id, date: day.census_date, population: day.population },
    shown: {
      ...{ day, base: day, draft: draftOf(day), unsent: null, waiting: null, isSaving: false, refusal: null },
      ...{ saved: null, isConflicting: false, refusals: [], receipt: null },
    },
    ...{ items, isTyped: false, sent: [], isStopped: false, saving: null, isSaveWanted: false },
    ...{ saveRequests: [], submitRequests: [], confirmed: [] },
  };
}

/** One report while somebody writes it: the pure part. */
export function reduceReport(state: ReportEditorState, event: ReportEvent): ReportStep {
  return chain(
    state,
    (now) => take(now, event),
    (now) => saveWhenAnswered(now, event),
    (now) => submitWhenAnswered(now, event),
    endWhenDone,
  );
}

function take(state: ReportEditorState, event: ReportEvent): ReportStep {
  switch (event.type) {
    case 'opened':
      return chain(state, followOutbox, (now) => only(now, { type: 'read-kept', requestId: event.requestId }));
    case 'kept-read':
      return takeKept(state, event);
    case 'changed':
    case 'resolved':
      return write(state, event);
    case 'kept':
      return only(state.shown.draft === event.draft ? show(state, { saved: { at: event.now, on: 'device' } }) : state);
    case 'keep-due':
      return keep(state);
    case 'told':
      return meet(state, event.day);
    case 'outbox-changed':
      return followOutbox({ ...state, items: event.items });
    case 'delivered':
      return takeDelivered(state, event);
    case 'save-due':
    case 'save-answered':
    case 'save-failed':
    case 'save-queued':
      return takeSave(state, event);
    case 'submit': {
      const submitRequests = [...state.submitRequests, event.requestId];
      return only({ ...state, submitRequests, confirmed: event.confirmed }, { type: 'stop-timer' });
    }
    case 'retry':
      return retry(state, event.requestId);
    case 'take-back':
      return only({ ...state, isTyped: true }, { type: 'take-back', requestId: event.requestId });
    case 'taken-back':
      return chain(state, keep, (now) => only(now, { type: 'answer', requestId: event.requestId }));
    case 'stopped':
      return chain(wantSave(state), (now) => only({ ...now, isStopped: true }, { type: 'stop-timer' }));
  }
}

const only = (state: ReportEditorState, ...effects: readonly ReportEffect[]): ReportStep => ({ state, effects });

/** One step after the other, their effects in order. */
function chain(state: ReportEditorState, ...parts: readonly ((state: ReportEditorState) => ReportStep)[]): ReportStep {
  return parts.reduce<ReportStep>((step, part) => {
    const next = part(step.state);
    return { state: next.state, effects: [...step.effects, ...next.effects] };
  }, only(state));
}

const show = (state: ReportEditorState, part: Partial<EditorState>): ReportEditorState => ({
  ...state,
  shown: { ...state.shown, ...part },
});

const isDirty = ({ shown: { draft, base } }: ReportEditorState): boolean => !isSameDraft(draft, draftOf(base));

const isUnderWay = ({ items }: ReportEditorState): boolean => items.some((item) => item.state === 'sending');

function keep(state: ReportEditorState): ReportStep {
  const { base, draft } = state.shown;
  return only(
    state,
    isDirty(state) ? { type: 'keep', kept: { base, draft, sent: state.sent } } : { type: 'drop-kept' },
  );
}

/** The draft goes to the server when typing rests. */
const plan = (state: ReportEditorState): ReportStep =>
  state.isStopped ? only(state) : only(state, { type: 'start-timer' });

function write(state: ReportEditorState, event: EventOf<'changed' | 'resolved'>): ReportStep {
  const { draft, day, base } = state.shown;
  const typed = { ...state, isTyped: true };
  const clean = { refusals: [], refusal: null };
  if (event.type === 'changed') {
    const changed = withReasonOf(draft, event.change(draft), base);
    return chain(show(typed, { ...clean, draft: changed, receipt: null }), keep, plan);
  }
  return chain(
    show(typed, { ...clean, base: day, draft: withPartnersOf(event.draft, day), isConflicting: false }),
    (now) => only(now, { type: 'drop-waiting' }),
    keep,
    plan,
  );
}

/** What this device kept of the draft; what was typed before it was read stays. */
function takeKept(state: ReportEditorState, { requestId, kept }: EventOf<'kept-read'>): ReportStep {
  const { day } = state.shown;
  const isLate = state.isStopped || state.isTyped;
  return chain(
    state,
    (now) => (isLate ? only(now) : meet(withKept(now, kept), day)),
    (now) => (!isLate && now.shown.unsent === null && isDirty(now) ? plan(now) : only(now)),
    (now) => only(now, { type: 'answer', requestId }),
  );
}

function withKept(state: ReportEditorState, kept: KeptDraft | null): ReportEditorState {
  const { day, unsent, waiting } = state.shown;
  const known = withSent(state, kept?.sent ?? []);
  if (unsent) return adopt(known, unsent);
  if (waiting && !kept) return adopt(known, waiting);
  return kept && day.may.edit ? { ...show(known, { base: kept.base, draft: kept.draft }), isTyped: true } : known;
}

/** Of more than may be replaced at once the newest are known. */
function withSent(state: ReportEditorState, ids: readonly string[]): ReportEditorState {
  return { ...state, sent: [...new Set([...state.sent, ...ids])].slice(-MOST_REPLACED) };
}

function withSentItem(
  state: ReportEditorState,
  { clientId, payload }: NewOutboxItem<ReportPayload>,
): ReportEditorState {
  return withSent(state, [...(payload.entry.replaces ?? []), clientId]);
}

/** Goes on with what this device has not sent. */
function adopt(state: ReportEditorState, item: OutboxItem<ReportPayload>): ReportEditorState {
  const { payload } = item;
  return show(withSentItem(state, item), { base: payload.base, draft: draftOfEntry(payload.entry, payload.base) });
}

/** What is typed stays; a version that does not fit it is a conflict. */
function meet(state: ReportEditorState, day: UnitDay): ReportStep {
  const draft = withPartnersOf(state.shown.draft, day);
  switch (meetingOf(state.shown, day, state.sent)) {
    case 'older':
      return only(state);
    case 'differs':
      return only(show(state, { day, isConflicting: true }));
    case 'under way':
      return only(show(state, { day, draft, isConflicting: false }));
    case 'untouched':
      return only(show(state, { day, base: day, draft: draftOf(day), isConflicting: false }));
    case 'fitting':
      return only(show(state, { day, base: day, draft, isConflicting: false }));
    case 'same': {
      const met = show(state, { day, base: day, draft, isConflicting: false });
      return day.may.edit ? only(met) : only(met, { type: 'drop-waiting' });
    }
    case 'moved':
      return plan(show(state, { day, base: day, draft, isConflicting: false }));
  }
}

function followOutbox(state: ReportEditorState): ReportStep {
  return chain(state, followWaiting, followUnsent);
}

function followWaiting(state: ReportEditorState): ReportStep {
  const waiting = waitingSave(state.items, state.place);
  if (waiting === state.shown.waiting) return only(state);
  const told = show(state, { waiting });
  if (waiting === null) return only(told);
  const followed = !told.isTyped && !isDirty(told) ? adopt(told, waiting) : told;
  if (waiting.state !== 'failed') return only(show(followed, { refusal: null }));
  const isOlder = waiting.refusal?.status === 409;
  const refusals = rulesOf(waiting.refusal?.findings ?? []);
  return chain(
    show(followed, { refusals, refusal: isOlder ? null : waiting.reason }),
    (now) => meet(now, now.shown.day),
    (now) => (isOlder ? only(now, { type: 'refresh' }) : only(now)),
  );
}

function followUnsent(state: ReportEditorState): ReportStep {
  const unsent = waitingReport(state.items, state.place);
  if (unsent === state.shown.unsent) return only(state);
  const told = show(state, { unsent });
  if (unsent === null || unsent.state !== 'failed') return only(told);
  // After a reload the draft may be gone, the payload is not.
  const followed = told.isTyped ? told : adopt(told, unsent);
  return chain(
    show(followed, { refusals: rulesOf(unsent.refusal?.findings ?? []) }),
    // The newer version may have come while this one was under way.
    (now) => meet(now, now.shown.day),
    (now) => only(now, { type: 'refresh' }),
  );
}

function takeDelivered(state: ReportEditorState, { day, now: at }: EventOf<'delivered'>): ReportStep {
  if (!isHandedIn(day.status) || day.may.edit)
    return chain(stored(state, day, at), replan, (now) => only(now, { type: 'keep-soon' }));
  const untyped = { ...state, isTyped: false };
  const clean = { saved: null, isConflicting: false, refusals: [] };
  return only(show(untyped, { ...clean, day, base: day, draft: draftOf(day), receipt: day }));
}

/** What was typed is on the server; what was typed since goes there next. */
function stored(state: ReportEditorState, day: UnitDay, at: number): ReportEditorState {
  const draft = withoutSeed(withPartnersOf(state.shown.draft, day), day);
  const clean = { refusals: [], refusal: null, isSaving: false, isConflicting: false };
  return show({ ...state, sent: [] }, { ...clean, base: day, day, draft, saved: { at, on: 'server' } });
}

const replan = (state: ReportEditorState): ReportStep => (isDirty(state) ? plan(state) : only(state));

const wantSave = (state: ReportEditorState): ReportEditorState => {
  if (state.isStopped) return state;
  return state.saving === null ? { ...state, saving: 'waiting' } : { ...state, isSaveWanted: true };
};

/** A save has ended; the next one follows, or nobody waits any more. */
function endSave(state: ReportEditorState): ReportStep {
  if (state.isSaveWanted) return only({ ...state, saving: 'waiting', isSaveWanted: false });
  const answers = state.saveRequests.map((requestId): ReportEffect => ({ type: 'answer', requestId }));
  return only({ ...state, saving: null, saveRequests: [] }, ...answers);
}

type SaveEvent = EventOf<'save-due' | 'save-answered' | 'save-failed' | 'save-queued'>;

function takeSave(state: ReportEditorState, event: SaveEvent): ReportStep {
  switch (event.type) {
    case 'save-due':
      return only(wantSave(state));
    case 'save-answered':
      return chain(stored(state, event.day, event.now), replan, keep, endSave);
    case 'save-queued':
      return endSave(state);
    case 'save-failed': {
      const { isTemporary, isConflict, findings, reason } = event.failure;
      const failed = show(state, { isSaving: false });
      if (isTemporary) return only(failed, { type: 'queue-save', item: event.item });
      if (isConflict) return chain(failed, (now) => only(now, { type: 'refresh' }), endSave);
      return endSave(show(failed, { refusals: findings, refusal: reason }));
    }
  }
}

/** What is sent after something that is under way stands on its answer. */
function saveWhenAnswered(before: ReportEditorState, event: ReportEvent): ReportStep {
  if (before.saving !== 'waiting' || isUnderWay(before)) return only(before);
  const state = withFreshReasons(before);
  const item = itemToSave(state, event);
  if (item === null) return chain(state, endSave, (now) => saveWhenAnswered(now, event));
  const busy: ReportEditorState = { ...withSentItem(state, item), saving: 'busy' };
  if (state.shown.waiting !== null) return only(busy, { type: 'replace-save', item });
  return only(show(busy, { isSaving: true }), { type: 'save', item });
}

/** Only once typing rests: a count passes through others while it is typed. */
function withFreshReasons(state: ReportEditorState): ReportEditorState {
  const draft = withoutStaleReasons(state.shown.draft, state.shown.base);
  return draft === state.shown.draft ? state : show(state, { draft });
}

function itemToSave(state: ReportEditorState, event: ReportEvent): NewOutboxItem<ReportPayload> | null {
  const { base, draft, unsent, isConflicting, day, waiting } = state.shown;
  if (isConflicting || unsent || !day.may.edit || !isDirty(state)) return null;
  if (findingsOf(draft, base, false).length > 0) return null;
  const item = toItem(state, event, false);
  return waiting && isSameEntry(waiting.payload, item.payload) ? null : item;
}

function toItem(state: ReportEditorState, { now, newId }: ReportEvent, submit: boolean): NewOutboxItem<ReportPayload> {
  const { place } = state;
  const { base, draft } = state.shown;
  const replaces = state.sent.length > 0 ? { replaces: [...state.sent] } : {};
  const confirmed = submit && state.confirmed.length > 0 ? { confirmed: [...state.confirmed] } : {};
  const payload: ReportPayload = {
    ...place,
    entry: { ...entryOf(draft, base), ...replaces, ...confirmed, submit },
    base,
  };
  return { clientId: newId, lane: laneOf(place), payload, writtenAt: new Date(now).toISOString() };
}

/** A report is handed in once nothing of it is under way: then it stands on the answer. */
function submitWhenAnswered(state: ReportEditorState, event: ReportEvent): ReportStep {
  const [requestId, ...rest] = state.submitRequests;
  if (requestId === undefined || state.saving !== null || isUnderWay(state)) return only(state);
  return chain(
    { ...state, submitRequests: rest },
    (now) => handIn(now, requestId, event),
    (now) => submitWhenAnswered(now, event),
  );
}

function handIn(before: ReportEditorState, requestId: number, event: ReportEvent): ReportStep {
  const state = withFreshReasons(before);
  const { draft, day, isConflicting } = state.shown;
  if (isConflicting) return only(state, { type: 'refuse', requestId, findings: [CONFLICT] });
  const findings = findingsOf(draft, day, true);
  if (findings.length > 0) return only(state, { type: 'refuse', requestId, findings });
  const refusals = earlyFindings(day, event.serverNow);
  const checked = show(state, { refusals });
  if (refusals.length > 0) return only(checked, { type: 'refuse', requestId, findings: refusals });
  // A draft that a save's answer has planned meanwhile goes with it.
  const item = toItem(state, event, true);
  return only(withSentItem(checked, item), { type: 'stop-timer' }, { type: 'hand-in', requestId, item });
}

/** Sends again what was refused. */
function retry(state: ReportEditorState, requestId: number): ReportStep {
  const { waiting, unsent } = state.shown;
  const kept = unsent ?? waiting;
  if (kept) return only(state, { type: 'retry-item', requestId, clientId: kept.clientId });
  const saveRequests = [...state.saveRequests, requestId];
  const wanted = wantSave(show({ ...state, saveRequests }, { refusal: null, refusals: [] }));
  return only(wanted, { type: 'stop-timer' });
}

/** The page is gone, and its last save is through. */
function endWhenDone(state: ReportEditorState): ReportStep {
  const isDone = state.isStopped && state.saving === null && state.submitRequests.length === 0;
  return isDone ? only(state, { type: 'end' }) : only(state);
}

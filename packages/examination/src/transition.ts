import type { ExaminationState } from '@wardline/contract/examinations/examinations.ts';

/** What people do with an examination as a whole. */
export type ExaminationEvent = 'request' | 'start' | 'return' | 'sign' | 'amend' | 'cancel' | 'mark_in_error';

/** Where each event leads from each state; null where it is refused. No pair is left out. */
const NEXT: Readonly<Record<ExaminationState, Readonly<Record<ExaminationEvent, ExaminationState | null>>>> = {
  draft: {
    request: 'requested',
    start: null,
    return: null,
    sign: null,
    amend: null,
    cancel: 'cancelled',
    mark_in_error: null,
  },
  requested: {
    request: null,
    start: 'in_progress',
    return: null,
    sign: null,
    amend: null,
    cancel: 'cancelled',
    mark_in_error: 'entered_in_error',
  },
  in_progress: {
    request: null,
    start: null,
    return: 'requested',
    sign: 'reported',
    amend: null,
    cancel: 'cancelled',
    mark_in_error: 'entered_in_error',
  },
  reported: {
    request: null,
    start: null,
    return: null,
    sign: null,
    amend: 'amended',
    cancel: null,
    mark_in_error: 'entered_in_error',
  },
  amended: {
    request: null,
    start: null,
    return: null,
    sign: null,
    amend: 'amended',
    cancel: null,
    mark_in_error: 'entered_in_error',
  },
  cancelled: {
    request: null,
    start: null,
    return: null,
    sign: null,
    amend: null,
    cancel: null,
    mark_in_error: 'entered_in_error',
  },
  entered_in_error: {
    request: null,
    start: null,
    return: null,
    sign: null,
    amend: null,
    cancel: null,
    mark_in_error: null,
  },
};

const NEEDS_REASON: Readonly<Record<ExaminationEvent, boolean>> = {
  ...{ request: false, start: false, sign: false, return: true, amend: true, cancel: true, mark_in_error: true },
};

/** True where who does it says why. */
export function needsReason(event: ExaminationEvent): boolean {
  return NEEDS_REASON[event];
}

/** The events that a state allows, in the order in which they are named above. */
export function eventsFrom(state: ExaminationState): ExaminationEvent[] {
  return (Object.keys(NEXT[state]) as ExaminationEvent[]).filter((event) => NEXT[state][event] !== null);
}

/** The event that leads from one state to another, of which there is one at most; null where none does. */
export function eventTo(from: ExaminationState, to: ExaminationState): ExaminationEvent | null {
  return eventsFrom(from).find((event) => NEXT[from][event] === to) ?? null;
}

/** What of an examination decides. */
export interface VersionedState {
  readonly state: ExaminationState;
  readonly version: number;
  /** Of its report; 0 before it is signed. */
  readonly reportVersion: number;
}

export interface WantedTransition {
  readonly event: ExaminationEvent;
  readonly expectedVersion: number;
  readonly reason: string | null;
}

export type Transition =
  | { readonly kind: 'stale' | 'impossible' | 'no_reason' }
  | { readonly kind: 'changed'; readonly next: VersionedState };

/**
 * The only way an examination changes its state (CHAT-7): what it becomes, or why not. Signing and amending make the next version of
 * its report. A stale version comes first: who saw another state is told that, and not that it is impossible.
 */
export function transition(now: VersionedState, { event, expectedVersion, reason }: WantedTransition): Transition {
  if (now.version !== expectedVersion) return { kind: 'stale' };
  const state = NEXT[now.state][event];
  if (state === null) return { kind: 'impossible' };
  if (needsReason(event) && reason === null) return { kind: 'no_reason' };
  const makesReport = event === 'sign' || event === 'amend';
  return {
    kind: 'changed',
    next: { state, version: now.version + 1, reportVersion: now.reportVersion + (makesReport ? 1 : 0) },
  };
}

/** The states in which values are entered without signing. */
export function isEditable(state: ExaminationState): boolean {
  return state === 'draft' || state === 'in_progress';
}

/** The states in which the report is signed and holds. */
export function isSigned(state: ExaminationState): boolean {
  return state === 'reported' || state === 'amended';
}

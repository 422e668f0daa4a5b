import type { HandoverState } from '@wardline/contract/examinations/handovers.ts';

/** What people do with a hand-over as a whole. */
export type HandoverEvent = 'receive' | 'decline' | 'withdraw' | 'correct';

/** Where each event leads from each state; null where it is refused. No pair is left out. */
const NEXT: Readonly<Record<HandoverState, Readonly<Record<HandoverEvent, HandoverState | null>>>> = {
  given: { receive: 'received', decline: 'declined', withdraw: 'withdrawn', correct: 'given' },
  // What was taken over stays so; a correction is to be received anew.
  received: { receive: null, decline: null, withdraw: null, correct: 'given' },
  // Given to somebody else, by a correction, or given up.
  declined: { receive: null, decline: null, withdraw: 'withdrawn', correct: 'given' },
  withdrawn: { receive: null, decline: null, withdraw: null, correct: null },
};

/** What of a hand-over decides. */
export interface HandoverProgress {
  readonly state: HandoverState;
  readonly version: number;
  /** Of its sheet, from 1. */
  readonly sheetVersion: number;
}

export interface WantedHandoverEvent {
  readonly event: HandoverEvent;
  readonly expectedVersion: number;
  /** The synthesis of who receives it; of every other event, why. */
  readonly text: string;
}

export type HandoverTransition =
  | { readonly kind: 'stale' | 'impossible' | 'no_text' }
  | { readonly kind: 'changed'; readonly next: HandoverProgress };

/**
 * The only way a hand-over changes its state (CHAT-7): what it becomes, or why not. A stale version comes first: who saw another state
 * is told that, and not that it is impossible. Nothing is done without words; a correction makes the next version of the sheet.
 */
export function transition(
  now: HandoverProgress,
  { event, expectedVersion, text }: WantedHandoverEvent,
): HandoverTransition {
  if (now.version !== expectedVersion) return { kind: 'stale' };
  const state = NEXT[now.state][event];
  if (state === null) return { kind: 'impossible' };
  if (text.trim() === '') return { kind: 'no_text' };
  const sheetVersion = now.sheetVersion + (event === 'correct' ? 1 : 0);
  return { kind: 'changed', next: { state, version: now.version + 1, sheetVersion } };
}

/** Whether a state allows an event. */
export function isPossible(state: HandoverState, event: HandoverEvent): boolean {
  return NEXT[state][event] !== null;
}

/** Whether its actions are ticked off: once somebody has taken them over. */
export function mayTick(state: HandoverState): boolean {
  return state === 'received';
}

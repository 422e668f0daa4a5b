import type { CriticalCategory, CriticalState, CriticalTimes } from '@wardline/contract/chat/critical.ts';

/** What happens to a critical alert: what its calling did, what those who were called did, and who raised it. */
export type CriticalEvent =
  /** Somebody was called: at first, again, or as a reminder. */
  | 'notified'
  | 'escalated'
  | 'exhausted'
  /** Who had read it back is gone; it calls again. */
  | 'resumed'
  | 'received'
  | 'read_back_wrong'
  | 'read_back_right'
  | 'acted'
  | 'closed'
  | 'withdrawn';

type Next = Readonly<Record<CriticalEvent, CriticalState | null>>;

const OVER: Next = {
  notified: null,
  escalated: null,
  exhausted: null,
  resumed: null,
  received: null,
  read_back_wrong: null,
  read_back_right: null,
  acted: null,
  closed: null,
  withdrawn: null,
};

/** Where each event leads from each state; null where it is refused. No pair is left out. */
const NEXT: Readonly<Record<CriticalState, Next>> = {
  // Nobody was there to call: nobody can have it.
  identified: {
    notified: 'notifying',
    escalated: 'escalated',
    exhausted: 'exhausted',
    resumed: null,
    received: null,
    read_back_wrong: null,
    read_back_right: null,
    acted: null,
    closed: null,
    withdrawn: 'withdrawn',
  },
  notifying: {
    notified: 'notifying',
    escalated: 'escalated',
    exhausted: 'exhausted',
    resumed: null,
    received: 'received',
    read_back_wrong: 'received',
    read_back_right: 'read_back_ok',
    acted: null,
    closed: null,
    withdrawn: 'withdrawn',
  },
  escalated: {
    notified: 'escalated',
    escalated: 'escalated',
    exhausted: 'exhausted',
    resumed: null,
    received: 'received',
    read_back_wrong: 'received',
    read_back_right: 'read_back_ok',
    acted: null,
    closed: null,
    withdrawn: 'withdrawn',
  },
  // Those who were called can still answer.
  exhausted: {
    notified: null,
    escalated: null,
    exhausted: null,
    resumed: null,
    received: 'received',
    read_back_wrong: 'received',
    read_back_right: 'read_back_ok',
    acted: null,
    closed: null,
    withdrawn: 'withdrawn',
  },
  // Whoever has it has not understood it yet: it climbs on.
  received: {
    notified: 'received',
    escalated: 'escalated',
    exhausted: 'exhausted',
    resumed: null,
    received: 'received',
    read_back_wrong: 'received',
    read_back_right: 'read_back_ok',
    acted: null,
    closed: null,
    withdrawn: 'withdrawn',
  },
  read_back_ok: {
    notified: 'read_back_ok',
    escalated: null,
    exhausted: null,
    resumed: 'notifying',
    received: null,
    read_back_wrong: null,
    read_back_right: null,
    acted: 'acted',
    closed: null,
    withdrawn: 'withdrawn',
  },
  acted: { ...OVER, closed: 'closed' },
  closed: OVER,
  withdrawn: OVER,
};

/** What of a critical alert decides. */
export interface CriticalProgress {
  readonly state: CriticalState;
  readonly version: number;
  readonly times: CriticalTimes;
}

export type CriticalTransition =
  | { readonly kind: 'impossible' }
  /** It stands as it stood. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'changed'; readonly next: CriticalProgress };

/** When a step was reached, by the event that reaches it; a wrong read-back shows that it was received. */
const REACHES: Readonly<Partial<Record<CriticalEvent, keyof CriticalTimes>>> = {
  ...{ notified: 'notified_at', escalated: 'notified_at', received: 'received_at', read_back_wrong: 'received_at' },
  ...{ read_back_right: 'read_back_at', acted: 'acted_at', closed: 'closed_at' },
};

/**
 * The only way a critical alert changes its state (CHAT-7): what it becomes at an instant (ISO 8601), or that it is impossible. Each
 * step keeps the time at which it was reached first, but for a read-back that was lost and made again. A right one is received too.
 */
export function transition(now: CriticalProgress, event: CriticalEvent, at: string): CriticalTransition {
  const state = NEXT[now.state][event];
  if (state === null) return { kind: 'impossible' };
  const times = reach(now.times, event, at);
  if (state === now.state && times === now.times) return { kind: 'unchanged' };
  return { kind: 'changed', next: { state, version: now.version + 1, times } };
}

function reach(times: CriticalTimes, event: CriticalEvent, at: string): CriticalTimes {
  if (event === 'resumed') return { ...times, read_back_at: null };
  const step = REACHES[event];
  if (step === undefined || times[step] !== null) return times;
  const reached = { ...times, [step]: at };
  return event === 'read_back_right' ? { ...reached, received_at: times.received_at ?? at } : reached;
}

/** Whether it still asks something of somebody. */
export function isOpen({ state }: Pick<CriticalProgress, 'state'>): boolean {
  return state !== 'closed' && state !== 'withdrawn';
}

/** Whether somebody is still to read it back. */
export function waitsForReadBack({ state }: Pick<CriticalProgress, 'state'>): boolean {
  return isOpen({ state }) && state !== 'read_back_ok' && state !== 'acted';
}

/** How much slower than an urgent message each category climbs: 5 minutes become 1 hour, or 1 day. */
export const CATEGORY_PACE: Readonly<Record<CriticalCategory, number>> = { minutes: 1, hours: 12, days: 288 };

/** What is called after a while where nobody has accepted. What a call means, the feature knows. */
export interface LadderStep {
  /** Since the beginning. */
  readonly afterMin: number;
  readonly call: string;
}

/** How slowly it goes on where that is not by the minute: the wait after the last step, and between reminders. */
export interface Pace {
  readonly lastMin: number;
  readonly remindMin: number;
}

/** Somebody who was called. */
export interface CalledPerson {
  readonly userId: string;
  /** As whose holder they were called first; null by name. */
  readonly roleId: string | null;
  readonly calledAt: Date;
  readonly times: number;
  readonly deliveredAt: Date | null;
  readonly seenAt: Date | null;
  readonly acceptedAt: Date | null;
}

export type EscalationState = 'calling' | 'exhausted' | 'accepted' | 'closed' | 'withdrawn';

/** An alert that calls people until one of them accepts it, and is over by what was done. */
export interface Escalation {
  readonly state: EscalationState;
  /** Grows with each change of state. */
  readonly version: number;
  readonly startedBy: string;
  readonly startedAt: Date;
  readonly steps: readonly LadderStep[];
  readonly pace?: Pace | undefined;
  /** How many of the steps are over. */
  readonly step: number;
  /** How often who accepted was reminded that nothing was done yet. */
  readonly reminders: number;
  readonly dueAt: Date | null;
  /** In the order in which they were called first. */
  readonly people: readonly CalledPerson[];
}

/** Whom to call, by name or as the holder of a role. */
export interface Call {
  readonly userId: string;
  readonly roleId: string | null;
}

export type EscalationEvent =
  /**
   * The clock: `dueAt` has come. `calls` is whom the step of now reaches at this instant, for a reminder who accepted: none
   * where they have left, or nobody holds the role.
   */
  | { readonly type: 'due'; readonly at: Date; readonly calls: readonly Call[] }
  | { readonly type: 'delivered' | 'seen' | 'accepted'; readonly at: Date; readonly by: string }
  | {
      readonly type: 'acted' | 'withdrawn';
      readonly at: Date;
      readonly by: string;
      readonly note: string;
      /** What it called about no longer holds: it is withdrawn by who changed that, whoever sent it. */
      readonly isOutdated?: true;
    };

export type EntryKind =
  | 'sent'
  | 'repeated'
  | 'climbed'
  | 'exhausted'
  /** Of a critical alert: somebody has it, or read it back and it did not agree. */
  | 'received'
  | 'misread'
  | 'accepted'
  | 'reminded'
  | 'resumed'
  | 'acted'
  | 'withdrawn';

/** A line of the timeline. */
export interface Entry {
  readonly at: Date;
  /** When the clock should have done it; null for what a person did. */
  readonly dueAt: Date | null;
  readonly kind: EntryKind;
  readonly by: string | null;
  readonly called: readonly string[];
  readonly note: string | null;
}

export type Transition =
  | {
      readonly kind: 'changed';
      readonly next: Escalation;
      /** Null where only what is known of a person changed. */
      readonly entry: Entry | null;
      /** Who is to be called now. */
      readonly calls: readonly Call[];
    }
  /** The same again, or nothing to do. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refused'; readonly why: 'over' | 'not_called' | 'not_sender' };

const MINUTE_MS = 60_000;
/** So long the last of the ladder have before it is said that nobody answers; so often who accepted is reminded. */
const URGENT_PACE: Pace = { lastMin: 5, remindMin: 15 };
/** After a stop of the server steps that are overdue follow each other by this, so that each has a chance. */
const LEAST_WAIT_MS = MINUTE_MS;
/** So many times who accepted is reminded that nothing was done yet. */
const REMINDERS = 3;
/** What calls the same people again; every other call goes further. */
const AGAIN = 'again';

const UNCHANGED = { kind: 'unchanged' } as const;
const OVER = { kind: 'refused', why: 'over' } as const;

interface Beginning {
  readonly by: string;
  readonly at: Date;
  readonly steps: readonly LadderStep[];
  readonly pace?: Pace | undefined;
  readonly calls: readonly Call[];
}

/** Begins to call. Where there is nobody to call, the first step is due at once. */
export function startEscalation({ by, at, steps, pace, calls }: Beginning): Transition & { kind: 'changed' } {
  const none: Escalation = {
    ...{ state: 'calling', version: 1, startedBy: by, startedAt: at, steps, pace },
    ...{ step: 0, reminders: 0, dueAt: null, people: [] },
  };
  const next = {
    ...none,
    people: addCalls(none, calls, at),
    dueAt: nextDue(none, { at, hasCalled: calls.length > 0 }),
  };
  return { kind: 'changed', next, calls, entry: { ...entryOf('sent', at), by, called: idsOf(calls) } };
}

/** The only way an escalation changes (CHAT-7): each state with each event. */
export function transition(escalation: Escalation, event: EscalationEvent): Transition {
  switch (event.type) {
    case 'due':
      return onDue(escalation, event);
    case 'delivered':
    case 'seen':
      return onReached(escalation, event);
    case 'accepted':
      return onAccepted(escalation, event);
    case 'acted':
      return onActed(escalation, event);
    case 'withdrawn':
      return onWithdrawn(escalation, event);
  }
}

/** Whether it still asks something of somebody. */
export function isOpen({ state }: Pick<Escalation, 'state'>): boolean {
  return state === 'calling' || state === 'exhausted' || state === 'accepted';
}

/** What it waits for from a person who was called; null where nothing. */
export function waitsFor({ state }: Pick<Escalation, 'state'>, person: CalledPerson): 'accept' | 'act' | null {
  if (state === 'calling' || state === 'exhausted') return 'accept';
  return state === 'accepted' && person.acceptedAt !== null ? 'act' : null;
}

function onDue(escalation: Escalation, event: EscalationEvent & { type: 'due' }): Transition {
  if (escalation.dueAt === null || escalation.dueAt > event.at) return UNCHANGED;
  if (escalation.state === 'accepted') return remind(escalation, event);
  return escalation.state === 'calling' ? climb(escalation, event) : UNCHANGED;
}

function climb(escalation: Escalation, { at, calls }: EscalationEvent & { type: 'due' }): Transition {
  const { steps, step, dueAt } = escalation;
  const rung = steps[step];
  if (rung === undefined) {
    const next = { ...escalation, ...changed(escalation, 'exhausted'), dueAt: null };
    return { kind: 'changed', next, calls: [], entry: { ...entryOf('exhausted', at), dueAt } };
  }
  const climbed = { ...escalation, step: step + 1, people: addCalls(escalation, calls, at) };
  const next = { ...climbed, dueAt: nextDue(climbed, { at, hasCalled: calls.length > 0 }) };
  const kind = rung.call === AGAIN ? 'repeated' : 'climbed';
  return { kind: 'changed', next, calls, entry: { ...entryOf(kind, at), dueAt, called: idsOf(calls) } };
}

/** Reminds those who accepted it; where none of them can be reached any more it is called for again. */
function remind(escalation: Escalation, { at, calls }: EscalationEvent & { type: 'due' }): Transition {
  const { dueAt } = escalation;
  if (calls.length === 0) {
    const people = escalation.people.map((person) => ({ ...person, acceptedAt: null }));
    const next = { ...escalation, ...changed(escalation, 'calling'), people, reminders: 0, dueAt: at };
    return { kind: 'changed', next, calls, entry: { ...entryOf('resumed', at), dueAt } };
  }
  const reminders = escalation.reminders + 1;
  const next = {
    ...escalation,
    ...{ reminders, people: addCalls(escalation, calls, at) },
    dueAt: reminders < REMINDERS ? nextReminder(escalation, at) : null,
  };
  return { kind: 'changed', next, calls, entry: { ...entryOf('reminded', at), dueAt, called: idsOf(calls) } };
}

/** On a device of theirs, or read. What is known once stays so, and what is over learns nothing more. */
function onReached(
  escalation: Escalation,
  { type, at, by }: EscalationEvent & { type: 'delivered' | 'seen' | 'accepted' },
): Transition {
  const person = escalation.people.find(({ userId }) => userId === by);
  if (!isOpen(escalation) || person === undefined) return UNCHANGED;
  if (type === 'delivered' ? person.deliveredAt !== null : person.seenAt !== null) return UNCHANGED;
  const deliveredAt = person.deliveredAt ?? at;
  const reached = type === 'delivered' ? { ...person, deliveredAt } : { ...person, deliveredAt, seenAt: at };
  return { kind: 'changed', next: withPerson(escalation, reached), entry: null, calls: [] };
}

/** Anybody whom the ladder has reached, also after another: two who come are better than none. */
function onAccepted(
  escalation: Escalation,
  { at, by }: EscalationEvent & { type: 'delivered' | 'seen' | 'accepted' },
): Transition {
  const person = escalation.people.find(({ userId }) => userId === by);
  if (person === undefined) return { kind: 'refused', why: 'not_called' };
  if (person.acceptedAt !== null && (escalation.state === 'accepted' || escalation.state === 'closed'))
    return UNCHANGED;
  if (!isOpen(escalation)) return OVER;
  const next = {
    ...withPerson(escalation, accept(person, at)),
    ...changed(escalation, 'accepted'),
    ...{ reminders: 0, dueAt: nextReminder(escalation, at) },
  };
  return { kind: 'changed', next, calls: [], entry: { ...entryOf('accepted', at), by } };
}

/** Closes it, by anybody who was called: who did it need not have accepted it first. */
function onActed(
  escalation: Escalation,
  { at, by, note }: EscalationEvent & { type: 'acted' | 'withdrawn' },
): Transition {
  const person = escalation.people.find(({ userId }) => userId === by);
  if (person === undefined) return { kind: 'refused', why: 'not_called' };
  if (!isOpen(escalation)) return OVER;
  const next = {
    ...withPerson(escalation, person.acceptedAt === null ? accept(person, at) : person),
    ...changed(escalation, 'closed'),
    dueAt: null,
  };
  return { kind: 'changed', next, calls: [], entry: { ...entryOf('acted', at), by, note } };
}

function onWithdrawn(
  escalation: Escalation,
  { at, by, note, isOutdated }: EscalationEvent & { type: 'acted' | 'withdrawn' },
): Transition {
  if (by !== escalation.startedBy && !isOutdated) return { kind: 'refused', why: 'not_sender' };
  if (!isOpen(escalation)) return OVER;
  const next = { ...escalation, ...changed(escalation, 'withdrawn'), dueAt: null };
  return { kind: 'changed', next, calls: [], entry: { ...entryOf('withdrawn', at), by, note } };
}

function changed({ version }: Escalation, state: EscalationState): Pick<Escalation, 'state' | 'version'> {
  return { state, version: version + 1 };
}

/** When the step after this one is due: by the ladder, or at once where nobody could be called. */
function nextDue(
  { steps, step, startedAt, pace = URGENT_PACE }: Escalation,
  { at, hasCalled }: { at: Date; hasCalled: boolean },
): Date {
  if (!hasCalled) return at;
  const rung = steps[step];
  if (rung === undefined) return later(at, pace.lastMin * MINUTE_MS);
  return new Date(Math.max(startedAt.getTime() + rung.afterMin * MINUTE_MS, at.getTime() + LEAST_WAIT_MS));
}

function nextReminder({ pace = URGENT_PACE }: Escalation, at: Date): Date {
  return later(at, pace.remindMin * MINUTE_MS);
}

function addCalls({ people }: Escalation, calls: readonly Call[], at: Date): CalledPerson[] {
  const called = new Set(idsOf(calls));
  const known = people.map((person) => (called.has(person.userId) ? { ...person, times: person.times + 1 } : person));
  const fresh = calls.filter(({ userId }) => !people.some((person) => person.userId === userId));
  const unreached = { calledAt: at, times: 1, deliveredAt: null, seenAt: null, acceptedAt: null };
  return [...known, ...fresh.map((call) => ({ ...call, ...unreached }))];
}

/** Who accepts has it on a device and has seen it. */
function accept(person: CalledPerson, at: Date): CalledPerson {
  return { ...person, acceptedAt: at, deliveredAt: person.deliveredAt ?? at, seenAt: person.seenAt ?? at };
}

function withPerson(escalation: Escalation, person: CalledPerson): Escalation {
  return {
    ...escalation,
    people: escalation.people.map((other) => (other.userId === person.userId ? person : other)),
  };
}

function entryOf(kind: EntryKind, at: Date): Entry {
  return { kind, at, dueAt: null, by: null, called: [], note: null };
}

function idsOf(calls: readonly Call[]): string[] {
  return calls.map(({ userId }) => userId);
}

function later(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms);
}

/** What a reducer answers: the next state and what is to be done about it, in order. */
export interface Step<State, Effect> {
  readonly state: State;
  readonly effects: readonly Effect[];
}

export type Reduce<State, Event, Effect> = (state: State, event: Event) => Step<State, Effect>;

interface EngineDeps<State, Event, Effect> {
  readonly initial: State;
  readonly reduce: Reduce<State, Event, Effect>;
  /** Told of each new state before its effects run. */
  readonly onState?: (state: State) => void;
  /** Does what the reducer asks for; what comes of it comes back as events. */
  readonly run: (effect: Effect) => void;
  /** What `onState` or `run` threw; the engine goes on. */
  readonly onError: (error: unknown) => void;
}

/** A reducer that runs: it takes one event after the other, also those that its own effects cause meanwhile. */
export interface Engine<State, Event> {
  state(): State;
  dispatch(event: Event): void;
}

/** Makes an engine: the pure reducer decides, `run` does. */
export function createEngine<State, Event, Effect>(deps: EngineDeps<State, Event, Effect>): Engine<State, Event> {
  const { reduce, onState, run, onError } = deps;
  let state = deps.initial;
  let isRunning = false;
  const waiting: Event[] = [];

  const guarded = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      onError(error);
    }
  };
  const take = (event: Event): void => {
    const before = state;
    const step = reduce(state, event);
    state = step.state;
    if (state !== before) guarded(() => onState?.(step.state));
    for (const effect of step.effects) guarded(() => run(effect));
  };
  return {
    state: () => state,
    dispatch(event) {
      waiting.push(event);
      if (isRunning) return;
      isRunning = true;
      try {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) take(next);
      } finally {
        isRunning = false;
      }
    },
  };
}

/** One handler for each type of effect. */
export type EffectHandlers<Effect extends { readonly type: string }> = {
  readonly [Type in Effect['type']]: (effect: Extract<Effect, { readonly type: Type }>) => void;
};

/** Runs an effect by the handler of its type. */
export function runBy<Effect extends { readonly type: string }>(
  handlers: EffectHandlers<Effect>,
): (effect: Effect) => void {
  return (effect) => (handlers[effect.type as Effect['type']] as (effect: Effect) => void)(effect);
}

/** What became of a request that somebody waits for; null when it was done. */
export type Failure = { readonly error: unknown } | null;

/** Requests whose callers wait for an answer; a reducer knows them by their ids. */
export interface Requests {
  /** The id goes into an event, the promise to the caller. */
  open(): { readonly requestId: number; readonly done: Promise<void> };
  answer(requestId: number, failure: Failure): void;
}

export function createRequests(): Requests {
  const open = new Map<number, { resolve(): void; reject(error: unknown): void }>();
  let lastId = 0;
  return {
    open() {
      lastId += 1;
      const requestId = lastId;
      const done = new Promise<void>((resolve, reject) => open.set(requestId, { resolve, reject }));
      return { requestId, done };
    },
    answer(requestId, failure) {
      const request = open.get(requestId);
      open.delete(requestId);
      if (failure === null) request?.resolve();
      else request?.reject(failure.error);
    },
  };
}

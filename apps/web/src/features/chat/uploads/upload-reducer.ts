import { FIRST_RETRY, planRetry, type RetryState } from '@wardline/client/backoff.ts';
import type { Step } from '@wardline/client/engine.ts';

/** A part goes out in about this time; the server and proxies end what takes a minute. */
export const PART_MS = 5_000;
export const FIRST_PART = 256 * 1024;
export const SMALLEST_PART = 32 * 1024;
export const LARGEST_PART = 4 * 1024 * 1024;
/** As often an upload that the server has given up is begun anew. */
const MOST_BEGINNINGS = 3;

/**
 * idle: nothing is under way; beginning, asking, sending: one request is; resting: it will be tried again; ready: the server
 * has the file and made it ready; refused: it will not have it as it is.
 */
export type UploadPhase = 'idle' | 'beginning' | 'asking' | 'sending' | 'resting' | 'ready' | 'refused';

export interface UploadState {
  readonly size: number;
  readonly phase: UploadPhase;
  /** How the server calls it; the attachment's id as well. */
  readonly uploadId: string | null;
  /** What the server has for sure, in bytes. */
  readonly offset: number;
  /** What of the part under way has gone out. */
  readonly sent: number;
  readonly partBytes: number;
  readonly beginnings: number;
  readonly retry: RetryState;
  /** Why it rests or was refused. */
  readonly error: unknown;
}

/** What a failed request means: `gone` and `moved` say that the server is elsewhere than we thought. */
export type UploadFailure = 'gone' | 'moved' | 'temporary' | 'final';

/** Time in ms and randomness in [0, 1) come with the events. */
export type UploadEvent =
  /** It will be tried now: what stood in the way before says nothing of it any more. */
  | { readonly type: 'wait' }
  | { readonly type: 'start' }
  /** An earlier page, or another tab, has begun it. */
  | { readonly type: 'known'; readonly uploadId: string }
  | { readonly type: 'begun'; readonly uploadId: string }
  | { readonly type: 'asked'; readonly offset: number; readonly isReady: boolean }
  | { readonly type: 'progressed'; readonly bytes: number }
  | { readonly type: 'part-sent'; readonly to: number; readonly ms: number }
  | {
      readonly type: 'failed';
      readonly failure: UploadFailure;
      readonly error: unknown;
      readonly retryAfterMs: number | null;
      readonly random: number;
    }
  | { readonly type: 'refuse'; readonly error: unknown };

export type UploadEffect =
  | { readonly type: 'begin' }
  | { readonly type: 'ask'; readonly uploadId: string }
  | { readonly type: 'send'; readonly uploadId: string; readonly from: number; readonly to: number }
  /** A reload goes on with this one; null: with none. */
  | { readonly type: 'keep'; readonly uploadId: string | null }
  | { readonly type: 'retry'; readonly delayMs: number };

type Next = Step<UploadState, UploadEffect>;

export function emptyUpload(size: number, uploadId: string | null = null): UploadState {
  return {
    ...{ size, uploadId, phase: 'idle', offset: 0, sent: 0, partBytes: FIRST_PART, beginnings: 0 },
    ...{ retry: FIRST_RETRY, error: null },
  };
}

/** One upload by tus 1.0: begun, sent in parts, and after any break asked how far it has come. */
export function reduceUpload(state: UploadState, event: UploadEvent): Next {
  switch (event.type) {
    case 'start':
      if (isUnderWay(state) || state.phase === 'ready') return only(state);
      return state.uploadId === null ? begin({ ...state, beginnings: 0 }) : ask(state, state.uploadId);
    case 'wait':
      return only(isUnderWay(state) || state.phase === 'ready' ? state : { ...state, phase: 'idle', error: null });
    case 'known':
      return only(isUnderWay(state) || state.phase === 'ready' ? state : { ...state, uploadId: event.uploadId });
    case 'progressed':
      return only(state.phase === 'sending' ? { ...state, sent: event.bytes } : state);
    case 'failed':
      return isUnderWay(state) ? fail(state, event) : only(state);
    case 'refuse':
      return only({ ...state, phase: 'refused', error: event.error });
    default:
      return takeAnswer(state, event);
  }
}

type Answer = Extract<UploadEvent, { readonly type: 'begun' | 'asked' | 'part-sent' }>;

/** What was not asked for any more changes nothing. */
function takeAnswer(state: UploadState, event: Answer): Next {
  const { phase, uploadId } = state;
  if (event.type === 'begun') {
    const { uploadId: begun } = event;
    if (phase !== 'beginning') return only(state);
    return sendFrom({ ...state, uploadId: begun }, begun, 0, { type: 'keep', uploadId: begun });
  }
  if (uploadId === null) return only(state);
  if (event.type === 'asked') {
    if (phase !== 'asking') return only(state);
    return event.isReady ? done(state) : sendFrom(state, uploadId, event.offset);
  }
  if (phase !== 'sending') return only(state);
  // The last part is answered once the file is ready.
  return event.to >= state.size ? done(state) : sendFrom(paced(state, event.ms), uploadId, event.to);
}

function isUnderWay({ phase }: UploadState): boolean {
  return phase === 'beginning' || phase === 'asking' || phase === 'sending';
}

function begin(state: UploadState): Next {
  const beginnings = state.beginnings + 1;
  return only({ ...state, phase: 'beginning', uploadId: null, offset: 0, sent: 0, beginnings }, { type: 'begin' });
}

function ask(state: UploadState, uploadId: string): Next {
  return only({ ...state, phase: 'asking', sent: 0 }, { type: 'ask', uploadId });
}

/** Also with nothing left to send: an upload that is whole and not ready is made so by a part without bytes. */
function sendFrom(state: UploadState, uploadId: string, offset: number, ...before: UploadEffect[]): Next {
  const to = Math.min(state.size, offset + state.partBytes);
  const sending = { ...state, phase: 'sending' as const, offset, sent: 0, error: null };
  return only(sending, ...before, { type: 'send', uploadId, from: offset, to });
}

function done(state: UploadState): Next {
  return only({ ...state, phase: 'ready', offset: state.size, sent: 0, error: null, retry: FIRST_RETRY });
}

/** The next part takes about five seconds at the pace of this one, and is no more than four times as large. */
function paced(state: UploadState, ms: number): UploadState {
  const factor = Math.min(4, PART_MS / Math.max(1, ms));
  return { ...state, partBytes: within(Math.round(state.partBytes * factor)), retry: FIRST_RETRY };
}

function within(bytes: number): number {
  return Math.min(LARGEST_PART, Math.max(SMALLEST_PART, bytes));
}

function fail(state: UploadState, event: Extract<UploadEvent, { readonly type: 'failed' }>): Next {
  const { failure, error } = event;
  if (failure === 'gone' && state.uploadId !== null && state.beginnings < MOST_BEGINNINGS) {
    const { state: next, effects } = begin(state);
    return only(next, { type: 'keep', uploadId: null }, ...effects);
  }
  if (failure === 'moved' && state.phase === 'sending' && state.uploadId !== null) return ask(state, state.uploadId);
  if (failure === 'final' || failure === 'gone') return only({ ...state, phase: 'refused', error, sent: 0 });
  // A part that did not get through was too large for this network.
  const partBytes = state.phase === 'sending' ? within(Math.floor(state.partBytes / 2)) : state.partBytes;
  const free = { ...state.retry, isPlanned: false };
  const plan = planRetry(free, event.random, event.retryAfterMs ?? 0);
  return only(
    { ...state, phase: 'resting', partBytes, error, sent: 0, retry: plan?.retry ?? free },
    ...(plan ? [{ type: 'retry' as const, delayMs: plan.delayMs }] : []),
  );
}

function only(state: UploadState, ...effects: UploadEffect[]): Next {
  return { state, effects };
}

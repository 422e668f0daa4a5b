import type { User } from '@wardline/contract/account/auth.ts';
import type { Failure } from '#/engine.ts';
import type { SessionState, SignedOutReason } from './session-state.ts';

export interface SessionEngineState<Copy> {
  readonly session: SessionState;
  /** The signed-in person's copy on this device. */
  readonly copy: Copy | null;
  /** What is under way, by the ids of the requests. */
  readonly flows: ReadonlyMap<number, Flow>;
  /** How many copies are being ended; nobody enters meanwhile. */
  readonly endings: number;
  /**
   * Counts what this tab knows of the cookie's changes of hands: an answer to what was asked before one says nothing of
   * whose it is now.
   */
  readonly epoch: number;
  /** Somebody signed in here, and the other tabs have not been told. */
  readonly isSignInUntold: boolean;
}

interface SignInPurpose {
  readonly type: 'sign-in';
  readonly mode: 'cookie' | 'token';
  readonly email: string;
  readonly isOwnDevice: boolean;
}

/** Someone asks who is signed in, signs in or signs out: a step waits for each answer. */
export interface Flow {
  readonly requestId: number;
  readonly purpose:
    | { readonly type: 'identify'; readonly told: 'sanctum:init' | 'sanctum:refresh' }
    | SignInPurpose
    | { readonly type: 'sign-out'; readonly userId: string; readonly discardUnsent: boolean };
  readonly step:
    | 'signing-in'
    | 'signing-out'
    | 'signing-out-other'
    | 'asking'
    | 'waiting-to-enter'
    | 'entering'
    | 'opening-kept'
    | 'ending';
  /** Whom the server named. */
  readonly user: User | null;
  /** The epoch in which the server was asked, and who was signed in here then. */
  readonly epoch: number;
  readonly askedAs: string | null;
  /** What a sign-in was refused with that was answered by a redirect, as where a session lives already; null before. */
  readonly redirect: Failure;
  /** It was asked again, because the first answer was overtaken. */
  readonly isRepeat: boolean;
}

/** What the tabs of one browser tell each other. */
export type SessionTabMessage =
  | { readonly type: 'signed-out'; readonly reason: 'elsewhere' | 'expired' }
  | { readonly type: 'signed-in'; readonly userId: string };

/**
 * What may happen to a session. `requestId` is that of the caller, or a new one where nobody waits; `isSignOutOwed` says
 * whether the server has yet to hear of a sign-out, as the device knows it then.
 */
export type SessionEvent<Copy> = { readonly requestId: number; readonly isSignOutOwed: boolean } & (
  | { readonly type: 'identify'; readonly told: 'sanctum:init' | 'sanctum:refresh' }
  /** Nothing says that anybody is signed in: the server is not asked. */
  | { readonly type: 'assume-signed-out' }
  | SignInPurpose
  | { readonly type: 'sign-out'; readonly discardUnsent: boolean }
  | { readonly type: 'credentials-accepted' }
  | { readonly type: 'sign-in-redirected'; readonly error: unknown }
  | { readonly type: 'sign-out-heard' }
  | { readonly type: 'user-loaded'; readonly user: User }
  /** A step of a flow failed; status 0 without an answer. */
  | { readonly type: 'step-failed'; readonly status: number; readonly error: unknown }
  | { readonly type: 'copy-opened'; readonly copy: Copy }
  | { readonly type: 'copy-confirmed' }
  | { readonly type: 'kept-copy-opened'; readonly kept: { readonly user: User; readonly copy: Copy } | null }
  | { readonly type: 'copy-ended' }
  | { readonly type: 'tab-message'; readonly message: SessionTabMessage }
  /** Some call was answered by 401, or by 419 with a fresh token too. */
  | { readonly type: 'unauthenticated' }
  | { readonly type: 'csrf-mismatch'; readonly isWrite: boolean }
  | { readonly type: 'network-returned' }
  /** The server did not take a sign-out; it is told again. */
  | { readonly type: 'sign-out-due' }
);

export type SessionEffect<Copy> =
  | { readonly type: 'call-sign-in'; readonly requestId: number }
  | { readonly type: 'call-sign-out'; readonly requestId: number }
  | { readonly type: 'call-user'; readonly requestId: number }
  | { readonly type: 'owe-sign-out'; readonly isOwed: boolean }
  /** Tells the server again after a while. */
  | { readonly type: 'plan-sign-out' }
  | { readonly type: 'forget-token' }
  | {
      readonly type: 'open-copy';
      readonly requestId: number;
      readonly user: User;
      /** Undefined where the person did not say it now. */
      readonly isOwnDevice: boolean | undefined;
      /** The copy that was open; another person's is wiped. */
      readonly before: Copy | null;
    }
  | { readonly type: 'confirm-copy'; readonly requestId: number; readonly copy: Copy; readonly user: User }
  | { readonly type: 'open-kept-copy'; readonly requestId: number }
  | { readonly type: 'close-copy'; readonly copy: Copy }
  | {
      readonly type: 'end-copy';
      readonly requestId: number;
      readonly copy: Copy | null;
      readonly discardUnsent: boolean;
      readonly discardTyped: boolean;
    }
  | { readonly type: 'tell-tabs'; readonly message: SessionTabMessage }
  | {
      readonly type: 'emit';
      readonly name: 'sanctum:init' | 'sanctum:refresh' | 'sanctum:login' | 'sanctum:logout';
    }
  | { readonly type: 'answer'; readonly requestId: number; readonly failure: Failure }
  | {
      readonly type: 'log';
      readonly level: 'debug' | 'warn' | 'error';
      readonly line: string;
      readonly error?: unknown;
    };

/** How a copy ends: why nobody is signed in any more, and whether unsent work goes too. */
export interface Ending {
  readonly requestId: number;
  readonly reason: SignedOutReason;
  readonly discardUnsent?: boolean;
}

type Unstamped<Event> = Event extends unknown ? Omit<Event, 'isSignOutOwed'> : never;

/** Hands an event to the engine, which adds what only it knows. */
export type SessionDispatch<Copy> = (event: Unstamped<SessionEvent<Copy>>) => void;

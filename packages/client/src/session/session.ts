import {
  createToken,
  getUser,
  signIn as signInEndpoint,
  signOut as signOutEndpoint,
} from '@wardline/contract/account/auth.ts';
import type { signInWithPasskey } from '@wardline/contract/account/passkeys.ts';
import type { SecondStep } from '@wardline/contract/account/second-factor.ts';
import type { ClientConfig } from '@wardline/contract/config.ts';
import type { BodyOf } from '@wardline/contract/endpoint.ts';
import { type OpenTabChannel, openTabChannel, type TabChannel } from '#/browser/tab-channel.ts';
import { whenTrue } from '#/browser/when-true.ts';
import type { Emitter } from '#/emitter.ts';
import { createEngine, createRequests, type EffectHandlers, type Requests, runBy } from '#/engine.ts';
import { ApiError, isTemporary, statusOf, transportError } from '#/http/api-error.ts';
import type { Call, TokenStorage } from '#/http/call.ts';
import type { ClientEvents } from '#/http/call-events.ts';
import type { Log } from '#/log.ts';
import { createSource, type Observable } from '#/observable.ts';
import { createRetryTimer } from '#/retry-timer.ts';
import { checkPrefix, STORAGE_PREFIX } from '#/storage-prefix.ts';
import type { DeviceStore } from '#/store/device-store.ts';
import type { CopyEffect } from './copy-effects.ts';
import { createDeviceOwner, type DeviceOwner } from './device-owner.ts';
import type { SessionDispatch, SessionEffect, SessionEvent, SessionTabMessage } from './session-events.ts';
import { hasSessionHint, isMarkedGuest } from './session-hint.ts';
import { reduceSession, unknownSession } from './session-reducer.ts';
import type { SessionState } from './session-state.ts';

export type { SessionState } from './session-state.ts';

export interface SessionDeps {
  readonly config: ClientConfig;
  readonly call: Call;
  readonly events: Emitter<ClientEvents>;
  readonly log: Log;
  readonly tokenStorage?: TokenStorage;
  readonly openTab?: OpenTabChannel;
  /** What names in this browser begin with: letters and digits, `wardline` unless told. */
  readonly prefix?: string;
  /** Made with the same prefix. */
  readonly owner?: DeviceOwner;
  /** Whether somebody may be signed in: as session-hint.ts finds it, unless told. */
  readonly hasHint?: () => boolean;
  /** Whether the server has marked this browser's person as a guest: as session-hint.ts finds it, unless told. */
  readonly isGuest?: () => boolean;
  /** When the network returns, who could not be asked about before is asked about again. */
  readonly online?: Observable<boolean>;
  /** Loads what copies on the device need; it comes when there is one to open or to end. */
  readonly loadCopyEffects?: () => Promise<Pick<typeof import('./copy-effects.ts'), 'createCopyEffects'>>;
  /** How this device is named in token mode. */
  readonly deviceName?: string;
}

type PasskeyAnswer = BodyOf<typeof signInWithPasskey>['credential'];

export interface SignInOptions {
  readonly ownDevice: boolean;
  /** A code of the person's app, or a recovery code. */
  readonly secondStep?: SecondStep;
  /** Cookie mode: what a passkey answered to the server's challenge; email and password are then not looked at. */
  readonly passkey?: PasskeyAnswer;
}

export interface Session extends Observable<SessionState> {
  /** The signed-in person's copy on this device; null while nobody is signed in. */
  store(): DeviceStore | null;
  /** Asks once who is signed in, where somebody may be; later calls share that answer (AUTH-1, F-C6). Never rejects. */
  load(): Promise<void>;
  /**
   * Rejects with the ApiError of the failed step; 422 carries the sentences for the fields. With the code
   * `two_factor_required` the password was right: called again with `secondStep`, it goes on from there.
   */
  signIn(email: string, password: string, options: SignInOptions): Promise<void>;
  /**
   * Ends the session here, in every tab and on the server. Where the server does not take it, the state's reason is
   * `not-ended`, and the server is told again: after a while, when the network returns, by `refresh`, at the next start.
   */
  signOut(options?: { readonly discardUnsent?: boolean }): Promise<void>;
  /** Asks anew who is signed in, e.g. after memberships changed or the network returned; not about whom the server calls a guest. */
  refresh(): Promise<void>;
}

/** Runs {@link reduceSession} over the server, the copy on the device and the other tabs. */
export function createSession(deps: SessionDeps): Session {
  const { config, events, log, openTab = openTabChannel, prefix = STORAGE_PREFIX } = deps;
  const { owner = createDeviceOwner(undefined, prefix) } = deps;
  const shown = createSource<SessionState>({ status: 'unknown' });
  const requests = createRequests();
  const credentials = new Map<number, Credentials>();
  const engine = createEngine({
    initial: unknownSession<DeviceStore>(),
    reduce: reduceSession<DeviceStore>,
    onState: (state) => shown.set(state.session),
    run: (effect: SessionEffect<DeviceStore>) => run(effect),
    onError: (error) => log.error('The session could not do a step of its work', error),
  });
  const dispatch: SessionDispatch<DeviceStore> = (event) =>
    engine.dispatch({ ...event, isSignOutOwed: owner.isSignOutOwed() });
  const announce = (event: Unnumbered<SessionEvent<DeviceStore>>): void =>
    dispatch({ ...event, requestId: requests.newId() });
  const tab = openTab<SessionTabMessage>(`${checkPrefix(prefix)}-session`, (message) =>
    announce({ type: 'tab-message', message }),
  );
  const run = runBy<SessionEffect<DeviceStore>>(
    createHandlers({ deps: { ...deps, owner }, requests, credentials, tab, dispatch }),
  );
  events.on('unauthenticated', () => announce({ type: 'unauthenticated' }));
  events.on('csrf_mismatch', ({ endpoint }) => announce({ type: 'csrf-mismatch', isWrite: endpoint.method !== 'GET' }));
  if (deps.online !== undefined) whenTrue(deps.online, () => announce({ type: 'network-returned' }));

  const request = (event: Unnumbered<SessionEvent<DeviceStore>>, secret?: Credentials): Promise<void> => {
    const { requestId, done } = requests.open();
    if (secret !== undefined) credentials.set(requestId, secret);
    dispatch({ ...event, requestId });
    return done.finally(() => credentials.delete(requestId));
  };
  let loading: Promise<void> | null = null;
  return {
    get: shown.get,
    subscribe: shown.subscribe,
    store: () => engine.state().copy,
    load() {
      const hasToken = () => (deps.tokenStorage?.get() ?? null) !== null;
      const { hasHint = () => hasSessionHint({ config, owner, hasToken }) } = deps;
      loading ??= request(hasHint() ? { type: 'identify', told: 'sanctum:init' } : { type: 'assume-signed-out' });
      return loading;
    },
    signIn: (email, password, { ownDevice, secondStep, passkey }) =>
      request(
        { type: 'sign-in', mode: config.mode, email, isOwnDevice: ownDevice },
        { email, password, remember: ownDevice, secondStep, passkey },
      ),
    signOut: ({ discardUnsent = false } = {}) => request({ type: 'sign-out', discardUnsent }),
    async refresh() {
      const { isGuest = () => config.mode === 'cookie' && isMarkedGuest(config) } = deps;
      const isKnown = shown.get().status === 'signed-out' && !owner.isSignOutOwed();
      if (!(isKnown && isGuest())) await request({ type: 'identify', told: 'sanctum:refresh' });
    },
  };
}

interface Credentials {
  readonly email: string;
  readonly password: string;
  /** The session outlives the browser: 7 days on our server. */
  readonly remember: boolean;
  readonly secondStep: SecondStep | undefined;
  readonly passkey: PasskeyAnswer | undefined;
}

type Unnumbered<Event> = Event extends unknown ? Omit<Event, 'isSignOutOwed' | 'requestId'> : never;

interface RunnerDeps {
  readonly deps: SessionDeps & { readonly owner: DeviceOwner };
  readonly requests: Requests;
  /** Passwords and whose they are, until the sign-in is over; the state knows no password. */
  readonly credentials: ReadonlyMap<number, Credentials>;
  readonly tab: TabChannel<SessionTabMessage>;
  readonly dispatch: SessionDispatch<DeviceStore>;
}

/** Does what the reducer asks for; what comes of it goes back as an event. */
function createHandlers(runner: RunnerDeps): EffectHandlers<SessionEffect<DeviceStore>> {
  const { deps, requests, credentials, tab, dispatch } = runner;
  const { config, call, events, log, owner, tokenStorage, online } = deps;
  const failed = (requestId: number) => (error: unknown) =>
    dispatch({ type: 'step-failed', requestId, status: statusOf(error), error });
  const signOutRetry = createRetryTimer(() => dispatch({ type: 'sign-out-due', requestId: requests.newId() }));
  const identifyRetry = createRetryTimer(() => dispatch({ type: 'network-returned', requestId: requests.newId() }));
  return {
    ...createCopyHandlers(runner, failed),
    'call-sign-in': ({ requestId }) =>
      void authenticate(deps, credentials.get(requestId)).then(
        () => dispatch({ type: 'credentials-accepted', requestId }),
        (error: unknown) => {
          const isRedirect = config.mode === 'cookie' && error instanceof ApiError && error.code === 'redirected';
          if (isRedirect) dispatch({ type: 'sign-in-redirected', requestId, error });
          else failed(requestId)(error);
        },
      ),
    'call-sign-out': ({ requestId }) =>
      void call(signOutEndpoint).then(() => dispatch({ type: 'sign-out-heard', requestId }), failed(requestId)),
    'call-user': ({ requestId }) =>
      void call(getUser).then(
        (user) => {
          identifyRetry.succeed();
          dispatch({ type: 'user-loaded', requestId, user });
        },
        (error: unknown) => {
          failed(requestId)(error);
          // Without a network its return is waited for; a network without the server tells nothing.
          if (isTemporary(error) && online?.get() !== false) identifyRetry.plan();
        },
      ),
    'owe-sign-out'({ isOwed }) {
      owner.oweSignOut(isOwed);
      if (!isOwed) signOutRetry.succeed();
    },
    'plan-sign-out': () => signOutRetry.plan(),
    'forget-token': () => tokenStorage?.set(null),
    'tell-tabs': ({ message }) => tab.post(message),
    emit: ({ name }) => events.emit(name, undefined),
    answer: ({ requestId, failure }) => requests.answer(requestId, failure),
    log: ({ level, line, error }) => log[level](line, ...(error === undefined ? [] : [error])),
  };
}

/** What a copy on the device needs comes with the first copy that is to be opened or ended: a sign-in page needs none of it. */
function createCopyHandlers(
  { deps, dispatch }: RunnerDeps,
  failed: (requestId: number) => (error: unknown) => void,
): Pick<EffectHandlers<SessionEffect<DeviceStore>>, CopyEffect['type'] | 'close-copy'> {
  const { loadCopyEffects = () => import('./copy-effects.ts') } = deps;
  let loading: Promise<(effect: CopyEffect) => void> | null = null;
  const load = () => {
    loading ??= loadCopyEffects().then(
      ({ createCopyEffects }) => createCopyEffects(deps, dispatch, failed),
      (error: unknown) => {
        // Also where it was fetched early: the next effect fetches anew.
        loading = null;
        throw error;
      },
    );
    return loading;
  };
  const run = (effect: CopyEffect): void => {
    load().then(
      (runCopyEffect) => runCopyEffect(effect),
      (error: unknown) => {
        deps.log.error('The code for copies on this device could not be loaded', error);
        if (effect.type === 'end-copy') dispatch({ type: 'copy-ended', requestId: effect.requestId });
        else failed(effect.requestId)(error);
      },
    );
  };
  // Somebody was signed in here: the code comes while the server is asked whether they still are.
  if (deps.owner.get() !== null) void load().catch(() => undefined);
  return {
    'open-copy': run,
    'confirm-copy': run,
    'open-kept-copy': run,
    'end-copy': run,
    'close-copy': ({ copy }) => copy.close(),
  };
}

/** Hands the credentials over; in token mode the token is kept. */
async function authenticate(
  { config, call, tokenStorage, deviceName = 'Browser' }: SessionDeps,
  credentials: Credentials | undefined,
): Promise<void> {
  const { email = '', password = '', remember = false, secondStep, passkey } = credentials ?? {};
  if (config.mode === 'cookie') {
    // Few come this far: its code is fetched then.
    if (secondStep || passkey)
      return await (await import('./answer-challenge.ts')).answerChallenge(call, { secondStep, passkey, remember });
    const reply = await call(signInEndpoint, { body: { email, password, ...(remember ? { remember } : {}) } });
    if (reply?.two_factor === true) throw new ApiError('Two-factor challenge', { status: 422, code: SECOND_STEP });
    return;
  }
  const body = { email, password, device_name: deviceName, ...secondStep } as BodyOf<typeof createToken>;
  const { token } = await call(createToken, { body }).catch((error) => Promise.reject(nameMissing(error, secondStep)));
  tokenStorage?.set(token);
}

const SECOND_STEP = 'two_factor_required';

/** Names the token that an answer lacks, or the code that a back end asks for in the way of Laravel's: by its field. */
function nameMissing(error: unknown, secondStep: SecondStep | undefined): unknown {
  if (!(error instanceof ApiError)) return error;
  if (error.code === 'malformed_reply')
    return transportError('malformed_reply', 'Token was not returned from the API', error);
  const isAsked = secondStep === undefined && error.status === 422 && 'code' in error.fieldErrors;
  return isAsked ? new ApiError(error.message, { status: 422, code: SECOND_STEP, cause: error }) : error;
}

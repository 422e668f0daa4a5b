import type { User } from '@wardline/contract/account/auth.ts';
import type { Step } from '#/engine.ts';
import type { Ending, Flow, SessionEffect, SessionEngineState, SessionEvent } from './session-events.ts';
import type { SignedOutReason } from './session-state.ts';

type State<Copy> = SessionEngineState<Copy>;
type Next<Copy> = Step<State<Copy>, SessionEffect<Copy>>;
type EventOf<Copy, Type> = Extract<SessionEvent<Copy>, { readonly type: Type }>;

/** A tab that has not asked yet who is signed in. */
export function unknownSession<Copy>(): State<Copy> {
  return { session: { status: 'unknown' }, copy: null, flows: new Map(), endings: 0, epoch: 0, isSignInUntold: false };
}

/** Who is signed in, in this tab and the others (AUTH-1 … AUTH-5). */
export function reduceSession<Copy>(state: State<Copy>, event: SessionEvent<Copy>): Next<Copy> {
  const flow = state.flows.get(event.requestId);
  switch (event.type) {
    case 'identify':
      return identify(state, event);
    case 'assume-signed-out':
      return step(state.session.status === 'unknown' ? signedOut(state, 'initial') : state, {
        ...{ type: 'answer', requestId: event.requestId, failure: null },
      });
    case 'sign-in':
      return onSignIn(state, event);
    case 'sign-out':
      return onSignOut(state, event);
    case 'tab-message':
      return onTabMessage(state, event);
    case 'unauthenticated':
      return isQuiet(state) || currentUser(state) === null ? step(state) : expire(state, event.requestId);
    case 'csrf-mismatch':
      return onCsrfMismatch(state, event);
    case 'network-returned':
      return isUnsure(state) ? identify(state, { ...event, told: 'sanctum:refresh' }) : step(state);
    case 'sign-out-due':
      return isNotEnded(state) && state.flows.size === 0
        ? identify(state, { ...event, told: 'sanctum:refresh' })
        : step(state);
    case 'copy-ended':
      return onCopyEnded(state, flow, event.isSignOutOwed);
    default:
      return flow === undefined ? step(state) : onFlowEvent(state, flow, event);
  }
}

type FlowEvent<Copy> = EventOf<
  Copy,
  | 'credentials-accepted'
  | 'sign-in-redirected'
  | 'sign-out-heard'
  | 'user-loaded'
  | 'step-failed'
  | 'copy-opened'
  | 'copy-confirmed'
  | 'kept-copy-opened'
>;

function onFlowEvent<Copy>(state: State<Copy>, flow: Flow, event: FlowEvent<Copy>): Next<Copy> {
  switch (event.type) {
    case 'credentials-accepted': {
      // The cookie has changed hands: what was asked before is overtaken.
      const owner = { ...state, epoch: state.epoch + 1, isSignInUntold: true };
      return then(step<Copy>(owner, { type: 'owe-sign-out', isOwed: false }), (now) => ask(now, flow));
    }
    case 'sign-in-redirected':
      return onSignInRedirected(state, flow, event.error);
    case 'sign-out-heard':
      if (flow.purpose.type === 'sign-in') return onOtherSignedOut(state, flow);
      return flow.purpose.type === 'sign-out'
        ? endSignOut(state, flow, 'signed-out')
        : onOwedSignOutHeard(state, flow, event.isSignOutOwed);
    case 'user-loaded':
      if (isOvertaken(state, flow) || isLeaving(flow, event)) return askAgain(state, flow, event);
      if (flow.redirect !== null) return onSessionFound(state, flow, event.user);
      return enterNext(withFlow(state, { ...flow, step: 'waiting-to-enter', user: event.user }));
    case 'copy-opened':
      return onCopyOpened(state, flow, event);
    case 'copy-confirmed':
      return isOvertaken(state, flow) || state.copy === null ? askAgain(state, flow, event) : entered(state, flow);
    case 'kept-copy-opened':
      return onKeptCopyOpened(state, flow, event);
    case 'step-failed':
      return onStepFailed(state, flow, event);
  }
}

// ---- Asking who is signed in

function identify<Copy>(
  state: State<Copy>,
  { requestId, isSignOutOwed, told }: Pick<EventOf<Copy, 'identify'>, 'requestId' | 'isSignOutOwed' | 'told'>,
): Next<Copy> {
  return begin(state, startFlow(state, requestId, { type: 'identify', told }), isSignOutOwed);
}

/** Nobody is asked about before a sign-out that is owed. */
function begin<Copy>(state: State<Copy>, flow: Flow, isSignOutOwed: boolean): Next<Copy> {
  if (!isSignOutOwed) return ask(state, flow);
  const { requestId } = flow;
  const leaving = withFlow(state, { ...flow, step: 'signing-out', epoch: state.epoch });
  return step(leaving, { type: 'call-sign-out', requestId });
}

function ask<Copy>(state: State<Copy>, flow: Flow): Next<Copy> {
  const { requestId } = flow;
  const asking = withFlow(state, {
    ...flow,
    ...{ step: 'asking', epoch: state.epoch, askedAs: currentUser(state)?.id ?? null },
  });
  return step(asking, { type: 'call-user', requestId });
}

/** The answer is of another time: who is signed in now has to be asked anew. */
function askAgain<Copy>(state: State<Copy>, flow: Flow, event: Pick<SessionEvent<Copy>, 'isSignOutOwed'>): Next<Copy> {
  return then(begin(state, { ...flow, isRepeat: true }, isLeaving(flow, event)), enterNext);
}

/** Whether a sign-out is owed that this does not make good for: whoever the cookie still is, is not entered. */
function isLeaving<Copy>({ purpose }: Flow, { isSignOutOwed }: Pick<SessionEvent<Copy>, 'isSignOutOwed'>): boolean {
  return isSignOutOwed && purpose.type === 'identify';
}

function onStepFailed<Copy>(state: State<Copy>, flow: Flow, event: EventOf<Copy, 'step-failed'>): Next<Copy> {
  const { status, error } = event;
  const { requestId } = flow;
  switch (flow.purpose.type) {
    case 'identify':
      return flow.step === 'signing-out'
        ? onOwedSignOutFailed(state, flow, event)
        : onNotIdentified(state, flow, event);
    case 'sign-out':
      if (status === 401) return endSignOut(state, flow, 'signed-out');
      return then(step<Copy>(state, { type: 'owe-sign-out', isOwed: true }, { type: 'plan-sign-out' }), (now) =>
        endSignOut(now, flow, 'not-ended'),
      );
    case 'sign-in': {
      if (flow.step === 'signing-out-other' && status === 401) return onOtherSignedOut(state, flow);
      const isRefused = status === 401 || status === 419;
      const failure = flow.step === 'asking' && isRefused ? (flow.redirect ?? { error }) : { error };
      const answer: SessionEffect<Copy> = { type: 'answer', requestId, failure };
      // The server took the credentials but could not say who that is, or has somebody else's session: asked again when the
      // network is back.
      const isInDoubt = (flow.step === 'asking' && !isRefused) || flow.step === 'signing-out-other';
      const left =
        currentUser(state) === null ? step<Copy>(signedOut(state, 'unreachable')) : leave(state, 'unreachable');
      return isInDoubt ? then(left, (now) => finish(now, flow, answer)) : finish(state, flow, answer);
    }
  }
}

function onOwedSignOutFailed<Copy>(
  state: State<Copy>,
  flow: Flow,
  { status, error, isSignOutOwed }: EventOf<Copy, 'step-failed'>,
): Next<Copy> {
  // A session that is gone already is what was wanted.
  if (status === 401) return onOwedSignOutHeard(state, flow, isSignOutOwed);
  // Somebody signed in or out meanwhile.
  if (isOvertaken(state, flow) || !isSignOutOwed) return begin(state, flow, isSignOutOwed);
  const line = 'The server did not end the session that was signed out of';
  const told = step<Copy>(state, { type: 'log', level: 'error', line, error }, { type: 'plan-sign-out' });
  return then(told, (now) => finish(currentUser(now) === null ? signedOut(now, 'not-ended') : now, flow));
}

function onNotIdentified<Copy>(state: State<Copy>, flow: Flow, event: EventOf<Copy, 'step-failed'>): Next<Copy> {
  const { status, error } = event;
  const { requestId, step: failed } = flow;
  if (status === 401 || status === 419) {
    // A refusal of another time says nothing of the session of now.
    const isOld = isOvertaken(state, flow) || (currentUser(state)?.id ?? flow.askedAs) !== flow.askedAs;
    if (failed === 'asking' && isOld) return askAgain(state, flow, event);
    if (currentUser(state) !== null && status === 419) return then(warnOfMismatch(state), (now) => finish(now, flow));
    const ending = withFlow(state, { ...flow, step: 'ending' });
    if (currentUser(state) !== null) return expire(ending, requestId);
    const line = `User is not authenticated on initialization, status: ${status}`;
    const told = step<Copy>(ending, { type: 'log', level: 'debug', line });
    if (flow.isRepeat && state.session.status === 'signed-out') return then(told, (now) => finish(now, flow));
    return then(told, (now) => end(now, { requestId, reason: 'initial' }));
  }
  const told = step<Copy>(state, { type: 'log', level: 'error', line: 'Unable to load user identity from API', error });
  if (state.session.status === 'signed-in') return then(told, (now) => finish(now, flow));
  // Only where there was no answer at all may this device vouch for the person; a server that refuses is believed.
  if (status !== 0) return then(told, (now) => finish(signedOut(now, 'unreachable'), flow));
  return then(told, (now) =>
    step(withFlow(now, { ...flow, step: 'opening-kept', epoch: now.epoch }), { type: 'open-kept-copy', requestId }),
  );
}

/** The session that was signed out of is over, and nobody is signed in: not asked, unless somebody signed in or out meanwhile. */
function onOwedSignOutHeard<Copy>(state: State<Copy>, flow: Flow, isSignOutOwed: boolean): Next<Copy> {
  if (isOvertaken(state, flow)) return begin(state, flow, isSignOutOwed);
  const heard = step<Copy>(state, { type: 'owe-sign-out', isOwed: false });
  if (currentUser(state) !== null) return then(heard, (now) => ask(now, flow));
  const { requestId } = flow;
  return then(heard, (now) => end(withFlow(now, { ...flow, step: 'ending' }), { requestId, reason: 'signed-out' }));
}

function onKeptCopyOpened<Copy>(state: State<Copy>, flow: Flow, event: EventOf<Copy, 'kept-copy-opened'>): Next<Copy> {
  const { kept } = event;
  const close: SessionEffect<Copy>[] = kept === null ? [] : [{ type: 'close-copy', copy: kept.copy }];
  if (isOvertaken(state, flow) || isLeaving(flow, event))
    return then(step(state, ...close), (now) => askAgain(now, flow, event));
  // Somebody was confirmed meanwhile, or is about to enter.
  const isTaken = [...state.flows.values()].some((other) => other.user !== null && other.requestId !== flow.requestId);
  if (currentUser(state) !== null || isTaken) {
    const known = state.session.status === 'unknown' ? signedOut(state, 'unreachable') : state;
    return then(step<Copy>(known, ...close), (now) => finish(now, flow));
  }
  if (kept === null) return finish(signedOut(state, 'unreachable'), flow);
  const session = { status: 'signed-in' as const, user: kept.user, confirmed: false };
  return finish({ ...state, session, copy: kept.copy }, flow);
}

/** Whether this tab says what no server has confirmed. */
function isUnsure<Copy>({ session }: State<Copy>): boolean {
  if (session.status === 'signed-in') return !session.confirmed;
  return session.status === 'signed-out' && (session.reason === 'unreachable' || session.reason === 'not-ended');
}

/** Whether somebody signed out here whose session the server has not ended. */
function isNotEnded<Copy>({ session }: State<Copy>): boolean {
  return session.status === 'signed-out' && session.reason === 'not-ended';
}

// ---- Entering

function onSignIn<Copy>(state: State<Copy>, event: EventOf<Copy, 'sign-in'>): Next<Copy> {
  const { requestId, mode, email, isOwnDevice } = event;
  if (currentUser(state) !== null) return refuse(state, requestId, 'User is already authenticated');
  return signInBy(state, startFlow(state, requestId, { type: 'sign-in', mode, email, isOwnDevice }));
}

function signInBy<Copy>(state: State<Copy>, flow: Flow): Next<Copy> {
  const signingIn = withFlow(state, { ...flow, step: 'signing-in' });
  return step(signingIn, { type: 'call-sign-in', requestId: flow.requestId });
}

/** A back end answers so where the cookie has a session already: whose it is decides (F-L3). */
function onSignInRedirected<Copy>(state: State<Copy>, flow: Flow, error: unknown): Next<Copy> {
  const { requestId } = flow;
  if (flow.redirect === null) return ask(state, { ...flow, redirect: { error } });
  return finish(state, flow, { type: 'answer', requestId, failure: { error } });
}

/** The same person enters; another is signed out first. */
function onSessionFound<Copy>(state: State<Copy>, flow: Flow, user: User): Next<Copy> {
  const { purpose, requestId } = flow;
  const email = purpose.type === 'sign-in' ? purpose.email.trim().toLowerCase() : '';
  if (email === '' || user.email.toLowerCase() !== email)
    return step(withFlow(state, { ...flow, step: 'signing-out-other' }), { type: 'call-sign-out', requestId });
  const epoch = state.epoch + 1;
  const owner = { ...state, epoch, isSignInUntold: true };
  const found = withFlow(owner, { ...flow, step: 'waiting-to-enter', user, epoch });
  return then(step<Copy>(found, { type: 'owe-sign-out', isOwed: false }), enterNext);
}

function onOtherSignedOut<Copy>(state: State<Copy>, flow: Flow): Next<Copy> {
  const left: SessionEffect<Copy> = { type: 'tell-tabs', message: { type: 'signed-out', reason: 'elsewhere' } };
  return then(step(state, left, { type: 'owe-sign-out', isOwed: false }), (now) => signInBy(now, flow));
}

/** One after the other, and not while a copy is being ended, opens the copy of the person whom the server named. */
function enterNext<Copy>(state: State<Copy>): Next<Copy> {
  const flows = [...state.flows.values()];
  const flow = flows.find((other) => other.step === 'waiting-to-enter');
  const isBusy = state.endings > 0 || flows.some((other) => other.step === 'entering');
  if (isBusy || flow === undefined || flow.user === null) return step(state);
  const { requestId, purpose, user } = flow;
  const { copy } = state;
  const isOwnDevice = purpose.type === 'sign-in' ? purpose.isOwnDevice : undefined;
  const entering = withFlow(state, { ...flow, step: 'entering' });
  if (currentUser(state)?.id === user.id && copy !== null && isOwnDevice === undefined)
    return step(entering, { type: 'confirm-copy', requestId, copy, user });
  return step({ ...entering, copy: null }, { type: 'open-copy', requestId, user, isOwnDevice, before: copy });
}

function onCopyOpened<Copy>(state: State<Copy>, flow: Flow, event: EventOf<Copy, 'copy-opened'>): Next<Copy> {
  const { copy } = event;
  if (!isOvertaken(state, flow)) return entered({ ...state, copy }, flow);
  return then(step<Copy>(state, { type: 'close-copy', copy }), (now) => askAgain(now, flow, event));
}

function entered<Copy>(state: State<Copy>, flow: Flow): Next<Copy> {
  const { user, purpose } = flow;
  if (user === null) return finish(state, flow);
  const session = { status: 'signed-in' as const, user, confirmed: true };
  // A tab that loads finds what the others know; who comes back to a tab that was signed out may be news to them.
  const isChange = state.isSignInUntold || state.session.status === 'signed-out';
  const told: SessionEffect<Copy>[] = [
    ...(isChange ? [{ type: 'tell-tabs' as const, message: { type: 'signed-in' as const, userId: user.id } }] : []),
    { type: 'emit', name: purpose.type === 'identify' ? purpose.told : 'sanctum:login' },
  ];
  return then(step<Copy>({ ...state, session, isSignInUntold: false }, ...told), (now) => finish(now, flow));
}

// ---- Leaving

function onSignOut<Copy>(state: State<Copy>, { requestId, discardUnsent }: EventOf<Copy, 'sign-out'>): Next<Copy> {
  const user = currentUser(state);
  if (user === null) return refuse(state, requestId, 'User is not authenticated');
  const flow = startFlow(state, requestId, { type: 'sign-out', userId: user.id, discardUnsent });
  return step(
    withFlow(state, { ...flow, step: 'signing-out' }),
    // Before the server is told: its closing sockets would let the other tabs take this for an expired session.
    { type: 'tell-tabs', message: { type: 'signed-out', reason: 'elsewhere' } },
    { type: 'call-sign-out', requestId },
  );
}

function endSignOut<Copy>(state: State<Copy>, flow: Flow, reason: 'signed-out' | 'not-ended'): Next<Copy> {
  const { requestId, purpose } = flow;
  const user = currentUser(state);
  // The place of the one who signed out is another person's already.
  if (purpose.type !== 'sign-out' || (user !== null && user.id !== purpose.userId)) return finish(state, flow);
  const ending = withFlow(state, { ...flow, step: 'ending', isRepeat: isOvertaken(state, flow) });
  const told = step<Copy>({ ...ending, epoch: state.epoch + 1 }, { type: 'forget-token' });
  return then(told, (now) => end(now, { requestId, reason, discardUnsent: purpose.discardUnsent }));
}

function onTabMessage<Copy>(state: State<Copy>, event: EventOf<Copy, 'tab-message'>): Next<Copy> {
  const heard = { ...state, epoch: state.epoch + 1 };
  const { message } = event;
  if (message.type === 'signed-out') return leave(heard, message.reason);
  if (currentUser(state)?.id === message.userId) return step(heard);
  // The cookie is another person's from now on: nothing of the one before may be sent (A34).
  return then(leave(heard, 'elsewhere'), (now) => identify(now, { ...event, told: 'sanctum:refresh' }));
}

/** Another tab has ended the copy, or this person's place is taken: only this tab's own use ends. */
function leave<Copy>(state: State<Copy>, reason: SignedOutReason): Next<Copy> {
  const { copy } = state;
  if (currentUser(state) === null) return step(state);
  const left = { ...signedOut(state, reason), copy: null };
  return copy === null ? step<Copy>(left) : step<Copy>(left, { type: 'close-copy', copy });
}

function expire<Copy>(state: State<Copy>, requestId: number): Next<Copy> {
  const line = 'User session is not set in API or expired, resetting identity';
  const told = step<Copy>(
    { ...state, epoch: state.epoch + 1 },
    { type: 'log', level: 'warn', line },
    { type: 'tell-tabs', message: { type: 'signed-out', reason: 'expired' } },
  );
  return then(told, (now) => end(now, { requestId, reason: 'expired' }));
}

function end<Copy>(state: State<Copy>, { requestId, reason, discardUnsent = false }: Ending): Next<Copy> {
  const ended = { ...signedOut(state, reason), copy: null, endings: state.endings + 1 };
  // Who signs out was asked about it; a session that ends by itself must take nothing along (AUTH-2).
  const discardTyped = reason !== 'expired';
  return step(ended, { type: 'end-copy', requestId, copy: state.copy, discardUnsent, discardTyped });
}

function onCopyEnded<Copy>(state: State<Copy>, flow: Flow | undefined, isSignOutOwed: boolean): Next<Copy> {
  const ended = { ...state, endings: state.endings - 1 };
  if (flow?.step !== 'ending') return enterNext(ended);
  if (flow.purpose.type !== 'sign-out') return finish(ended, flow);
  const { requestId } = flow;
  const told = step<Copy>(ended, { type: 'emit', name: 'sanctum:logout' });
  if (!flow.isRepeat) return then(told, (now) => finish(now, flow));
  // Meanwhile somebody signed in in another tab.
  const answered = then(told, (now) => step(now, { type: 'answer', requestId, failure: null }));
  const refresh: Flow = { ...flow, purpose: { type: 'identify', told: 'sanctum:refresh' } };
  return then(answered, (now) => askAgain(now, refresh, { isSignOutOwed }));
}

// ---- Small steps

function step<Copy>(state: State<Copy>, ...effects: SessionEffect<Copy>[]): Next<Copy> {
  return { state, effects };
}

function then<Copy>(before: Next<Copy>, next: (state: State<Copy>) => Next<Copy>): Next<Copy> {
  const { state, effects } = next(before.state);
  return { state, effects: [...before.effects, ...effects] };
}

function startFlow<Copy>({ epoch }: State<Copy>, requestId: number, purpose: Flow['purpose']): Flow {
  return { requestId, purpose, step: 'asking', user: null, epoch, askedAs: null, redirect: null, isRepeat: false };
}

function withFlow<Copy>(state: State<Copy>, flow: Flow): State<Copy> {
  return { ...state, flows: new Map(state.flows).set(flow.requestId, flow) };
}

/** The flow is over, and whoever waits for it is answered. */
function finish<Copy>(
  state: State<Copy>,
  { requestId }: Flow,
  answer: SessionEffect<Copy> = { type: 'answer', requestId, failure: null },
): Next<Copy> {
  const flows = new Map(state.flows);
  flows.delete(requestId);
  return then(step({ ...state, flows }, answer), enterNext);
}

function refuse<Copy>(state: State<Copy>, requestId: number, sentence: string): Next<Copy> {
  return step(state, { type: 'answer', requestId, failure: { error: new Error(sentence) } });
}

/** A write was refused with a fresh token too: the session may be over, which the identity shows, or renews (F-L2). */
function onCsrfMismatch<Copy>(state: State<Copy>, event: EventOf<Copy, 'csrf-mismatch'>): Next<Copy> {
  const steps = [...state.flows.values()].map((flow) => flow.step);
  if (steps.some((now) => now === 'asking' || now.startsWith('signing-out'))) return step(state);
  const warned = warnOfMismatch(state);
  if (!event.isWrite || currentUser(state) === null || steps.length > 0) return warned;
  return then(warned, (now) => identify(now, { ...event, told: 'sanctum:refresh' }));
}

function warnOfMismatch<Copy>(state: State<Copy>): Next<Copy> {
  return step(state, { type: 'log', level: 'warn', line: 'CSRF token mismatch, check your API configuration' });
}

function signedOut<Copy>(state: State<Copy>, reason: SignedOutReason): State<Copy> {
  return { ...state, session: { status: 'signed-out', reason } };
}

function currentUser<Copy>({ session }: State<Copy>): User | null {
  return session.status === 'signed-in' ? session.user : null;
}

function isOvertaken<Copy>({ epoch }: State<Copy>, flow: Flow): boolean {
  return flow.epoch !== epoch;
}

/** A 401 is the business of what is under way, not the end of a session. */
function isQuiet<Copy>({ flows }: State<Copy>): boolean {
  return [...flows.values()].some(({ step: now, purpose }) => {
    if (now === 'signing-in') return purpose.type === 'sign-in' && purpose.mode === 'cookie';
    return now === 'asking' || now.startsWith('signing-out');
  });
}

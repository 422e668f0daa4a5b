import type { User } from '@wardline/contract/account/auth.ts';
import fc from 'fast-check';
import type { Reduce } from '#/engine.ts';
import type { SessionEffect, SessionEngineState, SessionEvent, SessionTabMessage } from '#/session/session-events.ts';
import { unknownSession } from '#/session/session-reducer.ts';

interface Copy {
  readonly userId: string;
  readonly tabId: number;
}
type Effect = SessionEffect<Copy>;
type Unstamped = SessionEvent<Copy> extends infer E ? (E extends unknown ? Omit<E, 'isSignOutOwed'> : never) : never;
export type SessionReduce = Reduce<SessionEngineState<Copy>, SessionEvent<Copy>, Effect>;

/** What may happen to two tabs of one browser and the server, in any order. The engine reads no clock. */
export type SessionOperation =
  | { readonly type: 'sign-in'; readonly tab: number; readonly userId: string }
  | { readonly type: 'sign-out' | 'refresh' | 'kill' | 'call'; readonly tab: number }
  /** One of the things under way goes a step on: whichever is picked, so that they overtake each other. */
  | { readonly type: 'proceed' | 'lose' | 'delay'; readonly pick: number }
  | { readonly type: 'network'; readonly isUp: boolean }
  | { readonly type: 'expire' | 'renew-csrf' };

const tab = fc.nat({ max: 1 });
const pick = fc.nat({ max: 12 });
const one = <Type extends string>(type: Type) => fc.constant(type);

export const sessionOperation: fc.Arbitrary<SessionOperation> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: one('sign-in'), tab, userId: fc.constantFrom('u1', 'u1', 'u2') }) },
  { weight: 5, arbitrary: fc.record({ type: fc.constantFrom('sign-out', 'refresh', 'call'), tab }) },
  { weight: 20, arbitrary: fc.record({ type: one('proceed'), pick }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constantFrom('lose', 'delay'), pick }) },
  { weight: 1, arbitrary: fc.record({ type: one('kill'), tab }) },
  { weight: 2, arbitrary: fc.record({ type: one('network'), isUp: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constantFrom('expire', 'renew-csrf') }) },
);

interface Tab {
  readonly id: number;
  state: SessionEngineState<Copy>;
  readonly inbox: SessionTabMessage[];
  readonly open: Set<Copy>;
  /** What the device is doing for this tab. */
  readonly work: (() => void)[];
  readonly typed: Map<number, string>;
  /** Tells the server again of a sign-out. */
  readonly tellAgain: () => void;
}

interface Packet {
  /** Null when the tab waits no longer. */
  readonly tabId: number | null;
  readonly requestId: number;
  readonly asked: 'sign-in' | 'sign-out' | 'user';
  readonly userId: string;
  readonly cookie: string;
  readonly csrf: number;
  /** With a fresh token, after a 419. */
  readonly isRepeat: boolean;
  /** Null on the way to the server. */
  readonly reply: { readonly status: number; readonly userId: string; readonly cookie: string | null } | null;
}

const MAX_STEPS = 3000;

/**
 * Two tabs that share a cookie, what the device remembers, and a server with its sessions. What tabs tell each other is
 * quicker than an answer of the server or the device; a call that is not the session's own is answered at once.
 */
export class SessionWorld {
  readonly #reduce: SessionReduce;
  /** Whether the server answers a sign-in by a redirect where the cookie has a session, as Laravel's guard of guests does. */
  readonly #hasGuestGuard: boolean;
  readonly #tabs: Tab[] = [];
  /** Cookie → who is signed in with it. */
  readonly #sessions = new Map<string, string>();
  /** Request → the tab that waits for it. */
  readonly #unanswered = new Map<number, number>();
  #packets: Packet[] = [];
  #cookie = 'none';
  #csrf = 0;
  #validCsrf = 0;
  #owner: string | null = null;
  #isSignOutOwed = false;
  /** Somebody signed out whose session the server did not end; no other tab was about it, and no sign-in came after it. */
  #isLeft = false;
  #isUp = true;
  #lastId = 0;

  constructor(reduce: SessionReduce, hasGuestGuard = false) {
    this.#reduce = reduce;
    this.#hasGuestGuard = hasGuestGuard;
    this.#tabs.push(this.#load(), this.#load());
  }

  play(operation: SessionOperation): void {
    switch (operation.type) {
      case 'sign-in':
        if (!this.#isBusy(operation.tab) && !this.#isAnyoneSigningIn())
          this.#signIn(this.#tab(operation.tab), operation.userId);
        break;
      case 'sign-out':
        if (!this.#isBusy(operation.tab))
          this.#ask(this.#tab(operation.tab), { type: 'sign-out', discardUnsent: false });
        break;
      case 'refresh':
        this.#ask(this.#tab(operation.tab), { type: 'identify', told: 'sanctum:refresh' });
        break;
      case 'call':
        this.#call(this.#tab(operation.tab));
        break;
      case 'kill':
        // Killed between the server's yes and telling the others, they would not know of it until they ask.
        if (!this.#isBusy(operation.tab) && !this.#tab(operation.tab).state.isSignInUntold) this.#kill(operation.tab);
        break;
      case 'proceed':
        pickOf(this.#tasks(), operation.pick)?.();
        break;
      case 'lose':
      case 'delay':
        this.#harm(operation.type, operation.pick);
        break;
      case 'network':
        this.#goOnline(operation.isUp);
        break;
      case 'expire':
        this.#sessions.delete(this.#cookie);
        break;
      case 'renew-csrf':
        this.#validCsrf += 1;
        break;
    }
  }

  /** The network is there, and everything that is under way ends: what the tabs say has to be what the cookie is. */
  finish(): void {
    this.#settle();
    this.#goOnline(false);
    this.#goOnline(true);
    this.#settle();
    for (const each of this.#tabs) this.#call(each);
    this.#settle();
    const userId = this.#sessions.get(this.#cookie);
    for (const { state, open } of this.#tabs) {
      const { session, copy } = state;
      const isIn = session.status === 'signed-in';
      if (isIn) {
        expectTrue(!this.#isLeft, 'who signed out is not signed in again by itself');
        expectTrue(session.user.id === userId && session.confirmed, 'who is signed in here is who the cookie is');
        expectTrue(copy !== null && copy.userId === userId && open.has(copy), 'their copy is open');
      } else {
        expectTrue(userId === undefined || this.#isSignOutOwed, 'nobody is signed out while the cookie works');
        expectTrue(session.status === 'signed-out' && copy === null, 'nobody signed in means no copy');
      }
      expectTrue(open.size === (isIn ? 1 : 0), 'no copy is left open');
      expectTrue(state.flows.size === 0 && state.endings === 0, 'nothing is under way');
    }
    expectTrue(this.#unanswered.size === 0, 'everybody is answered');
  }

  // ---- Tabs

  #tab(index: number): Tab {
    const found = this.#tabs[index];
    if (found === undefined) throw new Error(`There is no tab ${index}.`);
    return found;
  }

  #load(): Tab {
    const loaded: Tab = {
      ...{ id: this.#newId(), state: unknownSession<Copy>() },
      ...{ inbox: [], open: new Set(), work: [], typed: new Map() },
      tellAgain: () => this.#dispatch(loaded, { type: 'sign-out-due', requestId: this.#newId() }),
    };
    this.#dispatch(loaded, { type: 'identify', told: 'sanctum:init', requestId: this.#newId() });
    return loaded;
  }

  /** Its state is gone; what is on the way to the server stays there. */
  #kill(index: number): void {
    const { id } = this.#tab(index);
    this.#packets = this.#packets.filter(({ tabId, reply }) => tabId !== id || reply === null);
    for (const [requestId, by] of this.#unanswered) if (by === id) this.#unanswered.delete(requestId);
    this.#tabs[index] = this.#load();
  }

  #newId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** Nobody signs in or out while they do so: the forms see to that. */
  #isBusy(index: number): boolean {
    return [...this.#tab(index).state.flows.values()].some(({ purpose }) => purpose.type !== 'identify');
  }

  /** One pair of hands types one password at a time. */
  #isAnyoneSigningIn(): boolean {
    return this.#tabs.some(({ state }) => [...state.flows.values()].some(({ purpose }) => purpose.type === 'sign-in'));
  }

  #signIn(by: Tab, userId: string): void {
    const requestId = this.#newId();
    by.typed.set(requestId, userId);
    this.#isLeft = false;
    const email = `${userId}@ward.test`;
    this.#dispatch(by, { type: 'sign-in', mode: 'cookie', email, isOwnDevice: true, requestId });
  }

  #ask(
    by: Tab,
    event: { type: 'sign-out'; discardUnsent: boolean } | { type: 'identify'; told: 'sanctum:refresh' },
  ): void {
    const requestId = this.#newId();
    this.#unanswered.set(requestId, by.id);
    this.#dispatch(by, { ...event, requestId });
  }

  /** Some call of a feature: 401 where the session is over. */
  #call(by: Tab): void {
    const isRefused = this.#isUp && !this.#sessions.has(this.#cookie);
    if (isRefused) this.#dispatch(by, { type: 'unauthenticated', requestId: this.#newId() });
  }

  #goOnline(isUp: boolean): void {
    const returns = isUp && !this.#isUp;
    this.#isUp = isUp;
    if (!returns) return;
    for (const each of this.#tabs) this.#dispatch(each, { type: 'network-returned', requestId: this.#newId() });
  }

  #dispatch(to: Tab, event: Unstamped): void {
    const stamped: SessionEvent<Copy> = { ...event, isSignOutOwed: this.#isSignOutOwed };
    const { state, effects } = this.#reduce(to.state, stamped);
    const isLeaving = !isNotEnded(to.state) && isNotEnded(state);
    to.state = state;
    if (isLeaving) this.#isLeft = this.#tabs.every((each, index) => each === to || !this.#isBusy(index));
    for (const effect of effects) this.#run(to, effect);
  }

  #run(by: Tab, effect: Effect): void {
    switch (effect.type) {
      case 'call-sign-in':
        this.#send(by, effect.requestId, 'sign-in');
        break;
      case 'call-sign-out':
        this.#send(by, effect.requestId, 'sign-out');
        break;
      case 'call-user':
        this.#send(by, effect.requestId, 'user');
        break;
      case 'owe-sign-out':
        this.#isSignOutOwed = effect.isOwed;
        break;
      case 'tell-tabs':
        for (const other of this.#tabs) if (other !== by) other.inbox.push(effect.message);
        break;
      case 'answer':
        this.#unanswered.delete(effect.requestId);
        break;
      case 'plan-sign-out':
        if (!by.work.includes(by.tellAgain)) by.work.push(by.tellAgain);
        break;
      case 'forget-token':
      case 'emit':
      case 'log':
        break;
      default:
        this.#workOnDevice(by, effect);
    }
  }

  // ---- The device

  #workOnDevice(
    by: Tab,
    effect: Extract<Effect, { type: 'open-copy' | 'confirm-copy' | 'open-kept-copy' | 'close-copy' | 'end-copy' }>,
  ): void {
    if (effect.type === 'close-copy') {
      by.open.delete(effect.copy);
      return;
    }
    const { requestId } = effect;
    switch (effect.type) {
      case 'open-copy': {
        const { user, before } = effect;
        if (before !== null) by.open.delete(before);
        by.work.push(() => this.#dispatch(by, { type: 'copy-opened', requestId, copy: this.#openCopy(by, user.id) }));
        break;
      }
      case 'confirm-copy':
        by.work.push(() => this.#dispatch(by, { type: 'copy-confirmed', requestId }));
        break;
      case 'open-kept-copy':
        by.work.push(() => {
          const user = this.#owner === null ? null : person(this.#owner);
          const kept = user === null ? null : { user, copy: this.#openCopy(by, user.id) };
          this.#dispatch(by, { type: 'kept-copy-opened', requestId, kept });
        });
        break;
      case 'end-copy':
        this.#owner = null;
        if (effect.copy !== null) by.open.delete(effect.copy);
        by.work.push(() => this.#dispatch(by, { type: 'copy-ended', requestId }));
        break;
    }
  }

  #openCopy(by: Tab, userId: string): Copy {
    const copy = { userId, tabId: by.id };
    this.#owner = userId;
    by.open.add(copy);
    return copy;
  }

  // ---- The network and the server

  #send(by: Tab, requestId: number, asked: Packet['asked'], isRepeat = false): void {
    const userId = by.typed.get(requestId) ?? '';
    const [tabId, cookie, csrf] = [by.id, this.#cookie, this.#csrf];
    this.#packets.push({ tabId, requestId, asked, userId, cookie, csrf, isRepeat, reply: null });
  }

  #serve(packet: Packet): void {
    const { asked, cookie, csrf, userId } = packet;
    const answer = (status: number, who = '', next: string | null = null) =>
      this.#packets.push({ ...packet, reply: { status, userId: who, cookie: next } });
    if (!this.#isUp) return void answer(0);
    if (asked !== 'user' && csrf !== this.#validCsrf) return void answer(419);
    if (asked === 'sign-in' && this.#hasGuestGuard && this.#sessions.has(cookie)) return void answer(302);
    if (asked === 'sign-in') {
      const next = `session-${this.#newId()}`;
      this.#sessions.delete(cookie);
      this.#sessions.set(next, userId);
      return void answer(200, userId, next);
    }
    const who = this.#sessions.get(cookie);
    if (asked === 'sign-out') this.#sessions.delete(cookie);
    answer(who === undefined ? 401 : 200, who);
  }

  #hear(packet: Packet): void {
    const { tabId, requestId, asked, reply } = packet;
    const to = this.#tabs.find(({ id }) => id === tabId);
    if (to === undefined || reply === null) return;
    this.#hearAllTabs();
    const { status, userId, cookie } = reply;
    if (cookie !== null) {
      this.#cookie = cookie;
      this.#isLeft = false;
    }
    // Every answer brings the token of now.
    if (status !== 0) this.#csrf = this.#validCsrf;
    // Every call asks for a fresh token and tries once more by itself.
    if (status === 419 && !packet.isRepeat) {
      this.#send(to, requestId, asked, true);
      return;
    }
    if (status === 401) this.#dispatch(to, { type: 'unauthenticated', requestId: this.#newId() });
    if (status === 419) this.#dispatch(to, { type: 'csrf-mismatch', isWrite: true, requestId: this.#newId() });
    if (status === 302) this.#dispatch(to, { type: 'sign-in-redirected', requestId, error: status });
    else if (status !== 200) this.#dispatch(to, { type: 'step-failed', requestId, status, error: status });
    else this.#dispatch(to, success(asked, requestId, userId));
  }

  #hearAllTabs(): void {
    for (const each of this.#tabs) while (each.inbox.length > 0) this.#hearTab(each);
  }

  #hearTab(to: Tab): void {
    const message = to.inbox.shift();
    if (message !== undefined) this.#dispatch(to, { type: 'tab-message', message, requestId: this.#newId() });
  }

  #harm(how: 'lose' | 'delay', at: number): void {
    const packet = pickOf(this.#packets, at);
    if (packet === undefined) return;
    const left = how === 'delay' && packet.reply === null ? [{ ...packet, tabId: null }] : [];
    const failed = { ...packet, reply: { status: 0, userId: '', cookie: null } };
    const { tabId } = packet;
    this.#packets = [
      ...this.#packets.filter((other) => other !== packet),
      ...left,
      ...(tabId === null ? [] : [failed]),
    ];
  }

  /** Everything that may happen next. */
  #tasks(): (() => void)[] {
    const tasks: (() => void)[] = [];
    for (const each of this.#tabs) {
      if (each.inbox.length > 0) tasks.push(() => this.#hearTab(each));
      for (const work of each.work) {
        // Without a network it would be told for ever.
        if (work === each.tellAgain && !this.#isUp) continue;
        tasks.push(() => {
          each.work.splice(each.work.indexOf(work), 1);
          this.#hearAllTabs();
          work();
        });
      }
    }
    for (const packet of this.#packets) {
      tasks.push(() => {
        this.#packets = this.#packets.filter((other) => other !== packet);
        if (packet.reply === null) this.#serve(packet);
        else this.#hear(packet);
      });
    }
    return tasks;
  }

  #settle(): void {
    for (let count = 0; count < MAX_STEPS; count += 1) {
      const [task] = this.#tasks();
      if (task === undefined) return;
      task();
    }
    throw new Error('It never comes to rest.');
  }
}

function success(asked: Packet['asked'], requestId: number, userId: string): Unstamped {
  switch (asked) {
    case 'sign-in':
      return { type: 'credentials-accepted', requestId };
    case 'sign-out':
      return { type: 'sign-out-heard', requestId };
    case 'user':
      return { type: 'user-loaded', requestId, user: person(userId) };
  }
}

function person(id: string): User {
  return {
    ...{ id, name: id, email: `${id}@ward.test`, email_verified_at: null },
    ...{ avatar_url: null, is_operator: false, memberships: [] },
  };
}

function isNotEnded({ session }: SessionEngineState<Copy>): boolean {
  return session.status === 'signed-out' && session.reason === 'not-ended';
}

function pickOf<Thing>(things: readonly Thing[], at: number): Thing | undefined {
  return things[at % Math.max(things.length, 1)];
}

function expectTrue(isTrue: boolean, sentence: string): void {
  if (!isTrue) throw new Error(`This does not hold: ${sentence}`);
}

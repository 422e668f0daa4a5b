import { LIVE_TTL_MAX_MS, type LiveMessage } from '@wardline/contract/live.ts';
import fc from 'fast-check';
import type { Reduce } from '#/engine.ts';
import {
  initialLiveRoom,
  type LiveRoomEffect,
  type LiveRoomEvent,
  type LiveRoomState,
  liveEntries,
} from '#/live/live-room-reducer.ts';

export type LiveReduce = Reduce<LiveRoomState, LiveRoomEvent, LiveRoomEffect>;
type Unstamped<E> = E extends unknown ? Omit<E, 'now'> : never;

/** What may happen to the pages of some people in one chat, and to what they say. */
export type LiveOperation =
  | { readonly type: 'patch' | 'remove'; readonly page: number; readonly path: number; readonly ttlMs: number }
  | { readonly type: 'open' | 'may-not' | 'may' | 'take-out'; readonly person: number }
  | { readonly type: 'cut' | 'join' | 'kill'; readonly page: number }
  | { readonly type: 'wait'; readonly ms: number }
  | { readonly type: 'restart' };

const PEOPLE = 3;
const PATHS = 4;
/** What is on its way arrives within so long, in any order, twice or not at all. */
export const LONGEST_WAY_MS = 2_000;

const one = <Type extends string>(...types: Type[]) => fc.constantFrom(...types);
const page = fc.nat({ max: 7 });
const person = fc.nat({ max: PEOPLE - 1 });

export const liveOperation: fc.Arbitrary<LiveOperation> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      ...{ type: one('patch', 'patch', 'remove'), page, path: fc.nat({ max: PATHS - 1 }) },
      ttlMs: fc.integer({ min: 1, max: LIVE_TTL_MAX_MS }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: one('open', 'open', 'may-not', 'may', 'take-out'), person }) },
  { weight: 4, arbitrary: fc.record({ type: one('cut', 'join', 'join', 'kill'), page }) },
  {
    weight: 8,
    arbitrary: fc.record({ type: one('wait'), ms: fc.oneof(fc.nat({ max: 500 }), fc.nat({ max: 20_000 })) }),
  },
  { weight: 1, arbitrary: fc.record({ type: one('restart') }) },
);

interface Page {
  readonly person: number;
  state: LiveRoomState;
  timerAt: number | null;
  isConnected: boolean;
  /** The newest that was delivered of each page of others. */
  readonly newest: Map<string, LiveMessage>;
}

interface Packet {
  readonly at: number;
  readonly to: Page;
  readonly from: number;
  readonly message: LiveMessage;
}

/** Pages that hear of each other only what a bad network and a server that asks for rights let through. */
export class LiveWorld {
  readonly #reduce: LiveReduce;
  readonly #random: () => number;
  readonly #mayWrite = new Set([0, 1, 2]);
  readonly #inChat = new Set([0, 1, 2]);
  /** Until when each person may be seen at each path: what they said while they might. */
  readonly #allowed = new Map<string, number>();
  #pages: Page[] = [];
  #wire: Packet[] = [];
  #now = 0;
  #opened = 0;
  #isLossy = true;

  constructor(reduce: LiveReduce, random: () => number) {
    this.#reduce = reduce;
    this.#random = random;
    for (let index = 0; index < PEOPLE; index += 1) this.#open(index);
    // Somebody at two of their windows.
    this.#open(0);
  }

  play(operation: LiveOperation): void {
    const at = 'page' in operation ? this.#pages[operation.page % Math.max(1, this.#pages.length)] : undefined;
    switch (operation.type) {
      case 'patch':
        if (at) this.#patch(at, `path/${operation.path}`, operation.ttlMs);
        break;
      case 'remove':
        if (at) this.#step(at, { type: 'removed', path: `path/${operation.path}` });
        break;
      case 'open':
        if (this.#pages.length < 8) this.#open(operation.person);
        break;
      case 'may-not':
        this.#mayWrite.delete(operation.person);
        break;
      case 'may':
        this.#mayWrite.add(operation.person);
        this.#inChat.add(operation.person);
        break;
      case 'take-out':
        this.#takeOut(operation.person);
        break;
      case 'cut':
        if (at) this.#cut(at);
        break;
      case 'join':
        if (at) this.#join(at);
        break;
      case 'kill':
        // Its socket is found dead later, or never: nobody is told.
        this.#pages = this.#pages.filter((other) => other !== at);
        break;
      case 'wait':
        this.#wait(operation.ms);
        break;
      case 'restart':
        // The server remembers nothing; what was on its way is lost with it.
        this.#wire = [];
        for (const one of this.#pages.filter(({ isConnected }) => isConnected)) {
          this.#cut(one);
          this.#join(one);
        }
        break;
    }
    this.#check();
  }

  /** The network is good, everybody comes back and goes on saying what they have: all must come to see the same. */
  settle(): void {
    this.#isLossy = false;
    for (const one of this.#pages) this.#join(one);
    const lasting = this.#pages.map((one) => ({ one, paths: [...one.state.own.keys()] }));
    for (let round = 0; round < 12; round += 1) {
      for (const { one, paths } of lasting) for (const path of paths) this.#patch(one, path, 20_000);
      this.#wait(7_000);
      this.#check();
    }
    for (const watcher of this.#pages.filter((one) => this.#inChat.has(one.person))) {
      const heard = this.#pages.filter((other) => other !== watcher && this.#maySay(other.person));
      const expected = new Set(
        heard.flatMap(({ person: who, state }) => [...state.own.keys()].map((path) => `${path} ${who}`)),
      );
      const seen = liveEntries(watcher.state).map(({ path, userId }) => `${path} ${userId}`);
      if (seen.join() !== [...expected].toSorted().join())
        throw new Error(`One of ${watcher.person} sees ${seen}, not ${[...expected].toSorted()}`);
    }
    for (const one of this.#pages.filter(({ person: who }) => !this.#inChat.has(who)))
      if (liveEntries(one.state).length > 0) throw new Error(`${one.person}, who was taken out, still sees something`);
  }

  #maySay(who: number): boolean {
    return this.#inChat.has(who) && this.#mayWrite.has(who);
  }

  #open(who: number): void {
    this.#opened += 1;
    const opened: Page = {
      person: who,
      state: initialLiveRoom(`page-${this.#opened}`),
      timerAt: null,
      isConnected: false,
      newest: new Map(),
    };
    this.#pages.push(opened);
    this.#join(opened);
  }

  #join(one: Page): void {
    if (one.isConnected || !this.#inChat.has(one.person)) return;
    one.isConnected = true;
    this.#step(one, { type: 'subscribed' });
  }

  #cut(one: Page): void {
    if (!one.isConnected) return;
    one.isConnected = false;
    this.#step(one, { type: 'disconnected' });
    const isThere = this.#pages.some(({ person: who, isConnected }) => who === one.person && isConnected);
    if (!isThere) this.#tellLeft(one.person);
  }

  #takeOut(who: number): void {
    if (!this.#inChat.delete(who)) return;
    for (const one of this.#pages.filter((other) => other.person === who)) {
      one.isConnected = false;
      this.#step(one, { type: 'refused' });
    }
    // The server sends nothing more of theirs, and nothing to them.
    this.#wire = this.#wire.filter(({ from, to }) => from !== who && to.person !== who);
    this.#tellLeft(who);
  }

  #tellLeft(who: number): void {
    for (const one of this.#pages.filter(({ isConnected, person: other }) => isConnected && other !== who))
      this.#step(one, { type: 'left', userId: String(who) });
  }

  #patch(one: Page, path: string, ttlMs: number): void {
    if (one.state.own.size < 8 || one.state.own.has(path))
      this.#note(one.person, path, this.#now + Math.min(ttlMs, LIVE_TTL_MAX_MS));
    this.#step(one, { type: 'patched', path, value: 'editing', ttlMs });
  }

  #note(who: number, path: string, until: number): void {
    const key = `${who} ${path}`;
    this.#allowed.set(key, Math.max(this.#allowed.get(key) ?? 0, until));
  }

  #step(one: Page, event: Unstamped<LiveRoomEvent>): void {
    const { state, effects } = this.#reduce(one.state, { ...event, now: this.#now } as LiveRoomEvent);
    one.state = state;
    for (const effect of effects) {
      if (effect.type === 'say') this.#send(one, effect.message);
      else one.timerAt = effect.delayMs === null ? null : this.#now + effect.delayMs;
    }
  }

  /** As the server: what its sender may not say is taken out of it. */
  #send(one: Page, message: LiveMessage): void {
    if (!one.isConnected || !this.#inChat.has(one.person)) return;
    const passed = this.#mayWrite.has(one.person) ? message : { ...message, entries: [] };
    for (const to of this.#pages) {
      if (to === one || !to.isConnected) continue;
      const copies = this.#isLossy ? ([0, 1, 1, 2][Math.floor(this.#random() * 4)] ?? 1) : 1;
      for (let copy = 0; copy < copies; copy += 1) {
        const at = this.#now + Math.floor(this.#random() * (this.#isLossy ? LONGEST_WAY_MS : 50));
        this.#wire.push({ at, to, from: one.person, message: passed });
      }
    }
  }

  /** Time goes on by what comes next: something that arrives, or a timer. */
  #wait(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const packet = this.#wire.toSorted((a, b) => a.at - b.at)[0];
      const timed = this.#pages.filter(({ timerAt }) => timerAt !== null);
      const next = timed.toSorted((a, b) => (a.timerAt ?? 0) - (b.timerAt ?? 0))[0];
      const at = Math.min(packet?.at ?? end, next?.timerAt ?? end);
      if (at >= end) break;
      this.#now = Math.max(this.#now, at);
      if (packet && packet.at <= (next?.timerAt ?? end)) this.#deliver(packet);
      else if (next) {
        next.timerAt = null;
        this.#step(next, { type: 'time-passed' });
      }
    }
    this.#now = end;
    for (const one of this.#pages) this.#step(one, { type: 'time-passed' });
  }

  #deliver(packet: Packet): void {
    this.#wire = this.#wire.filter((other) => other !== packet);
    const { to, from, message } = packet;
    if (!to.isConnected || !this.#pages.includes(to)) return;
    const key = `${from}/${message.device}`;
    if (message.n > (to.newest.get(key)?.n ?? 0)) to.newest.set(key, message);
    this.#step(to, { type: 'heard', userId: String(from), name: `Person ${from}`, message, random: this.#random() });
    const said = new Set(to.newest.get(key)?.entries.map(({ path }) => path));
    for (const path of to.state.devices.get(key)?.entries.keys() ?? [])
      if (!said.has(path)) throw new Error(`${path} of ${key} is seen again after it was taken back`);
  }

  /** Nothing is seen past its time and the longest way that it may have come. */
  #check(): void {
    for (const one of this.#pages) {
      for (const { path, userId } of liveEntries(one.state)) {
        const until = (this.#allowed.get(`${userId} ${path}`) ?? Number.NEGATIVE_INFINITY) + LONGEST_WAY_MS + 1;
        if (this.#now > until) throw new Error(`${path} of ${userId} is seen at ${this.#now}, past ${until}`);
      }
      if (!one.isConnected && !this.#inChat.has(one.person) && liveEntries(one.state).length > 0)
        throw new Error(`${one.person} was taken out and still sees something`);
    }
  }
}

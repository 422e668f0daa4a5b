import fc from 'fast-check';
import type { Reduce } from '#/engine.ts';
import type { OutboxEffect, OutboxEvent, OutboxState, OutboxTabMessage, SendFailure } from '#/outbox/outbox-events.ts';
import { type OutboxItem, toRow } from '#/outbox/outbox-item.ts';
import { emptyOutbox } from '#/outbox/outbox-reducer.ts';
import type { OutboxRow } from '#/store/device-store.ts';

type State = OutboxState<string>;
type Event = OutboxEvent<string, string>;
type Effect = OutboxEffect<string, string>;
export type OutboxReduce = Reduce<State, Event, Effect>;
type Unstamped<E> = E extends unknown ? Omit<E, 'now' | 'random'> : never;

/** What may happen to two tabs of one device and their server, in any order. */
export type OutboxOperation =
  | { readonly type: 'write'; readonly tab: number; readonly lane: number }
  | { readonly type: 'retry' | 'discard'; readonly tab: number; readonly pick: number }
  | { readonly type: 'flush' | 'kill' | 'fire-timer' | 'fire-timer-twice'; readonly tab: number }
  /** One of the things under way goes a step on: whichever is picked, so that they overtake each other. */
  | { readonly type: 'proceed'; readonly pick: number }
  /** A request or a reply is lost, arrives late, or arrives twice. */
  | { readonly type: 'lose' | 'delay' | 'double'; readonly pick: number }
  | { readonly type: 'jump-clock'; readonly byMs: number }
  | { readonly type: 'server'; readonly mood: 'good' | 'busy' | 'refusing' }
  | { readonly type: 'device'; readonly room: 'enough' | 'none-for-more' | 'broken' };

const HOUR_MS = 60 * 60 * 1000;
const tab = fc.nat({ max: 1 });
const pick = fc.nat({ max: 30 });
const one = <Type extends string>(type: Type) => fc.constant(type);

export const outboxOperation: fc.Arbitrary<OutboxOperation> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: one('write'), tab, lane: fc.nat({ max: 1 }) }) },
  { weight: 24, arbitrary: fc.record({ type: one('proceed'), pick }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constantFrom('retry', 'discard'), tab, pick }) },
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constantFrom('flush', 'kill', 'fire-timer', 'fire-timer-twice'), tab }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constantFrom('lose', 'delay', 'double'), pick }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: one('jump-clock'), byMs: fc.constantFrom(-2 * HOUR_MS, 2 * HOUR_MS) }),
  },
  { weight: 1, arbitrary: fc.record({ type: one('server'), mood: fc.constantFrom('good', 'busy', 'refusing') }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: one('device'), room: fc.constantFrom('enough', 'none-for-more', 'broken') }),
  },
);

/** A write or read of the device; a kill before its commit undoes it, a kill after it leaves it unheard. */
interface DeviceWork {
  readonly isRead: boolean;
  /** Does it and answers what the tab hears of it. */
  commit(): Unstamped<Event>;
}

interface Tab {
  readonly id: string;
  state: State;
  readonly work: DeviceWork[];
  readonly heard: Unstamped<Event>[];
  readonly inbox: OutboxTabMessage<string>[];
  /** Lane → client id: what this tab has sent and not heard of. */
  readonly sending: Map<string, string>;
  timerAt: number | null;
}

interface Packet {
  readonly tabId: string | null;
  readonly item: OutboxItem<string>;
  /** Null on the way to the server. */
  readonly reply: Unstamped<Event> | null;
}

/** What is written and what the server makes of it, where that is more than a text that is stored. */
export interface OutboxWork {
  /** The payload of what is written in a tab that shows this; null where nobody can write yet. */
  compose(clientId: string, lane: string, state: State): string | null;
  /** Whether the server takes it in; asked once for each that it does not know. */
  take(clientId: string, lane: string, payload: string): boolean;
}

const texts: OutboxWork = { compose: (clientId) => `text of ${clientId}`, take: () => true };

interface Written {
  readonly clientId: string;
  readonly payload: string;
  readonly lane: string;
  readonly tabId: string;
  order: number | null;
  isKept: boolean;
  wasRefused: boolean;
  isDiscardAsked: boolean;
  isDiscarded: boolean;
}

const TABS = 2;
const MAX_STEPS = 5000;
const refused: SendFailure = {
  isTemporary: false,
  retryAfterMs: null,
  reason: 'Refused.',
  refusal: { status: 422, code: 'unprocessable', findings: [] },
};
const unreachable: SendFailure = { isTemporary: true, retryAfterMs: null, reason: null, refusal: null };
const busy: SendFailure = { ...unreachable, retryAfterMs: 20_000 };

/** Two tabs of one device, the rows that it keeps, and a server that knows a repeat by its client id. */
export class OutboxWorld {
  readonly #reduce: OutboxReduce;
  readonly #wireId: (item: OutboxItem<string>) => string;
  readonly #work: OutboxWork;
  readonly #tabs: Tab[] = [];
  readonly #rows = new Map<number, OutboxRow>();
  readonly #written = new Map<string, Written>();
  readonly #delivered = new Set<string>();
  readonly #requests = new Map<number, (isDone: boolean) => void>();
  readonly #locks: string[] = [];
  #packets: Packet[] = [];
  /** Client id → text, as the server stored them, in order. */
  readonly #stored = new Map<string, string>();
  #mood: 'good' | 'busy' | 'refusing' = 'good';
  #room: 'enough' | 'none-for-more' | 'broken' = 'enough';
  #isUndisturbed = true;
  #lastOrder = 0;
  #lastId = 0;
  #time = Date.UTC(2026, 0, 1);
  #clockOffset = 0;
  #random = 1;

  constructor(
    reduce: OutboxReduce,
    wireId: (item: OutboxItem<string>) => string = ({ clientId }) => clientId,
    work: OutboxWork = texts,
  ) {
    this.#work = work;
    this.#reduce = reduce;
    this.#wireId = wireId;
    for (let index = 0; index < TABS; index += 1) this.#tabs.push(this.#open());
  }

  play(operation: OutboxOperation): void {
    switch (operation.type) {
      case 'write':
        this.#write(this.#tab(operation.tab), `lane-${operation.lane}`);
        break;
      case 'retry':
      case 'discard':
        this.#decide(this.#tab(operation.tab), operation.type, operation.pick);
        break;
      case 'flush':
        this.#dispatch(this.#tab(operation.tab), { type: 'flush' });
        break;
      case 'kill':
        this.#kill(operation.tab);
        break;
      case 'fire-timer':
      case 'fire-timer-twice':
        this.#fireTimer(this.#tab(operation.tab), operation.type === 'fire-timer' ? 1 : 2);
        break;
      case 'proceed': {
        const tasks = this.#tasks();
        tasks[operation.pick % Math.max(tasks.length, 1)]?.();
        break;
      }
      case 'lose':
      case 'delay':
      case 'double':
        this.#harm(operation.type, operation.pick);
        break;
      case 'jump-clock':
        this.#clockOffset += operation.byMs;
        return;
      case 'server':
        this.#mood = operation.mood;
        return;
      case 'device':
        this.#room = operation.room;
        this.#isUndisturbed = false;
        return;
    }
  }

  /** All is well again and both tabs are started anew: what was kept has to arrive, in order and once. */
  finish(): void {
    this.#mood = 'good';
    this.#room = 'enough';
    this.#settle();
    // Where no tab was killed and the device did what it was told, nobody has to read it anew to be right.
    if (this.#isUndisturbed) this.#expectTabsAgree();
    for (let index = 0; index < TABS; index += 1) this.#kill(index);
    this.#settle();
    this.#expectKept();
    this.#expectOrder();
    this.#expectTabsAgree();
  }

  // ---- What people do

  #write(by: Tab, lane: string): void {
    this.#lastId += 1;
    const clientId = `c${this.#lastId}`;
    const payload = this.#work.compose(clientId, lane, by.state);
    if (payload === null) return;
    const fresh = { isKept: false, wasRefused: false, isDiscardAsked: false, isDiscarded: false, order: null };
    const written: Written = { clientId, payload, lane, tabId: by.id, ...fresh };
    this.#written.set(clientId, written);
    const item: OutboxItem<string> = {
      ...{ order: 0, clientId, userId: 'u1', lane, kind: '', payload },
      ...{ writtenAt: '', attempts: 0, state: 'waiting', reason: null, refusal: null },
    };
    const requestId = this.#request((isDone) => {
      written.isKept = isDone;
    });
    this.#dispatch(by, { type: 'add', requestId, item });
  }

  #decide(by: Tab, type: 'retry' | 'discard', at: number): void {
    const { items } = by.state;
    const item = items[at % Math.max(items.length, 1)];
    const written = this.#written.get(item?.clientId ?? '');
    if (written === undefined) return;
    const { clientId } = written;
    if (type === 'discard') written.isDiscardAsked = true;
    const requestId = this.#request((isDone) => {
      if (isDone && type === 'discard') written.isDiscarded = true;
    });
    this.#dispatch(by, { type, requestId, clientId });
  }

  #request(onAnswer: (isDone: boolean) => void): number {
    const requestId = this.#requests.size + 1;
    this.#requests.set(requestId, onAnswer);
    return requestId;
  }

  // ---- Tabs

  #tab(index: number): Tab {
    const found = this.#tabs[index];
    if (found === undefined) throw new Error(`There is no tab ${index}.`);
    return found;
  }

  #open(): Tab {
    this.#lastId += 1;
    const opened: Tab = {
      ...{ id: `tab-${this.#lastId}`, state: emptyOutbox<string>('u1'), timerAt: null },
      ...{ work: [], heard: [], inbox: [], sending: new Map() },
    };
    this.#dispatch(opened, { type: 'open', requestId: this.#request(() => undefined) });
    return opened;
  }

  /** Its state is gone, and what it had not yet written; what is on the wire stays there. */
  #kill(index: number): void {
    const { id } = this.#tab(index);
    this.#isUndisturbed = false;
    this.#unlock(id);
    this.#packets = this.#packets.filter(({ tabId, reply }) => tabId !== id || reply === null);
    this.#tabs[index] = this.#open();
  }

  #unlock(id: string): void {
    const at = this.#locks.indexOf(id);
    if (at >= 0) this.#locks.splice(at, 1);
  }

  #dispatch(to: Tab, event: Unstamped<Event>): void {
    this.#random = (this.#random * 48_271) % 2_147_483_647;
    const now = this.#time + this.#clockOffset;
    const { state, effects } = this.#reduce(to.state, { ...event, now, random: this.#random / 2_147_483_647 });
    to.state = state;
    for (const effect of effects) this.#run(to, effect);
    expectTrue(to.state.resting.size === 0 || to.timerAt !== null, 'what rests is tried again');
  }

  #run(by: Tab, effect: Effect): void {
    switch (effect.type) {
      case 'send':
        this.#send(by, effect.item);
        break;
      case 'deliver': {
        const { delivery } = effect;
        expectTrue(this.#stored.has(delivery.clientId), 'only what the server stored is delivered');
        this.#delivered.add(delivery.clientId);
        const changes = [{ type: 'put-meta' as const, name: 'x', value: 1, isCache: true }];
        this.#dispatch(by, { type: 'delivered', delivery, changes });
        break;
      }
      case 'tell-tabs':
        for (const other of this.#tabs) if (other !== by) other.inbox.push(effect.message);
        return;
      case 'take-lock':
        this.#locks.push(by.id);
        return;
      case 'release-lock':
        this.#unlock(by.id);
        break;
      case 'set-timer':
        by.timerAt = this.#time + effect.delayMs;
        return;
      case 'clear-timer':
        by.timerAt = null;
        return;
      case 'answer':
        this.#requests.get(effect.requestId)?.(effect.failure === null);
        break;
      case 'warn':
      case 'stop-sending':
        return;
      default:
        by.work.push(this.#deviceWork(effect));
    }
  }

  #fireTimer(of: Tab, times: number): void {
    if (of.timerAt === null) return;
    this.#time = Math.max(this.#time, of.timerAt);
    of.timerAt = null;
    for (let count = 0; count < times; count += 1) this.#dispatch(of, { type: 'retry-due' });
  }

  // ---- The device

  #deviceWork(
    effect: Extract<Effect, { type: 'read-rows' | 'add-row' | 'put-row' | 'remove-row' | 'discard-row' }>,
  ): DeviceWork {
    const error = new Error('no room');
    const canKeep = () => this.#room === 'enough';
    switch (effect.type) {
      case 'read-rows':
        return {
          isRead: true,
          commit: () =>
            this.#room === 'broken' ? { type: 'rows-unreadable', error } : { type: 'rows-read', rows: this.#allRows() },
        };
      case 'add-row':
        return {
          isRead: false,
          commit: () =>
            canKeep() ? { type: 'row-added', order: this.#addRow(effect.item) } : { type: 'row-not-added', error },
        };
      case 'put-row':
        return {
          isRead: false,
          commit: () => {
            const row = toRow(effect.put.item);
            if (canKeep() && this.#rows.has(row.order)) this.#rows.set(row.order, row);
            return { type: 'row-put', put: effect.put, failure: canKeep() ? null : { error } };
          },
        };
      case 'remove-row':
        return {
          isRead: false,
          commit: () => {
            const { removal } = effect;
            const isDone = canKeep() || (this.#room === 'none-for-more' && removal.changes.length === 0);
            if (isDone) this.#removeRow(removal.item.order, 'acknowledged');
            return { type: 'row-removed', removal, failure: isDone ? null : { error } };
          },
        };
      case 'discard-row':
        return {
          isRead: false,
          commit: () => {
            const { requestId, clientId } = effect;
            const isDone = this.#room !== 'broken';
            if (isDone) this.#removeRow(effect.order, 'discarded');
            return { type: 'row-discarded', requestId, clientId, failure: isDone ? null : { error } };
          },
        };
    }
  }

  #allRows(): readonly OutboxRow[] {
    return [...this.#rows.values()];
  }

  #addRow(item: OutboxItem<string>): number {
    this.#lastOrder += 1;
    this.#rows.set(this.#lastOrder, toRow({ ...item, order: this.#lastOrder }));
    const written = this.#written.get(item.clientId);
    if (written !== undefined) written.order = this.#lastOrder;
    return this.#lastOrder;
  }

  #removeRow(order: number, why: 'acknowledged' | 'discarded'): void {
    const clientId = this.#rows.get(order)?.clientId;
    this.#rows.delete(order);
    if (clientId === undefined) return;
    const isRight =
      why === 'discarded'
        ? this.#written.get(clientId)?.isDiscardAsked === true
        : this.#stored.has(clientId) && this.#delivered.has(clientId);
    expectTrue(isRight, 'an item leaves the device only when it was delivered or discarded');
  }

  // ---- The network and the server

  #send(by: Tab, item: OutboxItem<string>): void {
    expectTrue(this.#locks[0] === by.id, 'only the tab with the lock sends');
    expectTrue(!by.sending.has(item.lane), 'one item of a lane is sent at a time');
    const written = this.#written.get(item.clientId);
    const isUnheard = by.inbox.some((message) => message.type === 'discarded' && message.clientId === item.clientId);
    expectTrue(written?.isDiscarded !== true || isUnheard, 'what was discarded is not sent');
    by.sending.set(item.lane, item.clientId);
    this.#packets.push({ tabId: by.id, item: { ...item, clientId: this.#wireId(item) }, reply: null });
  }

  /** The server takes a request in and answers it. */
  #serve({ item, tabId }: Packet): void {
    const { clientId, lane } = item;
    const isKnown = this.#stored.has(clientId);
    const written = this.#written.get(clientId);
    const isAsked = !isKnown && this.#mood === 'good';
    const isTaken = isAsked && this.#work.take(clientId, lane, item.payload);
    const isRefused = isAsked ? !isTaken : !isKnown && this.#mood === 'refusing';
    if (isRefused && written !== undefined) written.wasRefused = true;
    if (isTaken) this.#stored.set(clientId, item.payload);
    const original = this.#tabs.find(({ id }) => id === tabId)?.sending.get(lane) ?? clientId;
    const failure = isRefused ? refused : busy;
    const reply: Unstamped<Event> = this.#stored.has(clientId)
      ? { type: 'sent', lane, clientId: original, reply: item.payload }
      : { type: 'send-failed', lane, clientId: original, failure };
    if (tabId !== null) this.#packets.push({ tabId, item, reply });
  }

  #hearReply({ tabId, item, reply }: Packet): void {
    const to = this.#tabs.find(({ id }) => id === tabId);
    if (to === undefined || reply === null) return;
    to.sending.delete(item.lane);
    this.#dispatch(to, reply);
  }

  #harm(how: 'lose' | 'delay' | 'double', at: number): void {
    const packet = this.#packets[at % Math.max(this.#packets.length, 1)];
    if (packet === undefined) return;
    const { tabId, item, reply } = packet;
    if (how === 'double') {
      if (reply === null) this.#packets.push({ ...packet, tabId: null });
      return;
    }
    // The tab waits no longer. A delayed request still comes to the server.
    const left = how === 'delay' && reply === null ? [{ ...packet, tabId: null }] : [];
    this.#packets = [...this.#packets.filter((other) => other !== packet), ...left];
    const clientId = this.#tabs.find(({ id }) => id === tabId)?.sending.get(item.lane);
    if (tabId === null || clientId === undefined) return;
    const failed: Unstamped<Event> = { type: 'send-failed', lane: item.lane, clientId, failure: unreachable };
    this.#packets.push({ tabId, item, reply: failed });
  }

  // ---- Time

  /** Everything that may happen next. */
  #tasks(): (() => void)[] {
    const tasks: (() => void)[] = [];
    for (const each of this.#tabs) {
      const read = each.work.find(({ isRead }) => isRead);
      const write = each.work.find(({ isRead }) => !isRead);
      for (const next of [read, write]) if (next !== undefined) tasks.push(() => this.#commit(each, next));
      const { heard, inbox } = each;
      if (heard.length > 0) tasks.push(() => takeFirst(heard, (event) => this.#dispatch(each, event)));
      if (inbox.length > 0)
        tasks.push(() => takeFirst(inbox, (message) => this.#dispatch(each, { type: 'tab-message', message })));
      if (this.#locks[0] === each.id && each.state.lock === 'asked')
        tasks.push(() => this.#dispatch(each, { type: 'lock-granted' }));
    }
    for (const packet of this.#packets) tasks.push(() => this.#arrive(packet));
    return tasks;
  }

  #commit(of: Tab, work: DeviceWork): void {
    of.work.splice(of.work.indexOf(work), 1);
    of.heard.push(work.commit());
  }

  #arrive(packet: Packet): void {
    this.#packets = this.#packets.filter((other) => other !== packet);
    if (packet.reply === null) this.#serve(packet);
    else this.#hearReply(packet);
  }

  /** Lets everything come to its end; the timers are fired when nothing else is left. */
  #settle(): void {
    for (let count = 0; count < MAX_STEPS; count += 1) {
      const [task] = this.#tasks();
      const due = this.#tabs.find(({ timerAt }) => timerAt !== null);
      if (task !== undefined) task();
      else if (due === undefined) return;
      else {
        const waitMs = (due.timerAt ?? 0) - this.#time;
        expectTrue(waitMs <= 60_000, 'no try is more than a minute away');
        this.#fireTimer(due, 1);
      }
    }
    throw new Error('It never comes to rest.');
  }

  // ---- What has to be true in the end

  #expectKept(): void {
    const rows = new Map([...this.#rows.values()].map((row) => [row.clientId, row]));
    for (const { clientId, payload, isKept, isDiscarded, isDiscardAsked, wasRefused } of this.#written.values()) {
      const row = rows.get(clientId);
      const isStored = this.#stored.get(clientId) === payload;
      expectTrue(!isDiscarded || row === undefined, `${clientId} was discarded and does not come back`);
      if (!isKept || isDiscardAsked) continue;
      expectTrue(isStored || row !== undefined, `${clientId} was kept and is not lost`);
      const isFailed = row !== undefined && Object(row.content).isFailed === true;
      expectTrue(row === undefined || isFailed, `${clientId} waits for nothing`);
      // A late copy of what was refused may still have been taken.
      expectTrue(!isStored || row === undefined || wasRefused, `${clientId} is stored and does not wait`);
    }
    expectTrue(new Set(this.#stored.values()).size === this.#stored.size, 'nothing is stored twice');
    for (const clientId of this.#stored.keys()) expectTrue(this.#written.has(clientId), `${clientId} was written`);
  }

  #expectOrder(): void {
    const clean = [...this.#stored.keys()].flatMap((clientId) => {
      const written = this.#written.get(clientId);
      return written === undefined || written.wasRefused || written.isDiscardAsked ? [] : [written];
    });
    const all = [...this.#written.values()].filter(({ order }) => order !== null);
    const last = new Map<string, number>();
    const expectNext = (place: string, { clientId, order }: Written): void => {
      expectTrue((order ?? 0) > (last.get(place) ?? 0), `${clientId} keeps its place in ${place}`);
      last.set(place, order ?? 0);
    };
    // What two tabs write into one lane in the same moment is in the order in which their sender hears of it.
    for (const written of clean) expectNext(`${written.lane} of ${written.tabId}`, written);
    for (const written of all) expectNext(`the device, from ${written.tabId}`, written);
  }

  #expectTabsAgree(): void {
    const onDevice = [...this.#rows.values()].map(({ clientId }) => clientId).join();
    for (const { state } of this.#tabs) {
      expectTrue(state.items.map(({ clientId }) => clientId).join() === onDevice, 'every tab shows what is kept');
      expectTrue(state.lock === 'free' && state.busy.size === 0, 'nothing is under way');
    }
  }
}

function takeFirst<Thing>(list: Thing[], take: (thing: Thing) => void): void {
  const first = list.shift();
  if (first !== undefined) take(first);
}

function expectTrue(isTrue: boolean, sentence: string): void {
  if (!isTrue) throw new Error(`This does not hold: ${sentence}`);
}

import { type Channel, channelName } from '@wardline/contract/channel.ts';
import { chatChannel, userChannel } from '@wardline/contract/chat/chat.ts';
import fc from 'fast-check';
import type { Reduce } from '#/engine.ts';
import type { ChannelMessage } from '#/realtime/channel-message.ts';
import type { RealtimeEffect, RealtimeEvent, RealtimeState } from '#/realtime/realtime-events.ts';
import { IDLE_REALTIME } from '#/realtime/realtime-reducer.ts';

export type RealtimeReduce = Reduce<RealtimeState, RealtimeEvent, RealtimeEffect>;
type Unstamped<E> = E extends unknown ? Omit<E, 'random'> : never;

/** What may happen to a client, its socket and the server, in any order. The engine reads no clock but its timers. */
export type RealtimeOperation =
  | { readonly type: 'join' | 'publish' | 'come-or-go'; readonly channel: number }
  | { readonly type: 'leave' | 'proceed' | 'fire-timer' | 'fire-timer-twice'; readonly pick: number }
  | { readonly type: 'drop' | 'restore' | 'wake' | 'stop' | 'kill' }
  | { readonly type: 'server'; readonly mood: 'good' | 'busy' | 'refusing' }
  | { readonly type: 'loader'; readonly works: boolean };

const pick = fc.nat({ max: 20 });
const channel = fc.nat({ max: 2 });
const one = <Type extends string>(type: Type) => fc.constant(type);

export const realtimeOperation: fc.Arbitrary<RealtimeOperation> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: one('join'), channel }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constantFrom('publish', 'come-or-go'), channel }) },
  { weight: 2, arbitrary: fc.record({ type: one('leave'), pick }) },
  { weight: 16, arbitrary: fc.record({ type: one('proceed'), pick }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constantFrom('fire-timer', 'fire-timer-twice'), pick }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constantFrom('drop', 'restore', 'restore', 'wake') }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('stop', 'kill') }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: one('server'), mood: fc.constantFrom('good', 'good', 'busy', 'refusing') }),
  },
  { weight: 1, arbitrary: fc.record({ type: one('loader'), works: fc.boolean() }) },
);

interface Place {
  readonly channel: Channel;
  readonly id: string;
  readonly name: string;
  /** How much was said on the channel. */
  head: number;
  readonly members: Set<string>;
}

/** As pusher-js: it subscribes what it knows whenever it is connected, and answers for an earlier socket are dropped. */
interface Socket {
  readonly generation: number;
  readonly wanted: Set<string>;
  readonly asking: Set<string>;
  readonly subscribed: Set<string>;
  /** What the server said and the client has not heard, in order. */
  readonly frames: Unstamped<RealtimeEvent>[];
  isConnected: boolean;
}

interface Join {
  readonly place: Place;
  /** What this joiner knows of what was said. */
  readonly known: Set<number>;
}

const MAX_STEPS = 5000;

/** One client that knows what was said only from events and from what it asks for when it is told of a subscription. */
export class RealtimeWorld {
  readonly #reduce: RealtimeReduce;
  readonly #places: readonly Place[] = [
    place(userChannel, '01970000-0000-7000-8000-000000000001'),
    place(chatChannel, '01970000-0000-7000-8000-000000000002'),
    place(chatChannel, '01970000-0000-7000-8000-000000000003'),
  ];
  readonly #joins = new Map<number, Join>();
  readonly #timers = new Set<string | null>();
  #turns: Unstamped<RealtimeEvent>[] = [];
  /** Generations whose transport is being loaded. */
  #loading: number[] = [];
  #state = IDLE_REALTIME;
  #socket: Socket | null = null;
  #late: Unstamped<RealtimeEvent>[] = [];
  #shown = 'initialized';
  #isUp = true;
  #loads = true;
  #mood: 'good' | 'busy' | 'refusing' = 'good';
  #lastJoinId = 0;
  #random = 1;

  constructor(reduce: RealtimeReduce) {
    this.#reduce = reduce;
  }

  play(operation: RealtimeOperation): void {
    switch (operation.type) {
      case 'join':
        this.#join(this.#place(operation.channel));
        break;
      case 'publish':
        this.#publish(this.#place(operation.channel));
        break;
      case 'come-or-go':
        this.#comeOrGo(this.#place(operation.channel));
        break;
      case 'leave':
        this.#leave(pickOf([...this.#joins.keys()], operation.pick));
        break;
      case 'proceed':
        pickOf(this.#tasks(), operation.pick)?.();
        break;
      case 'fire-timer':
      case 'fire-timer-twice':
        this.#fireTimer(pickOf([...this.#timers], operation.pick), operation.type === 'fire-timer' ? 1 : 2);
        break;
      case 'server':
        this.#mood = operation.mood;
        break;
      case 'loader':
        this.#loads = operation.works;
        break;
      default:
        this.#disturb(operation.type);
    }
  }

  /** All is well again and the socket is made anew: everything wanted is subscribed, and nothing that was said is missed. */
  finish(): void {
    this.#mood = 'good';
    this.#loads = true;
    this.#isUp = true;
    this.#settle();
    this.#expectHeard();
    // What was refused for good is asked for again by a new socket only.
    this.#disturb('drop');
    this.#disturb('restore');
    this.#settle();
    const wanted = [...new Set([...this.#joins.values()].map((join) => join.place.name))].sort().join();
    expectSame([...this.#state.channels.keys()].sort().join(), wanted, 'the channels that are wanted');
    if (wanted !== '') {
      expectSame([...(this.#socket?.subscribed ?? [])].sort().join(), wanted, 'what is subscribed');
      expectSame(this.#shown, 'connected', 'the connection that is shown');
    }
    this.#expectHeard();
  }

  /** On what is subscribed, everybody knows all that was said and who is there. */
  #expectHeard(): void {
    const subscribed = this.#socket?.subscribed ?? new Set();
    if (this.#socket?.isConnected === true) expectSame(this.#shown, 'connected', 'the connection that is shown');
    for (const { place: where, known } of this.#joins.values())
      if (subscribed.has(where.name)) expectSame(known.size, where.head, `what is known of ${where.name}`);
    for (const { name, members } of this.#places) {
      const entry = subscribed.has(name) ? this.#state.channels.get(name) : undefined;
      if (entry?.channel.kind !== 'presence') continue;
      expectSame([...entry.members.keys()].sort().join(), [...members].sort().join(), `who is here on ${name}`);
    }
  }

  // ---- People and the server

  #place(index: number): Place {
    const found = this.#places[index];
    if (found === undefined) throw new Error(`There is no channel ${index}.`);
    return found;
  }

  #join(where: Place): void {
    this.#lastJoinId += 1;
    const joinId = this.#lastJoinId;
    this.#joins.set(joinId, { place: where, known: new Set() });
    const { name, channel: stated, id } = where;
    this.#dispatch({ type: 'join', joinId, name, channel: stated, id });
  }

  #leave(joinId: number | undefined): void {
    const name = joinId === undefined ? undefined : this.#joins.get(joinId)?.place.name;
    if (joinId === undefined || name === undefined) return;
    this.#joins.delete(joinId);
    this.#dispatch({ type: 'leave', joinId, name });
  }

  #publish(where: Place): void {
    where.head += 1;
    this.#say(where, { type: 'event', name: 'Said', payload: where.head });
  }

  #comeOrGo({ members, ...where }: Place): void {
    const id = `p${where.head % 3}`;
    const isHere = members.delete(id);
    if (!isHere) members.add(id);
    const message: ChannelMessage = isHere
      ? { type: 'member-removed', memberId: id }
      : { type: 'member-added', member: { id, info: null } };
    if (where.channel.kind === 'presence') this.#say(where, message);
  }

  #say({ name }: Pick<Place, 'name'>, message: ChannelMessage): void {
    const socket = this.#socket;
    if (socket?.subscribed.has(name) !== true) return;
    socket.frames.push({ type: 'message', generation: socket.generation, name, message });
  }

  // ---- The client

  #dispatch(event: Unstamped<RealtimeEvent>): void {
    this.#random = (this.#random * 48_271) % 2_147_483_647;
    const { state, effects } = this.#reduce(this.#state, { ...event, random: this.#random / 2_147_483_647 });
    this.#state = state;
    for (const effect of effects) this.#run(effect);
  }

  #run(effect: RealtimeEffect): void {
    switch (effect.type) {
      case 'load-transport':
        this.#loading.push(effect.generation);
        break;
      case 'open-transport':
        this.#socket = newSocket(effect.generation);
        break;
      case 'close-transport':
        this.#hangUp();
        break;
      case 'show-connection':
        this.#shown = effect.connection;
        break;
      case 'tell':
        for (const joinId of effect.joinIds) this.#tell(joinId, effect.notice);
        break;
      case 'settle-join':
        this.#turns.push({ type: 'join-settled', joinId: effect.joinId, name: effect.name });
        break;
      case 'set-timer':
        this.#timers.add(effect.name);
        break;
      case 'clear-timer':
        this.#timers.delete(effect.name);
        break;
      case 'subscribe':
        this.#subscribe(channelName(effect.channel, effect.id));
        break;
      case 'subscribe-again':
        this.#socket?.asking.add(effect.name);
        break;
      case 'unsubscribe':
        for (const names of this.#namesOfSocket()) names.delete(effect.name);
        break;
      case 'wake-transport':
      case 'log':
        break;
    }
  }

  #tell(joinId: number, notice: Extract<RealtimeEffect, { type: 'tell' }>['notice']): void {
    const join = this.#joins.get(joinId);
    if (join === undefined) return;
    // To be told of a subscription is to ask for all that was said until then.
    if (notice.type === 'subscribed') for (let seq = 1; seq <= join.place.head; seq += 1) join.known.add(seq);
    if (notice.type === 'event') join.known.add(Number(notice.payload));
  }

  #fireTimer(name: string | null | undefined, times: number): void {
    if (name === undefined) return;
    this.#timers.delete(name);
    for (let count = 0; count < times; count += 1) this.#dispatch({ type: 'retry-due', name });
  }

  // ---- The socket

  #subscribe(name: string): void {
    const socket = this.#socket;
    if (socket === null) throw new Error('There is no socket to subscribe on.');
    expectSame(socket.wanted.has(name), false, `${name} is subscribed before`);
    socket.wanted.add(name);
    if (socket.isConnected) socket.asking.add(name);
  }

  #namesOfSocket(): readonly Set<string>[] {
    return this.#socket === null ? [] : [this.#socket.wanted, this.#socket.asking, this.#socket.subscribed];
  }

  /** What the socket had still to say comes late, from another time. */
  #hangUp(): void {
    if (this.#socket === null) return;
    const { frames, generation } = this.#socket;
    this.#late.push(...frames, { type: 'connection-changed', generation, connection: 'disconnected' });
    this.#socket = null;
  }

  #disturb(how: 'drop' | 'restore' | 'wake' | 'stop' | 'kill'): void {
    const joined = [...this.#joins.values()].map((join) => join.place);
    switch (how) {
      case 'drop':
        this.#isUp = false;
        this.#cut();
        break;
      case 'restore':
        this.#isUp = true;
        break;
      case 'wake':
        this.#dispatch({ type: 'wake' });
        break;
      case 'stop':
        this.#joins.clear();
        this.#dispatch({ type: 'stop' });
        break;
      case 'kill':
        this.#joins.clear();
        this.#timers.clear();
        this.#state = IDLE_REALTIME;
        this.#socket = null;
        this.#loading = [];
        this.#turns = [];
        this.#late = [];
        for (const where of joined) this.#join(where);
        break;
    }
  }

  #cut(): void {
    const socket = this.#socket;
    if (socket?.isConnected !== true) return;
    socket.isConnected = false;
    socket.frames.length = 0;
    socket.asking.clear();
    socket.subscribed.clear();
    this.#dispatch({ type: 'connection-changed', generation: socket.generation, connection: 'connecting' });
  }

  /** Everything that may happen next. */
  #tasks(): (() => void)[] {
    const tasks: (() => void)[] = [];
    const { generation } = this.#state;
    const socket = this.#socket;
    for (const list of [this.#turns, this.#late, socket?.frames ?? []]) {
      if (list.length > 0) tasks.push(() => takeFirst(list, (event) => this.#dispatch(event)));
    }
    if (this.#loading.length > 0) tasks.push(() => takeFirst(this.#loading, (asked) => this.#load(asked)));
    if (socket?.generation !== generation) return tasks;
    if (!socket.isConnected && this.#isUp) tasks.push(() => this.#connect(socket));
    if (socket.isConnected) for (const name of socket.asking) tasks.push(() => this.#answer(socket, name));
    return tasks;
  }

  #load(generation: number): void {
    if (this.#loads) this.#dispatch({ type: 'transport-loaded', generation });
    else this.#dispatch({ type: 'transport-not-loaded', error: new Error('no network') });
  }

  #connect(socket: Socket): void {
    socket.isConnected = true;
    for (const name of socket.wanted) socket.asking.add(name);
    this.#dispatch({ type: 'connection-changed', generation: socket.generation, connection: 'connected' });
  }

  /** The server says whether a channel may be heard. */
  #answer(socket: Socket, name: string): void {
    socket.asking.delete(name);
    const where = this.#places.find((other) => other.name === name);
    if (where === undefined || !socket.wanted.has(name)) return;
    const { generation } = socket;
    if (this.#mood !== 'good') {
      const isTemporary = this.#mood === 'busy';
      this.#dispatch({ type: 'refused', generation, name, status: isTemporary ? 503 : 403, isTemporary });
      return;
    }
    socket.subscribed.add(name);
    const members = [...where.members].map((id) => ({ id, info: null }));
    const message: ChannelMessage = { type: 'subscribed', data: {}, members };
    socket.frames.push({ type: 'message', generation, name, message });
  }

  #settle(): void {
    for (let count = 0; count < MAX_STEPS; count += 1) {
      const [task] = this.#tasks();
      const [timer] = this.#timers;
      if (task !== undefined) task();
      else if (timer === undefined) return;
      else this.#fireTimer(timer, 1);
    }
    throw new Error('It never comes to rest.');
  }
}

function place(stated: Channel, id: string): Place {
  return { channel: stated, id, name: channelName(stated, id), head: 0, members: new Set() };
}

function newSocket(generation: number): Socket {
  return {
    ...{ generation, isConnected: false, frames: [] },
    ...{ wanted: new Set(), asking: new Set(), subscribed: new Set() },
  };
}

function pickOf<Thing>(things: readonly Thing[], at: number): Thing | undefined {
  return things[at % Math.max(things.length, 1)];
}

function takeFirst<Thing>(list: Thing[], take: (thing: Thing) => void): void {
  const first = list.shift();
  if (first !== undefined) take(first);
}

function expectSame(found: unknown, expected: unknown, what: string): void {
  if (found !== expected) throw new Error(`This does not hold: ${what} is ${found}, not ${expected}`);
}

import { LIVE_ENTRIES_MAX, LIVE_TTL_MAX_MS, type LiveMessage } from '@wardline/contract/live.ts';
import type { Step } from '#/engine.ts';
import type { LiveEntry } from './live-store.ts';

/** Of a device whose entries are over, its count is remembered for so long: what was said before comes no later than that. */
const REMEMBER_MS = 2 * LIVE_TTL_MAX_MS;
/** The oldest are forgotten first. */
const DEVICES_MAX = 300;
/** Between two messages of a page: a walk through the fields is told in steps. */
export const SAY_EVERY_MS = 300;
/** Who comes is answered by all who are there, not at once. */
export const ANSWER_WITHIN_MS = 400;

interface Live {
  readonly value: unknown;
  /** By the clock of this page. */
  readonly until: number;
}

/** An open page of somebody in the chat. */
interface Device {
  readonly userId: string;
  readonly name: string;
  /** Of the last message that was heard. */
  readonly n: number;
  readonly heardAt: number;
  readonly entries: ReadonlyMap<string, Live>;
}

/** What is live in one chat, as this page knows it. Paths are those below the chat. */
export interface LiveRoomState {
  readonly device: string;
  /** Of the last message that was said. */
  readonly n: number;
  readonly isSubscribed: boolean;
  readonly saidAt: number;
  readonly sayAt: number | null;
  /** The next message asks the others for theirs. */
  readonly asks: boolean;
  readonly own: ReadonlyMap<string, Live>;
  readonly devices: ReadonlyMap<string, Device>;
}

/** `now` is a clock that only goes on: nobody's time of day is asked. */
export type LiveRoomEvent = { readonly now: number } & (
  | { readonly type: 'patched'; readonly path: string; readonly value: unknown; readonly ttlMs: number }
  | { readonly type: 'removed'; readonly path: string }
  /** The channel was joined, for the first time or again; what was said meanwhile is asked for. */
  | { readonly type: 'subscribed' }
  | { readonly type: 'disconnected' }
  /** The chat is not mine any more, or not now. */
  | { readonly type: 'refused' }
  | {
      readonly type: 'heard';
      readonly userId: string;
      readonly name: string;
      readonly message: LiveMessage;
      /** In [0, 1). */
      readonly random: number;
    }
  /** A person has closed all pages of the chat. */
  | { readonly type: 'left'; readonly userId: string }
  | { readonly type: 'time-passed' }
);

export type LiveRoomEffect =
  | { readonly type: 'say'; readonly message: LiveMessage }
  /** The one timer of the chat: in so many milliseconds time has passed; null where nothing is to come. */
  | { readonly type: 'set-timer'; readonly delayMs: number | null };

export function initialLiveRoom(device: string): LiveRoomState {
  return {
    ...{ device, n: 0, isSubscribed: false, saidAt: Number.NEGATIVE_INFINITY, sayAt: null, asks: false },
    ...{ own: new Map(), devices: new Map() },
  };
}

/**
 * Each page says all that it has live with every message, numbered: one that is lost is mended by the next, one that comes twice or too
 * late says nothing. Times to live count from the receipt, so clocks that differ do not matter and what its owner could not take back
 * ends by itself.
 */
export function reduceLiveRoom(state: LiveRoomState, event: LiveRoomEvent): Step<LiveRoomState, LiveRoomEffect> {
  const current = expire(state, event.now);
  return settle(change(current, event), event.now);
}

function change(state: LiveRoomState, event: LiveRoomEvent): LiveRoomState {
  const { now } = event;
  switch (event.type) {
    case 'patched': {
      const isFull = state.own.size >= LIVE_ENTRIES_MAX && !state.own.has(event.path);
      if (isFull) return state;
      const until = now + Math.min(event.ttlMs, LIVE_TTL_MAX_MS);
      return planned({ ...state, own: new Map(state.own).set(event.path, { value: event.value, until }) }, now);
    }
    case 'removed':
      return state.own.has(event.path) ? planned({ ...state, own: without(state.own, event.path) }, now) : state;
    case 'subscribed':
      return planned({ ...state, isSubscribed: true, asks: true }, now);
    case 'disconnected':
      return { ...state, isSubscribed: false };
    case 'refused':
      return { ...state, isSubscribed: false, devices: new Map() };
    case 'heard':
      return hear(state, event);
    case 'left': {
      // Their counts stay: what comes late is known as late.
      const devices = new Map(state.devices);
      for (const [key, device] of state.devices) {
        if (device.userId === event.userId) devices.set(key, { ...device, entries: new Map() });
      }
      return { ...state, devices };
    }
    case 'time-passed':
      return state;
  }
}

function hear(state: LiveRoomState, { now, userId, name, message, random }: LiveRoomEvent & { type: 'heard' }) {
  const { device, n, entries, asks } = message;
  // One's own words come back where a server passes them on to who said them.
  if (device === state.device) return state;
  // Who says it is part of the key: nobody speaks for the page of another.
  const key = `${userId}/${device}`;
  if (n <= (state.devices.get(key)?.n ?? 0)) return state;
  const live = entries.slice(0, LIVE_ENTRIES_MAX).map(({ path, value, ttl_ms }) => {
    return [path, { value, until: now + Math.min(ttl_ms, LIVE_TTL_MAX_MS) }] as const;
  });
  const devices = new Map(without(state.devices, key)).set(key, {
    ...{ userId, name, n, heardAt: now },
    entries: new Map(live),
  });
  const [oldest] = devices.keys();
  const heard = { ...state, devices: devices.size > DEVICES_MAX && oldest ? without(devices, oldest) : devices };
  if (!asks || state.own.size === 0) return heard;
  return planned(heard, now + Math.floor(random * ANSWER_WITHIN_MS));
}

/** There is something to say, no sooner than `at`; what is planned earlier says it too. */
function planned(state: LiveRoomState, at: number): LiveRoomState {
  const earliest = Math.max(at, state.saidAt + SAY_EVERY_MS);
  return { ...state, sayAt: Math.min(state.sayAt ?? Number.POSITIVE_INFINITY, earliest) };
}

/** Says what is due, and sets the timer for what is to come. */
function settle(state: LiveRoomState, now: number): Step<LiveRoomState, LiveRoomEffect> {
  const isDue = state.isSubscribed && state.sayAt !== null && state.sayAt <= now;
  const next = isDue ? { ...state, n: state.n + 1, saidAt: now, sayAt: null, asks: false } : state;
  const entries = [...state.own].map(([path, { value, until }]) => ({ path, value, ttl_ms: Math.ceil(until - now) }));
  const message = { device: next.device, n: next.n, entries, ...(state.asks && { asks: true }) };
  const timer = { type: 'set-timer', delayMs: delayOf(next, now) } as const;
  return { state: next, effects: isDue ? [{ type: 'say', message }, timer] : [timer] };
}

function delayOf({ own, devices, isSubscribed, sayAt }: LiveRoomState, now: number): number | null {
  const ends = [own, ...[...devices.values()].map(({ entries }) => entries)].flatMap((entries) =>
    [...entries.values()].map(({ until }) => until),
  );
  const next = Math.min(...ends, isSubscribed && sayAt !== null ? sayAt : Number.POSITIVE_INFINITY);
  return next === Number.POSITIVE_INFINITY ? null : Math.max(0, next - now);
}

/** Nothing is live past its time, and no device is remembered for ever. The state itself where nothing ended. */
function expire(state: LiveRoomState, now: number): LiveRoomState {
  const own = alive(state.own, now);
  let devices = state.devices;
  for (const [key, device] of state.devices) {
    const entries = alive(device.entries, now);
    if (entries.size === 0 && now - device.heardAt > REMEMBER_MS) devices = without(devices, key);
    else if (entries !== device.entries) devices = new Map(devices).set(key, { ...device, entries });
  }
  return own === state.own && devices === state.devices ? state : { ...state, own, devices };
}

function alive(entries: ReadonlyMap<string, Live>, now: number): ReadonlyMap<string, Live> {
  const left = [...entries].filter(([, { until }]) => until > now);
  return left.length === entries.size ? entries : new Map(left);
}

function without<Value>(map: ReadonlyMap<string, Value>, key: string): ReadonlyMap<string, Value> {
  const left = new Map(map);
  left.delete(key);
  return left;
}

/** What others have live, by path and person: several pages of one person are one, and of theirs the last heard counts. */
export function liveEntries({ devices }: Pick<LiveRoomState, 'devices'>): LiveEntry[] {
  const found = new Map<string, LiveEntry>();
  for (const { userId, name, entries } of devices.values()) {
    for (const [path, { value }] of entries) found.set(`${path} ${userId}`, { path, userId, name, value });
  }
  return [...found.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
}

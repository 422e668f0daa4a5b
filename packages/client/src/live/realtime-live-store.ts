import { LIVE_EVENT, readLiveMessage } from '@wardline/contract/live.ts';
import * as z from 'zod/mini';
import { createEngine, type Engine, runBy } from '#/engine.ts';
import type { Log } from '#/log.ts';
import { createSource, type Observable, type Source } from '#/observable.ts';
import type { Joined, JoinHandlers } from '#/realtime/realtime.ts';
import { createTimer } from '#/schedule.ts';
import {
  initialLiveRoom,
  type LiveRoomEffect,
  type LiveRoomEvent,
  type LiveRoomState,
  liveEntries,
  reduceLiveRoom,
} from './live-room-reducer.ts';
import { type LiveEntry, type LiveStore, splitLivePath } from './live-store.ts';

export interface RealtimeLiveDeps {
  /** Joins the channel of a chat, whose client events carry what is live. */
  readonly join: (chatId: string, handlers: Omit<JoinHandlers, 'events'>) => Pick<Joined, 'leave' | 'whisper'>;
  /** A UUID, for each chat that is opened another. */
  readonly newId: () => string;
  readonly log: Pick<Log, 'error'>;
  /** Milliseconds that only go on. */
  readonly now?: () => number;
  readonly random?: () => number;
}

interface Watched {
  /** The path below the chat. */
  readonly below: string;
  readonly source: Source<readonly LiveEntry[]>;
}

interface Room {
  readonly dispatch: (event: Unstamped<LiveRoomEvent>) => void;
}

type Unstamped<Event> = Event extends unknown ? Omit<Event, 'now' | 'random'> : never;

const NOTHING: readonly LiveEntry[] = [];
const MemberInfo = z.object({ name: z.string() });

/**
 * The live store over client events of the channels that chats have anyway. Wardline's server passes on what its sender may say; of
 * another back end's each device looks at it itself, and takes nothing whose sender the server does not name.
 */
export function createRealtimeLiveStore(deps: RealtimeLiveDeps): LiveStore {
  const rooms = new Map<string, Room>();
  const watched = new Map<string, Set<Watched>>();

  const show = (chatId: string, entries: readonly LiveEntry[]): void => {
    for (const { below, source } of watched.get(chatId) ?? []) {
      const here = entries.filter(({ path }) => path === below || below === '' || path.startsWith(`${below}/`));
      const next = here.map((entry) => ({ ...entry, path: `chats/${chatId}/${entry.path}` }));
      // Whoever watches is told of changes alone.
      if (JSON.stringify(next) !== JSON.stringify(source.get())) source.set(next.length === 0 ? NOTHING : next);
    }
  };
  const room = (chatId: string): Room => {
    const known = rooms.get(chatId);
    if (known !== undefined) return known;
    const opened = openRoom(deps, chatId, {
      show: (entries) => show(chatId, entries),
      isWatched: () => (watched.get(chatId)?.size ?? 0) > 0,
      onEnd: () => void rooms.delete(chatId),
    });
    rooms.set(chatId, opened);
    return opened;
  };
  const watch = (path: string): Observable<readonly LiveEntry[]> => {
    const { chatId, below } = splitLivePath(path);
    const source = createSource(NOTHING);
    const mine: Watched = { below, source };
    let listeners = 0;
    const count = (by: 1 | -1): void => {
      listeners += by;
      const ofChat = watched.get(chatId) ?? new Set<Watched>();
      watched.set(chatId, ofChat);
      if (listeners > 0) ofChat.add(mine);
      else ofChat.delete(mine);
      if (ofChat.size === 0) watched.delete(chatId);
      // It is shown what is known already, and ends where nobody watches any more.
      room(chatId).dispatch({ type: 'time-passed' });
    };
    return {
      get: source.get,
      subscribe(listener) {
        const undo = source.subscribe(listener);
        count(1);
        let isOver = false;
        return () => {
          if (isOver) return;
          isOver = true;
          undo();
          count(-1);
        };
      },
    };
  };
  return {
    watch,
    patch(path, value, ttlMs) {
      const { chatId, below } = splitLivePath(path);
      room(chatId).dispatch({ type: 'patched', path: below, value, ttlMs });
    },
    remove(path) {
      const { chatId, below } = splitLivePath(path);
      rooms.get(chatId)?.dispatch({ type: 'removed', path: below });
    },
  };
}

interface RoomHooks {
  readonly show: (entries: readonly LiveEntry[]) => void;
  readonly isWatched: () => boolean;
  readonly onEnd: () => void;
}

/** Runs {@link reduceLiveRoom} over the channel of one chat, for as long as somebody watches or has something live there. */
function openRoom(deps: RealtimeLiveDeps, chatId: string, { show, isWatched, onEnd }: RoomHooks): Room {
  const { newId, log, now = () => performance.now(), random = Math.random } = deps;
  const names = new Map<string, string>();
  const noteName = ({ id, info }: { readonly id: string; readonly info: unknown }) => {
    const read = z.safeParse(MemberInfo, info);
    if (read.success) names.set(id, read.data.name);
  };
  let isOver = false;
  const timer = createTimer(() => dispatch({ type: 'time-passed' }));
  const engine: Engine<LiveRoomState, LiveRoomEvent> = createEngine({
    initial: initialLiveRoom(newId()),
    reduce: reduceLiveRoom,
    run: runBy<LiveRoomEffect>({
      say: ({ message }) => joined.whisper(LIVE_EVENT, message),
      'set-timer': ({ delayMs }) => (delayMs === null ? timer.clear() : timer.set(delayMs)),
    }),
    onError: (error) => log.error('What is live in a chat could not be followed', error),
  });
  const dispatch = (event: Unstamped<LiveRoomEvent>): void => {
    if (isOver) return;
    engine.dispatch({ ...event, now: now(), random: random() } as LiveRoomEvent);
    show(liveEntries(engine.state()));
    leaveIfDone();
  };
  const leaveIfDone = (): void => {
    const { own, sayAt, isSubscribed } = engine.state();
    if (isWatched() || own.size > 0 || (sayAt !== null && isSubscribed)) return;
    isOver = true;
    timer.clear();
    joined.leave();
    onEnd();
  };
  const joined = deps.join(chatId, {
    onSubscribed: () => dispatch({ type: 'subscribed' }),
    onError: () => dispatch({ type: 'refused' }),
    onDisconnected: () => dispatch({ type: 'disconnected' }),
    onHere: (members) => members.forEach(noteName),
    onJoining: noteName,
    onLeaving: ({ id }) => dispatch({ type: 'left', userId: id }),
    whispers: {
      [LIVE_EVENT](data, from) {
        const message = readLiveMessage(data);
        if (from === null || message === null) return;
        dispatch({ type: 'heard', userId: from, name: names.get(from) ?? message.by?.name ?? '', message });
      },
    },
  });
  return { dispatch };
}

import { type Channel, carriesClientEvents, channelName } from '@wardline/contract/channel.ts';
import type { ClientConfig } from '@wardline/contract/config.ts';
import { createEngine, type EffectHandlers, runBy } from '#/engine.ts';
import { isTemporary, statusOf } from '#/http/api-error.ts';
import type { Call } from '#/http/call.ts';
import type { Log } from '#/log.ts';
import { createSource, type Observable, type Source } from '#/observable.ts';
import { createTimer, type Timer } from '#/schedule.ts';
import { readFrame } from './channel-message.ts';
import { type PagePlace, socketPlace } from './echo-options.ts';
import { type AnyHandlers, callHandler, type JoinHandlers } from './join-handlers.ts';
import { paceFrames } from './pace-frames.ts';
import type { RealtimeEffect, RealtimeEvent, RealtimeState } from './realtime-events.ts';
import { IDLE_REALTIME, reduceRealtime } from './realtime-reducer.ts';
import type { ConnectionState, OpenTransport, Transport, TransportEvents } from './transport.ts';

export type { ChannelMember } from './channel-message.ts';
export type { JoinHandlers } from './join-handlers.ts';
export type { ConnectionState } from './transport.ts';

export interface RealtimeDeps {
  readonly config: ClientConfig;
  readonly call: Call;
  readonly log: Log;
  readonly page?: PagePlace;
  /** Loads what opens a transport; the default loads laravel-echo and pusher-js when they are first needed. */
  readonly loadLine?: () => Promise<OpenTransport>;
  readonly random?: () => number;
}

/** A channel that was joined. */
export interface Joined {
  leave(): void;
  /** A client event to the others on a private or presence channel; lost while it is not subscribed. */
  whisper(name: string, data: unknown): void;
}

export interface Realtime {
  readonly connection: Observable<ConnectionState>;
  /** The id that X-Socket-ID carries; null while there is no connection. */
  socketId(): string | null;
  /** Joins a channel of the contract; several joins of one share one subscription. Connects where there is no socket yet. */
  join<C extends Channel>(channel: C, id: string, handlers: JoinHandlers<C>): Joined;
  /** Online or focus: tries again at once where the connection is down. */
  wake(): void;
  /** Leaves everything and closes the socket: the next person gets another one. */
  stop(): void;
}

/** Runs {@link reduceRealtime} over the socket, the handlers of those who joined and the page's timers. */
export function createRealtime(deps: RealtimeDeps): Realtime {
  const { log, random = Math.random } = deps;
  const connection = createSource<ConnectionState>('initialized');
  const joins = new Map<number, AnyHandlers>();
  let transport: Transport | null = null;
  let lastJoinId = 0;
  const engine = createEngine({
    initial: IDLE_REALTIME,
    reduce: reduceRealtime,
    run: (effect: RealtimeEffect) => run(effect),
    onError: (error) => log.error('The realtime client could not do a step of its work', error),
  });
  const dispatch: Dispatch = (event) => engine.dispatch({ ...event, random: random() });
  const run = runBy<RealtimeEffect>(
    createHandlers({
      ...{ deps, connection, joins, dispatch, state: engine.state },
      transport: () => transport,
      setTransport(next) {
        transport = next;
      },
    }),
  );
  return {
    connection,
    socketId: () => transport?.socketId() ?? null,
    join(channel, id, handlers) {
      const name = channelName(channel, id);
      lastJoinId += 1;
      const joinId = lastJoinId;
      joins.set(joinId, handlers as AnyHandlers);
      dispatch({ type: 'join', joinId, name, channel, id });
      return {
        leave() {
          joins.delete(joinId);
          dispatch({ type: 'leave', joinId, name });
        },
        whisper(event, data) {
          if (!carriesClientEvents(channel.kind)) log.warn(`The channel ${channel.pattern} carries no client events`);
          else transport?.whisper(name, event, data);
        },
      };
    },
    wake: () => dispatch({ type: 'wake' }),
    stop() {
      joins.clear();
      dispatch({ type: 'stop' });
    },
  };
}

type Unstamped<Event> = Event extends unknown ? Omit<Event, 'random'> : never;
type Dispatch = (event: Unstamped<RealtimeEvent>) => void;

interface RunnerDeps {
  readonly deps: RealtimeDeps;
  readonly connection: Source<ConnectionState>;
  readonly joins: ReadonlyMap<number, AnyHandlers>;
  readonly dispatch: Dispatch;
  readonly state: () => RealtimeState;
  readonly transport: () => Transport | null;
  readonly setTransport: (transport: Transport | null) => void;
}

/** Does what the reducer asks for; what comes of it goes back as an event. */
function createHandlers(runner: RunnerDeps): EffectHandlers<RealtimeEffect> {
  const { deps, connection, joins, dispatch, transport, setTransport } = runner;
  const { log } = deps;
  const loadTransport = deps.loadLine ?? echoLoader(deps);
  const timers = new Map<string | null, Timer>();
  let openTransport: OpenTransport | null = null;
  return {
    'load-transport'({ generation }) {
      loadTransport().then(
        (open) => {
          openTransport = open;
          dispatch({ type: 'transport-loaded', generation });
        },
        (error) => dispatch({ type: 'transport-not-loaded', error }),
      );
    },
    'open-transport'({ generation }) {
      try {
        setTransport(openTransport?.(transportEvents(runner, generation)) ?? null);
      } catch (error) {
        dispatch({ type: 'transport-not-loaded', error });
      }
    },
    'close-transport'() {
      transport()?.close();
      setTransport(null);
    },
    'wake-transport': () => transport()?.wake(),
    'show-connection': (effect) => connection.set(effect.connection),
    subscribe: ({ channel, id }) => transport()?.subscribe(channel, id),
    'subscribe-again': ({ name }) => transport()?.subscribeAgain(name),
    unsubscribe: ({ name }) => transport()?.unsubscribe(name),
    tell({ channel, joinIds, notice }) {
      for (const joinId of joinIds) {
        const handlers = joins.get(joinId);
        try {
          if (handlers !== undefined) callHandler(handlers, notice);
        } catch (error) {
          log.error(`A handler of the channel ${channel.pattern} failed`, error);
        }
      }
    },
    'settle-join': ({ joinId, name }) => queueMicrotask(() => dispatch({ type: 'join-settled', joinId, name })),
    'set-timer'({ name, delayMs }) {
      const timer = timers.get(name) ?? createTimer(() => dispatch({ type: 'retry-due', name }));
      timers.set(name, timer);
      timer.set(delayMs);
    },
    'clear-timer'({ name }) {
      timers.get(name)?.clear();
      timers.delete(name);
    },
    log: ({ level, line, error }) => log[level](line, error),
  };
}

function transportEvents({ deps, dispatch, state }: RunnerDeps, generation: number): TransportEvents {
  return {
    onState: (connection) => dispatch({ type: 'connection-changed', generation, connection }),
    onFrame(frame) {
      const name = frame.channel;
      const entry = name === undefined ? undefined : state().channels.get(name);
      const message = entry === undefined ? null : readFrame(entry.channel, deps.config.echo.namespace, frame);
      if (name !== undefined && message !== null) dispatch({ type: 'message', generation, name, message });
    },
    onRefused: (name, error) =>
      dispatch({
        ...{ type: 'refused', generation, name },
        status: statusOf(error),
        isTemporary: isTemporary(error),
      }),
  };
}

function echoLoader({ config, call, page = window.location }: RealtimeDeps): () => Promise<OpenTransport> {
  const place = socketPlace(config, page);
  return async () => {
    const { openEchoLine } = await import('./echo-line.ts');
    return (events) => openEchoLine(place, { call, events: paceFrames(events) });
  };
}

import { type Channel, channelName } from '@wardline/contract/channel.ts';
import type { ClientConfig } from '@wardline/contract/config.ts';
import { isTemporary, statusOf } from '#/http/api-error.ts';
import type { Call } from '#/http/call.ts';
import type { Log } from '#/log.ts';
import { createSource, type Observable } from '#/observable.ts';
import { createRetryTimer, type RetryTimer } from '#/retry-timer.ts';
import { type PagePlace, socketPlace } from './echo-options.ts';
import type { ConnectionState, Line, OpenLine } from './line.ts';
import { createSubscription, type JoinHandlers, type Subscription } from './subscription.ts';

export type { ConnectionState } from './line.ts';
export type { ChannelMember, JoinHandlers } from './subscription.ts';

export interface RealtimeDeps {
  readonly config: ClientConfig;
  readonly call: Call;
  readonly log: Log;
  readonly page?: PagePlace;
  /** Loads what opens a line; the default loads laravel-echo and pusher-js when they are first needed. */
  readonly loadLine?: () => Promise<OpenLine>;
  readonly random?: () => number;
}

/** A channel that was joined. */
export interface Joined {
  leave(): void;
  /** A client event to the others on the channel; lost while it is not subscribed. */
  whisper(name: string, data: unknown): void;
}

export interface Realtime {
  readonly connection: Observable<ConnectionState>;
  /** The id that X-Socket-ID carries; null while there is no connection. */
  socketId(): string | null;
  /** Joins a channel of the contract; several joins of one share one subscription. Connects where there is no line yet. */
  join<C extends Channel>(channel: C, id: string, handlers: JoinHandlers<C>): Joined;
  /** Online or focus: tries again at once where the connection is down. */
  wake(): void;
  /** Leaves everything and closes the socket: the next person gets another one. */
  stop(): void;
}

interface Entry {
  readonly channel: Channel;
  readonly id: string;
  readonly subscription: Subscription;
  readonly retryTimer: RetryTimer;
}

/** Makes the realtime side of the client. Connects when the first channel is joined. */
export function createRealtime(deps: RealtimeDeps): Realtime {
  const { config, log } = deps;
  const place = socketPlace(config, deps.page ?? window.location);
  const loadLine =
    deps.loadLine ??
    (async (): Promise<OpenLine> => {
      const { openEchoLine } = await import('./echo-line.ts');
      return (events) => openEchoLine(place, { call: deps.call, events });
    });
  const connection = createSource<ConnectionState>('initialized');
  const entries = new Map<string, Entry>();
  const loadTimer = createRetryTimer(() => connect(), deps.random);
  let line: Line | null = null;
  let generation = 0;
  let isLoading = false;

  const connect = (): void => {
    if (line !== null || isLoading) return;
    isLoading = true;
    const mine = generation;
    loadLine().then(
      (openLine) => {
        isLoading = false;
        if (mine !== generation) {
          if (entries.size > 0) connect();
          return;
        }
        loadTimer.succeed();
        openWith(openLine);
      },
      (error) => {
        isLoading = false;
        log.warn('The realtime client could not be loaded', error);
        if (entries.size > 0) loadTimer.plan();
      },
    );
  };

  const openWith = (openLine: OpenLine): void => {
    const mine = generation;
    connection.set('connecting');
    line = openLine({
      onState(state) {
        if (mine !== generation) return;
        if (state !== 'connected') for (const entry of entries.values()) entry.subscription.interrupt();
        connection.set(state);
      },
      onFrame(frame) {
        const entry = mine === generation && frame.channel !== undefined ? entries.get(frame.channel) : undefined;
        if (entry === undefined) return;
        if (frame.event === 'pusher_internal:subscription_succeeded') entry.retryTimer.succeed();
        entry.subscription.handle(frame);
      },
      onRefused(name, error) {
        const entry = mine === generation ? entries.get(name) : undefined;
        if (entry === undefined) return;
        const status = statusOf(error);
        if (isTemporary(error)) entry.retryTimer.plan();
        // Without a network nobody has refused anything, and the browser says itself what could not be reached.
        if (isTemporary(error) && status === 0)
          log.debug(`The channel ${entry.channel.pattern} could not be asked for`);
        else log.warn(`The channel ${entry.channel.pattern} was refused with status ${status}`);
        entry.subscription.refuse(status);
      },
    });
    for (const entry of entries.values()) line.subscribe(entry.channel, entry.id);
  };

  const enter = (channel: Channel, id: string, name: string): Entry => {
    const entry: Entry = {
      channel,
      id,
      subscription: createSubscription(channel, config.echo.namespace, log),
      retryTimer: createRetryTimer(() => line?.subscribeAgain(name), deps.random),
    };
    entries.set(name, entry);
    if (line === null) connect();
    else line.subscribe(channel, id);
    return entry;
  };

  return {
    connection,
    socketId: () => line?.socketId() ?? null,
    join(channel, id, handlers) {
      const name = channelName(channel, id);
      const entry = entries.get(name) ?? enter(channel, id, name);
      // A set of its own per join, so that handlers given twice count twice.
      const own = { ...handlers } as Parameters<Subscription['add']>[0];
      entry.subscription.add(own);
      return {
        leave() {
          if (entry.subscription.remove(own) > 0 || entries.get(name) !== entry) return;
          entries.delete(name);
          entry.retryTimer.cancel();
          line?.unsubscribe(name);
        },
        whisper: (event, data) => line?.whisper(name, event, data),
      };
    },
    wake() {
      if (line !== null) line.wake();
      else if (entries.size > 0) connect();
    },
    stop() {
      generation += 1;
      loadTimer.cancel();
      for (const entry of entries.values()) entry.retryTimer.cancel();
      entries.clear();
      line?.close();
      line = null;
      connection.set('disconnected');
    },
  };
}

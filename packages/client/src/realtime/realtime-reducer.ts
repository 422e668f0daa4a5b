import { FIRST_RETRY, planRetry } from '#/backoff.ts';
import type { Step } from '#/engine.ts';
import type { ChannelMember, ChannelMessage } from './channel-message.ts';
import type { ChannelNotice } from './join-handlers.ts';
import type { ChannelState, RealtimeEffect, RealtimeEvent, RealtimeState } from './realtime-events.ts';

type Next = Step<RealtimeState, RealtimeEffect>;
type EventOf<Type> = Extract<RealtimeEvent, { readonly type: Type }>;

/** A realtime client that nobody has asked for anything. */
export const IDLE_REALTIME: RealtimeState = {
  generation: 0,
  isOpen: false,
  isLoading: false,
  loadRetry: FIRST_RETRY,
  channels: new Map(),
};

/**
 * Connects when the first channel is joined; several joins of one channel share one subscription. After each subscription
 * everybody on the channel is told, so that what was said meanwhile is asked for.
 */
export function reduceRealtime(state: RealtimeState, event: RealtimeEvent): Next {
  switch (event.type) {
    case 'join':
      return onJoin(state, event);
    case 'join-settled':
      return onJoinSettled(state, event);
    case 'leave':
      return onLeave(state, event);
    case 'wake':
      if (state.isOpen) return step(state, { type: 'wake-transport' });
      return state.channels.size > 0 ? connect(state) : step(state);
    case 'stop':
      return onStop(state);
    case 'transport-loaded':
      return onTransportLoaded(state, event);
    case 'transport-not-loaded':
      return onTransportNotLoaded(state, event);
    case 'connection-changed':
      return onConnectionChanged(state, event);
    case 'message':
      return onMessage(state, event);
    case 'refused':
      return onRefused(state, event);
    case 'retry-due':
      return onRetryDue(state, event);
  }
}

// ---- Joining and leaving

function onJoin(state: RealtimeState, { joinId, name, channel, id }: EventOf<'join'>): Next {
  const known = state.channels.get(name);
  if (known !== undefined) {
    const joined = withChannel(state, { ...known, joinIds: [...known.joinIds, joinId] });
    return known.isSubscribed ? step(joined, { type: 'settle-join', joinId, name }) : step(joined);
  }
  const fresh = { name, channel, id, joinIds: [joinId], isSubscribed: false, members: new Map(), retry: FIRST_RETRY };
  const joined = withChannel(state, fresh);
  return state.isOpen ? step(joined, { type: 'subscribe', channel, id }) : connect(joined);
}

/** The answer was for an earlier joiner and its numbers are old: a late one learns only that it is subscribed. */
function onJoinSettled(state: RealtimeState, { joinId, name }: EventOf<'join-settled'>): Next {
  const entry = state.channels.get(name);
  if (entry === undefined || !entry.isSubscribed || !entry.joinIds.includes(joinId)) return step(state);
  const late = { ...entry, joinIds: [joinId] };
  return step(state, tell(late, { type: 'subscribed', data: undefined }), ...tellHere(late));
}

function onLeave(state: RealtimeState, { joinId, name }: EventOf<'leave'>): Next {
  const entry = state.channels.get(name);
  if (entry === undefined || !entry.joinIds.includes(joinId)) return step(state);
  const joinIds = entry.joinIds.filter((other) => other !== joinId);
  if (joinIds.length > 0) return step(withChannel(state, { ...entry, joinIds }));
  const channels = new Map(state.channels);
  channels.delete(name);
  const unsubscribe: RealtimeEffect[] = state.isOpen ? [{ type: 'unsubscribe', name }] : [];
  return step({ ...state, channels }, { type: 'clear-timer', name }, ...unsubscribe);
}

// ---- The transport

function connect(state: RealtimeState): Next {
  if (state.isOpen || state.isLoading) return step(state);
  return step({ ...state, isLoading: true }, { type: 'load-transport', generation: state.generation });
}

function onTransportLoaded(state: RealtimeState, { generation }: EventOf<'transport-loaded'>): Next {
  const loaded = { ...state, isLoading: false };
  if (generation !== state.generation) return state.channels.size > 0 ? connect(loaded) : step(loaded);
  return step(
    { ...loaded, isOpen: true, loadRetry: FIRST_RETRY },
    { type: 'clear-timer', name: null },
    { type: 'show-connection', connection: 'connecting' },
    { type: 'open-transport', generation },
    ...[...state.channels.values()].map(({ channel, id }) => ({ type: 'subscribe' as const, channel, id })),
  );
}

function onTransportNotLoaded(state: RealtimeState, { error, random }: EventOf<'transport-not-loaded'>): Next {
  const failed = { ...state, isLoading: false, isOpen: false };
  const warn: RealtimeEffect = { type: 'log', level: 'warn', line: 'The realtime client could not be loaded', error };
  const plan = state.channels.size > 0 ? planRetry(state.loadRetry, random) : null;
  if (plan === null) return step(failed, warn);
  return step({ ...failed, loadRetry: plan.retry }, warn, { type: 'set-timer', name: null, delayMs: plan.delayMs });
}

function onConnectionChanged(state: RealtimeState, { generation, connection }: EventOf<'connection-changed'>): Next {
  if (generation !== state.generation) return step(state);
  const show: RealtimeEffect = { type: 'show-connection', connection };
  if (connection === 'connected') return step(state, show);
  const cut = [...state.channels.values()]
    .filter(({ isSubscribed }) => isSubscribed)
    .map((entry) => ({ ...entry, isSubscribed: false, members: new Map<string, ChannelMember>() }));
  return step(cut.reduce(withChannel, state), ...cut.map((entry) => tell(entry, { type: 'disconnected' })), show);
}

function onStop(state: RealtimeState): Next {
  const close: RealtimeEffect[] = state.isOpen ? [{ type: 'close-transport' }] : [];
  const timers = [null, ...state.channels.keys()].map((name) => ({ type: 'clear-timer' as const, name }));
  const stopped = {
    ...state,
    generation: state.generation + 1,
    isOpen: false,
    loadRetry: { ...state.loadRetry, isPlanned: false },
    channels: new Map<string, ChannelState>(),
  };
  return step(stopped, ...timers, ...close, { type: 'show-connection', connection: 'disconnected' });
}

function onRetryDue(state: RealtimeState, { name }: EventOf<'retry-due'>): Next {
  if (name === null) {
    if (!state.loadRetry.isPlanned) return step(state);
    return connect({ ...state, loadRetry: { ...state.loadRetry, isPlanned: false } });
  }
  const entry = state.channels.get(name);
  if (entry?.retry.isPlanned !== true) return step(state);
  const due = withChannel(state, { ...entry, retry: { ...entry.retry, isPlanned: false } });
  return state.isOpen ? step(due, { type: 'subscribe-again', name }) : step(due);
}

// ---- What the server says

function onMessage(state: RealtimeState, { generation, name, message, random }: EventOf<'message'>): Next {
  const entry = generation === state.generation ? state.channels.get(name) : undefined;
  if (entry === undefined) return step(state);
  switch (message.type) {
    case 'subscribed':
      return onSubscribed(state, entry, message);
    case 'refused': {
      const { status } = message;
      return onRefused(state, {
        type: 'refused',
        generation,
        name,
        status,
        isTemporary: status >= 500 && status < 600,
        random,
      });
    }
    case 'member-added': {
      const { member } = message;
      const members = new Map(entry.members).set(member.id, member);
      return step(withChannel(state, { ...entry, members }), tell(entry, { type: 'joining', member }));
    }
    case 'member-removed': {
      const member = entry.members.get(message.memberId);
      if (member === undefined) return step(state);
      const members = new Map(entry.members);
      members.delete(member.id);
      return step(withChannel(state, { ...entry, members }), tell(entry, { type: 'leaving', member }));
    }
    case 'misfit': {
      const { pattern } = entry.channel;
      const line = `An event ${message.name} on ${pattern} does not fit at ${message.path} and was dropped`;
      return step(state, { type: 'log', level: 'warn', line });
    }
    default:
      return step(state, tell(entry, message));
  }
}

function onSubscribed(
  state: RealtimeState,
  before: ChannelState,
  { data, members }: Extract<ChannelMessage, { type: 'subscribed' }>,
): Next {
  const present = new Map(members.map((member) => [member.id, member]));
  const entry = { ...before, isSubscribed: true, members: present, retry: FIRST_RETRY };
  return step(
    withChannel(state, entry),
    { type: 'clear-timer', name: entry.name },
    tell(entry, { type: 'subscribed', data }),
    ...tellHere(entry),
  );
}

/** What Wardline's server answers where a socket closed before its channel was asked for. */
const SOCKET_IS_GONE = 409;

function onRefused(state: RealtimeState, { generation, name, status, isTemporary, random }: EventOf<'refused'>): Next {
  const entry = generation === state.generation ? state.channels.get(name) : undefined;
  if (entry === undefined) return step(state);
  const { pattern } = entry.channel;
  const plan = isTemporary ? planRetry(entry.retry, random) : null;
  const timer: RealtimeEffect[] = plan === null ? [] : [{ type: 'set-timer', name, delayMs: plan.delayMs }];
  // Nobody has refused anything without a network, nor where the socket that it was asked for has gone meanwhile: the
  // next one asks again.
  const log: RealtimeEffect =
    (isTemporary && status === 0) || status === SOCKET_IS_GONE
      ? { type: 'log', level: 'debug', line: `The channel ${pattern} could not be asked for` }
      : { type: 'log', level: 'warn', line: `The channel ${pattern} was refused with status ${status}` };
  const refused = { ...entry, isSubscribed: false, retry: plan?.retry ?? entry.retry };
  return step(withChannel(state, refused), ...timer, log, tell(entry, { type: 'refused', status }));
}

// ---- Small steps

function step(state: RealtimeState, ...effects: RealtimeEffect[]): Next {
  return { state, effects };
}

function withChannel(state: RealtimeState, entry: ChannelState): RealtimeState {
  return { ...state, channels: new Map(state.channels).set(entry.name, entry) };
}

function tell({ channel, joinIds }: ChannelState, notice: ChannelNotice): RealtimeEffect {
  return { type: 'tell', channel, joinIds, notice };
}

function tellHere(entry: ChannelState): RealtimeEffect[] {
  return entry.channel.kind === 'presence' ? [tell(entry, { type: 'here', members: [...entry.members.values()] })] : [];
}

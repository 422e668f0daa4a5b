import { FIRST_RETRY, planRetry } from '#/backoff.ts';
import type { Step } from '#/engine.ts';
import type { OutboxRow } from '#/store/device-store.ts';
import type { OutboxEffect, OutboxEvent, OutboxState, OutboxTabMessage, RowPut, SendFailure } from './outbox-events.ts';
import { fromRow, type OutboxItem } from './outbox-item.ts';

/** The longest that a server may ask to wait. */
export const LONGEST_RETRY_AFTER_MS = 60_000;

type Next<P, R> = Step<OutboxState<P>, OutboxEffect<P, R>>;
type EventOf<P, R, Type> = Extract<OutboxEvent<P, R>, { readonly type: Type }>;

/** The outbox of a person in a tab that has read nothing yet. */
export function emptyOutbox<Payload>(userId: string): OutboxState<Payload> {
  return {
    userId,
    items: [],
    goneIds: new Set(),
    adding: [],
    writing: [],
    discarding: new Set(),
    busy: new Map(),
    resting: new Set(),
    version: 0,
    read: null,
    opening: [],
    lock: 'free',
    retry: FIRST_RETRY,
    notBefore: 0,
    isStopped: false,
  };
}

/**
 * First in, first out per lane. A temporary failure keeps the item and rests its lane; a final one marks it failed and the
 * later ones go on. One tab sends at a time; an item leaves the device only after its acknowledgement was delivered.
 */
export function reduceOutbox<P, R>(state: OutboxState<P>, event: OutboxEvent<P, R>): Next<P, R> {
  switch (event.type) {
    case 'open':
      return requestRead({ ...state, opening: [...state.opening, event.requestId] });
    case 'add':
      return onAdd(state, event);
    case 'row-added':
    case 'row-not-added':
      return onAddEnded(state, event);
    case 'retry':
      return onRetry(state, event);
    case 'discard':
      return onDiscard(state, event);
    case 'row-discarded':
      return onRowDiscarded(state, event);
    case 'flush':
      return flush(state, event);
    case 'retry-due':
      return state.retry.isPlanned
        ? flush({ ...state, retry: { ...state.retry, isPlanned: false } }, event)
        : step(state);
    case 'stop':
      return onStop(state);
    case 'lock-granted':
      if (state.lock !== 'asked') return step(state);
      return state.isStopped ? release(state) : requestRead({ ...state, lock: 'reading' });
    case 'lock-lost':
      return onLockLost(state, event);
    case 'rows-read':
      return onRowsRead(state, event);
    case 'rows-unreadable':
      return onRowsUnreadable(state, event);
    case 'sent':
      return onSent(state, event);
    case 'send-failed':
      return onSendFailed(state, event);
    case 'delivered':
      return onDelivered(state, event);
    case 'row-removed':
      return onRowRemoved(state, event);
    case 'row-put':
      return onRowPut(state, event);
    case 'tab-message':
      return onTabMessage(state, event.message);
  }
}

// ---- What the person does

function onAdd<P, R>(state: OutboxState<P>, { requestId, item }: EventOf<P, R, 'add'>): Next<P, R> {
  const adding = [...state.adding, { requestId, item }];
  // In the order in which the person pressed send, though storing one may take longer than storing the next.
  return adding.length === 1 ? step({ ...state, adding }, { type: 'add-row', item }) : step({ ...state, adding });
}

function onAddEnded<P, R>(
  state: OutboxState<P>,
  event: EventOf<P, R, 'row-added'> | EventOf<P, R, 'row-not-added'>,
): Next<P, R> {
  const [added, ...adding] = state.adding;
  if (added === undefined) return step(state);
  const [next] = adding;
  const goOn: OutboxEffect<P, R>[] = next === undefined ? [] : [{ type: 'add-row', item: next.item }];
  const rest = { ...state, adding };
  if (event.type === 'row-not-added')
    return step(rest, { type: 'answer', requestId: added.requestId, failure: { error: event.error } }, ...goOn);
  const { clientId } = added.item;
  // Another tab may have seen its row before this one heard that it is there, and may have sent or discarded it.
  const isKnown = state.goneIds.has(clientId) || find(state, clientId) !== undefined;
  const told = then(step<P, R>(isKnown ? rest : put(rest, { ...added.item, order: event.order })), (now) =>
    step(now, ...toTabs<P, R>(now, { type: 'changed' }), ...goOn),
  );
  return then(then(told, want<P, R>), (now) => step(now, done(added.requestId)));
}

function onRetry<P, R>(state: OutboxState<P>, { requestId, clientId }: EventOf<P, R, 'retry'>): Next<P, R> {
  const item = find(state, clientId);
  if (item?.state !== 'failed') return step(state, done(requestId));
  return keep(state, { item: { ...item, state: 'waiting', reason: null, refusal: null }, requestId });
}

function onDiscard<P, R>(state: OutboxState<P>, { requestId, clientId }: EventOf<P, R, 'discard'>): Next<P, R> {
  const item = find(state, clientId);
  if (item === undefined) return step(state, done(requestId));
  const discarding = new Set(state.discarding).add(clientId);
  return step({ ...state, discarding }, { type: 'discard-row', requestId, clientId, order: item.order });
}

function onRowDiscarded<P, R>(
  state: OutboxState<P>,
  { requestId, clientId, failure }: EventOf<P, R, 'row-discarded'>,
): Next<P, R> {
  const ended = { ...state, discarding: without(state.discarding, clientId) };
  const answer = { type: 'answer' as const, requestId, failure };
  if (failure !== null) return then(want<P, R>(ended), (now) => step(now, answer));
  return step(forget(ended, clientId), ...toTabs<P, R>(state, { type: 'discarded', clientId }), answer);
}

function flush<P, R>(state: OutboxState<P>, { now, random }: { now: number; random: number }): Next<P, R> {
  if (state.isStopped) return step(state);
  const waitMs = state.notBefore - now;
  // More than any server may ask for: the device's clock was set back meanwhile.
  if (waitMs > 0 && waitMs <= LONGEST_RETRY_AFTER_MS) return planTry(state, random, waitMs);
  const ready = { ...state, resting: new Set<string>(), retry: { ...state.retry, isPlanned: false } };
  return then(step<P, R>(ready, { type: 'clear-timer' }), want<P, R>);
}

function onStop<P, R>(state: OutboxState<P>): Next<P, R> {
  const stopped = { ...state, isStopped: true, retry: { ...state.retry, isPlanned: false } };
  const told = step<P, R>(stopped, { type: 'clear-timer' }, { type: 'stop-sending' });
  // What is under way keeps the lock until it has ended, so that no other tab overtakes it.
  return state.lock === 'reading' ? then(told, release<P, R>) : told;
}

// ---- The device

function requestRead<P, R>(state: OutboxState<P>): Next<P, R> {
  // The read under way is overtaken by this request; it is repeated when it comes back.
  if (state.read !== null) return step({ ...state, version: state.version + 1 });
  return step({ ...state, read: { version: state.version } }, { type: 'read-rows' });
}

function onRowsRead<P, R>(state: OutboxState<P>, event: EventOf<P, R, 'rows-read'>): Next<P, R> {
  if (state.read === null) return step(state);
  // Something changed here while the device was read: what was read may be older.
  if (state.read.version !== state.version) return requestRead({ ...state, read: null });
  const { opening } = state;
  const read = step<P, R>({ ...takeRows(state, event.rows), read: null, opening: [] }, ...opening.map(done));
  const opened = opening.length > 0 ? then(read, (now) => flush<P, R>(now, event)) : read;
  return then(opened, (now) => want<P, R>(now.lock === 'reading' ? { ...now, lock: 'held' } : now));
}

function takeRows<P>(state: OutboxState<P>, rows: readonly OutboxRow[]): OutboxState<P> {
  const items = rows.flatMap((row) => {
    // Rows of another person are never taken in (A34).
    if (row.userId !== state.userId || state.goneIds.has(row.clientId)) return [];
    const known = find(state, row.clientId);
    if (known !== undefined && state.writing.includes(row.clientId)) return [known];
    const item = fromRow<P>(row);
    return known?.state === 'sending' ? [{ ...item, state: known.state }] : [item];
  });
  const onDevice = new Set(rows.map(({ clientId }) => clientId));
  const goneIds = new Set([...state.goneIds].filter((clientId) => onDevice.has(clientId)));
  return { ...state, items: inOrder(items), goneIds, version: state.version + 1 };
}

function onRowsUnreadable<P, R>(
  state: OutboxState<P>,
  { error, random }: EventOf<P, R, 'rows-unreadable'>,
): Next<P, R> {
  const { opening } = state;
  const told = step<P, R>(
    { ...state, read: null, opening: [] },
    ...opening.map((requestId) => ({ type: 'answer' as const, requestId, failure: { error } })),
  );
  if (state.lock === 'reading')
    return then(then(told, release<P, R>), (now) => tryLater(now, random, 'The outbox could not be sent now', error));
  if (opening.length > 0) return told;
  return then(told, (now) => step(now, { type: 'warn', line: 'The outbox could not be read', error }));
}

/** The item as it is now, here and on the device. */
function keep<P, R>(state: OutboxState<P>, rowPut: RowPut<P>): Next<P, R> {
  const writing = [...state.writing, rowPut.item.clientId];
  return step(put({ ...state, writing }, rowPut.item), { type: 'put-row', put: rowPut });
}

function onRowPut<P, R>(
  state: OutboxState<P>,
  { put: { item, requestId }, failure }: EventOf<P, R, 'row-put'>,
): Next<P, R> {
  const at = state.writing.indexOf(item.clientId);
  const writing = state.writing.filter((_id, index) => index !== at);
  const line = 'What happened to an unsent item could not be kept on this device';
  const told = step<P, R>(
    // A read that began before this was written may not know of it.
    { ...state, writing, version: state.version + 1 },
    ...(failure === null ? [] : [{ type: 'warn' as const, line, error: failure.error }]),
    ...toTabs<P, R>(state, { type: 'changed' }),
  );
  if (requestId === null) return then(told, (now) => endTurn(now, item.lane));
  const awake = then(told, (now) => want<P, R>({ ...now, resting: without(now.resting, item.lane) }));
  return then(awake, (now) => step(now, done(requestId)));
}

// ---- Sending

/** Sends what waits, by this tab if no other one does. */
function want<P, R>(state: OutboxState<P>): Next<P, R> {
  if (state.lock === 'held') return pump(state);
  if (state.isStopped || state.lock !== 'free') return step(state);
  return state.items.some((item) => isReady(state, item))
    ? step({ ...state, lock: 'asked' }, { type: 'take-lock' })
    : step(state);
}

function isReady<P>({ resting, discarding }: OutboxState<P>, { state, lane, clientId }: OutboxItem<P>): boolean {
  return state === 'waiting' && !resting.has(lane) && !discarding.has(clientId);
}

/** Starts every lane that has work, does not rest and is not under way; frees the lock when none is. */
function pump<P, R>(state: OutboxState<P>): Next<P, R> {
  const busy = new Map(state.busy);
  const started: OutboxItem<P>[] = [];
  for (const item of state.isStopped ? [] : state.items) {
    if (!isReady(state, item) || busy.has(item.lane)) continue;
    busy.set(item.lane, item);
    started.push(item);
  }
  if (busy.size === 0) return release(state);
  if (started.length === 0) return step(state);
  const sending = started.reduce<OutboxState<P>>((now, item) => put(now, { ...item, state: 'sending' }), {
    ...state,
    busy,
  });
  return step(sending, ...started.map((item) => ({ type: 'send' as const, item })));
}

function release<P, R>(state: OutboxState<P>): Next<P, R> {
  return step({ ...state, lock: 'free' }, { type: 'release-lock' });
}

/** The lane is done with its item: the next one may go. */
function endTurn<P, R>(state: OutboxState<P>, lane: string): Next<P, R> {
  const busy = new Map(state.busy);
  busy.delete(lane);
  return want({ ...state, busy });
}

function onLockLost<P, R>(state: OutboxState<P>, { error, random }: EventOf<P, R, 'lock-lost'>): Next<P, R> {
  const free: OutboxState<P> = { ...state, lock: 'free' };
  return state.isStopped ? step(free) : tryLater(free, random, 'The outbox could not be sent now', error);
}

function onSent<P, R>(state: OutboxState<P>, event: EventOf<P, R, 'sent'>): Next<P, R> {
  const item = state.busy.get(event.lane);
  if (item?.clientId !== event.clientId) return step(state);
  // Nobody listens any more. The item stays on the device; the server answers its repeat with what it stored.
  if (state.isStopped) return endTurn(state, event.lane);
  const { clientId, kind } = item;
  return step(state, { type: 'deliver', delivery: { clientId, kind, reply: event.reply, item, isOwn: true } });
}

function onDelivered<P, R>(state: OutboxState<P>, { delivery, changes }: EventOf<P, R, 'delivered'>): Next<P, R> {
  const { clientId, kind, reply, item } = delivery;
  const gone = forget(state, clientId);
  if (!delivery.isOwn || item === null) return step(gone);
  // Told before the row is gone, so that no tab sees neither the unsent nor the stored one.
  const told = step<P, R>(gone, ...toTabs<P, R>(gone, { type: 'acknowledged', clientId, kind, reply }));
  const removal: OutboxEffect<P, R> = { type: 'remove-row', removal: { item, changes } };
  // A success of one lane says nothing of those that rest: their retry stays planned.
  return state.resting.size > 0
    ? then(told, (now) => step(now, removal))
    : then(told, (now) => step({ ...now, retry: FIRST_RETRY }, { type: 'clear-timer' }, removal));
}

function onRowRemoved<P, R>(
  state: OutboxState<P>,
  { removal: { item, changes }, failure }: EventOf<P, R, 'row-removed'>,
): Next<P, R> {
  if (failure === null) return endTurn(state, item.lane);
  // Without room for the cache there is still room for less: the removal alone.
  if (changes.length > 0) return step(state, { type: 'remove-row', removal: { item, changes: [] } });
  // Harmless: it is sent once more after the next start, and the server answers with what it stored.
  const line = 'A sent item could not be taken off this device';
  return then(step<P, R>(state, { type: 'warn', line, error: failure.error }), (now) => endTurn(now, item.lane));
}

function onSendFailed<P, R>(
  state: OutboxState<P>,
  { lane, clientId, failure, now, random }: EventOf<P, R, 'send-failed'>,
): Next<P, R> {
  const item = state.busy.get(lane);
  if (item?.clientId !== clientId) return step(state);
  if (state.isStopped) return endTurn(state, lane);
  const rested = failure.isTemporary ? rest<P, R>(state, lane, { failure, now, random }) : step<P, R>(state);
  // Discarded meanwhile, or acknowledged by another tab: there is nothing to keep.
  if (find(state, clientId) === undefined) return then(rested, (after) => endTurn(after, lane));
  const attempts = item.attempts + 1;
  if (failure.isTemporary)
    return then(rested, (after) => keep(after, { item: { ...item, attempts, state: 'waiting' }, requestId: null }));
  const { reason, refusal } = failure;
  const line = `An item of the outbox was refused: ${refusal?.code ?? 'unknown'}`;
  return then(step<P, R>(rested.state, { type: 'warn', line }), (after) =>
    keep(after, { item: { ...item, attempts, state: 'failed', reason, refusal }, requestId: null }),
  );
}

interface RestCause {
  readonly failure: SendFailure;
  readonly now: number;
  readonly random: number;
}

function rest<P, R>(state: OutboxState<P>, lane: string, { failure, now, random }: RestCause): Next<P, R> {
  const resting = new Set(state.resting).add(lane);
  if (failure.retryAfterMs === null) return planTry({ ...state, resting }, random);
  const waitMs = Math.min(failure.retryAfterMs, LONGEST_RETRY_AFTER_MS);
  return planTry({ ...state, resting, notBefore: now + waitMs }, random, waitMs);
}

function planTry<P, R>(state: OutboxState<P>, random: number, atLeastMs = 0): Next<P, R> {
  const plan = planRetry(state.retry, random, atLeastMs);
  return plan === null
    ? step(state)
    : step({ ...state, retry: plan.retry }, { type: 'set-timer', delayMs: plan.delayMs });
}

function tryLater<P, R>(state: OutboxState<P>, random: number, line: string, error: unknown): Next<P, R> {
  return then(step<P, R>(state, { type: 'warn', line, error }), (now) => planTry(now, random));
}

// ---- The other tabs

function onTabMessage<P, R>(state: OutboxState<P>, message: OutboxTabMessage<R>): Next<P, R> {
  if (state.isStopped) return step(state);
  if (message.type === 'discarded') return step(forget(state, message.clientId));
  if (message.type !== 'acknowledged') return requestRead(state);
  const { clientId, kind, reply } = message;
  const item = find(state, clientId) ?? null;
  return step(state, { type: 'deliver', delivery: { clientId, kind, reply, item, isOwn: false } });
}

function toTabs<P, R>(state: OutboxState<P>, message: OutboxTabMessage<R>): OutboxEffect<P, R>[] {
  return state.isStopped ? [] : [{ type: 'tell-tabs', message }];
}

// ---- Small steps

function step<P, R>(state: OutboxState<P>, ...effects: OutboxEffect<P, R>[]): Next<P, R> {
  return { state, effects };
}

function then<P, R>(before: Next<P, R>, next: (state: OutboxState<P>) => Next<P, R>): Next<P, R> {
  const { state, effects } = next(before.state);
  return { state, effects: [...before.effects, ...effects] };
}

function done(requestId: number): { readonly type: 'answer'; readonly requestId: number; readonly failure: null } {
  return { type: 'answer', requestId, failure: null };
}

function find<P>({ items }: OutboxState<P>, clientId: string): OutboxItem<P> | undefined {
  return items.find((item) => item.clientId === clientId);
}

/** Adds the item or replaces the one with its client id. */
function put<P>(state: OutboxState<P>, item: OutboxItem<P>): OutboxState<P> {
  const others = state.items.filter(({ clientId }) => clientId !== item.clientId);
  return { ...state, items: inOrder([...others, item]), version: state.version + 1 };
}

/** Takes it out for good. */
function forget<P>(state: OutboxState<P>, clientId: string): OutboxState<P> {
  const goneIds = new Set(state.goneIds).add(clientId);
  const items =
    find(state, clientId) === undefined ? state.items : state.items.filter((item) => item.clientId !== clientId);
  return { ...state, items, goneIds, version: state.version + 1 };
}

function inOrder<P>(items: readonly OutboxItem<P>[]): readonly OutboxItem<P>[] {
  return items.toSorted((a, b) => a.order - b.order);
}

function without(names: ReadonlySet<string>, name: string): ReadonlySet<string> {
  return new Set([...names].filter((other) => other !== name));
}

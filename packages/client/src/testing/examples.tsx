// The examples of docs/client-package.md: compiled here, quoted there. examples.test.ts compares the two.
import { getUser } from '@wardline/contract/account/auth.ts';
import { channel } from '@wardline/contract/channel.ts';
import { endpoint } from '@wardline/contract/endpoint.ts';
import { Nothing } from '@wardline/contract/values.ts';
import { useEffect, useState } from 'react';
import * as z from 'zod/mini';
import { pageState } from '#/browser/page-state.ts';
import { checkConfig } from '#/check-config.ts';
import { createEmitter } from '#/emitter.ts';
import { ApiError } from '#/http/api-error.ts';
import { type Call, createCall } from '#/http/call.ts';
import type { ClientEvents } from '#/http/call-events.ts';
import { fetchJson } from '#/http/fetch-json.ts';
import { queryDefaults } from '#/http/query-defaults.ts';
import { createLog, type Log } from '#/log.ts';
import type { OverlayControl } from '#/overlays/overlay.ts';
import { createOverlayHistory } from '#/overlays/overlay-history.ts';
import { createOverlays, type Overlays } from '#/overlays/overlays.ts';
import { useOverlayStack } from '#/overlays/use-overlay-stack.ts';
import { createBuildWatch } from '#/pwa/build-watch.ts';
import { createReloadGuard } from '#/pwa/reload-guard.ts';
import { registerServiceWorker, thisPage, type UpdateWatch } from '#/pwa/service-worker.ts';
import { createRealtime, type Realtime } from '#/realtime/realtime.ts';
import { createSession, type Session } from '#/session/session.ts';
import { createToasts } from '#/toasts/toasts.ts';
import { useObservable } from '#/use-observable.ts';

export async function createServices() {
  const log = createLog({ level: 'info' });
  const config = checkConfig(await fetchJson('/config.json'));
  const events = createEmitter<ClientEvents>();
  const socket = { id: (): string | null => null };
  const call = createCall({
    config,
    log,
    onEvent: (name, payload) => events.emit(name, payload),
    socketId: () => socket.id(),
  });
  const session = createSession({ config, call, events, log, online: pageState().online });
  const realtime = createRealtime({ config, call, log });
  socket.id = () => realtime.socketId();
  await session.load();
  return { config, log, events, call, session, realtime };
}

const Shift = z.object({ id: z.string(), ward: z.string(), starts_at: z.string() });

const listShifts = endpoint({
  name: 'listShifts',
  summary: 'The shifts of a ward.',
  method: 'GET',
  path: '/api/wards/{ward}/shifts',
  access: 'signed-in',
  params: z.object({ ward: z.string() }),
  query: z.object({ from: z.optional(z.string()) }),
  body: Nothing,
  status: 200,
  reply: z.object({ data: z.array(Shift) }),
});

export async function showShifts(call: Call, log: Log): Promise<void> {
  try {
    const { data } = await call(listShifts, { params: { ward: 'med-3a' }, query: { from: '2026-11-20' } });
    log.info(`There are ${data.length} shifts`);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // 422 has a sentence for each field; `kind` says whether trying again can help.
    log.warn(error.message, error.kind === 'final' ? error.fieldErrors : 'It can be tried again.');
  }
}

export function SignInButton({ session }: { session: Session }) {
  const state = useObservable(session);
  if (state.status === 'signed-in') {
    return (
      <button type="button" onClick={() => session.signOut()}>
        Sign out {state.user.name}
      </button>
    );
  }
  return (
    <button type="button" onClick={() => session.signIn('ada@ward.test', 'a password', { ownDevice: false })}>
      Sign in
    </button>
  );
}

const exampleChannel = channel({
  kind: 'private',
  pattern: 'ward.{ward}',
  param: 'ward',
  events: { ShiftChanged: Shift },
});

export function useShiftChanges(realtime: Realtime, ward: string): string | null {
  const [changed, setChanged] = useState<string | null>(null);
  useEffect(() => {
    const joined = realtime.join(exampleChannel, ward, {
      events: { ShiftChanged: (shift) => setChanged(shift.id) },
      // After each subscription, also that after a reconnect: read anew what may have been missed.
      onSubscribed: () => setChanged(null),
    });
    return () => joined.leave();
  }, [realtime, ward]);
  return changed;
}

interface ConfirmProps {
  readonly question: string;
  readonly overlay: OverlayControl<boolean>;
}

function Confirm({ question, overlay }: ConfirmProps) {
  // With a leave animation this is called when that has ended.
  useEffect(() => {
    if (!overlay.isOpen) overlay.afterLeave();
  }, [overlay]);
  return (
    <dialog open={overlay.isOpen} onCancel={overlay.dismiss}>
      {question}
      <button type="button" onClick={() => overlay.close(true)}>
        Delete
      </button>
    </dialog>
  );
}

/** Made before the router: the two share one history. */
export function createPageOverlays() {
  const overlays = createOverlays({ history: createOverlayHistory() });
  return { overlays, confirmation: overlays.create(Confirm) };
}

export async function deleteShift(
  { confirmation }: ReturnType<typeof createPageOverlays>,
  remove: () => Promise<void>,
): Promise<void> {
  const isSure = await confirmation.open({ question: 'Delete this shift?' });
  if (isSure === true) await remove();
}

export function OverlayStack({ overlays }: { overlays: Overlays }) {
  return useOverlayStack(overlays).map(({ id, Component, props }) => <Component key={id} {...props} />);
}

const toasts = createToasts();

export function sayDeleted(undo: () => void): void {
  toasts.add({
    title: 'Shift deleted',
    colour: 'success',
    actions: [{ label: 'Undo', altText: 'Undo from the list of deleted shifts', onClick: undo }],
  });
}

export function Toasts() {
  return (
    <ol aria-label={toasts.label} onPointerEnter={toasts.pause} onPointerLeave={toasts.resume}>
      {useObservable(toasts).map((toast) => (
        <li key={toast.id} data-state={toast.open ? 'open' : 'closed'}>
          {toast.title}
        </li>
      ))}
    </ol>
  );
}

export function watchForUpdates(saveDrafts: () => Promise<void>): UpdateWatch | null {
  const place = thisPage();
  if (place === null) return null;
  const updates = registerServiceWorker(place);
  updates.beforeReload(saveDrafts);
  return updates;
}

export function watchBuilds(log: Log, updates: UpdateWatch) {
  const builds = createBuildWatch({
    build: { id: '2026-11-20' },
    intervalMs: 60 * 60 * 1000,
    focus: pageState().focus,
    log,
    onNewBuild: () => void updates.checkNow(),
  });
  const guard = createReloadGuard();
  // To be asked before each navigation: true when the page is loaded in full instead.
  return (path: string): boolean => builds.isOutdated() && guard.reload(path);
}

export function UpdateNotice({ updates }: { updates: UpdateWatch }) {
  const { needRefresh, isPrompting } = useObservable(updates);
  if (!needRefresh) return null;
  return (
    <p>
      New content found, need refresh
      <button type="button" onClick={updates.apply}>
        Refresh
      </button>
      {isPrompting && (
        <button type="button" onClick={updates.cancelPrompt}>
          Cancel
        </button>
      )}
    </p>
  );
}

/** `new QueryClient(queryOptions)`, and this as the `queryFn` of a query. */
export const queryOptions = { defaultOptions: queryDefaults() };
export const userQuery = (call: Call) => ({
  queryKey: ['user'],
  queryFn: ({ signal }: { signal: AbortSignal }) => call(getUser, { signal }),
});

import { pageState } from '@wardline/client/browser/page-state.ts';
import { whenTrue } from '@wardline/client/browser/when-true.ts';
import type { Log } from '@wardline/client/log.ts';
import { createSharedOutbox, type SharedOutbox } from '@wardline/client/outbox/shared-outbox.ts';
import type { Session } from '@wardline/client/session/session.ts';
import type { DeviceStore } from '@wardline/client/store/device-store.ts';
import { type ReactNode, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { noteUnsent } from '#/app/unsent/kept-unsent.ts';
import { registerReports } from '#/features/census/index.ts';
import { MESSAGES } from '#/features/chat/index.ts';
import { registerMoves } from '#/features/examinations/index.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { DeviceContext } from '#/shared/contexts/device-context.ts';

interface DeviceProviderProps {
  readonly session: Session;
  readonly log: Log;
  readonly children: ReactNode;
}

/** Sends the unsent work of the signed-in person while it is mounted, and hands it to the features; nothing for nobody. */
export function DeviceProvider({ session, log, children }: DeviceProviderProps) {
  const store = useSyncExternalStore(session.subscribe, session.store);
  return store === null ? null : (
    <Running store={store} session={session} log={log}>
      {children}
    </Running>
  );
}

function Running({ store, session, log, children }: DeviceProviderProps & { store: DeviceStore }) {
  const call = useCall();
  const device = useMemo(() => {
    const outbox = createSharedOutbox({ store, userId: store.userId, log, firstKind: MESSAGES });
    return { store, outbox };
  }, [store, log]);
  const stopping = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    clearTimeout(stopping.current);
    const end = runOutbox(device.outbox, { session, store, log });
    const census = registerReports({ ...device, session }, call);
    const all = Promise.all([census, registerMoves(device, call)]);
    all.catch((error) => log.warn('Unsent work waits: its code did not load', error));
    return () => {
      end();
      void census.then((stop) => stop()).catch(() => undefined);
      // Not at once: in strict mode React unmounts and mounts again in one go.
      stopping.current = setTimeout(device.outbox.stop);
    };
  }, [device, session, store, log, call]);
  return <DeviceContext value={device}>{children}</DeviceContext>;
}

interface RunOptions extends Pick<DeviceProviderProps, 'log'> {
  readonly session: Pick<Session, 'get' | 'subscribe' | 'store'>;
  readonly store: DeviceStore;
}

/** Sends whenever there is reason to believe that the network is there; ends with the session (A34). Answers the undo. */
export function runOutbox(outbox: SharedOutbox, { session, store, log }: RunOptions): () => void {
  const { online, focus } = pageState();
  const undo = [
    session.subscribe(() => {
      if (session.store() !== store) outbox.stop();
    }),
    whenTrue(online, outbox.flush),
    whenTrue(focus, outbox.flush),
  ];
  let isEnded = false;
  outbox.open().then(
    () => !isEnded && undo.push(noteUnsent(outbox, session)),
    (error) => log.error('The outbox on this device could not be opened', error),
  );
  return () => {
    isEnded = true;
    for (const end of undo) end();
  };
}

import { pageFacts } from '@wardline/client/facts/page-facts.ts';
import type { Log } from '@wardline/client/log.ts';
import type { Realtime } from '@wardline/client/realtime/realtime.ts';
import type { Session } from '@wardline/client/session/session.ts';
import type { DeviceStore } from '@wardline/client/store/device-store.ts';
import { createContext, type ReactNode, use, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { useCall } from '#/page/call-context.ts';
import { type ChatRuntime, createChatRuntime } from './chat-runtime.ts';

const ChatRuntimeContext = createContext<ChatRuntime | null>(null);

interface ChatRuntimeProviderProps {
  readonly session: Session;
  readonly realtime: Realtime;
  readonly log: Log;
  readonly children: ReactNode;
}

/** Runs the chats of the signed-in person while it is mounted, and hands them to the screens; nothing for nobody. */
export function ChatRuntimeProvider({ children, ...parts }: ChatRuntimeProviderProps) {
  const store = useSyncExternalStore(parts.session.subscribe, parts.session.store);
  return store === null ? null : (
    <Running store={store} {...parts}>
      {children}
    </Running>
  );
}

function Running({ store, session, realtime, log, children }: ChatRuntimeProviderProps & { store: DeviceStore }) {
  const call = useCall();
  const runtime = useMemo(
    () => createChatRuntime({ session, store, realtime, log, call, ...pageFacts() }),
    [session, store, realtime, log, call],
  );
  const stopping = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    clearTimeout(stopping.current);
    void runtime.start();
    return () => {
      // Not at once: in strict mode React unmounts and mounts again in one go.
      stopping.current = setTimeout(() => runtime.stop());
    };
  }, [runtime]);
  return <ChatRuntimeContext value={runtime}>{children}</ChatRuntimeContext>;
}

export function useChatRuntime(): ChatRuntime {
  const runtime = use(ChatRuntimeContext);
  if (runtime === null) throw new Error('There is no chat runtime around this component.');
  return runtime;
}

import { useRouter } from '@tanstack/react-router';
import { pageState } from '@wardline/client/browser/page-state.ts';
import type { Log } from '@wardline/client/log.ts';
import type { Realtime } from '@wardline/client/realtime/realtime.ts';
import type { Session } from '@wardline/client/session/session.ts';
import type { Chat } from '@wardline/contract/chat/chat.ts';
import { createContext, type ReactNode, use, useEffect, useMemo, useRef } from 'react';
import { followOrigin } from '#/features/chat/core/chat-origin.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useDevice } from '#/shared/contexts/device-context.ts';
import { type ChatRuntime, createChatRuntime } from './chat-runtime.ts';

/** Screens ask by `useChatRuntime`; tests put a runtime of their own here. */
export const ChatRuntimeContext = createContext<ChatRuntime | null>(null);

interface ChatRuntimeProviderProps {
  readonly session: Session;
  readonly realtime: Realtime;
  readonly log: Log;
  readonly children: ReactNode;
}

/** Runs the chats of the signed-in person while it is mounted, and hands them to the screens. */
export function ChatRuntimeProvider({ session, realtime, log, children }: ChatRuntimeProviderProps) {
  const { store, outbox } = useDevice();
  const call = useCall();
  const router = useRouter();
  const runtime = useMemo(() => {
    const say = async (chat: Chat) => {
      const now = session.get();
      if (now.status !== 'signed-in') return;
      const { sayAdded } = await import('./say-added.ts');
      await sayAdded(chat, { me: now.user, router });
    };
    // It stands in the list all the same, should the words for it not load.
    const onAdded = (chat: Chat) => void say(chat).catch(() => undefined);
    return createChatRuntime({ session, store, unsent: outbox, realtime, log, call, onAdded, ...pageState() });
  }, [session, store, outbox, realtime, log, call, router]);
  const stopping = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    clearTimeout(stopping.current);
    void runtime.start();
    return () => {
      // Not at once: in strict mode React unmounts and mounts again in one go.
      stopping.current = setTimeout(() => runtime.stop());
    };
  }, [runtime]);
  useEffect(() => followOrigin(router), [router]);
  return <ChatRuntimeContext value={runtime}>{children}</ChatRuntimeContext>;
}

export function useChatRuntime(): ChatRuntime {
  const runtime = use(ChatRuntimeContext);
  if (runtime === null) throw new Error('There is no chat runtime around this component.');
  return runtime;
}

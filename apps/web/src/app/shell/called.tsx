import { useLocation, useRouter } from '@tanstack/react-router';
import { tabLock } from '@wardline/client/browser/tab-lock.ts';
import { userChannel } from '@wardline/contract/chat/chat.ts';
import { getNotificationSettings, openNotification } from '@wardline/contract/chat/notifications.ts';
import { listUrgent } from '@wardline/contract/chat/urgent-acts.ts';
import { useEffect, useState } from 'react';
import { useServices } from '#/app/services/services-context.ts';
import { useUser } from '#/features/auth/index.ts';
import { linkToMessage, useChats } from '#/features/chat/index.ts';
import {
  clearDevicePush,
  createSounder,
  playTones,
  renewDevicePush,
  type Sounder,
  unlockTones,
} from '#/features/notifications/index.ts';
import { useRealtime } from '#/shared/contexts/realtime-context.ts';
import { showToast } from '#/shared/contexts/show-toast.ts';

const gestures = ['pointerdown', 'keydown'] as const;

/** What goes on while somebody is signed in so that they are called: the page's sound, this device, a pressed notification. */
export function Called() {
  useDevicePush();
  usePressedNotification();
  useSounder();
  return null;
}

/** Tells the server again where it calls this device, and ends that with a sign-out. */
function useDevicePush(): void {
  const { call, session, log } = useServices();
  const { id } = useUser();
  useEffect(() => {
    const renew = () =>
      void renewDevicePush({ call, userId: id }).catch((error) => log.warn('Push was not renewed', error));
    const onWord = ({ data }: MessageEvent) => data?.type === 'push-changed' && renew();
    renew();
    navigator.serviceWorker?.addEventListener('message', onWord);
    const undo = session.subscribe(() => {
      const state = session.get();
      const isOver = state.status === 'signed-out' && (state.reason === 'signed-out' || state.reason === 'elsewhere');
      if (isOver) void clearDevicePush().catch(() => undefined);
    });
    return () => {
      navigator.serviceWorker?.removeEventListener('message', onWord);
      undo();
    };
  }, [call, session, log, id]);
}

/** A notification knows only its id; which chat it is about is asked for by who may read it. */
function usePressedNotification(): void {
  const { call } = useServices();
  const router = useRouter();
  const pressed = useLocation({ select: ({ searchStr }) => new URLSearchParams(searchStr).get('notification') });
  useEffect(() => {
    if (pressed === null) return;
    const go = (href: string) => void router.navigate({ href, replace: true });
    call(openNotification, { params: { notification: pressed } }).then(
      ({ chat_id, facility_id, seq }) => go(linkToMessage({ id: chat_id, facility_id }, seq)),
      () => {
        go('/chats');
        showToast({ title: 'That message is no longer here for you.' }).catch(() => undefined);
      },
    );
  }, [call, router, pressed]);
}

/** One tab of the browser sounds: the first in which somebody has pressed something. */
function useSounder(): void {
  const { call } = useServices();
  const realtime = useRealtime();
  const { id } = useUser();
  const { items, status } = useChats();
  const [sounder, setSounder] = useState<Sounder | null>(null);
  useEffect(() => {
    const closed = new AbortController();
    let isMine = false;
    const hold = async () => {
      isMine = true;
      await new Promise((resolve) => closed.signal.addEventListener('abort', resolve));
    };
    const onGesture = () => {
      // Once the press is painted: to open the sound may take the page a while, and browsers allow it for a second after a press.
      setTimeout(unlockTones, 100);
      for (const name of gestures) window.removeEventListener(name, onGesture);
      void tabLock()('wardline-sound', closed.signal, hold).catch(() => undefined);
    };
    for (const name of gestures) window.addEventListener(name, onGesture, { passive: true });
    const made = createSounder({
      myId: id,
      loadSettings: () => call(getNotificationSettings),
      isMine: () => isMine,
      play: playTones,
      isWaiting: async (messageId) => {
        const { data, next_cursor } = await call(listUrgent, { query: { of: 'me' } });
        const waits = data.some(({ message_id, waits_for }) => message_id === messageId && waits_for === 'accept');
        // Who has more than a page of them is called on.
        return waits || next_cursor !== null;
      },
    });
    setSounder(made);
    return () => {
      closed.abort();
      made.stop();
      for (const name of gestures) window.removeEventListener(name, onGesture);
    };
  }, [call, id]);
  useEffect(() => {
    const joined = realtime?.join(userChannel, id, {
      events: {
        UrgentCalled: ({ chat_id, message_id }) => sounder?.onUrgent({ chatId: chat_id, messageId: message_id }),
      },
    });
    return () => joined?.leave();
  }, [realtime, id, sounder]);
  useEffect(() => {
    if (status === 'ready') sounder?.onChats(items.map(({ chat }) => chat));
  }, [sounder, items, status]);
}

import { type AnyRouter, useLocation, useRouter } from '@tanstack/react-router';
import type { Back } from '@wardline/ui/frame/top-bar.tsx';
import { facilityPath } from './chat-paths.ts';

const KEY = 'wardline-chat-origin';
/** A chat, or what stands beside it. */
const IN_CHAT = /^\/chat\/f-[^/]+\/./;
const IN_CHATS = /^\/chats?\b/;

/** The page from which this tab went into chats, and its place in the tab's history. */
interface Origin {
  readonly href: string;
  readonly index: number;
}

/** Remembers, for as long as somebody is signed in, from which page a chat was opened (NAV-9). */
export function followOrigin(router: AnyRouter): () => void {
  const undo = router.subscribe('onBeforeNavigate', ({ fromLocation: from, toLocation: to }) => {
    if (!from || IN_CHAT.test(from.pathname) || !IN_CHAT.test(to.pathname)) return;
    const index = from.state.__TSR_index;
    // Who goes back to a chat came from elsewhere, before.
    if (to.state.__TSR_index > index) keep({ href: from.href, index });
  });
  return () => {
    undo();
    keep(null);
  };
}

/** The arrow of a chat: to where one came from, the entry of the history itself; else to the facility's chats. */
export function useBackToChats(facilityId: string): Back {
  const { history } = useRouter();
  const here = useLocation({ select: ({ state }) => state.__TSR_index });
  const origin = read();
  if (origin === null || origin.index >= here) return { href: facilityPath(facilityId), label: 'Back to chats' };
  return {
    href: origin.href,
    label: IN_CHATS.test(origin.href) ? 'Back to chats' : 'Back',
    onClick(event) {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      history.go(origin.index - history.location.state.__TSR_index);
    },
  };
}

function read(): Origin | null {
  try {
    const { href, index } = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') ?? {};
    return typeof href === 'string' && typeof index === 'number' ? { href, index } : null;
  } catch {
    return null;
  }
}

function keep(origin: Origin | null): void {
  try {
    if (origin === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(origin));
  } catch {
    // Without it the arrow leads to the facility's chats.
  }
}

import type { ReloadGuard } from '@wardline/client/pwa/reload-guard.ts';
import { describe, expect, it } from 'vitest';
import { reloadOnLostChunk } from './lost-chunk.ts';

function world(status: 'pending' | 'idle') {
  const events = new EventTarget();
  const reloaded: string[] = [];
  const guard: ReloadGuard = { reload: (path) => reloaded.push(path) > 0 };
  const router = { state: { status }, latestLocation: { href: '/chats?x=1#h' } };
  const notes: string[] = [];
  const storage = () => ({ setItem: (key: string) => void notes.push(key) });
  reloadOnLostChunk(router as never, { guard, events, storage });
  const lose = (message: string) => {
    const event = Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload: new Error(message) });
    events.dispatchEvent(event);
    return event;
  };
  return { reloaded, notes, lose };
}

describe('PWA-6 a chunk that is gone', () => {
  it('PWA-6 during a navigation loads its target in full', () => {
    const { reloaded, lose } = world('pending');
    const event = lose('Failed to fetch dynamically imported module: /assets/chats.js');
    expect(reloaded).toEqual(['/chats?x=1#h']);
    expect(event.defaultPrevented).toBe(false);
  });

  it('PWA-6 is not reloaded for by the router as well, which keeps no pause', () => {
    const { notes, lose } = world('pending');
    lose('Failed to fetch dynamically imported module: /assets/chats.js');
    // The key that lazyRouteComponent of the router looks for.
    expect(notes).toEqual(['tanstack_router_reload:Failed to fetch dynamically imported module: /assets/chats.js']);
  });

  it('PWA-6 of a part of a page that stands reloads nothing', () => {
    const { reloaded, lose } = world('idle');
    lose('Failed to fetch dynamically imported module: /assets/new-chat-dialog.js');
    expect(reloaded).toEqual([]);
  });

  it('PWA-6 a style sheet that is gone does not keep the page away', () => {
    const { reloaded, lose } = world('pending');
    expect(lose('Unable to preload CSS for /assets/chat.css').defaultPrevented).toBe(true);
    expect(reloaded).toEqual([]);
  });
});

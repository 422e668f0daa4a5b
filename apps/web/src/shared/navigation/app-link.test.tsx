// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { AppLink } from './app-link.tsx';

const router = vi.hoisted(() => ({ current: { preloadRoute: vi.fn(), navigate: vi.fn() } }));
vi.mock('@tanstack/react-router', () => ({ useRouter: () => router.current }));

let seen: ((visible: Element[]) => void) | null;
beforeEach(() => {
  seen = null;
  router.current = { preloadRoute: vi.fn(async () => undefined), navigate: vi.fn() };
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(tell: (entries: unknown[]) => void) {
        seen = (elements) => tell(elements.map((target) => ({ target, isIntersecting: true })));
      }
      observe() {}
      unobserve() {}
    },
  );
  vi.stubGlobal('requestIdleCallback', (work: () => void) => work());
});

const link = () => screen.getByRole('link');

describe('PRE-1 links', () => {
  it('PRE-1 fetch their page when the pointer comes, once', async () => {
    render(<AppLink href="/chats">Chats</AppLink>);
    expect(router.current.preloadRoute).not.toHaveBeenCalled();
    fireEvent.pointerEnter(link());
    fireEvent.focus(link());
    await vi.waitFor(() => expect(router.current.preloadRoute).toHaveBeenCalled());
    expect(router.current.preloadRoute.mock.calls).toEqual([[{ to: '/chats' }]]);
  });

  it('PRE-1 fetch their page when they come into view', async () => {
    render(<AppLink href="/census">Census</AppLink>);
    await vi.waitFor(() => expect(seen).not.toBeNull());
    seen?.([link()]);
    expect(router.current.preloadRoute.mock.calls).toEqual([[{ to: '/census' }]]);
  });

  it('PRE-1 fetch nothing that is not a page of this site or opens elsewhere', async () => {
    render(
      <AppLink href="https://example.org/x" target="_blank">
        Elsewhere
      </AppLink>,
    );
    fireEvent.pointerEnter(link());
    await import('./preload-pages.ts');
    expect(router.current.preloadRoute).not.toHaveBeenCalled();
  });
});

describe('NAV-9 links', () => {
  it('NAV-9 navigate with a plain click and leave every other click to the browser', () => {
    render(<AppLink href="/chats">Chats</AppLink>);
    for (const modifier of ['ctrlKey', 'metaKey', 'shiftKey', 'altKey']) {
      expect(fireEvent.click(link(), { [modifier]: true })).toBe(true);
    }
    expect(router.current.navigate).not.toHaveBeenCalled();
    expect(fireEvent.click(link())).toBe(false);
    expect(router.current.navigate).toHaveBeenCalledWith({ href: '/chats' });
  });

  it('hand their element on to whoever asks for it', () => {
    const ref = vi.fn();
    render(
      <AppLink href="/chats" ref={ref}>
        Chats
      </AppLink>,
    );
    expect(ref).toHaveBeenCalledWith(link());
    expect(ref).toHaveBeenCalledTimes(1);
  });
});

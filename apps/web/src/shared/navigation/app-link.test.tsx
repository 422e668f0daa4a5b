// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { AppLink } from './app-link.tsx';

const preloadRoute = vi.fn(async () => undefined);
function show(link: ReactNode) {
  const app = createFakeApp();
  Object.assign(app.router, { preloadRoute });
  app.draw(link);
  return app;
}

let seen: ((visible: Element[]) => void) | null;
beforeEach(() => {
  seen = null;
  preloadRoute.mockClear();
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
    show(<AppLink href="/chats">Chats</AppLink>);
    expect(preloadRoute).not.toHaveBeenCalled();
    fireEvent.pointerEnter(link());
    fireEvent.focus(link());
    await vi.waitFor(() => expect(preloadRoute).toHaveBeenCalled());
    expect(preloadRoute.mock.calls).toEqual([[{ to: '/chats' }]]);
  });

  it('PRE-1 fetch their page when they come into view', async () => {
    show(<AppLink href="/census">Census</AppLink>);
    await vi.waitFor(() => expect(seen).not.toBeNull());
    seen?.([link()]);
    expect(preloadRoute.mock.calls).toEqual([[{ to: '/census' }]]);
  });

  it('PRE-1 fetch nothing that is not a page of this site or opens elsewhere', async () => {
    show(
      <AppLink href="https://example.org/x" target="_blank">
        Elsewhere
      </AppLink>,
    );
    fireEvent.pointerEnter(link());
    await import('./preload-pages.ts');
    expect(preloadRoute).not.toHaveBeenCalled();
  });
});

describe('NAV-9 links', () => {
  it('NAV-9 navigate with a plain click and leave every other click to the browser', () => {
    const { navigate } = show(<AppLink href="/chats">Chats</AppLink>);
    for (const modifier of ['ctrlKey', 'metaKey', 'shiftKey', 'altKey']) {
      expect(fireEvent.click(link(), { [modifier]: true })).toBe(true);
    }
    expect(navigate).not.toHaveBeenCalled();
    expect(fireEvent.click(link())).toBe(false);
    expect(navigate).toHaveBeenCalledWith({ href: '/chats' });
  });

  it.each(['#members', 'https://example.org/x', 'mailto:ward@example.org'])(
    'NAV-9 leave what is no page of this site to the browser: %s',
    (href) => {
      const { navigate } = show(<AppLink href={href}>There</AppLink>);
      // Else the test's window would go there.
      window.addEventListener('click', (event) => event.preventDefault(), { once: true });
      fireEvent.click(link());
      expect(navigate).not.toHaveBeenCalled();
    },
  );

  it('hand their element on to whoever asks for it', () => {
    const ref = vi.fn();
    show(
      <AppLink href="/chats" ref={ref}>
        Chats
      </AppLink>,
    );
    expect(ref).toHaveBeenCalledWith(link());
    expect(ref).toHaveBeenCalledTimes(1);
  });
});

import { type AnyRouter, useRouter } from '@tanstack/react-router';
import type { LinkProps } from '@wardline/ui/link/link.tsx';
import { type MouseEvent, useCallback, useEffect, useRef } from 'react';
import type { PagePreload } from './preload-pages.ts';

/** The queue comes after the page itself: nothing that is on the screen waits for it. */
async function preloadOf(router: AnyRouter): Promise<PagePreload | null> {
  try {
    const { pagePreload } = await import('./preload-pages.ts');
    return pagePreload(router);
  } catch {
    // Without it a page is fetched when its link is pressed.
    return null;
  }
}

/** The kit's link through the router: a plain click on a page of this site navigates, everything else is left to the browser. */
export function AppLink({ href, onClick, onPointerEnter, onFocus, target, ref, ...rest }: LinkProps) {
  const router = useRouter();
  const own = useRef<HTMLAnchorElement>(null);
  const isPage = href.startsWith('/') && (target === undefined || target === '_self');
  const preload = () => {
    if (isPage) void preloadOf(router).then((pages) => pages?.request(href));
  };
  useEffect(() => {
    const link = own.current;
    if (!isPage || !link) return;
    let unwatch: (() => void) | null | undefined = null;
    let isGone = false;
    void preloadOf(router).then((pages) => {
      if (!isGone) unwatch = pages?.watch(link, () => pages.request(href));
    });
    return () => {
      isGone = true;
      unwatch?.();
    };
  }, [router, href, isPage]);
  const attach = useCallback(
    (element: HTMLAnchorElement | null) => {
      own.current = element;
      return pass(ref, element);
    },
    [ref],
  );
  return (
    <a
      {...rest}
      ref={attach}
      href={href}
      {...(target === undefined ? {} : { target })}
      onPointerEnter={(event) => {
        onPointerEnter?.(event);
        preload();
      }}
      onFocus={(event) => {
        onFocus?.(event);
        preload();
      }}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || !isPage || !isPlain(event)) return;
        event.preventDefault();
        void router.navigate({ href });
      }}
    />
  );
}

/** Hands an element on to whoever asked for it too. */
function pass(ref: LinkProps['ref'], element: HTMLAnchorElement | null) {
  if (typeof ref === 'function') return ref(element);
  if (ref) ref.current = element;
  return undefined;
}

function isPlain(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}

import { type AnyRouter, useRouter } from '@tanstack/react-router';
import { type ConnectionState, createPreloadQueue, type PreloadQueue } from '@wardline/client/browser/preload-queue.ts';
import { createVisibilityWatch, type VisibilityWatch } from '@wardline/client/browser/when-visible.ts';
import type { LinkProps } from '@wardline/ui/link/link.tsx';
import { type MouseEvent, useCallback, useEffect, useRef } from 'react';

interface PagePreload extends PreloadQueue, VisibilityWatch {}

const ofRouter = new WeakMap<AnyRouter, PagePreload>();

/** Fetches the code of pages ahead, one queue for all links of a router (PRE-1). Guards run, so a guarded page's code stays away. */
function preloadOf(router: AnyRouter): PagePreload {
  const known = ofRouter.get(router);
  if (known) return known;
  const connection = (globalThis.navigator as { connection?: ConnectionState } | undefined)?.connection;
  const queue = createPreloadQueue({ connection, load: (path) => router.preloadRoute({ to: path }) });
  const made = { ...queue, ...createVisibilityWatch() };
  ofRouter.set(router, made);
  return made;
}

/** The kit's link through the router: a plain click navigates, everything else is left to the browser. */
export function AppLink({ href, onClick, onPointerEnter, onFocus, target, ref, ...rest }: LinkProps) {
  const router = useRouter();
  const own = useRef<HTMLAnchorElement>(null);
  const isPage = href.startsWith('/') && (target === undefined || target === '_self');
  const preload = () => {
    if (isPage) preloadOf(router).request(href);
  };
  useEffect(() => {
    if (!isPage || !own.current) return;
    const pages = preloadOf(router);
    return pages.watch(own.current, () => pages.request(href));
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
        if (event.defaultPrevented || !isPlain(event) || (target && target !== '_self')) return;
        event.preventDefault();
        void router.navigate({ href: href });
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

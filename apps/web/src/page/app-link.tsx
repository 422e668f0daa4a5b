import { useRouter } from '@tanstack/react-router';
import type { LinkProps } from '@wardline/ui/link/link.tsx';
import type { MouseEvent } from 'react';

/** The kit's link through the router: a plain click navigates, everything else is left to the browser. */
export function AppLink({ href, onClick, onPointerEnter, onFocus, target, ...rest }: LinkProps) {
  const router = useRouter();
  const preload = () => void router.preloadRoute({ to: href }).catch(() => undefined);
  return (
    <a
      {...rest}
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

function isPlain(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}

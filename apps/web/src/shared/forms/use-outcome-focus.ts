import { type RefObject, useEffect, useRef } from 'react';
import { isFocusFree } from '#/shared/navigation/is-focus-free.ts';

interface OutcomeFocus {
  /** What was said already when the page was drawn; nothing by default. */
  readonly known?: string | null;
  /** Where the focus goes once there is nothing to be said any more. */
  readonly onSettled?: () => void;
}

/** For the place of an outcome: where it took away what had the focus, it gets it, and is in view. Null: no outcome. */
export function useOutcomeFocus<Place extends HTMLElement>(
  outcome: string | null,
  { known = null, onSettled }: OutcomeFocus = {},
): RefObject<Place | null> {
  const place = useRef<Place>(null);
  const said = useRef(known);
  useEffect(() => {
    if (said.current === outcome) return;
    said.current = outcome;
    if (!isFocusFree()) return;
    if (outcome === null) onSettled?.();
    else place.current?.focus();
  }, [outcome, onSettled]);
  return place;
}

import { type RefObject, useEffect, useEffectEvent } from 'react';

export type Attention = { onPause: () => void; onResume: () => void };

/**
 * Tells when somebody turns to the region (pointer over it, focus in it) or leaves the window, and when that ends. Each
 * is told once. A pointer that leaves is noticed by where it goes, because a toast that vanishes under it leaves no event.
 */
export function useAttention(region: RefObject<HTMLElement | null>, isActive: boolean, attention: Attention): void {
  const pause = useEffectEvent(() => attention.onPause());
  const resume = useEffectEvent(() => attention.onResume());

  useEffect(() => {
    if (!isActive) return;
    const holds = (target: EventTarget | null) => target instanceof Node && region.current?.contains(target) === true;
    const state = { isOver: false, hasFocus: holds(document.activeElement), isAway: false };
    let isPaused = false;

    const say = (changed: Partial<typeof state>) => {
      Object.assign(state, changed);
      const isWanted = state.isOver || state.hasFocus || state.isAway;
      if (isWanted === isPaused) return;
      isPaused = isWanted;
      if (isPaused) pause();
      else resume();
    };

    const listeners = new AbortController();
    const { signal } = listeners;
    document.addEventListener('pointermove', ({ target }) => say({ isOver: holds(target) }), { signal });
    document.addEventListener('pointerdown', ({ target }) => say({ isOver: holds(target) }), { signal });
    document.addEventListener('pointerup', (event) => event.pointerType === 'touch' && say({ isOver: false }), {
      signal,
    });
    document.addEventListener('pointercancel', () => say({ isOver: false }), { signal });
    document.documentElement.addEventListener('pointerleave', () => say({ isOver: false }), { signal });
    document.addEventListener('focusin', ({ target }) => say({ hasFocus: holds(target) }), { signal });
    document.addEventListener('focusout', ({ relatedTarget }) => say({ hasFocus: holds(relatedTarget) }), { signal });
    window.addEventListener('blur', () => say({ isAway: true }), { signal });
    window.addEventListener('focus', () => say({ isAway: false }), { signal });
    say({});

    return () => {
      listeners.abort();
      if (isPaused) resume();
    };
  }, [isActive, region]);
}

/** Gives the focus back to where it was before it came into the region, when the region empties with the focus in it. */
export function useFocusBack(region: RefObject<HTMLElement | null>, isActive: boolean): void {
  useEffect(() => {
    if (!isActive) return;
    let before: HTMLElement | undefined;
    const onFocusIn = ({ relatedTarget, target }: FocusEvent) => {
      if (!(target instanceof Node) || !region.current?.contains(target)) return;
      if (relatedTarget instanceof HTMLElement && !region.current.contains(relatedTarget)) before = relatedTarget;
    };
    document.addEventListener('focusin', onFocusIn);
    return () => {
      document.removeEventListener('focusin', onFocusIn);
      const hasFocus = region.current?.contains(document.activeElement) === true;
      if (hasFocus && before?.isConnected) before.focus();
    };
  }, [isActive, region]);
}

import { useEffect } from 'react';

const HANDS_ON = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** Keeps the part that the address names in its place while what stands above it is still loading, until a person moves. */
export function useHoldSection(id: string): void {
  useEffect(() => {
    const section = id === '' ? null : document.getElementById(id);
    if (!section?.parentElement) return;
    const observer = new ResizeObserver(() => section.scrollIntoView());
    const release = () => {
      observer.disconnect();
      for (const name of HANDS_ON) window.removeEventListener(name, release);
    };
    observer.observe(section.parentElement);
    for (const name of HANDS_ON) window.addEventListener(name, release, { passive: true });
    return release;
  }, [id]);
}

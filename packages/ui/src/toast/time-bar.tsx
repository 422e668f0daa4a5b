import { useEffect, useRef } from 'react';
import type { ToastView } from '#/toast/toast-view.ts';

const STILL = '(prefers-reduced-motion: reduce)';

/** The line at a toast's foot that runs down with its time. With reduced motion it stands still. */
export function TimeBar({ toast }: { toast: ToastView }) {
  const line = useRef<HTMLSpanElement>(null);
  const { duration, remainingMs, isPaused } = toast;
  useEffect(() => {
    const draw = () => {
      const left = Math.min(1, Math.max(0, (remainingMs() ?? duration) / duration));
      if (line.current) line.current.style.transform = `scaleX(${left})`;
    };
    if (globalThis.matchMedia?.(STILL).matches) return;
    draw();
    if (isPaused) return;
    let frame = requestAnimationFrame(function run() {
      draw();
      frame = requestAnimationFrame(run);
    });
    return () => cancelAnimationFrame(frame);
  }, [duration, remainingMs, isPaused]);
  return (
    <span className="toast-time" aria-hidden="true">
      <span ref={line} />
    </span>
  );
}

import type { Toasts } from '@wardline/client/toasts/toasts.ts';
import { useObservable } from '@wardline/client/use-observable.ts';
import { Toaster } from '@wardline/ui/toast/toaster.tsx';
import type { LucideIcon } from 'lucide-react';

/** The page's toasts, drawn by the kit. The clocks stay with the toasts; the kit says when somebody reads. */
export function ToastPlace({ toasts }: { toasts: Toasts<LucideIcon> }) {
  const shown = useObservable(toasts);
  const isPaused = useObservable(toasts.isPaused);
  return (
    <Toaster
      label={toasts.label}
      toasts={shown.map(({ colour, ...toast }) => ({
        ...toast,
        color: colour,
        isPaused,
        remainingMs: () => toasts.remaining(toast.id),
      }))}
      onClose={toasts.close}
      onPause={toasts.pause}
      onResume={toasts.resume}
    />
  );
}

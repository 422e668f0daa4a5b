import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { PanelFailure } from './panel-failure.tsx';

/** SHELL-4: what broke inside the panel of a route, with the way to try again; the rest of the page lives. */
export function PanelError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return <PanelFailure error={error} onRetry={retry} />;
}

import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';

interface PanelFailureProps {
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** What stands in the place of a panel that broke. */
export function PanelFailure({ error, onRetry }: PanelFailureProps) {
  return (
    <ErrorState
      title="This part of the page failed"
      message={error instanceof Error ? error.message : String(error)}
      onRetry={onRetry}
    />
  );
}

/** SHELL-4: what broke inside the panel of a route, with the way to try again; the rest of the page lives. */
export function PanelError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return <PanelFailure error={error} onRetry={retry} />;
}

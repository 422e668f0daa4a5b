import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';

/** SHELL-4: what broke inside one panel, with the way to try again; the rest of the page lives. */
export function PanelError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <ErrorState
      title="This part of the page broke"
      message={error instanceof Error ? error.message : String(error)}
      onRetry={retry}
    />
  );
}

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

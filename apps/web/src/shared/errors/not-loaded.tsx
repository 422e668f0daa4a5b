import { Button } from '@wardline/ui/button/button.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { CloudOff } from 'lucide-react';
import { formatFailure } from './format-error.ts';

interface NotLoadedProps {
  /** What did not load. */
  readonly title: string;
  readonly error: unknown;
  readonly onRetry: () => unknown;
}

/** In the place of what could not be asked for, with why and the way to ask again. */
export function NotLoaded({ title, error, onRetry }: NotLoadedProps) {
  return (
    <EmptyState
      icon={CloudOff}
      title={title}
      action={
        <Button variant="outline" color="neutral" onClick={() => void onRetry()}>
          Try again
        </Button>
      }
    >
      {formatFailure(error)}
    </EmptyState>
  );
}

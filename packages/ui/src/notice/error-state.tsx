import { RefreshCw, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#/button/button.tsx';
import { Icon } from '#/icon/icon.tsx';

export type ErrorStateProps = {
  /** What happened. */
  title: ReactNode;
  level?: 2 | 3 | undefined;
  /** Why, what was kept, what to do. */
  message?: ReactNode;
  onRetry?: (() => void) | undefined;
  retryLabel?: string | undefined;
  isRetrying?: boolean | undefined;
  /** In small fixed type under it, the number of the request for instance. */
  detail?: ReactNode;
};

/** A panel that failed, with the way to try again; the rest of the page lives. */
export function ErrorState(props: ErrorStateProps) {
  const { title, level = 2, message, onRetry, retryLabel = 'Retry', isRetrying, detail } = props;
  const Heading = `h${level}` as const;
  return (
    <div className="empty" role="alert">
      <Icon of={TriangleAlert} size="xl" />
      <Heading>{title}</Heading>
      {message !== undefined && <p>{message}</p>}
      {onRetry && (
        <Button variant="outline" color="neutral" icon={RefreshCw} isLoading={isRetrying} onClick={() => onRetry()}>
          {retryLabel}
        </Button>
      )}
      {detail !== undefined && <span className="mono">{detail}</span>}
    </div>
  );
}

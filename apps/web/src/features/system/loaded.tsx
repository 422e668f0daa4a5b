import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { CloudOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatAction } from '#/shared/forms/form-errors.ts';

interface LoadedProps<Data> {
  readonly of: {
    readonly data: Data | undefined;
    readonly isError: boolean;
    readonly error: unknown;
    readonly fetchStatus: string;
    readonly refetch: () => unknown;
  };
  /** What is said where it did not load, and while it loads. */
  readonly failed: string;
  readonly loading: string;
  readonly children: (data: Data) => ReactNode;
}

/** What a query gave, or what stands in its place. */
export function Loaded<Data>({ of: query, failed, loading, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.fetchStatus === 'paused')
    return <EmptyState icon={CloudOff} level={3} title="Available when you’re online" />;
  if (!query.isError) return <Skeleton count={4} label={loading} />;
  return (
    <ErrorState level={3} title={failed} message={formatAction(query.error)} onRetry={() => void query.refetch()} />
  );
}

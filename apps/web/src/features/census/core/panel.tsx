import { Card } from '@wardline/ui/card/card.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton, type SkeletonProps } from '@wardline/ui/skeleton/skeleton.tsx';
import { CloudOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatFailure } from '#/shared/errors/format-error.ts';

interface PanelQuery<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  readonly isPending: boolean;
  readonly isFetching: boolean;
  readonly fetchStatus: 'fetching' | 'paused' | 'idle';
  readonly refetch: () => Promise<unknown>;
}

interface PanelProps<Data> {
  readonly query: PanelQuery<Data>;
  /** What it shows, in a sentence: 'the forecast'. */
  readonly what: string;
  /** In a card already. */
  readonly isBare?: boolean;
  /** The shape of what comes. */
  readonly shape?: SkeletonProps['shape'];
  readonly children: (data: Data) => ReactNode;
}

/** A part of the page that asks for itself: what was loaded once stays, what failed is said here and nowhere else. */
export function Panel<Data>({ query, what, isBare = false, shape = 'text', children }: PanelProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  const state = <Absence query={query} what={what} shape={shape} />;
  return isBare || (shape === 'tiles' && isOnItsWay(query)) ? state : <Card>{state}</Card>;
}

function isOnItsWay({ error, fetchStatus }: PanelQuery<unknown>): boolean {
  return !error && fetchStatus !== 'paused';
}

/** Why it is not there, or not yet. */
function Absence({ query, what, shape }: Pick<PanelProps<unknown>, 'query' | 'what' | 'shape'>) {
  if (query.error) {
    return (
      <ErrorState
        level={3}
        title={`${sentence(what)} did not load`}
        message={formatFailure(query.error)}
        onRetry={() => void query.refetch()}
        isRetrying={query.isFetching}
      />
    );
  }
  if (query.fetchStatus === 'paused') {
    return <EmptyState icon={CloudOff} level={3} title="Available when you’re online" />;
  }
  return <Skeleton shape={shape} count={3} label={`Loading ${what}`} />;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

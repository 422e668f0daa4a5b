import type { UseQueryResult } from '@tanstack/react-query';
import { Card } from '@wardline/ui/card/card.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import type { ReactNode } from 'react';
import { failureWords } from '#/page/failure-words.ts';

interface LoadedProps<Data> {
  readonly query: UseQueryResult<Data>;
  /** What it is, at the beginning of a sentence: 'The measures'. */
  readonly name: string;
  readonly children: (data: Data) => ReactNode;
}

/** A panel once its data is here; what was loaded before stays while it is asked for again, or cannot be. */
export function Loaded<Data>({ query, name, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  return (
    <Card>
      {query.isError ? (
        <ErrorState
          level={3}
          title={`${name} did not load`}
          message={failureWords(query.error)}
          onRetry={() => void query.refetch()}
          isRetrying={query.isFetching}
        />
      ) : (
        <Skeleton count={4} label={`Loading ${name.charAt(0).toLowerCase()}${name.slice(1)}`} />
      )}
    </Card>
  );
}

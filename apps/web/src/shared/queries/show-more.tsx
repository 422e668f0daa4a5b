import { Button } from '@wardline/ui/button/button.tsx';
import { formatFailure } from '#/shared/errors/format-error.ts';
import type { UseInfiniteQueryResult } from './use-query.ts';

interface ShowMoreProps {
  readonly list: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'error' | 'fetchNextPage'
  >;
}

/** Under a list that comes page by page: the way to the next one, and why it did not come. */
export function ShowMore({ list }: ShowMoreProps) {
  if (!list.hasNextPage) return null;
  return (
    <div>
      {list.isFetchNextPageError && !list.isFetchingNextPage && (
        <p className="c-error t13" role="alert">
          {formatFailure(list.error)}
        </p>
      )}
      <Button
        variant="ghost"
        color="neutral"
        isFullWidth
        isLoading={list.isFetchingNextPage}
        onClick={() => void list.fetchNextPage()}
      >
        {list.isFetchNextPageError ? 'Try again' : 'Show more'}
      </Button>
    </div>
  );
}

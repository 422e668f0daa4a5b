import { useInfiniteQuery } from '#/shared/queries/use-query.ts';

interface Asked {
  readonly query: { readonly cursor?: string };
  readonly signal: AbortSignal;
}

/** A list that comes page by page. */
export function usePages<Page extends { readonly next_cursor: string | null }>(
  queryKey: readonly unknown[],
  load: (asked: Asked) => Promise<Page>,
) {
  return useInfiniteQuery({
    queryKey,
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => load({ query: pageParam === '' ? {} : { cursor: pageParam }, signal }),
    getNextPageParam: (page) => page.next_cursor,
  });
}

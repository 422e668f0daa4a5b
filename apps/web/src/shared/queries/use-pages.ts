import { type InfiniteData, type QueryKey, type UseInfiniteQueryOptions, useInfiniteQuery } from './use-query.ts';

type Options<Page> = UseInfiniteQueryOptions<Page, Error, InfiniteData<Page>, QueryKey, string>;

export interface PageAsked {
  readonly query: { readonly cursor?: string };
  readonly signal: AbortSignal;
}

interface PagesOptions<Page>
  extends Pick<
    Options<Page>,
    'queryKey' | 'enabled' | 'gcTime' | 'placeholderData' | 'refetchInterval' | 'networkMode' | 'refetchOnReconnect'
  > {
  /** One page: the first without a cursor. */
  readonly load: (asked: PageAsked) => Promise<Page>;
}

/** A list that comes page by page. */
export function usePages<Page extends { readonly next_cursor: string | null }>({
  load,
  ...options
}: PagesOptions<Page>) {
  return useInfiniteQuery({
    ...options,
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => load({ query: pageParam === '' ? {} : { cursor: pageParam }, signal }),
    getNextPageParam: (page: Page) => page.next_cursor,
  });
}

import {
  onlineManager,
  QueryClient,
  type UseInfiniteQueryOptions,
  type UseQueryOptions,
  useInfiniteQuery as useInfiniteQueryOf,
  useQueries as useQueriesOf,
  useQuery as useQueryOf,
} from '@tanstack/react-query';
import { queryDefaults } from '@wardline/client/http/query-defaults.ts';
import { useQueries } from './queries-context.ts';

export {
  type InfiniteData,
  keepPreviousData,
  type Query,
  type QueryClient,
  type QueryKey,
  queryOptions,
  type UseInfiniteQueryOptions,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query';

/** The client of TanStack Query of who is signed in here. */
export function useQueryClient(): QueryClient {
  return useQueries().client(createClient);
}

/** As TanStack Query's, with the client of who is signed in here. */
export const useQuery = ((options: UseQueryOptions) => useQueryOf(options, useQueryClient())) as typeof useQueryOf;

/** TanStack Query's `useQueries`, with the client of who is signed in here. */
export const useQueryList = ((options: Parameters<typeof useQueriesOf>[0]) =>
  useQueriesOf(options, useQueryClient())) as typeof useQueriesOf;

/** As TanStack Query's, with the client of who is signed in here. */
export const useInfiniteQuery = ((options: UseInfiniteQueryOptions) =>
  useInfiniteQueryOf(options, useQueryClient())) as typeof useInfiniteQueryOf;

/** It follows the window's focus and the network from here on, until the queries end. */
function createClient(): QueryClient {
  const client = new QueryClient({ defaultOptions: queryDefaults() });
  // A client that ended without a network heard of none that came after it.
  onlineManager.setOnline(navigator.onLine);
  client.mount();
  return client;
}

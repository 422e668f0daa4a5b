import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { createContext, use } from 'react';

/**
 * The queries of one signed-in person. The library comes with the first part of a page that asks by it (use-query.ts): the list
 * of chats and a chat itself do without.
 */
export interface Queries {
  /** The client, made by the first who asks for it. */
  client(create: () => QueryClient): QueryClient;
  /** What is known without being asked for; what is there already stays. */
  put(key: QueryKey, value: unknown): void;
  end(): void;
}

export const QueriesContext = createContext<Queries | null>(null);

export function useQueries(): Queries {
  const queries = use(QueriesContext);
  if (!queries) throw new Error('There are no queries around this component.');
  return queries;
}

export function createQueries(): Queries {
  let client: QueryClient | undefined;
  const early: Array<readonly [QueryKey, unknown]> = [];
  const putInto = (to: QueryClient, [key, value]: readonly [QueryKey, unknown]): void => {
    if (to.getQueryData(key) === undefined) to.setQueryData(key, value);
  };
  return {
    client(create) {
      if (client) return client;
      const made = create();
      client = made;
      for (const entry of early.splice(0)) putInto(made, entry);
      return made;
    },
    put(key, value) {
      if (client) putInto(client, [key, value]);
      else early.push([key, value]);
    },
    end() {
      client?.unmount();
      client?.clear();
    },
  };
}

import { ApiError } from './api-error.ts';

/** What a query looks like to the rule below; the part of react-query's Query that it reads. */
interface FailedQuery {
  readonly state: { readonly error: unknown };
}

export interface QueryDefaults {
  readonly queries: {
    readonly retry: false;
    readonly refetchOnWindowFocus: (query: FailedQuery) => boolean;
  };
}

/**
 * The `defaultOptions` of a react-query QueryClient whose queries ask by a `call`. The call itself repeats a read once;
 * more would only make a person wait longer for the error. Coming back to the window asks again, except where the last
 * answer was a refusal that will be the same the next time.
 */
export function queryDefaults(): QueryDefaults {
  return {
    queries: {
      retry: false,
      refetchOnWindowFocus: ({ state }) => !(state.error instanceof ApiError) || state.error.kind === 'temporary',
    },
  };
}

import type { Query, QueryClient } from './use-query.ts';

const EVERY_MS = 1000;

interface Turn {
  /** Over when it may be loaded again. */
  rest: Promise<void>;
  isWaiting: boolean;
}

const turns = new WeakMap<Query, Turn>();

/** Loads what is shown anew, at most once a second. What is on its way is not aborted, and asked once more: its answer may be older. */
export async function refetchInTurn(queries: QueryClient, query: Query): Promise<void> {
  const turn = turns.get(query) ?? { rest: Promise.resolve(), isWaiting: false };
  turns.set(query, turn);
  if (turn.isWaiting) return;
  turn.isWaiting = true;
  await turn.rest;
  if (query.state.fetchStatus === 'fetching') await query.promise?.catch(() => undefined);
  turn.isWaiting = false;
  turn.rest = new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  await queries.invalidateQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false });
}

import type { AnyEndpoint, BodyOf, ParamsOf, QueryOf, ReplyOf } from '@wardline/contract/endpoint.ts';

/** Who asks, as Sanctum's guard has found out. */
export interface Caller {
  /** Null for a guest. */
  readonly userId: string | null;
  readonly socketId: string;
  signIn(userId: string, remember: boolean): void;
  signOut(): void;
}

interface Asked<E extends AnyEndpoint> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  readonly caller: Caller;
}

export interface Route {
  readonly endpoint: AnyEndpoint;
  readonly isPublic: boolean;
  readonly status: number;
  /** Takes what comes: ids and secrets of Laravel have other forms than ours. */
  readonly takesAnything: boolean;
  answer(asked: Asked<AnyEndpoint>): unknown;
}

export function route<E extends AnyEndpoint>(
  endpoint: E,
  answer: (asked: Asked<E>) => ReplyOf<E>,
  how: Partial<Pick<Route, 'isPublic' | 'status' | 'takesAnything'>> = {},
): Route {
  const usual = { isPublic: false, status: endpoint.status, takesAnything: false };
  return { endpoint, ...usual, ...how, answer: answer as Route['answer'] };
}

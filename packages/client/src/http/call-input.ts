import type { AnyEndpoint } from '@wardline/contract/endpoint.ts';
import type * as z from 'zod/mini';

type Part<Name extends string, Value> =
  Record<never, never> extends Value ? { readonly [Key in Name]?: Value } : { readonly [Key in Name]: Value };

/** What one call takes: the parts its endpoint states (those that may be empty may be left out) and how to call. */
export type CallInput<E extends AnyEndpoint> = Part<'params', z.input<E['params']>> &
  Part<'query', z.input<E['query']>> &
  Part<'body', z.input<E['body']>> &
  CallOptions;

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** For each attempt, the reading of the answer included; 15 s unless told. */
  readonly timeoutMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent instead of a JSON body. */
  readonly form?: FormData;
  /** Sends this one call, to follow its upload for instance (upload.ts); everything around it stays as it is. */
  readonly fetch?: typeof fetch;
}

/** The input with its parts forgotten, as the machinery handles it. */
export interface AnyCallInput extends CallOptions {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

import type * as z from 'zod/mini';

/** The methods the contract uses. Everything but GET changes something and therefore carries a CSRF token in cookie mode. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Who may call an endpoint before any question about a particular thing is asked. */
export type Access = 'public' | 'signed-in';

/**
 * One HTTP operation as a value. The server binds a verb to it, the client calls it; neither restates it.
 * `params`, `query` and `body` are strict, but where an endpoint says otherwise: an unknown key is refused. `reply` is not: a client ignores what it does not know.
 */
export interface Endpoint<
  Params extends z.ZodMiniType = z.ZodMiniType,
  Query extends z.ZodMiniType = z.ZodMiniType,
  Body extends z.ZodMiniType = z.ZodMiniType,
  Reply extends z.ZodMiniType = z.ZodMiniType,
  Headers extends z.ZodMiniType = z.ZodMiniType,
> {
  readonly name: string;
  readonly summary: string;
  readonly method: Method;
  /** Path with `{param}` placeholders, each named in `params`. */
  readonly path: string;
  readonly access: Access;
  /** Refused with 423 unless this session has confirmed the password lately. */
  readonly asksPassword?: true;
  /** Also for clients that keep no cookies, which then need no CSRF token: what they send proves who they are. */
  readonly cookieless?: true;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Takes one file under this name as multipart/form-data in place of a body. PUT then also comes as POST with `_method`. */
  readonly file?: string;
  /** Headers of the request that it reads, in lower case; others may come. */
  readonly headers?: Headers;
  /** Takes bytes of this media type in place of a body, as they arrive. */
  readonly stream?: string;
  /** Answers a file to be kept, not JSON; `reply` is then anything. */
  readonly isDownload?: true;
  /** Status of success; 302 leads to the reply's `location`. */
  readonly status: 200 | 201 | 204 | 302;
  readonly reply: Reply;
}

// biome-ignore lint/suspicious/noExplicitAny: the one place where an endpoint of any shape is meant
export type AnyEndpoint = Endpoint<any, any, any, any, any>;

export type ParamsOf<E extends AnyEndpoint> = z.output<E['params']>;
export type QueryOf<E extends AnyEndpoint> = z.output<E['query']>;
export type BodyOf<E extends AnyEndpoint> = z.output<E['body']>;
export type ReplyOf<E extends AnyEndpoint> = z.output<E['reply']>;

/** Unknown where the endpoint reads none. */
export type HeadersOf<E extends AnyEndpoint> = z.output<NonNullable<E['headers']>>;

/** States an endpoint; keeps every literal type. */
export function endpoint<
  P extends z.ZodMiniType,
  Q extends z.ZodMiniType,
  B extends z.ZodMiniType,
  R extends z.ZodMiniType,
  H extends z.ZodMiniType = z.ZodMiniType,
>(stated: Endpoint<P, Q, B, R, H>): Endpoint<P, Q, B, R, H> {
  return stated;
}

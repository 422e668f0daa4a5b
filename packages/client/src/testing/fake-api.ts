import type { AnyEndpoint, BodyOf, ParamsOf, QueryOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { endpoints } from '@wardline/contract/endpoints.ts';
import { ERRORS, type ErrorCode } from '@wardline/contract/errors.ts';
import * as z from 'zod/mini';

/** A refusal of the fake, with the status and sentence of the contract. */
export class FakeRefusal extends Error {
  readonly code: ErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, headers: Readonly<Record<string, string>> = {}) {
    super(ERRORS[code].message);
    this.code = code;
    this.headers = headers;
  }
}

export interface FakeRequest<E extends AnyEndpoint> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  readonly headers: Headers;
}
type Answer<E extends AnyEndpoint> = (request: FakeRequest<E>) => ReplyOf<E> | Promise<ReplyOf<E>>;

/** A server in memory, behind `fetch`, that takes and answers only what the contract allows. */
export interface FakeApi {
  readonly fetch: typeof fetch;
  /** What was asked, oldest first: 'GET /api/user'. */
  readonly asked: string[];
  on<E extends AnyEndpoint>(endpoint: E, answer: Answer<E>): void;
  /** Runs around every request; may throw (no network), wait, or throw away what the server did. */
  around: (
    request: { readonly line: string; readonly init: RequestInit },
    go: () => Promise<Response>,
  ) => Promise<Response>;
}

export function createFakeApi(): FakeApi {
  const answers = new Map<string, Answer<AnyEndpoint>>();
  const api: FakeApi = {
    asked: [],
    on: (endpoint, answer) => void answers.set(endpoint.name, answer as Answer<AnyEndpoint>),
    around: (_request, go) => go(),
    fetch: async (input, init = {}) => {
      const url = new URL(String(input), 'http://wardline.test');
      const line = `${init.method ?? 'GET'} ${url.pathname}${url.search}`;
      api.asked.push(line);
      init.signal?.throwIfAborted();
      return await api.around({ line, init }, () => respond(answers, url, init));
    },
  };
  return api;
}

async function respond(answers: Map<string, Answer<AnyEndpoint>>, url: URL, init: RequestInit): Promise<Response> {
  try {
    for (const endpoint of endpoints) {
      const params = endpoint.method === (init.method ?? 'GET') ? match(endpoint.path, url.pathname) : null;
      const answer = answers.get(endpoint.name);
      if (params === null || answer === undefined) continue;
      const reply = await answer({
        params: z.parse(endpoint.params, params),
        query: z.parse(endpoint.query, Object.fromEntries(url.searchParams)),
        body: z.parse(endpoint.body, init.body === undefined ? {} : JSON.parse(String(init.body))),
        headers: new Headers(init.headers),
      });
      const parsed = z.parse(endpoint.reply, reply);
      return endpoint.status === 204
        ? new Response(null, { status: 204 })
        : Response.json(parsed, { status: endpoint.status });
    }
    throw new FakeRefusal('not_found');
  } catch (error) {
    if (!(error instanceof FakeRefusal)) throw error;
    const { status, message } = ERRORS[error.code];
    return Response.json({ message, code: error.code }, { status, headers: error.headers });
  }
}

function match(pattern: string, path: string): Record<string, string> | null {
  const names = [...pattern.matchAll(/\{(\w+)\}/g)].map((found) => found[1] ?? '');
  const found = new RegExp(`^${pattern.replace(/\{\w+\}/g, '([^/]+)')}$`).exec(path);
  return found && Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')]));
}

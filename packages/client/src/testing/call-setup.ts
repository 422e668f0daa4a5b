import { ApiError } from '#/http/api-error.ts';
import { type CallDeps, createCall } from '#/http/call.ts';
import { createSilentLog } from './silent-log.ts';
import { testConfig } from './test-config.ts';

type Answer = (url: string, init: RequestInit) => Response | Promise<Response>;

/** A call over a `fetch` that answers as told, with what was sent, said and logged. Cookie mode, with a cookie. */
export function setupCall(answer: Answer, change: Partial<CallDeps> = {}) {
  const log = createSilentLog();
  const events: string[] = [];
  const sent: { url: string; init: RequestInit; headers: Headers }[] = [];
  const call = createCall({
    config: testConfig({ mode: 'cookie' }),
    log,
    onEvent: (name) => events.push(name),
    readCookies: () => 'XSRF-TOKEN=abc%3D',
    origin: 'http://wardline.test',
    fetch: async (url, init = {}) => {
      sent.push({ url: String(url), init, headers: new Headers(init.headers) });
      return await answer(String(url), init);
    },
    ...change,
  });
  return { call, log, events, sent };
}

/** The ApiError that some work rejects with. */
export async function failureOf(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.then(
    () => null,
    (failure: unknown) => failure,
  );
  if (!(error instanceof ApiError)) throw new Error('It did not fail with an ApiError', { cause: error });
  return error;
}

/** A server that accepts a request and says nothing until it is given up. */
export function neverAnswers(_url: string, init: RequestInit): Promise<Response> {
  return new Promise((_resolve, reject) => {
    init.signal?.throwIfAborted();
    init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
  });
}

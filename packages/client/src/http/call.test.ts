import { getUser, signIn } from '@wardline/contract/auth.ts';
import { listMessages, sendMessage } from '@wardline/contract/chat.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeTime } from '#/testing/settle.ts';
import { createSilentLog } from '#/testing/silent-log.ts';
import { testConfig } from '#/testing/test-config.ts';
import { ApiError } from './api-error.ts';
import { buildInit } from './build-request.ts';
import { type CallDeps, createCall } from './call.ts';
import { classify } from './classify.ts';
import { readCookie } from './csrf.ts';
import { readRetryAfter } from './read-reply.ts';

const chat = '01970000-0000-7000-8000-000000000001';
const body = { client_id: chat, body: 'x' };
const page = { data: [], head_seq: 0 };

function setup(
  answer: (url: string, init: RequestInit) => Response | Promise<Response>,
  change: Partial<CallDeps> = {},
) {
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
const fails = async (work: Promise<unknown>): Promise<ApiError> => {
  const error = await work.then(
    () => null,
    (failure: unknown) => failure,
  );
  if (!(error instanceof ApiError)) throw new Error('It did not fail with an ApiError');
  return error;
};

describe('call', () => {
  beforeEach(fakeTime);
  afterEach(() => void vi.useRealTimers());

  it('HTTP-1 asks for JSON with the cookies, at the configured address, with params and query in it', async () => {
    const { call, sent } = setup(() => Response.json(page));
    await call(listMessages, { params: { chat }, query: { after: 7, limit: 200 } });
    expect(sent[0]?.url).toBe(`http://wardline.test/api/chats/${chat}/messages?after=7&limit=200`);
    expect(sent[0]?.headers.get('Accept')).toBe('application/json');
    expect(sent[0]?.init).toMatchObject({ credentials: 'include', redirect: 'manual' });
  });

  it('HTTP-2 sends PUT with a form as POST with _method and leaves the form as it was', () => {
    const form = new FormData();
    const built = buildInit({ ...sendMessage, method: 'PUT' }, { form });
    expect(built.method).toBe('POST');
    expect((built.body as FormData).get('_method')).toBe('PUT');
    expect(form.has('_method')).toBe(false);
  });

  it('HTTP-3 puts the decoded cookie of the jar in the header of a write, and of a write only', async () => {
    const { call, sent } = setup((url) => Response.json(url.endsWith('/login') ? { two_factor: false } : page));
    await call(signIn, { body: { email: 'a@b', password: 'p' } });
    await call(listMessages, { params: { chat } });
    expect(sent.map(({ headers }) => headers.get('X-XSRF-TOKEN'))).toEqual(['abc=', null]);
  });

  it('HTTP-3 fetches a missing cookie once for two writes at the same time', async () => {
    let cookies = '';
    const { call, sent } = setup(
      async (url) => {
        await Promise.resolve();
        if (!url.endsWith('csrf-cookie')) return Response.json({ two_factor: false });
        cookies = 'XSRF-TOKEN=%E0%A4';
        return new Response(null, { status: 204 });
      },
      { readCookies: () => cookies },
    );
    await Promise.all([1, 2].map(() => call(signIn, { body: { email: 'a@b', password: 'p' } })));
    expect(sent.filter(({ url }) => url.endsWith('csrf-cookie'))).toHaveLength(1);
    // What cannot be decoded goes as it is.
    expect(sent.at(-1)?.headers.get('X-XSRF-TOKEN')).toBe('%E0%A4');
  });

  it('HTTP-3 warns and sends without the header when the cookie is still missing', async () => {
    const { call, log, sent } = setup(
      (url) =>
        url.endsWith('csrf-cookie') ? new Response(null, { status: 204 }) : Response.json({ two_factor: false }),
      { readCookies: () => '' },
    );
    await call(signIn, { body: { email: 'a@b', password: 'p' } });
    expect(log.lines.map(({ line }) => line)).toEqual([
      'XSRF-TOKEN cookie is missing, unable to set X-XSRF-TOKEN header',
    ]);
    expect(sent).toHaveLength(2);
  });

  it('HTTP-3 reads cookies: the first of two, quotes off, empty as missing', () => {
    expect(readCookie('a=1; XSRF-TOKEN="q=1"; XSRF-TOKEN=2', 'XSRF-TOKEN')).toBe('q=1');
    expect(readCookie('XSRF-TOKEN=', 'XSRF-TOKEN')).toBeNull();
  });

  it('HTTP-4 token mode sends the bearer token and neither cookies nor CSRF', async () => {
    const tokenStorage = { get: () => 'secret', set: () => undefined };
    const { call, sent } = setup(() => Response.json({ two_factor: false }), { config: testConfig(), tokenStorage });
    await call(signIn, { body: { email: 'a@b', password: 'p' } });
    expect(sent[0]?.headers.get('Authorization')).toBe('Bearer secret');
    expect(sent[0]?.headers.has('X-XSRF-TOKEN')).toBe(false);
    expect(sent[0]?.init.credentials).toBeUndefined();
    expect(() => setup(() => Response.json({}), { config: testConfig() })).toThrow('Token storage is not defined');
  });

  it('HTTP-5 a hidden redirect is an error, never an empty success', async () => {
    const hidden = { status: 0, type: 'opaqueredirect', redirected: false, ok: false } as Response;
    const { call } = setup(() => hidden);
    expect(await fails(call(getUser))).toMatchObject({ code: 'redirected', status: 0, kind: 'temporary' });
  });

  it.each([408, 409, 425, 429, 500, 502, 503, 504])(
    'HTTP-6 a read is repeated once on %i, a write never',
    async (status) => {
      const { call, sent } = setup(() => Response.json({ message: 'no' }, { status }));
      const read = fails(call(listMessages, { params: { chat } }));
      await vi.advanceTimersByTimeAsync(1000);
      expect((await read).status).toBe(status);
      expect(sent).toHaveLength(2);
      await fails(call(sendMessage, { params: { chat }, body }));
      expect(sent).toHaveLength(3);
    },
  );

  it('HTTP-6 a repeat waits for Retry-After up to 10 s and is left out beyond', async () => {
    let after = '4';
    const { call, sent } = setup(() => Response.json({}, { status: 503, headers: { 'Retry-After': after } }));
    const first = fails(call(listMessages, { params: { chat } }));
    await vi.advanceTimersByTimeAsync(3900);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(sent).toHaveLength(2);
    expect((await first).retryAfterMs).toBe(4000);
    after = '11';
    expect((await fails(call(listMessages, { params: { chat } }))).retryAfterMs).toBe(11_000);
    expect(sent).toHaveLength(3);
    expect(readRetryAfter('Thu, 01 Jan 1970 00:00:05 GMT', 2000)).toBe(3000);
  });

  it('HTTP-7 an answer that does not fit is an error with the path of the wrong field', async () => {
    const { call } = setup(() => Response.json({ data: [{ id: 'no' }], head_seq: 1 }));
    const error = await fails(call(listMessages, { params: { chat } }));
    expect(error.code).toBe('malformed_reply');
    expect(error.message).toContain('data.0.id');
  });

  it('HTTP-7 every call ends after 15 s, and at once when cancelled', async () => {
    const never = (_url: string, init: RequestInit) =>
      new Promise<Response>((_resolve, reject) => {
        init.signal?.throwIfAborted();
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      });
    const { call, events } = setup(never);
    const slow = fails(call(sendMessage, { params: { chat }, body }));
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await slow).toMatchObject({ code: 'timeout', kind: 'temporary' });
    const controller = new AbortController();
    const cancelled = fails(call(getUser, { signal: controller.signal }));
    controller.abort();
    expect((await cancelled).code).toBe('cancelled');
    expect(events).toEqual(['sanctum:error:request', 'sanctum:error:request']);
  });

  it('AUTH-4 tells sanctum:error before what a 401 or 419 leads to', async () => {
    let status = 401;
    const { call, events } = setup(() => Response.json({ message: 'no' }, { status }));
    await fails(call(getUser));
    status = 419;
    await fails(call(getUser));
    expect(events).toEqual(['sanctum:error', 'unauthenticated', 'sanctum:error', 'csrf_mismatch']);
  });

  it('classifies once: unknown outcomes, 401, 408, 419, 425, 429 and 5xx are temporary, other 4xx final', () => {
    for (const temporary of ['network', 'timeout', 401, 408, 419, 425, 429, 500, 503, 507] as const) {
      expect(classify(temporary)).toBe('temporary');
    }
    for (const final of [400, 403, 404, 409, 413, 422]) expect(classify(final)).toBe('final');
  });
});

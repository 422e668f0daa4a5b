import { getUser, signIn, signOut } from '@wardline/contract/account/auth.ts';
import { listMessages, sendMessage } from '@wardline/contract/chat/chat.ts';
import { endpoints as operations } from '@wardline/contract/endpoints.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hearServerTime, serverNow } from '#/server-clock.ts';
import { failureOf, neverAnswers, setupCall } from '#/testing/call-setup.ts';
import { fakeTime } from '#/testing/settle.ts';
import { testConfig } from '#/testing/test-config.ts';
import { buildInit } from './build-request.ts';
import { classify } from './classify.ts';
import { readRetryAfter } from './read-reply.ts';

const chat = '01970000-0000-7000-8000-000000000001';
const body = { client_id: chat, body: 'x' };
const page = { data: [], head_seq: 0 };

describe('call', () => {
  beforeEach(fakeTime);
  afterEach(() => void vi.useRealTimers());

  it('HTTP-1 asks for JSON with the cookies, at the configured address, with params and query in it', async () => {
    const { call, sent } = setupCall(() => Response.json(page));
    await call(listMessages, { params: { chat }, query: { after: 7, limit: 200 } });
    expect(sent[0]?.url).toBe(`http://wardline.test/api/chats/${chat}/messages?after=7&limit=200`);
    expect(sent[0]?.headers.get('Accept')).toBe('application/json');
    await call(listMessages, { params: { chat }, headers: { Accept: 'text/csv' } });
    expect(sent[1]?.headers.get('Accept')).toBe('text/csv');
    expect(sent[0]?.init).toMatchObject({ credentials: 'include', redirect: 'manual' });
  });

  it('F-L6 CFG-5 every operation whose address is configuration is asked for there', async () => {
    const { verify_email: _led_to, ...asked } = testConfig().endpoints;
    const endpoints = Object.fromEntries(Object.keys(asked).map((name) => [name, `/elsewhere/${name}`]));
    const config = testConfig({ mode: 'cookie', endpoints: { ...testConfig().endpoints, ...endpoints } });
    const { call, sent } = setupCall(() => Response.json({}), { config });
    const usual = new Set<string>(Object.values(asked));
    const moved = operations.filter(({ path }) => usual.has(path) && path !== '/api/user');
    for (const endpoint of [...moved, getUser]) await call(endpoint, {}).catch(() => undefined);
    const places = sent.map(({ url }) => url.replace('http://wardline.test', ''));
    expect(new Set(places)).toEqual(new Set(Object.values(endpoints)));
  });

  it('HTTP-1 says to its own origin which page asks, since Sanctum takes a read for its own by nothing else', async () => {
    const { call, sent } = setupCall(() => Response.json(page));
    await call(listMessages, { params: { chat } });
    expect(sent[0]?.init.referrerPolicy).toBe('same-origin');
  });

  it('R20 an answer tells what time it is at the server', async () => {
    const ahead = new Date(Date.now() + 3_600_000);
    const { call } = setupCall(() => Response.json(page, { headers: { Date: ahead.toUTCString() } }));
    await call(listMessages, { params: { chat } });
    expect(Math.abs(serverNow() - ahead.getTime())).toBeLessThan(1000);
    hearServerTime(new Date().toUTCString(), Date.now());
  });

  it('HTTP-2 sends PUT with a form as POST with _method and leaves the form as it was', () => {
    const form = new FormData();
    const built = buildInit({ ...sendMessage, method: 'PUT' }, { form });
    expect(built.method).toBe('POST');
    expect((built.body as FormData).get('_method')).toBe('PUT');
    expect(form.has('_method')).toBe(false);
  });

  it('HTTP-4 token mode sends the bearer token and neither cookies nor CSRF', async () => {
    const tokenStorage = { get: () => 'secret', set: () => undefined };
    const { call, sent } = setupCall(() => Response.json({ two_factor: false }), {
      config: testConfig(),
      tokenStorage,
    });
    await call(signIn, { body: { email: 'a@b', password: 'p' } });
    expect(sent[0]?.headers.get('Authorization')).toBe('Bearer secret');
    expect(sent[0]?.headers.has('X-XSRF-TOKEN')).toBe(false);
    expect(sent[0]?.init.credentials).toBe('omit');
    expect(() => setupCall(() => Response.json({}), { config: testConfig() })).toThrow('Token storage is not defined');
  });

  it('HTTP-5 a hidden redirect is an error, never an empty success', async () => {
    const empty = { status: 0, type: 'opaqueredirect', redirected: false, ok: false };
    const hidden = { ...empty, headers: new Headers() } as Response;
    const { call } = setupCall(() => hidden);
    expect(await failureOf(call(getUser))).toMatchObject({ code: 'redirected', status: 0, kind: 'temporary' });
  });

  it('HTTP-5 an answer that was redirected on this site navigates in cookie mode, and is still an error', async () => {
    const went: string[] = [];
    const followed = (url: string) => () =>
      Object.defineProperties(Response.json({}), { redirected: { value: true }, url: { value: url } });
    const navigate = (url: string) => went.push(url);
    const here = setupCall(followed('http://wardline.test/login'), { navigate });
    expect((await failureOf(here.call(getUser))).code).toBe('redirected');
    expect([went, here.events]).toEqual([['http://wardline.test/login'], ['sanctum:redirect']]);
    const elsewhere = setupCall(followed('https://evil.test/login'), { navigate });
    await failureOf(elsewhere.call(getUser));
    const tokenStorage = { get: () => 'secret', set: () => undefined };
    const byToken = setupCall(followed('http://wardline.test/login'), { navigate, tokenStorage, config: testConfig() });
    await failureOf(byToken.call(getUser));
    expect([went.length, elsewhere.events, byToken.events]).toEqual([1, [], []]);
  });

  it('HTTP-6 nothing is repeated where the configuration says off', async () => {
    const config = testConfig({ mode: 'cookie', retry: 'off' });
    const { call, sent } = setupCall(() => Response.json({}, { status: 503 }), { config });
    expect((await failureOf(call(getUser))).status).toBe(503);
    expect(sent).toHaveLength(1);
  });

  it.each([408, 409, 425, 429, 500, 502, 503, 504])(
    'HTTP-6 a read is repeated once on %i, a write never',
    async (status) => {
      const { call, sent } = setupCall(() => Response.json({ message: 'no' }, { status }));
      const read = failureOf(call(listMessages, { params: { chat } }));
      await vi.advanceTimersByTimeAsync(1000);
      expect((await read).status).toBe(status);
      expect(sent).toHaveLength(2);
      await failureOf(call(sendMessage, { params: { chat }, body }));
      expect(sent).toHaveLength(3);
    },
  );

  it('HTTP-6 a lost connection is tried once more, and not at all without a network', async () => {
    const online = vi.fn(() => true);
    vi.stubGlobal('navigator', {
      get onLine() {
        return online();
      },
    });
    const { call, sent } = setupCall(() => {
      throw new TypeError('no network');
    });
    const read = failureOf(call(getUser));
    await vi.advanceTimersByTimeAsync(1000);
    expect((await read).code).toBe('network');
    expect(sent).toHaveLength(2);
    online.mockReturnValue(false);
    expect((await failureOf(call(getUser))).code).toBe('network');
    expect(sent).toHaveLength(3);
    vi.unstubAllGlobals();
  });

  it('HTTP-6 a repeat waits for Retry-After up to 10 s and is left out beyond', async () => {
    let after = '4';
    const { call, sent } = setupCall(() => Response.json({}, { status: 503, headers: { 'Retry-After': after } }));
    const first = failureOf(call(listMessages, { params: { chat } }));
    await vi.advanceTimersByTimeAsync(3900);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(sent).toHaveLength(2);
    expect((await first).retryAfterMs).toBe(4000);
    after = '11';
    expect((await failureOf(call(listMessages, { params: { chat } }))).retryAfterMs).toBe(11_000);
    expect(sent).toHaveLength(3);
    expect(readRetryAfter('Thu, 01 Jan 1970 00:00:05 GMT', 2000)).toBe(3000);
  });

  it('HTTP-7 an answer that does not fit is an error with the path of the wrong field', async () => {
    const { call, log } = setupCall(() => Response.json({ data: [{ id: 'no' }], head_seq: 1 }));
    const error = await failureOf(call(listMessages, { params: { chat } }));
    expect(error.code).toBe('malformed_reply');
    expect(error.message).toContain('does not fit at data.0.id');
    expect(log.lines).toEqual([{ level: 'error', line: error.message, detail: undefined }]);
  });

  it('HTTP-7 a page of HTML with status 200 is no answer, also where nothing is expected', async () => {
    const { call } = setupCall(() => new Response('<!doctype html>', { headers: { 'Content-Type': 'text/html' } }));
    expect((await failureOf(call(getUser))).message).toBe(
      'The answer of getUser does not fit at (whole): expected object',
    );
    expect((await failureOf(call(signOut))).code).toBe('malformed_reply');
    const polite = setupCall(() => Response.json({ message: 'Logged out.' }));
    expect(await polite.call(signOut)).toBeUndefined();
  });

  it('HTTP-7 every call ends after 15 s, and at once when cancelled', async () => {
    const { call, events } = setupCall(neverAnswers);
    const slow = failureOf(call(sendMessage, { params: { chat }, body }));
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await slow).toMatchObject({ code: 'timeout', kind: 'temporary', limitMs: 15_000 });
    const patient = failureOf(call(sendMessage, { params: { chat }, body, timeoutMs: 120_000 }));
    await vi.advanceTimersByTimeAsync(120_000);
    expect(await patient).toMatchObject({ code: 'timeout', limitMs: 120_000 });
    const controller = new AbortController();
    const cancelled = failureOf(call(getUser, { signal: controller.signal }));
    controller.abort();
    expect((await cancelled).code).toBe('cancelled');
    expect(events).toEqual(Array.from({ length: 3 }, () => 'sanctum:error:request'));
  });

  it('AUTH-4 tells sanctum:error before what a 401 or 419 leads to', async () => {
    let status = 401;
    const { call, events } = setupCall(() => Response.json({ message: 'no' }, { status }));
    await failureOf(call(getUser));
    status = 419;
    await failureOf(call(getUser));
    expect(events).toEqual(['sanctum:error', 'unauthenticated', 'sanctum:error', 'csrf_mismatch']);
  });

  it.each([
    ['an empty message', 403, () => Response.json({ message: '' }, { status: 403 }), 'This action is unauthorized.'],
    ['blanks', 404, () => Response.json({ message: ' ' }, { status: 404 }), 'Not found.'],
    ['a page of HTML', 503, () => new Response('<h1>', { status: 503 }), 'The service is not available right now.'],
    ['no body', 418, () => new Response(null, { status: 418 }), 'getUser failed with status 418.'],
  ])('F-L7 %s with %i is the sentence of its status', async (_what, status, answer, sentence) => {
    const { call } = setupCall(answer, { config: testConfig({ mode: 'cookie', retry: 'off' }) });
    expect(await failureOf(call(getUser))).toMatchObject({ status, message: sentence });
  });

  it('AUTH-4 with the repeat of a read everything is told once per attempt', async () => {
    const { call, events } = setupCall(() => Response.json({}, { status: 500 }));
    const read = failureOf(call(getUser));
    await vi.advanceTimersByTimeAsync(1000);
    await read;
    expect(events).toEqual(['sanctum:error', 'sanctum:error']);
  });

  it('classifies once: unknown outcomes, 401, 408, 419, 425, 429 and 5xx are temporary, other 4xx final', () => {
    for (const temporary of ['network', 'timeout', 401, 408, 419, 425, 429, 500, 503, 507] as const) {
      expect(classify(temporary)).toBe('temporary');
    }
    for (const final of [400, 403, 404, 409, 413, 422]) expect(classify(final)).toBe('final');
  });
});

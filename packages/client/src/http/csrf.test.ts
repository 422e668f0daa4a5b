import { getUser, signIn, signOut } from '@wardline/contract/account/auth.ts';
import { listMessages, raiseMarkers, sendMessage } from '@wardline/contract/chat/chat.ts';
import { removeParticipant, updateChat } from '@wardline/contract/chat/chat-management.ts';
import type { AnyEndpoint } from '@wardline/contract/endpoint.ts';
import { describe, expect, it, vi } from 'vitest';
import { failureOf, setupCall } from '#/testing/call-setup.ts';
import { testConfig } from '#/testing/test-config.ts';
import { readCookie } from './csrf.ts';

const chat = '01970000-0000-7000-8000-000000000001';
const credentials = { body: { email: 'a@b', password: 'p' } };
const signedIn = () => Response.json({ two_factor: false });

/** A back end whose csrf endpoint sets this cookie. */
function withJar(cookie: string, atFirst = '') {
  let jar = atFirst;
  const setup = setupCall(
    async (url) => {
      await Promise.resolve();
      if (!url.endsWith('csrf-cookie')) return signedIn();
      jar = cookie;
      return new Response(null, { status: 204 });
    },
    { readCookies: () => jar },
  );
  const csrfFetches = () => setup.sent.filter(({ url }) => url.endsWith('csrf-cookie')).length;
  return { ...setup, csrfFetches };
}

describe('CSRF', () => {
  it('HTTP-3 the decoded cookie goes with POST, PUT, PATCH and DELETE, and not with GET', async () => {
    const { call, sent } = setupCall(() => Response.json({}));
    const params = { chat };
    await Promise.allSettled([
      call(signIn, credentials),
      call(raiseMarkers, { params, body: { read_seq: 1 } }),
      call(updateChat, { params, body: { expected_version: 1 } }),
      call(removeParticipant, { params: { chat, user: chat } }),
      call(listMessages, { params }),
    ]);
    expect(sent.map(({ init, headers }) => [init.method, headers.get('X-XSRF-TOKEN')]).sort()).toEqual([
      ['DELETE', 'abc='],
      ['GET', null],
      ['PATCH', 'abc='],
      ['POST', 'abc='],
      ['PUT', 'abc='],
    ]);
  });

  it('F-C6 a cookie that was asked for is told of, so that a guest’s is no hint at a session', async () => {
    const onCsrfCookie = vi.fn();
    let jar = '';
    const { call } = setupCall(
      (url) => {
        if (!url.endsWith('csrf-cookie')) return signedIn();
        jar = 'XSRF-TOKEN=x';
        return new Response(null, { status: 204 });
      },
      { readCookies: () => jar, onCsrfCookie },
    );
    await call(signIn, credentials);
    await call(signIn, credentials);
    expect(onCsrfCookie).toHaveBeenCalledTimes(1);
  });

  it('HTTP-3 a missing cookie is fetched once for two writes at the same time, and not while there is one', async () => {
    const { call, sent, csrfFetches } = withJar('XSRF-TOKEN=eyJpdiI6IjEifQ%3D%3D');
    await Promise.all([call(signIn, credentials), call(signIn, credentials)]);
    await call(signIn, credentials);
    expect(csrfFetches()).toBe(1);
    const tokens = sent.filter(({ url }) => url.endsWith('/login')).map(({ headers }) => headers.get('X-XSRF-TOKEN'));
    expect(tokens).toEqual(['eyJpdiI6IjEifQ==', 'eyJpdiI6IjEifQ==', 'eyJpdiI6IjEifQ==']);
  });

  it.each([
    ['a message', sendMessage, { params: { chat }, body: { client_id: chat, body: 'x' } }],
    ['a form', signIn, credentials],
    ['a change', updateChat, { params: { chat }, body: { expected_version: 1 } }],
    ['a removal', removeParticipant, { params: { chat, user: chat } }],
  ] as const)(
    'F-L2 %s that is answered by 419 is sent once more with a fresh token',
    async (_what, endpoint, input) => {
      let jar = 'XSRF-TOKEN=old';
      const { call, events, sent } = setupCall(
        (url, init) => {
          if (url.endsWith('csrf-cookie')) {
            jar = 'XSRF-TOKEN=new';
            return new Response(null, { status: 204 });
          }
          const isFresh = new Headers(init.headers).get('X-XSRF-TOKEN') === 'new';
          return Response.json({ message: 'CSRF token mismatch.' }, { status: isFresh ? 422 : 419 });
        },
        { readCookies: () => jar },
      );
      const send = call as (endpoint: AnyEndpoint, input: object) => Promise<unknown>;
      expect((await failureOf(send(endpoint, input))).status).toBe(422);
      expect(sent.map(({ url, headers }) => [url.includes('csrf'), headers.get('X-XSRF-TOKEN')])).toEqual([
        [false, 'old'],
        [true, null],
        [false, 'new'],
      ]);
      expect(events).toEqual(['sanctum:error', 'sanctum:error']);
    },
  );

  it('F-L2 a write that is refused with a fresh token too is not sent a third time, and the refusal is told once', async () => {
    const { call, events, sent } = setupCall((url) =>
      url.endsWith('csrf-cookie')
        ? new Response(null, { status: 204 })
        : Response.json({ message: 'CSRF token mismatch.' }, { status: 419 }),
    );
    expect((await failureOf(call(signIn, credentials))).status).toBe(419);
    expect(sent.filter(({ url }) => url.endsWith('/login'))).toHaveLength(2);
    expect(events).toEqual(['sanctum:error', 'sanctum:error', 'csrf_mismatch']);
  });

  it('HTTP-3 warns and sends without the header when the cookie is still missing', async () => {
    const { call, log, sent } = withJar('');
    await call(signIn, credentials);
    expect(log.lines.map(({ level, line }) => `${level}: ${line}`)).toEqual([
      'warn: XSRF-TOKEN cookie is missing, unable to set X-XSRF-TOKEN header',
    ]);
    expect(sent.map(({ headers }) => headers.has('X-XSRF-TOKEN'))).toEqual([false, false]);
  });

  it('HTTP-3 a write is not sent when the cookie cannot be fetched', async () => {
    const { call, sent } = setupCall(() => Response.json({ message: 'no' }, { status: 501 }), {
      readCookies: () => '',
    });
    expect((await failureOf(call(signIn, credentials))).status).toBe(501);
    expect(sent.map(({ url }) => url)).toEqual(['http://wardline.test/sanctum/csrf-cookie']);
  });

  it('HTTP-7 a write that waits for the cookie is cancelled at once and never sent', async () => {
    let answer = (_response: Response): void => undefined;
    const { call, sent } = setupCall(
      () =>
        new Promise<Response>((resolve) => {
          answer = resolve;
        }),
      { readCookies: () => '' },
    );
    const controller = new AbortController();
    const sending = failureOf(
      call(sendMessage, { params: { chat }, body: { client_id: chat, body: 'x' }, signal: controller.signal }),
    );
    controller.abort();
    expect((await sending).code).toBe('cancelled');
    answer(new Response(null, { status: 204 }));
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent.filter(({ init }) => init.method === 'POST' && init.signal?.aborted === false)).toEqual([]);
  });

  it('CFG-3 an address that is empty is named by the first call that needs it', async () => {
    const config = testConfig({
      mode: 'cookie',
      endpoints: { ...testConfig().endpoints, csrf: '', logout: '' },
    });
    const missing = setupCall(signedIn, { config, readCookies: () => '' });
    const error = await failureOf(missing.call(signIn, credentials));
    expect(error).toMatchObject({ message: '`sanctum.endpoints.csrf` is not defined', kind: 'final' });
    expect(missing.sent).toEqual([]);
    const there = setupCall(signedIn, { config });
    await there.call(signIn, credentials);
    expect((await failureOf(there.call(signOut))).message).toBe('`sanctum.endpoints.logout` is not defined');
    expect((await failureOf(there.call(getUser))).message).not.toContain('sanctum');
  });

  it.each([
    ['XSRF-TOKEN=abc', 'abc'],
    ['a=1; XSRF-TOKEN=eyJ%3D%3D; b=2', 'eyJ=='],
    ['XSRF-TOKEN=a=b=c', 'a=b=c'],
    ['XSRF-TOKEN="q%201"', 'q 1'],
    ['XSRF-TOKEN=1; XSRF-TOKEN=2', '1'],
    ['XSRF-TOKEN=%E0%A4', '%E0%A4'],
    ['XSRF-TOKEN=false', 'false'],
    ['XSRF-TOKEN=', null],
    ['XSRF-TOKEN=""', null],
    ['XSRF-TOKEN', null],
    ['NOT-XSRF-TOKEN=1', null],
    ['', null],
  ])('HTTP-3 of the cookies "%s" the token is %s', (cookies, token) => {
    expect(readCookie(cookies, 'XSRF-TOKEN')).toBe(token);
  });
});

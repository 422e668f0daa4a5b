import 'fake-indexeddb/auto';
import { createToken, getUser, signIn, signOut } from '@wardline/contract/account/auth.ts';
import { answerTwoFactorChallenge } from '@wardline/contract/account/second-factor.ts';
import { IDBFactory } from 'fake-indexeddb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeRefusal } from '#/testing/fake-api.ts';
import { createSessionServer } from '#/testing/session-setup.ts';
import { until } from '#/testing/settle.ts';

const MISMATCH = 'warn: CSRF token mismatch, check your API configuration';
const shared = { ownDevice: false };

describe('signing in and out', () => {
  let server: ReturnType<typeof createSessionServer>;
  beforeEach(() => {
    globalThis.indexedDB = new IDBFactory();
    server = createSessionServer();
  });

  it('AUTH-5 cookie mode sends the credentials and then asks who that is', async () => {
    const { session, tokens } = server.tab('cookie');
    await session.signIn('a@b', 'p', shared);
    expect(server.api.asked.slice(0, 2)).toEqual(['POST /login', 'GET /api/user']);
    expect(session.get()).toMatchObject({ status: 'signed-in', confirmed: true, user: { id: 'u1' } });
    expect(tokens).toEqual([]);
  });

  it('AUTH-5 token mode keeps the token, and forgets it at sign-out', async () => {
    const { session, tokens } = server.tab('token');
    await session.signIn('a@b', 'p', shared);
    expect(server.api.asked.slice(0, 2)).toEqual(['POST /api/tokens', 'GET /api/user']);
    await session.signOut();
    expect(tokens).toEqual(['t', null]);
  });

  it('AUTH-5 an answer without a token is named', async () => {
    const { session, tokens } = server.tab('token');
    server.api.around = async () => Response.json({ access_token: 't' });
    await expect(session.signIn('a@b', 'p', shared)).rejects.toThrow('Token was not returned from the API');
    expect(tokens).toEqual([]);
    server.api.around = (_request, go) => go();
    server.api.on(createToken, () => {
      throw new FakeRefusal('unprocessable');
    });
    await expect(session.signIn('a@b', 'p', shared)).rejects.toMatchObject({ status: 422 });
  });

  it('AUTH-5 signing in twice and signing out of nothing are refused before anything is sent', async () => {
    const { session } = server.tab('cookie');
    await expect(session.signOut()).rejects.toThrow('User is not authenticated');
    expect(server.api.asked).toEqual([]);
    await session.signIn('a@b', 'p', shared);
    const before = server.api.asked.length;
    await expect(session.signIn('a@b', 'p', shared)).rejects.toThrow('User is already authenticated');
    expect(server.api.asked).toHaveLength(before);
  });

  it('AUTH-5 a refused sign-in leaves everybody signed out, with the sentence of the server', async () => {
    const { session, text } = server.tab('cookie');
    await session.load();
    server.api.around = async ({ line }, go) =>
      line === 'POST /login'
        ? Response.json(
            { message: 'These credentials do not match our records.', errors: { email: ['No.'] } },
            { status: 422 },
          )
        : go();
    await expect(session.signIn('a@b', 'p', shared)).rejects.toMatchObject({
      message: 'These credentials do not match our records.',
      fieldErrors: { email: ['No.'] },
    });
    expect(session.get()).toEqual({ status: 'signed-out', reason: 'initial' });
    expect(text().filter((line) => !line.startsWith('debug'))).toEqual([]);
  });

  it('AUTH-5 a back end that answers a sign-in with nothing (204) has signed in', async () => {
    const { session } = server.tab('cookie');
    server.api.around = async ({ line }, go) => {
      if (line !== 'POST /login') return go();
      server.enter('a@b');
      return new Response(null, { status: 204 });
    };
    await session.signIn('a@b', 'p', shared);
    expect(session.get().status).toBe('signed-in');
  });

  it('F-L4 an own device asks to be remembered, a shared one does not', async () => {
    const { session } = server.tab('cookie');
    const sent: unknown[] = [];
    server.api.on(signIn, ({ body }) => {
      sent.push(body);
      server.enter('a@b');
      return { two_factor: false };
    });
    await session.signIn('a@b', 'p', { ownDevice: true });
    await session.signOut();
    await session.signIn('a@b', 'p', shared);
    expect(sent).toEqual([
      { email: 'a@b', password: 'p', remember: true },
      { email: 'a@b', password: 'p' },
    ]);
  });

  it('F-L8 ACC-3 an account that needs a second step is asked for it, and goes on from there', async () => {
    const { session } = server.tab('cookie');
    server.api.on(signIn, () => ({ two_factor: true }));
    await expect(session.signIn('a@b', 'p', shared)).rejects.toMatchObject({ code: 'two_factor_required' });
    expect([server.api.asked, session.get().status]).toEqual([['POST /login'], 'unknown']);
    server.api.on(answerTwoFactorChallenge, ({ body }) => {
      if (body.code !== '123456') throw new FakeRefusal('unprocessable');
      server.enter('a@b');
      return undefined;
    });
    const answer = (code: string) => session.signIn('a@b', 'p', { ...shared, secondStep: { code } });
    await expect(answer('000000')).rejects.toMatchObject({ status: 422, code: 'unprocessable' });
    await answer('123456');
    expect(session.get()).toMatchObject({ status: 'signed-in', confirmed: true });
    expect(server.api.asked.slice(1, 4)).toEqual([
      'POST /two-factor-challenge',
      'POST /two-factor-challenge',
      'GET /api/user',
    ]);
  });

  it('ACC-3 token mode sends the code with the password, and asks where a back end names the field', async () => {
    const { session, tokens } = server.tab('token');
    const sent: unknown[] = [];
    server.api.around = async ({ line, init }, go) => {
      if (line !== 'POST /api/tokens') return go();
      sent.push(JSON.parse(String(init.body)));
      if (String(init.body).includes('recovery_code')) return go();
      return Response.json({ message: 'Code?', errors: { code: ['The code field is required.'] } }, { status: 422 });
    };
    await expect(session.signIn('a@b', 'p', shared)).rejects.toMatchObject({ code: 'two_factor_required' });
    const wrong = session.signIn('a@b', 'p', { ...shared, secondStep: { code: '000000' } });
    await expect(wrong).rejects.toMatchObject({ fieldErrors: { code: ['The code field is required.'] } });
    await session.signIn('a@b', 'p', { ...shared, secondStep: { recovery_code: 'abcde-fghjk' } });
    const credentials = { email: 'a@b', password: 'p', device_name: 'Browser' };
    expect(sent).toEqual([
      credentials,
      { ...credentials, code: '000000' },
      { ...credentials, recovery_code: 'abcde-fghjk' },
    ]);
    expect([tokens.at(-1), session.get().status]).toEqual(['t', 'signed-in']);
  });

  it('AUTH-3 a sign-in with an old token fetches a fresh one for one more try; refused again it warns and says so', async () => {
    const { session, text } = server.tab('cookie');
    let refusals = 1;
    server.api.around = (_request, go) => go();
    const signsIn = () => {
      if (refusals === 0) return { two_factor: false };
      refusals -= 1;
      throw new FakeRefusal('csrf_mismatch');
    };
    server.api.on(signIn, signsIn);
    server.api.on(getUser, () => {
      throw new FakeRefusal('unauthenticated');
    });
    await expect(session.signIn('a@b', 'p', shared)).rejects.toMatchObject({ status: 401 });
    expect(server.api.asked).toEqual(['POST /login', 'GET /sanctum/csrf-cookie', 'POST /login', 'GET /api/user']);
    expect(text()).toEqual([]);
    refusals = 9;
    await expect(session.signIn('a@b', 'p', shared)).rejects.toMatchObject({ status: 419 });
    expect(text()).toEqual([MISMATCH]);
    expect(refusals).toBe(7);
  });

  describe('F-L3 where the back end redirects a sign-in because a session lives', () => {
    const redirect = () => ({ status: 0, type: 'opaqueredirect', headers: new Headers() }) as Response;
    beforeEach(() => {
      server.api.around = async ({ line }, go) =>
        line === 'POST /login' && server.state.user !== null ? redirect() : go();
      server.api.asked.length = 0;
    });

    it('F-L3 the same person enters', async () => {
      server.enter('a@b');
      const { session } = server.tab('cookie');
      await session.signIn(' A@b', 'p', shared);
      expect(session.get()).toMatchObject({ status: 'signed-in', confirmed: true, user: { id: 'u1' } });
      expect(server.api.asked.slice(0, 2)).toEqual(['POST /login', 'GET /api/user']);
    });

    it('F-L3 another is signed out first, and the sign-in is repeated', async () => {
      server.enter('a@b');
      const { session } = server.tab('cookie');
      await session.signIn('other@b', 'p', shared);
      expect(session.get()).toMatchObject({ status: 'signed-in', user: { id: 'u2' } });
      expect(server.api.asked.slice(0, 5)).toEqual([
        ...['POST /login', 'GET /api/user', 'POST /logout', 'POST /login', 'GET /api/user'],
      ]);
    });

    it('F-L3 a redirect without a session stays a failure', async () => {
      server.api.around = async ({ line }, go) => (line === 'POST /login' ? redirect() : go());
      const { session } = server.tab('cookie');
      await expect(session.signIn('a@b', 'p', shared)).rejects.toMatchObject({ code: 'redirected' });
      expect(server.api.asked).toEqual(['POST /login', 'GET /api/user']);
    });
  });

  it('AUTH-5 F-L1 a sign-out that the server fails ends here at once, is not said to be done, and is told again', async () => {
    const { session, events } = server.tab('cookie');
    const told: string[] = [];
    events.on('sanctum:logout', () => told.push('logout'));
    await session.signIn('a@b', 'p', shared);
    server.api.around = async ({ line }, go) => (line === 'POST /logout' ? new Response(null, { status: 500 }) : go());
    await session.signOut();
    expect(session.get()).toEqual({ status: 'signed-out', reason: 'not-ended' });
    expect([told, server.state.user?.id]).toEqual([['logout'], 'u1']);
    const failing = server.tab('cookie');
    await failing.session.load();
    expect(failing.session.get()).toEqual({ status: 'signed-out', reason: 'not-ended' });
    server.api.around = (_request, go) => go();
    await failing.session.refresh();
    expect([failing.session.get(), server.state.user]).toEqual([{ status: 'signed-out', reason: 'signed-out' }, null]);
    const later = server.tab('cookie');
    await later.session.load();
    expect(later.session.get()).toEqual({ status: 'signed-out', reason: 'initial' });
  });

  it('F-L1 a sign-out that the server fails is told again by itself after a while', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { session } = server.tab('cookie');
      await session.signIn('a@b', 'p', shared);
      let isFailing = true;
      server.api.around = async ({ line }, go) =>
        line === 'POST /logout' && isFailing ? new Response(null, { status: 500 }) : go();
      await session.signOut();
      isFailing = false;
      await vi.advanceTimersByTimeAsync(1000);
      await until(() => server.state.user === null);
      await session.refresh();
      expect(session.get()).toEqual({ status: 'signed-out', reason: 'initial' });
    } finally {
      vi.useRealTimers();
    }
  });

  it('F-L1 a sign-out that is answered by 419 fetches a fresh token and ends the session', async () => {
    const { session } = server.tab('cookie');
    await session.signIn('a@b', 'p', shared);
    server.api.asked.length = 0;
    let refusals = 1;
    server.api.around = async ({ line }, go) => {
      if (line !== 'POST /logout' || refusals === 0) return go();
      refusals -= 1;
      return Response.json({ message: 'CSRF token mismatch.' }, { status: 419 });
    };
    await session.signOut();
    expect([session.get(), server.state.user]).toEqual([{ status: 'signed-out', reason: 'signed-out' }, null]);
    expect(server.api.asked).toEqual(['POST /logout', 'GET /sanctum/csrf-cookie', 'POST /logout']);
  });

  it('F-L1 an owed sign-out that is refused by 419 is not taken for the end of the session', async () => {
    const first = server.tab('cookie');
    await first.session.signIn('a@b', 'p', shared);
    server.api.around = async ({ line }, go) =>
      line === 'POST /logout' ? Response.json({ message: 'CSRF token mismatch.' }, { status: 419 }) : go();
    await first.session.signOut();
    const reloaded = server.tab('cookie');
    await reloaded.session.load();
    expect([reloaded.session.get(), server.state.user?.id]).toEqual([
      { status: 'signed-out', reason: 'not-ended' },
      'u1',
    ]);
    server.api.around = (_request, go) => go();
    await reloaded.session.refresh();
    expect([reloaded.session.get(), server.state.user]).toEqual([{ status: 'signed-out', reason: 'signed-out' }, null]);
  });
});

describe('asking who is signed in', () => {
  let server: ReturnType<typeof createSessionServer>;
  beforeEach(() => {
    globalThis.indexedDB = new IDBFactory();
    server = createSessionServer();
  });
  const startWith = async (answer: () => Response | Promise<Response>) => {
    const { session, text } = server.tab('cookie');
    server.api.around = async () => await answer();
    await session.load();
    return { state: session.get(), text: text() };
  };

  it.each([401, 419])('AUTH-1 %i at the start means signed out, for debugging only', async (status) => {
    const { state, text } = await startWith(() => Response.json({ message: 'no' }, { status }));
    expect(state).toEqual({ status: 'signed-out', reason: 'initial' });
    expect(text).toEqual([`debug: User is not authenticated on initialization, status: ${status}`]);
  });

  it.each([
    ['a server error', () => new Response(null, { status: 500 })],
    ['a refusal', () => Response.json({ message: 'no' }, { status: 403 })],
    ['a page of HTML', () => new Response('<!doctype html>')],
    ['a hidden redirect', () => ({ status: 0, type: 'opaqueredirect', redirected: false }) as Response],
    ['no network', () => Promise.reject(new TypeError('no network'))],
  ])('AUTH-1 %s at the start is an error line, and the app goes on signed out', async (_what, answer) => {
    const { state, text } = await startWith(answer);
    expect(state).toEqual({ status: 'signed-out', reason: 'unreachable' });
    expect(text.at(-1)).toBe('error: Unable to load user identity from API');
  });

  it('AUTH-3 a refresh that is answered by 419 warns and ends nothing', async () => {
    const { session, text } = server.tab('cookie');
    await session.signIn('a@b', 'p', shared);
    server.api.on(getUser, () => {
      throw new FakeRefusal('csrf_mismatch');
    });
    await session.refresh();
    expect(session.get().status).toBe('signed-in');
    expect(text()).toEqual([MISMATCH]);
  });

  it('AUTH-4 a refresh is told, and brings what changed', async () => {
    const { session, events } = server.tab('cookie');
    const told: string[] = [];
    events.on('sanctum:refresh', () => told.push('refresh'));
    await session.signIn('a@b', 'p', shared);
    if (server.state.user !== null) server.state.user = { ...server.state.user, name: 'Frau Neu' };
    await session.refresh();
    expect(session.get()).toMatchObject({ user: { name: 'Frau Neu' } });
    expect(told).toEqual(['refresh']);
  });

  it('AUTH-5 a session that was ended elsewhere needs no second sign-out', async () => {
    const { session, text } = server.tab('cookie');
    await session.signIn('a@b', 'p', shared);
    server.api.on(signOut, () => {
      throw new FakeRefusal('unauthenticated');
    });
    await session.signOut();
    expect(session.get()).toEqual({ status: 'signed-out', reason: 'signed-out' });
    expect([text(), [...server.kept.keys()]]).toEqual([[], ['wardline-signed-out-at']]);
  });
});

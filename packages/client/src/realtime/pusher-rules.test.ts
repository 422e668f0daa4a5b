// @vitest-environment happy-dom
import { chatChannel } from '@wardline/contract/chat/chat.ts';
import { authorizeUser } from '@wardline/contract/realtime.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeSocket, openTestLine } from '#/testing/fake-socket.ts';

const id = '01970000-0000-7000-8000-000000000001';
const auth = { auth: 'key:signature', channel_data: JSON.stringify({ user_id: 'a', user_info: {} }) };
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const pings = (socket: FakeSocket | undefined) => socket?.sent.filter(({ event }) => event === 'pusher:ping').length;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', FakeSocket);
  FakeSocket.opened.length = 0;
  localStorage.clear();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function closeWith(code: number) {
  const { line, states } = await openTestLine({ authorize: async () => auth });
  line.subscribe(chatChannel, id);
  await pass(100);
  FakeSocket.opened[0]?.end(code);
  await pass(50);
  const atOnce = FakeSocket.opened.length - 1;
  await pass(1000);
  const afterOneSecond = FakeSocket.opened.length - 1;
  await pass(120_000);
  const state = states.at(-1);
  line.close();
  return { atOnce, afterOneSecond, state, url: FakeSocket.opened[1]?.url ?? '' };
}

describe('a socket that the server closes', () => {
  it.each([1000, 1001, 1002, 1003, 1004, 1006, 1011, 4100, 4150, 4199])(
    'RTA-4 with %i is opened again after 1 s',
    async (code) => {
      expect(await closeWith(code)).toMatchObject({ atOnce: 0, afterOneSecond: 1, state: 'connected' });
    },
  );

  it.each([4200, 4250, 4299])('RTA-4 with %i is opened again at once', async (code) => {
    expect(await closeWith(code)).toMatchObject({ atOnce: 1, state: 'connected' });
  });

  it.each([4001, 4009, 4099, 4300, 4302, 4999])('RTA-4 with %i is refused and stays closed', async (code) => {
    expect(await closeWith(code)).toMatchObject({ afterOneSecond: 0, state: 'disconnected' });
  });

  it('RTA-4 with 4000 is opened again over TLS only', async () => {
    const { atOnce, url } = await closeWith(4000);
    expect([atOnce, url.startsWith('wss://ward.test:8080/app/key?')]).toEqual([1, true]);
  });
});

describe('the timings of pusher-js', () => {
  it('RTA-5 a silent socket is asked after what the handshake says, and given up 30 s later', async () => {
    const { line } = await openTestLine({ authorize: async () => auth });
    await pass(29_000);
    expect(pings(FakeSocket.opened[0])).toBe(0);
    await pass(1500);
    expect(pings(FakeSocket.opened[0])).toBe(1);
    await pass(29_000);
    expect(FakeSocket.opened).toHaveLength(1);
    await pass(2500);
    expect(FakeSocket.opened).toHaveLength(2);
    line.close();
  });

  it('RTA-5 no statistics are sent', async () => {
    const { line } = await openTestLine({ authorize: async () => auth });
    const load = vi.spyOn(document, 'createElement');
    await pass(130_000);
    expect(load).not.toHaveBeenCalledWith('script');
    line.close();
  });

  it.each([
    [['ws'] as const, ['ws:']],
    [['ws', 'wss'] as const, ['ws:', 'wss:']],
  ])('CFG-5 only the transports of the configuration are tried: %j', async (enabledTransports, tried) => {
    const urls: string[] = [];
    const silent = class {
      constructor(url: string) {
        urls.push(url);
      }
      close(): void {
        // Never answers.
      }
    };
    vi.stubGlobal('WebSocket', silent);
    const { line } = await openTestLine({
      authorize: async () => auth,
      place: { enabledTransports: [...enabledTransports] },
    });
    await pass(30_000);
    expect([...new Set(urls.map((url) => new URL(url).protocol))].sort()).toEqual(tried);
    line.close();
  });
});

describe('signing in on the socket', () => {
  const signIn = (user: object) =>
    openTestLine({
      authorize: async () => ({ auth: 'key:sig', user_data: JSON.stringify(user) }),
      place: { isSigningIn: true },
    });
  const isSignedIn = () => FakeSocket.opened[0]?.sent.some(({ data }) => data['channel'] === '#server-to-user-u1');
  const answer = (user: object) => {
    FakeSocket.opened[0]?.say('pusher:signin_success', { user_data: JSON.stringify(user) });
    return pass(100);
  };

  it('RTA-1 asks the address for signing in and follows what is said to that person', async () => {
    const endpoints: string[] = [];
    const authorize = async (_body: object, endpoint: { name: string }) => {
      endpoints.push(endpoint.name);
      return { auth: 'key:sig', user_data: JSON.stringify({ id: 'u1' }) };
    };
    const { line, asked } = await openTestLine({ authorize, place: { isSigningIn: true } });
    await pass(100);
    expect([endpoints, asked]).toEqual([[authorizeUser.name], [{ socket_id: '1.1' }]]);
    expect(FakeSocket.opened[0]?.sent[0]).toMatchObject({ event: 'pusher:signin', data: { auth: 'key:sig' } });
    await answer({ id: 'u1' });
    expect(isSignedIn()).toBe(true);
    line.close();
  });

  it.each([{ id: 1 }, { id: '' }, {}])('RTA-1 user data needs a string id: %o is no sign-in', async (user) => {
    const { line, states } = await signIn(user);
    await pass(100);
    await answer(user);
    expect([isSignedIn(), states.at(-1)]).toEqual([false, 'connected']);
    line.close();
  });

  it('RTA-1 nobody signs in where the broadcaster knows no such thing', async () => {
    const { line, asked } = await openTestLine({ authorize: async () => auth });
    await pass(1000);
    expect(asked).toEqual([]);
    line.close();
  });
});

// @vitest-environment happy-dom
import { channelName } from '@wardline/contract/channel.ts';
import { chatChannel } from '@wardline/contract/chat/chat.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '#/http/api-error.ts';
import { FakeSocket, openTestLine } from '#/testing/fake-socket.ts';

const id = '01970000-0000-7000-8000-000000000001';
const name = channelName(chatChannel, id);
const setup = (authorize: () => Promise<object>) => openTestLine({ authorize });
const auth = { auth: 'key:signature', channel_data: JSON.stringify({ user_id: 'a', user_info: {} }) };
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('the line by laravel-echo and pusher-js', () => {
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

  it('RTA-1 authorises by our own call and subscribes with what it answered', async () => {
    const { line, frames, states, asked } = await setup(async () => auth);
    line.subscribe(chatChannel, id);
    await pass(100);
    const [socket] = FakeSocket.opened;
    expect(socket?.url).toContain('ws://ward.test:8080/app/key?protocol=7&client=js');
    expect(states).toContain('connected');
    expect(line.socketId()).toBe('1.1');
    expect(asked).toEqual([{ socket_id: '1.1', channel_name: name }]);
    expect(socket?.sent[0]).toMatchObject({ event: 'pusher:subscribe', data: { ...auth, channel: name } });
    // pusher-js tells listeners nothing of it; the raw frame does.
    const answer = frames.find((frame) => frame.event === 'pusher_internal:subscription_succeeded');
    expect(answer).toMatchObject({ channel: name, data: { head_seq: 7 } });
    line.close();
  });

  it('RTA-2 keeps the status of a refusal and can ask again', async () => {
    let status = 503;
    const { line, refused, frames } = await setup(async () => {
      if (status === 0) return auth;
      throw new ApiError('no', { status, code: 'x' });
    });
    line.subscribe(chatChannel, id);
    await pass(100);
    expect(refused).toEqual([[name, 503]]);
    status = 0;
    line.subscribeAgain(name);
    await pass(100);
    expect(frames.some((frame) => frame.event === 'pusher_internal:subscription_succeeded')).toBe(true);
    line.close();
  });

  it('F-U1 RTA-2 asks again for a channel that the server refused by a frame', async () => {
    const { line, frames } = await setup(async () => auth);
    FakeSocket.refusal = { type: 'AuthError', error: 'try again', status: 503 };
    line.subscribe(chatChannel, id);
    await pass(100);
    expect(frames.at(-1)).toMatchObject({ event: 'pusher:subscription_error', channel: name, data: { status: 503 } });
    line.subscribeAgain(name);
    await pass(100);
    expect(frames.some((frame) => frame.event === 'pusher_internal:subscription_succeeded')).toBe(true);
    line.close();
  });

  it('RTA-4 after a lost connection it is there again after 1 s, authorised anew for the new socket', async () => {
    const { line, asked, states } = await setup(async () => auth);
    line.subscribe(chatChannel, id);
    await pass(100);
    FakeSocket.opened[0]?.close();
    await pass(1200);
    expect(asked.map((body) => body['socket_id'])).toEqual(['1.1', '2.1']);
    expect(states.at(-1)).toBe('connected');
    line.close();
  });

  it('RTA-3 is unavailable after 10 s without a connection, and wakes at once', async () => {
    const { line, states } = await setup(async () => auth);
    vi.stubGlobal('WebSocket', class {});
    await pass(50);
    line.close();
    await pass(1);
    const silent = class {
      close(): void {
        // Never answers.
      }
    };
    vi.stubGlobal('WebSocket', silent);
    line.wake();
    await pass(11_000);
    expect(states.at(-1)).toBe('unavailable');
    vi.stubGlobal('WebSocket', FakeSocket);
    line.wake();
    await pass(100);
    expect(states.at(-1)).toBe('connected');
    line.close();
  });

  it('CHAT-12 whispers only on a channel that is subscribed, and hears who whispered', async () => {
    const { line, frames } = await setup(async () => auth);
    line.subscribe(chatChannel, id);
    line.whisper(name, 'typing', {});
    await pass(100);
    line.whisper(name, 'typing', {});
    await pass(10);
    const [socket] = FakeSocket.opened;
    expect(socket?.sent.filter(({ event }) => event === 'client-typing')).toHaveLength(1);
    socket?.onmessage({ data: JSON.stringify({ event: 'client-typing', channel: name, data: {}, user_id: 'b' }) });
    expect(frames.at(-1)).toMatchObject({ event: 'client-typing', user_id: 'b' });
    line.close();
  });

  it('RT-1 what was left just before the end is said on the open socket, so that nothing is sent on a closed one', async () => {
    const { line } = await setup(async () => auth);
    line.subscribe(chatChannel, id);
    await pass(100);
    const [socket] = FakeSocket.opened;
    line.unsubscribe(name);
    line.close();
    expect(socket?.readyState).toBe(1);
    await pass(10);
    expect(socket?.sent.at(-1)?.event).toBe('pusher:unsubscribe');
    expect([socket?.readyState, socket?.sentTooLate]).toEqual([3, 0]);
  });

  it('RTA-3 the ping of a network that goes is not sent on a socket that closed with it', async () => {
    const { line } = await setup(async () => auth);
    await pass(100);
    const [socket] = FakeSocket.opened;
    window.dispatchEvent(new Event('offline'));
    await pass(10);
    expect(socket?.sent.map((frame) => frame.event)).toEqual(['pusher:ping']);
    window.dispatchEvent(new Event('offline'));
    socket?.end(1006);
    await pass(10);
    expect([socket?.sent.length, socket?.sentTooLate]).toEqual([1, 0]);
    line.close();
  });

  it('CHAT-4 a channel that was left and is joined again is subscribed again', async () => {
    const { line, asked } = await setup(async () => auth);
    line.subscribe(chatChannel, id);
    await pass(100);
    line.unsubscribe(name);
    line.subscribe(chatChannel, id);
    await pass(100);
    expect(asked).toHaveLength(2);
    line.unsubscribe(name);
    await pass(100);
    expect(FakeSocket.opened[0]?.sent.at(-1)).toMatchObject({ event: 'pusher:unsubscribe', data: { channel: name } });
    line.close();
  });
});

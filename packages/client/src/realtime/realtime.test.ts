import { channel, channelName } from '@wardline/contract/channel.ts';
import { chatChannel, userChannel } from '@wardline/contract/chat/chat.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, transportError } from '#/http/api-error.ts';
import { createFakeRealtime, RefusedByFrame } from '#/testing/fake-line.ts';
import { fakeTime, settle, until } from '#/testing/settle.ts';
import { createSilentLog } from '#/testing/silent-log.ts';
import { testConfig } from '#/testing/test-config.ts';
import { socketPlace } from './echo-options.ts';
import { createRealtime } from './realtime.ts';

const id = '01970000-0000-7000-8000-000000000001';
const name = channelName(chatChannel, id);
const page = { protocol: 'https:', hostname: 'ward.test', port: '' };
const markers = { chat_id: id, user_id: id, head_seq: 3, delivered_seq: 2, read_seq: 1 };

function setup() {
  const hub = createFakeRealtime();
  const log = createSilentLog();
  const call = () => Promise.reject(new Error('not used'));
  const loadLine = async () => hub.openLine;
  const realtime = createRealtime({ config: testConfig(), call: call as never, log, page, loadLine, random: () => 1 });
  return { hub, log, realtime };
}

describe('realtime', () => {
  beforeEach(fakeTime);
  afterEach(() => void vi.useRealTimers());

  it('RTA-3 shows the states as they come', async () => {
    const { hub, realtime } = setup();
    const states: string[] = [realtime.connection.get()];
    realtime.connection.subscribe(() => states.push(realtime.connection.get()));
    realtime.join(userChannel, id, {});
    await settle();
    hub.drop();
    hub.restore();
    realtime.stop();
    expect(states).toEqual(['initialized', 'connecting', 'connected', 'connecting', 'connected', 'disconnected']);
    expect(realtime.socketId()).toBeNull();
  });

  it('RTA-1 hands over the raw answer of each subscription, and who is here', async () => {
    const { hub, realtime } = setup();
    hub.answer = () => ({ head_seq: 41, presence: { hash: { a: { name: 'A' } } } });
    const answers: unknown[] = [];
    const here: string[][] = [];
    let cuts = 0;
    realtime.join(chatChannel, id, {
      onSubscribed: (answer) => answers.push(answer),
      onHere: (members) => here.push(members.map((member) => member.id)),
      onDisconnected: () => (cuts += 1),
    });
    await settle();
    hub.drop();
    hub.restore();
    await settle();
    expect(answers).toHaveLength(2);
    expect(answers[0]).toMatchObject({ head_seq: 41 });
    expect(here).toEqual([['a'], ['a']]);
    expect(cuts).toBe(1);
  });

  it('RTA-2 tells the status of a refusal; what may pass is tried again, what is final is not', async () => {
    const { hub, realtime } = setup();
    let status = 503;
    let asked = 0;
    hub.answer = () => {
      asked += 1;
      if (status === 0) return {};
      throw new ApiError('no', { status, code: 'x' });
    };
    const refused: number[] = [];
    let subscribed = 0;
    realtime.join(userChannel, id, {
      onError: (failed) => refused.push(failed),
      onSubscribed: () => (subscribed += 1),
    });
    await until(() => asked === 2);
    status = 0;
    await until(() => subscribed === 1);
    expect(refused).toEqual([503, 503]);
    status = 403;
    hub.drop();
    hub.restore();
    await settle();
    const before = asked;
    await vi.advanceTimersByTimeAsync(120_000);
    expect(asked).toBe(before);
    expect(refused.at(-1)).toBe(403);
  });

  it('F-U1 RTA-2 tells the status of a refusal by a frame; what may pass is tried again', async () => {
    const { hub, realtime } = setup();
    let status = 503;
    let asked = 0;
    hub.answer = () => {
      asked += 1;
      if (status === 0) return {};
      throw new RefusedByFrame(status);
    };
    const refused: number[] = [];
    let subscribed = 0;
    realtime.join(chatChannel, id, {
      onError: (failed) => refused.push(failed),
      onSubscribed: () => (subscribed += 1),
    });
    await until(() => asked === 2);
    status = 4004;
    await until(() => asked === 3);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(refused).toEqual([503, 503, 4004]);
    status = 0;
    hub.drop();
    hub.restore();
    await until(() => subscribed === 1);
  });

  it('RTA-2 LOG-1 a refusal is warned of; that nobody could be reached is not one', async () => {
    const { hub, log, realtime } = setup();
    let failure = transportError('network', 'The server could not be reached.');
    let asked = 0;
    hub.answer = () => {
      asked += 1;
      throw failure;
    };
    realtime.join(userChannel, id, {});
    await until(() => asked === 2);
    const warnings = () => log.lines.filter(({ level }) => level === 'warn').map(({ line }) => line);
    expect(warnings()).toEqual([]);
    failure = new ApiError('no', { status: 503, code: 'x' });
    await until(() => asked === 3);
    expect(warnings()).toEqual(['The channel App.Models.User.{user} was refused with status 503']);
  });

  it('RTA-2 LOG-1 a channel whose socket has gone while it was asked for is not warned of, and the next socket asks again', async () => {
    const { hub, log, realtime } = setup();
    const refused: number[] = [];
    let subscribed = 0;
    let isGone = true;
    hub.answer = () => {
      if (isGone) throw new ApiError('no such socket', { status: 409, code: 'x' });
      return {};
    };
    realtime.join(userChannel, id, {
      onError: (status) => refused.push(status),
      onSubscribed: () => (subscribed += 1),
    });
    await until(() => refused.length === 1);
    expect(log.lines.filter(({ level }) => level === 'warn')).toEqual([]);
    isGone = false;
    hub.drop();
    hub.restore();
    await until(() => subscribed === 1);
  });

  it('RTA-1 several joins share one subscription until the last leaves; events are parsed, misfits logged and dropped', async () => {
    const { hub, log, realtime } = setup();
    const heard: number[] = [];
    let asked = 0;
    hub.answer = () => {
      asked += 1;
      return {};
    };
    const handlers = { events: { MarkersChanged: ({ read_seq }: { read_seq: number }) => heard.push(read_seq) } };
    const one = realtime.join(chatChannel, id, handlers);
    const two = realtime.join(chatChannel, id, handlers);
    await settle();
    hub.publish(name, 'App\\Events\\MarkersChanged', markers);
    hub.publish(name, 'App\\Events\\MarkersChanged', { ...markers, read_seq: 'secret' });
    await settle();
    expect([asked, heard]).toEqual([1, [1, 1]]);
    expect(log.lines.map(({ line }) => line)).toEqual([
      'An event MarkersChanged on chat.{chat} does not fit at read_seq and was dropped',
    ]);
    one.leave();
    one.leave();
    hub.publish(name, 'App\\Events\\MarkersChanged', markers);
    await settle();
    expect(heard).toHaveLength(3);
    two.leave();
    hub.publish(name, 'App\\Events\\MarkersChanged', markers);
    await settle();
    expect(heard).toHaveLength(3);
  });

  it('F-C2 says that a public channel, or an encrypted one, carries no client events', async () => {
    const { hub, log, realtime } = setup();
    const heard: string[] = [];
    const whispers = { typing: () => heard.push('typing') };
    const lines = [];
    for (const kind of ['public', 'private-encrypted', 'private'] as const) {
      const ward = channel({ kind, pattern: 'ward.{ward}', param: 'ward', events: {} });
      realtime.join(ward, '3a', { whispers });
      const other = createRealtime({
        ...{ config: testConfig(), call: (() => undefined) as never, log, page },
        loadLine: async () => hub.openLine,
      });
      lines.push(other.join(ward, '3a', {}));
    }
    await settle();
    for (const line of lines) line.whisper('typing', {});
    await settle();
    expect(heard).toEqual(['typing']);
    expect(log.lines.map(({ line }) => line)).toEqual(
      Array.from({ length: 2 }, () => 'The channel ward.{ward} carries no client events'),
    );
  });

  it('RTA-6 loading the client is tried again', async () => {
    const hub = createFakeRealtime();
    let tries = 0;
    const realtime = createRealtime({
      config: testConfig(),
      call: (() => undefined) as never,
      log: createSilentLog(),
      page,
      async loadLine() {
        tries += 1;
        if (tries < 3) throw new Error('offline');
        return hub.openLine;
      },
    });
    realtime.join(userChannel, id, {});
    await until(() => realtime.connection.get() === 'connected');
    expect(tries).toBe(3);
  });

  it('CFG-5 the socket is where the configuration says, else where the page is', () => {
    const echo = testConfig().echo;
    const place = (change: Partial<typeof echo>, at = page) => socketPlace({ echo: { ...echo, ...change } }, at);
    const dev = { protocol: 'http:', hostname: '127.0.0.1', port: '8080' };
    expect(place({})).toMatchObject({ wsHost: 'ward.test', wssPort: 443, forceTLS: true });
    expect(place({}, dev)).toMatchObject({ wsHost: '127.0.0.1', wsPort: 8080, forceTLS: false });
    expect(place({ scheme: 'https' }, dev)).toMatchObject({ wssPort: 8080, forceTLS: true });
    expect(place({ host: 'socket.test', scheme: 'http' })).toMatchObject({
      wsHost: 'socket.test',
      wsPort: 80,
      forceTLS: false,
    });
    expect(place({ host: 'socket.test', port: 6001 })).toMatchObject({ wsPort: 6001, wssPort: 6001 });
    expect(place({ key: 'other', transports: ['wss'] })).toMatchObject({ key: 'other', enabledTransports: ['wss'] });
  });

  it('CFG-2 pusher is reached over TLS whatever the page is, and signed in to', () => {
    const echo = { ...testConfig().echo, broadcaster: 'pusher' as const, host: 'ws-eu.pusher.com' };
    const place = socketPlace({ echo }, { protocol: 'http:', hostname: '127.0.0.1', port: '8080' });
    expect(place).toMatchObject({ wssPort: 443, forceTLS: true, isSigningIn: true });
  });

  it('CFG-5 events are known by the namespace that the configuration names', async () => {
    const hub = createFakeRealtime();
    const config = testConfig({ echo: { ...testConfig().echo, namespace: 'Ward.News' } });
    const call = (() => undefined) as never;
    const realtime = createRealtime({ config, call, log: createSilentLog(), page, loadLine: async () => hub.openLine });
    const heard: number[] = [];
    realtime.join(chatChannel, id, { events: { MarkersChanged: ({ read_seq }) => heard.push(read_seq) } });
    await settle();
    hub.publish(name, 'App\\Events\\MarkersChanged', markers);
    hub.publish(name, 'Ward\\News\\MarkersChanged', { ...markers, read_seq: 2 });
    await settle();
    expect(heard).toEqual([2]);
  });
});

// @vitest-environment happy-dom
import { randomBytes } from 'node:crypto';
import { type ChannelKind, channel, channelId, channelName } from '@wardline/contract/channel.ts';
import nacl from 'tweetnacl';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeSocket, openTestLine } from '#/testing/fake-socket.ts';

const of = (kind: ChannelKind) => channel({ kind, pattern: 'ward.{ward}', param: 'ward', events: {} });
const SECRET = randomBytes(32);
const NAME = 'private-encrypted-ward.3a';
const authorized = { auth: 'key:sig', channel_data: JSON.stringify({ user_id: 'a', user_info: {} }) };
const withSecret = { auth: 'key:sig', shared_secret: SECRET.toString('base64') };
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const sent = (event: string) =>
  FakeSocket.opened.flatMap((socket) => socket.sent.filter((frame) => frame.event === event));

/** An event as a server encrypts it that has the key. */
function encrypted(text: string, key: Uint8Array = SECRET): string {
  const nonce = randomBytes(nacl.secretbox.nonceLength);
  const ciphertext = nacl.secretbox(Buffer.from(text), nonce, key);
  return JSON.stringify({ nonce: nonce.toString('base64'), ciphertext: Buffer.from(ciphertext).toString('base64') });
}

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

describe('the four kinds of channels', () => {
  it('F-C2 RTA-1 each has its name on the wire, and a name belongs to one kind only', () => {
    const kinds = ['public', 'private', 'presence', 'private-encrypted'] as const;
    const names = kinds.map((kind) => channelName(of(kind), '3a'));
    expect(names).toEqual(['ward.3a', 'private-ward.3a', 'presence-ward.3a', NAME]);
    for (const [n, kind] of kinds.entries()) {
      expect(names.map((name) => channelId(of(kind), name))).toEqual(names.map((_name, m) => (m === n ? '3a' : null)));
    }
    const any = channel({ kind: 'private', pattern: '{name}', param: 'name', events: {} });
    expect([channelId(any, 'private-news'), channelId(any, 'private-encrypted-news')]).toEqual(['news', null]);
  });

  it('F-C2 RTA-1 a public one is joined without asking anybody, the others are authorised', async () => {
    const { line, asked, frames } = await openTestLine({
      authorize: async ({ channel_name: name }) => (name === NAME ? withSecret : authorized),
    });
    for (const kind of ['public', 'private', 'presence', 'private-encrypted'] as const) line.subscribe(of(kind), '3a');
    await vi.waitFor(() => expect(sent('pusher:subscribe')).toHaveLength(4));
    await pass(100);
    expect(asked.map(({ channel_name: name }) => name)).toEqual(['private-ward.3a', 'presence-ward.3a', NAME]);
    expect(sent('pusher:subscribe')[0]?.data).toEqual({ auth: '', channel: 'ward.3a' });
    FakeSocket.opened[0]?.say('App\\Events\\Moved', JSON.stringify({ bed: 4 }), 'ward.3a');
    expect(frames.at(-1)).toMatchObject({ event: 'App\\Events\\Moved', channel: 'ward.3a', data: { bed: 4 } });
    expect(FakeSocket.opened).toHaveLength(1);
    line.close();
  });

  it('F-C2 RT-1 only private and presence channels carry client events', async () => {
    const { line } = await openTestLine({
      authorize: async ({ channel_name: name }) => (name === NAME ? withSecret : authorized),
    });
    for (const kind of ['public', 'private', 'presence', 'private-encrypted'] as const) line.subscribe(of(kind), '3a');
    await vi.waitFor(() => expect(sent('pusher:subscribe')).toHaveLength(4));
    await pass(100);
    for (const name of ['ward.3a', 'private-ward.3a', 'presence-ward.3a', NAME]) line.whisper(name, 'typing', {});
    await pass(10);
    expect(sent('client-typing')).toHaveLength(2);
    line.close();
  });
});

describe('an encrypted channel', () => {
  const open = (authorize = async (): Promise<object> => withSecret) => {
    const loadEncryption = vi.fn(() => import('./encrypted-channels.ts'));
    return openTestLine({ authorize, loadEncryption }).then((opened) => ({ ...opened, loadEncryption }));
  };
  const say = (data: string) => FakeSocket.opened[0]?.say('App\\Events\\Moved', data, NAME);
  const joined = () => vi.waitFor(() => expect(sent('pusher:subscribe')).toHaveLength(1)).then(() => pass(100));

  it('F-C2 loads what decrypts with the first such channel, and not before', async () => {
    const { line, loadEncryption } = await open();
    line.subscribe(of('private'), '3a');
    await pass(100);
    expect(loadEncryption).not.toHaveBeenCalled();
    line.subscribe(of('private-encrypted'), '3a');
    await vi.waitFor(() => expect(sent('pusher:subscribe')).toHaveLength(2));
    expect(loadEncryption).toHaveBeenCalled();
    line.close();
  });

  it('F-C2 RTA-1 is read with its shared secret, which is not sent back', async () => {
    const { line, frames, asked } = await open();
    line.subscribe(of('private-encrypted'), '3a');
    await joined();
    expect(asked).toEqual([{ socket_id: '1.1', channel_name: NAME }]);
    expect(sent('pusher:subscribe')[0]?.data).toEqual({ auth: 'key:sig', channel: NAME });
    say(encrypted(JSON.stringify({ bed: 4 })));
    await pass(10);
    const told = frames.filter(({ channel: name, event }) => name === NAME && !event.startsWith('pusher'));
    expect(told).toEqual([{ event: 'App\\Events\\Moved', channel: NAME, data: { bed: 4 } }]);
    line.close();
  });

  it('F-C2 asks for the secret anew where it does not fit, and drops what still cannot be read', async () => {
    const rotated = randomBytes(32);
    let secret = SECRET;
    const { line, frames, asked } = await open(async () => ({
      auth: 'key:sig',
      shared_secret: secret.toString('base64'),
    }));
    line.subscribe(of('private-encrypted'), '3a');
    await joined();
    secret = rotated;
    say(encrypted(JSON.stringify({ bed: 5 }), rotated));
    await pass(10);
    say(encrypted(JSON.stringify({ bed: 6 }), randomBytes(32)));
    say(JSON.stringify({ bed: 7 }));
    await pass(10);
    expect(asked).toHaveLength(3);
    const told = frames.filter(({ event }) => event === 'App\\Events\\Moved').map(({ data }) => data);
    expect(told).toEqual([{ bed: 5 }]);
    line.close();
  });

  it('F-C2 is refused where the back end has no secret for it', async () => {
    const { line, refused } = await open(async () => ({ auth: 'key:sig' }));
    line.subscribe(of('private-encrypted'), '3a');
    await vi.waitFor(() => expect(refused).toEqual([[NAME, 0]]));
    expect(sent('pusher:subscribe')).toEqual([]);
    line.close();
  });

  it('F-C2 RTA-6 is asked for again after what decrypts could not be loaded', async () => {
    let isOffline = true;
    const { line, refused } = await openTestLine({
      authorize: async () => withSecret,
      loadEncryption: () => (isOffline ? Promise.reject(new Error('offline')) : import('./encrypted-channels.ts')),
    });
    line.subscribe(of('private-encrypted'), '3a');
    await pass(100);
    expect(refused).toEqual([[NAME, 0]]);
    isOffline = false;
    line.subscribeAgain(NAME);
    await joined();
    line.close();
  });

  it('F-C2 is not joined by who left it while it was loading, and is heard once by who came back', async () => {
    const { line, frames } = await open();
    line.subscribe(of('private-encrypted'), '3a');
    line.unsubscribe(NAME);
    await pass(100);
    expect(sent('pusher:subscribe')).toEqual([]);
    line.subscribe(of('private-encrypted'), '3a');
    await joined();
    line.unsubscribe(NAME);
    await pass(100);
    line.subscribe(of('private-encrypted'), '3a');
    await vi.waitFor(() => expect(sent('pusher:subscribe')).toHaveLength(2));
    await pass(100);
    say(encrypted('{}'));
    await pass(10);
    expect(frames.filter(({ event }) => event === 'App\\Events\\Moved')).toHaveLength(1);
    line.close();
  });
});

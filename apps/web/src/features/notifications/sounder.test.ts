import { ApiError, transportError } from '@wardline/client/http/api-error.ts';
import type { Chat } from '@wardline/contract/chat/chat.ts';
import type { NotificationSettings } from '@wardline/contract/chat/notifications.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { allChats, ana, mira } from '#/testing/fake-chats.ts';
import { createSounder, type SounderDeps } from './sounder.ts';

const settings: NotificationSettings = {
  sounds: { routine: 'soft', urgent: 'loud' },
  mail_digest: 'off',
  quiet_hours: null,
  quiet_off_call: false,
  quiet_facility_ids: [],
  has_push: false,
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const [sample] = allChats;
const last = { kind: 'text', sender_id: mira.id, sender_name: mira.name, excerpt: 'Hello' };

/** The chat once it has come to this seq, of which so much is read. */
function chatAt(head: number, my: Partial<Chat['my']> = {}, more: Partial<Chat> = {}): Chat {
  if (!sample) throw new Error('there is no sample of a chat');
  const place = {
    ...sample.my,
    notify: 'all',
    muted_until: null,
    sound: true,
    read_seq: 5,
    unread: head - 5,
    ...my,
  } as const;
  return {
    ...sample,
    head_seq: head,
    last_message: { ...sample.last_message, ...last } as Chat['last_message'],
    ...more,
    my: place,
  };
}

function start(change: Partial<SounderDeps> = {}) {
  const played: string[] = [];
  const loadSettings = vi.fn(async () => settings);
  const deps = {
    myId: ana.id,
    loadSettings,
    isMine: () => true,
    play: (...what: string[]) => void played.push(what.join(' ')),
    isWaiting: async () => true,
  };
  const sounder = createSounder({ ...deps, ...change });
  sounder.onChats([chatAt(5)]);
  return { sounder, played, loadSettings };
}

it('CHAT-21 CHAT-23 sounds for what came in a chat that was chosen, and is unread a moment later', async () => {
  const { sounder, played } = start();
  sounder.onChats([chatAt(6)]);
  expect(played).toEqual([]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(played).toEqual(['routine soft']);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(played).toEqual(['routine soft']);
});

it.each<[string, Chat]>([
  ['in a chat for which no sound was chosen', chatAt(6, { sound: false })],
  ['in one that says nothing of sounds', chatAt(6, { sound: undefined } as Partial<Chat['my']>)],
  ['in one that is muted', chatAt(6, { muted_until: '2999-01-01T00:00:00Z' })],
  ['in one of which only mentions are wanted', chatAt(6, { notify: 'mentions' })],
  ['of one’s own', chatAt(6, {}, { last_message: { ...last, sender_id: ana.id } as Chat['last_message'] })],
  ['of the system', chatAt(6, {}, { last_message: { ...last, kind: 'system' } as Chat['last_message'] })],
])('CHAT-23 makes no sound for a message %s', async (_what, chat) => {
  const { sounder, played } = start();
  sounder.onChats([chat]);
  await vi.advanceTimersByTimeAsync(5000);
  expect(played).toEqual([]);
});

it('CHAT-21 makes none where it was read meanwhile, here or elsewhere, in another tab, and in quiet hours', async () => {
  const read = start();
  read.sounder.onChats([chatAt(6)]);
  read.sounder.onChats([chatAt(6, { read_seq: 6, unread: 0 })]);
  const other = start({ isMine: () => false });
  other.sounder.onChats([chatAt(6)]);
  const quiet = start({ loadSettings: async () => ({ ...settings, quiet_facility_ids: [chatAt(6).facility_id] }) });
  quiet.sounder.onChats([chatAt(6)]);
  await vi.advanceTimersByTimeAsync(5000);
  expect([read, other, quiet].flatMap(({ played }) => played)).toEqual([]);
});

it('CHAT-23 many messages make one sound, and the settings are asked for once a minute at most', async () => {
  const { sounder, played, loadSettings } = start();
  for (let head = 6; head < 26; head++) sounder.onChats([chatAt(head)]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(played).toEqual(['routine soft']);
  await vi.advanceTimersByTimeAsync(5000);
  sounder.onChats([chatAt(26)]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(played).toHaveLength(2);
  expect(loadSettings).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(61_000);
  sounder.onChats([chatAt(27)]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(played).toHaveLength(3);
  expect(loadSettings).toHaveBeenCalledTimes(2);
});

const call = { chatId: chatAt(5).id, messageId: '01970000-0000-7000-8000-00000000aaaa' };

it('URG-1 CHAT-21 what is urgent sounds at once and again until it was seen, muted or not, and once more when called again', async () => {
  const { sounder, played } = start();
  const muted = { muted_until: '2999-01-01T00:00:00Z', sound: false };
  sounder.onUrgent(call);
  sounder.onChats([chatAt(6, muted)]);
  await vi.advanceTimersByTimeAsync(33_000);
  expect(played).toEqual(Array(3).fill('urgent loud'));
  sounder.onChats([chatAt(6, { ...muted, read_seq: 6, unread: 0 })]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(played).toHaveLength(3);
  sounder.onUrgent(call);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(played).toHaveLength(4);
});

it('URG-1 what another has accepted sounds no more, nor what one has turned off, in the other tab, or in a chat that tells nothing', async () => {
  let isWaiting = true;
  const accepted = start({ isWaiting: async () => isWaiting });
  accepted.sounder.onChats([chatAt(6)]);
  accepted.sounder.onUrgent(call);
  await vi.advanceTimersByTimeAsync(1);
  isWaiting = false;
  const off = start({ loadSettings: async () => ({ ...settings, sounds: { routine: 'soft', urgent: 'off' } }) });
  off.sounder.onUrgent(call);
  const other = start({ isMine: () => false });
  other.sounder.onUrgent(call);
  const silent = start();
  silent.sounder.onChats([chatAt(5, { notify: 'none' })]);
  silent.sounder.onUrgent(call);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(accepted.played).toEqual(['urgent loud']);
  expect([off, other, silent].flatMap(({ played }) => played)).toEqual([]);
});

it('URG-1 one request that fails ends no calling, at the first time or later', async () => {
  let isFailing = true;
  const isWaiting = async () => {
    if (isFailing) throw transportError('network', 'The server could not be reached.');
    return true;
  };
  const { sounder, played } = start({ isWaiting });
  sounder.onChats([chatAt(6)]);
  sounder.onUrgent(call);
  await vi.advanceTimersByTimeAsync(1_000);
  isFailing = false;
  await vi.advanceTimersByTimeAsync(3_000);
  const urgent = () => played.filter((what) => what.startsWith('urgent')).length;
  expect(urgent()).toBe(1);
  isFailing = true;
  await vi.advanceTimersByTimeAsync(15_000);
  isFailing = false;
  await vi.advanceTimersByTimeAsync(4_000);
  expect(urgent()).toBe(2);
});

it('URG-1 asked in vain, it asks once more soon and then at its pace, and no more of a message that it is refused', async () => {
  let failure = transportError('network', 'The server could not be reached.');
  const isWaiting = vi.fn(async () => Promise.reject(failure));
  const { sounder } = start({ isWaiting });
  sounder.onChats([chatAt(6)]);
  sounder.onUrgent(call);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(isWaiting).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(isWaiting).toHaveBeenCalledTimes(4);
  failure = new ApiError('Not found.', { status: 404, code: 'not_found', kind: 'final' });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(isWaiting).toHaveBeenCalledTimes(5);
});

it('URG-1 the tab that takes over from a closed one goes on calling', async () => {
  let isMine = false;
  const { sounder, played } = start({ isMine: () => isMine });
  sounder.onChats([chatAt(6)]);
  sounder.onUrgent(call);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(played).toEqual([]);
  isMine = true;
  await vi.advanceTimersByTimeAsync(15_000);
  expect(played).toContain('urgent loud');
});

it('URG-1 called once more, it calls by the newer turn alone', async () => {
  const { sounder, played } = start();
  sounder.onChats([chatAt(6, { unread: 1 })]);
  sounder.onUrgent(call);
  await vi.advanceTimersByTimeAsync(5_000);
  sounder.onUrgent(call);
  await vi.advanceTimersByTimeAsync(14_000);
  expect(played.filter((what) => what.startsWith('urgent'))).toHaveLength(2);
});

it('CHAT-21 nothing sounds after it was stopped, or when the settings cannot be asked', async () => {
  const stopped = start();
  stopped.sounder.onChats([chatAt(6)]);
  stopped.sounder.stop();
  const offline = start({ loadSettings: () => Promise.reject(new Error('offline')) });
  offline.sounder.onChats([chatAt(6)]);
  await vi.advanceTimersByTimeAsync(5000);
  expect([...stopped.played, ...offline.played]).toEqual([]);
});

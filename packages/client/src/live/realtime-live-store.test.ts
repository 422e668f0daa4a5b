import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSilentLog } from '#/testing/silent-log.ts';
import type { LiveStore } from './live-store.ts';
import { createRealtimeLiveStore, type RealtimeLiveDeps } from './realtime-live-store.ts';

type Handlers = Parameters<RealtimeLiveDeps['join']>[1];

interface Member {
  readonly userId: string | null;
  readonly chatId: string;
  readonly handlers: Handlers;
  isUp: boolean;
}

/** The channels of chats, as a server carries them that looks at nothing: Laravel's, say. */
function openHub() {
  const members = new Set<Member>();
  const subscribe = (member: Member) =>
    queueMicrotask(() => {
      if (!members.has(member)) return;
      member.isUp = true;
      member.handlers.onSubscribed?.({});
    });
  const said: unknown[] = [];
  return {
    members,
    said,
    cut() {
      for (const member of members) {
        member.isUp = false;
        member.handlers.onDisconnected?.();
      }
    },
    restore: () => members.forEach(subscribe),
    openPage(userId: string | null): LiveStore {
      const join: RealtimeLiveDeps['join'] = (chatId, handlers) => {
        const member: Member = { userId, chatId, handlers, isUp: false };
        members.add(member);
        subscribe(member);
        return {
          leave: () => void members.delete(member),
          whisper(name, data) {
            if (!member.isUp) return;
            said.push(data);
            for (const other of [...members].filter((one) => one !== member && one.isUp && one.chatId === chatId))
              other.handlers.whispers?.[name]?.(structuredClone(data), userId);
          },
        };
      };
      return createRealtimeLiveStore({ join, newId: randomUUID, log: createSilentLog() });
    },
  };
}

const EXAMINATION = 'chats/c1/examinations/019ff2c9-0000-7000-8000-000000000005';
const POTASSIUM = `${EXAMINATION}/fields/potassium`;
const SODIUM = `${EXAMINATION}/fields/sodium`;

/** What a page shows, and how often it was told. */
function follow(store: LiveStore, path: string) {
  const watched = store.watch(path);
  const counted = { calls: 0 };
  const stop = watched.subscribe(() => (counted.calls += 1));
  return { stop, counted, now: () => watched.get().map((entry) => `${entry.userId} ${entry.path}`) };
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the live store over client events', () => {
  it('CHAT-12 shows others at a path and below it, tells of changes alone, and not of oneself', async () => {
    const hub = openHub();
    const [ana, mira] = [hub.openPage('ana'), hub.openPage('mira')];
    const [all, one, other] = [follow(mira, EXAMINATION), follow(mira, POTASSIUM), follow(mira, 'chats/c2')];
    const own = follow(ana, EXAMINATION);
    ana.patch(POTASSIUM, 'editing', 20_000);
    ana.patch(SODIUM, 'editing', 20_000);
    await pass(1_000);
    expect(all.now()).toEqual([`ana ${POTASSIUM}`, `ana ${SODIUM}`]);
    expect([one.now(), other.now(), own.now()]).toEqual([[`ana ${POTASSIUM}`], [], []]);
    const before = one.counted.calls;
    for (let again = 0; again < 3; again += 1) {
      ana.patch(POTASSIUM, 'editing', 20_000);
      ana.patch(SODIUM, 'editing', 20_000);
      await pass(7_000);
    }
    expect(one.counted.calls).toBe(before);
    ana.remove(SODIUM);
    await pass(1_000);
    expect(all.now()).toEqual([`ana ${POTASSIUM}`]);
  });

  it('CHAT-12 who comes later is told within a second, by those who are there', async () => {
    const hub = openHub();
    const [ana, mira] = [hub.openPage('ana'), hub.openPage('mira')];
    ana.patch(POTASSIUM, 'editing', 20_000);
    await pass(5_000);
    const late = follow(mira, EXAMINATION);
    await pass(1_000);
    expect(late.now()).toEqual([`ana ${POTASSIUM}`]);
    // What was said to the one who asked counts from when it was said first.
    await pass(14_100);
    expect(late.now()).toEqual([]);
  });

  it('CHAT-12 R1 after a server that forgot everything each is told anew, whoever has gone meanwhile is not', async () => {
    const hub = openHub();
    const [ana, mira, leila] = [hub.openPage('ana'), hub.openPage('mira'), hub.openPage('leila')];
    const [atAna, atMira] = [follow(ana, EXAMINATION), follow(mira, EXAMINATION)];
    ana.patch(POTASSIUM, 'editing', 30_000);
    mira.patch(SODIUM, 'editing', 30_000);
    leila.patch(POTASSIUM, 'editing', 30_000);
    await pass(1_000);
    expect(atMira.now()).toEqual([`ana ${POTASSIUM}`, `leila ${POTASSIUM}`]);
    hub.cut();
    for (const member of hub.members) if (member.userId === 'leila') hub.members.delete(member);
    await pass(25_000);
    ana.patch(POTASSIUM, 'editing', 30_000);
    mira.patch(SODIUM, 'editing', 30_000);
    await pass(10_000);
    // Nobody is known to be there.
    expect([atAna.now(), atMira.now()]).toEqual([[], []]);
    hub.restore();
    await pass(1_000);
    expect([atAna.now(), atMira.now()]).toEqual([[`mira ${SODIUM}`], [`ana ${POTASSIUM}`]]);
  });

  it('CHAT-6 forgets at once what it saw of a chat that it is refused', async () => {
    const hub = openHub();
    const [ana, mira] = [hub.openPage('ana'), hub.openPage('mira')];
    const seen = follow(mira, EXAMINATION);
    ana.patch(POTASSIUM, 'editing', 20_000);
    await pass(1_000);
    for (const { userId, handlers } of hub.members) if (userId === 'mira') handlers.onError?.(403);
    expect(seen.now()).toEqual([]);
  });

  it('CHAT-12 leaves the channel when nobody watches and nothing is live, once that was said; and is heard when it comes again', async () => {
    const hub = openHub();
    const [ana, mira] = [hub.openPage('ana'), hub.openPage('mira')];
    const seen = follow(mira, EXAMINATION);
    for (let visit = 0; visit < 2; visit += 1) {
      ana.patch(POTASSIUM, 'editing', 20_000);
      await pass(1_000);
      expect(seen.now()).toEqual([`ana ${POTASSIUM}`]);
      ana.remove(POTASSIUM);
      await pass(1_000);
      expect(seen.now()).toEqual([]);
      expect([...hub.members].map(({ userId }) => userId)).toEqual(['mira']);
    }
    seen.stop();
    expect(hub.members.size).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('CHAT-6 takes nothing from whom the server does not name, and nothing of no kind', async () => {
    const hub = openHub();
    const [nobody, ana, mira] = [hub.openPage(null), hub.openPage('ana'), hub.openPage('mira')];
    const seen = follow(mira, 'chats/c1');
    nobody.patch(POTASSIUM, 'editing', 20_000);
    ana.patch(POTASSIUM, 'Edith Maron, 6.8', 20_000);
    ana.patch('chats/c1/notes', 'editing', 20_000);
    await pass(1_000);
    expect(hub.said.length).toBeGreaterThan(1);
    expect(seen.now()).toEqual([]);
    expect(() => ana.patch('facilities/f1/notes', 'editing', 1)).toThrow('of no chat');
  });
});

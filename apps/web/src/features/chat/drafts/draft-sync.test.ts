// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { ApiError } from '@wardline/client/http/api-error.ts';
import type { Call } from '@wardline/client/http/call.ts';
import { createSource } from '@wardline/client/observable.ts';
import { fakeTime, settle } from '@wardline/client/testing/settle.ts';
import { createSilentLog } from '@wardline/client/testing/silent-log.ts';
import type { Message } from '@wardline/contract/chat/chat.ts';
import { type Draft, listDrafts, type SavedDraft } from '@wardline/contract/chat/drafts.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChatListItem } from '#/features/chat/core/chat-view.ts';
import { acceptOffer, discardOffer, mentionsName, readDraft, readOffer, replyName } from './draft-content.ts';
import { openDrafts } from './draft-store.ts';
import { createDraftSync, type DraftSyncDeps, PAUSE_MS, SAVE_EVERY_MS } from './draft-sync.ts';

const CHAT = '019ff2c9-0000-5000-8000-000000000001';
const OTHER = '019ff2c9-0000-7000-8000-000000000002';
const ME = 'ana';
let made = 0;

/** Keeps drafts by the rule of the server, and tells every page but the one that saved. */
function createServer() {
  let stored: SavedDraft | null = null;
  let version = 0;
  const pages: { join: (told: { chat_id: string; version: number }) => void; id: string }[] = [];
  const saves: (string | null)[] = [];
  /** What happens to a save: is stored and answered, is stored and the answer lost, does not arrive. */
  let fate: 'answered' | 'answer lost' | 'lost' = 'answered';
  /** Chats that are not mine any more, or not yet. */
  const absent = new Set<string>();
  const asked: string[] = [];
  let keepsDrafts = true;
  const fail = (status: number, code: string) =>
    new ApiError(code, { status, code, kind: status ? 'final' : 'temporary' });
  const save = (given: { draft: Draft | null; seen_version: number; writer: string }) => {
    if (fate === 'lost') throw fail(0, 'network');
    saves.push(given.draft?.body ?? null);
    if (JSON.stringify(stored?.draft ?? null) === JSON.stringify(given.draft)) return { version: stored?.version ?? 0 };
    const { draft, seen_version, writer } = given;
    if (stored && stored.version !== seen_version && stored.writer !== writer) throw fail(409, 'conflict');
    version += 1;
    stored = { chat_id: CHAT, version, writer, saved_at: new Date().toISOString(), draft };
    for (const page of pages) if (page.id !== writer) page.join({ chat_id: CHAT, version });
    if (fate === 'answer lost') throw fail(0, 'network');
    return { version };
  };
  interface Asked {
    readonly body?: Parameters<typeof save>[0];
    readonly params?: { readonly chat: string };
  }
  const call = (async (endpoint: unknown, { body, params }: Asked) => {
    await Promise.resolve();
    if (endpoint === listDrafts) {
      if (fate === 'lost') throw fail(0, 'network');
      if (!keepsDrafts) throw fail(404, 'not_found');
      return { data: stored ? [stored] : [] };
    }
    asked.push(params?.chat ?? '');
    if (fate !== 'lost' && (!keepsDrafts || absent.has(params?.chat ?? ''))) throw fail(404, 'not_found');
    return body && save(body);
  }) as unknown as Call;
  return {
    call,
    absent,
    asked,
    keepNoDrafts: () => {
      keepsDrafts = false;
    },
    pages,
    saves,
    body: () => stored?.draft?.body ?? null,
    stored: () => stored,
    fail: (next: typeof fate) => {
      fate = next;
    },
  };
}
type Server = ReturnType<typeof createServer>;

function createTab() {
  const kept = new Map<string, string>();
  return Object.defineProperties(
    {
      getItem: (key: string) => kept.get(key) ?? null,
    } as unknown as Storage & Record<string, string>,
    {
      setItem: {
        value(this: Record<string, string>, key: string, value: string) {
          kept.set(key, value);
          this[key] = value;
        },
      },
      removeItem: {
        value(this: Record<string, string>, key: string) {
          kept.delete(key);
          delete this[key];
        },
      },
    },
  ) as Storage;
}
const keptIn = (tab: Storage) => Object.entries(tab).filter(([, value]) => typeof value === 'string');

function openPage(
  server: Server,
  tab = createTab(),
  chats = [CHAT],
  given: { readonly status?: 'loading' | 'ready' } = {},
) {
  made += 1;
  const id = `writer-${made}`;
  const drafts = openDrafts(ME, tab);
  const focus = createSource(true);
  const items = (ids: readonly string[], status: 'loading' | 'ready' = 'ready') => ({
    ...{ status, isFromDevice: false },
    items: ids.map((one) => ({ chat: { id: one } }) as ChatListItem),
  });
  const list = createSource(items(chats, given.status));
  let subscribed = (): void => undefined;
  const realtime = {
    join(_channel: unknown, _id: string, handlers: { events: unknown; onSubscribed?: (data: unknown) => void }) {
      const { DraftChanged } = handlers.events as { DraftChanged: Server['pages'][number]['join'] };
      const page = { id, join: DraftChanged };
      server.pages.push(page);
      subscribed = () => handlers.onSubscribed?.({});
      subscribed();
      return { leave: () => void server.pages.splice(server.pages.indexOf(page), 1), whisper: () => undefined };
    },
  } as unknown as DraftSyncDeps['realtime'];
  const log = createSilentLog();
  const sync = createDraftSync({
    ...{ userId: ME, drafts, storage: tab, call: server.call, realtime, focus, chats: list, log },
    ...{ newId: () => id, random: () => 0.5 },
  });
  return {
    ...{ drafts, sync, tab, focus },
    type: (text: string) => drafts.write(CHAT, text),
    text: () => drafts.read(CHAT),
    offer: () => readOffer(drafts, CHAT)?.body ?? null,
    know: (ids: readonly string[]) => list.set(items(ids)),
    reconnect: () => subscribed(),
  };
}

const pass = async (ms: number) => {
  await vi.advanceTimersByTimeAsync(ms);
  await settle();
};
const message = (body: string, more: Partial<Message> = {}) =>
  ({
    chat_id: CHAT,
    sender: { id: ME },
    body,
    created_at: new Date(Date.now() + 1000).toISOString(),
    ...more,
  }) as Message;

describe('CHAT-10 drafts of several devices', () => {
  let server: Server;
  beforeEach(() => {
    fakeTime();
    server = createServer();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('a draft is saved when typing pauses, at most once in five seconds, and shown on the other device', async () => {
    const [ward, phone] = [openPage(server), openPage(server)];
    await settle();
    ward.type('K');
    await pass(PAUSE_MS - 100);
    ward.type('K 6');
    await pass(PAUSE_MS - 100);
    expect(server.saves).toEqual([]);
    await pass(200);
    expect(server.saves).toEqual(['K 6']);
    expect(phone.text()).toBe('K 6');
    ward.type('K 6.8');
    await pass(PAUSE_MS + 100);
    expect(server.saves).toEqual(['K 6']);
    await pass(SAVE_EVERY_MS);
    expect(phone.text()).toBe('K 6.8');
    expect(phone.offer()).toBeNull();
  });

  it('007 what another device wrote stays out of the tab’s storage until it is written on here', async () => {
    const [ward, phone] = [openPage(server), openPage(server)];
    await settle();
    ward.type('from the ward');
    await pass(PAUSE_MS);
    expect(phone.text()).toBe('from the ward');
    expect(keptIn(phone.tab)).toEqual([]);
    phone.type('from the ward, and on');
    expect(keptIn(phone.tab).length).toBeGreaterThan(0);
  });

  it('two texts meet: the one that was not seen is offered, added or discarded, and nothing is lost', async () => {
    const [ward, phone] = [openPage(server), openPage(server)];
    await settle();
    phone.type('from the phone');
    await pass(500);
    ward.type('from the ward');
    await pass(PAUSE_MS + 500);
    expect(server.body()).toBe('from the phone');
    expect([ward.text(), ward.offer()]).toEqual(['from the ward', 'from the phone']);
    // Writing on saves nothing over the other before that is decided.
    ward.type('from the ward too');
    await pass(SAVE_EVERY_MS * 2);
    expect(server.body()).toBe('from the phone');
    acceptOffer(ward.drafts, CHAT);
    await pass(SAVE_EVERY_MS);
    expect(ward.offer()).toBeNull();
    expect(phone.text()).toBe('from the ward too\nfrom the phone');

    phone.type('p');
    ward.type('w');
    await pass(SAVE_EVERY_MS * 2);
    const loser = phone.offer() === null ? ward : phone;
    discardOffer(loser.drafts, CHAT);
    await pass(SAVE_EVERY_MS);
    expect(server.body()).toBe(loser.text());
    expect([phone.text(), ward.text()]).toEqual([loser.text(), loser.text()]);
  });

  it('what stays after sending here is offered, and never slips into the box under the finger that sends', async () => {
    const [ward, phone] = [openPage(server), openPage(server)];
    await settle();
    ward.type('ours');
    await pass(PAUSE_MS);
    server.pages.length = 0;
    phone.type('ours, more');
    await pass(SAVE_EVERY_MS);
    ward.type('');
    await pass(SAVE_EVERY_MS);
    expect([ward.text(), ward.offer()]).toEqual(['', 'ours, more']);
  });

  it('CHAT-24 a draft that is sent or cleared goes on the other device too; what was written on there stays', async () => {
    const [ward, phone] = [openPage(server), openPage(server)];
    await settle();
    ward.type('x');
    await pass(PAUSE_MS);
    expect(phone.text()).toBe('x');
    ward.type('');
    await pass(SAVE_EVERY_MS);
    expect([server.body(), phone.text()]).toEqual([null, '']);
    expect(keptIn(ward.tab)).toEqual([]);

    ward.type('y');
    await pass(SAVE_EVERY_MS);
    phone.type('y and more');
    ward.type('');
    await pass(SAVE_EVERY_MS * 2);
    expect(phone.text()).toBe('y and more');
    expect(server.body()).toBe('y and more');
    expect([ward.text(), ward.offer()]).toEqual(['', 'y and more']);
  });

  it('R1 a save whose answer was lost is no other device, also after more was typed', async () => {
    const page = openPage(server);
    await settle();
    server.fail('answer lost');
    page.type('abc');
    await pass(PAUSE_MS);
    expect(server.body()).toBe('abc');
    page.type('abcd');
    server.fail('answered');
    await pass(60_000);
    expect([server.body(), page.text(), page.offer()]).toEqual(['abcd', 'abcd', null]);
  });

  it('CHAT-3 offline everything stays as it is typed; with the network it is saved, also after a reload and cleared', async () => {
    server.fail('lost');
    const page = openPage(server);
    page.type('written in the lift');
    await pass(SAVE_EVERY_MS * 3);
    expect(page.text()).toBe('written in the lift');
    page.sync.stop();
    server.fail('answered');
    const again = openPage(server, page.tab);
    expect(again.text()).toBe('written in the lift');
    await pass(PAUSE_MS);
    expect(server.body()).toBe('written in the lift');
    server.fail('lost');
    again.type('');
    await pass(PAUSE_MS);
    again.sync.stop();
    server.fail('answered');
    openPage(server, page.tab);
    await pass(PAUSE_MS);
    expect(server.stored()?.draft).toBeNull();
  });

  it('is saved at once where the page is put away, and later where the chat is made by its first message', async () => {
    // Named by the two people who will have it.
    expect(CHAT[14]).toBe('5');
    server.absent.add(CHAT);
    const page = openPage(server, createTab(), []);
    await settle();
    page.type('first words');
    await pass(SAVE_EVERY_MS * 2);
    expect([server.asked, page.text()]).toEqual([[], 'first words']);
    server.absent.clear();
    page.know([CHAT]);
    await pass(SAVE_EVERY_MS);
    page.type('more words');
    page.focus.set(false);
    await settle();
    expect(server.body()).toBe('more words');
  });

  it('a message that another tab sends takes its draft along, but not one that was written after it', async () => {
    const ward = openPage(server);
    await settle();
    ward.type('sent by a tab that was closed');
    await pass(PAUSE_MS);
    const next = openPage(server);
    await settle();
    next.sync.noteSent(message('sent by a tab that was closed', { created_at: '2020-01-01T00:00:00Z' }));
    next.sync.noteSent(message('sent by a tab that was closed', { sender: { id: 'other', name: '', title: null } }));
    expect(next.text()).not.toBe('');
    next.sync.noteSent(message('sent by a tab that was closed'));
    expect(next.text()).toBe('');
    await pass(PAUSE_MS);
    expect(server.body()).toBeNull();
  });

  it('CHAT-11 what a message of a closed tab answered, and whom it called, goes with its draft', async () => {
    const ward = openPage(server);
    await settle();
    ward.type('On my way, @Imre');
    ward.drafts.write(mentionsName(CHAT), JSON.stringify([{ kind: 'user', id: 'imre', name: 'Imre' }]));
    ward.drafts.write(replyName(CHAT), JSON.stringify({ id: 'message', seq: 4 }));
    await pass(PAUSE_MS);
    const next = openPage(server);
    await settle();
    expect(readDraft(next.drafts, CHAT)).toMatchObject({ reply_to: { seq: 4 }, mentions: [{ id: 'imre' }] });
    next.sync.noteSent(message('On my way, @Imre'));
    const left = [CHAT, replyName(CHAT), mentionsName(CHAT)].map((name) => next.drafts.read(name));
    expect(left).toEqual(['', '', '']);
    await pass(SAVE_EVERY_MS);
    expect(server.body()).toBeNull();
  });

  it('A33 carries what it answers and who was chosen, not its files', async () => {
    const [ward, phone] = [openPage(server), openPage(server)];
    await settle();
    ward.drafts.write(`files/${CHAT}`, '[{"id":"file"}]');
    ward.type('@Imre K 6.8 ');
    ward.drafts.write(mentionsName(CHAT), JSON.stringify([{ kind: 'user', id: 'imre', name: 'Imre' }]));
    ward.drafts.write(replyName(CHAT), JSON.stringify({ id: 'message', seq: 4 }));
    await pass(PAUSE_MS);
    const expected = { body: '@Imre K 6.8 ', reply_to: { id: 'message', seq: 4 } };
    expect(readDraft(phone.drafts, CHAT)).toMatchObject({ ...expected, mentions: [{ id: 'imre' }] });
    expect(phone.drafts.read(`files/${CHAT}`)).toBe('');
    ward.drafts.write(replyName(CHAT), '');
    await pass(SAVE_EVERY_MS);
    expect(readDraft(phone.drafts, CHAT)?.reply_to).toBeNull();
  });

  it('CHAT-6 is taken off the device with the chat', async () => {
    const page = openPage(server);
    await settle();
    page.type('begun');
    await pass(PAUSE_MS);
    page.sync.forget(CHAT);
    expect(page.text()).toBe('');
    expect(keptIn(page.tab)).toEqual([]);
    await pass(SAVE_EVERY_MS * 2);
    expect(server.saves).toEqual(['begun']);
  });

  it('CHAT-6 what is kept of chats that ended to be mine while nobody listened goes once the list is whole', async () => {
    const tab = createTab();
    const parts = ['citations/', 'files/', 'mentions/', 'place/', 'reply/', ''];
    const before = openDrafts(ME, tab);
    for (const part of parts) before.write(`${part}${OTHER}`, '[]');
    before.write(CHAT, 'still mine');
    server.absent.add(OTHER);
    const page = openPage(server, tab, [CHAT], { status: 'loading' });
    await settle();
    server.fail('lost');
    page.know([CHAT]);
    await settle();
    expect(page.drafts.read(OTHER)).toBe('[]');
    server.fail('answered');
    await pass(60_000);
    expect(parts.map((part) => page.drafts.read(`${part}${OTHER}`))).toEqual(parts.map(() => ''));
    expect(keptIn(tab).filter(([key]) => key.includes(OTHER))).toEqual([]);
    expect([page.text(), server.body()]).toEqual(['still mine', 'still mine']);
  });

  it('CHAT-6 one that is mine and in no list stays, and so does all of it where the back end keeps no drafts', async () => {
    const tab = createTab();
    openDrafts(ME, tab).write(OTHER, 'for the archive');
    const page = openPage(server, tab, [CHAT]);
    await settle();
    expect([page.drafts.read(OTHER), server.asked]).toEqual(['for the archive', [OTHER]]);
    page.sync.stop();
    server.keepNoDrafts();
    const again = openPage(server, tab, [CHAT]);
    await pass(SAVE_EVERY_MS);
    again.type('sent by nobody');
    await pass(SAVE_EVERY_MS);
    expect([again.drafts.read(OTHER), again.text()]).toEqual(['for the archive', 'sent by nobody']);
  });

  it('asks again what other devices wrote when the connection is back', async () => {
    const [ward, phone] = [openPage(server), openPage(server)];
    await settle();
    server.pages.length = 0;
    ward.type('unheard');
    await pass(PAUSE_MS);
    expect(phone.text()).toBe('');
    phone.reconnect();
    await settle();
    expect(phone.text()).toBe('unheard');
  });
});

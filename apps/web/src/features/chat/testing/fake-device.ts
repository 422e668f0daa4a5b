import { createCall } from '@wardline/client/http/call.ts';
import { createSource } from '@wardline/client/observable.ts';
import { createSharedOutbox, type SharedOutbox } from '@wardline/client/outbox/shared-outbox.ts';
import { createRealtime } from '@wardline/client/realtime/realtime.ts';
import type { DeviceStore } from '@wardline/client/store/device-store.ts';
import { openDeviceStore } from '@wardline/client/store/open-device-store.ts';
import { createFakeTabs, type FakeTabs } from '@wardline/client/testing/fake-tabs.ts';
import { createSilentLog } from '@wardline/client/testing/silent-log.ts';
import { testConfig } from '@wardline/client/testing/test-config.ts';
import type { ChatView } from '#/features/chat/core/chat-view.ts';
import { type ChatRuntime, createChatRuntime, MESSAGES } from '#/features/chat/runtime/chat-runtime.ts';
import { CHAT, type FakeChatServer, idOf, ME } from './fake-chat-server.ts';

/** A tab of a device: the real engine over the real store, before a fake server. */
export interface FakeDevice {
  readonly runtime: ChatRuntime;
  readonly store: DeviceStore;
  readonly outbox: SharedOutbox;
  readonly log: ReturnType<typeof createSilentLog>;
  /** The chats that this tab was told it was put into. */
  readonly added: readonly string[];
  /** How often it was asked anew who is signed in, with what they belong to. */
  identified(): number;
  /** What waits on the device has been read; until then nothing seems to wait. */
  isRead(): boolean;
  chatView(): ChatView;
  /** Opens the chat on the screen. */
  open(): void;
  close(): void;
  goOnline(isOnline: boolean): void;
  /** The tab is gone without a word. */
  kill(): void;
}

let made = 0;

export async function openDevice(
  server: FakeChatServer,
  tabs: FakeTabs = createFakeTabs(),
  ownDevice = true,
  keptSeq: number | null = null,
): Promise<FakeDevice> {
  const log = createSilentLog();
  const call = createCall({
    config: testConfig({ retry: 'off' }),
    log,
    onEvent: () => undefined,
    fetch: server.api.fetch,
    tokenStorage: { get: () => 'token', set: () => undefined },
    socketId: () => realtime.socketId(),
  });
  const realtime = createRealtime({
    config: testConfig(),
    call,
    log,
    page: { protocol: 'https:', hostname: 'wardline.test', port: '' },
    loadLine: async () => server.realtime.openLine,
    random: () => 0.5,
  });
  const key = btoa(String.fromCharCode(...new Uint8Array(32).fill(7)));
  const store = await openDeviceStore({ userId: ME, log, isOwnDevice: ownDevice, fetchKey: async () => key });
  const online = createSource(true);
  const added: string[] = [];
  const outbox = createSharedOutbox({
    store,
    userId: ME,
    log,
    firstKind: MESSAGES,
    random: () => 0.5,
    openTab: tabs.openTab,
    withLock: tabs.withLock,
  });
  let identified = 0;
  const refresh = async () => {
    identified += 1;
  };
  const runtime = createChatRuntime({
    session: { subscribe: () => () => undefined, store: () => store, refresh },
    store,
    unsent: outbox,
    call,
    realtime,
    online,
    focus: createSource(true),
    log,
    onAdded: ({ title }) => void added.push(title),
    newId: () => {
      made += 1;
      return idOf(0xabc0000 + made);
    },
    random: () => 0.5,
  });
  online.subscribe(() => online.get() && outbox.flush());
  let isRead = false;
  void outbox.open().then(() => {
    isRead = true;
  });
  void runtime.start();
  const shown = runtime.chatView(CHAT, keptSeq);
  let leave: (() => void) | null = null;
  return {
    runtime,
    store,
    outbox,
    log,
    added,
    identified: () => identified,
    isRead: () => isRead,
    chatView: () => shown.get(),
    open() {
      leave ??= shown.subscribe(() => undefined);
    },
    close() {
      leave?.();
      leave = null;
    },
    goOnline: (isOnline) => online.set(isOnline),
    kill() {
      tabs.killHolders();
      store.close();
      outbox.stop();
      runtime.stop();
      realtime.stop();
    },
  };
}

/** What a chat shows, one line per item. */
export function lines(chatView: ChatView): string[] {
  return chatView.items.map((item) => {
    if (item.type === 'message') return `${item.message.seq} ${item.message.body}`;
    if (item.type === 'gap') return `gap ${item.afterSeq}-${item.beforeSeq}`;
    return `${item.pending.state} ${item.pending.body}`;
  });
}

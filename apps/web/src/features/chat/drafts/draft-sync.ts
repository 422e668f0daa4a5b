import { ApiError, isTemporary, statusOf } from '@wardline/client/http/api-error.ts';
import type { Call } from '@wardline/client/http/call.ts';
import type { Log } from '@wardline/client/log.ts';
import type { Observable } from '@wardline/client/observable.ts';
import type { Realtime } from '@wardline/client/realtime/realtime.ts';
import { createRetryTimer } from '@wardline/client/retry-timer.ts';
import { type Message, userChannel } from '@wardline/contract/chat/chat.ts';
import { DRAFT_BODY_MAX, type Draft, listDrafts, type SavedDraft, saveDraft } from '@wardline/contract/chat/drafts.ts';
import type { ChatList } from '#/features/chat/core/chat-view.ts';
import { prefix, tabStorage } from './clear-drafts.ts';
import { mentionsName, offerName, readDraft, readOffer, replyName, showDraft } from './draft-content.ts';
import { type DraftStore, savedName } from './draft-store.ts';

/** After a pause this long what was typed is saved, and a chat's again not before so long. */
export const PAUSE_MS = 2_000;
export const SAVE_EVERY_MS = 5_000;

export interface DraftSyncDeps {
  readonly userId: string;
  readonly drafts: DraftStore;
  /** Where this tab keeps them. */
  readonly storage?: Storage | null;
  readonly call: Call;
  readonly realtime: Pick<Realtime, 'join'>;
  readonly focus: Observable<boolean>;
  /** What the server knows: a chat with a person is only made by its first message. */
  readonly chats: Observable<Pick<ChatList, 'items' | 'status' | 'isFromDevice'>>;
  readonly log: Log;
  readonly newId: () => string;
  readonly random?: () => number;
}

/** My drafts on the server: saves what is typed here, and shows what was typed on my other devices. */
export interface DraftSync {
  /** A message of mine is stored: what was saved of it before is no draft any more, whichever tab sent it. */
  noteSent(message: Message): void;
  /** The chat is not mine any more. */
  forget(chatId: string): void;
  stop(): void;
}

export function createDraftSync(deps: DraftSyncDeps): DraftSync {
  const { userId, drafts, call, chats, log } = deps;
  const writer = deps.newId();
  const stopped = new AbortController();
  const { signal } = stopped;
  const kept = keptChats(userId, deps.storage === undefined ? tabStorage() : deps.storage);
  const unsaved = new Set(kept);
  /** Of another back end it is not known: it may keep no drafts, and then says of each that it is not there. */
  let isKeptByServer = false;
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const savedAt = new Map<string, number>();
  const saving = new Set<string>();
  const early = new Set<string>();
  const shownSince = new Map<string, string>();
  const sent = new Map<string, Message>();

  const versionOf = (chatId: string): number => Number.parseInt(drafts.read(savedName(chatId)), 10) || 0;
  /** What was kept by a tab of an older build says nothing of that. */
  const isUnsaved = (chatId: string): boolean => {
    const saved = drafts.read(savedName(chatId));
    return saved === '' ? drafts.read(chatId) !== '' : saved.endsWith('*');
  };
  const isThere = (chatId: string): boolean => chats.get().items.some(({ chat }) => chat.id === chatId);
  const note = (chatId: string, version: number, isSaved: boolean, isKept = true): void => {
    drafts.show(savedName(chatId), isSaved ? `${version}` : `${version}*`, isKept);
    if (isSaved) unsaved.delete(chatId);
    else schedule(chatId);
  };

  const schedule = (chatId: string): void => {
    unsaved.add(chatId);
    clearTimeout(timers.get(chatId));
    const wait = Math.max(PAUSE_MS, (savedAt.get(chatId) ?? 0) + SAVE_EVERY_MS - Date.now());
    const timer = setTimeout(() => save(chatId), wait);
    timers.set(chatId, timer);
  };

  const save = (chatId: string): void => {
    clearTimeout(timers.get(chatId));
    timers.delete(chatId);
    if (signal.aborted || !isUnsaved(chatId) || readOffer(drafts, chatId)) return;
    if (!isThere(chatId)) {
      early.add(chatId);
      return;
    }
    if (saving.has(chatId)) {
      schedule(chatId);
      return;
    }
    const draft = readDraft(drafts, chatId);
    if (draft && draft.body.length > DRAFT_BODY_MAX) return;
    send(chatId, draft);
  };
  const send = (chatId: string, draft: Draft | null): void => {
    saving.add(chatId);
    savedAt.set(chatId, Date.now());
    void store(chatId, draft).finally(() => saving.delete(chatId));
  };
  const store = async (chatId: string, draft: Draft | null): Promise<void> => {
    const body = { draft, seen_version: versionOf(chatId), writer };
    try {
      const { version } = await call(saveDraft, { params: { chat: chatId }, body, signal });
      retry.succeed();
      note(chatId, version, isSame(readDraft(drafts, chatId), draft), draft !== null);
    } catch (error) {
      if (!signal.aborted) await noteRefused(chatId, error);
    }
  };
  const noteRefused = async (chatId: string, error: unknown): Promise<void> => {
    if (statusOf(error) === 409) await load(chatId, true);
    else if (isTemporary(error)) {
      if (!isThere(chatId)) kept.push(chatId);
      retry.plan(error instanceof ApiError ? error.retryAfterMs : null);
    } else if (statusOf(error) === 404 && isKeptByServer) forget(chatId);
    // Else it is not to be saved, e.g. in a chat that was closed: it stays here, and the next word tries again.
  };
  const saveAll = (): void => {
    for (const chatId of unsaved) save(chatId);
  };
  /**
   * What an earlier visit left of chats that ended to be mine while nobody listened: once the list is whole, the server is asked of those
   * that are not in it. A device that keeps no chats cannot tell otherwise.
   */
  const checkKept = (): void => {
    const { status, isFromDevice } = chats.get();
    if (!isKeptByServer || status !== 'ready' || isFromDevice) return;
    for (const chatId of kept.splice(0)) {
      if (!isThere(chatId) && !isMadeByFirstMessage(chatId) && !saving.has(chatId))
        send(chatId, readDraft(drafts, chatId));
    }
  };
  const forget = (chatId: string): void => {
    clearTimeout(timers.get(chatId));
    unsaved.delete(chatId);
    const parts = [replyName, mentionsName, offerName, savedName].map((nameOf) => nameOf(chatId));
    for (const name of [chatId, `files/${chatId}`, `citations/${chatId}`, `place/${chatId}`, ...parts])
      drafts.show(name, '');
  };

  /** All of them, or that of one chat. `isRefused`: it stands otherwise than this device thinks, whatever its version. */
  const load = async (chatId?: string, isRefused = false): Promise<void> => {
    try {
      const { data } = await call(listDrafts, {
        query: { roles: 'true', ...(chatId !== undefined && { chat: chatId }) },
        signal,
      });
      if (signal.aborted) return;
      isKeptByServer = true;
      for (const saved of data) take(saved, isRefused);
      checkKept();
    } catch (error) {
      if (signal.aborted) return;
      if (isTemporary(error)) retry.plan();
      // Another back end may keep none.
      else if (statusOf(error) === 404) log.debug('This back end keeps no drafts', error);
      else log.warn('The drafts of other devices could not be loaded', error);
    }
  };
  const take = (saved: SavedDraft, isRefused: boolean): void => {
    const { chat_id: chatId, version, draft } = saved;
    const known = versionOf(chatId);
    // A lower one was read before what was saved since.
    if (version === known || (version < known && !isRefused)) return;
    const mine = readDraft(drafts, chatId);
    drafts.show(offerName(chatId), '');
    if (isSame(mine, draft)) note(chatId, version, true, mine !== null);
    else if (saved.writer === writer) note(chatId, version, false);
    else if (!isUnsaved(chatId)) adopt(saved);
    // There it was sent or taken back; here it was written on.
    else if (draft === null) note(chatId, version, false);
    else drafts.show(offerName(chatId), JSON.stringify({ ...draft, version }));
  };
  const adopt = ({ chat_id: chatId, version, saved_at, draft }: SavedDraft): void => {
    showDraft(drafts, chatId, draft);
    note(chatId, version, true, false);
    shownSince.set(chatId, saved_at);
    clearIfSent(chatId);
  };
  /** The tab that sent it may have been closed before it could clear it. */
  const clearIfSent = (chatId: string): void => {
    const [message, since] = [sent.get(chatId), shownSince.get(chatId)];
    if (!message || since === undefined || isUnsaved(chatId) || since > message.created_at) return;
    if (readDraft(drafts, chatId)?.body.trim() !== message.body) return;
    // With what it answered and who was chosen: the next words answer nothing.
    showDraft(drafts, chatId, null);
    drafts.write(chatId, '');
  };

  const retry = createRetryTimer(() => {
    void load();
    saveAll();
  }, deps.random);
  const undo = [
    drafts.writes.subscribe(() => {
      const [kind = '', chatId = kind] = drafts.lastWritten().split('/');
      const isPart = ['reply', 'mentions'].includes(kind) && readDraft(drafts, chatId) !== null;
      if (isPart) drafts.show(savedName(chatId), `${versionOf(chatId)}*`, true);
      if (isPart || (kind !== '' && kind === chatId)) schedule(chatId);
    }),
    chats.subscribe(() => {
      for (const chatId of [...early].filter(isThere)) {
        early.delete(chatId);
        schedule(chatId);
      }
      checkKept();
    }),
    // Who puts the phone away may go on at the ward's computer.
    deps.focus.subscribe(() => {
      if (!deps.focus.get()) saveAll();
    }),
  ];
  const joined = deps.realtime.join(userChannel, userId, {
    events: { DraftChanged: ({ chat_id, version }) => void (version !== versionOf(chat_id) && load(chat_id)) },
    onSubscribed: () => void load().then(saveAll),
  });

  return {
    noteSent(message) {
      if (message.sender.id !== userId) return;
      sent.set(message.chat_id, message);
      clearIfSent(message.chat_id);
    },
    forget,
    stop() {
      stopped.abort();
      retry.cancel();
      for (const timer of timers.values()) clearTimeout(timer);
      for (const end of undo) end();
      joined.leave();
    },
  };
}

function isSame(one: Draft | null, other: Draft | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The chats of which this tab has kept something: a text, that one was cleared, or what was to go with it. */
function keptChats(userId: string, storage: Storage | null): string[] {
  const own = `${prefix}${userId}:`;
  const names = Object.keys(storage ?? {}).flatMap((key) => (key.startsWith(own) ? [key.slice(own.length)] : []));
  return [...new Set(names.map((name) => name.slice(name.lastIndexOf('/') + 1)).filter(Boolean))];
}

/** A chat with a person or a role is named by them (024, 075), and is not there before its first message: a UUID of version 5. */
function isMadeByFirstMessage(chatId: string): boolean {
  return chatId[14] === '5';
}

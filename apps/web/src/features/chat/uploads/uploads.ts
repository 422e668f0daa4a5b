import { tabLock, type WithTabLock } from '@wardline/client/browser/tab-lock.ts';
import { whenTrue } from '@wardline/client/browser/when-true.ts';
import { createEngine, type Engine } from '@wardline/client/engine.ts';
import { ApiError, isTemporary, transportError } from '@wardline/client/http/api-error.ts';
import type { Call } from '@wardline/client/http/call.ts';
import type { Log } from '@wardline/client/log.ts';
import { createSource, type Observable } from '@wardline/client/observable.ts';
import type { UnsentWork } from '@wardline/client/outbox/outbox.ts';
import type { OutboxItem } from '@wardline/client/outbox/outbox-item.ts';
import type { DeviceStore } from '@wardline/client/store/device-store.ts';
import type { Chat } from '@wardline/contract/chat/chat.ts';
import { getUploadLimits } from '@wardline/contract/chat/uploads.ts';
import type { DirectPlace, FileRef } from '#/features/chat/core/file-ref.ts';
import { voiceOf } from '#/features/chat/core/voice-file.ts';
import type { MessagePayload } from '#/features/chat/engine/send-message.ts';
import { refusalOf, type UploadLimits } from './check-file.ts';
import { createKeptFiles } from './kept-files.ts';
import { emptyUpload, reduceUpload, type UploadEffect, type UploadEvent, type UploadState } from './upload-reducer.ts';
import { createUploadRequests, type UploadRequests, uploadFailureOf } from './upload-requests.ts';

export interface UploadsDeps {
  readonly store: DeviceStore;
  readonly call: Call;
  readonly log: Log;
  readonly unsent: Pick<UnsentWork<MessagePayload>, 'get' | 'subscribe' | 'flush'>;
  readonly online: Observable<boolean>;
  readonly newId: () => string;
  readonly requests?: UploadRequests;
  readonly withLock?: WithTabLock;
  readonly random?: () => number;
  readonly now?: () => number;
}

/** How far a file is, for the screens. */
export interface UploadView {
  readonly phase: 'waiting' | 'sending' | 'ready' | 'refused';
  /** 0 to 1. */
  readonly fraction: number;
  /** Why it was refused, or does not go on, in words. */
  readonly reason: string | null;
  /** The server might take it after all; what this device refuses stays refused. */
  readonly mayRetry: boolean;
  /** The file itself, where this tab has it. */
  readonly blob: Blob | null;
}

/** Where files are chosen; version 0 says that the server does not know the chat yet. */
export type ChatOfFiles = Pick<Chat, 'id' | 'facility_id' | 'version' | 'state' | 'direct' | 'direct_role'>;

/** Files of one person on their way to the server, for this tab. */
export interface Uploads extends Observable<ReadonlyMap<string, UploadView>> {
  /** Takes files for a message that is being written, keeps them on the device and begins to upload. */
  add(chat: ChatOfFiles, files: readonly File[]): readonly FileRef[];
  /** Goes on with files that an earlier page of this tab took. */
  resume(chatId: string, files: readonly FileRef[]): void;
  retry(id: string): void;
  /** Takes a file back, here and at the server. */
  cancel(id: string): void;
  /** Resolves once these survive a reload: on the device, or at the server. Rejects with a StoreError. */
  keep(files: readonly FileRef[]): Promise<void>;
  /** The server's ids of the files of an unsent message, once all are ready there; rejects with the ApiError of the first that is not. */
  ready(item: OutboxItem<MessagePayload>, signal: AbortSignal): Promise<readonly string[]>;
  /** The message is stored: its files are the server's now. */
  sent(payload: MessagePayload): void;
  limits(): Promise<UploadLimits | null>;
  stop(): void;
}

interface Entry {
  readonly file: FileRef;
  readonly chatId: string;
  readonly engine: Engine<UploadState, UploadEvent>;
  /** Ends what is under way, and gives the file to the other tabs. */
  readonly ending: AbortController;
  blob: Blob | null;
  keeping: Promise<void> | null;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** This tab is the one that uploads it. */
  isHeld: boolean;
  release: () => void;
  waiting: (() => void)[];
  isOfMessage: boolean;
}

const LIMITS = 'upload-limits';
/** Requests under way; the server takes six of a person. */
const AT_ONCE = 3;

export function createUploads(deps: UploadsDeps): Uploads {
  const { store, call, log, unsent, newId, random = Math.random } = deps;
  const { requests = createUploadRequests(call), withLock = tabLock(), now = Date.now } = deps;
  const entries = new Map<string, Entry>();
  const views = createSource<ReadonlyMap<string, UploadView>>(new Map());
  const kept = createKeptFiles(store, log);
  const limits = loadLimits(deps);
  const gate = createGate(AT_ONCE);
  let isStopped = false;

  const show = (): void => {
    views.set(new Map([...entries].map(([id, { engine, blob }]) => [id, toView(engine.state(), blob)])));
  };

  const take = (file: FileRef, chatId: string, uploadId: string | null, blob: Blob | null): Entry => {
    const entry: Entry = {
      ...{ file, chatId, blob, keeping: null, timer: undefined, isHeld: false, isOfMessage: false },
      ...{ ending: new AbortController(), release: () => undefined, waiting: [] },
      engine: createEngine<UploadState, UploadEvent, UploadEffect>({
        initial: emptyUpload(file.size, uploadId),
        reduce: reduceUpload,
        onState: () => {
          settle(entry);
          show();
        },
        run: (effect) => run(entry, effect),
        onError: (error) => log.error('A file could not be uploaded further', error),
      }),
    };
    entries.set(file.id, entry);
    return entry;
  };

  /** Whoever waits for a file is told when it is ready, or will not be for now. */
  const settle = (entry: Entry): void => {
    const { phase } = entry.engine.state();
    if (phase === 'ready' || phase === 'refused') entry.release();
    if (phase !== 'ready' && phase !== 'refused' && phase !== 'resting') return;
    for (const tell of entry.waiting.splice(0)) tell();
    if (phase === 'ready' && entry.isOfMessage) unsent.flush();
  };

  const run = (entry: Entry, effect: UploadEffect): void => {
    const { file, chatId, ending, engine } = entry;
    const { signal } = ending;
    const attempt = (work: () => Promise<UploadEvent>): void => {
      const failed = (error: unknown): UploadEvent => {
        const retryAfterMs = error instanceof ApiError ? error.retryAfterMs : null;
        return { type: 'failed', failure: uploadFailureOf(error), error, retryAfterMs, random: random() };
      };
      const guarded = () => (signal.aborted ? Promise.reject(signal.reason) : work());
      void gate(guarded)
        .catch(failed)
        .then((event) => signal.aborted || engine.dispatch(event));
    };
    const { name, size, voice, direct } = file;
    const begun = { chatId, name, size, voice, direct };
    switch (effect.type) {
      case 'begin':
        attempt(async () => ({ type: 'begun', uploadId: await requests.begin(begun, signal) }));
        return;
      case 'ask':
        attempt(async () => ({ type: 'asked', ...(await requests.ask(effect.uploadId, signal)) }));
        return;
      case 'send':
        attempt(() => sendPart(entry, effect));
        return;
      case 'keep':
        kept.keepAddress(file.id, chatId, effect.uploadId);
        return;
      case 'retry':
        clearTimeout(entry.timer);
        entry.timer = setTimeout(() => start(entry), effect.delayMs);
    }
  };

  const sendPart = async (
    { file, engine, ending }: Entry,
    { uploadId, from, to }: Extract<UploadEffect, { readonly type: 'send' }>,
  ): Promise<UploadEvent> => {
    const blob = await readBlob(file.id);
    if (blob === null) throw new Error('This file is no longer on this device. Attach it again.');
    const startedAt = now();
    const onProgress = (fraction: number): void =>
      engine.dispatch({ type: 'progressed', bytes: Math.round(fraction * (to - from)) });
    await requests.send(uploadId, { from, bytes: blob.slice(from, to), onProgress }, ending.signal);
    return { type: 'part-sent', to, ms: now() - startedAt };
  };

  const readBlob = async (id: string): Promise<Blob | null> => {
    const entry = entries.get(id);
    if (entry === undefined || entry.blob !== null) return entry?.blob ?? null;
    entry.blob = await kept.read(entry.file);
    return entry.blob;
  };

  /** One tab at a time uploads a file; the one after it goes on where that one was. */
  const start = (entry: Entry): void => {
    // What was chosen while its person left is nobody's to send.
    if (isStopped) return;
    clearTimeout(entry.timer);
    entry.engine.dispatch({ type: 'wait' });
    if (entry.isHeld) {
      entry.engine.dispatch({ type: 'start' });
      return;
    }
    entry.isHeld = true;
    const { file, ending } = entry;
    const hold = async (): Promise<void> => {
      const released = new Promise<void>((resolve) => {
        entry.release = resolve;
      });
      const uploadId = await kept.address(file.id);
      if (ending.signal.aborted) return;
      const { engine } = entry;
      if (uploadId !== null && engine.state().uploadId === null) engine.dispatch({ type: 'known', uploadId });
      engine.dispatch({ type: 'start' });
      await released;
    };
    void withLock(`${store.prefix}-upload-${file.id}`, ending.signal, hold)
      .catch((error) => ending.signal.aborted || log.warn('A file could not be uploaded now', error))
      .finally(() => {
        entry.isHeld = false;
      });
  };

  const check = async (entry: Entry): Promise<void> => {
    entry.engine.dispatch({ type: 'wait' });
    const reason = refusalOf(entry.file, await limits);
    if (entry.ending.signal.aborted) return;
    if (reason === null) start(entry);
    else entry.engine.dispatch({ type: 'refuse', error: new Error(reason) });
  };

  const drop = (id: string): void => {
    const entry = entries.get(id);
    if (!entry) return;
    entries.delete(id);
    clearTimeout(entry.timer);
    entry.ending.abort();
    entry.release();
    for (const tell of entry.waiting.splice(0)) tell();
  };

  const forget = (ids: readonly string[], isTakenBack: boolean): void => {
    for (const id of ids) {
      const { uploadId } = entries.get(id)?.engine.state() ?? {};
      drop(id);
      // What the server does not hear of expires there by itself.
      if (isTakenBack && uploadId) void requests.cancel(uploadId).catch(() => undefined);
    }
    kept.drop(ids);
    show();
  };

  /** Files go with their message from the moment in which it is unsent work, and go when it is discarded. */
  const followUnsent = (): void => {
    const ofMessages = new Map(
      unsent
        .get()
        .flatMap(({ clientId, payload }) => payload.files?.list.map(({ id }) => [id, clientId] as const) ?? []),
    );
    const given = new Map<string, string[]>();
    const gone: string[] = [];
    for (const [id, entry] of entries) {
      const clientId = ofMessages.get(id);
      if (clientId === undefined && entry.isOfMessage) gone.push(id);
      if (clientId === undefined || entry.isOfMessage) continue;
      entry.isOfMessage = true;
      given.set(clientId, [...(given.get(clientId) ?? []), id]);
    }
    for (const [clientId, ids] of given) kept.assign(ids, clientId);
    if (gone.length > 0) forget(gone, true);
  };

  const undo = [
    unsent.subscribe(followUnsent),
    whenTrue(deps.online, () => {
      for (const entry of entries.values()) if (entry.engine.state().phase === 'resting') start(entry);
    }),
  ];
  void kept.sweep(now());

  const resumeOne = (file: FileRef, chatId: string): Entry => entries.get(file.id) ?? take(file, chatId, null, null);

  return {
    get: views.get,
    subscribe: views.subscribe,
    add(chat, files) {
      const { id: chatId } = chat;
      const direct = directPlaceOf(chat);
      return files.map((blob) => {
        const voice = voiceOf(blob);
        const named = { id: newId(), name: blob.name || 'file', size: blob.size, type: blob.type };
        const file: FileRef = { ...named, ...(voice && { voice }), ...(direct && { direct }) };
        const entry = take(file, chatId, null, blob);
        entry.keeping = kept.keep(file, chatId, blob, new Date(now()).toISOString());
        // Said when the message is sent: until then the file may be at the server.
        entry.keeping.catch(() => undefined);
        void check(entry);
        show();
        return file;
      });
    },
    resume(chatId, files) {
      for (const file of files) if (!entries.has(file.id)) void check(resumeOne(file, chatId));
      show();
    },
    retry: (id) => {
      const entry = entries.get(id);
      if (entry) void check(entry);
    },
    cancel: (id) => forget([id], true),
    async keep(files) {
      for (const { id } of files) {
        const entry = entries.get(id);
        if (entry?.keeping && entry.engine.state().phase !== 'ready') await entry.keeping;
      }
    },
    async ready(item, signal) {
      const list = item.payload.files?.list ?? [];
      const taken = list.map((file) => resumeOne(file, item.lane));
      followUnsent();
      for (const entry of taken) entry.isOfMessage = true;
      const ids: string[] = [];
      await Promise.all(taken.map((entry) => entry.engine.state().phase !== 'ready' && check(entry)));
      for (const entry of taken) ids.push(await whenReady(entry, signal));
      return ids;
    },
    sent(payload) {
      forget(payload.files?.list.map(({ id }) => id) ?? [], false);
    },
    limits: () => limits,
    stop() {
      isStopped = true;
      for (const end of undo) end();
      for (const id of [...entries.keys()]) drop(id);
    },
  };
}

/** To whom files go in the place of a chat: it is made, or opened again, by the message that they go with. */
function directPlaceOf({ facility_id, version, state, direct, direct_role }: ChatOfFiles): DirectPlace | null {
  if (version > 0 && state === 'open') return null;
  if (direct) return { facilityId: facility_id, userId: direct.user_id };
  return direct_role && version === 0 ? { facilityId: facility_id, roleId: direct_role.role_id } : null;
}

/** Resolves with the server's id; rejects with what stands in the way: for now, or for good. */
async function whenReady(entry: Entry, signal: AbortSignal): Promise<string> {
  for (;;) {
    const { phase, uploadId, error } = entry.engine.state();
    if (signal.aborted || entry.ending.signal.aborted) throw transportError('cancelled', 'The upload was cancelled.');
    if (phase === 'ready' && uploadId !== null) return uploadId;
    if (phase === 'refused') {
      const message = `${entry.file.name}: ${wordsOf(error)}`;
      throw new ApiError(message, { status: 422, code: 'unprocessable', cause: error });
    }
    if (phase === 'resting')
      throw isTemporary(error) ? error : transportError('network', 'The upload broke off.', error);
    await new Promise<void>((resolve) => {
      entry.waiting.push(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}

function toView({ phase, offset, sent, size, error }: UploadState, blob: Blob | null): UploadView {
  const isStill = phase === 'idle' || phase === 'resting';
  const shown = phase === 'ready' || phase === 'refused' ? phase : isStill ? 'waiting' : 'sending';
  const fraction = phase === 'ready' ? 1 : Math.min(1, (offset + sent) / Math.max(1, size));
  const isSaid = phase === 'refused' || (error instanceof ApiError && error.status === 429);
  const reason = isSaid ? wordsOf(error) : null;
  return { phase: shown, fraction, reason, mayRetry: mayTakeLater(error), blob };
}

/** Whether the server might take it another time; what is wrong with the file itself stays wrong: its kind, its size, what was found in it. */
function mayTakeLater(error: unknown): boolean {
  return error instanceof ApiError && error.status !== 413 && error.status !== 422;
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return 'This file could not be sent.';
  if (!(error instanceof ApiError)) return error.message;
  if (error.status === 403 || error.status === 404) return 'You can’t send files in this chat.';
  const sentences = Object.values(error.fieldErrors).flat();
  return sentences.length > 0 ? sentences.join(' ') : error.message;
}

/** As this device knows them from before; asked for anew each time, for the next. */
async function loadLimits({ store, call, log }: UploadsDeps): Promise<UploadLimits | null> {
  const asked = call(getUploadLimits).then(async ({ max_bytes: maxBytes, kinds }) => {
    const value: UploadLimits = { maxBytes, kinds };
    await store.write([{ type: 'put-meta', name: LIMITS, value, isCache: false }]);
    return value;
  });
  const failed = (error: unknown): null => {
    if (!isTemporary(error)) log.warn('What may be sent could not be asked for', error);
    return null;
  };
  const fresh = asked.catch(failed);
  const known = (await store.meta(LIMITS).catch(() => undefined)) as UploadLimits | undefined;
  return known ?? (await fresh);
}

/** So many at a time; the others wait for their turn, in order. */
function createGate(most: number) {
  let running = 0;
  const queue: (() => void)[] = [];
  return async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    if (running >= most) await new Promise<void>((begin) => queue.push(begin));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

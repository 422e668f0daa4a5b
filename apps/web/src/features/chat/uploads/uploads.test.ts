import { ApiError, transportError } from '@wardline/client/http/api-error.ts';
import { createSource } from '@wardline/client/observable.ts';
import type { OutboxItem } from '@wardline/client/outbox/outbox-item.ts';
import { createMemoryStore } from '@wardline/client/store/memory-store.ts';
import { createSilentLog } from '@wardline/client/testing/silent-log.ts';
import { getUploadLimits } from '@wardline/contract/chat/uploads.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FileRef } from '#/features/chat/core/file-ref.ts';
import { markVoice } from '#/features/chat/core/voice-file.ts';
import type { MessagePayload } from '#/features/chat/engine/send-message.ts';
import { createUploadRequests, type UploadRequests } from './upload-requests.ts';
import { type ChatOfFiles, createUploads } from './uploads.ts';

const CHAT = 'chat-1';
const chat: ChatOfFiles = { id: CHAT, facility_id: 'f', version: 1, state: 'open' };
const MB = 1024 * 1024;

/** A server that keeps what arrives, and a network that loses requests before and after it. */
function createFakeServer(loss: () => 'none' | 'request' | 'answer' | 'half') {
  const uploads = new Map<string, { bytes: Uint8Array[]; size: number; isReady: boolean }>();
  const received = (id: string) => uploads.get(id)?.bytes.reduce((sum, part) => sum + part.length, 0) ?? 0;
  const lost = () => transportError('network', 'lost');
  let last = 0;
  let refusal: ApiError | null = null;
  const around = async <Answer>(work: () => Answer | Promise<Answer>): Promise<Answer> => {
    const what = loss();
    if (what === 'request') throw lost();
    const answer = await work();
    if (what === 'answer') throw lost();
    return answer;
  };
  const known = (id: string) => {
    const upload = uploads.get(id);
    if (!upload) throw new ApiError('gone', { status: 404, code: 'not_found' });
    return upload;
  };
  const requests: UploadRequests = {
    begin: ({ size }) =>
      around(() => {
        last += 1;
        uploads.set(`up-${last}`, { bytes: [], size, isReady: false });
        return `up-${last}`;
      }),
    ask: (id) => around(() => ({ offset: received(id), isReady: known(id).isReady })),
    async send(id, { from, bytes }) {
      const what = loss();
      if (what === 'request') throw lost();
      const upload = known(id);
      if (from !== received(id)) throw new ApiError('moved', { status: 409, code: 'conflict' });
      const all = new Uint8Array(await bytes.arrayBuffer());
      upload.bytes.push(what === 'half' ? all.slice(0, all.length / 2) : all);
      if (what === 'half') throw lost();
      if (received(id) === upload.size && refusal) throw refusal;
      upload.isReady = received(id) === upload.size;
      if (what === 'answer') throw lost();
    },
    cancel: async (id) => void uploads.delete(id),
  };
  return {
    uploads,
    requests,
    refuseWith: (error: ApiError | null) => {
      refusal = error;
    },
    /** Whether just these bytes are there. */
    async has(id: string, file: Blob): Promise<boolean> {
      const there = new Uint8Array(await new Blob((uploads.get(id)?.bytes ?? []) as BlobPart[]).arrayBuffer());
      const wanted = new Uint8Array(await file.arrayBuffer());
      return there.length === wanted.length && there.every((byte, n) => byte === wanted[n]);
    },
  };
}

type Server = ReturnType<typeof createFakeServer>;

interface Setup {
  readonly server: Server;
  readonly store?: ReturnType<typeof createMemoryStore>;
  readonly items?: readonly OutboxItem<MessagePayload>[];
}

/** One page; the store is the device's, and outlives it. */
function openPage({ server, store = createMemoryStore('me'), items = [] }: Setup) {
  const unsent = { ...createSource<readonly OutboxItem<MessagePayload>[]>(items), flush: vi.fn() };
  const online = createSource(true);
  const call = vi.fn(async (endpoint: object) => {
    if (endpoint !== getUploadLimits) throw new Error('asked for something else');
    return { max_bytes: 25 * MB, kinds: ['image', 'pdf'] };
  });
  let ids = 0;
  const newId = () => {
    ids += 1;
    return `file-${ids}`;
  };
  const uploads = createUploads({
    ...{ store, unsent, online, requests: server.requests, log: createSilentLog() },
    ...{ call: call as never, random: () => 0, newId },
    withLock: (_name, _signal, work) => work(),
  });
  const phase = (id: string) => uploads.get().get(id)?.phase;
  return { uploads, unsent, online, store, phase };
}

const fileOf = (bytes: number, name = 'scan.pdf') =>
  new File([Uint8Array.from({ length: bytes }, (_none, n) => n % 251)], name, { type: 'application/pdf' });

function itemOf(files: readonly FileRef[]): OutboxItem<MessagePayload> {
  return {
    ...{ order: 1, clientId: 'c1', userId: 'me', lane: CHAT, kind: 'message', writtenAt: '2026-11-23T10:00:00Z' },
    ...{ attempts: 0, state: 'sending', reason: null, refusal: null },
    payload: { body: '', files: { body: 'Look', list: files } },
  };
}

const settle = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('files on their way', () => {
  it('CHAT-14 every byte arrives once over a network that loses requests, answers and halves of parts', async () => {
    for (let seed = 1; seed <= 12; seed += 1) {
      let state = seed;
      const random = () => {
        state = (state * 48_271) % 2_147_483_647;
        return state / 2_147_483_647;
      };
      const server = createFakeServer(() => {
        const luck = random();
        return luck < 0.55 ? 'none' : luck < 0.7 ? 'request' : luck < 0.85 ? 'answer' : 'half';
      });
      const page = openPage({ server });
      const file = fileOf(900_000);
      const [ref] = page.uploads.add(chat, [file]);
      if (!ref) throw new Error('nothing was taken');
      await settle(10 * 60_000);
      expect(page.phase(ref.id)).toBe('ready');
      const [id] = await page.uploads.ready(itemOf([ref]), AbortSignal.timeout(1_000));
      expect(await server.has(String(id), file)).toBe(true);
      page.uploads.stop();
    }
  });

  it('CHAT-14 CHAT-3 a page that was killed in the middle leaves the next one the rest', async () => {
    let cut = false;
    const server = createFakeServer(() => (cut ? 'half' : 'none'));
    const first = openPage({ server });
    const [ref] = first.uploads.add(chat, [fileOf(600_000)]);
    if (!ref) throw new Error('nothing was taken');
    cut = true;
    await settle();
    await first.uploads.keep([ref]);
    expect(first.phase(ref.id)).not.toBe('ready');
    first.uploads.stop();
    cut = false;

    const begun = server.uploads.size;
    const next = openPage({ server, store: first.store, items: [itemOf([ref])] });
    const [id] = await next.uploads.ready(itemOf([ref]), AbortSignal.timeout(1_000));
    expect(server.uploads.size).toBe(begun);
    expect(await server.has(String(id), fileOf(600_000))).toBe(true);
  });

  it('CHAT-24 a file that is refused sets its message aside with the reason, and the device keeps it', async () => {
    const server = createFakeServer(() => 'none');
    server.refuseWith(new ApiError('This picture cannot be read.', { status: 422, code: 'unprocessable' }));
    const { uploads, store, phase } = openPage({ server });
    const [ref] = uploads.add(chat, [fileOf(50, 'bad.png')]);
    if (!ref) throw new Error('nothing was taken');
    await settle();
    expect([phase(ref.id), uploads.get().get(ref.id)?.reason]).toEqual(['refused', 'This picture cannot be read.']);
    await expect(uploads.ready(itemOf([ref]), AbortSignal.timeout(1_000))).rejects.toMatchObject({
      kind: 'final',
      message: 'bad.png: This picture cannot be read.',
    });
    expect(await store.file(ref.id)).not.toBeNull();
  });

  it.each([
    [403, 'forbidden', true],
    [413, 'payload_too_large', false],
    [422, 'unprocessable', false],
  ] as const)('CHAT-14 one refused with %i (%s) offers another try: %s', async (status, code, mayRetry) => {
    const server = createFakeServer(() => 'none');
    server.refuseWith(new ApiError('This file was held back: it may contain malware.', { status, code }));
    const { uploads, phase } = openPage({ server });
    const [ref] = uploads.add(chat, [fileOf(50, 'bad.png')]);
    if (!ref) throw new Error('nothing was taken');
    await settle();
    expect([phase(ref.id), uploads.get().get(ref.id)?.mayRetry]).toEqual(['refused', mayRetry]);
    server.refuseWith(null);
    uploads.retry(ref.id);
    await vi.waitFor(() => expect(phase(ref.id)).toBe('ready'));
  });

  it('CHAT-14 says what is too large, empty or of another kind, and sends nothing of it', async () => {
    const server = createFakeServer(() => 'none');
    const { uploads } = openPage({ server });
    const large = Object.defineProperty(fileOf(1), 'size', { value: 30 * MB });
    const refs = uploads.add(chat, [
      large,
      fileOf(0),
      fileOf(10, 'setup.exe'),
      fileOf(10, 'clip.mp4'),
      fileOf(10, 'IM0001'),
    ]);
    await settle();
    expect(refs.map(({ id }) => uploads.get().get(id)?.reason)).toEqual([
      'This file has 30 MB; at most 25 MB can be sent.',
      'This file is empty.',
      'Files of this kind can’t be sent. You can send pictures (JPEG, PNG, WebP), PDF.',
      'Files of this kind can’t be sent. You can send pictures (JPEG, PNG, WebP), PDF.',
      null,
    ]);
    expect(server.uploads.size).toBe(1);
  });

  it('CHAT-14 a message that waits is told when its file is there; without a network it waits', async () => {
    let isCut = true;
    const server = createFakeServer(() => (isCut ? 'request' : 'none'));
    const { uploads, unsent, online, phase } = openPage({ server });
    const [ref] = uploads.add(chat, [fileOf(100)]);
    if (!ref) throw new Error('nothing was taken');
    unsent.set([itemOf([ref])]);
    online.set(false);
    await expect(uploads.ready(itemOf([ref]), AbortSignal.timeout(1_000))).rejects.toMatchObject({ kind: 'temporary' });
    expect([phase(ref.id), unsent.flush.mock.calls.length]).toEqual(['waiting', 0]);
    isCut = false;
    online.set(true);
    await vi.waitFor(() => expect(phase(ref.id)).toBe('ready'));
    expect(unsent.flush).toHaveBeenCalled();
  });

  it('CHAT-3 what is discarded goes from the device and the server; what was sent stays at the server', async () => {
    const server = createFakeServer(() => 'none');
    const { uploads, unsent, store } = openPage({ server });
    const [one, two] = uploads.add(chat, [fileOf(100), fileOf(200)]);
    if (!one || !two) throw new Error('nothing was taken');
    await settle();
    unsent.set([itemOf([one])]);
    unsent.set([]);
    await settle();
    expect([uploads.get().has(one.id), server.uploads.size, await store.file(one.id)]).toEqual([false, 1, null]);
    uploads.sent(itemOf([two]).payload);
    await settle();
    expect([uploads.get().size, server.uploads.size, await store.files()]).toEqual([0, 1, []]);
  });

  it('A34 nothing leaves for who has left meanwhile', async () => {
    const server = createFakeServer(() => 'none');
    const { uploads, store } = openPage({ server });
    uploads.stop();
    uploads.add(chat, [fileOf(100)]);
    await settle();
    expect([server.uploads.size, (await store.files()).length]).toEqual([0, 1]);
  });

  it('A32 sweeps what no message needs any more, and leaves what one does', async () => {
    const store = createMemoryStore('me');
    const bytes = new ArrayBuffer(4);
    const keptAt = new Date(Date.now() - 48 * 60 * 60_000).toISOString();
    const keep = (id: string, clientId: string | null, at = keptAt) =>
      store.keepFile({ id, chatId: CHAT, clientId, keptAt: at }, bytes);
    await Promise.all([keep('needed', 'c1'), keep('sent', 'c0'), keep('old', null)]);
    await keep('young', null, new Date().toISOString());
    const { userId, lane, writtenAt, payload } = itemOf([{ id: 'needed', name: 'a.pdf', size: 4, type: '' }]);
    await store.addOutbox({
      clientId: 'c1',
      userId,
      lane,
      writtenAt,
      content: { payload, attempts: 0, isFailed: false },
    });
    openPage({ server: createFakeServer(() => 'none'), store });
    await settle();
    expect((await store.files()).map(({ id }) => id).sort()).toEqual(['needed', 'young']);
  });
});

it('CHAT-14 a voice note is announced with its shape, and keeps it in what waits on the device', async () => {
  const voice = { duration_ms: 4_200, peaks: [1, 2, 3, 4, 5, 6, 7, 8] };
  const server = createFakeServer(() => 'none');
  const begin = vi.spyOn(server.requests, 'begin');
  const { uploads } = openPage({ server });
  const [ref] = uploads.add(chat, [markVoice(fileOf(100, 'Voice note.pdf'), voice)]);
  expect(ref?.voice).toEqual(voice);
  await vi.waitFor(() => expect(begin).toHaveBeenCalled());
  expect(begin.mock.calls[0]?.[0]).toMatchObject({ voice });
  const call = vi.fn(async () => ({ id: 'up-1' }));
  const { signal } = new AbortController();
  await createUploadRequests(call as never).begin({ chatId: CHAT, name: 'n', size: 1, voice }, signal);
  const [, said] = call.mock.calls[0] as unknown as [unknown, { headers: Record<string, string> }];
  const [, encoded = ''] = /,voice (.*)$/.exec(said.headers['Upload-Metadata'] ?? '') ?? [];
  expect(JSON.parse(atob(encoded))).toEqual(voice);
});

describe('a file for somebody with whom there is no open chat', () => {
  const direct = { user_id: 'u2', name: 'Imre', title: null, is_member: true };
  const direct_role = { role_id: 'r1', name: 'Pharmacist', person: null };
  const toBe = { ...chat, version: 0 };

  it.each([
    ['a person', { ...toBe, direct }, { facilityId: 'f', userId: 'u2' }],
    ['an on-call role', { ...toBe, direct_role }, { facilityId: 'f', roleId: 'r1' }],
    ['whom the chat was closed with', { ...chat, direct, state: 'closed' as const }, { facilityId: 'f', userId: 'u2' }],
    ['nobody else than an open chat', { ...chat, direct }, undefined],
    ['nobody else than an open chat of a role', { ...chat, direct_role }, undefined],
  ])('CHAT-14 CHAT-17 is begun for %s, also by a page after this one', async (_whom, where, place) => {
    const server = createFakeServer(() => 'request');
    const begin = vi.spyOn(server.requests, 'begin');
    const page = openPage({ server });
    const [ref] = page.uploads.add(where, [fileOf(100)]);
    if (!ref) throw new Error('nothing was taken');
    expect(ref.direct).toEqual(place);
    await vi.waitFor(() => expect(begin).toHaveBeenCalled());
    expect(begin.mock.calls[0]?.[0].direct).toEqual(place);
    page.uploads.stop();
    const after = openPage({ server, store: page.store });
    begin.mockClear();
    after.uploads.resume(CHAT, JSON.parse(JSON.stringify([ref])));
    await vi.waitFor(() => expect(begin).toHaveBeenCalled());
    expect(begin.mock.calls[0]?.[0]).toMatchObject({ chatId: CHAT, direct: place });
  });

  it('CHAT-14 CHAT-17 is announced at the address of the person or the role', async () => {
    const asked: unknown[] = [];
    const call = vi.fn(async ({ path }: { path: string }, { params }: { params: object }) => {
      asked.push([path, params]);
      return { id: 'up-1' };
    });
    const requests = createUploadRequests(call as never);
    const { signal } = new AbortController();
    const file = { chatId: CHAT, name: 'n', size: 1 };
    await requests.begin({ ...file, direct: { facilityId: 'f', userId: 'u2' } }, signal);
    await requests.begin({ ...file, direct: { facilityId: 'f', roleId: 'r1' } }, signal);
    await requests.begin(file, signal);
    expect(asked).toEqual([
      ['/api/facilities/{facility}/members/{user}/uploads', { facility: 'f', user: 'u2' }],
      ['/api/facilities/{facility}/on-call-roles/{role}/uploads', { facility: 'f', role: 'r1' }],
      ['/api/chats/{chat}/uploads', { chat: CHAT }],
    ]);
  });
});

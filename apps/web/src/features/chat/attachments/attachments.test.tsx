// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { createSource } from '@wardline/client/observable.ts';
import type { Attachment } from '@wardline/contract/chat/attachments.ts';
import type { Message } from '@wardline/contract/chat/chat.ts';
import { signAttachments } from '@wardline/contract/chat/uploads.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MessageFiles } from '#/features/chat/chat-view/message-files.tsx';
import { MessageRow, PendingRow } from '#/features/chat/chat-view/message-row.tsx';
import { filesLabel } from '#/features/chat/core/chat-labels.ts';
import type { FileRef } from '#/features/chat/core/file-ref.ts';
import { applyMessage } from '#/features/chat/engine/chat-list/merge-chats.ts';
import { excerptOf } from '#/features/chat/message-acts/quote.tsx';
import { createFakeChatRuntime } from '#/features/chat/testing/fake-chat-runtime.tsx';
import type { Uploads, UploadView } from '#/features/chat/uploads/uploads.ts';
import { type PageConfig, PageConfigContext } from '#/shared/contexts/page-config.ts';
import { createFakeApp, setOnline } from '#/testing/fake-app.tsx';
import { ana, edith, fakeMessage, fakePending, mira } from '#/testing/fake-chats.ts';
import { AttachMenu } from './attach-menu.tsx';
import { FileTray } from './file-tray.tsx';

const views = createSource<ReadonlyMap<string, UploadView>>(new Map());
const uploads = {
  ...views,
  ...{ resume: vi.fn(), cancel: vi.fn(), retry: vi.fn() },
} satisfies Partial<Uploads>;
const { around } = createFakeChatRuntime(async () => uploads as unknown as Uploads);

const file = (id: string, name: string, change: Partial<Attachment> = {}): Attachment => ({
  ...{ id, name, kind: 'image', mime: 'image/webp', bytes: 4_200, width: 800, height: 600 },
  ...{ blurhash: 'LEHV6nWB2yk8pyo0adR*.7kCMdnj', ...change },
});
const pdf = file('p', 'ecg.pdf', { kind: 'pdf', mime: 'application/pdf', width: null, height: null, blurhash: null });
const [strip, wound] = [file('a', 'strip.webp'), file('b', 'wound.webp', { width: 600, height: 1200 })];

const CHAT = '01981f2e-0000-7000-8000-0000000000c1';
const config: PageConfig = { base_url: '', mode: 'cookie', icons: { hosts: [] }, images: { media_host: '' } };
function draw(files: readonly Attachment[], change: Partial<PageConfig> = {}) {
  const app = createFakeApp();
  app.draw(<MessageFiles chatId={CHAT} files={files} sender="Dr. Mira Okafor" />, (page) => (
    <PageConfigContext value={{ ...config, ...change }}>{around(page)}</PageConfigContext>
  ));
  return app;
}

const ref = (id: string, name: string, size = 2_000_000): FileRef => ({ id, name, size, type: 'application/pdf' });
const view = (change: Partial<UploadView>): UploadView => ({
  ...{ phase: 'sending', fraction: 0.64, reason: null, mayRetry: false, blob: null, ...change },
});

beforeEach(() => {
  views.set(new Map());
  vi.clearAllMocks();
});
afterEach(() => setOnline(true));

describe('the files of a message', () => {
  it('CHAT-14 that are held back say why, and lead nowhere; a picture beside them is shown', () => {
    const held = (id: string, name: string, why: string) => file(id, name, { held: why });
    draw([
      held('c', 'wound-2.webp', 'checking'),
      held('m', 'bad.webp', 'malware'),
      held('n', 'new.webp', 'later'),
      strip,
    ]);
    expect(screen.getByText('wound-2.webp').parentElement?.textContent).toContain('Being checked for malware');
    expect(screen.getByText('bad.webp').parentElement?.textContent).toContain('Held back: it may contain malware');
    expect(screen.getByText('new.webp').parentElement?.textContent).toContain('could not be checked');
    expect(screen.getAllByRole('button')).toHaveLength(1);
    expect(document.querySelectorAll('img')).toHaveLength(1);
  });

  it('CHAT-14 CHAT-13 a picture has its box before it is there, and says what it is and from whom', () => {
    draw([strip]);
    const picture = screen.getByRole<HTMLImageElement>('img', { name: 'strip.webp, from Dr. Mira Okafor' });
    expect(picture.getAttribute('src')).toBe('/storage/attachments/a/small');
    const box = screen.getByRole('button', { name: 'strip.webp, from Dr. Mira Okafor' });
    expect(box.style.getPropertyValue('--ratio')).toBe('1.333');
    expect(box.querySelector('canvas')).not.toBeNull();
    fireEvent.load(picture);
    expect(box.querySelector('canvas')).toBeNull();
  });

  it('CHAT-14 OFF-1 says what is not there without a network, and loads it when there is one again', () => {
    draw([strip]);
    act(() => setOnline(false));
    fireEvent.error(screen.getByRole('img'));
    expect(screen.getByRole('button').textContent).toContain('Not available offline');
    act(() => setOnline(true));
    expect(screen.getByRole('img').getAttribute('src')).toBe('/storage/attachments/a/small');
  });

  it('CHAT-14 A19 asks for addresses of a minute in token mode, together, and shows nothing of what may not be read', async () => {
    const app = draw([strip, wound], { mode: 'token', base_url: 'https://api.ward.test' });
    app.api.on(signAttachments, ({ body }) => ({
      addresses: body.addresses.map((address) => (address.includes('/a/') ? `${address}?signed` : null)),
      expires_in_s: 60,
    }));
    await waitFor(() => expect(screen.getAllByRole('img')).toHaveLength(1));
    expect(screen.getByRole('img').getAttribute('src')).toBe(
      'https://api.ward.test/storage/attachments/a/small?signed',
    );
    expect(app.api.asked).toEqual(['POST /api/attachment-addresses']);
    expect(screen.getByText('This picture did not load')).toBeTruthy();
  });

  it('CHAT-14 SHELL-7 opens over the whole page; arrow keys lead on, Escape closes', async () => {
    draw([strip, wound, pdf]);
    fireEvent.click(screen.getByRole('button', { name: /^strip/ }));
    const viewer = within(await screen.findByRole('dialog', { name: 'strip.webp' }));
    expect(viewer.getByRole('img').getAttribute('src')).toBe('/storage/attachments/a/large');
    expect(viewer.getByText('From Dr. Mira Okafor · 1 of 2')).toBeTruthy();
    fireEvent.keyDown(window, { key: 'ArrowRight' });
    expect(viewer.getByRole('img', { name: 'wound.webp, from Dr. Mira Okafor' })).toBeTruthy();
    fireEvent.keyDown(window, { key: 'ArrowRight' });
    expect(viewer.getByText('From Dr. Mira Okafor · 2 of 2')).toBeTruthy();
    fireEvent.keyDown(window, { key: '+' });
    expect(viewer.getByRole('img').parentElement?.style.transform).toBe('translate(0px, 0px) scale(1.5)');
    fireEvent.keyDown(window, { key: '0' });
    expect(viewer.getByRole('img').parentElement?.style.transform).toBe('translate(0px, 0px) scale(1)');
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('CHAT-10 the picture of a case is shown with its patient’s two identifiers', async () => {
    const { around: withChats } = createFakeChatRuntime();
    const files = <MessageFiles chatId={edith.id} files={[strip]} sender="Dr. Mira Okafor" />;
    createFakeApp().draw(files, (page) => <PageConfigContext value={config}>{withChats(page)}</PageConfigContext>);
    fireEvent.click(screen.getByRole('button', { name: /^strip/ }));
    const viewer = await screen.findByRole('dialog', { name: 'strip.webp' });
    expect(viewer.textContent).toContain('Edith Maron, MRN 40-118-236 · From Dr. Mira Okafor');
  });

  it('CHAT-14 other files are downloaded; sound and video play where they stand', async () => {
    const clicked: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
      clicked.push(this.getAttribute('href') ?? '');
    });
    draw([pdf, file('s', 'heart.wav', { kind: 'audio', width: null, height: null })]);
    expect(screen.getByText('ecg.pdf')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Download ecg.pdf' }));
    await waitFor(() => expect(clicked).toEqual(['/storage/attachments/p/file']));
    fireEvent.click(screen.getByRole('button', { name: 'Play heart.wav' }));
    const player = await screen.findByLabelText('heart.wav');
    expect([player.tagName, player.getAttribute('src')]).toEqual(['AUDIO', '/storage/attachments/s/file']);
    fireEvent.error(player);
    expect(screen.getByRole('alert').textContent).toContain('can’t play it');
    act(() => setOnline(false));
    fireEvent.click(screen.getByRole('button', { name: 'Download ecg.pdf' }));
    await waitFor(() => expect(screen.getAllByRole('alert')[0]?.textContent).toBe('Not available offline'));
  });

  it('CHAT-14 a deleted message shows nothing of them, and one without words only them', async () => {
    const said: Message = { ...fakeMessage(7, mira, 5, ''), attachments: [pdf] };
    const row = (message: Message) => (
      <MessageRow message={message} receipt={null} isOwn={false} isHead timeZone="UTC" />
    );
    const app = createFakeApp();
    const { rerender, container } = app.draw(row(said), around);
    expect(await screen.findByRole('button', { name: 'Download ecg.pdf' })).toBeTruthy();
    expect(container.querySelector('.m-text')).toBeNull();
    const deleted = { at: said.created_at, reason: 'wrong chat' };
    rerender(row({ ...said, attachments: [], deleted } as Message));
    expect(await screen.findByText(/wrong chat/)).toBeTruthy();
    expect(container.textContent).not.toContain('ecg.pdf');
  });

  it('CHAT-14 where there is room for a line they are named by what they are', () => {
    expect([[strip], [strip, wound], [pdf], [strip, pdf], []].map((files) => filesLabel(files))).toEqual([
      'Photo',
      '2 photos',
      'File: ecg.pdf',
      '2 files',
      '',
    ]);
    const said: Message = { ...fakeMessage(9, mira, 1, ''), attachments: [strip] };
    expect(excerptOf(said)).toBe('Photo');
    expect(applyMessage({ ...edith, head_seq: 8 }, said).last_message?.excerpt).toBe('Photo');
  });
});

describe('files on their way', () => {
  function tray(files: readonly FileRef[]) {
    const [onChange, onBlocked] = [vi.fn(), vi.fn()];
    createFakeApp().draw(<FileTray chatId="c" {...{ files, onChange, onBlocked }} />, around);
    return { onChange, onBlocked };
  }

  it('CHAT-14 each says how far it is, in a bar with a name, and can be cancelled', async () => {
    views.set(new Map([['f', view({})]]));
    const { onChange } = tray([ref('f', 'strip.pdf')]);
    const bar = await screen.findByRole('progressbar', { name: 'Uploading strip.pdf' });
    expect(bar.getAttribute('aria-valuenow')).toBe('64');
    expect(screen.getByText(/64 % of 1.9 MB/)).toBeTruthy();
    expect(screen.getByRole('status').textContent).toBe('Uploading 1 file');
    await waitFor(() => expect(uploads.resume).toHaveBeenCalledWith('c', [ref('f', 'strip.pdf')]));
    fireEvent.click(screen.getByRole('button', { name: 'Cancel strip.pdf' }));
    expect(onChange).toHaveBeenCalledWith([]);
    expect(uploads.cancel).toHaveBeenCalledWith('f');
  });

  it('CHAT-14 CHAT-24 one that is refused says why and what to do, and holds the message until it is gone', async () => {
    const refused = view({ phase: 'refused', reason: 'You can’t send files in this chat.', mayRetry: true });
    views.set(new Map([['f', refused]]));
    const { onBlocked } = tray([ref('f', 'strip.png')]);
    expect((await screen.findByRole('alert')).textContent).toBe(
      '“strip.png” can’t be sent. You can’t send files in this chat. Retry or remove it to send your message. Remove it',
    );
    await waitFor(() => expect(onBlocked).toHaveBeenLastCalledWith(true));
    expect(screen.getByRole('status').textContent).toBe('');
    fireEvent.click(screen.getByRole('button', { name: 'Retry strip.png' }));
    expect(uploads.retry).toHaveBeenCalledWith('f');
    act(() => views.set(new Map([['f', view({ phase: 'ready', fraction: 1 })]])));
    expect(onBlocked).toHaveBeenLastCalledWith(false);
    expect(screen.getByRole('status').textContent).toBe('1 file is ready to send');
  });

  it('CHAT-24 those that are refused are taken out together, and the others stay', async () => {
    const refused = (reason: string) => view({ phase: 'refused', reason });
    views.set(
      new Map([
        ['a', refused('This file is empty.')],
        ['b', view({ phase: 'ready', fraction: 1 })],
        ['c', refused('Files of this kind can’t be sent.')],
      ]),
    );
    const { onChange } = tray([ref('a', 'empty.pdf'), ref('b', 'strip.pdf'), ref('c', 'tool.exe')]);
    expect((await screen.findByRole('alert')).textContent).toBe(
      '“empty.pdf” can’t be sent. This file is empty. “tool.exe” can’t be sent. Files of this kind can’t be sent. Remove them to send your message. Remove them',
    );
    fireEvent.click(screen.getByRole('button', { name: 'Remove them' }));
    expect(onChange).toHaveBeenCalledWith([ref('b', 'strip.pdf')]);
    expect(uploads.cancel.mock.calls.flat()).toEqual(['a', 'c']);
  });

  it('CHAT-14 stand with their message while it waits', async () => {
    views.set(new Map([['f', view({ phase: 'waiting', fraction: 0.25 })]]));
    const pending = { ...fakePending(1, 'waiting', ''), files: [ref('f', 'film.pdf')] };
    const actions = { onRetry: vi.fn(), onDiscard: vi.fn() };
    createFakeApp().draw(<PendingRow pending={pending} isHead me={ana} timeZone="UTC" {...actions} />, around);
    expect(await screen.findByText('film.pdf')).toBeTruthy();
    expect(await screen.findByText('25 % of 1.9 MB, waiting')).toBeTruthy();
    expect(screen.getByText('Waiting to send')).toBeTruthy();
  });

  it('CHAT-10 a finger chooses between camera, photos and files; with a mouse the press opens the files', async () => {
    const opened: string[] = [];
    vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(function click(this: HTMLInputElement) {
      opened.push(`${this.accept}${this.getAttribute('capture') ?? ''}`);
    });
    const isTouch = vi.fn(() => false);
    vi.stubGlobal('matchMedia', () => ({ matches: isTouch() }));
    const onFiles = vi.fn();
    const menu = () => <AttachMenu trigger={<button type="button">Attach files</button>} onFiles={onFiles} />;
    const { rerender } = render(menu());
    fireEvent.click(screen.getByRole('button'));
    expect(opened).toEqual(['']);
    isTouch.mockReturnValue(true);
    rerender(menu());
    fireEvent.keyDown(screen.getByRole('button'), { key: 'Enter' });
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Take a photo' }));
    expect(opened[1]).toBe('image/jpeg,image/png,image/webpenvironment');
    const chosen = new File(['x'], 'a.pdf');
    fireEvent.change(screen.getByLabelText('Files'), { target: { files: [chosen] } });
    expect(onFiles).toHaveBeenCalledWith([chosen]);
    vi.unstubAllGlobals();
  });
});

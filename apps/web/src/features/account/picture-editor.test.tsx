// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { removeAvatar } from '@wardline/contract/account/account.ts';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { pageToasts } from '#/shared/contexts/show-toast.ts';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { anaUser } from '#/testing/fake-chats.ts';
import { PictureEditor } from './picture-editor.tsx';

const wire = vi.hoisted(() => ({
  progress: (_fraction: number): void => undefined,
  send: async (_url: string, _init: RequestInit): Promise<Response> => new Response(),
}));
vi.mock('@wardline/client/http/upload.ts', () => ({
  createUploadFetch: (onProgress: (fraction: number) => void) => {
    wire.progress = onProgress;
    return (url: string, init: RequestInit) => wire.send(url, init);
  },
}));
vi.mock('react-easy-crop', () => ({
  default: ({ onCropComplete }: { onCropComplete: (percent: object, pixels: object) => void }) => (
    <button type="button" onClick={() => onCropComplete({}, { x: 10, y: 20, width: 300, height: 300 })}>
      cut
    </button>
  ),
}));
const cut = vi.hoisted(() => vi.fn(async (_picture: unknown, _area: unknown) => new Blob(['cut'])));
const open = vi.hoisted(() => vi.fn(async (_file: unknown): Promise<{ close: () => void }> => ({ close: () => {} })));
vi.mock('./cut-picture.ts', () => ({ openPicture: open, cutPicture: cut, drawPart: () => undefined }));

const file = new File(['picture'], 'me.png', { type: 'image/png' });

// What a press would load is there, so that no test waits for it.
beforeAll(() => Promise.all([import('./crop-dialog.tsx'), import('@wardline/client/toasts/toasts.ts')]));
beforeEach(() => {
  open.mockImplementation(async () => ({ close: () => undefined }));
  URL.createObjectURL = () => 'blob:picture';
  URL.revokeObjectURL = () => undefined;
});
afterEach(() => void vi.clearAllMocks());

const said = () =>
  pageToasts
    .get()
    ?.get()
    .map(({ title }) => title) ?? [];

function setUp(avatarUrl: string | null = null) {
  const user = { ...anaUser, avatar_url: avatarUrl };
  const app = createFakeApp({ status: 'signed-in', user, confirmed: true });
  const onChanged = vi.fn(async () => undefined);
  app.draw(<PictureEditor user={user} onChanged={onChanged} />);
  const choose = (chosen: File) => fireEvent.change(screen.getByLabelText('Picture'), { target: { files: [chosen] } });
  const openAndCut = async () => {
    choose(file);
    fireEvent.click(await screen.findByRole('button', { name: 'cut' }));
    fireEvent.click(screen.getByRole('button', { name: 'Use this picture' }));
  };
  return { ...app, onChanged, choose, openAndCut };
}

describe('ACC-5 the picture', () => {
  it('ACC-5 TOAST-1 the chosen part is sent as a form, and the identity asked for anew', async () => {
    const { openAndCut, onChanged } = setUp();
    const sent: RequestInit[] = [];
    wire.send = async (url, init) => {
      expect(url).toBe('http://wardline.test/api/user/avatar');
      sent.push(init);
      return Response.json({ ...anaUser, avatar_url: '/storage/avatars/x' });
    };
    await openAndCut();
    await waitFor(() => expect(onChanged).toHaveBeenCalledOnce());
    expect(cut).toHaveBeenCalledWith(expect.anything(), { x: 10, y: 20, width: 300, height: 300 });
    const [init] = sent;
    expect(init?.method).toBe('POST');
    expect(init?.body instanceof FormData && init.body.get('avatar')).toBeInstanceOf(Blob);
    expect(screen.queryByRole('dialog')).toBeNull();
    await waitFor(() => expect(said()).toContain('Picture saved'));
  });

  it('UI-2 sending shows its progress and can be cancelled; the chosen part stays', async () => {
    const { openAndCut, onChanged } = setUp();
    wire.send = (_url, { signal }) =>
      new Promise((_resolve, reject) => {
        wire.progress(0.4);
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    await openAndCut();
    const bar = await screen.findByRole('progressbar');
    await waitFor(() => expect(bar.getAttribute('aria-label')).toBe('40 %'));
    fireEvent.click(screen.getByRole('button', { name: 'Cancel upload' }));
    await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull());
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.getByRole('button', { name: 'Use this picture' })).toBeTruthy();
    expect(onChanged).not.toHaveBeenCalled();
  });

  it('UI-2 ACC-5 a failed upload says why and can be tried again', async () => {
    const { openAndCut } = setUp();
    wire.send = async () =>
      Response.json({ message: 'No.', errors: { avatar: ['This is not a picture.'] } }, { status: 422 });
    await openAndCut();
    expect((await screen.findByRole('alert')).textContent).toBe('This is not a picture.');
    expect(screen.getByRole('button', { name: 'Use this picture' }).hasAttribute('disabled')).toBe(false);
  });

  it.each([
    [new File(['x'], 'me.gif', { type: 'image/gif' }), 'Choose a JPEG, PNG or WebP picture.'],
    [
      Object.defineProperty(new File(['x'], 'me.png', { type: 'image/png' }), 'size', { value: 21 * 1024 * 1024 }),
      'Choose a picture of at most 20 MB.',
    ],
  ])('ACC-5 a file that cannot become a picture is refused at once (%#)', (chosen, text) => {
    const { choose } = setUp();
    choose(chosen);
    expect(screen.getByRole('alert').textContent).toBe(text);
    expect(open).not.toHaveBeenCalled();
  });

  it('ACC-5 a file that cannot be opened says so', async () => {
    open.mockRejectedValue(new Error('damaged'));
    const { choose } = setUp();
    choose(file);
    const dialog = within(await screen.findByRole('dialog'));
    expect((await dialog.findByRole('alert')).textContent).toBe('This file can’t be opened as a picture.');
    expect(dialog.getByRole('button', { name: 'Use this picture' }).hasAttribute('disabled')).toBe(true);
  });

  it('ACC-5 a dropped file opens as a chosen one does', async () => {
    setUp();
    fireEvent.drop(screen.getByText(anaUser.name), { dataTransfer: { files: [file] } });
    expect(await screen.findByRole('dialog', { name: 'Crop the picture' })).toBeTruthy();
  });

  it('ACC-5 TOAST-1 the picture is removed; without one there is nothing to remove', async () => {
    const { api, onChanged } = setUp('/storage/avatars/x');
    api.on(removeAvatar, () => ({ ...anaUser, avatar_url: null }));
    fireEvent.click(screen.getByRole('button', { name: 'Remove picture' }));
    await waitFor(() => expect(onChanged).toHaveBeenCalledOnce());
    expect(api.asked).toEqual(['DELETE /api/user/avatar']);
    await waitFor(() => expect(said()).toContain('Picture removed'));
  });

  it('UI-1 without a picture the initials stand in, and there is nothing to remove', () => {
    setUp();
    expect(screen.getByText('AR')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Remove picture' })).toBeNull();
  });
});

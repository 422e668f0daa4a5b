// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pageToasts, showToast } from '#/shared/contexts/show-toast.ts';
import { copyText } from './copy-text.ts';

const said = () =>
  (pageToasts.get()?.get() ?? []).filter(({ open }) => open).map(({ title, colour }) => [title, colour]);

beforeEach(async () => {
  await showToast({ title: 'before' });
  pageToasts.get()?.clear();
});
afterEach(() => void vi.unstubAllGlobals());

function clipboard(writeText: (text: string) => Promise<void>) {
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue({ writeText } as Clipboard);
}

describe('copying the text of a message', () => {
  it('TOAST-1 says in passing that it was copied', async () => {
    const copied: string[] = [];
    clipboard(async (text) => void copied.push(text));
    await copyText('K 6.8');
    await expect.poll(() => said()).toEqual([['Message text copied', 'success']]);
    expect(copied).toEqual(['K 6.8']);
  });

  it('TOAST-1 says where the browser refuses', async () => {
    clipboard(async () => {
      throw new DOMException('denied', 'NotAllowedError');
    });
    await copyText('K 6.8');
    await expect.poll(() => said()).toEqual([['Not copied', 'error']]);
  });
});

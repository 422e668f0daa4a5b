// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { StorageNotice } from './storage-notice.tsx';

const WARNING = /may clear unsent work after days without use/;

function draw(manager: Partial<StorageManager> | undefined) {
  vi.stubGlobal('navigator', { ...navigator, storage: manager });
  return render(<StorageNotice />);
}

afterEach(() => vi.unstubAllGlobals());

it('CHAT-24 where the browser may clear what waits it is said, and gone once the browser has agreed to keep it', async () => {
  const persist = vi.fn(async () => true);
  draw({ persisted: async () => false, persist });
  expect(await screen.findByText(WARNING)).toBeTruthy();
  expect(persist).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole('button', { name: 'Ask to keep it' }));
  await waitFor(() => expect(screen.queryByText(WARNING)).toBeNull());
  expect(persist).toHaveBeenCalledTimes(1);
  expect(screen.queryByRole('status')).toBeNull();
});

it('CHAT-24 a browser that refuses says what helps instead', async () => {
  draw({ persisted: async () => false, persist: async () => false });
  fireEvent.click(await screen.findByRole('button', { name: 'Ask to keep it' }));
  expect((await screen.findByRole('status')).textContent).toContain('Install the app, or go online within a few days');
  expect(screen.queryByRole('button')).toBeNull();
});

it.each([
  ['keeps it already', { persisted: async () => true }],
  ['cannot be asked', { persisted: () => Promise.reject(new Error('opaque origin')) }],
  ['has no such storage', undefined],
])('CHAT-24 nothing is said by a browser that %s', async (_, manager) => {
  const { container } = draw(manager);
  await new Promise((resolve) => setTimeout(resolve));
  expect(container.textContent).toBe('');
});

// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { render } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useErrorTitle, usePageTitle, useUnreadBadge } from './page-title.ts';

const badges: number[] = [];
beforeEach(() => void Object.assign(navigator, { setAppBadge: async (count: number) => void badges.push(count) }));
afterEach(() => {
  badges.splice(0);
  Reflect.deleteProperty(navigator, 'setAppBadge');
});

function Window({ page, unread }: { page: string | null; unread: number }) {
  usePageTitle(page);
  useUnreadBadge(unread);
  return null;
}

function FailedWindow() {
  useErrorTitle();
  useUnreadBadge(4);
  return null;
}

it('CHAT-21 SHELL-1 the title and the app’s icon count the unread chats, on every page, and no longer once one is signed out', () => {
  const { rerender, unmount } = render(<Window page="Chats" unread={0} />);
  expect(document.title).toBe('Chats - Wardline');
  rerender(<Window page="Chats" unread={3} />);
  expect(document.title).toBe('(3) Chats - Wardline');
  rerender(<Window page="Settings" unread={3} />);
  expect(document.title).toBe('(3) Settings - Wardline');
  rerender(<Window page={null} unread={2} />);
  expect(document.title).toBe('(2) Wardline');
  unmount();
  expect(document.title).toBe('Wardline');
  expect(badges).toEqual([0, 3, 2, 0]);
});

it('CHAT-21 the title of a page that failed counts them too; a browser that refuses a badge is left alone', () => {
  const refuse = vi.fn(() => Promise.reject(new Error('not installed')));
  Object.assign(navigator, { setAppBadge: refuse });
  render(<FailedWindow />);
  expect(document.title).toBe('(4) Error | Wardline');
  expect(refuse).toHaveBeenCalledWith(4);
});

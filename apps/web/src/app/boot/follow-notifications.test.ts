import { expect, it, vi } from 'vitest';
import { followNotifications } from './follow-notifications.ts';

function say(data: unknown) {
  const open = vi.fn();
  const container = new EventTarget();
  followNotifications(container, open);
  container.dispatchEvent(Object.assign(new Event('message'), { data }));
  return open;
}

it.each(['/chats', '/chats?notification=0198', '/settings#notifications'])(
  'A36 a pressed notification leads to %s',
  (path) => {
    expect(say({ type: 'open', path })).toHaveBeenCalledExactlyOnceWith(path);
  },
);

it.each([
  [{ type: 'open', path: '//evil.example' }],
  [{ type: 'open', path: '/api/user' }],
  [{ type: 'open', path: '/\\evil.example?/chats' }],
  [{ type: 'open', path: '/api/user?/chats' }],
  [{ type: 'open', path: 7 }],
  [{ type: 'open', path: 'javascript:alert(1)' }],
  [{ type: 'open' }],
  [{ type: 'push-subscription-changed' }],
  [null],
])('A36 nothing else that a worker says leads anywhere: %j', (data) => {
  expect(say(data)).not.toHaveBeenCalled();
});

it('A36 a browser without workers has nothing to follow', () => {
  expect(() => followNotifications(undefined, vi.fn())).not.toThrow();
});

import { describe, expect, it } from 'vitest';
import { calledFor, pushedNotification } from './push-notification.ts';

describe('A36 what a push shows on a lock screen', () => {
  it.each([
    [{ type: 'message', id: '0198' }, 'message:0198', 'New message', '/chats?notification=0198'],
    [{ type: 'message_aloud', id: '0198' }, 'message:0198', 'New message', '/chats?notification=0198'],
    [{ type: 'urgent', id: '0198' }, 'message:0198', 'Urgent message', '/chats?notification=0198'],
    [{ type: 'test', id: '' }, 'test', 'This device can be called.', '/settings#notifications'],
    [{ type: 'census', id: 'a-1' }, 'census:a-1', 'You have a new notification', '/census'],
    [{ type: 'something-new', id: '7' }, 'something-new:7', 'You have a new notification', '/dashboard'],
    [{ type: 'message' }, 'message', 'New message', '/chats'],
  ])('A36 CHAT-16 %j is announced without saying what it is', (payload, tag, body, path) => {
    expect(pushedNotification(payload)).toMatchObject({
      title: 'Wardline',
      options: { body, icon: '/icons/icon-192.png', tag, data: { path } },
    });
  });

  it.each([
    ['message', false, { silent: true, renotify: false, requireInteraction: false }],
    ['message_aloud', false, { silent: false, renotify: true, requireInteraction: false }],
    ['message_aloud', true, { silent: true, renotify: false, requireInteraction: false }],
    ['urgent', false, { silent: false, renotify: true, requireInteraction: true }],
    ['urgent', true, { silent: true, renotify: false, requireInteraction: true }],
    ['test', true, { silent: false, renotify: true, requireInteraction: false }],
  ])('CHAT-23 of type %s, with a page in sight: %s, it sounds as it should', (type, isPageSeen, options) => {
    expect(pushedNotification({ type, id: '1' }, { isPageSeen }).options).toMatchObject(options);
  });

  it('URG-1 only what is urgent calls somebody, and only by an id', () => {
    expect(calledFor({ type: 'urgent', id: 'n-1' })).toBe('n-1');
    for (const payload of [{ type: 'message', id: 'n-1' }, { type: 'urgent', id: '../x' }, { type: 'urgent' }, null])
      expect(calledFor(payload)).toBeNull();
  });

  it.each([
    [null],
    ['text'],
    [{ type: 7, id: {} }],
    [{ type: '__proto__', id: 'x' }],
    [{ type: 'constructor' }],
    [{ title: 'Edith Maron', body: 'K 6.8', type: 'Edith Maron, K 6.8 mmol/L', id: '../../evil' }],
  ])('A36 nothing that a payload says is shown: %j', (payload) => {
    const shown = JSON.stringify(pushedNotification(payload));
    expect(shown).toContain('You have a new notification');
    expect(shown).toContain('"path":"/dashboard"');
    expect(shown).not.toMatch(/Edith|K 6|evil/);
  });
});

import { describe, expect, it } from 'vitest';
import { pushedNotification } from './push-notification.ts';

describe('A36 what a push shows on a lock screen', () => {
  it.each([
    [{ type: 'message', id: '0198' }, 'message:0198', '/chats'],
    [{ type: 'census', id: 'a-1' }, 'census:a-1', '/census'],
    [{ type: 'something-new', id: '7' }, 'something-new:7', '/dashboard'],
    [{ type: 'message' }, 'message', '/chats'],
  ])('A36 %j is announced without saying what it is', (payload, tag, path) => {
    expect(pushedNotification(payload)).toEqual({
      title: 'Wardline',
      options: { body: 'You have a new notification', icon: '/icons/icon-192.png', tag, data: { path } },
    });
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

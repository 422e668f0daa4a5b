import { expect, it } from 'vitest';
import { fakeChat } from '#/testing/fake-chats.ts';
import { NOT_OPEN, withChat } from './chat-opening.ts';

const base = fakeChat({ title: 'Edith Maron', minutesAgo: 1, said: 'x' });
const at = (read_seq: number, marked_unread_seq?: number | null) => ({
  ...base,
  my: { ...base.my, read_seq, ...(marked_unread_seq !== undefined && { marked_unread_seq }) },
});

it('CHAT-5 a chat opens where it is kept as unread, and otherwise behind what was read', () => {
  expect(withChat(NOT_OPEN, at(40)).readSeq).toBe(40);
  expect(withChat(NOT_OPEN, at(40, null)).readSeq).toBe(40);
  expect(withChat(NOT_OPEN, at(40, 31)).readSeq).toBe(30);
  // New messages came before the one that is kept.
  expect(withChat(NOT_OPEN, at(20, 31)).readSeq).toBe(20);
});

it('CHAT-5 what is kept as unread while the chat is open moves nothing in it', () => {
  const opened = withChat(NOT_OPEN, at(40));
  expect(withChat(opened, at(40, 31))).toBe(opened);
});

import { expect, it } from 'vitest';
import { anchorToMessages } from './anchor-to-messages.ts';

const item = (index: number, key: string) => ({
  index,
  key,
  start: index * 30,
  end: index * 30 + 30,
  size: 30,
  lane: 0,
});
const isMessage = (key: string | number | bigint) => String(key).startsWith('s-');

function listOf(...keys: string[]) {
  const measurementsCache = keys.map((key, index) => item(index, key));
  const list = {
    measurementsCache,
    getVirtualItemForOffset: (offset: number) => measurementsCache[Math.floor(offset / 30)],
  };
  anchorToMessages(list, isMessage);
  return list;
}

it('CHAT-13 a chat holds on to the first message in view, not to what stands between messages', () => {
  const list = listOf('gap-4', 'day-2026-11-20', 's-4', 's-5');
  expect(list.getVirtualItemForOffset(0)?.key).toBe('s-4');
  expect(list.getVirtualItemForOffset(31)?.key).toBe('s-4');
  expect(list.getVirtualItemForOffset(95)?.key).toBe('s-5');
});

it('CHAT-13 where no message follows, the row in view is what there is', () => {
  expect(listOf('s-1', 'day-2026-11-20').getVirtualItemForOffset(31)?.key).toBe('day-2026-11-20');
  expect(listOf().getVirtualItemForOffset(0)).toBeUndefined();
});

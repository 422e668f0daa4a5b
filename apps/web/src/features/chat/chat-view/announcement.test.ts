import { expect, it } from 'vitest';
import { ana, fakeMessage, leila, mira } from '#/testing/fake-chats.ts';
import { announcementAfter, newestSeq } from './announcement.ts';
import { groupRows } from './group-rows.ts';

const rowsOf = (...messages: ReturnType<typeof fakeMessage>[]) =>
  groupRows(
    messages.map((message) => ({ type: 'message', message, receipt: null })),
    { myId: ana.id, timeZone: 'UTC', firstUnreadSeq: null },
  );

it('SHELL-8 says what others wrote since, also where the newest message is one’s own', () => {
  const rows = rowsOf(
    fakeMessage(1, leila, 9, 'K 6.9'),
    fakeMessage(2, mira, 8, 'Coming'),
    fakeMessage(3, ana, 7, 'Thanks'),
  );
  expect(announcementAfter(rows, 0)).toBe(`${leila.name}: K 6.9\n${mira.name}: Coming`);
  expect(announcementAfter(rows, 1)).toBe(`${mira.name}: Coming`);
  expect(announcementAfter(rows, 2)).toBeNull();
  expect([newestSeq(rows), newestSeq([])]).toEqual([3, null]);
});

it('SHELL-8 says no more than the three newest', () => {
  const rows = rowsOf(...['a', 'b', 'c', 'd'].map((text, at) => fakeMessage(at + 1, mira, 9 - at, text)));
  expect(announcementAfter(rows, 0)).toBe(['b', 'c', 'd'].map((text) => `${mira.name}: ${text}`).join('\n'));
});

// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { listMessages } from '@wardline/contract/chat/chat.ts';
import { expect, it, vi } from 'vitest';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { edith, edithItems, fakeMessage, leila } from '#/testing/fake-chats.ts';
import { DayDialog } from './day-dialog.tsx';
import { heldDaySeq } from './held-day.ts';

const on = (seq: number, day: string) =>
  ({
    type: 'message',
    message: { ...fakeMessage(seq, leila, 0, 'x'), created_at: `${day}T12:00:00Z` },
    receipt: null,
  }) as const;

it.each([
  ['follows one of an earlier day without a hole', [on(7, '2026-11-18'), on(8, '2026-11-20')], 8],
  ['is the very first', [on(1, '2026-11-20')], 1],
  ['stands after a hole, in which there may be an earlier one', [on(7, '2026-11-18'), on(9, '2026-11-20')], null],
  ['is the oldest that is held', [on(30, '2026-11-20')], null],
  ['is not held', [on(7, '2026-11-18')], null],
])('CHAT-20 the first message of a day is known here where it %s', (_what, items, seq) => {
  expect(heldDaySeq(items, 'UTC', '2026-11-19')).toBe(seq);
});

function show(onSeq: number | null) {
  const app = createFakeApp();
  const asked: unknown[] = [];
  app.api.on(listMessages, ({ query }) => {
    asked.push(query);
    return { data: [], head_seq: 40, on_seq: onSeq };
  });
  const [onShow, onClose] = [vi.fn(), vi.fn()];
  app.draw(<DayDialog {...{ chat: edith, items: edithItems, timeZone: 'UTC', onShow, onClose }} day="2026-11-19" />);
  const go = (day: string) => {
    fireEvent.change(screen.getByLabelText('Date'), { target: { value: day } });
    fireEvent.click(screen.getByRole('button', { name: 'Go' }));
  };
  return { app, asked, onShow, onClose, go };
}

it('CHAT-20 a date that is chosen leads to its first message', async () => {
  const { asked, onShow, onClose, go } = show(12);
  go('2026-11-02');
  await waitFor(() => expect(onShow).toHaveBeenCalledExactlyOnceWith(12));
  expect(onClose).toHaveBeenCalledOnce();
  expect(asked).toEqual([{ on: '2026-11-02', limit: 1 }]);
});

it('CHAT-20 says in the dialog that nothing was said since, that there is no network, and that a date is missing', async () => {
  const { app, onClose, go } = show(null);
  go('2026-11-19');
  expect(await screen.findByText(/^No messages on Thu 19 Nov.* or later\.$/)).toBeTruthy();
  app.api.around = () => Promise.reject(new TypeError('no network'));
  go('2026-11-18');
  await waitFor(() => expect(screen.queryByText(/or later/)).toBeNull());
  expect(await screen.findByText('The server could not be reached. Check the connection.')).toBeTruthy();
  go('');
  expect(await screen.findByText('Choose a date.')).toBeTruthy();
  expect(onClose).not.toHaveBeenCalled();
});

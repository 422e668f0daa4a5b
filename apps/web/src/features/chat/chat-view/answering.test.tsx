// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, fireEvent, screen } from '@testing-library/react';
import { createMemoryStore } from '@wardline/client/store/memory-store.ts';
import type { ReactNode } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ChatView } from '#/features/chat/core/chat-view.ts';
import { draftsOf } from '#/features/chat/drafts/draft-store.ts';
import { createFakeChatRuntime } from '#/features/chat/testing/fake-chat-runtime.tsx';
import { DeviceContext } from '#/shared/contexts/device-context.ts';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { ana, edith, edithItems, fakeChatView, noUploads, stBrigid } from '#/testing/fake-chats.ts';
import { ChatScreen } from './chat-screen.tsx';

const chats = createFakeChatRuntime();
const device = { store: createMemoryStore(ana.id), outbox: null as never };
const drafts = draftsOf(ana.id);
const answered = () => JSON.parse(drafts.read(`reply/${edith.id}`) || 'null');
const message = (seq: number) => {
  const item = edithItems.find((one) => one.type === 'message' && one.message.seq === seq);
  return item?.type === 'message' ? { id: item.message.id, seq } : null;
};

const around = (page: ReactNode) => <DeviceContext value={device}>{chats.around(page)}</DeviceContext>;

function setUp(send: ChatView['send']) {
  drafts.write(`reply/${edith.id}`, JSON.stringify(message(34)));
  createFakeApp().draw(
    <ChatScreen
      chatView={fakeChatView({ send, typing: [] })}
      chat={edith}
      facility={stBrigid}
      me={ana}
      drawAct={() => null}
      uploads={noUploads}
    />,
    around,
  );
  const box = screen.getByPlaceholderText<HTMLTextAreaElement>('Type your message here…');
  fireEvent.change(box, { target: { value: 'Which lead?' } });
  fireEvent.keyDown(box, { key: 'Enter' });
  return box;
}

afterEach(() => {
  for (const name of ['', 'reply/']) drafts.write(`${name}${edith.id}`, '');
});

describe('CHAT-11 an answer', () => {
  it('goes with what it answers, and the next message answers nothing', () => {
    const send = vi.fn<ChatView['send']>(async () => undefined);
    const box = setUp(send);
    expect(send.mock.lastCall?.[1]).toMatchObject({ replyTo: message(34) });
    expect([box.value, answered()]).toEqual(['', null]);
  });

  it('CHAT-3 comes back with its text and what it answered where this device is full', async () => {
    const box = setUp(() => Promise.reject(new Error('This device has no room left.')));
    expect((await screen.findByRole('alert')).textContent).toContain('This device has no room left.');
    expect([box.value, answered()]).toEqual(['Which lead?', message(34)]);
    expect(await screen.findByText(/ECG done\. No peaked T waves/, { selector: '.composer *' })).toBeTruthy();
  });

  it('SHELL-7 says what it answers, and one that is given up leaves the keyboard in the box', async () => {
    const box = setUp(() => Promise.reject(new Error('This device has no room left.')));
    const cancel = await screen.findByRole('button', { name: 'Don’t reply to this message' });
    expect(screen.getByText('Reply to').closest('[role=status]')?.textContent).toContain('ECG done.');
    cancel.focus();
    fireEvent.click(cancel);
    expect(answered()).toBeNull();
    expect(document.activeElement).toBe(box);
  });

  it('SHELL-7 CHAT-10 a draft of another device that is taken or not leaves the keyboard in the box', async () => {
    const box = setUp(async () => undefined);
    const offer = { version: 2, body: 'Calcium is in', reply_to: null, mentions: [] };
    for (const [way, left] of [
      ['Discard it', ''],
      ['Use it', 'Calcium is in'],
    ] as const) {
      act(() => drafts.write(`offer/${edith.id}`, JSON.stringify(offer)));
      const button = await screen.findByRole('button', { name: way });
      button.focus();
      fireEvent.click(button);
      expect(box.value).toBe(left);
      expect(document.activeElement).toBe(box);
    }
  });

  it('CHAT-3 takes the place of no other that was begun since', async () => {
    const refusals: ((why: Error) => void)[] = [];
    const box = setUp(() => new Promise((_done, fail) => refusals.push(fail)));
    act(() => drafts.write(`reply/${edith.id}`, JSON.stringify(message(38))));
    fireEvent.change(box, { target: { value: 'Calcium is in' } });
    await act(async () => refusals[0]?.(new Error('This device has no room left.')));
    expect([box.value, answered()]).toEqual(['Which lead?\nCalcium is in', message(38)]);
  });
});

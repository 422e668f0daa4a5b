// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, fireEvent, render, screen } from '@testing-library/react';
import type { Reaction } from '@wardline/contract/chat.ts';
import { describe, expect, it, vi } from 'vitest';
import { MessageRow } from '#/features/chat/chat-view/message-row.tsx';
import { ana, fakeMessage, leila, mira } from '#/testing/fake-chats.ts';
import type { MessageActs } from './message-acts.ts';
import { formatNames, groupReactions } from './reaction-labels.ts';

const by = (person: typeof ana, code: string): Reaction => ({
  code,
  user_id: person.id,
  name: person.name,
  at: '2026-11-20T00:41:00Z',
});

async function show(reactions: Reaction[], given: Partial<MessageActs> = {}) {
  const acts = {
    ...{ myId: ana.id, mayReact: true, change: vi.fn(), onRetry: vi.fn(), onDiscard: vi.fn(), onCopy: vi.fn() },
    ...given,
  };
  const message = { ...fakeMessage(7, leila, 2, 'Bed 9 is clean.'), change_seq: 1, reactions };
  const refused = [
    {
      clientId: 'x1',
      payload: { type: 'react', messageId: message.id, code: 'done', isSet: true } as const,
      reason: 'You are no longer in this chat.',
    },
  ];
  const row = { message, receipt: null, isOwn: false, isHead: true, timeZone: 'UTC', acts };
  const { rerender } = render(<MessageRow {...row} />);
  return { acts, message, refuse: () => rerender(<MessageRow {...row} refused={refused} />) };
}

describe('reactions under a message', () => {
  it('CHAT-11 say what and by whom, and a press gives mine or takes it back', async () => {
    const { acts, message } = await show([by(leila, 'on_my_way'), by(ana, 'seen'), by(mira, 'seen')]);
    const pills = await screen.findAllByRole('button', { pressed: true }).then(() => screen.getAllByRole('listitem'));
    expect(pills.map(({ textContent }) => textContent)).toEqual([
      'Seenyou and Dr. Mira Okafor',
      'On my wayLeila Haddad',
    ]);
    fireEvent.click(screen.getByRole('button', { name: /^Seen/ }));
    expect(acts.change).toHaveBeenLastCalledWith({ type: 'react', messageId: message.id, code: 'seen', isSet: false });
    fireEvent.click(screen.getByRole('button', { name: /^On my way/ }));
    expect(acts.change).toHaveBeenLastCalledWith({
      ...{ type: 'react', messageId: message.id, code: 'on_my_way', isSet: true },
    });
  });

  it('CHAT-7 take no press where the chat is over', async () => {
    const { acts } = await show([by(leila, 'done')], { mayReact: false });
    fireEvent.click(await screen.findByRole('button', { name: /^Done/ }));
    expect(acts.change).not.toHaveBeenCalled();
  });

  it('CHAT-11 SHELL-7 the keyboard finds them in the menu of the message, with what has been given to take back', async () => {
    const { acts, message } = await show([by(ana, 'done')]);
    await act(async () => screen.getAllByRole('button', { name: /:/ })[0]?.focus());
    const quick = await screen.findByRole('button', { name: 'On my way' });
    fireEvent.click(quick);
    expect(acts.change).toHaveBeenLastCalledWith({
      ...{ type: 'react', messageId: message.id, code: 'on_my_way', isSet: true },
    });
    await act(async () => void fireEvent.keyDown(screen.getByRole('button', { name: 'More' }), { key: 'Enter' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Take back “Done”' }));
    expect(acts.change).toHaveBeenLastCalledWith({ type: 'react', messageId: message.id, code: 'done', isSet: false });
  });

  it('CHAT-11 a finger opens the same menu by the button that is always there', async () => {
    await show([]);
    fireEvent.click(screen.getByRole('button', { name: 'More' }));
    expect(await screen.findByRole('menuitem', { name: 'On my way' })).toBeTruthy();
  });

  it('CHAT-24 one that was refused says so at the message, with what can be done', async () => {
    const { acts, refuse } = await show([]);
    refuse();
    expect(screen.getByText('Not saved')).toBeTruthy();
    expect(screen.getByText('You are no longer in this chat.')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Discard' }));
    expect(acts.onDiscard).toHaveBeenCalledWith('x1');
  });
});

it('CHAT-11 names are said as a person says them, me first', () => {
  expect(formatNames(['you'])).toBe('you');
  expect(formatNames(['you', 'Ana'])).toBe('you and Ana');
  expect(formatNames(['Ana', 'Bo', 'Cy'])).toBe('Ana, Bo and Cy');
  expect(formatNames(['Ana', 'Bo', 'Cy', 'Di'])).toBe('Ana, Bo and 2 others');
  expect(groupReactions([by(leila, 'a code of tomorrow')], ana.id)).toEqual([]);
});

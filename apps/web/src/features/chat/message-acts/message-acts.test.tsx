// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { Reaction } from '@wardline/contract/chat/chat.ts';
import { useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MessageRow } from '#/features/chat/chat-view/message-row.tsx';
import { ana, edith, fakeMessage, leila, mira } from '#/testing/fake-chats.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import type { MessageActs } from './message-acts.ts';
import { formatNames, groupReactions } from './reaction-labels.ts';

const by = (person: typeof ana, code: string): Reaction => ({
  code,
  user_id: person.id,
  name: person.name,
  at: '2026-11-20T00:41:00Z',
});

const NO_ACTS = {
  ...{
    chat: edith,
    myId: ana.id,
    mayReact: true,
    mayWrite: true,
    change: vi.fn(),
    onRetry: vi.fn(),
    onDiscard: vi.fn(),
  },
  ...{ onReply: vi.fn(), quoted: () => undefined, onQuoteSeen: vi.fn(), onShow: vi.fn() },
  ...{
    editing: null,
    onEdit: vi.fn(),
    onDelete: vi.fn(),
    onVersions: vi.fn(),
    onForward: vi.fn(),
    onMarkUnread: vi.fn(),
  },
};
const writeText = vi.fn(async (_text: string) => undefined);
beforeEach(() => {
  vi.clearAllMocks();
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue({ writeText } as unknown as Clipboard);
});

async function show(reactions: Reaction[], given: Partial<MessageActs> = {}) {
  const acts = { ...NO_ACTS, ...given };
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

  it('CHAT-11 the same menu copies the link of the message, whole', async () => {
    await show([]);
    fireEvent.click(screen.getByRole('button', { name: 'More' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Copy link' }));
    const path = `/chat/f-${edith.facility_id}/c-${edith.id}?message=7`;
    expect(writeText).toHaveBeenCalledExactlyOnceWith(window.location.origin + path);
  });

  it('CHAT-24 one that was refused says so at the message, with what can be done', async () => {
    const { acts, refuse } = await show([]);
    refuse();
    expect(await screen.findByRole('button', { name: 'Discard' })).toBeTruthy();
    expect(screen.getByText('Not saved')).toBeTruthy();
    expect(screen.getByText('You are no longer in this chat.')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Discard' }));
    expect(acts.onDiscard).toHaveBeenCalledWith('x1');
  });
});

describe('a reply', () => {
  const quote = (given: Partial<MessageActs>) => {
    const acts = { ...NO_ACTS, ...given };
    const message = { ...fakeMessage(9, mira, 1, 'I do.'), reply_to: fakeMessage(7, leila, 2, '').id, reply_to_seq: 7 };
    render(<MessageRow {...{ message, acts }} receipt={null} isOwn={false} isHead timeZone="UTC" />);
    return acts;
  };

  it('CHAT-11 shows what it answers, and a press leads there', async () => {
    const acts = quote({ quoted: () => fakeMessage(7, leila, 2, 'Who signs\nthe insulin?') });
    fireEvent.click(await screen.findByRole('button', { name: 'Leila Haddad Who signs the insulin?' }));
    expect(acts.onShow).toHaveBeenCalledWith(7);
  });

  it('CHAT-6 CHAT-11 asks for what it answers where that is not here, and quotes nothing that is not mine to read', async () => {
    const acts = quote({});
    await waitFor(() => expect(acts.onQuoteSeen).toHaveBeenCalledExactlyOnceWith(7));
    cleanup();
    quote({ quoted: () => null });
    expect(await screen.findByText('An earlier message')).toBeTruthy();
  });

  it('CHAT-11 SHELL-7 R on the time of a message answers it, and writes no letter', async () => {
    const acts = quote({});
    const time = screen.getAllByRole('button', { name: /:/ })[0];
    if (!time) throw new Error('no time');
    expect(fireEvent.keyDown(time, { key: 'r' })).toBe(false);
    expect(acts.onReply).toHaveBeenCalledOnce();
    fireEvent.keyDown(time, { key: 'r', ctrlKey: true });
    expect(acts.onReply).toHaveBeenCalledOnce();
  });
});

describe('a message that was edited or deleted', () => {
  const row = (change: object, given: object = {}) => {
    const acts = { ...NO_ACTS, ...given };
    const message = { ...fakeMessage(9, ana, 1, 'Insulin 10 units'), ...change };
    const place = { receipt: null, isOwn: true, isHead: true, timeZone: 'UTC' };
    const { rerender } = render(<MessageRow {...{ message, acts }} {...place} />);
    return {
      acts,
      message,
      again: (props: object) => rerender(<MessageRow {...{ message, acts }} {...place} {...props} />),
    };
  };

  it('CHAT-11 says that it was edited, and opens what it said before', async () => {
    const { acts, message } = row({ version: 2, edited_at: '2026-11-20T00:52:00Z' });
    fireEvent.click(await screen.findByRole('button', { name: 'Edited 00:52' }));
    expect(acts.onVersions).toHaveBeenCalledWith(message);
  });

  it('CHAT-11 says who deleted it, when and why, and can be neither quoted, changed nor reacted to', async () => {
    row({ body: '', deleted: { at: '2026-11-20T00:52:00Z', reason: 'Wrong patient' }, reactions: [by(leila, 'seen')] });
    expect(await screen.findByText('Deleted by you, 00:52: Wrong patient')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'More' })).toBeNull();
    expect(screen.queryByRole('list')).toBeNull();
  });

  it('ADM-4 says of what was old enough when it goes, and names nobody who deleted it', async () => {
    row({ body: '', deleted: { at: '2026-11-20T00:52:00Z', reason: 'Deleted after 90 days', is_expired: true } });
    expect(await screen.findByText('Deleted after 90 days')).toBeTruthy();
    expect(screen.queryByText(/Deleted by/)).toBeNull();
  });

  it('CHAT-11 SHELL-7 E opens its text to be written anew, Enter saves it, Escape leaves it', async () => {
    const editing = { messageId: fakeMessage(9, ana, 1, '').id, text: 'Insulin 10 units' };
    const { acts, message } = row({ version: 3 }, { editing });
    const box = await screen.findByRole('textbox', { name: 'Message text' });
    fireEvent.change(box, { target: { value: ' Insulin 12 units ' } });
    fireEvent.keyDown(box, { key: 'Enter' });
    expect(acts.change).toHaveBeenCalledWith({
      ...{ type: 'edit', messageId: message.id, body: 'Insulin 12 units', version: 3 },
    });
    expect(acts.onEdit).toHaveBeenLastCalledWith(null);
    cleanup();
    const second = row({}).acts;
    const time = screen.getAllByRole('button', { name: /:/ })[0];
    if (time) fireEvent.keyDown(time, { key: 'e' });
    expect(second.onEdit).toHaveBeenLastCalledWith(expect.objectContaining({ body: 'Insulin 10 units' }));
  });

  it.each([
    ['saved', { key: 'Enter' }],
    ['left', { key: 'Escape' }],
  ])('CHAT-11 SHELL-7 the keyboard goes on at the message whose text was %s', async (_how, event) => {
    const editing = { messageId: fakeMessage(9, ana, 1, '').id, text: 'Insulin 12 units' };
    row({}, { editing });
    fireEvent.keyDown(await screen.findByRole('textbox', { name: 'Message text' }), event);
    expect(document.activeElement?.className).toContain('m-when');
  });

  it('CHAT-11 SHELL-7 the keyboard goes on at the message that was deleted from its menu', async () => {
    const { message, again } = row({});
    fireEvent.click(screen.getByRole('button', { name: 'More' }));
    await screen.findByRole('menuitem', { name: 'Delete' });
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
    await act(async () => screen.getByRole('button', { name: 'More' }).focus());
    again({ message: { ...message, body: '', deleted: { at: '2026-11-20T00:52:00Z', reason: 'Wrong patient' } } });
    expect(screen.queryByRole('button', { name: 'More' })).toBeNull();
    expect(document.activeElement?.className).toContain('m-when');
  });

  it('CHAT-11 SHELL-7 the question why it goes leads to what is missing', () => {
    const onDelete = vi.fn();
    const onClose = vi.fn();
    render(<DeleteDialog message={fakeMessage(9, ana, 1, 'Insulin 10 units')} {...{ onDelete, onClose }} />);
    const remove = screen.getByRole('button', { name: 'Delete' });
    remove.focus();
    fireEvent.click(remove);
    expect(screen.getByText('Choose a reason.')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'Wrong patient' }));
    fireEvent.click(screen.getByRole('radio', { name: 'Another' }));
    remove.focus();
    fireEvent.click(remove);
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'In your words' }));
    fireEvent.change(screen.getByRole('textbox', { name: 'In your words' }), { target: { value: 'Sent too soon' } });
    fireEvent.click(remove);
    expect(onDelete).toHaveBeenCalledExactlyOnceWith('Sent too soon');
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('CHAT-11 what is being written in its place comes back with the row that was scrolled away, and takes no focus from elsewhere', async () => {
    function Scrolled({ isNear }: { readonly isNear: boolean }) {
      const message = fakeMessage(9, ana, 1, 'Insulin 10 units');
      const [editing, setEditing] = useState<MessageActs['editing']>({ messageId: message.id, text: message.body });
      const onEdit: MessageActs['onEdit'] = (to, text) => setEditing(to && { messageId: to.id, text: text ?? to.body });
      const acts = { ...NO_ACTS, editing, onEdit };
      const place = { receipt: null, isOwn: true, isHead: true, timeZone: 'UTC' };
      return (
        <>
          {isNear && <MessageRow {...{ message, acts }} {...place} />}
          <textarea aria-label="Message" />
        </>
      );
    }
    const { rerender } = render(<Scrolled isNear />);
    const box = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Message text' });
    expect(document.activeElement).toBe(await box());
    fireEvent.change(await box(), { target: { value: 'Insulin 12 units' } });
    rerender(<Scrolled isNear={false} />);
    screen.getByLabelText('Message').focus();
    rerender(<Scrolled isNear />);
    expect((await box()).value).toBe('Insulin 12 units');
    expect(document.activeElement).toBe(screen.getByLabelText('Message'));
  });

  it('CHAT-11 a text that was refused is shown beside the one that stands, to be edited again or copied', async () => {
    const { acts, message, again } = row({ body: 'Insulin 8 units', version: 2 });
    const payload = { type: 'edit', messageId: message.id, body: 'Insulin 12 units', version: 1 } as const;
    again({ refused: [{ clientId: 'x1', payload, reason: 'You changed this message elsewhere.' }] });
    expect(screen.getByText('You changed this message elsewhere. Your text: Insulin 12 units')).toBeTruthy();
    fireEvent.click(await screen.findByRole('button', { name: 'Copy' }));
    expect(writeText).toHaveBeenCalledWith('Insulin 12 units');
    fireEvent.click(screen.getByRole('button', { name: 'Edit again' }));
    expect(acts.onEdit).toHaveBeenCalledWith(message, 'Insulin 12 units');
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

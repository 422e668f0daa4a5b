// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { OutboxItem } from '@wardline/client/outbox/outbox-item.ts';
import type { Message } from '@wardline/contract/chat/chat.ts';
import { forwardMessage, getForwardSource } from '@wardline/contract/chat/chat-changes.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MessageRow, PendingRow } from '#/features/chat/chat-view/message-row.tsx';
import { forwardMark } from '#/features/chat/core/chat-labels.ts';
import { applyMessage } from '#/features/chat/engine/chat-list/merge-chats.ts';
import { excerptOf } from '#/features/chat/message-acts/quote.tsx';
import { sendForward } from '#/features/chat/message-acts/send-acts.ts';
import { createFakeChatRuntime } from '#/features/chat/testing/fake-chat-runtime.tsx';
import { createFakeApp } from '#/testing/fake-app.tsx';
import {
  allChats,
  ana,
  edith,
  fakeChat,
  fakeList,
  fakeMessage,
  fakePending,
  leila,
  mira,
} from '#/testing/fake-chats.ts';
import { ForwardDialog } from './forward-dialog.tsx';

const chats = createFakeChatRuntime();
const { add } = chats;
beforeEach(chats.reset);

const about = { name: 'Edith Maron', identifier: '40-118-236', born_on: '1948-03-14' };
const said = fakeMessage(7, mira, 5, 'K 6.8 mmol/L, confirmed');
const forwarded = { sender: mira, sent_at: said.created_at, patient: about };
const forward: Message = { ...fakeMessage(9, leila, 1, said.body), forwarded };

function open(message = said) {
  const onClose = vi.fn();
  const app = createFakeApp();
  app.draw(<ForwardDialog {...{ message, onClose }} chat={edith} me={ana} timeZone="UTC" />, chats.around);
  return { onClose, app };
}
const boxes = () =>
  screen.getAllByRole('checkbox').map((box) => (box as HTMLInputElement).labels?.[0]?.textContent ?? '');
const choose = (name: RegExp) => fireEvent.click(screen.getByRole('checkbox', { name }));
const added = () => add.mock.calls.map(([{ lane, payload }]) => ({ lane, payload }));
const idOf = (title: string) => allChats.find((chat) => chat.title === title)?.id;

describe('CHAT-11 the dialog that forwards', () => {
  it('offers the other chats of the facility in which one may write, found by name and patient', () => {
    open();
    const names = boxes().join(' | ');
    expect(names).toMatch(/Priya Nair.*MED 3A night team.*Casimir Wolny.*Dr\. Samuel Obi/);
    expect(names).not.toMatch(/Edith|Rosalind|Fire panel|Harbour|Maximiliane/);
    fireEvent.change(screen.getByRole('searchbox', { name: 'Search chats' }), { target: { value: '40-119' } });
    expect(boxes()).toHaveLength(1);
    fireEvent.change(screen.getByRole('searchbox', { name: 'Search chats' }), { target: { value: 'zzz' } });
    expect(screen.getByText('No matching chats.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Forward' })).toHaveProperty('disabled', true);
  });

  it('puts one’s own words and then the message into the outbox of each chat, and never the words as one’s own', async () => {
    const { onClose } = open();
    choose(/MED 3A night team/);
    choose(/Priya Nair/);
    fireEvent.change(screen.getByRole('textbox', { name: 'Your own words' }), { target: { value: ' Please look. ' } });
    fireEvent.click(screen.getByRole('button', { name: 'Forward to 2 chats' }));
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    const source = { chat: said.chat_id, message: said.id };
    const sent = (lane: string | undefined) => [
      { lane, payload: { body: 'Please look.' } },
      { lane, payload: { body: '', forward: { source, body: said.body, forwarded } } },
    ];
    expect(added()).toEqual([...sent(idOf('MED 3A night team')), ...sent(idOf('Priya Nair'))]);
    expect(new Set(add.mock.calls.map(([{ clientId }]) => clientId)).size).toBe(4);
  });

  it('says whom the message is about, and warns where a chosen chat is about another patient', () => {
    open();
    expect(screen.getByText('Edith Maron', { selector: 'b' }).parentElement?.textContent).toMatch(
      /About Edith Maron, MRN 40-118-236/,
    );
    choose(/MED 3A night team/);
    expect(screen.queryByText(/another patient/)).toBeNull();
    choose(/Casimir Wolny/);
    expect(screen.getByText('The message is about Edith Maron. Casimir Wolny: another patient.')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Remove Casimir Wolny' }));
    expect(screen.queryByText(/another patient/)).toBeNull();
  });

  it('keeps of a forward who said it first', () => {
    const teague = { name: 'Rosalind Teague', identifier: 'H-20-4415', born_on: null };
    open({ ...forward, forwarded: { sender: leila, sent_at: said.created_at, patient: teague } });
    expect(screen.getByText(/Forwarded from/).textContent).toContain('Leila Haddad');
    expect(screen.getByText(/^About/).textContent).toBe('About Rosalind Teague, MRN H-20-4415');
  });

  it('takes ten chats at most', () => {
    const teams = Array.from({ length: 12 }, (_, n) => fakeChat({ title: `Team ${n}`, minutesAgo: n, said: 'x' }));
    chats.setChats(fakeList(teams.map((chat) => ({ chat, pending: 0, failed: 0 }))));
    open();
    for (const box of screen.getAllByRole('checkbox').slice(0, 10)) fireEvent.click(box);
    expect(screen.getByText('10 chats at most.')).toBeTruthy();
    expect(screen.getAllByRole('checkbox').filter((box) => (box as HTMLInputElement).disabled)).toHaveLength(2);
    fireEvent.click(screen.getByRole('button', { name: 'Remove Team 3' }));
    expect(screen.getAllByRole('checkbox').some((box) => (box as HTMLInputElement).disabled)).toBe(false);
  });

  it('OFF-1 works offline and says so', async () => {
    chats.setOnline(false);
    const { onClose } = open();
    expect(screen.getByText(/It will be sent when you’re back online/)).toBeTruthy();
    choose(/Priya Nair/);
    fireEvent.click(screen.getByRole('button', { name: 'Forward' }));
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(added()).toHaveLength(1);
  });

  it('CHAT-24 keeps chosen what the device could not take, with the reason, and sends nothing twice', async () => {
    const { onClose } = open();
    choose(/Priya Nair/);
    choose(/MED 3A night team/);
    add.mockResolvedValueOnce(undefined).mockRejectedValueOnce(new Error('The device is full.'));
    fireEvent.click(screen.getByRole('button', { name: 'Forward to 2 chats' }));
    expect(await screen.findByText('Not forwarded to MED 3A night team. The device is full.')).toBeTruthy();
    expect(onClose).not.toHaveBeenCalled();
    fireEvent.click(await screen.findByRole('button', { name: 'Forward' }));
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(added().map(({ lane }) => lane)).toEqual(
      ['Priya Nair', 'MED 3A night team', 'MED 3A night team'].map((title) => idOf(title)),
    );
  });
});

function showRow(
  message: Message,
  source: { chat_id: string; facility_id: string; seq: number } | null,
  myId = ana.id,
) {
  const app = createFakeApp();
  app.api.on(getForwardSource, () => ({ source }));
  const acts = {
    ...{ chat: edith, myId, mayReact: false, mayWrite: true, change: vi.fn(), onRetry: vi.fn() },
    ...{ onDiscard: vi.fn(), onReply: vi.fn(), quoted: () => undefined, onQuoteSeen: vi.fn(), onShow: vi.fn() },
    ...{
      editing: null,
      onEdit: vi.fn(),
      onDelete: vi.fn(),
      onVersions: vi.fn(),
      onForward: vi.fn(),
      onMarkUnread: vi.fn(),
    },
  };
  app.draw(
    <MessageRow {...{ message, acts }} receipt={null} isOwn={message.sender.id === myId} isHead timeZone="UTC" />,
    chats.around,
  );
  return acts;
}

describe('CHAT-11 a forwarded message on screen', () => {
  it('says who said it first, when and about whom, and leads who may read it to where it was said', async () => {
    showRow(forward, { chat_id: edith.id, facility_id: edith.facility_id, seq: 7 });
    const line = await screen.findByText(/Forwarded from/);
    expect(line.textContent).toMatch(/^Forwarded from Dr\. Mira Okafor, /);
    expect(screen.getByText(/^About/).textContent).toMatch(/^About Edith Maron, MRN 40-118-236 · born /);
    const link = await screen.findByRole('link', { name: 'Show in its chat' });
    expect(link.getAttribute('href')).toBe(`/chat/f-${edith.facility_id}/c-${edith.id}?message=7`);
    expect(screen.getByText(said.body)).toBeTruthy();
  });

  it('has no link for others, nor a line about a patient where there is none', async () => {
    showRow({ ...forward, forwarded: { ...forwarded, patient: null } }, null);
    await screen.findByText(/Forwarded from/);
    await Promise.resolve();
    expect(screen.queryByRole('link')).toBeNull();
    expect(screen.queryByText(/^About/)).toBeNull();
  });

  it('is forwarded from the menu of any message, and is not edited by who forwarded it', async () => {
    const acts = showRow(forward, null, leila.id);
    fireEvent.click(screen.getByRole('button', { name: 'More' }));
    const menu = within(await screen.findByRole('menu'));
    expect(menu.queryByRole('menuitem', { name: 'Edit' })).toBeNull();
    expect(menu.getByRole('menuitem', { name: 'Delete' })).toBeTruthy();
    fireEvent.click(menu.getByRole('menuitem', { name: 'Forward' }));
    expect(acts.onForward).toHaveBeenCalledExactlyOnceWith(forward);
    fireEvent.keyDown(document.querySelector('.m-when') ?? document.body, { key: 'e' });
    expect(acts.onEdit).not.toHaveBeenCalled();
  });

  it('says so while it waits to be sent', async () => {
    const pending = { ...fakePending(1, 'waiting', said.body), forwarded };
    createFakeApp().draw(
      <PendingRow pending={pending} isHead me={ana} timeZone="UTC" onRetry={vi.fn()} onDiscard={vi.fn()} />,
      chats.around,
    );
    expect(await screen.findByText(/Forwarded from/)).toBeTruthy();
    expect(screen.getByText('Waiting to send')).toBeTruthy();
    expect(screen.queryByRole('link')).toBeNull();
  });

  it('stands with its patient wherever it is one line: quoted, pinned, last in the list', () => {
    expect(excerptOf(forward)).toBe('Forwarded about Edith Maron: K 6.8 mmol/L, confirmed');
    expect(applyMessage(edith, { ...forward, seq: 41 }).last_message?.excerpt).toBe(excerptOf(forward));
    expect([forwardMark({ ...forwarded, patient: null }), forwardMark(undefined)]).toEqual(['Forwarded: ', '']);
  });
});

it('CHAT-11 A34 the server is told what to forward and by whom, not the words', async () => {
  const app = createFakeApp();
  const asked: unknown[] = [];
  app.api.on(forwardMessage, ({ params, body, headers }) => {
    asked.push({ params, body, user: headers.get('X-Wardline-User') });
    return forward;
  });
  const source = { chat: said.chat_id, message: said.id };
  const item = { lane: edith.id, clientId: forward.client_id, userId: ana.id, writtenAt: said.created_at };
  await sendForward(app.call, {
    item: item as OutboxItem<unknown>,
    forward: { source, body: 'as this device has it', forwarded },
    signal: new AbortController().signal,
  });
  expect(asked).toEqual([
    {
      ...{ params: { chat: edith.id }, user: ana.id },
      body: { client_id: forward.client_id, source, device_time: said.created_at },
    },
  ]);
});

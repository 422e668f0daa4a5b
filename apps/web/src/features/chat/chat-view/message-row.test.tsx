// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import type { Message } from '@wardline/contract/chat/chat.ts';
import { describe, expect, it, vi } from 'vitest';
import type { PendingMessage, Receipt } from '#/features/chat/core/chat-view.ts';
import type { MessageActs } from '#/features/chat/message-acts/message-acts.ts';
import { momentIn } from '#/shared/time/zoned-time.ts';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { ana, edith, fakeMessage, fakePending, leila, stBrigid } from '#/testing/fake-chats.ts';
import { type DrawAct, MessageRow, NoteRow, PendingRow } from './message-row.tsx';

function showPending(pending: PendingMessage) {
  const actions = { onRetry: vi.fn(), onDiscard: vi.fn() };
  createFakeApp().draw(<PendingRow pending={pending} isHead me={ana} timeZone="UTC" {...actions} />);
  return actions;
}

function showOwn(receipt: Receipt) {
  render(<MessageRow message={fakeMessage(1, ana, 3, 'x')} receipt={receipt} isOwn isHead timeZone="UTC" />);
}

describe('CHAT-3 the states of a message of mine', () => {
  it.each([
    ['waiting', 'Waiting to send'],
    ['sending', 'Sending'],
  ] as const)('%s is said in words', (state, text) => {
    showPending(fakePending(1, state, 'I do.'));
    expect(screen.getByText(text)).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Retry|Copy|Discard/ })).toBeNull();
  });

  it('failed says why, and offers retry, copy and discard, which is asked once more', async () => {
    const pending = fakePending(1, 'failed', 'Monitor strip.', 'The chat is closed.');
    const writeText = vi.fn(async () => undefined);
    vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue({ writeText } as unknown as Clipboard);
    const { onRetry, onDiscard } = showPending(pending);
    expect(screen.getByText('Not sent')).toBeTruthy();
    expect(screen.getByText('The chat is closed.')).toBeTruthy();
    fireEvent.click(await screen.findByRole('button', { name: 'Retry' }));
    fireEvent.click(screen.getByRole('button', { name: 'Copy' }));
    fireEvent.click(screen.getByRole('button', { name: 'Discard' }));
    expect(onRetry).toHaveBeenCalledWith(pending.clientId);
    expect(writeText).toHaveBeenCalledWith('Monitor strip.');
    expect(onDiscard).not.toHaveBeenCalled();
    const question = await screen.findByRole('dialog', { name: 'Discard this message?' });
    fireEvent.click(within(question).getByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(onDiscard).toHaveBeenCalledWith(pending.clientId));
  });

  it.each([
    [{ state: 'sent' }, 'Sent'],
    [{ state: 'delivered', count: 3 }, 'Delivered to 3'],
    [{ state: 'read', count: 2, of: 5 }, 'Read by 2'],
    [{ state: 'read', count: 5, of: 5 }, 'Read by all 5'],
  ] as const)('CHAT-5 the receipt %o is said in words', (receipt, text) => {
    showOwn(receipt);
    expect(screen.getByText(text)).toBeTruthy();
  });
});

it('PERF-5 a row is drawn anew for what it shows alone, and shows each change of that', async () => {
  let drawn = 0;
  const message = { ...fakeMessage(7, ana, 2, 'x'), reply_to_seq: 3 };
  Object.defineProperty(message, 'body', { get: () => `Drawn ${++drawn} times` });
  let quote: Message | undefined;
  const actsNow = (change: Partial<MessageActs> = {}) => {
    const known = quote;
    return {
      ...{ chat: { ...edith }, myId: ana.id, mayReact: false, mayWrite: true, editing: null, onMarkUnread: null },
      ...{ quoted: () => known, onQuoteSeen: vi.fn(), onShow: vi.fn(), onReply: vi.fn(), ...change },
    } as unknown as MessageActs;
  };
  const row = { message, isOwn: true, isHead: true, timeZone: 'UTC', acts: actsNow() };
  const { rerender } = createFakeApp().draw(<MessageRow {...row} receipt={{ state: 'delivered', count: 1 }} />);
  const draw = (change: Partial<Parameters<typeof MessageRow>[0]>) =>
    rerender(<MessageRow {...row} receipt={{ state: 'delivered', count: 1 }} {...change} />);
  await waitFor(() => expect(document.querySelector('.m-quote[aria-busy]')).toBeTruthy());
  const before = drawn;
  draw({ acts: actsNow() });
  expect(drawn, 'another message came').toBe(before);
  quote = fakeMessage(3, leila, 1, 'What is the pulse?');
  draw({ acts: actsNow() });
  expect(await screen.findByText('What is the pulse?')).toBeTruthy();
  draw({ acts: actsNow(), receipt: { state: 'read', count: 1, of: 2 } });
  expect(screen.getByText('Read by 1')).toBeTruthy();
  expect(drawn).toBeGreaterThan(before);
  const settled = drawn;
  draw({ acts: actsNow({ mayWrite: false }), receipt: { state: 'read', count: 1, of: 2 } });
  expect(drawn, 'the chat was closed').toBeGreaterThan(settled);
});

it('CHAT-11 the menu in which an edit was chosen does not open again by itself once that is saved or cancelled', async () => {
  const message = fakeMessage(1, ana, 2, 'Pulse 48.');
  const given = { chat: edith, myId: ana.id, mayReact: true, mayWrite: true, change: vi.fn(), onEdit: vi.fn() };
  const acts = (messageId?: string) =>
    ({ ...given, editing: messageId ? { messageId, text: message.body } : null }) as unknown as MessageActs;
  const row = (now: MessageActs) => (
    <MessageRow message={message} acts={now} receipt={null} isOwn isHead timeZone="UTC" />
  );
  const { rerender } = createFakeApp().draw(row(acts()));
  fireEvent.click(screen.getByRole('button', { name: 'More' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }));
  expect(given.onEdit).toHaveBeenCalledWith(message);
  rerender(row(acts(message.id)));
  await screen.findByRole('button', { name: 'Cancel' });
  rerender(row(acts()));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(screen.queryByRole('menu')).toBeNull();
  expect(screen.getByRole('button', { name: 'More' })).toBeTruthy();
});

describe('rows of others', () => {
  it('CHAT-10 CHAT-18 an on-call role that nobody held when it was called says so in words, for everybody who reads it', async () => {
    const role = (name: string, holder_id: string | null) => ({ kind: 'role', id: leila.id, name, holder_id });
    const body = '@Biochemist on call, @Pharmacist, @Surgeon';
    const mentions = [role('Biochemist on call', null), role('Pharmacist', null), role('Surgeon', leila.id)];
    const row = { receipt: null, isHead: true, timeZone: 'UTC' };
    for (const [sender, isOwn] of [[ana, true] as const, [leila, false] as const]) {
      render(<MessageRow {...row} message={{ ...fakeMessage(1, sender, 2, body), mentions }} isOwn={isOwn} />);
      const said = 'Nobody was on call as Biochemist, or on call as Pharmacist. Whoever takes over next is called.';
      expect(await screen.findByText(said)).toBeTruthy();
      cleanup();
    }
    const answered = { ...fakeMessage(2, ana, 2, body), mentions: mentions.slice(2) };
    render(<MessageRow {...row} message={answered} isOwn />);
    expect(await screen.findByText(/@Surgeon/)).toBeTruthy();
    expect(screen.queryByText(/Nobody was/)).toBeNull();
  });

  it('CHAT-17 the sender’s name leads to the chat with them, reached by arrow keys and not by each press of Tab', () => {
    const row = { receipt: null, isHead: true, timeZone: 'UTC', peopleOf: stBrigid };
    const app = createFakeApp();
    app.draw(<MessageRow {...row} message={fakeMessage(1, leila, 2, 'Pulse 48.')} isOwn={false} />);
    const link = screen.getByRole('link', { name: 'Leila Haddad' });
    expect(link.getAttribute('href')).toBe(`/chat/f-${stBrigid.id}/p-${leila.id}`);
    expect(link.tabIndex).toBe(-1);
    app.draw(<MessageRow {...row} message={fakeMessage(2, ana, 2, 'Thanks.')} isOwn />);
    expect(screen.queryByRole('link', { name: 'Ana Reyes' })).toBeNull();
  });

  it('the head of a group has name, title and time; a row below it keeps only its time', () => {
    const message = fakeMessage(1, leila, 2, 'Pulse 48.');
    const { rerender } = render(<MessageRow message={message} receipt={null} isOwn={false} isHead timeZone="UTC" />);
    expect(screen.getByText('Leila Haddad')).toBeTruthy();
    expect(screen.getByText('Staff nurse')).toBeTruthy();
    rerender(<MessageRow message={message} receipt={null} isOwn={false} isHead={false} timeZone="UTC" />);
    expect(screen.queryByText('Leila Haddad')).toBeNull();
    expect(screen.getByRole('time').getAttribute('datetime')).toBe(message.created_at);
  });

  it('A21 markup in a message stays text', async () => {
    const message = fakeMessage(1, leila, 2, '<img src=x onerror=alert(1)> **bold** https://a.example');
    const { container } = render(<MessageRow message={message} receipt={null} isOwn={false} isHead timeZone="UTC" />);
    expect(container.querySelector('img')).toBeNull();
    const link = await screen.findByRole('link', { name: 'https://a.example' });
    expect(link.getAttribute('rel')).toContain('noopener');
  });

  it('CHAT-11 a link to a page of this site opens here, any other beside it', async () => {
    const here = `${window.location.origin}/chat/f-1/c-2?message=3`;
    const message = fakeMessage(1, leila, 2, `As said in ${here} and https://a.example/x`);
    render(<MessageRow message={message} receipt={null} isOwn={false} isHead timeZone="UTC" />);
    const [own, other] = await screen.findAllByRole('link');
    expect(own?.getAttribute('href')).toBe('/chat/f-1/c-2?message=3');
    expect([own?.getAttribute('target'), other?.getAttribute('target')]).toEqual([null, '_blank']);
  });

  it('F-U5 a text has the direction of its content, and a time its exact form', () => {
    const message = fakeMessage(1, leila, 2, 'النبض ٤٨');
    render(<MessageRow message={message} receipt={null} isOwn={false} isHead timeZone="UTC" />);
    expect(screen.getByText('النبض ٤٨').getAttribute('dir')).toBe('auto');
    expect(screen.getByRole('time').title).toBe(momentIn('UTC', Date.parse(message.created_at)));
    expect(screen.getByRole('time').title).toMatch(/20.*Nov|Nov.*20/);
    // A button takes the focus and the press, and its name has both forms.
    expect(screen.getByRole('button').textContent).toContain(momentIn('UTC', Date.parse(message.created_at)));
  });

  it('F-U5 a telephone number and a mail address open here, not in another tab', async () => {
    const message = fakeMessage(1, leila, 2, 'Ring +49 30 901820 or lab@stbrigid.example');
    render(<MessageRow message={message} receipt={null} isOwn={false} isHead timeZone="UTC" />);
    const [telephone, mail] = await screen.findAllByRole('link');
    expect(telephone?.getAttribute('href')).toBe('tel:+4930901820');
    expect(mail?.getAttribute('href')).toBe('mailto:lab@stbrigid.example');
    expect(telephone?.getAttribute('target')).toBeNull();
  });

  it('a line of the system says who', () => {
    const drawAct = vi.fn(() => null);
    const message = fakeMessage(1, leila, 2, 'created the chat', 'system');
    render(<NoteRow message={message} isOwn={false} facility={stBrigid} drawAct={drawAct} />);
    expect(screen.getByText('Leila Haddad created the chat')).toBeTruthy();
    expect(drawAct).not.toHaveBeenCalled();
  });

  it('ADM-4 one that was old enough says so', () => {
    const deleted = { at: '2026-11-20T00:52:00Z', reason: 'Deleted after 90 days', is_expired: true };
    const message = { ...fakeMessage(1, leila, 2, '', 'system'), deleted };
    render(<NoteRow message={message} isOwn={false} facility={stBrigid} drawAct={() => null} />);
    expect(screen.getByText('Deleted after 90 days')).toBeTruthy();
  });

  it('F-U9 an alert says what is wrong, without the name of the product before it', () => {
    const message = fakeMessage(1, leila, 2, 'Alert: ICU report of Thu 19 Nov missing', 'system');
    render(<NoteRow message={message} isOwn={false} facility={stBrigid} drawAct={() => null} />);
    expect(screen.getByText('Alert: ICU report of Thu 19 Nov missing')).toBeTruthy();
  });

  it('CEN-9 what can be done about a line of the system stands beside it, drawn by whose business it is', () => {
    const act = { kind: 'census.alert', id: edith.id } as const;
    const message = { ...fakeMessage(1, leila, 2, 'Alert: ICU is full', 'system'), act };
    const drawAct: DrawAct = (drawn, { name }) => (
      <button type="button">{`${drawn.kind} of ${drawn.id} in ${name}`}</button>
    );
    render(<NoteRow message={message} isOwn={false} facility={stBrigid} drawAct={drawAct} />);
    expect(screen.getByRole('button', { name: `census.alert of ${edith.id} in ${stBrigid.name}` })).toBeTruthy();
  });
});

describe('CHAT-22 the text of a message', () => {
  const show = (body: string) => {
    const message = { ...fakeMessage(1, leila, 2, 'x'), body };
    return render(<MessageRow message={message} receipt={null} isOwn={false} isHead timeZone="UTC" />).container;
  };

  it('shows marks as what they mean, and HTML as text', async () => {
    const container = show('**Stop** the drip <b>now</b>:\n- *K*\n- [chart](https://a.example/k)\n> she said so');
    expect((await screen.findByText('Stop')).tagName).toBe('STRONG');
    expect(screen.getByText('K').tagName).toBe('EM');
    expect(screen.getAllByRole('listitem')).toHaveLength(2);
    const link = screen.getByRole('link', { name: 'chart' });
    expect(link.getAttribute('rel')).toBe('noopener noreferrer nofollow');
    expect(container.querySelector('b')).toBeNull();
    expect(container.querySelector('blockquote')?.textContent).toBe('she said so');
  });

  it('CHAT-22 folds by how many lines a text takes, those among them that are broken for want of room', async () => {
    const phone = vi.spyOn(window, 'matchMedia');
    const isFolded = async (body: string, matches: boolean) => {
      phone.mockReturnValue({ matches } as MediaQueryList);
      show(body);
      await new Promise((resolve) => setTimeout(resolve, 20));
      const found = screen.queryByRole('button', { name: 'Show more' }) !== null;
      cleanup();
      return found;
    };
    for (const isPhone of [true, false]) {
      expect(await isFolded('W'.repeat(900), isPhone)).toBe(true);
      expect(await isFolded('Pulse 48, seen at the bedside.\n'.repeat(12), isPhone)).toBe(false);
    }
    const paragraph = 'seen at the bedside '.repeat(40);
    expect([await isFolded(paragraph, true), await isFolded(paragraph, false)]).toEqual([true, false]);
    phone.mockRestore();
  });

  it('folds what is long until somebody opens it, and leaves it open', async () => {
    const body = Array.from({ length: 30 }, (_, index) => `Line ${index}`).join('\n');
    const container = show(body);
    fireEvent.click(await screen.findByRole('button', { name: 'Show more' }));
    expect(container.querySelector('.m-folded')).toBeNull();
    cleanup();
    show(body);
    fireEvent.click(await screen.findByRole('button', { name: 'Show less' }));
    expect(screen.getByRole('button', { name: 'Show more' }).getAttribute('aria-expanded')).toBe('false');
  });
});

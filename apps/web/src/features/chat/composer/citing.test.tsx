// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { Citation } from '@wardline/contract/chat/citations.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Menu } from '@wardline/ui/menu/menu.tsx';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MessageRow, PendingRow } from '#/features/chat/chat-view/message-row.tsx';
import { formatNow } from '#/features/chat/citations/citations.tsx';
import { draftsOf, openDrafts } from '#/features/chat/drafts/draft-store.ts';
import type { MessageActs } from '#/features/chat/message-acts/message-acts.ts';
import { createFakeChatRuntime } from '#/features/chat/testing/fake-chat-runtime.tsx';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { ana, edith, fakeList, fakeMessage, fakePending, mira } from '#/testing/fake-chats.ts';
import { CiteItem } from './cite-item.tsx';
import { Composer, type ComposerProps } from './composer.tsx';

const chats = createFakeChatRuntime();
const drafts = draftsOf(ana.id);
const name = `citations/${edith.id}`;
afterEach(() => {
  drafts.write(name, '');
  chats.reset();
});

const examination = '019ff2c9-0000-7000-8000-000000000005';
const potassium: Citation = {
  ...{ examination_id: examination, title: 'Renal profile', field: 'potassium', label: 'Potassium' },
  ...{ value: '6.8', unit: 'mmol/L', interpretation: 'HH', report_version: 1 },
};

const acts = { chat: edith, myId: ana.id } as unknown as MessageActs;
function show(citations: readonly Citation[]) {
  const message = { ...fakeMessage(1, mira, 3, 'Repeat it'), citations: [...citations] };
  createFakeApp().draw(
    <MessageRow message={message} receipt={null} isOwn={false} isHead timeZone="UTC" acts={acts} />,
    chats.around,
  );
  return screen.findByRole('list', { name: 'Findings this message cites' });
}

describe('a message that cites findings', () => {
  it('EXAM-1 shows what was cited as it was, with its version and in words, and leads to it', async () => {
    const link = within(await show([potassium])).getByRole('link');
    expect(link.getAttribute('href')).toBe(`/chat/f-${edith.facility_id}/c-${edith.id}/e-${examination}#potassium`);
    for (const said of ['Renal profile v1', 'Potassium 6.8 mmol/L', 'Critically high']) {
      expect(link.textContent).toContain(said);
    }
    expect(link.textContent).not.toContain('since');
  });

  it('EXAM-1 EXAM-3 says what holds by now beside it, and strikes through what was an error', async () => {
    const now = { state: 'amended', report_version: 2, value: '4.8', interpretation: 'N' } as const;
    const wrong = { state: 'entered_in_error', report_version: 1, value: null, interpretation: null } as const;
    const list = await show([
      { ...potassium, now },
      { ...potassium, field: 'urea', label: 'Urea', value: '9.0', now: wrong },
    ]);
    const [first, second] = within(list).getAllByRole('listitem');
    expect(first?.textContent).toContain('Potassium 6.8 mmol/L');
    expect(first?.textContent).toContain('Amended since, version 2: 4.8 mmol/L');
    expect(second?.textContent).toContain('Entered in error since. Do not act on it.');
    expect(second?.querySelector('.is-struck')?.textContent).toContain('9.0');
    expect(formatNow(potassium, { ...now, value: null, interpretation: null })).toBe(
      'Amended since: not in version 2 any more',
    );
    expect(formatNow(potassium, { ...now, value: '2.1', interpretation: 'LL' })).toBe(
      'Amended since, version 2: 2.1 mmol/L, critically low',
    );
  });

  it('EXAM-1 CHAT-3 one that waits to be sent shows it too', async () => {
    const pending = { ...fakePending(1, 'waiting', 'Repeat it'), citations: [potassium] };
    const actions = { onRetry: vi.fn(), onDiscard: vi.fn() };
    createFakeApp().draw(
      <PendingRow pending={pending} isHead me={ana} timeZone="UTC" {...actions} acts={acts} />,
      chats.around,
    );
    expect((await screen.findByRole('list', { name: 'Findings this message cites' })).textContent).toContain('6.8');
  });
});

describe('EXAM-1 citing', () => {
  function menu(citation: Citation, onCited = vi.fn()) {
    createFakeApp().draw(
      <Menu trigger={<Button>{citation.label}</Button>}>
        <CiteItem chatId={edith.id} myId={ana.id} {...{ citation, onCited }} />
      </Menu>,
      chats.around,
    );
    fireEvent.keyDown(screen.getByRole('button', { name: citation.label }), { key: 'Enter' });
    return onCited;
  }
  const kept = () => JSON.parse(drafts.read(name) || '[]');

  it('puts the finding over the box one writes in, once', () => {
    drafts.write(name, JSON.stringify([{ ...potassium, value: '6.6' }]));
    const onCited = menu(potassium);
    fireEvent.click(screen.getByRole('menuitem', { name: 'Cite in chat' }));
    expect(kept()).toEqual([potassium]);
    expect(onCited).toHaveBeenCalledOnce();
  });

  it('is not offered past five findings, nor where nothing can be written', () => {
    drafts.write(name, JSON.stringify(['a', 'b', 'c', 'd', 'e'].map((field) => ({ ...potassium, field }))));
    menu(potassium);
    expect(screen.getByRole('menuitem', { name: /at most 5/ }).getAttribute('aria-disabled')).toBe('true');
  });

  it('is not offered in a chat that is closed', () => {
    const list = fakeList();
    const items = list.items.map((item) => ({ ...item, chat: { ...item.chat, state: 'closed' as const } }));
    chats.setChats({ ...list, items });
    menu(potassium);
    expect(screen.queryByRole('menuitem')).toBeNull();
  });
});

describe('EXAM-1 CHAT-10 the composer', () => {
  function setUp(onSend: ComposerProps['onSend'], given: Pick<ComposerProps, 'askBefore'> = {}) {
    const own = openDrafts(mira.id);
    own.write('citations/chat-1', JSON.stringify([potassium, { ...potassium, field: 'urea', label: 'Urea' }]));
    createFakeApp().draw(
      <Composer
        chatId="chat-1"
        drafts={own}
        readOnlyReason={null}
        onTyping={vi.fn()}
        onAttach={async () => []}
        onSend={onSend}
        {...given}
      />,
      chats.around,
    );
    const box = screen.getByPlaceholderText<HTMLTextAreaElement>('Type your message here…');
    const send = () => {
      fireEvent.change(box, { target: { value: 'Repeat it' } });
      fireEvent.keyDown(box, { key: 'Enter' });
    };
    return { own, box, send };
  }

  it('sends what is cited with the words, without what was taken off, and begins the next without it', async () => {
    const onSend = vi.fn<ComposerProps['onSend']>(async () => undefined);
    const { own, box, send } = setUp(onSend);
    fireEvent.click(await screen.findByRole('button', { name: 'Don’t cite Urea' }));
    expect(screen.getByRole('status').textContent).toBe('1 finding goes with the message');
    expect(document.activeElement).toBe(box);
    send();
    expect(onSend).toHaveBeenCalledExactlyOnceWith('Repeat it', [], [], [potassium]);
    expect(own.read('citations/chat-1')).toBe('');
    send();
    expect(onSend).toHaveBeenLastCalledWith('Repeat it', [], []);
  });

  it('alone is not sent, and comes back where this device could not keep the message', async () => {
    const { own, box, send } = setUp(() => Promise.reject(new Error('This device has no room left.')));
    fireEvent.keyDown(box, { key: 'Enter' });
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send prompt' }).disabled).toBe(true);
    send();
    await waitFor(() => expect(JSON.parse(own.read('citations/chat-1') || '[]')).toHaveLength(2));
    expect((await screen.findByRole('alert')).textContent).toContain('Your text is still here');
  });

  it('keeps what was cited while it was asked whether this goes to the right patient, and that alone', async () => {
    const answers: ((goes: boolean) => void)[] = [];
    const askBefore = () => new Promise<boolean>((resolve) => answers.push(resolve));
    const onSend = vi.fn<ComposerProps['onSend']>(async () => undefined);
    const { own, send } = setUp(onSend, { askBefore });
    const [first, urea] = JSON.parse(own.read('citations/chat-1')) as [Citation, Citation];
    const newer = { ...urea, value: '9.4', report_version: 2 };
    const sodium = { ...potassium, field: 'sodium', label: 'Sodium' };
    send();
    act(() => own.write('citations/chat-1', JSON.stringify([first, newer, sodium])));
    await act(async () => answers[0]?.(true));
    expect(onSend).toHaveBeenCalledExactlyOnceWith('Repeat it', [], [], [first, urea]);
    expect(JSON.parse(own.read('citations/chat-1'))).toEqual([newer, sodium]);
  });

  it('brings back what could not be sent beside what was cited since, each finding once, and sends at most five', async () => {
    const refusals: ((why: Error) => void)[] = [];
    const onSend = vi.fn<ComposerProps['onSend']>(() => new Promise((_done, fail) => refusals.push(fail)));
    const { own, send } = setUp(onSend);
    const [first, urea] = JSON.parse(own.read('citations/chat-1')) as [Citation, Citation];
    const newer = { ...urea, value: '9.4', report_version: 2 };
    const others = ['a', 'b', 'c', 'd'].map((field) => ({ ...potassium, field, label: field }));
    send();
    act(() => own.write('citations/chat-1', JSON.stringify([newer, ...others])));
    await act(async () => refusals[0]?.(new Error('This device has no room left.')));
    expect(JSON.parse(own.read('citations/chat-1'))).toEqual([first, newer, ...others]);
    send();
    expect(onSend.mock.lastCall?.[3]).toEqual([first, newer, ...others.slice(0, 3)]);
    expect(JSON.parse(own.read('citations/chat-1'))).toEqual(others.slice(3));
  });
});

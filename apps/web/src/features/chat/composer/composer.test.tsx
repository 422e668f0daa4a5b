// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { createSource } from '@wardline/client/observable.ts';
import { MESSAGE_BODY_MAX } from '@wardline/contract/chat/chat.ts';
import { createPortal } from 'react-dom';
import { describe, expect, it, vi } from 'vitest';
import { openDrafts } from '#/features/chat/drafts/draft-store.ts';
import { createFakeChatRuntime } from '#/features/chat/testing/fake-chat-runtime.tsx';
import type { Uploads, UploadView } from '#/features/chat/uploads/uploads.ts';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { Composer, type ComposerProps } from './composer.tsx';

const chats = createFakeChatRuntime();

const fakeUpload = (given: Partial<UploadView>): UploadView => ({
  ...{ phase: 'waiting', fraction: 0, reason: null, mayRetry: false, blob: null, ...given },
});

function setUp(change: Partial<ComposerProps> = {}, { around } = chats) {
  const onSend = vi.fn<ComposerProps['onSend']>(async () => undefined);
  const onTyping = vi.fn();
  const drafts = openDrafts('ana');
  const onAttach = async () => [];
  const props = { chatId: 'chat-1', drafts, readOnlyReason: null, onAttach, onSend, onTyping, ...change };
  const { rerender } = createFakeApp().draw(<Composer key={props.chatId} {...props} />, around);
  const box = () => screen.getByPlaceholderText<HTMLTextAreaElement>('Type your message here…');
  const write = (value: string) => fireEvent.change(box(), { target: { value } });
  const goTo = (chatId: string) => rerender(<Composer key={chatId} {...props} chatId={chatId} />);
  return { onSend, onTyping, drafts, box, write, goTo };
}

describe('CHAT-10 the composer', () => {
  it('Enter sends what was written, without its empty ends, and empties the box', () => {
    const { box, write, onSend } = setUp();
    write('  K 6.8 mmol/L \n');
    fireEvent.keyDown(box(), { key: 'Enter' });
    expect(onSend).toHaveBeenCalledExactlyOnceWith('K 6.8 mmol/L', [], []);
    expect(box().value).toBe('');
  });

  it('CHAT-10 while it is asked whether this goes to the right patient nothing is sent twice, and what is typed on stays', async () => {
    const answers: ((goes: boolean) => void)[] = [];
    const askBefore = () => new Promise<boolean>((resolve) => answers.push(resolve));
    const { box, write, onSend } = setUp({ askBefore });
    write('Give 40 mmol');
    fireEvent.keyDown(box(), { key: 'Enter' });
    fireEvent.keyDown(box(), { key: 'Enter' });
    write('Give 40 mmol, no, wait');
    expect(answers).toHaveLength(1);
    await act(async () => answers[0]?.(true));
    expect(onSend).toHaveBeenCalledExactlyOnceWith('Give 40 mmol', [], []);
    expect(box().value).toBe('Give 40 mmol, no, wait');
    fireEvent.keyDown(box(), { key: 'Enter' });
    await act(async () => answers[1]?.(false));
    expect(onSend).toHaveBeenCalledTimes(1);
    fireEvent.keyDown(box(), { key: 'Enter' });
    expect(answers).toHaveLength(3);
  });

  it('URG-1 the form of a dialog that its tools open sends nothing of the box', () => {
    const dialog = createPortal(
      <form aria-label="A dialog" onSubmit={(event) => event.preventDefault()} />,
      document.body,
    );
    const { box, write, onSend } = setUp({ tools: dialog });
    write('K 6.8 mmol/L');
    fireEvent.submit(screen.getByRole('form', { name: 'A dialog' }));
    expect(onSend).not.toHaveBeenCalled();
    expect(box().value).toBe('K 6.8 mmol/L');
  });

  it('Shift and Enter for a new line', () => {
    const { box, write, onSend } = setUp();
    write('one');
    const isLeftToTheBox = fireEvent.keyDown(box(), { key: 'Enter', shiftKey: true });
    expect(isLeftToTheBox).toBe(true);
    expect(onSend).not.toHaveBeenCalled();
  });

  it.each([
    ['while it composes', { key: 'Enter', isComposing: true }],
    ['where only the old key code tells', { key: 'Enter', keyCode: 229 }],
  ])('Enter belongs to an input method %s', (_when, event) => {
    const { box, write, onSend } = setUp();
    write('日本');
    fireEvent.keyDown(box(), event);
    expect(onSend).not.toHaveBeenCalled();
  });

  it('CHAT-22 Ctrl or ⌘ with B and I mark what is selected, and take the marks away again', () => {
    const { box, write, drafts } = setUp();
    document.execCommand = (_insertText, _shows, text = '') => {
      const { value, selectionStart, selectionEnd } = box();
      return write(value.slice(0, selectionStart) + text + value.slice(selectionEnd));
    };
    write('stop the drip');
    box().setSelectionRange(0, 4);
    const isLeftToTheBrowser = fireEvent.keyDown(box(), { key: 'b', ctrlKey: true });
    expect(isLeftToTheBrowser).toBe(false);
    expect([box().value, drafts.read('chat-1')]).toEqual(['**stop** the drip', '**stop** the drip']);
    fireEvent.keyDown(box(), { key: 'B', metaKey: true });
    expect(box().value).toBe('stop the drip');
    box().setSelectionRange(9, 13);
    fireEvent.keyDown(box(), { key: 'i', metaKey: true });
    expect(box().value).toBe('stop the _drip_');
    expect(box().value.slice(box().selectionStart, box().selectionEnd)).toBe('drip');
  });

  it('CHAT-24 a refused file does not leave a dead button: the press leads to where it is removed', async () => {
    const file = { id: 'f', name: 'tool.exe', size: 9, type: '' };
    const views = createSource(
      new Map([['f', fakeUpload({ phase: 'refused', reason: 'Files of this kind can’t be sent.' })]]),
    );
    const uploads = { ...views, resume: vi.fn(), cancel: vi.fn() } as unknown as Uploads;
    const { box, write, onSend } = setUp(
      { onAttach: async () => [file] },
      createFakeChatRuntime(async () => uploads),
    );
    write('See this');
    fireEvent.paste(box(), { clipboardData: { files: [new File(['MZ'], 'tool.exe')], types: ['Files'] } });
    const remove = await screen.findByRole('button', { name: 'Remove it' });
    const send = screen.getByRole<HTMLButtonElement>('button', { name: 'Send prompt' });
    expect(send.disabled).toBe(false);
    fireEvent.click(send);
    expect(onSend).not.toHaveBeenCalled();
    expect(document.activeElement).toBe(remove);
    fireEvent.click(remove);
    expect(document.activeElement).toBe(box());
    fireEvent.click(send);
    expect(onSend).toHaveBeenCalledExactlyOnceWith('See this', [], []);
  });

  it('has a button named Send prompt that sends too', () => {
    const { write, onSend } = setUp();
    const button = screen.getByRole('button', { name: 'Send prompt' });
    expect(button.hasAttribute('disabled')).toBe(true);
    write('now');
    fireEvent.click(button);
    expect(onSend).toHaveBeenCalledWith('now', [], []);
  });

  it('sends nothing that is empty or too long, and counts near the limit', () => {
    const { box, write, onSend } = setUp();
    write('   ');
    fireEvent.keyDown(box(), { key: 'Enter' });
    write('x'.repeat(MESSAGE_BODY_MAX - 10));
    expect(screen.getByText('7,990 of 8,000')).toBeTruthy();
    write('x'.repeat(MESSAGE_BODY_MAX + 3));
    expect(screen.getByText('3 characters too many')).toBeTruthy();
    fireEvent.keyDown(box(), { key: 'Enter' });
    expect(onSend).not.toHaveBeenCalled();
  });

  it('never carries text over to another chat, and gives it back in its own', () => {
    const { box, write, goTo } = setUp();
    write('for Edith only');
    goTo('chat-2');
    expect(box().value).toBe('');
    goTo('chat-1');
    expect(box().value).toBe('for Edith only');
  });

  it('CHAT-3 gives the text back, with the reason, when the device could not keep it', async () => {
    const onSend = vi.fn(async () => {
      throw new Error('This device has no room left.');
    });
    const { box, write, drafts } = setUp({ onSend });
    write('do not lose me');
    fireEvent.keyDown(box(), { key: 'Enter' });
    write('typed since');
    expect(await screen.findByText('Not sent. This device has no room left. Your text is still here.')).toBeTruthy();
    expect(box().value).toBe('do not lose me\ntyped since');
    expect(drafts.read('chat-1')).toBe(box().value);
  });

  it('CHAT-3 a text that was written on during a question is not doubled by a send that failed', async () => {
    const answers: ((goes: boolean) => void)[] = [];
    const askBefore = () => new Promise<boolean>((resolve) => answers.push(resolve));
    const onSend = () => Promise.reject(new Error('This device has no room left.'));
    const { box, write } = setUp({ onSend, askBefore });
    write('Give 40 mmol');
    fireEvent.keyDown(box(), { key: 'Enter' });
    write('Give 40 mmol, no, wait');
    await act(async () => answers[0]?.(true));
    expect(await screen.findByText(/This device has no room left/)).toBeTruthy();
    expect(box().value).toBe('Give 40 mmol, no, wait');
  });

  it('CHAT-11 calls whom the sent text named, also where another text took its place during a question', async () => {
    const answers: ((goes: boolean) => void)[] = [];
    const askBefore = () => new Promise<boolean>((resolve) => answers.push(resolve));
    const { box, write, onSend, drafts } = setUp({ askBefore });
    const imre = { kind: 'user', id: 'imre', name: 'Imre' } as const;
    drafts.write('mentions/chat-1', JSON.stringify([imre]));
    write('@Imre please look');
    fireEvent.keyDown(box(), { key: 'Enter' });
    write('@Noor instead');
    drafts.write('mentions/chat-1', JSON.stringify([{ ...imre, id: 'noor', name: 'Noor' }]));
    await act(async () => answers[0]?.(true));
    expect(onSend).toHaveBeenCalledExactlyOnceWith('@Imre please look', [imre], []);
  });

  const picture = new File(['x'], 'strip.png', { type: 'image/png' });
  const ref = { id: 'f1', name: 'strip.png', size: 1, type: 'image/png' };
  const dropped = { files: [picture], types: ['Files'] };

  it('F-U5 CHAT-14 a pasted picture goes with the text, or alone', async () => {
    const onAttach = vi.fn(async () => [ref]);
    const { box, write, onSend, drafts } = setUp({ onAttach });
    fireEvent.paste(box(), { clipboardData: { files: [picture], types: ['Files'] } });
    await waitFor(() => expect(JSON.parse(drafts.read('files/chat-1'))).toEqual([ref]));
    expect(onAttach).toHaveBeenCalledExactlyOnceWith([picture]);
    write('The strip:');
    fireEvent.keyDown(box(), { key: 'Enter' });
    expect(onSend).toHaveBeenLastCalledWith('The strip:', [], [ref]);
    expect(drafts.read('files/chat-1')).toBe('');
    fireEvent.paste(box(), { clipboardData: { files: [picture], types: ['Files'] } });
    await waitFor(() => expect(drafts.read('files/chat-1')).not.toBe(''));
    fireEvent.keyDown(box(), { key: 'Enter' });
    expect(onSend).toHaveBeenLastCalledWith('', [], [ref]);
  });

  it('CHAT-14 takes ten files and says that it left out the others', async () => {
    const onAttach = vi.fn(async (files: readonly File[]) => files.map((_file, n) => ({ ...ref, id: `f${n}` })));
    const { box, drafts } = setUp({ onAttach });
    fireEvent.paste(box(), { clipboardData: { files: Array(12).fill(picture), types: ['Files'] } });
    expect(screen.getByRole('alert').textContent).toBe('At most 10 files go with one message.');
    await waitFor(() => expect(JSON.parse(drafts.read('files/chat-1'))).toHaveLength(10));
  });

  it('CHAT-14 CHAT-3 gives the files back too when the device could not keep them', async () => {
    const onSend = vi.fn(() => Promise.reject(new Error('This device has no room left.')));
    const { box, drafts } = setUp({ onSend, onAttach: async () => [ref] });
    fireEvent.paste(box(), { clipboardData: { files: [picture], types: ['Files'] } });
    await waitFor(() => expect(drafts.read('files/chat-1')).not.toBe(''));
    fireEvent.keyDown(box(), { key: 'Enter' });
    expect(await screen.findByText(/This device has no room left/)).toBeTruthy();
    expect(JSON.parse(drafts.read('files/chat-1'))).toEqual([ref]);
  });

  it('CHAT-14 keeps what was attached while it was asked whether this goes to the right patient', async () => {
    const answers: ((goes: boolean) => void)[] = [];
    const askBefore = () => new Promise<boolean>((resolve) => answers.push(resolve));
    const onAttach = vi.fn(async () => [{ ...ref, id: `f${onAttach.mock.calls.length}` }]);
    const { box, write, onSend, drafts } = setUp({ askBefore, onAttach });
    const attachedIds = () => JSON.parse(drafts.read('files/chat-1') || '[]').map(({ id }: { id: string }) => id);
    const paste = () => fireEvent.paste(box(), { clipboardData: { files: [picture], types: ['Files'] } });
    paste();
    await waitFor(() => expect(attachedIds()).toEqual(['f1']));
    write('The ECG');
    fireEvent.keyDown(box(), { key: 'Enter' });
    paste();
    await waitFor(() => expect(attachedIds()).toEqual(['f1', 'f2']));
    await act(async () => answers[0]?.(true));
    expect(onSend).toHaveBeenCalledExactlyOnceWith('The ECG', [], [{ ...ref, id: 'f1' }]);
    expect(attachedIds()).toEqual(['f2']);
  });

  it('CHAT-10 says over the box where files are let go, and takes what is dropped anywhere on the page', async () => {
    const onAttach = vi.fn(async () => [ref]);
    setUp({ onAttach });
    await waitFor(() => {
      fireEvent.dragOver(document.body, { dataTransfer: dropped });
      expect(screen.getByText('Drop files to attach them')).toBeTruthy();
    });
    expect(fireEvent.drop(document.body, { dataTransfer: dropped })).toBe(false);
    expect(screen.queryByText('Drop files to attach them')).toBeNull();
    await waitFor(() => expect(onAttach).toHaveBeenCalledExactlyOnceWith([picture]));
  });

  it('F-U5 a text that brings its picture along is pasted without a word', () => {
    const { box } = setUp();
    fireEvent.paste(box(), { clipboardData: { files: [picture], types: ['text/plain', 'Files'] } });
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('CHAT-12 tells that somebody types, and not when the box is emptied', () => {
    const { write, onTyping } = setUp();
    write('a');
    write('');
    expect(onTyping).toHaveBeenCalledTimes(1);
  });

  it('EXAM-1 takes the focus where there is a keyboard, but not out of a value that is being entered beside it', () => {
    vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList);
    const beside = document.body.appendChild(document.createElement('div'));
    beside.innerHTML = '<div data-field="potassium"><input aria-label="Potassium"></div>';
    screen.getByLabelText('Potassium').focus();
    const { box, goTo } = setUp();
    expect(document.activeElement).toBe(screen.getByLabelText('Potassium'));
    beside.remove();
    goTo('chat-2');
    expect(document.activeElement).toBe(box());
    vi.restoreAllMocks();
  });

  it('says why where nothing can be written', () => {
    setUp({ readOnlyReason: 'You can read this chat but not write in it.' });
    expect(screen.getByText('You can read this chat but not write in it.')).toBeTruthy();
    expect(screen.queryByRole('textbox')).toBeNull();
  });
});

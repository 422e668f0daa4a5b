// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { createMemoryStore } from '@wardline/client/store/memory-store.ts';
import { type Chat, getChat } from '@wardline/contract/chat/chat.ts';
import {
  CHAT_MOVES,
  CHAT_TITLE_MAX,
  setFavorite,
  setUnreadMark,
  updateChat,
} from '@wardline/contract/chat/chat-management.ts';
import { getChatRecord, placeLegalHold } from '@wardline/contract/chat/records.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ChatStates } from '#/features/chat/chat-view/chat-pane.tsx';
import { createFakeChatRuntime } from '#/features/chat/testing/fake-chat-runtime.tsx';
import { DeviceContext } from '#/shared/contexts/device-context.ts';
import { pageToasts } from '#/shared/contexts/show-toast.ts';
import { createFakeApp, setOnline } from '#/testing/fake-app.tsx';
import { ana, anaUser, edith, fakeChat, fakeChatView, noUploads, stBrigid } from '#/testing/fake-chats.ts';
import { formatMove } from './move-labels.ts';

const chats = createFakeChatRuntime();
// What a press would load is there, so that no test waits for it.
beforeAll(() => Promise.all([import('./chat-menu.tsx'), import('#/features/chat/chat-view/chat-dialogs.tsx')]));
afterEach(() => void vi.restoreAllMocks());

const group = (change: Partial<Chat> = {}): Chat => ({
  ...fakeChat({ title: 'Night team', minutesAgo: 1, said: 'x', access: 'manage' }),
  version: 4,
  ...change,
});
const administered: Facility = { ...stBrigid, permissions: ['chats.manage'] };

function show(chat: Chat, facility = stBrigid) {
  const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
  const asked: unknown[] = [];
  app.api.on(updateChat, ({ body }) => {
    asked.push(body);
    const { title = chat.title, state = chat.state } = body;
    return { ...chat, title, state, version: chat.version + 1 };
  });
  const refreshPeople = vi.fn();
  const page = (of: Chat) => (
    <ChatStates
      uploads={noUploads}
      chatView={fakeChatView({ chat: of, refreshPeople, typing: [] })}
      facility={facility}
      me={ana}
      drawAct={() => null}
    />
  );
  const { rerender } = app.draw(page(chat), (drawn) => (
    <DeviceContext value={{ store: createMemoryStore(ana.id), outbox: null as never }}>
      {chats.around(drawn)}
    </DeviceContext>
  ));
  return { app, asked, refreshPeople, become: (next: Chat) => rerender(page(next)) };
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
async function openMenu(): Promise<string[]> {
  // Until its code is here it is a button alone.
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Chat menu' }).getAttribute('aria-haspopup')).toBe('menu'),
  );
  fireEvent.keyDown(screen.getByRole('button', { name: 'Chat menu' }), { key: 'Enter' });
  return within(await screen.findByRole('menu'))
    .getAllByRole('menuitem')
    .map((item) => item.textContent ?? '');
}
async function choose(name: string, title: string): Promise<HTMLElement> {
  await openMenu();
  fireEvent.click(screen.getByRole('menuitem', { name }));
  return await screen.findByRole('dialog', { name: title });
}
const isGone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
/** From now on another was faster, and made it this. */
function loseTo(app: ReturnType<typeof createFakeApp>, now: Chat): void {
  app.api.on(getChat, () => now);
  app.api.around = async (request, go) =>
    request.line.startsWith('PATCH ') ? Response.json({ message: 'Someone changed this.' }, { status: 409 }) : go();
}

describe('the menu of a chat', () => {
  it.each([
    ['open', ['Rename', 'Export as FHIR', 'Hand over', 'Close chat']],
    ['handed_over', ['Rename', 'Export as FHIR', 'Take back', 'Close chat']],
    ['closed', ['Rename', 'Export as FHIR', 'Reopen', 'Archive']],
    ['archived', ['Rename', 'Export as FHIR', 'Take out of archive']],
  ] as const)(
    'CHAT-7 one that is %s offers who manages it the ways that the server knows, and no other',
    async (state, ways) => {
      show(group({ state }));
      expect(await openMenu()).toEqual(['People and notifications', 'Go to date', ...ways]);
      expect(CHAT_MOVES[state].map((to) => formatMove(group({ state }), to).label)).toEqual(ways.slice(2));
    },
  );

  it('CHAT-18 a chat is added to the favourites and removed again; where that fails it is said', async () => {
    const marked = (is_favorite: boolean) => group({ my: { ...group().my, access: 'write', is_favorite } });
    const { app, refreshPeople, become } = show(marked(false));
    const asked: boolean[] = [];
    app.api.on(setFavorite, ({ body }) => {
      asked.push(body.is_favorite);
      return body;
    });
    await openMenu();
    fireEvent.click(screen.getByRole('menuitem', { name: 'Add to favourites' }));
    await waitFor(() => expect(refreshPeople).toHaveBeenCalledOnce());
    become(marked(true));
    await openMenu();
    fireEvent.click(screen.getByRole('menuitem', { name: 'Remove from favourites' }));
    await waitFor(() => expect(refreshPeople).toHaveBeenCalledTimes(2));
    expect(asked).toEqual([true, false]);
    app.api.around = async () => Response.json({ message: 'No.' }, { status: 500 });
    await openMenu();
    fireEvent.click(screen.getByRole('menuitem', { name: 'Remove from favourites' }));
    await waitFor(() => expect(pageToasts.get()?.get()).toMatchObject([{ title: 'Your favourites were not changed' }]));
    expect(refreshPeople).toHaveBeenCalledTimes(2);
  });

  it('CHAT-5 a chat is kept as unread from its newest message or from one, and is no more once it is opened again', async () => {
    const chat = group({ head_seq: 9 });
    const kept = (marked_unread_seq: number | null): Chat => ({ ...chat, my: { ...chat.my, marked_unread_seq } });
    const { app, refreshPeople, become } = show(kept(null));
    const asked: (number | null)[] = [];
    app.api.on(setUnreadMark, ({ body }) => {
      asked.push(body.marked_unread_seq);
      return body;
    });
    await openMenu();
    fireEvent.click(screen.getByRole('menuitem', { name: 'Mark as unread' }));
    await waitFor(() => expect(refreshPeople).toHaveBeenCalledOnce());
    // It is marked while it is open, and stays so.
    become(kept(9));
    await openMenu();
    expect(screen.getByRole('menuitem', { name: 'Mark as read' })).toBeTruthy();
    expect(asked).toEqual([9]);
    cleanup();
    const again = show(kept(9));
    again.app.api.on(setUnreadMark, ({ body }) => {
      asked.push(body.marked_unread_seq);
      return body;
    });
    await waitFor(() => expect(again.refreshPeople).toHaveBeenCalledOnce());
    expect(asked).toEqual([9, null]);
  });

  it('CHAT-5 a mark that the server did not take is said, and a back end without marks offers none', async () => {
    const { app } = show(group({ head_seq: 9, my: { ...group().my, marked_unread_seq: null } }));
    app.api.around = async () => Response.json({ message: 'No.' }, { status: 500 });
    await openMenu();
    fireEvent.click(screen.getByRole('menuitem', { name: 'Mark as unread' }));
    await waitFor(() => expect(pageToasts.get()?.get()[0]).toMatchObject({ title: 'Not marked as unread' }));
    cleanup();
    show(group({ head_seq: 9 }));
    expect(await openMenu()).not.toContain('Mark as unread');
  });

  it('CHAT-7 CHAT-18 who does not manage the chat is offered none of them', async () => {
    const member = group({ my: { ...group().my, access: 'write' } });
    show(member);
    expect(await openMenu()).toEqual(['People and notifications', 'Go to date']);
  });

  it('CHAT-7 CHAT-18 a facility’s administrator who is in the chat manages it; a case keeps the patient’s name', async () => {
    show(edith, administered);
    const ways = [
      'People and notifications',
      'Go to date',
      'Examinations',
      'Hand over',
      'Hand-over list',
      'Export as FHIR',
      'Mark as handed over',
      'Close chat',
    ];
    expect(await openMenu()).toEqual(ways);
  });

  it('HAND-1 who writes in a patient’s chat hands the patient over from there, and nobody in one that is over', async () => {
    const writer = { ...edith, my: { ...edith.my, access: 'write' as const } };
    show(writer);
    await openMenu();
    const way = screen.getByRole('menuitem', { name: 'Hand over' });
    expect(way.getAttribute('href')).toBe(`/chat/f-${edith.facility_id}/c-${edith.id}/h-${edith.id}`);
    cleanup();
    show({ ...writer, state: 'closed' });
    expect(await openMenu()).not.toContain('Hand over');
  });

  it('EXAM-6 who manages a chat takes it as a file', async () => {
    const chat = group();
    show(chat);
    const asked: string[] = [];
    vi.stubGlobal('fetch', async (url: string) => {
      asked.push(url);
      return new Response('{}');
    });
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:file');
    const kept: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      kept.push(this.download);
    });
    await openMenu();
    fireEvent.click(screen.getByRole('menuitem', { name: 'Export as FHIR' }));
    await waitFor(() => expect(kept).toEqual([`chat-${chat.id}.json`]));
    expect(asked[0]).toMatch(new RegExp(`/api/chats/${chat.id}/fhir$`));
    vi.unstubAllGlobals();
  });

  it('EXAM-6 who signs takes in reports from a file, having seen each finding, and what is refused is said there', async () => {
    const { app } = show(edith, { ...stBrigid, permissions: ['examinations.sign'] });
    const asked: string[] = [];
    const row = { line: 2, kind: 'report', title: 'Renal profile', value: '2026-11-20T08:00:00.000Z' };
    const finding = { line: 3, kind: 'finding', title: 'Potassium', value: '6.80 mmol/L, HH' };
    const problems = [{ column: null, code: 'REFUSED', message: 'It is of another patient than this chat.' }];
    const report = { file_hash: 'ab', counts: { new: 1, known: 0, refused: 0, left_out: 2 } };
    const rows = [row, finding].map((one) => ({ ...one, outcome: 'new', problems: [] }));
    const answers = [
      {
        ...{ is_applied: false, file_hash: 'ab', counts: { new: 0, known: 0, refused: 1, left_out: 2 } },
        rows: [{ ...row, outcome: 'refused', problems }],
      },
      { ...report, is_applied: false, rows },
      { ...report, is_applied: true, rows },
    ];
    // A file goes as a form, which the server in memory does not read.
    app.api.around = async ({ line }, go) => {
      if (!line.startsWith(`POST /api/chats/${edith.id}/fhir`)) return await go();
      asked.push(line.replace(/.*\?/, ''));
      return Response.json(answers[asked.length - 1]);
    };
    const dialog = await choose('Import from FHIR', 'Import from FHIR');
    const give = () => {
      const input = dialog.querySelector('input[type=file]');
      if (!input) throw new Error('no place for a file');
      fireEvent.change(input, { target: { files: [new File(['{}'], 'report.json', { type: 'application/json' })] } });
    };
    give();
    expect(await within(dialog).findByText('1 report can’t be imported, so nothing was.')).toBeTruthy();
    expect(within(dialog).getByText('It is of another patient than this chat.')).toBeTruthy();
    expect(within(dialog).queryByRole('button', { name: /^Import 1/ })).toBeNull();
    give();
    fireEvent.click(await within(dialog).findByRole('button', { name: 'Import 1 report' }));
    expect(
      await within(dialog).findByText(
        /^1 report imported\. Messages, pictures and findings without a report stay out: 2\.$/,
      ),
    ).toBeTruthy();
    expect(within(dialog).getByText('6.80 mmol/L, HH')).toBeTruthy();
    expect(asked).toEqual(['apply=false', 'apply=false', 'apply=true']);
  });

  it('EXAM-6 A16 nobody else is offered it, nor where there is no patient or nothing is written any more', async () => {
    for (const [chat, permissions] of [
      [edith, []],
      [group(), ['examinations.sign']],
      [{ ...edith, state: 'closed' as const }, ['examinations.sign']],
    ] as const) {
      show(chat, { ...stBrigid, permissions: [...permissions] });
      expect(await openMenu()).not.toContain('Import from FHIR');
      cleanup();
    }
  });

  it('ADM-4 who answers for the record sees how a chat is kept, holds it, and takes it with a reason that is said in it', async () => {
    const chat = group();
    const { app } = show(chat, { ...stBrigid, permissions: ['records.manage'] });
    const placed: unknown[] = [];
    const rule = {
      kind: 'group',
      mode: 'delete_exported',
      days: 90,
      effective_at: '2026-11-01T00:00:00.000Z',
    } as const;
    const hold = {
      ...{ id: chat.id, reason: 'Claim of the family, 2026.', placed_at: '2026-11-19T10:00:00.000Z', lifted: null },
      subject: { kind: 'chat', chat: { id: chat.id, kind: 'group', title: 'Night team', patient: null } },
      placed_by: { id: ana.id, name: ana.name },
    } as const;
    app.api.on(getChatRecord, () => ({ rule, holds: placed.length > 0 ? [hold] : [], exported: null }));
    app.api.on(placeLegalHold, ({ body }) => {
      placed.push(body);
      return hold;
    });
    const dialog = await choose('Record and legal hold', 'Record');
    expect(
      await within(dialog).findByText('Messages are deleted after 90 days, once they were exported.'),
    ).toBeTruthy();
    expect(within(dialog).getByText('Not on legal hold.')).toBeTruthy();
    fireEvent.click(within(dialog).getByRole('button', { name: 'Place legal hold' }));
    const asked = within(await screen.findByRole('dialog', { name: 'Place legal hold' }));
    fireEvent.change(asked.getByLabelText('Reason'), { target: { value: hold.reason } });
    fireEvent.click(asked.getByRole('button', { name: 'Place hold' }));
    expect(await screen.findByRole('list', { name: 'Legal holds' })).toBeTruthy();
    expect(placed).toMatchObject([{ subject: { kind: 'chat', chat_id: chat.id }, reason: hold.reason }]);
    fireEvent.click(within(dialog).getByRole('button', { name: 'Export' }));
    const exporting = within(await screen.findByRole('dialog', { name: 'Export to the record' }));
    fireEvent.click(exporting.getByRole('button', { name: 'Export' }));
    expect(await exporting.findByText('Say why.')).toBeTruthy();
  });

  it('ADM-4 of a patient’s chat in care the record says that it is kept whole, and of a rule when it begins', async () => {
    const { app } = show(edith, { ...stBrigid, permissions: ['records.manage'] });
    const rule = { kind: 'case', mode: 'delete', days: 90, effective_at: '2099-01-01T00:00:00.000Z' } as const;
    app.api.on(getChatRecord, () => ({ rule, holds: [], exported: null }));
    const dialog = await choose('Record and legal hold', 'Record');
    const said = await within(dialog).findByText(/^Messages are deleted after 90 days\./);
    expect(said.textContent).toMatch(
      / The chat is kept whole until it is closed\. Nothing is deleted before Thu 1 Jan 2099/,
    );
  });

  it('CHAT-17 nobody manages a direct chat', async () => {
    show(group({ kind: 'direct' }), administered);
    expect(await openMenu()).toEqual(['People and notifications', 'Go to date']);
  });

  it('CHAT-18 leads to the people and to a date', async () => {
    show(group());
    await choose('People and notifications', '6 people in this chat');
    press('Close');
    await isGone();
    await choose('Go to date', 'Go to date');
  });
});

describe('another state', () => {
  it('CHAT-7 is asked for first, with what it means to everybody, and asked with the version that was seen', async () => {
    const { asked, refreshPeople } = show(group());
    const question = await choose('Hand over', 'Hand over this chat?');
    expect(question.textContent).toContain('everybody can still write');
    expect(asked).toEqual([]);
    fireEvent.click(within(question).getByRole('button', { name: 'Hand over' }));
    await isGone();
    expect(asked).toEqual([{ expected_version: 4, state: 'handed_over' }]);
    expect(refreshPeople).toHaveBeenCalledOnce();
  });

  it('CHAT-7 where somebody was faster nothing is done, and it says what the chat is now', async () => {
    const { app, become, refreshPeople } = show(group());
    const question = await choose('Close chat', 'Close this chat?');
    const now = group({ state: 'handed_over', title: 'Day team', version: 5 });
    loseTo(app, now);
    // The event comes while the question stands: what is asked for is still what was seen.
    become(now);
    fireEvent.click(within(question).getByRole('button', { name: 'Close chat' }));
    expect((await within(question).findByRole('alert')).textContent).toBe(
      'Somebody changed this chat meanwhile. It is now handed over. It is called “Day team” now. Nothing else was changed.',
    );
    expect(refreshPeople).toHaveBeenCalledOnce();
    expect(within(question).queryByRole('button', { name: 'Close chat' })).toBeNull();
    press('OK');
    await isGone();
  });

  it('CHAT-7 what is refused for another reason says so, and can be tried again', async () => {
    const { app, asked } = show(group());
    const question = await choose('Close chat', 'Close this chat?');
    app.refuse(403, { message: 'You may not do this.' });
    fireEvent.click(within(question).getByRole('button', { name: 'Close chat' }));
    expect((await within(question).findByRole('alert')).textContent).toContain('You may not do this.');
    app.answer();
    fireEvent.click(within(question).getByRole('button', { name: 'Close chat' }));
    await isGone();
    expect(asked).toEqual([{ expected_version: 4, state: 'closed' }]);
  });

  it('CHAT-7 URG-1 closing says that an urgent message goes on calling', async () => {
    show(group({ urgent_count: 1 }));
    const question = await choose('Close chat', 'Close this chat?');
    expect(question.textContent).toContain('An urgent message here is not finished');
  });

  it('CHAT-7 waits for a network, and says so', async () => {
    setOnline(false);
    show(group());
    const question = await choose('Hand over', 'Hand over this chat?');
    expect(question.textContent).toContain('You’re offline.');
    expect((within(question).getByRole('button', { name: 'Hand over' }) as HTMLButtonElement).disabled).toBe(true);
  });
});

describe('another title', () => {
  it('CHAT-18 is one of the length that the contract takes, and is not left empty', async () => {
    const { asked } = show(group());
    const dialog = await choose('Rename', 'Rename chat');
    const field = within(dialog).getByLabelText('Title') as HTMLInputElement;
    expect([field.value, field.maxLength]).toEqual(['Night team', CHAT_TITLE_MAX]);
    fireEvent.change(field, { target: { value: '  ' } });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Rename' }));
    expect(within(dialog).getByText('Enter a title.')).toBeTruthy();
    expect(asked).toEqual([]);
    fireEvent.change(field, { target: { value: ' Day team ' } });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Rename' }));
    await isGone();
    expect(asked).toEqual([{ expected_version: 4, title: 'Day team' }]);
  });

  it('CHAT-7 CHAT-18 where somebody was faster what was entered stays, with what the chat is called now', async () => {
    const { app } = show(group());
    const dialog = await choose('Rename', 'Rename chat');
    const field = within(dialog).getByLabelText('Title') as HTMLInputElement;
    fireEvent.change(field, { target: { value: 'Day team' } });
    loseTo(app, group({ title: 'Early team', version: 5 }));
    fireEvent.click(within(dialog).getByRole('button', { name: 'Rename' }));
    expect((await within(dialog).findByRole('alert')).textContent).toBe(
      'Somebody changed this chat meanwhile. It is still open. It is called “Early team” now. Your title was not saved.',
    );
    expect(field.value).toBe('Day team');
  });
});

describe('the state of an open chat', () => {
  const box = () => screen.queryByPlaceholderText('Type your message here…');

  it('CHAT-7 one that was handed over says so and is written in', async () => {
    show(group({ state: 'handed_over' }));
    expect(screen.getByText('Handed over').className).toBe('badge');
    expect(await screen.findByText('The next team goes on here.')).toBeTruthy();
    expect(box()).toBeTruthy();
  });

  it('CHAT-7 one that is closed takes nothing, says why, and is reopened from there by who manages it', async () => {
    const { asked } = show(group({ state: 'closed' }));
    expect(box()).toBeNull();
    expect(screen.getByText('This chat is closed. New messages can’t be sent.')).toBeTruthy();
    fireEvent.click(await screen.findByRole('button', { name: 'Reopen' }));
    const question = await screen.findByRole('dialog', { name: 'Reopen this chat?' });
    fireEvent.click(within(question).getByRole('button', { name: 'Reopen' }));
    await isGone();
    expect(asked).toEqual([{ expected_version: 4, state: 'open' }]);
  });

  it('CHAT-7 one that is archived comes back from there as a closed one', async () => {
    const { asked } = show(group({ state: 'archived' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Take out of archive' }));
    const question = await screen.findByRole('dialog', { name: 'Take this chat out of the archive?' });
    fireEvent.click(within(question).getByRole('button', { name: 'Take out of archive' }));
    await isGone();
    expect(asked).toEqual([{ expected_version: 4, state: 'closed' }]);
  });

  it.each([
    ['who only writes in a closed chat', group({ state: 'closed', my: { ...group().my, access: 'write' } }), stBrigid],
    ['an administrator who only reads an open one', group({ my: { ...group().my, access: 'read' } }), administered],
  ])('CHAT-7 CHAT-18 %s is offered no way back', async (_who, chat, facility) => {
    show(chat, facility);
    await openMenu();
    const note = screen.getByRole('note');
    expect(within(note).queryByRole('button')).toBeNull();
  });
});

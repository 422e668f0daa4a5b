// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { FoundMessage } from '@wardline/contract/chat/search.ts';
import type { Member } from '@wardline/contract/facilities/members.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { takeSearch } from '#/features/chat/core/handed-search.ts';
import { CallContext } from '#/shared/contexts/call-context.ts';
import { createQueries, QueriesContext } from '#/shared/queries/queries-context.ts';
import { anaUser, edith, fakeList, mira, stBrigid } from '#/testing/fake-chats.ts';
import { CommandPalette } from './command-palette.tsx';
import { PaletteHost } from './palette-host.tsx';
import type { TypedAhead } from './type-ahead.ts';

const navigate = vi.hoisted(() => vi.fn());
vi.mock('@tanstack/react-router', () => ({ useNavigate: () => navigate }));
vi.mock('#/features/auth/index.ts', () => ({ useUser: () => anaUser }));
vi.mock('#/features/facilities/index.ts', () => ({
  useFacilities: () => [stBrigid],
  useCurrentFacility: () => stBrigid,
}));
vi.mock('#/features/chat/index.ts', async () => ({
  ...(await vi.importActual('#/features/chat/core/chat-entry.ts')),
  ...(await vi.importActual('#/features/chat/core/chat-paths.ts')),
  ...(await vi.importActual('#/features/chat/core/known-person.ts')),
  ...(await vi.importActual('#/features/chat/core/handed-search.ts')),
  useChats: () => fakeList(),
}));

const okafor: Member = { user_id: mira.id, name: mira.name, title: mira.title, roles: ['Clinician'] };
const zoe: Member = { user_id: '01970000-0000-7000-8000-0000000000aa', name: 'Zoe Lund', title: null, roles: [] };

type FakeCall = (
  endpoint: { readonly name: string },
  input?: unknown,
) => Promise<{ data: unknown[]; next_cursor: null }>;

const chatWith = ({ user_id }: Member) => `/chat/f-${stBrigid.id}/p-${user_id}`;

function open(ahead: TypedAhead = { text: '', isEntered: false }) {
  const call = vi.fn<FakeCall>(async ({ name }) => ({
    data: name === 'search' ? [] : [okafor, zoe],
    next_cursor: null,
  }));
  const takeTyped = vi.fn(() => ahead);
  const handlers = { takeTyped, onClose: vi.fn(), onShowShortcuts: vi.fn() };
  render(
    <QueriesContext value={createQueries()}>
      <CallContext value={call as never}>
        <CommandPalette {...handlers} />
      </CallContext>
    </QueriesContext>,
  );
  const press = (key: string) => fireEvent.keyDown(screen.getByRole('combobox'), { key });
  const type = (value: string) => fireEvent.change(screen.getByRole('combobox'), { target: { value } });
  const names = () => screen.queryAllByRole('option').map((option) => option.textContent);
  return { call, ...handlers, type, press, names };
}

beforeEach(() => {
  navigate.mockClear();
});

describe('SHELL-7 the command palette', () => {
  it('SHELL-7 offers pages, chats, facilities and commands before anything is typed, and no people', () => {
    const { call } = open();
    for (const heading of ['Pages', 'Chats', 'Facilities', 'Commands'])
      expect(screen.getByRole('group', { name: heading })).toBeTruthy();
    expect(screen.queryByRole('group', { name: 'People' })).toBeNull();
    expect(call).not.toHaveBeenCalled();
  });

  it('SHELL-7 goes to what is chosen and closes', async () => {
    const { type, onClose } = open();
    type('settings');
    fireEvent.keyDown(screen.getByRole('combobox'), { key: 'Enter' });
    await waitFor(() => expect(navigate).toHaveBeenCalledWith({ href: '/settings' }));
    expect(onClose).toHaveBeenCalledTimes(1);
  });

  it('CHAT-17 SHELL-7 asks the server for people of this facility, and opens the chat with them', async () => {
    const { call, type, onClose } = open();
    type('lund');
    fireEvent.click(await screen.findByText('Zoe Lund'));
    expect(call).toHaveBeenCalledWith(
      expect.objectContaining({ name: 'listMembers' }),
      expect.objectContaining({ params: { facility: stBrigid.id }, query: { q: 'lund', limit: 9 } }),
    );
    expect(navigate).toHaveBeenCalledWith({ href: chatWith(zoe) });
    expect(onClose).toHaveBeenCalledTimes(1);
  });

  it('UI-1 says when nothing fits', async () => {
    const { call, type, names } = open();
    call.mockResolvedValue({ data: [], next_cursor: null });
    type('xyzzy');
    expect(await screen.findByText('No matching data')).toBeTruthy();
    expect(names()).toEqual([]);
  });

  it('SHELL-7 leads on to the sheet of shortcuts', async () => {
    const { type, onShowShortcuts } = open();
    type('keyboard');
    fireEvent.click(await screen.findByText('Keyboard shortcuts'));
    expect(onShowShortcuts).toHaveBeenCalledTimes(1);
  });
});

describe('CHAT-15 messages in the palette', () => {
  const chat = { id: edith.id, facility_id: stBrigid.id, kind: 'case', title: edith.title, patient: edith.patient };
  const hit: FoundMessage = {
    ...{ id: '01970000-0000-7000-8000-0000000000bb', chat: chat as FoundMessage['chat'], seq: 38, sender: mira },
    ...{ created_at: '2026-11-20T00:35:00Z', excerpt: 'Xylocaine at the bedside', ranges: [{ start: 0, end: 4 }] },
  };

  function openWithMessages() {
    const opened = open();
    opened.call.mockImplementation(async ({ name }) => ({ data: name === 'search' ? [hit] : [], next_cursor: null }));
    return opened;
  }

  it('CHAT-15 stand below what has a name, each with who said it where, and lead to the message', async () => {
    const { call, type } = openWithMessages();
    type('xylo');
    fireEvent.click(await screen.findByText('Xylocaine at the bedside'));
    expect(call).toHaveBeenCalledWith(
      expect.objectContaining({ name: 'search' }),
      expect.objectContaining({ query: { q: 'xylo', types: 'messages', limit: 5 } }),
    );
    expect(navigate).toHaveBeenCalledWith({ href: `/chat/f-${stBrigid.id}/c-${edith.id}?message=38` });
  });

  it('CHAT-15 lead on to all of them, with what was typed', async () => {
    const { type } = openWithMessages();
    type('xylo');
    fireEvent.click(await screen.findByText('All messages with “xylo”'));
    expect(navigate).toHaveBeenCalledWith({ href: '/search' });
    expect(takeSearch()).toBe('xylo');
  });

  it('CHAT-15 of the search before are not offered for another', async () => {
    const { type, names } = openWithMessages();
    type('xylo');
    await screen.findByText('Xylocaine at the bedside');
    type('xyloc');
    expect(names()).toEqual([]);
  });
});

describe('F-U3 keys in the palette', () => {
  const ronja: Member = { ...zoe, name: 'Ronja Hale' };

  /** The server says who fits only when the test says so. */
  function openWithLatePeople(ahead?: TypedAhead) {
    const opened = open(ahead);
    const answers: ((data: Member[]) => void)[] = [];
    opened.call.mockImplementation(async ({ name }) => {
      if (name === 'search') return { data: [], next_cursor: null };
      return new Promise((resolve) => void answers.push((data) => resolve({ data, next_cursor: null })));
    });
    return { ...opened, answer: (data: Member[]) => answers.at(-1)?.(data) };
  }

  it('F-U3 Enter waits for the people who may fit, and opens the one that was typed', async () => {
    const { type, press, names, answer, onClose } = openWithLatePeople();
    type('ron');
    expect(names()).toEqual([expect.stringContaining('Edith Maron')]);
    press('Enter');
    expect(await screen.findByText('Searching people')).toBeTruthy();
    expect(onClose).not.toHaveBeenCalled();
    answer([ronja]);
    await waitFor(() => expect(navigate).toHaveBeenCalledExactlyOnceWith({ href: chatWith(ronja) }));
  });

  it('F-U3 Enter takes the best of what is there when nobody of that name answers', async () => {
    const { type, press, answer } = openWithLatePeople();
    type('ron');
    press('Enter');
    answer([]);
    await waitFor(() => expect(navigate).toHaveBeenCalledExactlyOnceWith({ href: expect.stringContaining('/c-') }));
  });

  it('F-U3 Enter does not wait where a name begins with what was typed, or a line was chosen by the arrows', () => {
    const { type, press } = openWithLatePeople();
    type('edith');
    press('Enter');
    expect(navigate).toHaveBeenCalledTimes(1);
    type('ron');
    press('ArrowDown');
    press('Enter');
    expect(navigate).toHaveBeenCalledTimes(2);
  });

  it('F-U3 typing on takes the Enter back', async () => {
    const { type, press, answer } = openWithLatePeople();
    type('ron');
    press('Enter');
    type('ronj');
    answer([ronja]);
    expect(await screen.findByText('Ronja Hale')).toBeTruthy();
    expect(navigate).not.toHaveBeenCalled();
  });

  it('F-U3 people of the search before are not offered for another', async () => {
    const { call, type, names } = open();
    type('okafor');
    await screen.findByRole('group', { name: 'People' });
    call.mockImplementation(() => new Promise(() => undefined));
    type('xy');
    expect(names()).toEqual([]);
    expect(screen.getByText('Searching people')).toBeTruthy();
  });

  it('F-U3 what was typed ahead stands in the field, and its Enter counts', async () => {
    open({ text: 'zoe', isEntered: true });
    expect(screen.getByRole<HTMLInputElement>('combobox').value).toBe('zoe');
    await waitFor(() => expect(navigate).toHaveBeenCalledWith({ href: chatWith(zoe) }));
  });
});

describe('F-U3 keys before the palette is there', () => {
  const press = (key: string, init: KeyboardEventInit = {}) =>
    fireEvent.keyDown(document.activeElement ?? document.body, { key, ...init });

  function openByKeys() {
    const call = vi.fn(() => new Promise(() => undefined));
    render(
      <QueriesContext value={createQueries()}>
        <CallContext value={call as never}>
          <PaletteHost>
            <input aria-label="Somewhere else" />
          </PaletteHost>
        </CallContext>
      </QueriesContext>,
    );
    screen.getByLabelText('Somewhere else').focus();
    press('k', { ctrlKey: true });
  }

  it('F-U3 what is typed right after the shortcut goes into the field, and nowhere else', async () => {
    openByKeys();
    const kept = [...'hanx'].map((key) => press(key));
    press('Backspace');
    press('a');
    expect(kept).toEqual([false, false, false, false]);
    expect((await screen.findByRole<HTMLInputElement>('combobox')).value).toBe('hana');
    // From here on the field has the keys itself.
    expect(press('b')).toBe(true);
  });

  it('F-U3 Escape before it is there takes the wish back', async () => {
    openByKeys();
    press('Escape');
    expect(press('x')).toBe(true);
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { Member } from '@wardline/contract/facilities.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { CallContext } from '#/shared/contexts/call-context.ts';
import { anaUser, fakeList, mira, stBrigid } from '#/testing/fake-chats.ts';
import { CommandPalette } from './command-palette.tsx';

const navigate = vi.hoisted(() => vi.fn());
vi.mock('@tanstack/react-router', () => ({ useNavigate: () => navigate }));
vi.mock('#/features/auth/index.ts', () => ({ useUser: () => anaUser }));
vi.mock('#/features/facilities/index.ts', () => ({
  useFacilities: () => [stBrigid],
  useCurrentFacility: () => stBrigid,
}));
vi.mock('#/features/chat/index.ts', async () => ({
  ...(await vi.importActual('#/features/chat/core/chat-entry.ts')),
  useChats: () => fakeList(),
}));

const okafor: Member = { user_id: mira.id, name: mira.name, title: mira.title, roles: ['Clinician'] };
const zoe: Member = { user_id: '01970000-0000-7000-8000-0000000000aa', name: 'Zoe Lund', title: null, roles: [] };

function open() {
  const call = vi.fn(async () => ({ data: [okafor, zoe], next_cursor: null }));
  const handlers = { onClose: vi.fn(), onShowShortcuts: vi.fn(), onChoosePerson: vi.fn() };
  render(
    <QueryClientProvider client={new QueryClient()}>
      <CallContext value={call as never}>
        <CommandPalette {...handlers} />
      </CallContext>
    </QueryClientProvider>,
  );
  const type = (value: string) => fireEvent.change(screen.getByRole('combobox'), { target: { value } });
  const names = () => screen.queryAllByRole('option').map((option) => option.textContent);
  return { call, ...handlers, type, names };
}

beforeEach(() => {
  navigate.mockClear();
  Element.prototype.scrollIntoView = () => undefined;
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

  it('SHELL-7 asks the server for people of this facility, and starts a chat where there is none with them', async () => {
    const { call, type, onChoosePerson } = open();
    type('lund');
    fireEvent.click(await screen.findByText('Zoe Lund'));
    expect(call).toHaveBeenCalledWith(
      expect.objectContaining({ name: 'listMembers' }),
      expect.objectContaining({ params: { facility: stBrigid.id }, query: { q: 'lund', limit: 9 } }),
    );
    expect(onChoosePerson).toHaveBeenCalledWith(zoe);
    expect(navigate).not.toHaveBeenCalled();
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

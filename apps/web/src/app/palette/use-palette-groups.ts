import { useNavigate } from '@tanstack/react-router';
import { isSearchable, search } from '@wardline/contract/chat/search.ts';
import { listMembers } from '@wardline/contract/facilities/members.ts';
import { formatPatient } from '@wardline/format/names.ts';
import { useColourMode } from '@wardline/ui/colour-mode/use-colour-mode.ts';
import { meAt } from '#/app/services/person.ts';
import { useUser } from '#/features/auth/index.ts';
import { censusPagesFor, settingsPathFor } from '#/features/census/index.ts';
import {
  chatEntry,
  handSearch,
  linkToMessage,
  personPath,
  rememberPerson,
  SEARCH_PATH,
  useChats,
} from '#/features/chat/index.ts';
import { useCurrentFacility, useFacilities } from '#/features/facilities/index.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { appearances } from '#/shared/forms/appearances.ts';
import { hasEveryWord } from '#/shared/forms/search-text.ts';
import { useDebounced } from '#/shared/forms/use-debounced.ts';
import { useQueries } from '#/shared/queries/queries-context.ts';
import { keepPreviousData, useQuery } from '#/shared/queries/use-query.ts';
import { matchEntries, type PaletteEntry, type PaletteGroup } from './palette-entries.ts';

const SHORTEST_PEOPLE_SEARCH = 2;
const PEOPLE = 8;
const MESSAGES = 5;

export interface PaletteHandlers {
  /** Called before anything is done. */
  readonly onDone: () => void;
  readonly onShowShortcuts: () => void;
}

export interface PaletteFound {
  readonly groups: readonly PaletteGroup[];
  /** The server has not said yet which people fit. */
  readonly isSearching: boolean;
}

/** Everything the palette finds for what was typed: pages, chats, facilities, people, commands. */
export function usePaletteGroups(typed: string, handlers: PaletteHandlers): PaletteFound {
  const pages = usePages(handlers);
  const chats = useChatEntries(handlers);
  const facilities = useFacilityEntries(handlers);
  const { people, isSearching } = usePeople(typed, handlers);
  const messages = useMessages(typed, handlers);
  const commands = useCommands(handlers);
  const groups: PaletteGroup[] = [
    { title: 'Pages', entries: matchEntries(pages, typed) },
    { title: 'Chats', entries: matchEntries(chats, typed) },
    { title: 'Facilities', entries: matchEntries(facilities, typed) },
    { title: 'People', entries: people },
    { title: 'Messages', entries: messages },
    { title: 'Commands', entries: matchEntries(commands, typed) },
  ];
  return { groups: groups.filter(({ entries }) => entries.length > 0), isSearching };
}

function useGo({ onDone }: PaletteHandlers): (href: string) => () => void {
  const navigate = useNavigate();
  return (href) => () => {
    onDone();
    void navigate({ href });
  };
}

function usePages(handlers: PaletteHandlers): PaletteEntry[] {
  const go = useGo(handlers);
  const { memberships } = useUser();
  const permissions = memberships.flatMap((membership) => membership.permissions);
  const censusSettings = settingsPathFor(permissions);
  const page = (label: string, href: string, also?: string): PaletteEntry => ({
    id: `page ${href}`,
    label,
    also,
    run: go(href),
  });
  return [
    page('Dashboard', '/dashboard', 'home unread'),
    page('Chats', '/chats', 'messages'),
    page('Search', SEARCH_PATH, 'find messages patients'),
    page('People', '/people', 'directory colleagues phone telephone numbers'),
    page('Hand-over list', '/handovers', 'handover shift end unit ward sbar ipass'),
    page('On call', '/people?view=on-call', 'duty shift registrar take over hand over'),
    ...censusPagesFor(permissions).map(({ path, label }) =>
      page(`Census: ${label.toLowerCase()}`, path, 'beds patients units'),
    ),
    ...(censusSettings
      ? [page('Census: settings', censusSettings, 'hour grace bands occupancy units beds people log')]
      : []),
    page('Settings', '/settings', 'account profile password email sessions devices appearance'),
    ...(permissions.includes('audit.view')
      ? [page('Audit log', '/settings/audit', 'security who saw this patient readers access')]
      : []),
    page('What is recorded', '/settings/recorded', 'privacy data retention how long kept'),
    page('Who opened my chats', '/settings/readers', 'readers audit privacy'),
    page('About', '/about', 'privacy data'),
    page('Contacts', '/contacts', 'operator help support'),
  ];
}

function useChatEntries(handlers: PaletteHandlers): PaletteEntry[] {
  const go = useGo(handlers);
  const me = meAt(useUser());
  return useChats().items.map(({ chat }) => {
    const { name, detail, also, href } = chatEntry(chat, me);
    return { id: `chat ${chat.id}`, label: name, detail, also, run: go(href) };
  });
}

function useFacilityEntries(handlers: PaletteHandlers): PaletteEntry[] {
  const go = useGo(handlers);
  return useFacilities().map(({ id, name, code }) => ({
    id: `facility ${id}`,
    label: name,
    also: code,
    run: go(`/chat/f-${id}`),
  }));
}

/** People are asked from the server, since a facility has thousands; offline there are none. */
function usePeople(
  typed: string,
  handlers: PaletteHandlers,
): { readonly people: PaletteEntry[]; readonly isSearching: boolean } {
  const call = useCall();
  const user = useUser();
  const facility = useCurrentFacility();
  const queries = useQueries();
  const go = useGo(handlers);
  const facilityId = facility?.id ?? '';
  const q = typed.trim();
  const { data, isFetching, isPlaceholderData } = useQuery({
    queryKey: ['members', facility?.id, 'palette', q],
    enabled: facility !== null && q.length >= SHORTEST_PEOPLE_SEARCH,
    queryFn: ({ signal }) =>
      call(listMembers, { params: { facility: facilityId }, query: { q, limit: PEOPLE + 1 }, signal }),
    placeholderData: keepPreviousData,
  });
  if (q.length < SHORTEST_PEOPLE_SEARCH) return { people: [], isSearching: false };
  const others = data?.data.filter(({ user_id }) => user_id !== user.id) ?? [];
  // Those of the search before stay only where they fit this one too.
  const fitting = isPlaceholderData
    ? others.filter(({ name, title, roles }) => hasEveryWord([name, title, ...roles].join(' '), q))
    : others;
  const people = fitting.slice(0, PEOPLE).map((member) => ({
    id: `person ${member.user_id}`,
    label: member.name,
    detail: member.title ?? undefined,
    run: () => {
      rememberPerson(queries, facilityId, member);
      go(personPath(facilityId, member.user_id))();
    },
  }));
  return { people, isSearching: isFetching && (data === undefined || isPlaceholderData) };
}

/** The newest messages that fit, and the way to all of them. */
function useMessages(typed: string, handlers: PaletteHandlers): PaletteEntry[] {
  const call = useCall();
  const go = useGo(handlers);
  const q = useDebounced(typed).trim();
  const isAsked = isSearchable(q);
  const { data } = useQuery({
    queryKey: ['search', 'palette', q],
    enabled: isAsked,
    queryFn: ({ signal }) => call(search, { query: { q, types: 'messages', limit: MESSAGES }, signal }),
    gcTime: 60_000,
  });
  // What was found for other words is not offered for these.
  if (data === undefined || data.data.length === 0 || q !== typed.trim()) return [];
  const found = data.data.map(
    ({ id, chat, seq, sender, excerpt }): PaletteEntry => ({
      id: `message ${id}`,
      label: excerpt,
      detail: `${sender.name} · ${chat.patient ? formatPatient(chat.patient) : chat.title}`,
      run: go(linkToMessage(chat, seq)),
    }),
  );
  const all = go(SEARCH_PATH);
  return [
    ...found,
    {
      id: 'search',
      label: `All messages with “${q}”`,
      run: () => {
        handSearch(q);
        all();
      },
    },
  ];
}

function useCommands({ onDone, onShowShortcuts }: PaletteHandlers): PaletteEntry[] {
  const { set } = useColourMode();
  const modes = appearances.map(
    ({ value, label }): PaletteEntry => ({
      id: `appearance ${value}`,
      label: `Appearance: ${label.toLowerCase()}`,
      also: 'theme mode colour',
      run: () => {
        onDone();
        set(value);
      },
    }),
  );
  return [
    {
      id: 'shortcuts',
      label: 'Keyboard shortcuts',
      keys: ['?'],
      also: 'help keys',
      run: () => {
        onDone();
        onShowShortcuts();
      },
    },
    ...modes,
  ];
}

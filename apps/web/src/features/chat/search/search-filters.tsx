import type { Chat } from '@wardline/contract/chat/chat.ts';
import { SEARCH_TYPES, type SearchType } from '@wardline/contract/chat/search.ts';
import { Select } from '@wardline/ui/input/select.tsx';
import { Chip } from '@wardline/ui/mark/chip.tsx';
import { ChipRow } from '@wardline/ui/mark/chip-row.tsx';
import { fullChatName } from '#/features/chat/core/chat-labels.ts';
import type { Person } from '#/features/chat/core/chat-view.ts';
import { type SearchFilter, type SearchTime, searchTimes } from './search-address.ts';

interface SearchFiltersProps {
  readonly filter: SearchFilter;
  readonly me: Person;
  readonly chats: readonly Chat[];
  /** Who wrote what was found so far, the same person as often as they did. */
  readonly senders: readonly Pick<Person, 'id' | 'name'>[];
  readonly onChange: (filter: SearchFilter) => void;
}

const typeLabels: Readonly<Record<SearchType, string>> = {
  messages: 'Messages',
  files: 'Files',
  patients: 'Patients',
  chats: 'Chats',
  people: 'People',
};

const ANY = 'any';

/** What the search is narrowed to. Chat, sender and time are of messages and files, and hidden where others are looked for. */
export function SearchFilters({ filter, me, chats, senders, onChange }: SearchFiltersProps) {
  const set = (change: Partial<SearchFilter>) => onChange({ ...filter, ...change });
  const isOfOthers = !['all', 'messages', 'files'].includes(filter.type);
  return (
    <>
      <ChipRow label="What to find">
        <Chip isPressed={filter.type === 'all'} onClick={() => set({ type: 'all' })}>
          All
        </Chip>
        {SEARCH_TYPES.map((type) => (
          <Chip key={type} isPressed={filter.type === type} onClick={() => set({ type })}>
            {typeLabels[type]}
          </Chip>
        ))}
      </ChipRow>
      {!isOfOthers && (
        <div className="search-filters">
          <Select
            label="Chat"
            isLabelHidden
            inputSize="sm"
            value={filter.chatId ?? ANY}
            onValueChange={(value) => set({ chatId: value === ANY ? null : value })}
            options={[
              { value: ANY, label: 'All chats' },
              ...withChosen(
                chats.map((chat) => ({ value: chat.id, label: fullChatName(chat, me) })),
                filter.chatId,
              ),
            ]}
          />
          <Select
            label="Person"
            isLabelHidden
            inputSize="sm"
            value={filter.senderId ?? ANY}
            onValueChange={(value) => set({ senderId: value === ANY ? null : value })}
            options={[
              { value: ANY, label: 'From anyone' },
              { value: me.id, label: 'From me' },
              ...withChosen(sendersOf(chats, senders, me), filter.senderId === me.id ? null : filter.senderId),
            ]}
          />
          <Select<SearchTime>
            label="Time"
            isLabelHidden
            inputSize="sm"
            value={filter.time}
            onValueChange={(time) => set({ time })}
            options={Object.entries(searchTimes).map(([value, { label }]) => ({ value: value as SearchTime, label }))}
          />
        </div>
      )}
    </>
  );
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Those who wrote what was found, and whom one has a chat with; by name, each once. */
function sendersOf(
  chats: readonly Chat[],
  senders: readonly Pick<Person, 'id' | 'name'>[],
  me: Pick<Person, 'id'>,
): Choice[] {
  const known = new Map<string, string>();
  for (const { direct } of chats) if (direct) known.set(direct.user_id, direct.name);
  for (const { id, name } of senders) known.set(id, name);
  known.delete(me.id);
  return [...known]
    .map(([value, name]) => ({ value, label: `From ${name}` }))
    .sort((a, b) => a.label.localeCompare(b.label));
}

/** What is chosen stays in the list, also where nothing of it is found now. */
function withChosen(choices: readonly Choice[], chosen: string | null): readonly Choice[] {
  if (chosen === null || choices.some(({ value }) => value === chosen)) return choices;
  return [...choices, { value: chosen, label: 'As chosen' }];
}

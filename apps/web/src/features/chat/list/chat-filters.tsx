import type { Chat } from '@wardline/contract/chat/chat.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Chip } from '@wardline/ui/mark/chip.tsx';
import { ChipRow } from '@wardline/ui/mark/chip-row.tsx';
import { ChevronDown, X } from 'lucide-react';
import { formatState, kindLabels } from '#/features/chat/core/chat-labels.ts';
import { lazyMenu } from '#/shared/lazy/lazy-menu.tsx';
import type { ChatFilter } from './filter-chats.ts';

// Menus weigh as much as all the rest of a list; they come after it.
const ChoiceMenu = lazyMenu(async () => (await import('./choice-menu.tsx')).ChoiceMenu);

interface ChatFiltersProps {
  readonly filter: ChatFilter;
  /** How many chats 'Unread' would show; null while nobody knows. */
  readonly unreadChats: number | null;
  /** Whether there is anything to show under 'Favourites'. */
  readonly hasFavorites: boolean;
  /** Left out where the page is about one facility. */
  readonly facilities?: readonly Facility[];
  readonly onChange: (filter: ChatFilter) => void;
}

/** The filters over a list of chats, as chips: what is on can be taken off with one press. */
export function ChatFilters({ filter, unreadChats, hasFavorites, facilities = [], onChange }: ChatFiltersProps) {
  const set = (change: Partial<ChatFilter>) => onChange({ ...filter, ...change });
  return (
    <ChipRow label="Filters">
      <Chip
        isPressed={filter.isUnreadOnly}
        count={unreadChats}
        onClick={() => set({ isUnreadOnly: !filter.isUnreadOnly })}
      >
        Unread
      </Chip>
      {(hasFavorites || filter.isFavoriteOnly) && (
        <Chip isPressed={filter.isFavoriteOnly} onClick={() => set({ isFavoriteOnly: !filter.isFavoriteOnly })}>
          Favourites
        </Chip>
      )}
      {/* On from the start, so before what is not: a phone shows as much without scrolling. */}
      <ChoiceChip
        label="State"
        none="All states"
        value={filter.state}
        choices={wordChoices<Chat['state']>(formatState)}
        onChoose={(state) => set({ state })}
      />
      {facilities.length > 1 && (
        <ChoiceChip
          label="Facility"
          none="All facilities"
          value={filter.facilityId}
          choices={facilities.map(({ id, name }) => ({ value: id, label: name }))}
          onChoose={(facilityId) => set({ facilityId })}
        />
      )}
      <ChoiceChip
        label="Kind"
        none="All kinds"
        value={filter.kind}
        choices={wordChoices<Chat['kind']>(kindLabels)}
        onChoose={(kind) => set({ kind })}
      />
    </ChipRow>
  );
}

interface ChoiceChipProps<Value extends string> {
  readonly label: string;
  readonly none: string;
  readonly value: Value | null;
  readonly choices: readonly { value: Value; label: string }[];
  readonly onChoose: (value: Value | null) => void;
}

function ChoiceChip<Value extends string>({ label, none, value, choices, onChoose }: ChoiceChipProps<Value>) {
  const chosen = choices.find((choice) => choice.value === value);
  if (chosen) {
    return (
      <Chip isPressed trailingIcon={X} title={`${label}: press to show all`} onClick={() => onChoose(null)}>
        {chosen.label}
      </Chip>
    );
  }
  return (
    <ChoiceMenu
      label={label}
      none={none}
      trigger={<Chip trailingIcon={ChevronDown}>{none}</Chip>}
      choices={choices}
      onChoose={(next) => onChoose(next as Value | null)}
    />
  );
}

function wordChoices<Value extends string>(text: Readonly<Record<Value, string>>): { value: Value; label: string }[] {
  return (Object.keys(text) as Value[]).map((value) => ({ value, label: text[value] }));
}

import type { Chat, Forwarded } from '@wardline/contract/chat/chat.ts';
import { SearchInput } from '@wardline/ui/input/search-input.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useState } from 'react';
import { chatName, formatSubject } from '#/features/chat/core/chat-labels.ts';
import { ChatMark } from '#/features/chat/core/chat-mark.tsx';
import type { Person } from '#/features/chat/core/chat-view.ts';
import { ChosenChips, PickerRow } from '#/features/chat/new-chat/picker.tsx';
import { hasEveryWord } from '#/shared/forms/search-text.ts';

/** So many chats hear of a message at once; who wants more of them wants an announcement. */
export const TARGETS_MAX = 10;
/** A longer list is searched, not scrolled. */
const shownMax = 50;

interface ChatPickerProps {
  /** Last used first. */
  readonly targets: readonly Chat[];
  readonly chosen: readonly Chat[];
  readonly onChange: (chosen: readonly Chat[]) => void;
  readonly me: Person;
  /** Whom the message is about. */
  readonly patient: Forwarded['patient'];
}

/** Chooses chats: search over name, patient and identifier, and the chosen as chips that can be taken off again. */
export function ChatPicker({ targets, chosen, onChange, me, patient }: ChatPickerProps) {
  const [search, setSearch] = useState('');
  const found = targets.filter((chat) =>
    hasEveryWord(`${chatName(chat, me)} ${chat.title} ${formatSubject(chat)}`, search),
  );
  const isChosen = ({ id }: Chat) => chosen.some((one) => one.id === id);
  const toggle = (chat: Chat) =>
    onChange(isChosen(chat) ? chosen.filter(({ id }) => id !== chat.id) : [...chosen, chat]);
  const isFull = chosen.length >= TARGETS_MAX;
  const others = patient ? chosen.filter((chat) => chat.patient && !isSamePatient(chat.patient, patient)) : [];
  return (
    <fieldset className="people">
      <legend className="label">Chats</legend>
      <ChosenChips
        chosen={chosen.map((chat) => ({ id: chat.id, name: chatName(chat, me) }))}
        onRemove={(id) => onChange(chosen.filter((chat) => chat.id !== id))}
      />
      <SearchInput label="Search chats" value={search} onValueChange={setSearch} maxLength={80} />
      <div className="people-list">
        {found.length === 0 && (
          <p className="people-none muted">
            {search.trim() ? 'No matching chats.' : 'You can’t write in any other chat of this facility.'}
          </p>
        )}
        <ul>
          {found.slice(0, shownMax).map((chat) => (
            <PickerRow
              key={chat.id}
              leading={<ChatMark chat={chat} me={me} />}
              name={chatName(chat, me)}
              about={formatSubject(chat)}
              isChosen={isChosen(chat)}
              isDisabled={isFull && !isChosen(chat)}
              onToggle={() => toggle(chat)}
            />
          ))}
        </ul>
        {found.length > shownMax && <p className="people-none muted">Search to see more chats.</p>}
      </div>
      {isFull && <p className="t12 muted">{`${TARGETS_MAX} chats at most.`}</p>}
      {patient && others.length > 0 && (
        <Banner tone="warning">
          {`The message is about ${patient.name}. ${others.map((chat) => chatName(chat, me)).join(', ')}: another patient.`}
        </Banner>
      )}
    </fieldset>
  );
}

function isSamePatient(one: NonNullable<Chat['patient']>, other: NonNullable<Forwarded['patient']>): boolean {
  return one.identifier === other.identifier;
}

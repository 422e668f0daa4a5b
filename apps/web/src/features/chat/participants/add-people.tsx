import type { Chat, Participant } from '@wardline/contract/chat/chat.ts';
import { addParticipant } from '@wardline/contract/chat/chat-management.ts';
import { addChatRole } from '@wardline/contract/chat/chat-roles.ts';
import type { Member } from '@wardline/contract/facilities/members.ts';
import type { OnCallRole } from '@wardline/contract/facilities/on-call.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { RadioGroup } from '@wardline/ui/input/radio-group.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useState } from 'react';
import { PeoplePicker } from '#/features/chat/new-chat/people-picker.tsx';
import { useChatRoles } from '#/features/chat/roles/use-roles.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { formatAction } from '#/shared/forms/form-errors.ts';
import { formatNames } from './participant-labels.ts';

interface AddPeopleProps {
  readonly chat: Chat;
  readonly people: readonly Participant[];
  readonly myId: string;
  readonly isOnline: boolean;
  /** These are in now. */
  readonly onAdded: (names: readonly string[]) => void;
  readonly onClose: () => void;
}

type History = 'all' | 'now';

/** Whole by default: who comes to a patient has to know what was said. */
const HISTORIES = [
  { value: 'all', label: 'Everything said so far' },
  { value: 'now', label: 'Only what is said from now on' },
] as const;

/** Chooses people and on-call roles of the facility and adds them, one after the other; who could not be added stays chosen, with the reason. */
export function AddPeople({ chat, people, myId, isOnline, onAdded, onClose }: AddPeopleProps) {
  const call = useCall();
  const [chosen, setChosen] = useState<readonly Member[]>([]);
  const [roles, setRoles] = useState<readonly OnCallRole[]>([]);
  const inChat = useChatRoles(chat.id, chat.head_seq).data?.data ?? [];
  const [history, setHistory] = useState<History>('all');
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  const add = async () => {
    setIsBusy(true);
    setError(null);
    const added: string[] = [];
    try {
      for (const { id, name } of roles) {
        await call(addChatRole, { params: { chat: chat.id, role: id }, body: { history } });
        added.push(name);
      }
      for (const { user_id, name } of chosen) {
        await call(addParticipant, { params: { chat: chat.id, user: user_id }, body: { history } });
        added.push(name);
      }
      onAdded(added);
      onClose();
    } catch (error) {
      const restOfRoles = roles.slice(added.length);
      const rest = chosen.slice(Math.max(0, added.length - roles.length));
      setRoles(restOfRoles);
      setChosen(rest);
      setError(`${formatNames([...restOfRoles, ...rest].map(({ name }) => name))} not added. ${formatAction(error)}`);
      onAdded(added);
    }
    setIsBusy(false);
  };

  return (
    <>
      {error && <Banner tone="error">{error}</Banner>}
      {!isOnline && <Banner tone="warning">You’re offline. Whom you have chosen is kept here.</Banner>}
      <PeoplePicker
        facilityId={chat.facility_id}
        myId={myId}
        chosen={chosen}
        onChange={setChosen}
        alreadyIn={people.map(({ user_id }) => user_id)}
        roles={{ chosen: roles, onChange: setRoles, alreadyIn: inChat.map(({ role_id }) => role_id) }}
      />
      {roles.length > 0 && (
        <p className="t13 muted">Whoever holds the role is in this chat, from one shift to the next.</p>
      )}
      <RadioGroup label="They can read" value={history} onValueChange={setHistory} choices={HISTORIES} />
      <div className="dialog-foot">
        <Button variant="ghost" color="neutral" onClick={onClose}>
          Back
        </Button>
        <Button
          disabled={chosen.length + roles.length === 0 || !isOnline}
          isLoading={isBusy}
          onClick={() => void add()}
        >
          {roles.length === 0 && chosen.length > 1 ? `Add ${chosen.length} people` : 'Add to chat'}
        </Button>
      </div>
    </>
  );
}

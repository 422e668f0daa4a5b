import { useRouter } from '@tanstack/react-router';
import type { Chat, Participant, ParticipantAccess } from '@wardline/contract/chat/chat.ts';
import { addParticipant, removeParticipant } from '@wardline/contract/chat/chat-management.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { LogOut, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { formatPeople } from '#/features/chat/core/chat-labels.ts';
import { facilityPath } from '#/features/chat/core/chat-paths.ts';
import type { ChatView } from '#/features/chat/core/chat-view.ts';
import { InByRole } from '#/features/chat/roles/in-by-role.tsx';
import { RolesOfChat } from '#/features/chat/roles/roles-of-chat.tsx';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { useConfirm } from '#/shared/forms/dialogs/use-confirm.ts';
import { formatAction } from '#/shared/forms/form-errors.ts';
import { usePresences } from '#/shared/presence/use-presences.ts';
import { AddPeople } from './add-people.tsx';
import { ChatNotifications } from './chat-notifications.tsx';
import { accessLabels, formatNames, leaveWarning, peopleRights, stayReason } from './participant-labels.ts';
import { type ParticipantActs, ParticipantRow } from './participant-row.tsx';

interface ParticipantsDialogProps {
  readonly chatView: ChatView;
  readonly chat: Chat;
  readonly facility: Facility;
  readonly myId: string;
  readonly onClose: () => void;
}

/** Who is in the chat, who has it open now, and how far each has got; who may, adds and removes, and who is in it by themselves leaves. */
export function ParticipantsDialog({ chatView, chat, facility, myId, onClose }: ParticipantsDialogProps) {
  const [isAdding, setIsAdding] = useState(false);
  const [said, setSaid] = useState('');
  const isOnline = useOnline();
  const people = chatView.participants;
  const me = people.find(({ user_id }) => user_id === myId);
  const { mayManage, whyNot } = peopleRights(chat, facility, people);
  const { acts, error, leave } = useParticipantActs({ chatView, chat, onSaid: setSaid });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={isAdding ? 'Add people' : `${formatPeople(chat.participant_count)} in this chat`}
      closeLabel="Close"
      closesOutside={!isAdding}
    >
      <p className="sr" role="status">
        {said}
      </p>
      {isAdding && mayManage ? (
        <AddPeople
          {...{ chat, people, myId, isOnline }}
          onAdded={(names) => {
            if (names.length > 0) setSaid(`${formatNames(names)} added.`);
            chatView.refreshPeople();
          }}
          onClose={() => setIsAdding(false)}
        />
      ) : (
        <>
          {error && <Banner tone="error">{error}</Banner>}
          {!isOnline && (
            <Banner tone="warning">
              You’re offline. People can be added, removed or leave once you’re back online.
            </Banner>
          )}
          <ChatNotifications {...{ chat, isOnline }} timeZone={facility.time_zone} onChanged={chatView.refreshPeople} />
          {whyNot && <p className="t13 muted">{whyNot}</p>}
          <RolesOfChat
            {...{ chat, facility }}
            mayRemove={mayManage && isOnline}
            onChanged={(sentence) => {
              setSaid(sentence);
              chatView.refreshPeople();
            }}
          />
          <People {...{ chatView, chat, facility, myId }} acts={mayManage && isOnline ? acts : undefined} />
          {chat.kind !== 'direct' && (
            <div className="dialog-foot people-foot">
              {me?.is_by_role ? (
                <InByRole {...{ chat, facility, myId }} />
              ) : (
                <Button
                  variant="ghost"
                  color="error"
                  icon={LogOut}
                  disabled={!isOnline || !me}
                  onClick={() => leave(myId)}
                >
                  Leave chat
                </Button>
              )}
              {mayManage && (
                <Button icon={UserPlus} disabled={!isOnline} onClick={() => setIsAdding(true)}>
                  Add people
                </Button>
              )}
            </div>
          )}
        </>
      )}
    </Dialog>
  );
}

interface PeopleProps extends Pick<ParticipantsDialogProps, 'chatView' | 'chat' | 'facility' | 'myId'> {
  readonly acts: ParticipantActs | undefined;
}

function People({ chatView, chat, facility, myId, acts }: PeopleProps) {
  const presences = usePresences(
    facility.id,
    chatView.participants.map(({ user_id }) => user_id),
  );
  const here = new Set(chatView.present.map((person) => person.id));
  if (chatView.participants.length === 0) return <Skeleton count={3} label="Loading people" />;
  return (
    <ul className="list dialog-list">
      {chatView.participants.map((person) => {
        const isMe = person.user_id === myId;
        return (
          <li key={person.user_id}>
            <ParticipantRow
              {...{ person, isMe }}
              facility={facility}
              presence={presences.get(person.user_id)}
              headSeq={chat.head_seq}
              isHere={here.has(person.user_id)}
              acts={isMe ? undefined : acts}
            />
          </li>
        );
      })}
    </ul>
  );
}

interface ActsPlace extends Pick<ParticipantsDialogProps, 'chatView' | 'chat'> {
  readonly onSaid: (sentence: string) => void;
}

/** What is done about people: at once, save what cannot be seen coming, which is asked for first. */
function useParticipantActs({ chatView, chat, onSaid }: ActsPlace) {
  const call = useCall();
  const router = useRouter();
  const confirm = useConfirm();
  const [error, setError] = useState<string | null>(null);

  const remove = async (userId: string) => {
    await call(removeParticipant, { params: { chat: chat.id, user: userId } });
    chatView.refreshPeople();
  };
  const changeAccess = async ({ user_id, name }: Participant, access: ParticipantAccess) => {
    setError(null);
    try {
      await call(addParticipant, { params: { chat: chat.id, user: user_id }, body: { access } });
      onSaid(`${name}: ${accessLabels[access].toLowerCase()}.`);
    } catch (error) {
      setError(`${name} was not changed. ${formatAction(error)}`);
    }
    chatView.refreshPeople();
  };
  const keep = async ({ user_id, name }: Participant) => {
    setError(null);
    try {
      await call(addParticipant, { params: { chat: chat.id, user: user_id }, body: {} });
      onSaid(`${name} stays in the chat.`);
    } catch (error) {
      setError(`${name} was not kept. ${formatAction(error)}`);
    }
    chatView.refreshPeople();
  };
  const acts: ParticipantActs = {
    choices: chat.kind === 'announcement' ? ['read', 'manage'] : ['read', 'write', 'manage'],
    onAccess: (person, access) => void changeAccess(person, access),
    onKeep: (person) => void keep(person),
    onRemove: ({ user_id, name }) =>
      void confirm({
        title: `Remove ${name}?`,
        description:
          'They will not see this chat any more, and it is taken off their devices. Everybody in it sees this.',
        confirmLabel: 'Remove',
        onConfirm: async () => {
          await remove(user_id);
          onSaid(`${name} removed.`);
        },
      }),
  };
  const leave = (myId: string) => {
    const reason = stayReason(chat, chatView.participants, myId);
    setError(reason);
    if (reason !== null) return;
    void confirm({
      title: 'Leave this chat?',
      description: leaveWarning(chat, chatView.participants, myId),
      confirmLabel: 'Leave chat',
      onConfirm: async () => {
        await remove(myId);
        await router.navigate({ href: facilityPath(chat.facility_id) });
      },
    });
  };
  return { acts, error, leave };
}

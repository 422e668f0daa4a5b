import type { Chat, Participant } from '@wardline/contract/chat.ts';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { ListRow } from '@wardline/ui/list/list-row.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { formatPeople } from '#/features/chat/core/chat-labels.ts';
import type { ChatView } from '#/features/chat/core/chat-view.ts';
import { PersonAvatar } from '#/shared/pictures/person-avatar.tsx';

interface ParticipantsDialogProps {
  readonly chatView: ChatView;
  readonly chat: Chat;
  readonly myId: string;
  readonly onClose: () => void;
}

/** Who is in the chat, who has it open now, and how far each has got. */
export function ParticipantsDialog({ chatView, chat, myId, onClose }: ParticipantsDialogProps) {
  const here = new Set(chatView.present.map((person) => person.id));
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`${formatPeople(chat.participant_count)} in this chat`}
      closeLabel="Close"
    >
      {chatView.participants.length === 0 ? (
        <Skeleton count={3} label="Loading people" />
      ) : (
        <ul className="list dialog-list">
          {chatView.participants.map((person) => {
            const isMe = person.user_id === myId;
            const isHere = here.has(person.user_id);
            return (
              <li key={person.user_id}>
                <ListRow
                  leading={
                    <PersonAvatar
                      name={person.name}
                      url={person.avatar_url}
                      size={40}
                      {...(isHere ? { presence: { tone: 'success', label: 'has this chat open' } } : {})}
                    />
                  }
                  title={isMe ? `${person.name} (you)` : person.name}
                  mark={isHere && <Badge>Here now</Badge>}
                  text={[person.title, isMe ? null : formatMarker(person, chat.head_seq)].filter(Boolean).join(' · ')}
                />
              </li>
            );
          })}
        </ul>
      )}
    </Dialog>
  );
}

/** How far somebody has got, in words. */
export function formatMarker({ read_seq, delivered_seq }: Participant, headSeq: number): string {
  if (headSeq === 0) return 'no messages yet';
  if (read_seq >= headSeq) return 'has read everything';
  const unread = headSeq - read_seq;
  return delivered_seq >= headSeq ? `${unread} unread, delivered` : `${unread} unread`;
}

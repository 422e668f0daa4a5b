import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { counted } from '@wardline/format/counts.ts';
import { Card } from '@wardline/ui/card/card.tsx';
import { SectionHead } from '@wardline/ui/card/section-head.tsx';
import { Pill } from '@wardline/ui/mark/pill.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { MessagesSquare } from 'lucide-react';
import { isUnread } from '#/features/chat/core/chat-labels.ts';
import type { ChatList, Person } from '#/features/chat/core/chat-view.ts';
import { useChats } from '#/features/chat/runtime/hooks.ts';
import { useNow } from '#/shared/time/use-now.ts';
import { ChatRow } from './chat-row.tsx';

interface UnreadChatsProps {
  readonly me: Person;
  readonly facilities: readonly Facility[];
}

const shownAtMost = 6;

/** The dashboard's card of chats with something unread. */
export function UnreadChats(props: UnreadChatsProps) {
  return <UnreadChatsView {...props} list={useChats()} />;
}

/** The same over a list that is given. */
export function UnreadChatsView({ me, facilities, list }: UnreadChatsProps & { list: ChatList }) {
  const now = useNow();
  const unread = list.items.filter(({ chat }) => isUnread(chat));
  return (
    <section aria-labelledby="unread-chats">
      <SectionHead
        id="unread-chats"
        title="Unread chats"
        mark={<Pill count={list.unreadChats} label={counted(list.unreadChats, 'unread chat')} />}
        link={{ href: '/chats', label: 'All chats' }}
      />
      <Card>
        {unread.length > 0 ? (
          <ul className="list">
            {unread.slice(0, shownAtMost).map((item) => (
              <li key={item.chat.id}>
                <ChatRow item={item} me={me} now={now} timeZone={zoneOf(facilities, item.chat.facility_id)} />
              </li>
            ))}
          </ul>
        ) : list.status === 'loading' ? (
          <Skeleton count={3} label="Loading chats" />
        ) : list.status === 'failed' ? (
          <ErrorState
            title="The chats did not load"
            level={3}
            message={list.error ?? 'The server did not answer.'}
            onRetry={() => list.retry()}
          />
        ) : (
          <EmptyState icon={MessagesSquare} title="Nothing unread" level={3}>
            New messages of your chats show here.
          </EmptyState>
        )}
      </Card>
    </section>
  );
}

function zoneOf(facilities: readonly Facility[], id: string): string {
  return facilities.find((facility) => facility.id === id)?.time_zone ?? 'UTC';
}

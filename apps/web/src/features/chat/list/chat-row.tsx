import type { Chat } from '@wardline/contract/chat/chat.ts';
import { formatIdentifier } from '@wardline/format/names.ts';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { ListRow } from '@wardline/ui/list/list-row.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { Dot } from '@wardline/ui/mark/dot.tsx';
import { Pill } from '@wardline/ui/mark/pill.tsx';
import { BellOff, Clock, Star, TriangleAlert } from 'lucide-react';
import { memo } from 'react';
import {
  chatName,
  formatState,
  formatUnread,
  isMentioned,
  isMuted,
  isUnread,
  kindLabels,
  lastLine,
} from '#/features/chat/core/chat-labels.ts';
import { ChatMark } from '#/features/chat/core/chat-mark.tsx';
import { chatPath } from '#/features/chat/core/chat-paths.ts';
import type { ChatListItem, Person } from '#/features/chat/core/chat-view.ts';
import { lastSaid } from '#/features/chat/core/day-label.ts';
import { useDraft } from '#/features/chat/drafts/draft-store.ts';
import { OneLine } from '#/features/chat/message-text/one-line.tsx';
import { momentIn } from '#/shared/time/zoned-time.ts';

export interface ChatRowProps {
  readonly item: ChatListItem;
  readonly me: Person;
  readonly timeZone: string;
  readonly now: number;
  readonly isSelected?: boolean;
  /** On a wide page facility, kind, time and count stand in columns. */
  readonly facilityName?: string;
}

/** One chat of a list, 64 px. Drawn again where something of it changed: a list of many changes with each message. */
export const ChatRow = memo(function ChatRow(props: ChatRowProps) {
  const { item, me, timeZone, now, isSelected = false, facilityName } = props;
  const { chat, pending, failed } = item;
  const { unread } = chat.my;
  const isNew = isUnread(chat);
  const at = Date.parse(chat.last_message?.created_at ?? chat.created_at);
  const time = (
    <time dateTime={new Date(at).toISOString()} title={momentIn(timeZone, at)}>
      {lastSaid(at, now, timeZone)}
    </time>
  );
  const count = (
    <>
      {isMentioned(chat) && (
        <span className="at" role="img" aria-label="You are mentioned">
          @
        </span>
      )}
      <Pill count={unread} label={formatUnread(unread)} />
      {unread === 0 && isNew && <Dot tone="primary" label="Marked as unread" />}
    </>
  );
  const isWide = facilityName !== undefined;
  return (
    <ListRow
      className={isWide ? 'crow' : undefined}
      href={chatPath(chat)}
      leading={<ChatMark chat={chat} me={me} />}
      title={chatName(chat, me)}
      mark={
        <>
          {isWide && chat.patient && (
            <span className="lrow-id only-desk">{formatIdentifier(chat.patient.identifier)}</span>
          )}
          {chat.state !== 'open' && <Badge>{formatState[chat.state]}</Badge>}
          {chat.my.is_favorite && <Icon of={Star} size="sm" label="Favourite" className="muted" />}
          {isMuted(chat, now) && <Icon of={BellOff} size="sm" label="Muted" className="muted" />}
          <Owed pending={pending} failed={failed} />
        </>
      }
      meta={time}
      text={
        <>
          {chat.patient && (
            <span className={isWide ? 'lrow-id only-phone' : 'lrow-id'}>
              {formatIdentifier(chat.patient.identifier)} ·{' '}
            </span>
          )}
          <LastLine chat={chat} me={me} isOpen={isSelected} />
        </>
      }
      {...(isNew ? { count } : {})}
      {...(chat.urgent_count ? { urgency: 'urgent', urgencyWord: 'Urgent' } : {})}
      isUnread={isNew}
      isSelected={isSelected}
      {...(isWide
        ? {
            trailing: (
              <span className="ccols only-desk">
                <span className="cfac">{facilityName}</span>
                <span className="ckind">{kindLabels[chat.kind]}</span>
                <span className="ctime">{time}</span>
                <span className="cn">{count}</span>
              </span>
            ),
          }
        : {})}
    />
  );
});

/** What was said last; what one has begun to write oneself and left is more pressing. */
function LastLine({ chat, me, isOpen }: { chat: Chat; me: Person; isOpen: boolean }) {
  const draft = useDraft(me.id, chat.id).trim();
  if (draft === '' || isOpen) return <OneLine text={lastLine(chat, me)} />;
  return (
    <>
      <strong>Draft:</strong> <OneLine text={draft} />
    </>
  );
}

function Owed({ pending, failed }: { pending: number; failed: number }) {
  if (failed > 0) {
    return (
      <Badge tone="error" icon={TriangleAlert}>
        {failed} not sent
      </Badge>
    );
  }
  if (pending === 0) return null;
  return <Badge icon={Clock}>{pending} waiting</Badge>;
}

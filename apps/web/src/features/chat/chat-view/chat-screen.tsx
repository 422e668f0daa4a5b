import { serverNow } from '@wardline/client/server-clock.ts';
import type { Chat, Message } from '@wardline/contract/chat/chat.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { BedTag } from '@wardline/ui/mark/bed-tag.tsx';
import { Pill } from '@wardline/ui/mark/pill.tsx';
import { PaneHead } from '@wardline/ui/panes/panes.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { ArrowDown, MoreHorizontal, Users } from 'lucide-react';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { Composer } from '#/features/chat/composer/composer.tsx';
import { bedParts } from '#/features/chat/core/bed-parts.ts';
import {
  chatName,
  formatPeople,
  formatState,
  formatSubject,
  isMuted,
  mayManageChat,
  mayReact,
  readOnlyReason,
} from '#/features/chat/core/chat-labels.ts';
import { useBackToChats } from '#/features/chat/core/chat-origin.ts';
import type { ChatView, Person } from '#/features/chat/core/chat-view.ts';
import { draftsOf, useDraft } from '#/features/chat/drafts/draft-store.ts';
import type { MessageActs } from '#/features/chat/message-acts/message-acts.ts';
import { type MarkUnread, useUnreadMark } from '#/features/chat/message-acts/use-unread-mark.ts';
import type { Uploads } from '#/features/chat/uploads/uploads.ts';
import type { SendGuard } from '#/features/chat/urgent/send-guard.ts';
import { lazyMenu } from '#/shared/lazy/lazy-menu.tsx';
import { closeMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { PersonAvatar } from '#/shared/pictures/person-avatar.tsx';
import { useNow } from '#/shared/time/use-now.ts';
import { dayIn } from '#/shared/time/zoned-time.ts';
import type { ChatDialog } from './chat-dialogs.tsx';
import { groupRows } from './group-rows.ts';
import { MessageList } from './message-list.tsx';
import type { DrawAct } from './message-row.tsx';
import { useChatScroll } from './use-chat-scroll.ts';
import { type LinkedMessage, useShown } from './use-shown.ts';

const ParticipantsDialog = lazyPart(
  async () => (await import('#/features/chat/participants/participants-dialog.tsx')).ParticipantsDialog,
  {
    onMissing: closeMissing,
  },
);

const ChatDialogs = lazyPart(async () => (await import('./chat-dialogs.tsx')).ChatDialogs, {
  onMissing: closeMissing,
});
const ChatMenu = lazyMenu(async () => (await import('#/features/chat/chat-menu/chat-menu.tsx')).ChatMenu);
const loadStateNote = () => import('#/features/chat/chat-menu/state-note.tsx');
const HandedOverNote = lazyPart(async () => (await loadStateNote()).HandedOverNote);
const WayBack = lazyPart(async () => (await loadStateNote()).WayBack);
const NoMessages = lazyPart(async () => (await import('./no-messages.tsx')).NoMessages, {
  whileLoading: () => <div className="pane-scroll" />,
});
const PinsButton = lazyPart(async () => (await import('#/features/chat/pins/pins-button.tsx')).PinsButton);
const ComposerTools = lazyPart(async () => (await import('#/features/chat/composer/composer-tools.tsx')).ComposerTools);
const PersonPresence = lazyPart(async () => (await import('#/shared/presence/presence-mark.tsx')).PersonPresence);
const Typing = lazyPart(async () => (await import('./typing.tsx')).Typing, {
  whileLoading: () => <p className="typing" />,
});
const ReplyBar = lazyPart(async () => (await import('#/features/chat/message-acts/quote.tsx')).ReplyBar, {
  whileLoading: () => <p className="m-quote" />,
});

interface ChatScreenProps {
  readonly chatView: ChatView;
  readonly chat: Chat;
  readonly facility: Facility;
  readonly me: Person;
  readonly drawAct: DrawAct;
  /** The message that the address names. */
  readonly linked?: LinkedMessage | null;
  /** My files on their way. */
  readonly uploads: () => Promise<Uploads>;
}

/** Head, messages, composer of a chat that is here. */
export function ChatScreen({ chatView, chat, facility, me, drawAct, linked = null, uploads }: ChatScreenProps) {
  const timeZone = facility.time_zone;
  const { items, firstUnreadSeq } = chatView;
  const isLoading = chatView.status === 'loading';
  // The newest page may come before the one with the first unread message: shown alone it would be taken as read.
  const rows = useMemo(() => {
    const shown = isLoading ? items.filter((item) => item.type === 'pending') : items;
    return groupRows(shown, { myId: me.id, timeZone, firstUnreadSeq });
  }, [items, isLoading, me.id, timeZone, firstUnreadSeq]);
  const drafts = draftsOf(me.id);
  const mayManage = mayManageChat(chat, facility);
  const scroll = useChatScroll(rows, chat.id, drafts);
  const now = useNow();
  const unsent = {
    onRetry: (clientId: string) => void chatView.retrySend(clientId),
    onDiscard: (clientId: string) => void chatView.discard(clientId),
  };
  const { replyTo, answered, setReplyTo } = useReply(me.id, chat.id);
  const [editing, setEditing] = useState<MessageActs['editing']>(null);
  const [dialog, setDialog] = useState<ChatDialog | null>(null);
  const guard = useRef<SendGuard>(null);
  const ask = (type: 'delete' | 'versions' | 'forward') => (message: Message) => setDialog({ type, message });
  const edit = (message: Message | null, text?: string) =>
    setEditing(message && { messageId: message.id, text: text ?? message.body });
  const markUnread = useUnreadMark(chat, chatView.refreshPeople);
  const shown = useShown(chatView, scroll, rows, linked);
  const held = useMemo(() => heldBySeq(items), [items]);
  const acts: MessageActs = {
    ...{ chat, myId: me.id, mayReact: mayReact(chat), mayWrite: readOnlyReason(chat) === null, ...unsent },
    ...{ onReply: setReplyTo, onQuoteSeen: chatView.loadQuote, onShow: shown.show },
    ...{ editing, onEdit: edit, onDelete: ask('delete') },
    ...{ onVersions: ask('versions'), onForward: ask('forward') },
    onMarkUnread: markUnread && (({ seq }) => markUnread(seq)),
    quoted: (seq) => held.get(seq) ?? chatView.quotes.get(seq),
    change: (change) =>
      void chatView.change(change).catch(async (error) => (await import('./say-failed.ts')).sayNotKept(error)),
  };
  return (
    <>
      <ChatHeader {...{ chatView, chat, facility, me, markUnread }} onAsk={setDialog}>
        {(chat.pin_count ?? 0) > 0 && <PinsButton {...{ items, acts, timeZone }} />}
      </ChatHeader>
      {rows.length === 0 ? (
        <NoRows chatView={chatView} chat={chat} />
      ) : (
        <MessageList
          chatView={chatView}
          rows={rows}
          scroll={scroll}
          me={me}
          facility={facility}
          drawAct={drawAct}
          now={now}
          pendingActions={unsent}
          acts={acts}
          shownSeq={shown.seq}
          onGo={(day) => setDialog({ type: 'day', day })}
        />
      )}
      {dialog && (
        <ChatDialogs
          {...{ dialog, acts, chat, items, me, timeZone }}
          onChanged={chatView.refreshPeople}
          onClose={() => setDialog(null)}
        />
      )}
      <div className="pane-foot">
        {!scroll.isAtEnd && rows.length > 0 && (
          <Button className="jump" variant="outline" color="neutral" icon={ArrowDown} onClick={scroll.toNewest}>
            Newest
            <Pill count={scroll.below} label={`${scroll.below} below`} />
          </Button>
        )}
        <Typing people={chatView.typing} />
        {chat.state === 'handed_over' && <HandedOverNote />}
        <Composer
          chatId={chat.id}
          drafts={drafts}
          readOnlyReason={readOnlyReason(chat)}
          wayBack={
            mayManage && !mayReact(chat) && <WayBack chat={chat} onMove={(to) => setDialog({ type: 'move', to })} />
          }
          askBefore={(body) => guard.current?.(body) ?? null}
          tools={
            <ComposerTools
              {...{ chat, facility, me, drafts, guard }}
              people={chatView.participants}
              onSent={scroll.toNewest}
            />
          }
          mentionable={chat.direct ? null : { chat, people: chatView.participants, myId: me.id, mayCallAll: mayManage }}
          onAttach={async (files) => (await uploads()).add(chat, files)}
          onSend={(body, mentions, files, citations) => {
            scroll.toNewest();
            // Another may have been chosen while it was asked whether this goes to the right patient.
            if (answered()?.id === replyTo?.id) setReplyTo(null);
            return chatView.send(body, { replyTo, mentions, files, citations: citations ?? [] }).catch((failure) => {
              // With the text, which goes back to its box.
              setReplyTo(answered() ?? replyTo);
              throw failure;
            });
          }}
          reply={
            replyTo && {
              key: replyTo.id,
              bar: (
                <ReplyBar
                  {...{ me, seq: replyTo.seq, onSeen: chatView.loadQuote }}
                  message={acts.quoted(replyTo.seq)}
                  onCancel={() => setReplyTo(null)}
                />
              ),
              onCancel: () => setReplyTo(null),
            }
          }
          onTyping={chatView.noteTyping}
        />
      </div>
    </>
  );
}

/** What the next message will answer; a part of what is written. */
function useReply(myId: string, chatId: string) {
  const name = `reply/${chatId}`;
  const kept = useDraft(myId, name);
  const replyTo = useMemo(() => parseReply(kept), [kept]);
  /** As it is now, also after a question that took a while. */
  const answered = () => parseReply(draftsOf(myId).read(name));
  const setReplyTo = (to: Pick<Message, 'id' | 'seq'> | null) =>
    draftsOf(myId).write(name, to ? JSON.stringify({ id: to.id, seq: to.seq }) : '');
  return { replyTo, answered, setReplyTo };
}

function parseReply(text: string): Pick<Message, 'id' | 'seq'> | null {
  return JSON.parse(text || 'null');
}

/** The messages that are held, for what quotes them. */
function heldBySeq(items: ChatView['items']): ReadonlyMap<number, Message> {
  return new Map(items.flatMap((item) => (item.type === 'message' ? [[item.message.seq, item.message]] : [])));
}

/** What stands in the place of messages: they are on their way, they did not come, or there are none. */
function NoRows({ chatView, chat }: { chatView: ChatView; chat: Chat }) {
  if (chatView.status !== 'loading') return <NoMessages {...{ chatView, chat }} />;
  return (
    <div className="pane-scroll">
      <Skeleton shape="messages" count={6} label="Loading messages" />
    </div>
  );
}

interface ChatHeaderProps extends Omit<ChatScreenProps, 'drawAct' | 'linked' | 'uploads'> {
  readonly onAsk: (dialog: ChatDialog) => void;
  readonly markUnread: MarkUnread | null;
  readonly children: ReactNode;
}

function ChatHeader({ chatView, chat, facility, me, onAsk, markUnread, children }: ChatHeaderProps) {
  const [isOpen, setIsOpen] = useState(false);
  const back = useBackToChats(chat.facility_id);
  const { direct } = chat;
  const bed = chat.patient?.bed;
  return (
    <>
      <PaneHead
        title={chatName(chat, me)}
        context={
          <>
            {/* One with a person is opened again by what is written to them. */}
            {chat.state !== 'open' && !direct && (
              <>
                <Badge>{formatState[chat.state]}</Badge>{' '}
              </>
            )}
            {isMuted(chat, serverNow()) && 'Muted · '}
            {direct?.is_member && (
              <PersonPresence facilityId={facility.id} userId={direct.user_id} zone={facility.time_zone} />
            )}
            {formatSubject(chat)}
          </>
        }
        isContextWhole={chat.patient !== null}
        back={back}
        {...(bed ? { leading: <BedTag {...bedParts(bed)} label={`Bed ${bed}`} /> } : {})}
        {...(direct ? { leading: <PersonAvatar name={direct.name} url={direct.avatar_url} size={36} /> } : {})}
        actions={
          // A chat that its first message is to make has no people to show yet.
          chat.version > 0 && (
            <>
              {children}
              <Button
                variant="ghost"
                color="neutral"
                icon={Users}
                label={`${formatPeople(chat.participant_count)} in this chat`}
                onClick={() => setIsOpen(true)}
              >
                <span className="num">{chat.participant_count}</span>
              </Button>
              <ChatMenu
                {...{ chat, facility, markUnread }}
                trigger={<Button variant="ghost" color="neutral" iconOnly icon={MoreHorizontal} label="Chat menu" />}
                onPeople={() => setIsOpen(true)}
                onChanged={chatView.refreshPeople}
                onGo={() => onAsk({ type: 'day', day: dayIn(facility.time_zone, Date.now()) })}
                onRename={() => onAsk({ type: 'rename' })}
                onImport={() => onAsk({ type: 'import' })}
                onRecord={() => onAsk({ type: 'record' })}
                onMove={(to) => onAsk({ type: 'move', to })}
              />
            </>
          )
        }
      />
      {isOpen && <ParticipantsDialog {...{ chatView, chat, facility }} myId={me.id} onClose={() => setIsOpen(false)} />}
    </>
  );
}

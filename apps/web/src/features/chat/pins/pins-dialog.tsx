import type { Message } from '@wardline/contract/chat/chat.ts';
import { listPins } from '@wardline/contract/chat/chat-changes.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { PinOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { TimelineItem } from '#/features/chat/core/chat-view.ts';
import type { MessageActs } from '#/features/chat/message-acts/message-acts.ts';
import { excerptOf } from '#/features/chat/message-acts/quote.tsx';
import { useCall } from '#/shared/contexts/call-context.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { dayIn, formatDay, timeIn } from '#/shared/time/zoned-time.ts';

// The dialog gives the focus back to what opened it before the message takes it.
const focusBackMs = 50;

export interface PinsDialogProps {
  readonly items: readonly TimelineItem[];
  readonly acts: Pick<MessageActs, 'chat' | 'myId' | 'mayWrite' | 'change' | 'onShow'>;
  readonly timeZone: string;
  readonly onClose: () => void;
}

/** The pinned messages of a chat, the newest pin first; a press leads to one. */
export function PinsDialog({ items, acts, timeZone, onClose }: PinsDialogProps) {
  const { state, listed } = usePins(acts.chat.id, acts.chat.pin_count);
  const pinned = withHeld(listed, items);
  const show = (seq: number) => {
    onClose();
    setTimeout(acts.onShow, focusBackMs, seq);
  };
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()} title="Pinned messages" closeLabel="Close">
      {typeof state === 'object' && (
        <Banner tone="error">{`${state.error} Only those on this device are shown.`}</Banner>
      )}
      {state === 'loading' && pinned.length === 0 && (
        <Skeleton shape="text" count={3} label="Loading pinned messages" />
      )}
      {state === 'ready' && pinned.length === 0 && <p className="muted">No pinned messages that you can see.</p>}
      <ul className="pins">
        {pinned.map((message) => (
          <li key={message.id} className="pin">
            <button type="button" className="pin-text" onClick={() => show(message.seq)}>
              <span className="pin-head">
                {message.sender.id === acts.myId ? 'You' : message.sender.name},{' '}
                <time dateTime={message.created_at}>{formatSaid(message, timeZone)}</time>
              </span>
              <span dir="auto">{excerptOf(message)}</span>
            </button>
            {acts.mayWrite && (
              <Button
                variant="ghost"
                color="neutral"
                iconOnly
                icon={PinOff}
                label="Unpin"
                onClick={() => acts.change({ type: 'pin', messageId: message.id, isPinned: false })}
              />
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function formatSaid({ created_at }: Message, timeZone: string): string {
  const at = Date.parse(created_at);
  return `${formatDay(dayIn(timeZone, at), dayIn(timeZone, Date.now()))}, ${timeIn(timeZone, at)}`;
}

type LoadState = 'loading' | 'ready' | { readonly error: string };

/** What the server has, asked again where their number changes. */
function usePins(chatId: string, count: number | undefined) {
  const call = useCall();
  const [listed, setListed] = useState<readonly Message[]>([]);
  const [state, setState] = useState<LoadState>('loading');
  // biome-ignore lint/correctness/useExhaustiveDependencies: another number is a reason to ask
  useEffect(() => {
    let isWanted = true;
    call(listPins, { params: { chat: chatId } }).then(
      ({ data }) => {
        if (!isWanted) return;
        setListed(data);
        setState('ready');
      },
      (error) => isWanted && setState({ error: formatFailure(error) }),
    );
    return () => {
      isWanted = false;
    };
  }, [call, chatId, count]);
  return { listed, state };
}

/** What is held is as new as what was asked for, or newer: with what was pinned and unpinned here just now. */
function withHeld(listed: readonly Message[], items: readonly TimelineItem[]): readonly Message[] {
  const all = new Map(listed.map((message) => [message.id, message]));
  for (const item of items) {
    if (item.type !== 'message') continue;
    if (item.message.pinned || all.has(item.message.id)) all.set(item.message.id, item.message);
  }
  const pinnedAt = ({ pinned }: Message) => pinned?.at ?? '';
  return [...all.values()].filter(({ pinned }) => pinned).sort((a, b) => (pinnedAt(a) < pinnedAt(b) ? 1 : -1));
}

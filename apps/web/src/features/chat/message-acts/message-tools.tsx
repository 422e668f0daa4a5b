import { type Message, REACTION_CODES, type ReactionCode } from '@wardline/contract/chat/chat.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Menu, MenuGroup, MenuItem, MenuSeparator } from '@wardline/ui/menu/menu.tsx';
import { Tooltip } from '@wardline/ui/tooltip/tooltip.tsx';
import { Check, CircleDot, Copy, Forward, Link, Pencil, Pin, PinOff, Reply, Trash2 } from 'lucide-react';
import { type ReactElement, useLayoutEffect, useRef, useState } from 'react';
import { linkToMessage } from '#/features/chat/core/chat-paths.ts';
import { copyText } from './copy-text.ts';
import type { MessageActs } from './message-acts.ts';
import { reactionLabels } from './reaction-labels.ts';

/** One tap beside the message; the rest is in the menu. */
const QUICK = ['seen', 'on_my_way', 'done'] as const;

export interface MessageToolsProps {
  readonly message: Message;
  readonly acts: MessageActs;
  /** The button that opens the menu. */
  readonly more: ReactElement;
  /** It was pressed before this was here. */
  readonly isWanted: boolean;
}

/** What can be done to one message: quick reactions and a menu of everything. */
export function MessageTools({ message, acts, more, isWanted }: MessageToolsProps) {
  const [isOpen, setIsOpen] = useState(isWanted);
  const mark = useFocusOnRow();
  const isMine = (code: ReactionCode) =>
    (message.reactions ?? []).some((reaction) => reaction.code === code && reaction.user_id === acts.myId);
  const toggle = (code: ReactionCode) =>
    acts.change({ type: 'react', messageId: message.id, code, isSet: !isMine(code) });
  const copyLink = () => {
    const link = window.location.origin + linkToMessage(acts.chat, message.seq);
    void copyText(link, { done: 'Link copied', missed: `This browser can’t copy. The link: ${link}` });
  };
  return (
    <>
      <span hidden ref={mark} />
      {acts.mayReact &&
        QUICK.map((code) => (
          <Tooltip key={code} content={reactionLabels[code].word}>
            <Button
              variant="ghost"
              color={isMine(code) ? 'primary' : 'neutral'}
              size="sm"
              iconOnly
              icon={reactionLabels[code].icon}
              label={reactionLabels[code].word}
              aria-pressed={isMine(code)}
              onClick={() => toggle(code)}
            />
          </Tooltip>
        ))}
      {acts.mayWrite && (
        <Tooltip content="Reply" keys={['R']}>
          <Button
            variant="ghost"
            color="neutral"
            size="sm"
            iconOnly
            icon={Reply}
            label="Reply"
            onClick={() => acts.onReply(message)}
          />
        </Tooltip>
      )}
      <Menu trigger={more} align="end" open={isOpen} onOpenChange={setIsOpen}>
        {acts.mayReact && (
          <>
            <MenuGroup label="React">
              {REACTION_CODES.map((code) => (
                <MenuItem
                  key={code}
                  icon={isMine(code) ? Check : reactionLabels[code].icon}
                  onSelect={() => toggle(code)}
                >
                  {isMine(code) ? `Take back “${reactionLabels[code].word}”` : reactionLabels[code].word}
                </MenuItem>
              ))}
            </MenuGroup>
            <MenuSeparator />
          </>
        )}
        {acts.mayWrite && (
          <MenuItem icon={Reply} onSelect={() => acts.onReply(message)}>
            Reply
          </MenuItem>
        )}
        <MenuItem icon={Forward} onSelect={() => acts.onForward(message)}>
          Forward
        </MenuItem>
        {message.body && (
          <MenuItem icon={Copy} onSelect={() => void copyText(message.body)}>
            Copy text
          </MenuItem>
        )}
        <MenuItem icon={Link} onSelect={copyLink}>
          Copy link
        </MenuItem>
        {acts.onMarkUnread && (
          <MenuItem icon={CircleDot} onSelect={() => acts.onMarkUnread?.(message)}>
            Mark unread from here
          </MenuItem>
        )}
        {acts.mayWrite && (
          <MenuItem
            icon={message.pinned ? PinOff : Pin}
            onSelect={() => acts.change({ type: 'pin', messageId: message.id, isPinned: !message.pinned })}
          >
            {message.pinned ? 'Unpin' : 'Pin'}
          </MenuItem>
        )}
        {acts.mayWrite && message.sender.id === acts.myId && (
          <>
            {!message.forwarded && !message.urgent && (
              <MenuItem icon={Pencil} onSelect={() => acts.onEdit(message)}>
                Edit
              </MenuItem>
            )}
            <MenuSeparator />
            <MenuItem icon={Trash2} isDanger onSelect={() => acts.onDelete(message)}>
              Delete
            </MenuItem>
          </>
        )}
      </Menu>
    </>
  );
}

/** Where these go while one of them has the focus, as when the message is deleted, the keyboard goes on at the message's time. */
function useFocusOnRow() {
  const mark = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const tools = mark.current?.parentElement;
    return () => {
      if (!tools?.contains(document.activeElement)) return;
      tools.closest('.m')?.querySelector<HTMLElement>('.m-when')?.focus({ preventScroll: true });
    };
  }, []);
  return mark;
}

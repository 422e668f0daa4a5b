import type { Chat } from '@wardline/contract/chat/chat.ts';
import { CHAT_MOVES } from '@wardline/contract/chat/chat-management.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { ArrowRightLeft } from 'lucide-react';
import { formatMove } from './move-labels.ts';
import './chat-menu.css';

/** Over the box one writes in, where a chat was handed over. */
export function HandedOverNote() {
  return (
    <Banner className="state-note" tone="neutral" icon={ArrowRightLeft} title="Handed over." announce="none">
      The next team goes on here.
    </Banner>
  );
}

interface WayBackProps {
  readonly chat: Chat;
  readonly onMove: (to: Chat['state']) => void;
}

/** The way back of a chat that is over, where its composer would stand. */
export function WayBack({ chat, onMove }: WayBackProps) {
  const [to] = CHAT_MOVES[chat.state];
  if (to === undefined) return null;
  return (
    <Button variant="outline" color="neutral" onClick={() => onMove(to)}>
      {formatMove(chat, to).label}
    </Button>
  );
}

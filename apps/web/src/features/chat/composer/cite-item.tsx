import { CITATIONS_MAX } from '@wardline/contract/chat/chat.ts';
import type { Citation } from '@wardline/contract/chat/citations.ts';
import { MenuItem } from '@wardline/ui/menu/menu.tsx';
import { MessageSquareQuote } from 'lucide-react';
import { readOnlyReason } from '#/features/chat/core/chat-labels.ts';
import { draftsOf } from '#/features/chat/drafts/draft-store.ts';
import { useChats } from '#/features/chat/runtime/hooks.ts';

interface CiteItemProps {
  readonly chatId: string;
  readonly myId: string;
  readonly citation: Citation;
  /** It stands over the box one writes in. */
  readonly onCited: () => void;
}

/** In the menu of a finding: puts it over the box one writes in, where one may write. */
export function CiteItem({ chatId, myId, citation, onCited }: CiteItemProps) {
  const chat = useChats().items.find((item) => item.chat.id === chatId)?.chat;
  if (!chat || readOnlyReason(chat) !== null) return null;
  const drafts = draftsOf(myId);
  const name = `citations/${chatId}`;
  const others = (JSON.parse(drafts.read(name) || '[]') as Citation[]).filter(
    ({ examination_id, field }) => examination_id !== citation.examination_id || field !== citation.field,
  );
  const isFull = others.length >= CITATIONS_MAX;
  const cite = () => {
    drafts.write(name, JSON.stringify([...others, citation]));
    onCited();
  };
  return (
    <MenuItem icon={MessageSquareQuote} isDisabled={isFull} onSelect={cite}>
      {isFull ? `Cite in chat: at most ${CITATIONS_MAX} findings in one message` : 'Cite in chat'}
    </MenuItem>
  );
}

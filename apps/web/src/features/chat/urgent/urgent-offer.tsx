import { listParticipants } from '@wardline/contract/chat/chat.ts';
import type { Person } from '#/features/chat/core/chat-view.ts';
import { useChats } from '#/features/chat/runtime/hooks.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useQuery } from '#/shared/queries/use-query.ts';
import { UrgentDialog } from './urgent-dialog.tsx';

interface UrgentOfferProps {
  readonly chatId: string;
  readonly timeZone: string;
  readonly me: Person;
  /** To begin with; it can be changed before it is sent. */
  readonly text: string;
  readonly onClose: () => void;
}

const MOST = 200;

/** The urgent composer for something that stands beside a chat, as an early warning score. */
export function UrgentOffer({ chatId, timeZone, me, text, onClose }: UrgentOfferProps) {
  const call = useCall();
  const chat = useChats().items.find((item) => item.chat.id === chatId)?.chat;
  const { data } = useQuery({
    queryKey: ['urgent-people', chatId],
    queryFn: ({ signal }) => call(listParticipants, { params: { chat: chatId }, query: { limit: MOST }, signal }),
  });
  if (!chat) return null;
  const participants = data?.data ?? [];
  return <UrgentDialog {...{ chat, timeZone, me, participants, text, onClose }} onSent={() => undefined} />;
}

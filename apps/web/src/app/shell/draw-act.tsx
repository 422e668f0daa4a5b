import type { MessageAct } from '@wardline/contract/chat/chat.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import type { ReactNode } from 'react';
import { lazyPart } from '#/shared/lazy/lazy-part.tsx';

const MessageActs = lazyPart(async () => (await import('./message-acts.tsx')).MessageActs, {
  // The line keeps its height.
  whileLoading: () => <div className="m-act" />,
});

/** Draws what can be done from a line of a chat: few lines carry anything, and no chat waits for the code of it. */
export function drawAct(act: MessageAct, facility: Facility, line: { chat_id: string; seq: number }): ReactNode {
  return <MessageActs {...act} {...{ facility, seq: line.seq }} chatId={line.chat_id} />;
}

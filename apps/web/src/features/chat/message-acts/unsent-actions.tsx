import type { Message } from '@wardline/contract/chat.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import type { PendingMessage, RefusedChange } from '#/features/chat/core/chat-view.ts';
import type { MessageActs } from './message-acts.ts';

export interface PendingActions {
  readonly onRetry: (clientId: string) => void;
  readonly onCopy: (body: string) => void;
  readonly onDiscard: (clientId: string) => void;
}

/** What can be done with a message that the server did not take. */
export function FailedActions({ pending, onRetry, onCopy, onDiscard }: PendingActions & { pending: PendingMessage }) {
  return (
    <>
      <LinkButton onClick={() => onRetry(pending.clientId)}>Retry</LinkButton>
      <LinkButton onClick={() => onCopy(pending.body)}>Copy</LinkButton>
      <LinkButton onClick={() => onDiscard(pending.clientId)}>Discard</LinkButton>
    </>
  );
}

interface RefusedActionsProps {
  readonly message: Message;
  readonly refused: RefusedChange;
  readonly acts: MessageActs;
}

/** What can be done with a change of a message that the server did not take. */
export function RefusedActions({ message, refused: { clientId, payload }, acts }: RefusedActionsProps) {
  const { onRetry, onDiscard, onCopy, onEdit } = acts;
  const editAgain = (text: string) => {
    onEdit(message, text);
    onDiscard(clientId);
  };
  return (
    <>
      {payload.type === 'edit' ? (
        <>
          <LinkButton onClick={() => editAgain(payload.body)}>Edit again</LinkButton>
          <LinkButton onClick={() => onCopy(payload.body)}>Copy</LinkButton>
        </>
      ) : (
        <LinkButton onClick={() => onRetry(clientId)}>Retry</LinkButton>
      )}
      <LinkButton onClick={() => onDiscard(clientId)}>Discard</LinkButton>
    </>
  );
}

function LinkButton({ onClick, children }: { readonly onClick: () => void; readonly children: string }) {
  return (
    <Button variant="link" size="sm" onClick={onClick}>
      {children}
    </Button>
  );
}

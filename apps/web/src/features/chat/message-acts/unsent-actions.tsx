import type { Message } from '@wardline/contract/chat/chat.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import type { PendingMessage, RefusedChange } from '#/features/chat/core/chat-view.ts';
import { useConfirm } from '#/shared/forms/dialogs/use-confirm.ts';
import { copyText } from './copy-text.ts';
import type { MessageActs } from './message-acts.ts';

export interface PendingActions {
  readonly onRetry: (clientId: string) => void;
  readonly onDiscard: (clientId: string) => void;
}

/** What can be done with a message that the server did not take. */
export function FailedActions({ pending, onRetry, onDiscard }: PendingActions & { pending: PendingMessage }) {
  const confirm = useConfirm();
  const discard = () =>
    confirm({
      title: 'Discard this message?',
      description: 'It was not sent and is only on this device. Nobody will see it.',
      confirmLabel: 'Discard',
      cancelLabel: 'Keep it',
      onConfirm: async () => onDiscard(pending.clientId),
    });
  return (
    <>
      <LinkButton onClick={() => onRetry(pending.clientId)}>Retry</LinkButton>
      {pending.body && <LinkButton onClick={() => void copyText(pending.body)}>Copy</LinkButton>}
      <LinkButton onClick={() => void discard()}>Discard</LinkButton>
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
  const { onRetry, onDiscard, onEdit } = acts;
  const editAgain = (text: string) => {
    onEdit(message, text);
    onDiscard(clientId);
  };
  return (
    <>
      {payload.type === 'edit' ? (
        <>
          <LinkButton onClick={() => editAgain(payload.body)}>Edit again</LinkButton>
          <LinkButton onClick={() => void copyText(payload.body)}>Copy</LinkButton>
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

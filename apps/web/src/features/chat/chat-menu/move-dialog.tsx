import type { Chat } from '@wardline/contract/chat/chat.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { useAction } from '#/shared/forms/use-action.ts';
import { formatMove } from './move-labels.ts';
import { useChatChange } from './use-chat-change.ts';

interface MoveDialogProps {
  readonly chat: Chat;
  readonly to: Chat['state'];
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

/** Asks before a chat is handed over, closed, reopened or archived: it says what that means to everybody in it. */
export function MoveDialog({ chat, to, onChanged, onClose }: MoveDialogProps) {
  const isOnline = useOnline();
  const { before, changed, change } = useChatChange({ chat, onChanged });
  const { label, title, meaning } = formatMove(before, to);
  const move = useAction(async () => {
    if (await change({ state: to })) onClose();
  });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={title}
      description={meaning}
      footer={
        changed ? (
          <Button onClick={onClose}>OK</Button>
        ) : (
          <>
            <Button variant="ghost" color="neutral" onClick={onClose}>
              Cancel
            </Button>
            <Button disabled={!isOnline} isLoading={move.isBusy} onClick={move.run}>
              {label}
            </Button>
          </>
        )
      }
    >
      {changed && <Banner tone="error">{changed} Nothing else was changed.</Banner>}
      {move.error && <Banner tone="error">{move.error}</Banner>}
      {!isOnline && <Banner tone="warning">You’re offline. This can be done once you’re back online.</Banner>}
    </Dialog>
  );
}

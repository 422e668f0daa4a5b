import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useAction } from './use-action.ts';

interface ConfirmDialogProps {
  readonly title: string;
  readonly description: string;
  readonly confirmLabel: string;
  /** What is done; the dialog stays open, with the reason, when it fails. */
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before something that cannot be taken back. */
export function ConfirmDialog({ title, description, confirmLabel, onConfirm, onClose }: ConfirmDialogProps) {
  const confirm = useAction(async () => {
    await onConfirm();
    onClose();
  });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={title}
      description={description}
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Cancel
          </Button>
          <Button color="error" isLoading={confirm.isBusy} onClick={confirm.run}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      {confirm.trouble && <Banner tone="error">{confirm.trouble}</Banner>}
    </Dialog>
  );
}

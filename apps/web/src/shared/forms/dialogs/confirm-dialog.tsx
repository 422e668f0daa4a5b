import type { OverlayControl } from '@wardline/client/overlays/overlay.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useAction } from '../use-action.ts';

export interface Question {
  readonly title: string;
  readonly description: string;
  readonly confirmLabel: string;
  /** Red unless told: most of what is asked takes something away. */
  readonly confirmColor?: 'primary';
  /** Cancel unless told. */
  readonly cancelLabel?: string;
  /** What is done; the dialog stays open, with the reason, when it fails. */
  readonly onConfirm: () => Promise<void>;
}

interface ConfirmDialogProps {
  readonly question: Question;
  readonly overlay: OverlayControl<true>;
}

/** Asks before something that cannot be taken back. */
export function ConfirmDialog({ question, overlay }: ConfirmDialogProps) {
  const { title, description, confirmLabel, confirmColor = 'error', cancelLabel = 'Cancel', onConfirm } = question;
  const confirm = useAction(async () => {
    await onConfirm();
    overlay.close(true);
  });
  return (
    <Dialog
      open={overlay.isOpen}
      onOpenChange={(isOpen) => !isOpen && overlay.dismiss()}
      onAfterLeave={overlay.afterLeave}
      title={title}
      description={description}
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={overlay.dismiss}>
            {cancelLabel}
          </Button>
          <Button color={confirmColor} isLoading={confirm.isBusy} onClick={confirm.run}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      {confirm.error && <Banner tone="error">{confirm.error}</Banner>}
    </Dialog>
  );
}

import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';

interface DiscardDialogProps {
  readonly onClose: () => void;
  readonly onDiscard: () => void;
}

/** Asks before an unsent message is taken off the device for good. */
export function DiscardDialog({ onClose, onDiscard }: DiscardDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Discard this message?"
      description="It was not sent and is only on this device. Nobody will see it."
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Keep it
          </Button>
          <Button
            color="error"
            onClick={() => {
              onDiscard();
              onClose();
            }}
          >
            Discard
          </Button>
        </>
      }
    />
  );
}

import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

interface RecoveryCodesDialogProps {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

/** The codes after they were made, once. */
export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closesOutside={false}
      closesOnEscape={false}
      title="Keep your recovery codes"
      description="If you lose your phone, one of these signs you in. Each works once. They are shown only now: keep them where you keep passwords, not on the phone."
      footer={<Button onClick={onClose}>I have kept them</Button>}
    >
      <RecoveryCodes codes={codes} />
    </Dialog>
  );
}

import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Textarea } from '@wardline/ui/input/textarea.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useId } from 'react';
import { useForm } from './use-form.ts';

interface ReasonDialogProps {
  readonly title: string;
  readonly help: string;
  /** What happens with it. */
  readonly button: string;
  readonly isDanger: boolean;
  /** Rejects with why it did not happen; the dialog stays open with it. */
  readonly onReason: (reason: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks why, before what needs a reason. */
export function ReasonDialog({ title, help, button, isDanger, onReason, onClose }: ReasonDialogProps) {
  const formId = useId();
  const { props, error, isBusy } = useForm({
    names: ['reason'],
    required: { reason: 'Say why.' },
    async send({ reason }) {
      await onReason(reason);
      onClose();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closesOutside={false}
      title={title}
      description={help}
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Back
          </Button>
          <Button type="submit" form={formId} color={isDanger ? 'error' : 'primary'} isLoading={isBusy}>
            {button}
          </Button>
        </>
      }
    >
      <form id={formId} className="stack stack-4" {...props}>
        {error.general && <Banner tone="error">{error.general}</Banner>}
        <Textarea label="Reason" name="reason" rows={3} maxLength={500} dir="auto" error={error.fields.reason} />
      </form>
    </Dialog>
  );
}

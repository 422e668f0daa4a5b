import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Textarea } from '@wardline/ui/input/textarea.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useId, useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { mustBeReason, TOO_SHORT } from '#/features/census/core/must-be-reason.ts';
import { useForm } from '#/shared/forms/use-form.ts';
import { useAnswer } from './use-answer.ts';

interface DeclineDialogProps {
  readonly facilityId: string;
  readonly title: string;
  readonly description: string;
  readonly label: string;
  readonly button: string;
  /** What is said once it is done. */
  readonly done: string;
  /** Sends it; pressed again after a lost answer it is the same one. */
  readonly onGiven: (given: { readonly client_id: string; readonly reason: string }) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Says no to what the patient system said: never without a reason. */
export function DeclineDialog(props: DeclineDialogProps) {
  const { facilityId, title, description, label, button, done, onGiven, onClose } = props;
  const answer = useAnswer(facilityId, onClose);
  const formId = useId();
  const [clientId] = useState(() => uuidv7());
  const form = useForm({
    names: ['reason'],
    required: { reason: TOO_SHORT },
    async send({ reason }) {
      mustBeReason(reason);
      await answer(done, () => onGiven({ client_id: clientId, reason }));
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closesOutside={false}
      title={title}
      description={description}
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} isLoading={form.isBusy}>
            {button}
          </Button>
        </>
      }
    >
      <form id={formId} className="stack stack-4" {...form.props}>
        {form.error.general && <Banner tone="error">{form.error.general}</Banner>}
        <Textarea
          label={label}
          name="reason"
          rows={3}
          maxLength={500}
          help="At least 5 characters. No patient names."
          error={form.error.fields.reason}
        />
      </form>
    </Dialog>
  );
}

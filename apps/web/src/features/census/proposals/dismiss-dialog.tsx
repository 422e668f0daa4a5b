import { statusOf } from '@wardline/client/http/api-error.ts';
import { dismissProposal, type Proposal } from '@wardline/contract/census-proposals.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Textarea } from '@wardline/ui/input/textarea.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useId, useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { mustBeReason, TOO_SHORT } from '#/features/census/core/must-be-reason.ts';
import { useRefresh } from '#/features/census/core/summary-queries.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { sayDone } from '#/shared/contexts/show-toast.ts';
import { useForm } from '#/shared/forms/use-form.ts';
import { proposalPlace, proposalSentence } from './proposal-labels.ts';

interface DismissDialogProps {
  readonly facilityId: string;
  readonly proposal: Proposal;
  readonly newest: string;
  readonly onClose: () => void;
}

/** Leaves the signed report as it is: never without a reason. */
export function DismissDialog({ facilityId, proposal, newest, onClose }: DismissDialogProps) {
  const call = useCall();
  const refresh = useRefresh(facilityId);
  const formId = useId();
  const [clientId] = useState(() => uuidv7());
  const place = proposalPlace(proposal, newest);
  const { props, error, isBusy } = useForm({
    names: ['reason'],
    required: { reason: TOO_SHORT },
    async send({ reason }) {
      mustBeReason(reason);
      try {
        await call(dismissProposal, {
          params: { facility: facilityId, proposal: proposal.id },
          body: { client_id: clientId, version: proposal.version, reason },
        });
      } catch (error) {
        if (statusOf(error) === 409) void refresh();
        throw error;
      }
      sayDone(`${place} stays as it was signed`);
      onClose();
      await refresh();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closesOutside={false}
      title={`Dismiss the correction of ${place}?`}
      description={`${proposalSentence(proposal, newest)} The report stays as it was signed.`}
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} isLoading={isBusy}>
            Dismiss it
          </Button>
        </>
      }
    >
      <form id={formId} className="stack stack-4" {...props}>
        {error.general && <Banner tone="error">{error.general}</Banner>}
        <Textarea
          label="Why is it dismissed?"
          name="reason"
          rows={3}
          maxLength={500}
          help="At least 5 characters. No patient names."
          error={error.fields.reason}
        />
      </form>
    </Dialog>
  );
}

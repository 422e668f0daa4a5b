import {
  type EmergencyAccess,
  REVIEW_NOTE_MAX,
  reviewEmergencyAccess,
  VERDICTS,
} from '@wardline/contract/chat/emergency-access.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { RadioGroup } from '@wardline/ui/input/radio-group.tsx';
import { Textarea } from '@wardline/ui/input/textarea.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useId, useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { useForm } from '#/shared/forms/use-form.ts';

type Verdict = (typeof VERDICTS)[number];

const LABELS: Readonly<Record<Verdict, string>> = { justified: 'Justified', not_justified: 'Not justified' };

interface ReviewDialogProps {
  readonly facility: Facility;
  readonly access: EmergencyAccess;
  readonly onReviewed: () => void;
  readonly onClose: () => void;
}

/** Says once and for good whether it was justified. */
export function ReviewDialog({ facility, access, onReviewed, onClose }: ReviewDialogProps) {
  const call = useCall();
  const formId = useId();
  const isOnline = useOnline();
  const [verdict, setVerdict] = useState<Verdict>();
  const [missing, setMissing] = useState<string>();
  const { props, error, isBusy } = useForm({
    names: ['note'],
    async send({ note }) {
      if (verdict === undefined) return setMissing('Choose one.');
      const params = { facility: facility.id, emergency_access: access.id };
      await call(reviewEmergencyAccess, { params, body: { verdict, note: note.trim() || null } });
      onReviewed();
      onClose();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closesOutside={false}
      title={`Emergency access of ${access.person.name}`}
      description={access.reason}
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} disabled={!isOnline} isLoading={isBusy}>
            Sign off
          </Button>
        </>
      }
    >
      <form id={formId} className="stack stack-4" {...props}>
        {error.general && <Banner tone="error">{error.general}</Banner>}
        {!isOnline && <Banner tone="warning">You’re offline. This can be done once you’re back online.</Banner>}
        <RadioGroup
          label="Was it justified?"
          isInline
          value={verdict}
          onValueChange={(value) => {
            setVerdict(value);
            setMissing(undefined);
          }}
          error={missing}
          choices={VERDICTS.map((value) => ({ value, label: LABELS[value] }))}
        />
        <Textarea
          label="Note (optional)"
          name="note"
          rows={2}
          dir="auto"
          autoComplete="off"
          maxLength={REVIEW_NOTE_MAX}
          help="It stays with the entry, and can’t be changed afterwards."
          error={error.fields.note}
        />
      </form>
    </Dialog>
  );
}

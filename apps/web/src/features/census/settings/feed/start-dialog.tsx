import { type CensusFeed, startCensusFeed } from '@wardline/contract/census/feed.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Textarea } from '@wardline/ui/input/textarea.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useId, useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { mustBeReason, TOO_SHORT } from '#/features/census/core/must-be-reason.ts';
import { shortDay } from '#/features/census/core/period/period.ts';
import { useSettingsPlace } from '#/features/census/settings/core/settings-context.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { sayDone } from '#/shared/contexts/show-toast.ts';
import { useForm } from '#/shared/forms/use-form.ts';
import { differenceOf, feedUnitName } from './feed-labels.ts';
import { useRefreshFeed } from './feed-queries.ts';

interface StartDialogProps {
  readonly feed: CensusFeed;
  readonly today: string;
  readonly onClose: () => void;
}

/** Lets the patient system count; where it differs from the reports, never without a reason. */
export function StartDialog({ feed, today, onClose }: StartDialogProps) {
  const { facility } = useSettingsPlace();
  const call = useCall();
  const refresh = useRefreshFeed(facility.id);
  const formId = useId();
  const [clientId] = useState(() => uuidv7());
  const differing = feed.units.filter((unit) => (differenceOf(unit) ?? 0) !== 0);
  const isDiffering = differing.length > 0;
  const { props, error, isBusy } = useForm({
    names: ['reason'],
    required: isDiffering ? { reason: TOO_SHORT } : {},
    async send({ reason }) {
      if (isDiffering) mustBeReason(reason);
      await call(startCensusFeed, {
        params: { facility: facility.id },
        body: { client_id: clientId, ...(isDiffering && { reason }) },
      });
      sayDone(`The patient system counts from ${shortDay(feed.next_date, today)}`);
      onClose();
      await refresh();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closesOutside={false}
      title="Start the patient system?"
      description={`From ${shortDay(feed.next_date, today)} on each report shows what the patient system says. Nurses still count and sign.`}
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} isLoading={isBusy}>
            Start
          </Button>
        </>
      }
    >
      <form id={formId} className="stack stack-4" {...props}>
        {error.general && <Banner tone="error">{error.general}</Banner>}
        {isDiffering && (
          <>
            <Banner tone="warning">
              {differing
                .map(
                  (unit) => `${feedUnitName(unit)} closed with ${unit.closing}, the patient system has ${unit.told}.`,
                )
                .join(' ')}
            </Banner>
            <Textarea
              label="Why may it start all the same?"
              name="reason"
              rows={3}
              maxLength={500}
              help="At least 5 characters. No patient names."
              error={error.fields.reason}
            />
          </>
        )}
      </form>
    </Dialog>
  );
}

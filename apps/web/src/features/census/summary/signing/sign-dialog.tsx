import { parseCount } from '@wardline/census/balance.ts';
import { totalFinding } from '@wardline/census/rules.ts';
import { type FacilityDay, signFacilityDay } from '@wardline/contract/census/day.ts';
import type { BodyOf } from '@wardline/contract/endpoint.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Checkbox } from '@wardline/ui/input/checkbox.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Textarea } from '@wardline/ui/input/textarea.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useId, useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { useDayChange } from '#/features/census/core/changes/use-day-change.ts';
import { counted, formatCount } from '#/features/census/core/format-figure.ts';
import { mustBeReason } from '#/features/census/core/must-be-reason.ts';
import { shortDay } from '#/features/census/core/period/period.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { sayDone } from '#/shared/contexts/show-toast.ts';
import { refusal } from '#/shared/errors/refusal.ts';
import { useForm } from '#/shared/forms/use-form.ts';

interface SignDialogProps {
  readonly day: FacilityDay;
  readonly onClose: () => void;
}

/** The signature: what is signed, a total from elsewhere to compare it with, and the words that accept a transfer gap. */
export function SignDialog({ day, onClose }: SignDialogProps) {
  const call = useCall();
  const change = useDayChange(day);
  const formId = useId();
  const [clientId] = useState(() => uuidv7());
  const [isLocking, setIsLocking] = useState(true);
  const [total, setTotal] = useState('');
  const name = shortDay(day.census_date);
  const hasGap = day.transfer_gap > 0;
  const totalError = errorOfTotal(total, day);
  const { props, error, isBusy } = useForm({
    names: ['override_reason', 'total'],
    async send({ override_reason: reason }) {
      if (hasGap) mustBeReason(reason, 'override_reason');
      if (totalError !== null) throw refusal({ total: totalError });
      const params = { facility: day.facility_id, date: day.census_date };
      const body = signatureOf(day, { clientId, isLocking, reason, total });
      await change(() => call(signFacilityDay, { params, body }));
      sayDone(isLocking ? `${name} is signed and locked` : `${name} is signed`);
      onClose();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closesOutside={false}
      title={`Sign ${name}`}
      description={`${counted(day.units_submitted, 'report')}, ${counted(closingOf(day), 'patient')} at the census hour.`}
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} isLoading={isBusy}>
            {isLocking ? `Sign and lock ${name}` : `Sign ${name}`}
          </Button>
        </>
      }
    >
      <form id={formId} className="stack stack-4" {...props}>
        {error.general && <Banner tone="error">{error.general}</Banner>}
        {hasGap && (
          <Textarea
            label={`Why a transfer gap of ${formatCount(day.transfer_gap)} is accepted`}
            name="override_reason"
            rows={3}
            maxLength={500}
            help="Shown on the summary with your name, e.g. “patient moved 23:58”."
            error={error.fields.override_reason}
          />
        )}
        <TextInput
          label="Total from another source"
          name="total"
          inputMode="numeric"
          autoComplete="off"
          value={total}
          onChange={({ target }) => setTotal(target.value)}
          help="From the bed office, for example. It is compared with the sum of the units. Optional."
          error={totalError ?? error.fields.total}
        />
        <Checkbox
          label="Lock the day"
          help="After that its numbers change only if the day is reopened with a reason."
          checked={isLocking}
          onChange={({ target }) => setIsLocking(target.checked)}
        />
      </form>
    </Dialog>
  );
}

interface SignatureInput {
  readonly clientId: string;
  readonly isLocking: boolean;
  readonly reason: string;
  readonly total: string;
}

/** What is sent: the words for a gap only where there is one. */
function signatureOf(day: FacilityDay, { clientId, isLocking, reason, total }: SignatureInput) {
  return {
    client_id: clientId,
    version: day.version,
    lock: isLocking,
    override_reason: day.transfer_gap > 0 ? reason : null,
    total: parseCount(total) ?? null,
  } satisfies BodyOf<typeof signFacilityDay>;
}

function closingOf({ units }: FacilityDay): number {
  return units.reduce((sum, { closing }) => sum + (closing ?? 0), 0);
}

/** What is wrong with a total from elsewhere; a unit that it holds twice is named. */
function errorOfTotal(text: string, { units }: FacilityDay): string | null {
  const total = parseCount(text);
  if (total === null) return null;
  if (total === undefined) return 'Write a whole number, digits only.';
  const closings = units.flatMap(({ unit_code, closing }) => (closing === null ? [] : [{ unit_code, closing }]));
  return totalFinding(total, closings)?.message ?? null;
}

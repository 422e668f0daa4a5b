import { parseCount } from '@wardline/census/balance.ts';
import { isReason } from '@wardline/census/rules.ts';
import type { FacilityDay, UnitOfDay } from '@wardline/contract/census/day.ts';
import { estimateUnitDay } from '@wardline/contract/census/unit.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Textarea } from '@wardline/ui/input/textarea.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { useDayChange } from '#/features/census/core/changes/use-day-change.ts';
import { mustBeReason, TOO_SHORT } from '#/features/census/core/must-be-reason.ts';
import { shortDay } from '#/features/census/core/period/period.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { sayDone } from '#/shared/contexts/show-toast.ts';
import { refusal } from '#/shared/errors/refusal.ts';
import { useForm } from '#/shared/forms/use-form.ts';

interface EstimateFormProps {
  readonly day: FacilityDay;
  readonly unit: UnitOfDay;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

const NO_COUNT = 'Write a whole number from 0 to 9999.';

/** Says how many patients are taken to be in a unit that is missing, and how one knows. */
export function EstimateForm({ day, unit, onDone, onCancel }: EstimateFormProps) {
  const call = useCall();
  const change = useDayChange(day);
  const [clientId, setClientId] = useState(() => uuidv7());
  const { props, error, isBusy } = useForm({
    names: ['census', 'reason'],
    required: { census: NO_COUNT, reason: TOO_SHORT },
    async send({ census: text, reason }) {
      const census = parseCount(text);
      if (typeof census !== 'number')
        throw refusal({ census: NO_COUNT, ...(!isReason(reason) && { reason: TOO_SHORT }) });
      mustBeReason(reason);
      // Another try may say something else: it is another request.
      setClientId(uuidv7());
      await change(() =>
        call(estimateUnitDay, {
          params: { unit: unit.unit_id, date: day.census_date, population: unit.population },
          body: { client_id: clientId, census, reason },
        }),
      );
      sayDone(`${unit.unit_code}, ${shortDay(day.census_date)} estimated`);
      onDone();
    },
  });
  return (
    <form className="stack stack-3" aria-label={`Estimate of ${unit.unit_code}`} {...props}>
      {error.general && <Banner tone="error">{error.general}</Banner>}
      <TextInput
        label="Patients present"
        name="census"
        inputMode="numeric"
        autoComplete="off"
        maxLength={4}
        autoFocus
        defaultValue={unit.estimate?.census}
        help="Shown beside the figures and counted in none of them. The report is still due."
        error={error.fields.census}
      />
      <Textarea
        label="Source of the estimate"
        name="reason"
        rows={2}
        maxLength={500}
        help="At least 5 characters. No patient names."
        error={error.fields.reason}
      />
      <div className="dialog-foot">
        <Button variant="ghost" color="neutral" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" isLoading={isBusy}>
          Save estimate
        </Button>
      </div>
    </form>
  );
}

import type { FacilityDay, UnitOfDay } from '@wardline/contract/census/day.ts';
import { returnUnitDay } from '@wardline/contract/census/unit.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Textarea } from '@wardline/ui/input/textarea.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { useDayChange } from '#/features/census/core/changes/use-day-change.ts';
import { mustBeReason, TOO_SHORT } from '#/features/census/core/must-be-reason.ts';
import { shortDay } from '#/features/census/core/period/period.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { sayDone } from '#/shared/contexts/show-toast.ts';
import { useForm } from '#/shared/forms/use-form.ts';

interface ReturnFormProps {
  readonly day: FacilityDay;
  readonly unit: UnitOfDay;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

/** Gives a report back with the words that say why. */
export function ReturnForm({ day, unit, onDone, onCancel }: ReturnFormProps) {
  const call = useCall();
  const change = useDayChange(day);
  const [clientId] = useState(() => uuidv7());
  const { props, error, isBusy } = useForm({
    names: ['reason'],
    required: { reason: TOO_SHORT },
    async send({ reason }) {
      mustBeReason(reason);
      await change(() =>
        call(returnUnitDay, {
          params: { unit: unit.unit_id, date: day.census_date, population: unit.population },
          body: { client_id: clientId, version: unit.version, reason },
        }),
      );
      sayDone(`${unit.unit_code}, ${shortDay(day.census_date)} returned`);
      onDone();
    },
  });
  return (
    <form className="stack stack-3" {...props}>
      {error.general && <Banner tone="error">{error.general}</Banner>}
      <Textarea
        label="What needs correcting"
        name="reason"
        rows={3}
        maxLength={500}
        autoFocus
        help="Shown in the discussion of the report."
        error={error.fields.reason}
      />
      <div className="dialog-foot">
        <Button variant="ghost" color="neutral" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" isLoading={isBusy}>
          Return {unit.unit_code}
        </Button>
      </div>
    </form>
  );
}

import { absenceOf } from '@wardline/census/states.ts';
import type { Estimate } from '@wardline/contract/census/census.ts';
import type { FacilityDay, UnitOfDay } from '@wardline/contract/census/day.ts';
import { withdrawEstimate } from '@wardline/contract/census/unit.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { useDayChange } from '#/features/census/core/changes/use-day-change.ts';
import { shortDay } from '#/features/census/core/period/period.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { sayDone } from '#/shared/contexts/show-toast.ts';
import { useAction } from '#/shared/forms/use-action.ts';
import { EstimateNote } from './estimate-note.tsx';

/** Whether there is something to estimate, on a day that is not signed. */
export function mayEstimate(day: FacilityDay, unit: UnitOfDay): boolean {
  return day.may.sign && absenceOf(unit) === 'missing';
}

interface StandingEstimateProps {
  readonly day: FacilityDay;
  readonly unit: UnitOfDay;
  readonly estimate: Estimate;
}

/** The estimate of a unit, with the way to take it back. */
export function StandingEstimate({ day, unit, estimate }: StandingEstimateProps) {
  const call = useCall();
  const change = useDayChange(day);
  const [clientId] = useState(() => uuidv7());
  const takeBack = useAction(async () => {
    await change(() =>
      call(withdrawEstimate, {
        params: { unit: unit.unit_id, date: day.census_date, population: unit.population },
        body: { client_id: clientId },
      }),
    );
    sayDone(`${unit.unit_code}, ${shortDay(day.census_date)}: estimate taken back`);
  });
  return (
    <div className="row wrap">
      <EstimateNote estimate={estimate} />
      {mayEstimate(day, unit) && (
        <Button
          variant="ghost"
          color="neutral"
          size="sm"
          icon={Undo2}
          isLoading={takeBack.isBusy}
          onClick={takeBack.run}
        >
          Take the estimate back
        </Button>
      )}
      {takeBack.error && (
        <p role="alert" className="t13 c-error">
          {takeBack.error}
        </p>
      )}
    </div>
  );
}

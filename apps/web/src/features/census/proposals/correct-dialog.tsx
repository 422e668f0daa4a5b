import { useRouter } from '@tanstack/react-router';
import { afterAct } from '@wardline/census/states.ts';
import { type FacilityDay, reopenFacilityDay, type UnitOfDay } from '@wardline/contract/census/day.ts';
import type { Proposal } from '@wardline/contract/census/proposals.ts';
import { amendUnitDay } from '@wardline/contract/census/unit.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Textarea } from '@wardline/ui/input/textarea.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useId, useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { reportPath } from '#/features/census/core/census-paths.ts';
import { useFacilityDay } from '#/features/census/core/changes/summary-queries.ts';
import { useDayChange } from '#/features/census/core/changes/use-day-change.ts';
import { mustBeReason, TOO_SHORT } from '#/features/census/core/must-be-reason.ts';
import { Panel } from '#/features/census/core/panel.tsx';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useForm } from '#/shared/forms/use-form.ts';
import { proposalPlace, proposalSentence } from './proposal-labels.ts';

interface CorrectDialogProps {
  readonly facilityId: string;
  readonly proposal: Proposal;
  readonly newest: string;
  readonly onClose: () => void;
}

/** Opens the report for a correction, its day first where that is signed, and goes to it; the counts are offered there. */
export function CorrectDialog({ facilityId, proposal, newest, onClose }: CorrectDialogProps) {
  const router = useRouter();
  const formId = useId();
  const [isBusy, setIsBusy] = useState(false);
  const day = useFacilityDay(facilityId, proposal.census_date);
  const unit = day.data && unitOf(day.data, proposal);
  const step = day.data && unit ? stepOf(day.data, unit) : null;
  const goOn = () => {
    onClose();
    const { unit_id, census_date: date, population: of } = proposal;
    void router.navigate({ href: reportPath({ unit: unit_id, date, population: of }) });
  };
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closesOutside={false}
      title={`Correct ${proposalPlace(proposal, newest)}?`}
      description={proposalSentence(proposal, newest)}
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Cancel
          </Button>
          {step === 'go' && <Button onClick={goOn}>Go to the report</Button>}
          {(step === 'amend' || step === 'reopen') && (
            <Button type="submit" form={formId} isLoading={isBusy}>
              Open for correction
            </Button>
          )}
        </>
      }
    >
      <Panel query={day} what="the day">
        {(data) =>
          unit && (step === 'amend' || step === 'reopen') ? (
            <OpenForm id={formId} day={data} unit={unit} onBusy={setIsBusy} onDone={goOn} />
          ) : (
            <Banner tone={step === 'go' ? 'info' : 'warning'}>
              {step === 'go'
                ? 'The report is being corrected already.'
                : 'The day is signed. Someone who can reopen days has to do this.'}
            </Banner>
          )
        }
      </Panel>
    </Dialog>
  );
}

function unitOf({ units }: FacilityDay, proposal: Proposal): UnitOfDay | undefined {
  return units.find((unit) => unit.unit_id === proposal.unit_id && unit.population === proposal.population);
}

/** What comes first: reopening the day, amending the report, going to it; null where another person has to. */
function stepOf({ status, may }: FacilityDay, unit: UnitOfDay): 'reopen' | 'amend' | 'go' | null {
  if (afterAct(unit.status ?? 'draft', 'amend') === null) return 'go';
  if (status !== 'approved' && status !== 'locked') return 'amend';
  return may.reopen ? 'reopen' : null;
}

interface OpenFormProps {
  readonly id: string;
  readonly day: FacilityDay;
  readonly unit: UnitOfDay;
  readonly onBusy: (isBusy: boolean) => void;
  readonly onDone: () => void;
}

function OpenForm({ id, day, unit, onBusy, onDone }: OpenFormProps) {
  const open = useOpening(day, unit);
  const isSigned = day.status === 'approved' || day.status === 'locked';
  const { props, error } = useForm({
    names: ['reason'],
    required: { reason: TOO_SHORT },
    async send({ reason }) {
      mustBeReason(reason);
      onBusy(true);
      try {
        await open(reason);
      } finally {
        onBusy(false);
      }
      onDone();
    },
  });
  return (
    <form id={id} className="stack stack-4" {...props}>
      {error.general && <Banner tone="error">{error.general}</Banner>}
      <p className="muted">
        {isSigned && 'The day is signed: it will be reopened and must be signed again. '}
        The report will suggest these counts. The unit submits it again, and someone approves it.
      </p>
      <Textarea
        label="Why is it changed?"
        name="reason"
        rows={3}
        maxLength={500}
        help="At least 5 characters. No patient names."
        error={error.fields.reason}
      />
    </form>
  );
}

/** Pressed again after a lost answer, both acts are the same ones. */
function useOpening(day: FacilityDay, unit: UnitOfDay): (reason: string) => Promise<void> {
  const call = useCall();
  const change = useDayChange(day);
  const [ids] = useState(() => ({ reopen: uuidv7(), amend: uuidv7() }));
  const isSigned = day.status === 'approved' || day.status === 'locked';
  const { census_date: date, facility_id: facility } = day;
  return (reason) =>
    change(async () => {
      const text = { reason_code: 'patient_system', reason } as const;
      if (isSigned) {
        const body = { client_id: ids.reopen, version: day.version, ...text };
        await call(reopenFacilityDay, { params: { facility, date }, body });
      }
      await call(amendUnitDay, {
        params: { unit: unit.unit_id, date, population: unit.population },
        body: { client_id: ids.amend, version: unit.version, ...text },
      });
    });
}

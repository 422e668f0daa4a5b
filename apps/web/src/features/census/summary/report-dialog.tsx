import { toldFields, varianceOf } from '@wardline/census/report-figures.ts';
import { labelOf } from '@wardline/census/rules.ts';
import { afterAct, isHandedIn } from '@wardline/census/states.ts';
import { remindUnit } from '@wardline/contract/census/board.ts';
import type { FacilityDay, UnitOfDay } from '@wardline/contract/census/day.ts';
import { approveUnitDay, type UnitDay } from '@wardline/contract/census/unit.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Waterfall } from '@wardline/ui/chart/waterfall.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { DescriptionList } from '@wardline/ui/list/description-list.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { BellRing, Calculator, Check, MessagesSquare, SquarePen, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { discussionPath, reportPath } from '#/features/census/core/census-paths.ts';
import { useReportOf } from '#/features/census/core/changes/summary-queries.ts';
import { useDayChange } from '#/features/census/core/changes/use-day-change.ts';
import { approveLabel, CorrectionNotice } from '#/features/census/core/correction-notice.tsx';
import { formatCount } from '#/features/census/core/format-figure.ts';
import { Panel } from '#/features/census/core/panel.tsx';
import { shortDay } from '#/features/census/core/period/period.ts';
import { VarianceNote } from '#/features/census/core/variance-note.tsx';
import { useCall } from '#/shared/contexts/call-context.ts';
import { sayDone } from '#/shared/contexts/show-toast.ts';
import { useAction } from '#/shared/forms/use-action.ts';
import { momentIn } from '#/shared/time/zoned-time.ts';
import { EstimateForm } from '../estimates/estimate-form.tsx';
import { mayEstimate, StandingEstimate } from '../estimates/standing-estimate.tsx';
import { reportState } from './cards/day-labels.ts';
import { balanceSteps } from './cards/waterfall-card.tsx';
import { ReportDetails } from './report-details.tsx';
import { ReturnForm } from './return-form.tsx';

interface ReportDialogProps {
  readonly day: FacilityDay;
  readonly unit: UnitOfDay;
  readonly name: string;
  /** Whether the person may open the page on which reports are written. */
  readonly mayOpenPage: boolean;
  readonly onClose: () => void;
}

/** One unit's report as its reviewer sees it: what it says, and approve, return or remind. */
export function ReportDialog({ day, unit, name, mayOpenPage, onClose }: ReportDialogProps) {
  const [asked, setAsked] = useState<'return' | 'estimate' | null>(null);
  const report = useReportOf(day, unit);
  const isIn = isHandedIn(unit.status);
  const { word } = reportState(unit, day);
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      // Sentences that somebody writes are not lost by a press beside them.
      closesOutside={asked === null}
      size="lg"
      title={`${name}, ${shortDay(day.census_date)}`}
      description={`${unit.unit_name} · ${word}`}
      closeLabel="Close"
      footer={asked === null && <Acts {...{ day, unit, onClose }} report={report.data} onAsk={setAsked} />}
    >
      {isIn || unit.status === 'draft' || unit.status === 'returned' ? (
        <div className="stack stack-4">
          {report.data && <CorrectionNotice amendment={report.data.amendment} restates={report.data.restates} />}
          {report.data && isOwnToApprove(day, report.data) && (
            <Banner tone="info" announce="none">
              You submitted this report. Someone else has to approve it.
            </Banner>
          )}
          <ReportInput day={day} unit={unit} />
          <Panel query={report} what="the rest of the report" isBare>
            {(whole) => <ReportDetails report={whole} />}
          </Panel>
        </div>
      ) : (
        <Banner tone="warning" announce="none">
          No report for this date yet.
        </Banner>
      )}
      {unit.estimate && asked !== 'estimate' && <StandingEstimate day={day} unit={unit} estimate={unit.estimate} />}
      <p className="row wrap row-4 t13">
        {mayOpenPage && (
          <Link
            className="row row-1"
            href={reportPath({ unit: unit.unit_id, date: day.census_date, population: unit.population })}
          >
            <Icon of={SquarePen} size="sm" />
            Open the report
          </Link>
        )}
        {unit.discussion_chat_id !== null && (
          <Link className="row row-1" href={discussionPath(day.facility_id, unit.discussion_chat_id)}>
            <Icon of={MessagesSquare} size="sm" />
            Open discussion
          </Link>
        )}
      </p>
      {asked === 'return' && <ReturnForm day={day} unit={unit} onDone={onClose} onCancel={() => setAsked(null)} />}
      {asked === 'estimate' && (
        <EstimateForm day={day} unit={unit} onDone={() => setAsked(null)} onCancel={() => setAsked(null)} />
      )}
    </Dialog>
  );
}

interface ActsProps {
  readonly day: FacilityDay;
  readonly unit: UnitOfDay;
  /** Left out until it has come: nobody approves what they have not been shown. */
  readonly report: UnitDay | undefined;
  readonly onClose: () => void;
  readonly onAsk: (what: 'return' | 'estimate') => void;
}

function Acts({ day, unit, report, onClose, onAsk }: ActsProps) {
  const call = useCall();
  const change = useDayChange(day);
  const [clientId] = useState(() => uuidv7());
  const params = { unit: unit.unit_id, date: day.census_date, population: unit.population };
  const approve = useAction(async () => {
    await change(() => call(approveUnitDay, { params, body: { client_id: clientId, version: unit.version } }));
    sayDone(`${unit.unit_code}, ${shortDay(day.census_date)} approved`);
    onClose();
  });
  const remind = useAction(async () => {
    const { unit: unit_id, population: name } = params;
    await call(remindUnit, {
      params: { facility: day.facility_id, date: day.census_date },
      body: { unit_id, population: name },
    });
    sayDone(`${unit.unit_code} is reminded in its discussion`);
    onClose();
  });
  const mayReview = day.may.approve && afterAct(unit.status ?? 'draft', 'approve') !== null;
  const error = approve.error ?? remind.error;
  return (
    <>
      {error && <Banner tone="error">{error}</Banner>}
      {!isHandedIn(unit.status) && (
        <Button icon={BellRing} variant="outline" color="neutral" isLoading={remind.isBusy} onClick={remind.run}>
          Remind {unit.unit_code}
        </Button>
      )}
      {mayEstimate(day, unit) && !unit.estimate && (
        <Button icon={Calculator} variant="outline" color="neutral" onClick={() => onAsk('estimate')}>
          Enter an estimate
        </Button>
      )}
      {mayReview && (
        <>
          <Button icon={Undo2} variant="outline" color="neutral" onClick={() => onAsk('return')}>
            Return
          </Button>
          {report?.may.approve !== false && (
            <Button
              icon={Check}
              disabled={!report || Boolean(report.restates?.ask)}
              isLoading={approve.isBusy}
              onClick={approve.run}
            >
              {approveLabel(unit.unit_code, report?.restates)}
            </Button>
          )}
        </>
      )}
    </>
  );
}

/** Where a facility asks for four eyes. */
function isOwnToApprove(day: FacilityDay, { status, may }: UnitDay): boolean {
  return day.may.approve && status === 'submitted' && !may.approve;
}

function ReportInput({ day, unit }: { day: FacilityDay; unit: UnitOfDay }) {
  const fields = toldFields(unit);
  const said = [
    ['Over capacity', unit.capacity_reason],
    ['Submitted by', unit.submitted_by?.name ?? null],
    ['Submitted at', unit.submitted_at === null ? null : momentIn(day.time_zone, Date.parse(unit.submitted_at))],
    ['Approved by', unit.approved_by?.name ?? null],
  ] as const;
  return (
    <div className="stack stack-4">
      <VarianceNote
        variance={varianceOf(unit)}
        reason={unit.variance_reason}
        reasonFor={unit.variance_for}
        by={unit.variance_by?.name}
      />
      <Waterfall steps={balanceSteps([unit])} unitLabel="patients" />
      <div className="sum-report">
        <DescriptionList
          items={[
            { term: 'Opening', description: formatCount(unit.opening) },
            ...fields.map((field) => ({ term: labelOf(field), description: formatCount(unit.counts[field]) })),
            { term: 'Closing', description: formatCount(unit.closing) },
            { term: 'Present', description: formatCount(unit.present) },
            { term: 'Service days', description: formatCount(unit.service_days) },
            { term: 'Staffed beds', description: formatCount(unit.beds.staffed) },
            { term: 'Blocked beds', description: formatCount(unit.beds.blocked) },
          ]}
        />
        <DescriptionList
          isStacked
          items={said.flatMap(([term, description]) => (description === null ? [] : [{ term, description }]))}
        />
      </div>
    </div>
  );
}

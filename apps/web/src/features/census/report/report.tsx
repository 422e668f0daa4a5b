import type { OwedReport, UnitDay } from '@wardline/contract/census/unit.ts';
import type { Facility, Unit } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Undo2 } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { UnitCalendar } from '#/features/census/charts/unit-calendar.tsx';
import { CensusFrame } from '#/features/census/core/census-frame.tsx';
import { reportContext } from '#/features/census/core/report-labels.ts';
import { UnusualDialog } from '#/features/census/core/unusual-dialog.tsx';
import { showToast } from '#/shared/contexts/show-toast.ts';
import { closeMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { feedDraft, isOverwritten, nilDraft, type ReportDraft, withCountsOf } from './engine/report-draft.ts';
import { focusOn, inputId, ReportContext, useReport } from './engine/report-view.ts';
import { useReportView } from './engine/use-report-view.ts';
import { formatUnanswered } from './partner-labels.ts';
import { ProposalNotice } from './proposal-notice.tsx';
import { ReportActs } from './report-acts.tsx';
import { ReportNotices } from './report-notices.tsx';
import { ReportSheet } from './report-sheet.tsx';
import { BedsCard, DayCard, HeadCountCard } from './side-cards.tsx';
import { SnapshotCard } from './snapshot-card.tsx';
import { SubmitBar, SubmitTop } from './submit-bar.tsx';
import { TransfersCard } from './transfers-card.tsx';

const CompareDialog = lazyPart(async () => (await import('./compare-dialog.tsx')).CompareDialog, {
  onMissing: closeMissing,
});

interface ReportProps {
  readonly facility: Facility;
  readonly day: UnitDay;
  readonly isFromDevice: boolean;
  readonly units: readonly Unit[];
  /** What is owed after this one. */
  readonly next: OwedReport | null;
  /** The row of what is owed. */
  readonly owed: ReactNode;
}

/** One unit's report of a date and population: the sheet, what comes of it, and the one button. */
export function Report({ facility, day, isFromDevice, units, next, owed }: ReportProps) {
  const view = useReportView(day);
  const [isComparing, setIsComparing] = useState(false);
  const shown = view.state.day;
  const hasCalendar = facility.permissions.includes('census.view');
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    view.submit();
  };
  return (
    <ReportContext value={view}>
      <CensusFrame
        title={shown.unit_code}
        path="/census-unit"
        facility={facility}
        context={reportContext(shown)}
        actions={<SubmitTop />}
        foot={<SubmitBar />}
      >
        <div className="report">
          {owed}
          <ReportNotices next={next} isFromDevice={isFromDevice} onCompare={() => setIsComparing(true)} />
          <ProposalNotice />
          <ReportActs />
          <div className="report-grid">
            <form
              className="report-form"
              aria-label={`Report of ${shown.unit_name}`}
              noValidate
              onSubmit={(event) => event.preventDefault()}
              onKeyDown={onKeyDown}
            >
              <div className="report-main stack">
                <NilReport />
                <ReportSheet />
              </div>
              <div className="stack stack-4">
                <DayCard />
                <HeadCountCard />
                <TransfersCard units={units} />
                <BedsCard />
              </div>
            </form>
            {(shown.may.edit || hasCalendar) && (
              <div className="report-beside stack stack-4">
                {shown.may.edit && <SnapshotCard day={shown} />}
                {hasCalendar && <UnitCalendar facility={facility} day={shown} />}
              </div>
            )}
          </div>
        </div>
      </CensusFrame>
      {view.unusual && <UnusualDialog counts={view.unusual} onConfirm={view.confirm} onClose={view.change} />}
      {isComparing && (
        <CompareDialog state={view.state} onResolve={view.editor.resolve} onClose={() => setIsComparing(false)} />
      )}
    </ReportContext>
  );
}

/** A day on which nobody came or went, in one tap. */
function NilReport() {
  const { editor, isEditable, state } = useReport();
  if (!isEditable) return null;
  const { feed } = state.day;
  const moved = formatUnanswered(state.day, state.draft);
  const fill = (change: (draft: ReportDraft) => ReportDraft) => {
    const before = state.draft;
    const after = change(before);
    editor.change(() => after);
    if (isOverwritten(before, after)) sayReplaced(() => editor.change((draft) => withCountsOf(draft, before)));
    focusOn(inputId('counted'));
  };
  return (
    <div className="row wrap">
      <Button variant="outline" color="neutral" size="sm" onClick={() => fill(nilDraft)}>
        Nothing changed
      </Button>
      {feed && (
        <Button variant="outline" color="neutral" size="sm" onClick={() => fill((draft) => feedDraft(draft, feed))}>
          Take from the patient system
        </Button>
      )}
      {moved === null ? (
        <span className="report-start-note t12 muted">
          Sets movements to 0; still enter the head count. In an empty field, Enter sets 0 and moves on.
        </span>
      ) : (
        <span className="report-start-note t12 c-warning">
          Other units report transfers: {moved}. Answer them below.
        </span>
      )}
    </div>
  );
}

/** One tap has written over numbers that somebody typed: one more brings them back. */
function sayReplaced(undo: () => void): void {
  showToast({
    title: 'What you typed was replaced',
    icon: Undo2,
    actions: [{ label: 'Undo', altText: 'Type the numbers again in the report', onClick: undo }],
  }).catch(() => undefined);
}

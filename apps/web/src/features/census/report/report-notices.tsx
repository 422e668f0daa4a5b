import { formatUnusual } from '@wardline/census/forecast/usual-range.ts';
import { serverNow } from '@wardline/client/server-clock.ts';
import type { OwedReport, UnitDay } from '@wardline/contract/census/unit.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { ArrowRight, CloudOff, Eye, GitCompareArrows } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { discussionPath, reportPath } from '#/features/census/core/census-paths.ts';
import { formatEstimate } from '#/features/census/core/estimate-labels.ts';
import { formatDate } from '#/features/census/core/report-labels.ts';
import { useAction } from '#/shared/forms/use-action.ts';
import { useOutcomeFocus } from '#/shared/forms/use-outcome-focus.ts';
import { dayIn, momentIn, timeIn } from '#/shared/time/zoned-time.ts';
import type { EditorState } from './engine/report-editor.ts';
import { focusOnSubmit, generalId, useReport } from './engine/report-view.ts';
import { placeOf } from './engine/use-reports.ts';

/** With the hour that a clock may be put back. */
const longestDayMs = 25 * 60 * 60_000;

interface ReportNoticesProps {
  /** What is still owed after this report. */
  readonly next: OwedReport | null;
  readonly isFromDevice: boolean;
  readonly onCompare: () => void;
}

/** What a person has to know of the report before they go on with it. */
export function ReportNotices({ next, isFromDevice, onCompare }: ReportNoticesProps) {
  const { state, general } = useReport();
  const { day, unsent, receipt, isConflicting } = state;
  const isRefused = unsent?.state === 'failed';
  const outcome = outcomeOf(state);
  const place = useOutcomeFocus<HTMLDivElement>(outcome, { onSettled: focusOnSubmit });
  // What the refusal says already is not said twice.
  const others = general.filter(
    ({ code, message }) => !(isRefused && unsent.reason?.includes(message)) && !(isConflicting && code === 'DUPLICATE'),
  );
  return (
    <>
      {isFromDevice && (
        <Banner tone="neutral" icon={CloudOff} title="From this device.">
          The server could not be reached. What you submit is kept and will send when you’re back online.
        </Banner>
      )}
      {outcome !== null && (
        <div ref={place} tabIndex={-1}>
          {outcome === 'receipt' && receipt && <Receipt receipt={receipt} next={next} />}
          {outcome === 'waiting' && <Waiting />}
          {outcome === 'conflict' && <Conflict onCompare={onCompare} />}
          {outcome === 'refused' && (
            <Banner tone="error" title="This report was refused.">
              {unsent?.reason} What you typed is kept here; correct it and submit again.
            </Banner>
          )}
          {outcome === 'unsaved' && <Unsaved />}
        </div>
      )}
      {!receipt && <ActiveAlert day={day} />}
      {day.estimate && (
        <Banner tone="neutral" title="Estimated." announce="none">
          The summary shows {formatEstimate({ ...day.estimate, by: day.estimate.by.name })}. This report replaces it.
        </Banner>
      )}
      {day.confirmed && day.confirmed.length > 0 && (
        <Banner tone="neutral" title="Asked and confirmed." announce="none">
          {day.confirmed.map((count) => formatUnusual(count, day.census_date)).join(' ')}
        </Banner>
      )}
      {others.length > 0 && (
        <div id={generalId} tabIndex={-1}>
          <Banner tone="error">{others.map(({ message }) => message).join(' ')}</Banner>
        </div>
      )}
    </>
  );
}

type Outcome = 'receipt' | 'waiting' | 'conflict' | 'refused' | 'unsaved';

/** What became of what was typed here, where the person has to know; only the gravest is said. */
function outcomeOf({ receipt, unsent, isConflicting, refusal, refusals }: EditorState): Outcome | null {
  if (isConflicting) return 'conflict';
  if (unsent) return unsent.state === 'failed' ? 'refused' : 'waiting';
  // What is wrong with a field stands at the field.
  if (refusal !== null && refusals.length === 0) return 'unsaved';
  return receipt && 'receipt';
}

/** Somebody else changed the report: whose word counts is asked. */
function Conflict({ onCompare }: Pick<ReportNoticesProps, 'onCompare'>) {
  const { day, unsent } = useReport().state;
  const isRefused = unsent?.state === 'failed';
  return (
    <Banner
      tone="warning"
      title="Someone else changed this report."
      action={
        <Button variant="outline" color="neutral" size="sm" icon={GitCompareArrows} onClick={onCompare}>
          {isRefused ? 'Resolve' : 'Compare'}
        </Button>
      }
    >
      {day.may.edit
        ? 'What you typed is kept. Choose which value to keep for each field.'
        : `${isRefused ? `${unsent.reason} ` : ''}What you typed is kept here, to be read and discarded.`}
    </Banner>
  );
}

/** The server would not have the draft, for a reason that no field bears. */
function Unsaved() {
  const { state, editor } = useReport();
  const retry = useAction(() => editor.retry());
  return (
    <Banner
      tone="error"
      title="The draft is not saved."
      action={
        <Button variant="outline" color="neutral" size="sm" isLoading={retry.isBusy} onClick={retry.run}>
          Try again
        </Button>
      }
    >
      {state.refusal} What you typed is kept on this device.
      {retry.error && ` ${retry.error}`}
    </Banner>
  );
}

/** Where the report stands, and the words with which it was returned or opened again. */
function ActiveAlert({ day }: { day: UnitDay }) {
  const discussion = discussionLink(day);
  if (day.status === 'returned' || day.status === 'amending') {
    return (
      <Banner tone="warning" title={day.status === 'returned' ? 'Returned.' : 'Being corrected.'} action={discussion}>
        {day.last_reason}
      </Banner>
    );
  }
  if (day.status === 'submitted') {
    return (
      <Banner tone="info" title="Submitted" action={discussion}>
        {by(day.submitted_by?.name, day.submitted_at, day.time_zone)}
        {day.is_reviewed && !day.may.return && ' A reviewer has opened it: to change it, ask them to return it.'}
      </Banner>
    );
  }
  if (day.status === 'approved' || day.status === 'locked') {
    return (
      <Banner tone="success" title={day.status === 'locked' ? 'Locked.' : 'Approved'} action={discussion}>
        {day.status === 'locked' && 'Approved '}
        {by(day.approved_by?.name, day.approved_at, day.time_zone)}
        {day.status === 'locked' && ' A change needs a reason and is marked on later days.'}
      </Banner>
    );
  }
  return day.may.edit ? null : <NothingToWrite day={day} />;
}

/** The way to the chat about the report, if there is one that this person is in. */
function discussionLink({ facility_id, discussion_chat_id }: UnitDay) {
  return (
    discussion_chat_id && (
      <Link className="sheet-link" href={discussionPath(facility_id, discussion_chat_id)}>
        Open discussion
      </Link>
    )
  );
}

/** Why a sheet that nobody has handed in takes no words from this person. */
function NothingToWrite({ day }: { day: UnitDay }) {
  const isAhead = serverNow() < Date.parse(day.census_at) - longestDayMs;
  return (
    <Banner tone="neutral" icon={Eye} title="Read only.">
      {isAhead
        ? `${formatDate(day.census_date, day.time_zone)} has not begun yet.`
        : 'The unit does not report on this date, others report for it, or the day is signed.'}
    </Banner>
  );
}

function by(name: string | undefined, at: string | null, zone: string): string {
  const who = name === undefined ? '' : `by ${name}`;
  return at === null ? who : `${who} on ${momentIn(zone, Date.parse(at))}.`;
}

function Waiting() {
  const { state, editor } = useReport();
  const takeBack = useAction(() => editor.takeBack());
  const isSending = state.unsent?.state === 'sending';
  return (
    <Banner
      tone="neutral"
      icon={CloudOff}
      title={isSending ? 'Being sent.' : 'Submitted on this device.'}
      action={
        !isSending && (
          <Button variant="outline" color="neutral" size="sm" isLoading={takeBack.isBusy} onClick={takeBack.run}>
            Take back
          </Button>
        )
      }
    >
      {isSending ? 'Kept here until the server has it.' : 'It will send when you’re back online.'}
      {takeBack.error && ` ${takeBack.error}`}
    </Banner>
  );
}

/** What the server has, with the next report one key away, and the chat in which a difference is asked about. */
function Receipt({ receipt, next }: { receipt: UnitDay; next: OwedReport | null }) {
  const onward = useRef<HTMLAnchorElement>(null);
  useEffect(() => onward.current?.focus(), []);
  const { time_zone: zone, census_date: date } = receipt;
  const at = Date.parse(receipt.submitted_at ?? receipt.due_at);
  const discussion = discussionLink(receipt);
  const punctual = receipt.is_on_time === false ? 'late' : 'on time';
  return (
    <Banner
      tone="success"
      title={`Report for ${formatDate(date, zone)} submitted ${formatDate(dayIn(zone, at), zone)} at ${timeIn(zone, at)}, ${punctual}.`}
      action={
        (discussion || next) && (
          <span className="row row-4 wrap">
            {discussion}
            {next && (
              <Button asChild size="sm" trailingIcon={ArrowRight}>
                <Link ref={onward} href={reportPath(placeOf(next))}>
                  Next: {next.unit_code}, {formatDate(next.census_date, next.time_zone)}
                </Link>
              </Button>
            )}
          </span>
        )
      }
    >
      Closing {receipt.closing}, service days {receipt.service_days}.
    </Banner>
  );
}
